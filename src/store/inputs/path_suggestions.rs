//! Suggests the existing file or folder whose name is nearest to a missing one.

use std::fs;
use std::path::{Path, PathBuf};

use super::folder::ENTRIES_MAX;
use super::reading::SCENARIO_YAML;
use crate::builtin;
use crate::config::{Node, Problems};
use crate::text::nearest_word;

/// Suggests a correction for a missing scenario folder. `beside` resolves a path relative to the config.
pub(super) fn suggest_scenario(named: &str, beside: impl Fn(&str) -> PathBuf) -> Option<String> {
    let is_scenario = |folder: &str| beside(folder).join("scenario.yaml").is_file();
    if named.contains('\\') {
        let named = named.replace('\\', "/");
        let folder = named.strip_suffix("/scenario.yaml").unwrap_or(&named);
        let folder = if is_scenario(folder) { Some(folder.to_string()) } else { find_scenario_folder(folder, &beside) };
        return Some(match folder {
            Some(folder) => format!("write / between the names of folders: {folder}"),
            None => "write / between the names of folders, on every system".to_string(),
        });
    }
    let elsewhere = || {
        let ends = named.trim_end_matches('/').match_indices('/').map(|(at, _)| &named[at + 1..]);
        let ends: Vec<&str> = std::iter::once(named).chain(ends).filter(|end| !end.is_empty()).collect();
        let homes = ["", "../", "scenarios/", "../scenarios/", "../../"];
        let mut places = homes.iter().flat_map(|home| ends.iter().map(move |end| format!("{home}{end}")));
        places.find(|place| !place.starts_with('/') && is_scenario(place))
    };
    let built_in = || {
        let last = named.trim_end_matches('/').rsplit('/').next()?;
        builtin::scenario_names().contains(&last).then(|| format!("{}{last}", builtin::PREFIX))
    };
    find_scenario_folder(named, &beside)
        .or_else(elsewhere)
        .or_else(built_in)
        .map(|near| format!("did you mean \"{near}\"?"))
}

/// Finds the scenario folder that is probably meant, spelt like the author's path. `beside` resolves it from the config.
fn find_scenario_folder(named: &str, beside: impl Fn(&str) -> PathBuf) -> Option<String> {
    let mut meant = String::new();
    for (position, segment) in named.trim_end_matches('/').split('/').enumerate() {
        let holder = if meant.is_empty() { "." } else { meant.as_str() };
        let joined = if position > 0 { format!("{meant}/{segment}") } else { segment.to_string() };
        let is_there = segment.is_empty() || beside(&joined).is_dir();
        // A path to a file in the folder means the folder.
        if !is_there && beside(&joined).is_file() {
            break;
        }
        meant = match (is_there, position) {
            (true, _) => joined,
            (false, 0) => folder_near(segment, &beside(holder))?,
            (false, _) => format!("{meant}/{}", folder_near(segment, &beside(&format!("{meant}/")))?),
        };
    }
    beside(&meant).join(SCENARIO_YAML).is_file().then_some(meant)
}

/// The problem of an existing folder without a scenario; empty if it has one.
pub(super) fn find_missing_scenario(folder: &Path, config: &Node) -> Problems {
    if folder.join(SCENARIO_YAML).exists() {
        return Problems::default();
    }
    let named = config.get("scenario").and_then(Node::as_text).unwrap_or_default().trim_end_matches('/');
    let within: Vec<String> = folder_names(folder)
        .into_iter()
        .filter(|name| folder.join(name).join(SCENARIO_YAML).is_file())
        .map(|name| format!("{named}/{name}"))
        .collect();
    let message = format!("this folder is no scenario: it has no {SCENARIO_YAML}");
    let hint = (!within.is_empty()).then(|| format!("scenarios in it: {}", within.join(", ")));
    Problems::from(config.problem("scenario", message).with_hint(hint))
}

/// The names of the folders in a folder, sorted; incomplete for a huge folder.
fn folder_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().take(ENTRIES_MAX).filter_map(Result::ok);
    let within = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = within.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The folder in `folder` with the nearest name.
fn folder_near(name: &str, folder: &Path) -> Option<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    nearest_word(name, folder_names(folder).iter().map(String::as_str)).map(str::to_string)
}

/// A hint with the nearest file name beside a missing file. `path` is the missing file's path.
pub(super) fn suggest_file(path: &Path) -> Option<String> {
    if path.exists() {
        return None;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok).filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let near = nearest_word(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(format!("did you mean \"{near}\", which is beside it?"))
}
