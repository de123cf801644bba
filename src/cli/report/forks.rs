//! Finds a fork's parent and the forks of a folder's sessions, in the folders beside the page's own.
//!
//! The digest of the minutes identifies a parent, whatever its folder is called. The search has limits and does not follow
//! links out of a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::source::PageSource;
use crate::domain::{Digest, Record};
use crate::plan::is_session_name;
use crate::report::page::Forked;
use crate::store::containment;
use crate::store::inputs::read_file;
use crate::store::results::{Parent, ResultsFolder};
use crate::text::truncate_text;

/// The most folders to search.
const SIBLINGS_MAX: usize = 1_000;
/// The most sessions to check in a folder: all of a fork have one parent.
const SESSIONS_MAX: usize = 8;
/// Larger minutes are not read.
const MINUTES_BYTES_MAX: u64 = 256_000_000;
/// Larger changes are not read.
const CHANGE_BYTES_MAX: u64 = 200_000;
/// The most characters of a change to show on its parent's page.
const CHANGE_CHARS: u32 = 300;

/// The forks of a folder's sessions, by session.
pub fn find_forks(source: &PageSource) -> BTreeMap<String, Vec<Forked>> {
    let mut forks: BTreeMap<String, Vec<Forked>> = BTreeMap::new();
    for folder in sibling_folders(source).unwrap_or_default() {
        let change = folder.join("inputs").join("change.yaml");
        if !change.is_file() {
            continue;
        }
        if ["inputs", "sessions"].iter().any(|part| !containment::find_strays_in(&folder, part).is_empty()) {
            continue;
        }
        let Ok(change) = read_file(&change, "", CHANGE_BYTES_MAX) else { continue };
        let Some(parent) = find_parent(&folder, source) else { continue };
        let name = folder.file_name().unwrap_or_default();
        forks.entry(parent.session).or_default().push(Forked {
            folder: name.to_string_lossy().into_owned(),
            change: shorten_change(&String::from_utf8_lossy(&change)),
        });
    }
    forks
}

/// The parent session of a fork's folder; `None` if it is not on this page.
fn find_parent(folder: &Path, source: &PageSource) -> Option<Parent> {
    let folder = ResultsFolder::open_unchecked(folder);
    let names = folder.session_names().ok()?;
    let own = names.iter().take(SESSIONS_MAX).filter(|name| is_session_name(name));
    let parent =
        own.filter_map(|name| folder.run_file(name)?.parent).find(|parent| is_session_name(&parent.session))?;
    if source.is_outside(&format!("sessions/{}", parent.session)) {
        return None;
    }
    let ours = source.folder.run_file(&parent.session)?;
    (ours.minutes_digest == parent.minutes_digest).then_some(parent)
}

/// A fork's parent.
pub struct ForkParent {
    /// Its results folder.
    pub root: PathBuf,
    /// Its records.
    pub records: Vec<Record>,
}

/// Finds a fork's parent and reads its records.
///
/// # Errors
/// The reason, as the end of a sentence that starts with the parent.
pub fn parent_records(source: &PageSource, parent: &Parent) -> Result<ForkParent, &'static str> {
    const NOWHERE: &str = "is in no folder beside this one";
    if !is_session_name(&parent.session) {
        return Err("has an invalid session name");
    }
    let siblings = sibling_folders(source).ok_or(NOWHERE)?;
    let mut is_large = false;
    let found = siblings.iter().find_map(|sibling| {
        let folder = ResultsFolder::open_unchecked(sibling);
        let is_outside = || !containment::find_strays_in(sibling, &format!("sessions/{}", parent.session)).is_empty();
        if is_outside() || !folder.has_session(&parent.session) {
            return None;
        }
        // `run.json` can rule a folder out without reading its minutes.
        if folder.run_file(&parent.session).is_some_and(|run| run.minutes_digest != parent.minutes_digest) {
            return None;
        }
        let minutes = folder.minutes(&parent.session);
        let is_too_large = minutes.is_file() && minutes.length().is_ok_and(|bytes| bytes > MINUTES_BYTES_MAX);
        is_large |= is_too_large;
        let bytes = if is_too_large { None } else { minutes.read_whole().ok() }?;
        (Digest::of(&bytes) == parent.minutes_digest).then(|| (sibling.clone(), bytes))
    });
    let why =
        if is_large { "is in no folder beside this one, or its minutes are too large for this page" } else { NOWHERE };
    let (root, minutes) = found.ok_or(why)?;
    let lines = minutes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let records: Result<Vec<Record>, _> = lines.map(serde_json::from_slice).collect();
    let records = records.map_err(|_| "holds a line that is not a record of this version")?;
    Ok(ForkParent { root, records })
}

/// The folders beside the page's own, by name.
fn sibling_folders(source: &PageSource) -> Option<Vec<PathBuf>> {
    let root = fs::canonicalize(source.folder.root()).ok()?;
    let entries = fs::read_dir(root.parent()?).ok()?.filter_map(Result::ok);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).filter(|path| *path != root).collect();
    folders.sort();
    folders.truncate(SIBLINGS_MAX);
    Some(folders)
}

/// The beginning of a change on one line, without comments.
fn shorten_change(change: &str) -> String {
    let lines = change.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut line = lines.collect::<Vec<_>>().join(" · ");
    truncate_text(&line, CHANGE_CHARS).apply(&mut line);
    line
}
