//! The house rules, as tests: layers, bans, sizes, and documents that are true of the tree.
//!
//! Each rule lives in its own file under `tests/tidy/`, with bad samples that it must catch.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "tidy/bans.rs"]
mod bans;
#[path = "tidy/docs.rs"]
mod docs;
#[path = "tidy/identity.rs"]
mod identity;
#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/sizes.rs"]
mod sizes;
#[path = "tidy/source.rs"]
mod source;

use docs::Tree;
use source::Source;

#[test]
fn every_module_uses_only_lower_layers() {
    assert_tidy(rust_files("src/").iter().flat_map(layers::violations).collect());
}

#[test]
fn nothing_banned_is_written() {
    assert_tidy(rust_files("src/").iter().flat_map(bans::violations).collect());
}

#[test]
fn a_new_memory_policy_is_a_file_and_a_variant() {
    assert_tidy(rust_files("src/").iter().flat_map(bans::named_policies).collect());
}

#[test]
fn every_file_is_named_after_what_it_holds() {
    assert_tidy(rust_files("").iter().flat_map(bans::empty_names).collect());
}

#[test]
fn files_and_functions_can_be_read_in_one_sitting() {
    assert_tidy(rust_files("").iter().flat_map(sizes::violations).collect());
}

#[test]
fn the_tree_speaks_of_itself_alone() {
    assert_tidy(docs::forbidden_words(&tree()));
}

#[test]
fn every_invariant_names_a_test_that_exists() {
    let tree = tree();
    assert_tidy(docs::unproved_invariants(&tree["ARCHITECTURE.md"], &tree));
}

#[test]
fn tests_are_left_out_only_because_they_are_slow() {
    assert_tidy(docs::ignored_otherwise(&tree()));
}

#[test]
fn the_code_map_is_true() {
    let tree = tree();
    assert_tidy(docs::wrong_map(&tree["ARCHITECTURE.md"], &tree));
}

#[test]
fn the_glossary_has_four_columns() {
    assert_tidy(docs::ragged_rows(&tree()["GLOSSARY.md"]));
}

#[test]
fn the_commands_of_the_readme_exist() {
    let tree = tree();
    let readme = &tree["README.md"];
    let mut found = docs::missing_inputs("README.md", readme, &tree);
    let verbs = docs::verbs(readme);
    assert_ne!(verbs, Vec::<String>::new(), "README.md names no command");
    for verb in verbs {
        let asked = Command::new(env!("CARGO_BIN_EXE_ekklesia")).args([verb.as_str(), "--help"]).output();
        if !asked.is_ok_and(|output| output.status.success()) {
            found.push(format!("README.md: there is no command `{verb}`"));
        }
    }
    assert_tidy(found);
}

#[test]
fn version_and_repository_agree_with_the_manifest() {
    let (version, repository) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_REPOSITORY"));
    let tree = tree();
    let mut found = identity::foreign_addresses(&tree, repository);
    found.extend(identity::missing_in_citation(&tree["CITATION.cff"], version, repository));
    assert_tidy(found);
}

#[track_caller]
fn assert_tidy(violations: Vec<String>) {
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

/// Every Rust file under a folder of the root.
fn rust_files(folder: &str) -> Vec<Source> {
    let files = tree().into_iter().filter(|(path, _)| path.starts_with(folder) && path.ends_with(".rs"));
    let files: Vec<Source> = files.map(|(path, text)| Source::new(&path, &text)).collect();
    assert_ne!(files.len(), 0, "no Rust file under `{folder}`");
    files
}

/// Every text file of the tree, without what is built, what is run and what git keeps for itself.
fn tree() -> Tree {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tree = Tree::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(root.join(&folder)).expect("a folder of the tree can be listed");
        for entry in entries {
            let entry = entry.expect("an entry of the tree can be read");
            let name = entry.file_name();
            let path = folder.join(&name);
            if name == *".git" {
                continue;
            }
            if entry.file_type().expect("an entry has a type").is_dir() {
                let is_ours = ![Path::new("target"), Path::new("results")].contains(&path.as_path());
                if is_ours {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(root.join(&path)) {
                tree.insert(path.to_string_lossy().replace('\\', "/"), text);
            }
        }
    }
    tree
}
