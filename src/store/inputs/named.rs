//! The files that a config names: personas, items, exhibits, edges, prompts and notes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::folder::KeptFolder;
use super::reading::{KeptFile, normalise_path};
use super::{exhibits, networks, path_suggestions, variants};
use crate::config::{
    KEPT_ITEMS, KEPT_NOTES, Node, PersonaFile, Problem, Problems, kept_exhibit, kept_network, kept_personas,
    kept_prompts,
};
use crate::store::personas;

/// The section of a config, and the folder in `inputs/`.
pub(super) const PERSONAS: &str = "personas";
/// The size limit of files of personas or items, in bytes.
const PERSONAS_BYTES_MAX: u64 = 20_000_000;

/// The files that a config names, as they were read.
#[derive(Debug, Clone)]
pub(super) struct NamedFiles {
    /// By pool.
    pub(super) personas: BTreeMap<String, KeptFile>,
    pub(super) items: Option<KeptFile>,
    /// By exhibit.
    pub(super) exhibits: BTreeMap<String, KeptFile>,
    /// By path in `inputs/`.
    pub(super) networks: BTreeMap<String, KeptFile>,
    pub(super) variants: BTreeMap<String, KeptFolder>,
    pub(super) notes: Option<KeptFile>,
}

impl NamedFiles {
    /// Reads all files but the notes. `place` returns a file's path from its name in the config and its path in `inputs/`.
    pub(super) fn read(tree: &Node, place: impl Fn(&str, &str) -> PathBuf, problems: &mut Problems) -> Self {
        let of_personas = |pool: &str, file: &str| place(file, &kept_personas(pool));
        let of_exhibit = |name: &str, file: &str| place(file, &kept_exhibit(name));
        Self {
            personas: persona_files(tree, of_personas, problems),
            items: items_file(tree, |file| place(file, KEPT_ITEMS), problems),
            exhibits: exhibits::read_exhibits(tree, of_exhibit, problems),
            networks: networks::read_networks(tree, |file| place(file, &kept_network(file)), problems),
            variants: variants::read_variants(tree, |id, folder| place(folder, &kept_prompts(id)), problems),
            notes: None,
        }
    }

    /// The files by their path in `inputs/`: the path to show, and the bytes.
    pub(super) fn files(&self) -> impl Iterator<Item = (String, (String, &[u8]))> {
        let personas = self.personas.iter().map(|(pool, file)| (kept_personas(pool), file));
        let exhibits = self.exhibits.iter().map(|(name, file)| (kept_exhibit(name), file));
        let networks = self.networks.iter().map(|(kept, file)| (kept.clone(), file));
        let one_each = [(KEPT_ITEMS, &self.items), (KEPT_NOTES, &self.notes)].into_iter();
        let one_each = one_each.filter_map(|(kept, file)| Some((kept.to_owned(), file.as_ref()?)));
        let single = personas.chain(exhibits).chain(networks).chain(one_each);
        let single = single.map(|(kept, file)| (kept, (file.shown.clone(), file.bytes.as_slice())));
        single.chain(variants::variant_files(&self.variants))
    }
}

/// Parses files of personas or edges, and keeps their keys. Files with problems are left out.
pub(super) fn parse_tables(
    files: &BTreeMap<String, KeptFile>,
    problems: &mut Problems,
) -> BTreeMap<String, PersonaFile> {
    let mut parse = |file: &KeptFile| personas::parse_persona_file(&file.bytes, &file.shown, problems);
    files.iter().filter_map(|(key, file)| Some((key.clone(), parse(file)?))).collect()
}

/// Reads the persona files that a config names. `place` returns the path of a pool's file.
fn persona_files(
    tree: &Node,
    place: impl Fn(&str, &str) -> PathBuf,
    problems: &mut Problems,
) -> BTreeMap<String, KeptFile> {
    let mut files = BTreeMap::new();
    for pool in tree.get(PERSONAS).map(Node::entries).unwrap_or_default() {
        // The type check reports entries of a wrong type.
        let Some(file) = pool.node.get("file").and_then(Node::as_text) else { continue };
        let read = read_named(&place(&pool.key, file), &format!("{PERSONAS}.{}.file", pool.key), tree);
        files.extend(problems.ok_or_report(read).map(|kept| (pool.key.clone(), kept)));
    }
    files
}

/// Reads the items file that a config names. `place` returns its path.
fn items_file(tree: &Node, place: impl Fn(&str) -> PathBuf, problems: &mut Problems) -> Option<KeptFile> {
    let file = tree.get("items").and_then(|items| items.get("file")).and_then(Node::as_text)?;
    problems.ok_or_report(read_named(&place(file), "items.file", tree))
}

fn read_named(path: &Path, key: &str, tree: &Node) -> Result<KeptFile, Problem> {
    let path = normalise_path(path);
    KeptFile::read(&path, PERSONAS_BYTES_MAX).map_err(|problem| {
        tree.problem(key, format!("{}: {}", problem.file, problem.message))
            .with_hint(path_suggestions::suggest_file(&path))
    })
}
