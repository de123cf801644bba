//! Links between the documents: every file and every heading that one names is there.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Links of a page that lead nowhere, and links out of the book, which only its sources could follow.
pub fn broken(page: &Path) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(page)).expect("a page can be read");
    let book = Path::new("docs/src");
    let mut found = Vec::new();
    for (line, target) in links(&text) {
        if target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
        let folder = page.parent().unwrap_or(Path::new(""));
        let path = if file.is_empty() { page.to_path_buf() } else { plain(&folder.join(file)) };
        let at = format!("{}:{line}: {target}", page.display());
        if !root.join(&path).exists() {
            found.push(format!("{at}: is not there"));
        } else if page.starts_with(book) && !path.starts_with(book) {
            found.push(format!("{at}: leads out of the book"));
        } else if !anchor.is_empty() {
            let linked = fs::read_to_string(root.join(&path)).unwrap_or_default();
            if !anchors(&linked).iter().any(|there| there == anchor) {
                found.push(format!("{at}: no such heading"));
            }
        }
    }
    found
}

/// The pages of the book in the order of its contents.
pub fn in_order() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src");
    let summary = fs::read_to_string(root.join("SUMMARY.md")).expect("the contents can be read");
    links(&summary).into_iter().map(|(_, target)| Path::new("docs/src").join(target)).collect()
}

/// Pages of the book that its contents leave out.
pub fn unlisted() -> Vec<String> {
    let listed = in_order();
    let pages = super::page::pages().into_iter().filter(|page| page.starts_with("docs/src"));
    let missing = pages.filter(|page| !page.ends_with("SUMMARY.md") && !listed.contains(page));
    missing.map(|page| format!("docs/src/SUMMARY.md leaves out {}", page.display())).collect()
}

/// Each link's line, from 1, and target; what is code is no link.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (index, line) in prose(text) {
        let plain: Vec<&str> = line.split('`').collect();
        // A link's words may hold code: what is between ticks goes, and the brackets stay.
        let plain: String = plain.into_iter().step_by(2).collect();
        let targets = plain.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        links.extend(targets.map(|target| (index, target.to_owned())));
    }
    links
}

/// The headings' anchors, as GitHub and mdBook make them: lower case, blanks to `-`, letters, digits, `-` and `_` kept.
fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for (_, line) in prose(text) {
        let Some(title) = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#')) else { continue };
        let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        let anchor: String = kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
        let same = anchors.iter().filter(|there| **there == anchor).count();
        anchors.push(if same == 0 { anchor } else { format!("{anchor}-{same}") });
    }
    anchors
}

/// The lines outside fences, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((index + 1, line))
    })
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

#[test]
fn links_and_anchors_are_found() {
    let text = "# The `a` b!\n[x](y.md#z) `[no](n.md)` and [`q`](#r)\n```text\n[no](n.md)\n```\n## --set\n## --set\n";
    assert_eq!(links(text), [(2, "y.md#z".to_owned()), (2, "#r".to_owned())]);
    assert_eq!(anchors(text), ["the-a-b", "--set", "--set-1"]);
}
