//! Gathers the provenance of the numbers: call records, `experiment.json`, and the files of the design.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::source::{PageSession, PageSource};
use crate::cli::served_models;
use crate::report::page::{ModelAnswered, Provenance};
use crate::report::{counted, cover_secrets_in_lines, size};
use crate::store::calls::read_failed_attempts;
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::read_file;

/// Files to show, besides prompts.
const FILES: [&str; 5] =
    ["methods.md", "plan.yaml", "inputs/config.yaml", "inputs/overrides.yaml", "inputs/change.yaml"];
/// Folders of prompts to show.
const PROMPTS: [&str; 2] = ["inputs/scenario/prompts", "inputs/prompts"];
/// Longer files are cut to this many bytes.
const FILE_BYTES: usize = 200_000;
/// Larger files are not read.
const READ_BYTES_MAX: u64 = 20_000_000;
/// The most bytes of prompts in one text; the other files are counted.
const PROMPTS_BYTES: usize = 200_000;

/// Gathers the provenance. Leaves out files that cannot be read.
pub fn gather_provenance(source: &PageSource) -> Provenance {
    let folder = &source.folder;
    let planned = || {
        source.sessions_inside().filter_map(|session| match session {
            PageSession::Planned(planned) => Some(planned),
            PageSession::Folder(_) => None,
        })
    };
    let mut versions = BTreeMap::<String, u64>::new();
    for run in source.sessions_inside().filter_map(|session| folder.run_file(&session.name())) {
        *versions.entry(run.ekklesia).or_default() += 1;
    }
    let (mut again, mut unread) = (Vec::new(), Vec::new());
    for planned in planned().filter(|session| !session.arm.is_simulated()) {
        let session = planned.name();
        let calls = folder.calls(&session);
        // A complete session that asked models has a call record, unless it was lost.
        if !calls.exists() && folder.is_complete(&session, &planned.plan().digest) {
            unread.push((session, source.strip_root(&format!("{}: missing", calls.display()))));
            continue;
        }
        match read_failed_attempts(&calls) {
            Ok(ended) if ended.is_empty() => {}
            Ok(ended) => {
                let endings = ended
                    .into_iter()
                    .map(|attempt| source.strip_root(&format!("{}: {}", attempt.fault, attempt.stopped)));
                again.push((session, endings.collect()));
            }
            Err(error) => unread.push((session, source.strip_root(&error.to_string()))),
        }
    }
    let models = served_models::count_served(folder, planned().cloned()).into_iter().map(|served| ModelAnswered {
        asked: served.asked,
        answered: served.model,
        fingerprint: served.fingerprint,
        answers: served.answers,
    });
    let frozen = (!source.is_outside("experiment.json")).then(|| FrozenDesign::read(folder.root())).flatten();
    let mut files: Vec<(String, String)> =
        FILES.iter().filter_map(|name| Some(((*name).to_owned(), read_shown_file(source, name)?))).collect();
    files.extend(read_prompts(source));
    Provenance {
        models: models.collect(),
        retried: again,
        unread,
        deviations: frozen.map(|frozen| frozen.deviations),
        versions: versions.into_iter().collect(),
        files,
    }
}

/// Reads a file to show. Hides keys and passwords in YAML.
fn read_shown_file(source: &PageSource, name: &str) -> Option<String> {
    let text = read_text(source, name)?;
    Some(if name.ends_with(".yaml") { cover_secrets_in_lines(&text).join("\n") } else { text })
}

/// Reads a file; `None` if it is missing, lies outside the folder or is not text.
fn read_text(source: &PageSource, name: &str) -> Option<String> {
    let path = (!source.is_outside(name)).then(|| source.folder.root().join(name))?;
    let mut text = String::from_utf8(read_file(&path, name, READ_BYTES_MAX).ok()?).ok()?;
    if text.len() > FILE_BYTES {
        let cut = (0..=FILE_BYTES).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0);
        let left = size((text.len() - cut) as u64);
        text.truncate(cut);
        text.push_str(&format!("\n… {left} more in {name}"));
    }
    Some(text)
}

/// Reads the prompts, one text per folder. Includes languages that no session uses.
fn read_prompts(source: &PageSource) -> Vec<(String, String)> {
    let root = source.folder.root();
    let mut all = Vec::new();
    let own = PROMPTS.iter().filter(|folder| !source.is_outside(folder));
    for folder in own.flat_map(|folder| list_folders(root, folder)) {
        let mut text_of_all = String::new();
        let names = list_entries(&root.join(&folder), fs::FileType::is_file);
        let mut left_out = 0;
        for name in names {
            match read_text(source, &format!("{folder}/{name}")) {
                Some(prompt) if text_of_all.len() + prompt.len() <= PROMPTS_BYTES => {
                    text_of_all.push_str(&format!("==> {name} <==\n{}\n\n", prompt.trim_end()));
                }
                _ => left_out += 1,
            }
        }
        if left_out > 0 {
            text_of_all.push_str(&format!("… {} more in {folder}\n", counted(left_out, "file")));
        }
        if !text_of_all.is_empty() {
            all.push((format!("Prompts: {folder}"), text_of_all));
        }
    }
    all
}

/// A folder and all folders in it, as paths in the results folder, sorted.
fn list_folders(root: &Path, folder: &str) -> Vec<String> {
    let mut all = Vec::new();
    if root.join(folder).is_dir() {
        all.push(folder.to_owned());
        for name in list_entries(&root.join(folder), fs::FileType::is_dir) {
            all.extend(list_folders(root, &format!("{folder}/{name}")));
        }
    }
    all
}

/// The names of a folder's entries of one kind, sorted.
fn list_entries(folder: &Path, is_kind: fn(&fs::FileType) -> bool) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let those = entries.filter(|entry| entry.file_type().is_ok_and(|kind| is_kind(&kind)));
    let mut names: Vec<String> = those.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
