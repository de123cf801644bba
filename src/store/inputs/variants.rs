//! Reads prompt files: those in the scenario's folder, and the variant folders that a config names.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::folder::KeptFolder;
use super::path_suggestions;
use super::reading::{UNREAD, normalise_path, shown_path};
use crate::config::yaml;
use crate::config::{Node, Problems, Templates, Variant, kept_prompts, unread_prompts};

/// The section of a config, and the folder of variants in `inputs/`.
pub(super) const PROMPTS: &str = "prompts";

/// Reads the variant folders that a config names. `place` returns a folder's path.
pub(super) fn read_variants(
    tree: &Node,
    place: impl Fn(&str, &str) -> PathBuf,
    problems: &mut Problems,
) -> BTreeMap<String, KeptFolder> {
    let mut folders = BTreeMap::new();
    for entry in tree.get(PROMPTS).map(Node::entries).unwrap_or_default() {
        // The type check reports entries of a wrong type.
        let Some(named) = entry.node.as_text() else { continue };
        let path = normalise_path(&place(&entry.key, named));
        if !path.is_dir() {
            let reason = if path.exists() { "this is no folder" } else { "no such folder" };
            let problem = unread_prompts(tree, &entry.key, format!("{}: {reason}", shown_path(&path)));
            problems.push(problem.with_hint(path_suggestions::suggest_file(&path)));
            continue;
        }
        folders.insert(entry.key.clone(), KeptFolder::read(&path, problems));
    }
    folders
}

/// The files of the variants by their path in `inputs/`: the path to show, and the bytes.
pub(super) fn variant_files(folders: &BTreeMap<String, KeptFolder>) -> impl Iterator<Item = (String, (String, &[u8]))> {
    folders.iter().flat_map(|(id, folder)| {
        folder.files.iter().map(move |(name, bytes)| {
            (format!("{}/{name}", kept_prompts(id)), (format!("{}/{name}", folder.shown), bytes.as_slice()))
        })
    })
}

pub(super) fn parse_variants(
    folders: &BTreeMap<String, KeptFolder>,
    problems: &mut Problems,
) -> BTreeMap<String, Variant> {
    let mut variants = BTreeMap::new();
    for (id, KeptFolder { shown, files }) in folders {
        let files = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let templates = parse_templates(files, shown, problems);
        variants.insert(id.clone(), Variant { shown: shown.clone(), templates });
    }
    variants
}

/// Parses the templates of a scenario's folder.
pub(super) fn scenario_templates(KeptFolder { shown, files }: &KeptFolder, problems: &mut Problems) -> Templates {
    let own = files
        .iter()
        .filter_map(|(name, bytes)| Some((name.strip_prefix(PROMPTS)?.strip_prefix('/')?, bytes.as_slice())));
    parse_templates(own, &format!("{shown}/{PROMPTS}"), problems)
}

/// Decodes the files of the form `LANGUAGE/NAME.j2`.
fn parse_templates<'a>(
    files: impl Iterator<Item = (&'a str, &'a [u8])>,
    shown: &str,
    problems: &mut Problems,
) -> Templates {
    let mut templates = Templates::new();
    for (name, bytes) in files {
        let parts: Vec<&str> = name.split('/').collect();
        let [language, file] = parts[..] else { continue };
        let Some(template) = file.strip_suffix(".j2") else { continue };
        let shown = format!("{shown}/{name}");
        let text = problems.ok_or_report(yaml::decode_text(bytes, &shown));
        // An unreadable template is reported once: the placeholder prevents a second report that it is missing.
        let text = text.unwrap_or(UNREAD);
        let language = templates.entry(language.to_string()).or_default();
        language.insert(template.to_string(), text.replace("\r\n", "\n"));
    }
    templates
}
