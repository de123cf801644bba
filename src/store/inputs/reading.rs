//! Reads the files that an author wrote, and formats their paths for messages.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::config::Problem;
use crate::config::yaml;

pub(super) const SCENARIO_YAML: &str = "scenario.yaml";
/// The placeholder for an unreadable template.
pub(super) const UNREAD: &str = "-";
/// The size limit of all files except personas and items, in bytes.
pub(super) const BYTES_MAX: u64 = yaml::BYTES_MAX as u64;

/// A file as it was read, with the path to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeptFile {
    pub(super) shown: String,
    pub(super) bytes: Vec<u8>,
}

impl KeptFile {
    /// Reads a file, as [`read_file`] does.
    pub(super) fn read(path: &Path, bytes_max: u64) -> Result<Self, Problem> {
        let shown = shown_path(path);
        Ok(Self { bytes: read_file(path, &shown, bytes_max)?, shown })
    }
}

/// Reads a file that an author wrote. `shown` is its path in messages.
///
/// # Errors
/// When the file is missing, not a regular file, too large, or cannot be read.
pub fn read_file(path: &Path, shown: &str, bytes_max: u64) -> Result<Vec<u8>, Problem> {
    let unread = |reason: std::io::Error| Problem::of_file(shown, in_words(&reason));
    let about = fs::metadata(path).map_err(unread)?;
    // A pipe may block, and a device may never end.
    if !about.is_file() && !about.is_dir() {
        return Err(Problem::of_file(shown, "this is a pipe or a device, not a file".to_string()));
    }
    if about.len() > bytes_max {
        return Err(Problem::of_file(shown, format!("larger than {bytes_max} bytes")));
    }
    fs::read(path).map_err(unread)
}

pub(super) fn in_words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_string(),
        std::io::ErrorKind::IsADirectory => "this is a folder, not a file".to_string(),
        _ => error.to_string(),
    }
}

/// The path with `/` as separator on every system, for messages.
pub fn shown_path(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Removes `.` and `x/..` from a path, so that messages name the shortest path; `.` is left of a path to where it begins.
pub fn normalise_path(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    match parts.is_empty() && !path.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => parts.iter().collect(),
    }
}
