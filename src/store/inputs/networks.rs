//! Reads the edge files of a config's networks.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::path_suggestions;
use super::reading::{BYTES_MAX, KeptFile, normalise_path, shown_path};
use crate::config::{Node, Problem, Problems, kept_network, named_networks};

/// Reads every edge file that a config names, by path in `inputs/`. `place` returns a file's path.
pub(super) fn read_networks(
    tree: &Node,
    place: impl Fn(&str) -> PathBuf,
    problems: &mut Problems,
) -> BTreeMap<String, KeptFile> {
    let mut files: BTreeMap<String, KeptFile> = BTreeMap::new();
    for (file, key) in named_networks(tree) {
        let Some(name) = file.as_text() else { continue };
        let path = normalise_path(&place(name));
        let shown = shown_path(&path);
        let told = |message: String| Problem::at_place(&file.place, &key, message);
        if let Some(known) = files.get(&kept_network(name)) {
            if known.shown != shown {
                let message =
                    format!("{shown} and {} would be kept under one name; give one of them another", known.shown);
                problems.push(told(message));
            }
            continue;
        }
        let read = KeptFile::read(&path, BYTES_MAX).map_err(|problem| {
            told(format!("{}: {}", problem.file, problem.message)).with_hint(path_suggestions::suggest_file(&path))
        });
        files.extend(problems.ok_or_report(read).map(|read| (kept_network(name), read)));
    }
    files
}
