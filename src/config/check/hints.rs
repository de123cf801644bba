//! The messages and hints of structural errors.
//!
//! A hint never quotes a value of the author's: it may be a key or a password.

use crate::config::check::declared::{ChoiceKind, SchemaPart};
use crate::config::check::foreign;
use crate::config::problem::{did_you_mean, suggest_word};
use crate::config::tree::{Node, Value};
use crate::domain::RuleKind;
use crate::plan::{Origin, Server};
use crate::text::nearest_word;

/// The largest integer that programs reading tables represent exactly: 2^53 - 1.
const GREATEST: f64 = 9_007_199_254_740_991.0;

/// A suggestion for an unknown key.
#[derive(Debug, Default)]
pub struct Suggestion {
    /// The advice to show.
    pub hint: Option<String>,
    /// The dotted path that was probably meant, if there is only one candidate.
    pub meant: Option<String>,
}

impl Suggestion {
    fn new(hint: String, meant: String) -> Self {
        Self { hint: Some(hint), meant: Some(meant) }
    }

    fn of_hint(hint: Option<String>) -> Self {
        Self { hint, meant: None }
    }
}

pub fn join_path(path: &str, segment: &str) -> String {
    if path.is_empty() { segment.to_string() } else { format!("{path}.{segment}") }
}

/// Describes the accepted types.
pub fn describe_types(declared: SchemaPart) -> String {
    let types: Vec<&str> = declared.types().collect();
    match types[..] {
        ["string"] => "text",
        ["integer"] => "a whole number",
        ["number"] => "a number",
        ["boolean"] => "true or false",
        ["array"] => "a list",
        ["object"] => "a mapping",
        ["integer", "string"] => "a whole number, or an expression",
        ["number", "string"] => "a number, or an expression",
        ["string", "number"] => "a text or a number",
        ["string", "number", "boolean"] => "a text, a number, true or false",
        ["array", "object"] => "a list, or a mapping of labels to values",
        _ => "something else",
    }
    .to_string()
}

/// Describes one of several forms of a value.
pub fn describe_form(declared: SchemaPart) -> String {
    match declared.required_keys()[..] {
        [key] => format!("{{ {key}: {} }}", show_example(declared.property(key))),
        _ => describe_types(declared),
    }
}

