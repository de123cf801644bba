//! Finds what must not be read in a results folder: links that lead out of it, pipes and devices.
//!
//! A link may lead to files that are not meant for others. A pipe may block, and a device may never end. The folder itself may
//! be a link, and links within it may lead to other parts of it. This module reads only names.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::store::files::FileError;
use crate::store::places::{PACKS, is_pack_name, is_results_name, is_session_file};

/// Something in a results folder that must not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// Its path in the folder, with `/` between names.
    pub place: String,
    /// The reason.
    pub why: StrayReason,
}

/// Why something must not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrayReason {
    /// A link that leads out of the folder.
    LeadsOut,
    /// A link to something missing or inaccessible.
    LeadsNowhere,
    /// Neither a file nor a folder.
    NoFile,
}

impl fmt::Display for StrayReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StrayReason::LeadsOut => "this is a link that leads out of the folder; it is not followed",
            StrayReason::LeadsNowhere => "this is a link to nothing that can be read",
            StrayReason::NoFile => "this is a pipe or a device, not a file",
        })
    }
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.why)
    }
}

impl Stray {
    /// Whether a part of the folder is behind this stray or contains it. `part` is its path in the folder.
    pub fn blocks_part(&self, part: &str) -> bool {
        is_within(part, &self.place) || is_within(&self.place, part)
    }

    /// The error for a folder that contains this stray, with a remedy.
    pub fn to_file_error(&self, root: &Path) -> FileError {
        let way_out = match self.why {
            StrayReason::LeadsOut => ": put what it leads to in its place, or let the whole folder be a link",
            StrayReason::LeadsNowhere | StrayReason::NoFile => "",
        };
        FileError { path: root.join(&self.place), reason: format!("{}{way_out}", self.why) }
    }
}

/// All strays among the files and folders that runs write, sorted by path.
pub fn find_all_strays(root: &Path) -> Vec<Stray> {
    find_own_strays(root, |_| true)
}

/// The first stray among the folder's own files and inputs, and in one session.
pub fn in_the_way(root: &Path, session: &str) -> Option<Stray> {
    let mut found = find_own_strays(root, |name| name != "sessions");
    found.extend(find_strays_in(root, &format!("sessions/{session}")));
    found.into_iter().next()
}

/// The strays on the way to a part of the folder or, without any, in it. `part` is its path in the folder.
pub fn find_strays_in(root: &Path, part: &str) -> Vec<Stray> {
    if let Some(stray) = on_the_way(root, part) {
        return vec![stray];
    }
    let mut look = StraySearch { root, followed: BTreeSet::new(), found: Vec::new() };
    look.search_folder(&root.join(part), part);
    look.found.sort_by(|one, other| one.place.cmp(&other.place));
    look.found
}

/// The first stray on the path of a part; `None` if there is none or the part is missing.
pub fn on_the_way(root: &Path, part: &str) -> Option<Stray> {
    let mut place = String::new();
    part.split('/').find_map(|name| {
        place = child_path(&place, name);
        Some(Stray { place: place.clone(), why: stray_reason(&root.join(&place), root)? })
    })
}

/// The strays among the files and folders that runs write, if `is_wanted` accepts the top-level name.
fn find_own_strays(root: &Path, is_wanted: fn(&str) -> bool) -> Vec<Stray> {
    let mut names: Vec<String> = entry_names(root).filter(|name| is_results_name(name) && is_wanted(name)).collect();
    names.sort();
    names.iter().flat_map(|name| find_strays_in(root, name)).collect()
}

/// The names in a folder; empty if it is not a folder or cannot be listed.
fn entry_names(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned())
}

fn child_path(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Whether a path equals `folder` or lies in it.
fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether runs write or read a path. Any name in `sessions` may be a session. Other files beside a session's own, and hidden
/// files among the inputs, are never read.
fn is_looked_into(place: &str) -> bool {
    match place.split('/').collect::<Vec<_>>()[..] {
        ["sessions" | "failed", _, file, ..] => is_session_file(file),
        [PACKS, file, ..] => is_pack_name(file),
        ["inputs", .., name] => !name.starts_with('.'),
        _ => true,
    }
}

/// Why a path must not be read; `None` if it may be, or nothing is there.
fn stray_reason(path: &Path, root: &Path) -> Option<StrayReason> {
    let kind = fs::symlink_metadata(path).ok()?.file_type();
    if !kind.is_symlink() {
        return (!kind.is_file() && !kind.is_dir()).then_some(StrayReason::NoFile);
    }
    match (fs::canonicalize(path), fs::canonicalize(root)) {
        (Err(_), _) | (_, Err(_)) => Some(StrayReason::LeadsNowhere),
        (Ok(there), Ok(root)) if !there.starts_with(&root) => Some(StrayReason::LeadsOut),
        (Ok(there), Ok(_)) => (!there.is_file() && !there.is_dir()).then_some(StrayReason::NoFile),
    }
}

/// A recursive search.
struct StraySearch<'r> {
    /// The results folder.
    root: &'r Path,
    /// The folders that links led to, each searched once.
    followed: BTreeSet<PathBuf>,
    found: Vec<Stray>,
}

