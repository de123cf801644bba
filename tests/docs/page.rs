//! A page of Markdown as a list of fenced blocks, each with the comment that stands before it.
//!
//! It reads; it runs nothing.

use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The line of its opening fence, from 1.
    pub line: usize,
    /// The word behind the opening fence.
    pub language: String,
    /// What the comment directly before it says: `name: value` parts between semicolons.
    pub notes: Vec<(String, String)>,
    /// What stands between the fences.
    pub text: String,
    /// Whether nothing but blank lines is between the block before and this one.
    pub follows: bool,
}

impl Block {
    pub fn note(&self, name: &str) -> Option<&str> {
        self.notes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The fenced blocks of a page, in order.
///
/// # Errors
/// A fence that is indented or never closed, with its line.
pub fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut notes = Vec::new();
    let mut follows = false;
    let mut open: Option<Block> = None;
    for (index, line) in page.lines().enumerate() {
        let is_fence = line.starts_with("```");
        match open.as_mut() {
            Some(_) if is_fence => {
                blocks.extend(open.take());
                follows = true;
            }
            Some(block) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            None if is_fence => {
                let language = line.trim_start_matches('`').trim().to_owned();
                let notes = std::mem::take(&mut notes);
                open = Some(Block { line: index + 1, language, notes, text: String::new(), follows });
            }
            None if line.trim_start().starts_with("```") => {
                return Err(format!("line {}: an indented fence", index + 1));
            }
            None => {
                let comment = line.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
                notes = comment.map(read_notes).unwrap_or_default();
                follows &= line.trim().is_empty();
            }
        }
    }
    match open {
        Some(block) => Err(format!("line {}: a fence that is never closed", block.line)),
        None => Ok(blocks),
    }
}

fn read_notes(comment: &str) -> Vec<(String, String)> {
    let parts = comment.split(';').map(str::trim);
    let pair = |part: &str| {
        let (key, value) = part.split_once(':').or_else(|| part.split_once(' ')).unwrap_or((part, ""));
        (key.trim().to_owned(), value.trim().to_owned())
    };
    parts.map(pair).collect()
}

/// Every page whose commands and files must be true, by its path from the root.
pub fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![PathBuf::from("README.md")];
    let mut folders = vec![PathBuf::from("docs/src"), PathBuf::from("scenarios")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("a folder of the tree") {
            let path = folder.join(entry.expect("an entry").file_name());
            if root.join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

#[test]
fn a_fence_that_is_indented_or_open_is_refused() {
    assert!(blocks("- a\n  ```yaml\n  b\n  ```\n").is_err());
    assert!(blocks("```yaml\nb: 1\n").is_err());
}
