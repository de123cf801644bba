//! The layer table: a module uses only modules of lower layers.

use crate::source::{Source, Token, closing, tokens};

/// Each layer's modules, lowest first. `lib.rs` and `main.rs` stand above them all.
pub const LAYERS: [&[&str]; 13] = [
    &["domain"],
    &["builtin", "chance", "text"],
    &["choice", "expression", "mechanism", "figure", "memory", "question"],
    &["analysis", "prompt"],
    &["minds"],
    &["plan"],
    &["config", "engine"],
    &["ports"],
    &["session"],
    &["report", "store"],
    &["service"],
    &["serve"],
    &["cli"],
];

/// The layer of a top-level module; `None` when the table does not know it.
pub fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

/// Every reference that goes up or sideways, every module that the table does not know.
pub fn violations(source: &Source) -> Vec<String> {
    let module = source.module();
    let words = tokens(&source.shipped);
    let mut found = Vec::new();
    if let Some(own) = module.first()
        && layer(own).is_none()
    {
        found.push(format!("{}: `{own}` has no place in the layer table", source.path));
    }
    for (target, line) in references(&words, module.len()) {
        let verdict = match (module.first(), layer(&target)) {
            (_, None) => Some(format!("`{target}` has no place in the layer table")),
            (Some(own), Some(_)) if *own == target => None,
            (Some(own), Some(theirs)) => match layer(own) {
                Some(ours) if theirs >= ours => {
                    Some(format!("`{own}` (layer {ours}) may not use `{target}` (layer {theirs})"))
                }
                _ => None,
            },
            (None, Some(_)) => None,
        };
        if let Some(verdict) = verdict {
            found.push(format!("{}:{line}: {verdict}", source.path));
        }
    }
    found.extend(inline_modules(source, &words));
    found
}

/// The top-level modules that paths in a module of this depth name, with their lines.
fn references(words: &[Token], depth: usize) -> Vec<(String, usize)> {
    let text = |place: usize| words.get(place).map_or("", |t| t.text.as_str());
    let mut found = Vec::new();
    let mut place = 0;
    while place < words.len() {
        let starts = place == 0 || text(place - 1) != "::";
        let root = match text(place) {
            "crate" if text(place + 1) == "::" => Some(place + 2),
            "crate" if text(place + 1) == ")" => None,
            "crate" => {
                found.push(("crate".to_owned(), words[place].line));
                None
            }
            "ekklesia" if text(place + 1) == "::" => Some(place + 2),
            "super" if starts => {
                let supers = (0..).take_while(|n| text(place + 2 * n) == "super").count();
                place += 2 * (supers - 1);
                (supers >= depth && text(place + 1) == "::").then_some(place + 2)
            }
            _ => None,
        };
        if let Some(at) = root {
            heads(words, at, &mut found);
        }
        place += 1;
    }
    found
}

/// The first name of a path, or of each path of a group.
fn heads(words: &[Token], at: usize, found: &mut Vec<(String, usize)>) {
    let Some(first) = words.get(at) else { return };
    if first.text != "{" {
        found.push((first.text.clone(), first.line));
        return;
    }
    let end = closing(words, at);
    let mut place = at + 1;
    while place < end {
        heads(words, place, found);
        while place < end && words[place].text != "," {
            place = if words[place].text == "{" { closing(words, place) } else { place + 1 };
        }
        place += 1;
    }
}

/// Modules written inside a file; their paths would start a level deeper than this check assumes.
fn inline_modules(source: &Source, words: &[Token]) -> Vec<String> {
    let inline = words.windows(3).filter(|w| w[0].text == "mod" && w[2].text == "{");
    inline.map(|w| format!("{}:{}: give module `{}` a file of its own", source.path, w[1].line, w[1].text)).collect()
}

#[test]
fn a_reference_upward_or_sideways_is_caught_however_it_is_written() {
    for (path, code) in [
        ("src/domain/x.rs", "use crate::engine::Deliberation;"),
        ("src/domain/x.rs", "use crate::{domain::Seq, engine::{self, A}};"),
        ("src/domain/x.rs", "fn a() { super::super::engine::b() }"),
        ("src/domain/mod.rs", "use super::{domain::Seq, chance};"),
        ("src/prompt/mod.rs", "fn a(p: &crate::minds::Mind) {}"),
        ("src/report/mod.rs", "use crate::store::csv;"),
        ("src/ports.rs", "use super::session::A;"),
        ("src/engine/mod.rs", "use crate as whole;"),
        ("src/engine/mod.rs", "use crate::*;"),
        ("src/engine/mod.rs", "use ekklesia::cli::A;"),
        ("src/engine/mod.rs", "use crate::unheard_of::A;"),
        ("src/unheard_of/mod.rs", ""),
        ("src/main.rs", "use ekklesia::unheard_of;"),
        ("src/domain/x.rs", "mod inner { }"),
    ] {
        assert_eq!(violations(&Source::new(path, code)).len(), 1, "{path}: {code}");
    }
}
