//! The words of a structural mistake: what was expected, what was found, what was probably meant.

use super::declared::{Declared, Kind};
use super::meant::{self, in_line};
use super::tree::{Entry, Node, Value};
use super::walker::join;
use super::{Server, foreign, schema, suggest};
use crate::text::nearest;

/// The greatest whole number that programs reading tables hold exactly: 2^53 - 1.
const GREATEST: f64 = 9_007_199_254_740_991.0;

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
        Value::Inexact(words) => words.clone(),
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

/// How a word is written that takes no settings; a share that was given with it stands beside it.
pub fn without_settings(key: &str, word: &str, said: &Node) -> String {
    match said.value {
        Value::Text(_) | Value::Real(_) if word == "supermajority" => {
            format!("write {key}: {word}, threshold: {}", said.to_text())
        }
        // In a list there is no key, only a place.
        _ if key.bytes().all(|byte| byte.is_ascii_digit()) => format!("write {word} alone"),
        _ => format!("write {key}: {word}"),
    }
}

fn example(declared: Option<Declared>) -> String {
    let Some(declared) = declared else { return "…".to_string() };
    if let Some(kind) = declared.kinds().first() {
        return kind.needed().map_or_else(|| kind.word.to_string(), |settings| with_settings(kind.word, settings));
    }
    if let Some(length) = declared.length() {
        return format!("[{}]", vec!["…"; length].join(", "));
    }
    if !declared.types().any(|kind| kind == "object") {
        return "…".to_string();
    }
    let keys: Vec<String> = declared.required().iter().map(|key| format!("{key}: …")).collect();
    if keys.is_empty() { "{}".to_string() } else { format!("{{ {} }}", keys.join(", ")) }
}

/// What is wrong with a number that cannot be held as it was written.
pub fn inexact(words: &str) -> String {
    match words.parse::<f64>().ok().filter(|number| number.is_finite()) {
        Some(number) => format!("{words} has more digits than are told apart: it would be read as {number}"),
        None => format!("{words} is no finite number"),
    }
}

/// What is wrong with a number, which the author wrote so, if anything is.
pub fn outside(declared: Declared, number: f64, written: &str) -> Option<String> {
    let (least, greatest) = (declared.bound("minimum"), declared.bound("maximum"));
    if let Some(least) = declared.bound("exclusiveMinimum")
        && number <= least
    {
        return Some(format!("{written} is not more than {least}"));
    }
    // The width of a number is no range that an author had in mind.
    let meant = greatest.filter(|greatest| *greatest != f64::from(u32::MAX));
    match (least, greatest) {
        (Some(least), _) if number < least => Some(match meant {
            Some(greatest) => format!("{written} is outside {least} … {greatest}"),
            None => format!("{written} is less than {least}"),
        }),
        (_, Some(greatest)) if number > greatest => Some(match least {
            Some(least) if meant.is_some() => format!("{written} is outside {least} … {greatest}"),
            _ => format!("{written} is more than {greatest}"),
        }),
        _ => None,
    }
}

/// What is wrong with a whole number that no place of a whole number or text holds; `None` for any other value.
pub fn too_large(types: &[&str], declared: Declared, value: &Value) -> Option<String> {
    let Value::Real(number) = value else { return None };
    if types == ["number"] || number.fract() != 0.0 || number.abs() <= GREATEST {
        return None;
    }
    match (declared.bound("minimum"), declared.bound("maximum")) {
        (Some(least), Some(greatest)) => Some(format!("{number} is outside {least} … {greatest}")),
        _ => Some(format!("{number} is too large; whole numbers go to {GREATEST}")),
    }
}

