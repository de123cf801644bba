//! The files of edges that a config names: who hears whom.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::neighbour;
use super::reading::{BYTES_MAX, Kept, lexically, read_file, shown};
use crate::config::{Node, PersonaFile, Problem, Problems, kept_network, named_networks};
use crate::store::personas;

/// Reads every file of edges that a config names, by where it is kept; `place` tells where a file is.
pub(super) fn read(tree: &Node, place: impl Fn(&str) -> PathBuf, problems: &mut Problems) -> BTreeMap<String, Kept> {
    let mut files: BTreeMap<String, Kept> = BTreeMap::new();
    for (file, key) in named_networks(tree) {
        let Some(name) = file.as_text() else { continue };
        let path = lexically(&place(name));
        let shown = shown(&path);
        let told = |message: String| Problem::at(&file.place, &key, message);
        if let Some(known) = files.get(&kept_network(name)) {
            if known.shown != shown {
                let message =
                    format!("{shown} and {} would be kept under one name; give one of them another", known.shown);
                problems.push(told(message));
            }
            continue;
        }
        let bytes = read_file(&path, &shown, BYTES_MAX).map_err(|problem| {
            told(format!("{}: {}", problem.file, problem.message)).with_hint(neighbour::file(&path))
        });
        files.extend(problems.keep(bytes).map(|bytes| (kept_network(name), Kept { shown, bytes })));
    }
    files
}

/// What they hold.
pub(super) fn tables(files: &BTreeMap<String, Kept>, problems: &mut Problems) -> BTreeMap<String, PersonaFile> {
    let mut tables = BTreeMap::new();
    for (kept, file) in files {
        tables.extend(personas::read(&file.bytes, &file.shown, problems).map(|table| (kept.clone(), table)));
    }
    tables
}
