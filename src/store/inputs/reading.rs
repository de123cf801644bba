//! Files that an author wrote, as they are read and named.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::config::Problem;
use crate::config::yaml;

pub(super) const SCENARIO_YAML: &str = "scenario.yaml";
/// What stands for a template that cannot be read.
pub(super) const UNREAD: &str = "-";
/// A larger file of any other kind is taken for a slip.
pub(super) const BYTES_MAX: u64 = yaml::BYTES_MAX as u64;

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeptFile {
    pub(super) shown: String,
    pub(super) bytes: Vec<u8>,
}

/// Reads a file that an author wrote; `shown` is its name in messages.
///
/// # Errors
/// When it is missing, no regular file, too large or cannot be read.
pub fn read_file(path: &Path, shown: &str, bytes_max: u64) -> Result<Vec<u8>, Problem> {
    let unread = |reason: std::io::Error| Problem::of_file(shown, in_words(&reason));
    let about = fs::metadata(path).map_err(unread)?;
    // A pipe would be waited for, and a device may never end.
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

/// The path with `/` between its parts, as messages show it on every system.
pub fn shown_path(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// The path without `x/..`, so that messages name a file by its shortest path.
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
    parts.iter().collect()
}