/// What is wrong with an unknown key, and what was meant, where the key is the rest of something else: of a number with a
/// comma, of a `key:value` without its space, of a text with a comma, of a dotted path.
pub fn misread(
    whole: Declared,
    declared: Declared,
    path: &str,
    key: &Entry,
    before: Option<&Entry>,
) -> Option<Misread> {
    let told = |message: String, hint: Option<String>, meant: String| Some(Misread { message, hint, meant });
    let is_bare = matches!(key.node.value, Value::Null);
    if let Some((word, value)) =
        key.key.split_once(':').filter(|(word, _)| is_bare && declared.property(word).is_some())
    {
        let hint = Some(format!("write {word}: {}", value.trim()));
        return told(format!("a space is missing after \"{word}:\""), hint, join(path, word));
    }
    let before = before.filter(|before| is_bare && before.node.place.line == key.place.line);
    if let Some(before) = before {
        let message = format!("the comma before \"{}\" ends the value of \"{}\"", key.key, before.key);
        let meant = join(path, &before.key);
        match (&before.node.value, &key.key) {
            (Value::Text(begun), rest) if begun.starts_with(['“', '„', '«', '‘', '‚']) => {
                let quoted = format!("{begun}, {rest}");
                let text = quoted.trim_matches(['“', '”', '„', '«', '»', '‘', '’', '‚', '‟']);
                let hint =
                    format!("write {}: {} with plain quotation marks", before.key, serde_json::Value::from(text));
                let message = "typographic quotation marks do not quote: the comma ends the text".to_string();
                return told(message, Some(hint), meant);
            }
            (Value::Text(_), _) if !declared.keys().iter().any(|known| nearest(&key.key, [*known]).is_some()) => {
                let hint = (before.key != "name").then(|| "put a text that holds a comma in quotes".to_string());
                return told(message, hint, meant);
            }
            _ => {}
        }
    }
    let dotted = join(path, &key.key);
    let segments: Vec<&str> = dotted.split('.').collect();
    let meant = whole_path(whole, &segments).filter(|_| key.key.contains('.'))?;
    let inner = meant.strip_prefix(path).unwrap_or(&meant).trim_start_matches('.').to_string();
    let value = if key.node.entries().is_empty() { key.node.to_text() } else { "…".to_string() };
    let hint = Some(format!("write {}", nested(&inner, &value)));
    told("a key in a file has no dots".to_string(), hint, meant)
}

/// A key that is the rest of something else.
#[derive(Debug)]
pub struct Misread {
    /// What is wrong.
    pub message: String,
    /// What to write.
    pub hint: Option<String>,
    /// The dotted path that is meant.
    pub meant: String,
}

/// A dotted path as it is written in a file.
fn nested(path: &str, value: &str) -> String {
    match path.split_once('.') {
        Some((first, rest)) => format!("{first}: {{ {} }}", nested(rest, value)),
        None => format!("{path}: {value}"),
    }
}

/// The declared path that is surely meant by the segments of one, each of which may be misspelt.
fn whole_path(whole: Declared, segments: &[&str]) -> Option<String> {
    let mut meant: Vec<&str> = Vec::new();
    for segment in segments {
        let known = whole.find(&[&meant[..], &[segment]].concat()).is_ok();
        let keys = whole.find(&meant).ok().flatten().map(Declared::keys).unwrap_or_default();
        meant.push(if known { segment } else { nearest(segment, keys.iter().copied())? });
    }
    Some(meant.join("."))
}

/// What was probably meant by an unknown key of a mapping under a path: a key that is near and stands here, the name it has
/// here, the place where it belongs, or what may stand here.
pub fn unknown_key(whole: Declared, here: Declared, path: &str, stray: &Entry) -> Option<String> {
    let keys = here.keys();
    let key = stray.key.as_str();
    if nearest(key, keys.iter().copied()).is_some() {
        return suggest(key, keys);
    }
    if let Some(hint) = other_word(whole, here, path, key) {
        return Some(hint);
    }
    if let Some(hint) = of_another_kind(whole, path, stray) {
        return Some(hint);
    }
    let under = |home: &str| home.strip_suffix(key).unwrap_or(home).trim_end_matches('.').to_string();
    let is_named = |home: &String| !home.contains('*');
    let within: Vec<String> = here.homes(key).into_iter().filter(is_named).collect();
    if let ([home], false) = (&within[..], path.is_empty()) {
        return Some(format!("it belongs under \"{}\": write {}", under(home), nested(home, &in_line(&stray.node))));
    }
    if let Some(hint) = of_word(here, stray) {
        return Some(hint);
    }
    if is_of_factor(path) && whole.find(&key.split('.').collect::<Vec<_>>()).is_ok() {
        return Some(format!("write {{ key: {key}, levels: {} }}", in_line(&stray.node)));
    }
    let homes = whole.homes(key);
    if homes.is_empty() && here.property("persona").is_some() {
        return Some(
            "who a person is stands in `persona`, as in persona: \"You are 61.\", or in a file that `personas` names"
                .to_string(),
        );
    }
    let close: Vec<&String> = homes.iter().filter(|home| is_named(home)).collect();
    if close.is_empty()
        && let Some(hint) = of_word(whole, stray)
    {
        return Some(hint);
    }
    match (&close[..], &homes[..]) {
        ([home], _) if home.contains('.') => {
            Some(format!("it belongs under \"{}\": write {}", under(home), nested(home, "…")))
        }
        ([_], _) => Some("it belongs at the top level".to_string()),
        ([first, second], _) => Some(format!("it belongs under \"{}\" or \"{}\"", under(first), under(second))),
        (_, [home]) => Some(format!("it belongs under \"{}\"", under(home))),
        _ => suggest(key, keys),
    }
}