impl StraySearch<'_> {
    fn search_folder(&mut self, folder: &Path, place: &str) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            // Most entries are files, whose type costs no extra call.
            let Some(kind) = entry.file_type().ok().filter(|kind| !kind.is_file()) else { continue };
            let (path, place) = (entry.path(), child_path(place, &entry.file_name().to_string_lossy()));
            if !is_looked_into(&place) {
                continue;
            }
            if let Some(why) = stray_reason(&path, self.root) {
                self.found.push(Stray { place, why });
            } else if kind.is_dir() || self.follow_link(&path) {
                self.search_folder(&path, &place);
            }
        }
    }

    /// Whether a link leads to a folder that no link led to before.
    fn follow_link(&mut self, link: &Path) -> bool {
        fs::canonicalize(link).is_ok_and(|there| there.is_dir() && self.followed.insert(there))
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A folder with a stray in each of its parts, beside links that are none.
    fn strewn(place: &Path) -> PathBuf {
        let root = place.join("results");
        fs::create_dir_all(root.join("inputs/scenario")).unwrap();
        fs::create_dir_all(root.join("sessions/talk-r000002")).unwrap();
        fs::create_dir_all(root.join("kept/talk-r000003")).unwrap();
        fs::write(place.join("secret"), "").unwrap();
        symlink(place.join("secret"), root.join("plan.yaml")).unwrap();
        symlink("../../../secret", root.join("inputs/scenario/scenario.yaml")).unwrap();
        symlink(place, root.join("sessions/talk-r000001")).unwrap();
        symlink("nowhere", root.join("sessions/talk-r000002/run.json")).unwrap();
        symlink("../kept/talk-r000003", root.join("sessions/talk-r000003")).unwrap();
        symlink("/dev/null", root.join("kept/talk-r000003/minutes.jsonl")).unwrap();
        symlink("..", root.join("inputs/scenario/round")).unwrap();
        // What no run writes is nobody's business.
        symlink(place, root.join("notes")).unwrap();
        symlink(place, root.join("sessions/talk-r000002/notes")).unwrap();
        symlink("me@host.123", root.join("inputs/.#config.yaml")).unwrap();
        root
    }

    #[test]
    fn what_is_no_part_of_the_folder_is_found_wherever_it_lies_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let root = strewn(place.path());
        let out = "this is a link that leads out of the folder; it is not followed";
        let told: Vec<String> = find_all_strays(&root).iter().map(Stray::to_string).collect();
        let expected = [
            format!("inputs/scenario/round/scenario/scenario.yaml: {out}"),
            format!("inputs/scenario/scenario.yaml: {out}"),
            format!("plan.yaml: {out}"),
            format!("sessions/talk-r000001: {out}"),
            "sessions/talk-r000002/run.json: this is a link to nothing that can be read".to_owned(),
            format!("sessions/talk-r000003/minutes.jsonl: {out}"),
        ];
        assert_eq!(told, expected);
        let moved = place.path().join("moved");
        symlink(&root, &moved).unwrap();
        assert_eq!(find_all_strays(&moved), find_all_strays(&root), "the folder as a whole may be a link");
        assert!(std::process::Command::new("mkfifo").arg(root.join("experiment.json")).status().unwrap().success());
        assert_eq!(find_all_strays(&root)[0].to_string(), "experiment.json: this is a pipe or a device, not a file");
    }

    #[test]
    fn a_part_is_barred_by_what_lies_on_the_way_to_it_or_in_it() {
        let place = tempfile::tempdir().unwrap();
        let root = strewn(place.path());
        fs::remove_file(root.join("inputs/scenario/round")).unwrap();
        let of = |part: &str| find_strays_in(&root, part).into_iter().map(|stray| stray.place).next();
        assert_eq!(of("inputs").as_deref(), Some("inputs/scenario/scenario.yaml"));
        assert_eq!(of("sessions/talk-r000001/minutes.jsonl").as_deref(), Some("sessions/talk-r000001"));
        for inside in ["sessions/talk-r000009", "sessions/talk-r000002/minutes.jsonl", "inputs/scenario/none", "kept2"]
        {
            assert_eq!(of(inside), None, "{inside}");
        }
        let stray = &find_all_strays(&root)[0];
        assert!(
            stray.blocks_part("inputs")
                && stray.blocks_part("inputs/scenario/scenario.yaml")
                && !stray.blocks_part("inputs/config.yaml")
        );
        fs::remove_file(root.join("plan.yaml")).unwrap();
        fs::remove_file(root.join("inputs/scenario/scenario.yaml")).unwrap();
        assert_eq!(in_the_way(&root, "talk-r000009"), None, "other sessions are in nobody's way");
        assert_eq!(in_the_way(&root, "talk-r000001").unwrap().place, "sessions/talk-r000001");
    }
}
