//! The documents say what is true of the tree: invariants name tests, maps name folders, commands exist.

use std::collections::BTreeMap;

/// The tree as the documents see it: each file's text by its path from the root.
pub type Tree = BTreeMap<String, String>;

/// Words by which the tree would speak of a machine or a desk instead of itself. Written in halves, so that this file may hold them.
const FORBIDDEN: [&str; 8] = [
    concat!("/wo", "rk/"),
    concat!("/tmp", "/wt"),
    concat!("../sha", "red"),
    concat!("shared/", "design"),
    concat!("contract", ".md"),
    concat!("science", ".md"),
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
];

pub fn forbidden_words(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree {
        for (index, line) in text.lines().enumerate() {
            let words = FORBIDDEN.iter().filter(|word| line.contains(*word));
            found.extend(words.map(|word| format!("{path}:{}: `{word}` is not of this project", index + 1)));
        }
    }
    found
}

/// Why a test is left out of `cargo test`; the second sort is left out of the gate, too.
const SLOW: &str = "#[ignore = \"slow: `.ci/run` runs it\"]";
const SLOWEST: &str = "#[ignore = \"slowest: `.ci/full` runs it\"]";

/// Tests that are left out for another reason, by file and line.
pub fn ignored_otherwise(tree: &Tree) -> Vec<String> {
    let rust = tree.iter().filter(|(file, _)| file.ends_with(".rs"));
    let lines =
        rust.flat_map(|(file, text)| text.lines().enumerate().map(move |(place, line)| (file, place + 1, line.trim())));
    let is_wrong = |line: &str| line.starts_with("#[ignore") && ![SLOW, SLOWEST].contains(&line);
    lines.filter(|(.., line)| is_wrong(line)).map(|(file, line, text)| format!("{file}:{line}: {text}")).collect()
}

/// Invariants of the architecture, one a row of its table, that name no test, or one that does not exist or that the gate leaves
/// out.
pub fn unproved_invariants(architecture: &str, tree: &Tree) -> Vec<String> {
    let rows = table_rows(section(architecture, "Invariants"));
    if rows.is_empty() {
        return vec!["ARCHITECTURE.md: no table with rows under `## Invariants`".to_owned()];
    }
    let mut found = Vec::new();
    for row in rows {
        let tests: Vec<&str> = quoted(row).into_iter().filter(|name| name.contains(".rs::")).collect();
        if tests.is_empty() {
            found.push(format!("ARCHITECTURE.md: this invariant names no test: {row}"));
        }
        for test in tests {
            let (file, name) = (test.split("::").next().unwrap_or(test), test.rsplit("::").next().unwrap_or(test));
            let before =
                tree.get(file).and_then(|text| text.split_once(&format!("fn {name}("))).map(|(before, _)| before);
            match before {
                None => found.push(format!("ARCHITECTURE.md: there is no test `{test}`")),
                // Its attributes follow the last blank line.
                Some(before) if before.rsplit("\n\n").next().is_some_and(|own| own.contains(SLOWEST)) => {
                    found.push(format!("ARCHITECTURE.md: `.ci/run` does not run `{test}`"));
                }
                Some(_) => {}
            }
        }
    }
    found
}

/// Paths of the code map that do not exist, and top-level modules that it leaves out.
pub fn wrong_map(architecture: &str, tree: &Tree) -> Vec<String> {
    let map = section(architecture, "Code map");
    let named: Vec<&str> = quoted(map).into_iter().filter(|name| name.starts_with("src/")).collect();
    let exists = |path: &str| tree.keys().any(|file| file == path || (path.ends_with('/') && file.starts_with(path)));
    let missing = named.iter().filter(|path| !exists(path));
    let mut found: Vec<String> = missing.map(|path| format!("ARCHITECTURE.md: `{path}` is not there")).collect();
    for line in tree.get("src/lib.rs").map_or("", String::as_str).lines() {
        let Some(module) = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';')) else {
            continue;
        };
        if !named
            .iter()
            .any(|path| [format!("src/{module}/"), format!("src/{module}.rs")].contains(&(*path).to_owned()))
        {
            found.push(format!("ARCHITECTURE.md: the code map leaves out `{module}`"));
        }
    }
    found
}

/// Rows of the glossary's table that do not have its four columns.
pub fn ragged_rows(glossary: &str) -> Vec<String> {
    let rows: Vec<&str> = glossary.lines().filter(|line| line.starts_with('|')).collect();
    if rows.len() < 3 {
        return vec!["GLOSSARY.md: no table".to_owned()];
    }
    let ragged = rows.iter().filter(|row| row.trim_matches('|').replace("\\|", "").split('|').count() != 4);
    ragged.map(|row| format!("GLOSSARY.md: not four columns: {row}")).collect()
}