/// What was meant by a key that is a word which some other key takes as its value: `window: …` for `policy: { window: … }`.
fn of_word(within: Declared, stray: &Entry) -> Option<String> {
    let homes = within.homes_of_word(&stray.key);
    let written = |(home, kind): &(String, Kind)| nested(home, &meant::chosen(kind, &stray.node));
    match &homes[..] {
        [] => None,
        [home] => Some(format!("write {}", written(home))),
        [first, second] => Some(format!("write {} or {}", written(first), written(second))),
        [..] => None,
    }
}

/// What was meant by a setting of one kind of a value that only another kind has.
fn of_another_kind(whole: Declared, path: &str, stray: &Entry) -> Option<String> {
    let (holder, kind) = path.rsplit_once('.')?;
    let kinds = whole.find(&holder.split('.').collect::<Vec<_>>()).ok()??.kinds();
    kinds.iter().find(|other| other.word == kind)?;
    let (_, key) = holder.rsplit_once('.').unwrap_or(("", holder));
    let written = setting_of(&kinds, stray)?;
    let other = written.trim_start_matches("write { ").split(':').next().unwrap_or_default().to_string();
    let mapping = written.trim_start_matches("write ");
    Some(format!("leave it out, or write {key}: {mapping}: only {other} has it"))
}