/// Describes a value.
pub fn describe_value(value: &Value) -> String {
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

/// A word with its required settings.
pub fn show_settings(word: &str, settings: SchemaPart) -> String {
    format!("{{ {word}: {} }}", show_example(Some(settings)))
}

/// How to write a mapping with required keys in place of another value.
pub fn suggest_mapping(declared: SchemaPart) -> Option<String> {
    let is_mapping = declared.types().eq(["object"]) && !declared.required_keys().is_empty();
    is_mapping.then(|| format!("write {}", show_example(Some(declared))))
}

fn show_example(declared: Option<SchemaPart>) -> String {
    let Some(declared) = declared else { return "…".to_string() };
    if let Some(kind) = declared.kinds().first() {
        return kind
            .required_settings()
            .map_or_else(|| kind.word.to_string(), |settings| show_settings(kind.word, settings));
    }
    if let Some(length) = declared.length() {
        return format!("[{}]", vec!["…"; length].join(", "));
    }
    if !declared.types().any(|kind| kind == "object") {
        return "…".to_string();
    }
    let keys: Vec<String> = declared.required_keys().iter().map(|key| format!("{key}: …")).collect();
    if keys.is_empty() { "{}".to_string() } else { format!("{{ {} }}", keys.join(", ")) }
}

/// The error in the size of a number; `None` for any other value.
pub fn check_bounds(declared: SchemaPart, value: &Value) -> Option<String> {
    let (number, written) = match value {
        Value::Int(number) => (*number as f64, number.to_string()),
        Value::Real(number) => (*number, number.to_string()),
        _ => return None,
    };
    if declared.types().eq(["integer"]) && number.fract() == 0.0 && number.abs() > GREATEST {
        return Some(format!("{written} is too large; whole numbers go to {GREATEST}"));
    }
    if let Some(least) = declared.bound("exclusiveMinimum")
        && number <= least
    {
        return Some(format!("{written} is not more than {least}"));
    }
    match (declared.bound("minimum"), declared.bound("maximum")) {
        // The bounds of an integer type are not a range that an author has in mind.
        (Some(least), greatest) if number < least && greatest.is_none_or(|most| most == f64::from(u32::MAX)) => {
            Some(format!("{written} is less than {least}"))
        }
        (Some(least), Some(greatest)) if !(least..=greatest).contains(&number) => {
            Some(format!("{written} is outside {least} … {greatest}"))
        }
        (None, Some(greatest)) if number > greatest => Some(format!("{written} is more than {greatest}")),
        _ => None,
    }
}

/// How to write a value that has the wrong type; `path` is its dotted path.
pub fn suggest_type(types: &[&str], node: &Node, path: &str) -> Option<String> {
    let is_name = path == "experiment" || path.ends_with(".name");
    let is_compared = ["decision.", "discussion.", "memory."].iter().any(|section| path.starts_with(section));
    let hint = match (types, &node.value) {
        (_, Value::Null) if node.place.origin == Origin::CommandLine => "its value is missing behind the `=`",
        (["array"], Value::Null) => "write its items under it, each begun with `- `, or leave the key out",
        (["object"], Value::Null) => "indent its keys under it, or leave the key out",
        (_, Value::Null) if is_rest_of_expression(path) => QUOTED_COMMA,
        (_, Value::Null) => "its value is missing behind the colon",
        (["string"], Value::Int(_) | Value::Real(_) | Value::Bool(_)) => match is_name {
            true => "choose a name that tables do not take for a number or a truth value",
            false => "put it in quotes",
        },
        (["integer" | "number"], Value::Text(text)) if text.parse::<f64>().is_ok_and(f64::is_finite) => {
            "leave the quotes out"
        }
        (["integer"], Value::Real(number)) if number.fract() == 0.0 => "write it without a point or leading zero",
        (["boolean"], Value::Text(text)) => match text.to_lowercase().as_str() {
            "yes" | "on" | "y" | "true" => "write true",
            "no" | "off" | "n" | "false" => "write false",
            _ => return None,
        },
        (["string" | "integer" | "number" | "boolean"], Value::List(_)) if is_compared => SEVERAL,
        (["array", ..], Value::Text(_) | Value::Int(_) | Value::Real(_)) => "write a list, as in [first, second]",
        (["array"], Value::Map(_)) => "begin each item of the list with `- `",
        (["object"], Value::List(_)) => "write key: value, without `- ` or brackets",
        (["object"], Value::Text(text)) if text.contains(':') => "write key: value, with a space behind the colon",
        _ => return None,
    };
    Some(hint.to_string())
}

/// The hint for an expression that its comma cut in two.
const QUOTED_COMMA: &str = "a comma within { } ends a value: put an expression that has one in quotes";

/// Whether a key is the end of an expression without quotes: it closes a bracket that it does not open.
fn is_rest_of_expression(key: &str) -> bool {
    key.matches(')').count() > key.matches('(').count()
}

/// The hint for a list where the key takes one value.
const SEVERAL: &str = "to compare several values, make the key a factor of the design: { key: …, levels: [… , …] }";

/// The hint for a list of several words where the key takes one.
pub fn suggest_choice(kinds: &[ChoiceKind], node: &Node) -> Option<String> {
    let is_word = |item: &Node| item.as_text().is_some_and(|text| kinds.iter().any(|kind| kind.word == text));
    (node.items().len() > 1 && node.items().iter().all(is_word)).then(|| SEVERAL.to_string())
}

/// The key that was probably meant by an unknown key at a path: a similar key, our name for it, or the place where it belongs.
pub fn suggest_key(here: SchemaPart, path: &str, key: &str) -> Suggestion {
    let (whole, keys) = (here.root_schema(), here.keys());
    if key.contains(':') {
        return Suggestion::of_hint(Some("write key: value, with a space behind the colon".to_string()));
    }
    if is_rest_of_expression(key) {
        return Suggestion::of_hint(Some(QUOTED_COMMA.to_string()));
    }
    let renamed = foreign::rename_key(here, path, key);
    if let (Some(near), None | Some((_, None))) = (nearest_word(key, keys.iter().copied()), &renamed) {
        return Suggestion::new(format!("did you mean \"{near}\"?"), join_path(path, near));
    }
    if let Some((hint, meant)) = renamed {
        return Suggestion { hint: Some(hint), meant };
    }
    let dotted = join_path(path, key);
    if key.contains('.')
        && let Some(meant) = correct_path(whole, &dotted.split('.').collect::<Vec<_>>())
    {
        let within = meant.strip_prefix(path).unwrap_or(&meant).trim_start_matches('.');
        return Suggestion::new(format!("a key in a file has no dots: write {}", nest_path(within)), meant.clone());
    }
    let is_named = |home: &String| !home.contains('*');
    let within: Vec<String> = here.paths_of_key(key).into_iter().filter(is_named).collect();
    match &within[..] {
        [home] if !path.is_empty() => Suggestion::new(describe_home(home), join_path(path, home)),
        _ => {
            let homes = whole.paths_of_key(key).into_iter().filter(|home| is_near_home(home, path)).collect();
            suggest_home(homes).unwrap_or_else(|| Suggestion::of_hint(suggest_word(key, keys)))
        }
    }
}

/// Whether a key that is declared elsewhere may be meant at a path: at the top and in a section any, and deeper those of the mappings
/// around.
fn is_near_home(home: &str, path: &str) -> bool {
    let holder = home.rsplit_once('.').map(|(holder, _)| holder.split('.'));
    let is_around = || {
        let mut around = path.split('.');
        holder.into_iter().flatten().all(|segment| around.next().is_some_and(|own| segment == "*" || segment == own))
    };
    !path.contains('.') || is_around()
}

/// The place to suggest of those where a key is declared, if there are at most two.
fn suggest_home(homes: Vec<String>) -> Option<Suggestion> {
    let named: Vec<&String> = homes.iter().filter(|home| !home.contains('*')).collect();
    match (&named[..], &homes[..]) {
        ([home], _) => Some(Suggestion::new(describe_home(home), (*home).clone())),
        ([first, second], _) => {
            let hint =
                format!("a key of this name stands under \"{}\" and \"{}\"", parent_path(first), parent_path(second));
            Some(Suggestion::of_hint(Some(hint)))
        }
        ([], [home]) => Some(Suggestion::of_hint(Some(describe_home(home)))),
        _ => None,
    }
}

fn parent_path(home: &str) -> &str {
    home.rsplit_once('.').map_or(home, |(holder, _)| holder)
}

fn describe_home(home: &str) -> String {
    match home.rsplit_once('.') {
        None => "a key of this name stands at the top level".to_string(),
        Some((holder, _)) if home.contains('*') => format!("a key of this name stands under \"{holder}\""),
        Some((holder, _)) => format!("a key of this name stands under \"{holder}\": write {}", nest_path(home)),
    }
}

/// Like `suggest_key` for a segment of a dotted path, for example on the command line; it suggests a complete path.
pub fn suggest_path(whole: SchemaPart, segments: &[&str], depth: usize) -> Option<String> {
    let here = whole.find_path(&segments[..depth]).ok().flatten().unwrap_or(whole);
    let did_you_mean = |meant: &str| Some(format!("did you mean \"{meant}\"?"));
    if let Some(meant) = correct_path(whole, segments) {
        return did_you_mean(&meant);
    }
    match suggest_home(whole.paths_of_key(segments[depth])) {
        Some(Suggestion { meant: Some(meant), .. }) => did_you_mean(&meant),
        Some(suggestion) => suggestion.hint,
        None => suggest_word(segments[depth], here.keys()),
    }
}

/// A dotted path as nested YAML.
pub fn nest_path(path: &str) -> String {
    match path.split_once('.') {
        Some((first, rest)) => format!("{first}: {{ {} }}", nest_path(rest)),
        None => format!("{path}: …"),
    }
}

/// The declared path that was meant, if each segment is correct or close to a key.
fn correct_path(whole: SchemaPart, segments: &[&str]) -> Option<String> {
    let mut meant: Vec<&str> = Vec::new();
    for segment in segments {
        let is_known = whole.find_path(&[&meant[..], &[segment]].concat()).is_ok();
        let keys = whole.find_path(&meant).ok().flatten().map(SchemaPart::keys).unwrap_or_default();
        meant.push(if is_known { segment } else { nearest_word(segment, keys.iter().copied())? });
    }
    Some(meant.join("."))
}

/// The words of a choice that a session may have. Only `retally` elects several.
pub fn list_words(kinds: &[ChoiceKind]) -> impl Iterator<Item = &'static str> + Clone {
    kinds.iter().map(|kind| kind.word).filter(|word| *word != RuleKind::Stv.as_str())
}

/// The word that was probably meant by an unknown key of a tagged value.
pub fn suggest_kind(declared: SchemaPart, kinds: &[ChoiceKind], key: &str) -> Option<String> {
    let words = list_words(kinds);
    if Server::find_config_name(key).is_some() && words.clone().any(|word| word == "openai") {
        return Some(format!("write {{ openai: {{ server: {key}, model: … }} }}"));
    }
    let within = declared.paths_of_key(key);
    match &within[..] {
        [home] => did_you_mean(key, words).or_else(|| Some(describe_home(home))),
        _ => suggest_word(key, words),
    }
}
