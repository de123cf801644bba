//! Links in a results folder that lead out of it: what lies behind them is no part of the folder, and may be meant for nobody else.
//!
//! Nothing is read but the names of what lies there. A link within the folder, and one that leads nowhere, is none.

use std::fs;
use std::path::Path;

/// The links that lead out of a results folder, by their paths in it, sorted: among its own files, its inputs, and the sessions and
/// their files.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Strays(Vec<String>);

impl Strays {
    /// Those of a folder.
    pub fn of(root: &Path) -> Self {
        let Ok(real) = fs::canonicalize(root) else { return Self::default() };
        let mut found = Vec::new();
        look(root, &real, "", &mut found);
        found.sort();
        Self(found)
    }

    /// Their paths in the folder.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The first by which a file or folder, or a part of it, lies outside; `None` where all of it lies inside.
    pub fn at(&self, place: &str) -> Option<&str> {
        self.iter().find(|stray| is_within(place, stray) || is_within(stray, place))
    }
}

/// Whether a path is another, or lies in it.
fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Looks at what lies in a folder, and in its folders.
fn look(folder: &Path, root: &Path, name: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let own = entry.file_name().to_string_lossy().into_owned();
        let path = if name.is_empty() { own } else { format!("{name}/{own}") };
        if kind.is_symlink() {
            if fs::canonicalize(entry.path()).is_ok_and(|there| !there.starts_with(root)) {
                found.push(path);
            }
        } else if kind.is_dir() {
            look(&entry.path(), root, &path, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_found_wherever_it_lies_and_no_other() {
        use std::os::unix::fs::symlink;
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("results");
        fs::create_dir_all(root.join("inputs/scenario")).unwrap();
        fs::create_dir_all(root.join("sessions")).unwrap();
        fs::write(place.path().join("secret"), "").unwrap();
        symlink(place.path().join("secret"), root.join("plan.yaml")).unwrap();
        symlink("../../../secret", root.join("inputs/scenario/scenario.yaml")).unwrap();
        symlink(place.path(), root.join("sessions/talk-r000001")).unwrap();
        symlink("inputs", root.join("within")).unwrap();
        symlink("nowhere", root.join("broken")).unwrap();
        let strays = Strays::of(&root);
        let all = ["inputs/scenario/scenario.yaml", "plan.yaml", "sessions/talk-r000001"];
        assert_eq!(strays.iter().collect::<Vec<_>>(), all);
        assert_eq!(strays.at("inputs"), Some(all[0]), "a part of it lies outside");
        assert_eq!(strays.at("sessions/talk-r000001/minutes.jsonl"), Some(all[2]), "it lies behind the link");
        assert_eq!(strays.at("plan.yaml"), Some(all[1]));
        for inside in ["sessions/talk-r000001-w02", "inputs/scenario/scenario", "plan", "within", "inputs/config.yaml"]
        {
            assert_eq!(strays.at(inside), None, "{inside}");
        }
    }
}
