//! The files that a config names: personas, items, exhibits, edges, prompts and notes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::reading::{KeptFile, normalise_path, read_file, shown_path};
use super::variants::KeptFolder;
use super::{exhibits, neighbour, networks, variants};
use crate::config::{
    KEPT_ITEMS, KEPT_NOTES, Node, PersonaFile, Problem, Problems, kept_exhibit, kept_network, kept_personas,
    kept_prompts,
};
use crate::store::personas;

/// The section of a config, and the folder among the inputs kept.
pub(super) const PERSONAS: &str = "personas";
/// A larger file of personas is taken for a slip.
const PERSONAS_BYTES_MAX: u64 = 20_000_000;

/// The files, as they were read.
#[derive(Debug, Clone)]
pub(super) struct NamedFiles {
    /// By the pool.
    personas: BTreeMap<String, KeptFile>,
    pub(super) items: Option<KeptFile>,
    /// By the exhibit's name.
    pub(super) exhibits: BTreeMap<String, KeptFile>,
    /// By where they are kept.
    pub(super) networks: BTreeMap<String, KeptFile>,
    pub(super) variants: BTreeMap<String, KeptFolder>,
    pub(super) notes: Option<KeptFile>,
}

impl NamedFiles {
    /// Reads all but the notes; `place` tells where a file is, by its name in the config and by where inputs keep it.
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

    /// Each by where it is kept in `inputs/`: how it is shown, and its bytes.
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

    /// The personas in them, by the pool.
    pub(super) fn persona_tables(&self, problems: &mut Problems) -> BTreeMap<String, PersonaFile> {
        let mut tables = BTreeMap::new();
        for (pool, file) in &self.personas {
            tables.extend(
                personas::parse_persona_file(&file.bytes, &file.shown, problems).map(|table| (pool.clone(), table)),
            );
        }
        tables
    }
}

/// Reads the files of personas that a config names; `place` tells where the file of a pool is.
fn persona_files(
    tree: &Node,
    place: impl Fn(&str, &str) -> PathBuf,
    problems: &mut Problems,
) -> BTreeMap<String, KeptFile> {
    let mut files = BTreeMap::new();
    for pool in tree.get(PERSONAS).map(Node::entries).unwrap_or_default() {
        // What is mistyped here is told when the config is given its types.
        let Some(file) = pool.node.get("file").and_then(Node::as_text) else { continue };
        let read = read_named(&place(&pool.key, file), &format!("{PERSONAS}.{}.file", pool.key), tree);
        files.extend(problems.ok_or_report(read).map(|kept| (pool.key.clone(), kept)));
    }
    files
}

/// Reads the file of items that a config names; `place` tells where it is.
fn items_file(tree: &Node, place: impl Fn(&str) -> PathBuf, problems: &mut Problems) -> Option<KeptFile> {
    let file = tree.get("items").and_then(|items| items.get("file")).and_then(Node::as_text)?;
    problems.ok_or_report(read_named(&place(file), "items.file", tree))
}

/// Reads the file that a key of the config names.
fn read_named(path: &Path, key: &str, tree: &Node) -> Result<KeptFile, Problem> {
    let (path, shown) = (normalise_path(path), shown_path(&normalise_path(path)));
    let bytes = read_file(&path, &shown, PERSONAS_BYTES_MAX).map_err(|problem| {
        tree.problem(key, format!("{}: {}", problem.file, problem.message)).with_hint(neighbour::suggest_file(&path))
    })?;
    Ok(KeptFile { shown, bytes })
}