/// The verbs that a document's code blocks give to the program.
pub fn verbs(document: &str) -> Vec<String> {
    let calls = code_lines(document).filter_map(|line| {
        let line = line.trim_start_matches("$ ");
        line.strip_prefix("cargo run --release -- ").or_else(|| line.strip_prefix("ekklesia "))
    });
    let mut verbs: Vec<String> = calls.filter_map(|call| call.split_whitespace().next()).map(str::to_owned).collect();
    verbs.sort();
    verbs.dedup();
    verbs
}

/// Configs and scenarios that a document names and the tree does not hold.
pub fn missing_inputs(name: &str, document: &str, tree: &Tree) -> Vec<String> {
    let words = document.split(|c: char| c.is_whitespace() || "`()[]\"'".contains(c));
    let inputs = words.filter(|word| word.starts_with("configs/") && word.ends_with(".yaml"));
    let missing = inputs.filter(|path| !tree.contains_key(*path));
    missing.map(|path| format!("{name}: `{path}` is not there")).collect()
}

fn section<'a>(document: &'a str, title: &str) -> &'a str {
    let Some((_, rest)) = document.split_once(&format!("\n## {title}\n")) else {
        return "";
    };
    rest.split("\n## ").next().unwrap_or(rest)
}

/// The rows of a table, without its header and the line below it.
fn table_rows(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with('|')).skip(2).collect()
}

fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn code_lines(document: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    document.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        is_code && !is_fence
    })
}

#[cfg(test)]
fn tree(files: &[(&str, &str)]) -> Tree {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn a_forbidden_word_is_caught() {
    for word in FORBIDDEN {
        assert_eq!(forbidden_words(&tree(&[("a.md", &format!("see\nthe {word}x"))])).len(), 1);
    }
    assert_eq!(forbidden_words(&tree(&[("a.md", "see the work/ folder")])), Vec::<String>::new());
}

#[test]
fn an_invariant_without_its_test_is_caught() {
    let left_out = format!("#[test]\nfn it_is_quick() {{}}\n\n#[test]\n{SLOWEST}\nfn it_lasts() {{}}\n");
    let tree = tree(&[("tests/a.rs", "fn it_holds() {}"), ("tests/c.rs", &left_out)]);
    let head = "# A\n\n## Invariants\n\n| invariant | test |\n| --- | --- |\n";
    let document =
        |test: &str| format!("{head}| It holds | {test} |\n\n## Next\n\n| a | b |\n|---|---|\n| not | one |\n");
    assert_eq!(unproved_invariants(&document("`tests/a.rs::it_holds`"), &tree), Vec::<String>::new());
    assert_eq!(unproved_invariants(&document("`tests/a.rs::it_holds`, `tests/a.rs::it_fails`"), &tree).len(), 1);
    assert_eq!(unproved_invariants(&document("`tests/c.rs::it_is_quick`"), &tree), Vec::<String>::new());
    let others =
        ["`tests/a.rs::it_holds_not`", "`tests/b.rs::it_holds`", "`tests/a.rs::it_hold`", "`tests/c.rs::it_lasts`"];
    for test in ["", "`it_holds`"].into_iter().chain(others) {
        assert_eq!(unproved_invariants(&document(test), &tree).len(), 1, "{test}");
    }
    for empty in [head, "# A\n"] {
        assert_eq!(unproved_invariants(empty, &tree).len(), 1, "{empty}");
    }
}

#[test]
fn a_test_that_is_left_out_for_no_stated_reason_is_caught() {
    let stated = format!("{SLOW}\nfn a() {{}}\n    {SLOWEST}\nfn b() {{}}");
    assert_eq!(ignored_otherwise(&tree(&[("tests/a.rs", &stated)])), Vec::<String>::new());
    for other in ["#[ignore]", "#[ignore = \"slow\"]"] {
        assert_eq!(ignored_otherwise(&tree(&[("tests/a.rs", other)])).len(), 1, "{other}");
    }
}

#[test]
fn a_map_that_is_not_true_is_caught() {
    let tree = tree(&[("src/lib.rs", "pub mod a;\npub mod b;"), ("src/a/mod.rs", ""), ("src/b.rs", "")]);
    let document = |map: &str| format!("# A\n\n## Code map\n\n{map}\n");
    assert_eq!(wrong_map(&document("`src/a/` and `src/b.rs`"), &tree), Vec::<String>::new());
    assert_eq!(wrong_map(&document("`src/a/`"), &tree).len(), 1);
    assert_eq!(wrong_map(&document("`src/a/`, `src/b.rs`, `src/c/`"), &tree).len(), 1);
}