/// The same of the part of a dotted path, as on the command line: what is suggested is a whole path.
pub fn unknown_part(whole: Declared, here: Declared, segments: &[&str], depth: usize) -> Option<String> {
    let (path, key) = (segments[..depth].join("."), segments[depth]);
    if path.starts_with("design.factors.") && path.ends_with(".levels") {
        return Some(format!("levels are given all at once: {path}=[…, …]"));
    }
    let keys = here.keys();
    if let Some(nearest) = nearest(key, keys.iter().copied()) {
        let meant = whole_path(whole, segments).unwrap_or_else(|| join(&path, nearest));
        return Some(format!("did you mean \"{meant}\"?"));
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

/// Whether a path is that of a factor.
pub fn is_of_factor(path: &str) -> bool {
    path.strip_prefix("design.factors.").is_some_and(|name| !name.contains('.'))
}

/// What was probably meant by a text that is none of the words of a choice.
pub fn unknown_word(kinds: &[Kind], text: &str) -> Option<String> {
    let with_value = kinds.iter().find_map(|kind| {
        let value = text.strip_prefix(kind.word)?.trim_start_matches([' ', ':', '=']);
        let key = kind.settings?.required().into_iter().next()?;
        (!value.is_empty() && !value.contains(' ')).then(|| format!("write {{ {}: {{ {key}: {value} }} }}", kind.word))
    });
    with_value.or_else(|| suggest(text, kinds.iter().map(|kind| kind.word)))
}

/// What was probably meant by the one key of a choice that is none of its words.
pub fn unknown_kind(kinds: &[Kind], entry: &Entry) -> Option<String> {
    // Whoever names a model's server means the kind of model that has one.
    let server = Server::named(&entry.key).filter(|_| kinds.iter().any(|kind| kind.word == "openai"));
    let server = server.map(|name| {
        let settings = in_line(&entry.node);
        let settings = settings.strip_prefix("{ ").and_then(|rest| rest.strip_suffix(" }")).unwrap_or("model: …");
        format!("write {{ openai: {{ server: {name}, {settings} }} }}")
    });
    server.or_else(|| setting_of(kinds, entry)).or_else(|| suggest(&entry.key, kinds.iter().map(|kind| kind.word)))
}

/// The kind that a key is a setting of, where it is one of only one kind.
pub fn setting_of(kinds: &[Kind], entry: &Entry) -> Option<String> {
    let has_it = |kind: &&Kind| kind.settings.is_some_and(|settings| settings.property(&entry.key).is_some());
    let mut having = kinds.iter().filter(has_it);
    match (having.next(), having.next()) {
        (Some(kind), None) => Some(format!("write {{ {}: {{ {}: {} }} }}", kind.word, entry.key, in_line(&entry.node))),
        _ => None,
    }
}

/// The section that takes mappings like that of an unknown key under names of the author's choice, and how to write it.
pub fn section_of(here: Declared, stray: &Entry) -> Option<(&'static str, String)> {
    let keys = stray.node.entries();
    let takes = |(_, part): &(&str, Declared)| {
        part.of_any_key().is_some_and(|any| {
            !any.is_open() && !keys.is_empty() && keys.iter().all(|entry| any.property(&entry.key).is_some())
        })
    };
    let mut taking = here.properties().filter(takes);
    let (section, _) = taking.next().filter(|_| taking.next().is_none())?;
    let hint = format!("it belongs under \"{section}\": write {section}: {{ {}: {{ … }} }}", stray.key);
    Some((section, hint))
}

/// What to do where a key is missing.
pub fn missing(path: &str, key: &str) -> Option<String> {
    let is_later_seat =
        path.strip_prefix("seats.").is_some_and(|seat| seat.parse::<usize>().is_ok_and(|seat| seat > 0));
    (is_later_seat && key == "name")
        .then(|| "each `- ` begins another seat: what belongs to the seat above stands without one".to_string())
}

/// How many entries behind the first are the rest of its number: digits without a value in the same line.
pub fn pieces(entries: &[Entry]) -> usize {
    let Some((first, rest)) = entries.split_first().filter(|(first, _)| matches!(first.node.value, Value::Int(_)))
    else {
        return 0;
    };
    let is_piece = |entry: &&Entry| {
        let are_digits = !entry.key.is_empty() && entry.key.bytes().all(|byte| byte.is_ascii_digit());
        are_digits && matches!(entry.node.value, Value::Null) && entry.place.line == first.node.place.line
    };
    rest.iter().take_while(is_piece).count()
}

/// What is wrong with a number that commas divide, what to write, and the number.
pub fn torn(first: &Entry, rest: &[Entry]) -> (String, String, Value) {
    let whole = first.node.to_text();
    let are_thousands = whole != "0" && rest.iter().all(|piece| piece.key.len() == 3);
    let digits: String = rest.iter().map(|piece| piece.key.as_str()).collect();
    let number = if are_thousands { format!("{whole}{digits}") } else { format!("{whole}.{digits}") };
    let value = match (number.parse::<i64>(), number.parse::<f64>()) {
        (Ok(number), _) => Value::Int(number),
        (_, Ok(number)) => Value::Real(number),
        _ => first.node.value.clone(),
    };
    let message = format!("the comma before \"{}\" ends the value of \"{}\"", rest[0].key, first.key);
    (message, format!("write {}: {number}", first.key), value)
}

/// The name a key has here, or the file it belongs to.
fn other_word(whole: Declared, here: Declared, path: &str, key: &str) -> Option<String> {
    if key == "api_key" && here.property("api_key_env").is_some() {
        return Some("write api_key_env: NAME, the environment variable that holds the key".to_string());
    }
    if let Some(ours) = foreign::renamed(path, key).filter(|_| !path.is_empty()) {
        return Some(format!("here it is called \"{ours}\""));
    }
    if !path.is_empty() {
        return None;
    }
    let is_config = whole.property("scenario").is_some();
    if let Some(ours) = foreign::renamed(path, key).filter(|_| is_config) {
        return Some(match ours.contains('.') {
            true => format!("here it is written {}", nested(ours, "…")),
            false => format!("here it is called \"{ours}\""),
        });
    }
    let (other, belongs) = match is_config {
        true => (schema::of_scenario(), "it belongs in the scenario.yaml of the scenario"),
        false => (schema::of_config(), "it belongs in the config of the experiment"),
    };
    Declared::whole(other).property(key).map(|_| belongs.to_string())
}
