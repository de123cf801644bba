//! The words of a structural mistake: what was expected, what was found, what was probably meant.

use super::declared::Declared;
use super::tree::{Entry, Node, Value};
use super::walker::join;
use super::{Problem, Problems, suggest};

/// Sections in which another framework keeps what stands under `memory` and `discussion` here.
const OLDER_SECTIONS: [&str; 2] = ["phase2_settings", "memory_management"];
/// Keys of that framework that have another name here.
const OLDER_KEYS: [(&str, &str); 4] = [
    ("constraint_tolerance", "decision.amount_tolerance"),
    ("min_statement_length", "discussion.statement_min_length"),
    ("min_statement_length_cjk", "discussion.statement_min_length"),
    ("reasoning_enabled", "discussion.private_reasoning"),
];

/// The types that are taken, in words.
pub fn expected(types: &[&str]) -> String {
    match types {
        ["string"] => "text",
        ["integer"] => "a whole number",
        ["number"] => "a number",
        ["boolean"] => "true or false",
        ["array"] => "a list",
        ["object"] => "a mapping",
        ["string", "number"] => "a text or a number",
        ["string", "number", "boolean"] => "a text, a number, true or false",
        ["array", "object"] => "a list, or a mapping of labels to values",
        _ => "something else",
    }
    .to_string()
}

/// A value, in words.
pub fn found(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => format!("the text {text:?}"),
        Value::List(_) => "a list".to_string(),
        Value::Map(_) => "a mapping".to_string(),
    }
}

/// One of several forms of a value, in words.
pub fn form(declared: Declared) -> String {
    let types: Vec<&str> = declared.types().collect();
    match declared.required()[..] {
        [key] => format!("{{ {key}: {} }}", example(declared.property(key))),
        _ => expected(&types),
    }
}

/// A word with the settings that it needs.
pub fn with_settings(word: &str, settings: Declared) -> String {
    format!("{{ {word}: {} }}", example(Some(settings)))
}

fn example(declared: Option<Declared>) -> String {
    let Some(declared) = declared else { return "…".to_string() };
    if let Some(length) = declared.length() {
        return format!("[{}]", vec!["…"; length].join(", "));
    }
    if !declared.types().any(|kind| kind == "object") {
        return "…".to_string();
    }
    let keys: Vec<String> = declared.required().iter().map(|key| format!("{key}: …")).collect();
    if keys.is_empty() { "{}".to_string() } else { format!("{{ {} }}", keys.join(", ")) }
}

/// What is wrong with a number, if anything is.
pub fn outside(declared: Declared, number: f64) -> Option<String> {
    let (least, greatest) = (declared.bound("minimum"), declared.bound("maximum"));
    if let Some(least) = declared.bound("exclusiveMinimum")
        && number <= least
    {
        return Some(format!("{number} is not more than {least}"));
    }
    // The width of a number is no range that an author had in mind.
    let meant = greatest.filter(|greatest| *greatest != f64::from(u32::MAX));
    match (least, greatest) {
        (Some(least), _) if number < least => Some(match meant {
            Some(greatest) => format!("{number} is outside {least} … {greatest}"),
            None => format!("{number} is less than {least}"),
        }),
        (_, Some(greatest)) if number > greatest => Some(match least {
            Some(least) if meant.is_some() => format!("{number} is outside {least} … {greatest}"),
            _ => format!("{number} is more than {greatest}"),
        }),
        _ => None,
    }
}

/// How to write a value of the type that is wanted.
pub fn wrong_type(types: &[&str], declared: Declared, node: &Node, path: &str) -> Option<String> {
    let hint = match (types, &node.value) {
        (["string"], Value::Int(_) | Value::Real(_) | Value::Bool(_)) => "put it in quotes".to_string(),
        (["integer" | "number"], Value::Text(text)) if text.trim().parse::<f64>().is_ok() => {
            "leave the quotes out".to_string()
        }
        (["boolean"], Value::Text(text)) => match text.to_lowercase().as_str() {
            "yes" | "on" | "y" | "true" => "write true".to_string(),
            "no" | "off" | "n" | "false" => "write false".to_string(),
            _ => return None,
        },
        (["array"], Value::Text(text)) if declared.item(0).is_some_and(|item| !item.types().any(|t| t == "object")) => {
            format!("write [{text}]")
        }
        (["array"], Value::Map(_)) if declared.item(0).is_some_and(|item| item.types().any(|t| t == "object")) => {
            "begin each item with `- `".to_string()
        }
        (["object"], Value::List(_)) if path == "design.factors" => {
            "write factors: { NAME: { key: decision.rule, levels: [majority, unanimity] } }".to_string()
        }
        (["object"], Value::List(_)) if path.starts_with("design.factors.") => {
            "write { key: decision.rule, levels: [majority, unanimity] }".to_string()
        }
        (["object"], Value::List(_)) if declared.of_any_key().is_some() => {
            "write NAME: value, without `- `".to_string()
        }
        _ => return None,
    };
    Some(hint)
}

/// The known word that is surely meant; `None` when none comes near enough.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    let distance = |candidate: &str| strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
    let nearest = known.iter().map(|candidate| (distance(candidate), *candidate)).min();
    nearest.filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count() / 4).map(|(_, nearest)| nearest)
}

/// What was probably meant by an unknown key under a path: a key that is near and stands here, the same key elsewhere, or
/// what may stand here.
pub fn unknown_key(whole: Declared, here: Declared, path: &str, key: &str) -> Option<String> {
    let keys = here.keys();
    if nearest(key, &keys).is_some() {
        return suggest(key, keys);
    }
    let homes = whole.homes(key);
    let close: Vec<&String> = homes.iter().filter(|home| !home.contains('*')).collect();
    match (&close[..], &homes[..]) {
        ([home], _) if path.is_empty() || home.contains('.') => Some(format!("did you mean \"{home}\"?")),
        ([home], _) => Some(format!("did you mean \"{home}\", at the top level?")),
        ([first, second], _) => Some(format!("did you mean \"{first}\" or \"{second}\"?")),
        (_, [home]) => Some(format!("it belongs under \"{}\"", home.trim_end_matches(&format!(".{key}")))),
        _ => suggest(key, keys),
    }
}

/// What is wrong with a section of another framework, key by key; `None` for any other key.
pub fn older(whole: Declared, entry: &Entry, path: &str) -> Option<Problems> {
    if !OLDER_SECTIONS.contains(&entry.key.as_str()) {
        return None;
    }
    let mut problems = Problems::default();
    leaves(whole, entry, path, &mut problems);
    if problems.is_empty() {
        let hint = Some("what memories hold stands under \"memory\"".to_string());
        problems.push(Problem::at(&entry.place, path, "unknown key").with_hint(hint));
    }
    Some(problems)
}

fn leaves(whole: Declared, entry: &Entry, path: &str, problems: &mut Problems) {
    for inner in entry.node.entries() {
        let path = join(path, &inner.key);
        if OLDER_SECTIONS.contains(&inner.key.as_str()) {
            leaves(whole, inner, &path, problems);
            continue;
        }
        let known = OLDER_KEYS.iter().find(|(theirs, _)| *theirs == inner.key).map(|(_, ours)| (*ours).to_string());
        let home = known.or_else(|| whole.homes(&inner.key).into_iter().find(|home| !home.contains('*')));
        let hint = match home {
            Some(home) => format!("→ {home}"),
            None => {
                "there is nothing like it here; `ekklesia import` reads a whole file of the older framework".to_string()
            }
        };
        problems.push(Problem::at(&inner.place, path, "unknown key").with_hint(Some(hint)));
    }
}
