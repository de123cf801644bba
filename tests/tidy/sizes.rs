//! A file is one noun and can be read in one sitting; a function fits a screen.

use crate::source::{Source, closing, tokens};

/// Lines of a file at the most.
pub const FILE_LINES_MAX: usize = 800;
/// Lines of a function at the most, from `fn` to its closing brace.
pub const FUNCTION_LINES_MAX: usize = 90;

/// Files and functions that are too long, and files that do not say what they are.
pub fn violations(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let lines = source.raw.lines().count();
    if lines > FILE_LINES_MAX {
        found.push(format!("{}: {lines} lines; {FILE_LINES_MAX} at the most", source.path));
    }
    if !source.raw.starts_with("//!") {
        found.push(format!("{}: begins without `//!` and what it is", source.path));
    }
    for (name, line, length) in functions(source) {
        if length > FUNCTION_LINES_MAX {
            let path = &source.path;
            found.push(format!("{path}:{line}: `{name}` has {length} lines; {FUNCTION_LINES_MAX} at the most"));
        }
    }
    found
}

/// Every function with a body: its name, its line, its length in lines.
fn functions(source: &Source) -> Vec<(String, usize, usize)> {
    let words = tokens(&source.code);
    let mut found = Vec::new();
    for place in 0..words.len().saturating_sub(1) {
        let name = &words[place + 1].text;
        if words[place].text != "fn" || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            continue;
        }
        let mut at = place + 2;
        while let Some(token) = words.get(at) {
            match token.text.as_str() {
                "(" | "[" => at = closing(&words, at),
                "{" => {
                    let end = words.get(closing(&words, at)).map_or(usize::MAX, |t| t.line);
                    found.push((name.clone(), words[place].line, end - words[place].line + 1));
                    break;
                }
                ";" => break,
                _ => {}
            }
            at += 1;
        }
    }
    found
}

#[test]
fn what_is_too_long_or_says_nothing_is_caught() {
    let body = "\n    b();".repeat(FUNCTION_LINES_MAX - 1);
    let long = Source::new("src/x.rs", &format!("//! A sample.\nfn a() {{{body}\n}}"));
    assert_eq!(violations(&long).len(), 1);
    let fitting = Source::new("src/x.rs", &format!("//! A sample.\nfn a() {{{}\n}}", &body[..body.len() - 9]));
    assert_eq!(violations(&fitting), Vec::<String>::new());
    assert_eq!(violations(&Source::new("src/x.rs", "fn a() {}")).len(), 1);
    assert_eq!(violations(&Source::new("src/x.rs", &"//! A sample.\n".repeat(FILE_LINES_MAX + 1))).len(), 1);
}
