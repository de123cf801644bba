//! Reads all files of an input folder, and keeps the copy in `inputs/` in step with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::reading::{BYTES_MAX, in_words, read_file, shown_path};
use crate::config::{Problem, Problems};
use crate::store::files::{FileError, file_error, write_whole};

/// The limit on files and folders in a scenario's folder.
pub(super) const ENTRIES_MAX: usize = 1_000;

/// A folder as it was read: the path to show, and its files by their paths in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeptFolder {
    pub(super) shown: String,
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

impl KeptFolder {
    /// Reads all files below a folder. Stops with a problem at too many files.
    pub(super) fn read(folder: &Path, problems: &mut Problems) -> Self {
        let (shown, mut files, mut left) = (shown_path(folder), BTreeMap::new(), ENTRIES_MAX);
        if !read_some(folder, "", &mut files, problems, &mut left) {
            problems.push(Problem::of_file(&shown, format!("more than {ENTRIES_MAX} files in a scenario")));
        }
        Self { shown, files }
    }
}

/// Reads the files below a folder until `left` is used up; false if it was.
fn read_some(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, Vec<u8>>,
    problems: &mut Problems,
    left: &mut usize,
) -> bool {
    let unread = |reason: std::io::Error| Problem::of_file(&shown_path(folder), in_words(&reason));
    let Some(entries) = problems.ok_or_report(fs::read_dir(folder).map_err(unread)) else { return true };
    for entry in entries {
        let Some(entry) = problems.ok_or_report(entry.map_err(unread)) else { return true };
        let path = entry.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Problem::of_file(&shown_path(&path), "the file's name is not UTF-8"));
        let Some(name) = problems.ok_or_report(name).filter(|name| !name.starts_with('.')) else { continue };
        let name = format!("{prefix}{name}");
        let Some(fewer) = left.checked_sub(1) else { return false };
        *left = fewer;
        if path.is_dir() {
            if !read_some(&path, &format!("{name}/"), files, problems, left) {
                return false;
            }
        } else {
            files.extend(
                problems.ok_or_report(read_file(&path, &shown_path(&path), BYTES_MAX)).map(|bytes| (name, bytes)),
            );
        }
    }
    true
}

/// Removes kept files that are no longer inputs; otherwise, later runs would read them.
pub(super) fn forget_others(folder: &Path, is_kept: impl Fn(&str) -> bool) -> Result<(), FileError> {
    if !folder.exists() {
        return Ok(());
    }
    let mut problems = Problems::default();
    let found = KeptFolder::read(folder, &mut problems).files;
    if let Some(problem) = problems.iter().next() {
        return Err(FileError { path: folder.to_path_buf(), reason: problem.message.clone() });
    }
    for name in found.keys().filter(|name| !is_kept(name)) {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|error| file_error(&path, &error))?;
    }
    Ok(())
}

/// Writes a file if its bytes differ.
pub(super) fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    write_whole(path, bytes)
}
