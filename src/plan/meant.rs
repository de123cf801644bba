//! The value that was probably meant by one of another type: a number with a comma, a yes, a text without quotes.
//!
//! What is wrong with the value is told elsewhere.

use super::declared::{Declared, Kind};
use super::hints::{outside, with_settings};
use super::numeral::{bounds, number_meant, range, spelt};
use super::tree::{Entry, Node, Value};
use super::{Origin, Place, names, schema};

/// Words for every seat.
const EVERYONE: [&str; 5] = ["all", "every", "everybody", "everyone", "everything"];

/// How to write a value of the type that is wanted.
pub fn wrong_type(types: &[&str], declared: Declared, node: &Node, path: &str) -> Option<String> {
    match (types, &node.value) {
        (_, Value::Null) if node.place.origin == Origin::CommandLine => {
            Some("its value is missing behind the `=`".to_string())
        }
        (["object" | "array"], Value::Null) => Some(empty(types, path)),
        (_, Value::Null) => Some("its value is missing behind the colon".to_string()),
        (["string" | "integer" | "number" | "boolean"], Value::List(items)) => {
            several(path).or_else(|| joined(types, items, path))
        }
        (["string"], value) => text_meant(value, path),
        (["integer" | "number"], Value::Text(text)) => number_in_place(types, declared, text).or_else(|| {
            let is_range = range(text).is_some();
            several(path).filter(|_| is_range).or_else(|| any_number(path))
        }),
        (["integer"], Value::Real(number)) if number.fract() == 0.0 => {
            Some(format!("write {number}, without a decimal point"))
        }
        (["boolean"], value) => truth_meant(value),
        (["array", "object"], Value::Text(text)) => Some(match range(text) {
            Some((least, greatest)) => format!("list each value, as in [{least}, {greatest}]"),
            None => format!("write [{}]", parts(text).join(", ")),
        }),
        (["array"], _) => list_meant(declared, node, path),
        (["object"], Value::List(list)) => Some(not_a_list(declared, list, node, path)),
        (["object"], _) => mapping_meant(declared, &node.value, path),
        _ => None,
    }
}

/// How to write a value that has one of several forms, where one is a mapping of one key to a least and a greatest value.
pub fn wrong_form(forms: &[Declared], node: &Node) -> Option<String> {
    let drawn = forms.iter().find_map(|form| {
        let key = form.required().into_iter().next()?;
        form.property(key)?.length().filter(|length| *length == 2).map(|_| key)
    });
    let within =
        bounds(node).zip(drawn).map(|((least, greatest), key)| format!("write {{ {key}: [{least}, {greatest}] }}"));
    let number = forms.iter().find(|form| form.types().any(|kind| kind == "number"));
    within.or_else(|| number_in_place(&["number"], *number?, node.as_text()?))
}

/// The share that is meant by a number of per cents, where no number above 1 is taken.
pub fn share(declared: Declared, number: f64) -> Option<String> {
    let is_share = declared.bound("minimum") == Some(0.0) && declared.bound("maximum") == Some(1.0);
    let share = (number * 1e4).round() / 1e6;
    (is_share && (5.0..=100.0).contains(&number)).then(|| format!("write {share} for {number} per cent"))
}

/// How to write a value for a text such as `67%` where more than a half is wanted.
pub fn share_of(text: &str) -> Option<String> {
    number_meant(text).filter(|share| *share > 0.5 && *share <= 1.0).map(|share| format!("write {share}"))
}

/// How to write a value that has another type than a parameter takes; `types` are those of JSON.
pub fn of_parameter(types: &[&str], node: &Node, path: &str) -> Option<String> {
    match (types, &node.value) {
        (["string"], Value::Text(_)) => None,
        (["string"], _) => {
            let text = serde_json::Value::from(node.to_text());
            Some(match node.place.origin {
                Origin::CommandLine => format!("put it in quotes, as in '{path}={text}'"),
                _ => format!("put it in quotes: {text}"),
            })
        }
        (["boolean"], value) => truth_meant(value),
        (["integer"], Value::Text(text)) => {
            let number = number_meant(text).or_else(|| spelt(text)).filter(|number| number.fract() == 0.0)?;
            Some(format!("write {number}"))
        }
        (["number"], Value::Text(text)) => {
            number_meant(text).or_else(|| spelt(text)).map(|number| format!("write {number}"))
        }
        _ => None,
    }
}

/// A kind of a value as it is written, with the settings that a value says, where it says any that the kind has.
pub fn chosen(kind: &Kind, said: &Node) -> String {
    let Some(settings) = kind.settings else { return kind.word.to_string() };
    let has = |entry: &Entry| settings.keys().contains(&entry.key.as_str());
    let own = match &said.value {
        Value::Map(entries) if entries.iter().all(has) => Some(in_line(said)),
        Value::Int(_) | Value::Real(_) => of_number(settings, said),
        _ => None,
    };
    let bare = || if kind.is_word { kind.word.to_string() } else { with_settings(kind.word, settings) };
    own.map_or_else(bare, |own| format!("{{ {}: {own} }}", kind.word))
}

/// A number as the setting that surely takes it: a word's, or the first of few.
fn of_number(declared: Declared, said: &Node) -> Option<String> {
    /// Of more settings nobody knows which one is meant.
    const FEW: usize = 4;
    let number = match said.value {
        Value::Int(number) => number as f64,
        Value::Real(number) => number,
        _ => return None,
    };
    let written = said.to_text();
    let takes = |part: Declared| {
        let is_whole = number.fract() == 0.0 && part.types().any(|kind| kind == "integer");
        (is_whole || part.types().any(|kind| kind == "number")) && outside(part, number, &written).is_none()
    };
    let kinds = declared.kinds();
    if let Some(kind) = kinds.iter().find(|kind| kind.settings.is_some_and(takes)) {
        return Some(format!("{{ {}: {written} }}", kind.word));
    }
    let mut with_settings = kinds.iter().filter_map(|kind| Some((kind.word, kind.settings?)));
    if let (Some((word, settings)), None) = (with_settings.next(), with_settings.next()) {
        return Some(format!("{{ {word}: {} }}", of_number(settings, said)?));
    }
    let required = declared.required();
    let fits = |key: &str| required.is_empty() || required == [key];
    let few = declared.properties().count() <= FEW;
    let (key, _) = declared.properties().filter(|_| few).find(|(key, part)| fits(key) && takes(*part))?;
    Some(format!("{{ {key}: {written} }}"))
}

/// How to write a value in place of one that is no word or kind: a number as the setting that takes it, a yes as the one kind
/// that has settings.
pub fn choice(kinds: &[Kind], declared: Declared, node: &Node) -> Option<String> {
    let mut with = kinds.iter().filter_map(|kind| Some((kind.word, kind.needed()?)));
    match (&node.value, with.next(), with.next()) {
        (Value::Bool(true), Some((word, settings)), None) => Some(format!("write {}", with_settings(word, settings))),
        (Value::Bool(false), _, _) if kinds.iter().any(|kind| kind.word == "none") => Some("write none".to_string()),
        _ => of_number(declared, node).map(|own| format!("write {own}")),
    }
}

/// A value as it is written within a line; a long one is cut.
pub fn in_line(node: &Node) -> String {
    const WIDTH: usize = 80;
    let written = flow(node);
    match written.chars().count() > WIDTH {
        true => written.chars().take(WIDTH).chain("…".chars()).collect(),
        false => written,
    }
}

fn flow(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => {
            let is_bare = text.starts_with(char::is_alphabetic)
                && text.chars().all(|c| c.is_alphanumeric() || "_./- ".contains(c))
                && !["true", "false", "null"].contains(&text.as_str());
            if is_bare { text.clone() } else { serde_json::Value::from(text.as_str()).to_string() }
        }
        Value::List(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) if entries.is_empty() => "{}".to_string(),
        Value::Map(entries) => {
            let entries = entries.iter().map(|entry| format!("{}: {}", entry.key, flow(&entry.node)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        _ => node.to_text(),
    }
}

/// What belongs into a section or list that is empty.
fn empty(types: &[&str], path: &str) -> String {
    let belongs = match types {
        ["array"] => "write its items under it, each begun with `- `",
        _ => "indent its keys under it",
    };
    let can_go = !path.contains('.') && !Declared::whole(schema::of_config()).required().contains(&path);
    format!("{belongs}{}", if can_go { ", or leave it out" } else { "" })
}

/// How several values of one key are compared.
pub fn several(path: &str) -> Option<String> {
    let comparable = ["decision.", "discussion.", "memory."].iter().any(|section| path.starts_with(section));
    let hint =
        || format!("to compare several, write design: {{ factors: {{ NAME: {{ key: {path}, levels: [… , …] }} }} }}");
    comparable.then(hint)
}

/// One text of the items of a list.
fn joined(types: &[&str], items: &[Node], path: &str) -> Option<String> {
    if path.starts_with("seats.") && path.ends_with(".name") {
        return Some("a seat has one name: begin each seat with `- `, as in - { name: NAME }".to_string());
    }
    let texts: Vec<String> = items.iter().map(Node::to_text).collect();
    (types == ["string"] && items.len() > 1)
        .then(|| format!("write one text: {}", serde_json::Value::from(texts.join(", "))))
}

fn text_meant(value: &Value, path: &str) -> Option<String> {
    let is_name = path == "experiment" || path.ends_with(".name") || path.starts_with("alternatives.");
    let hint = match value {
        Value::Int(number) if is_name => format!("a name holds a letter: write n{}", number.unsigned_abs()),
        Value::Real(_) if is_name => "a name holds a letter and no point".to_string(),
        Value::Inexact(_) if is_name => "a name holds a letter".to_string(),
        Value::Bool(_) if is_name => "tables would take it for a truth value: choose another name".to_string(),
        Value::Int(_) | Value::Real(_) | Value::Inexact(_) | Value::Bool(_) => "put it in quotes".to_string(),
        Value::Map(_) if path == "scenario" => "write the path of the scenario's folder".to_string(),
        Value::Map(entries) if entries.iter().all(|entry| matches!(entry.node.value, Value::Null)) => {
            "put a text that begins with { in quotes".to_string()
        }
        Value::Map(entries) => {
            let told = entries.iter().map(|entry| format!("{}: {}", entry.key, entry.node.to_text()));
            let text = told.collect::<Vec<_>>().join(", ");
            format!("put a text that holds `: ` in quotes: {}", serde_json::Value::from(text))
        }
        _ => return None,
    };
    Some(hint)
}

fn truth_meant(value: &Value) -> Option<String> {
    let word = match value {
        Value::Text(text) => text.trim().to_lowercase(),
        Value::Int(number) => number.to_string(),
        _ => return None,
    };
    match word.as_str() {
        "yes" | "on" | "y" | "true" | "1" | "ja" | "wahr" | "oui" | "vrai" => Some("write true".to_string()),
        "no" | "off" | "n" | "false" | "0" | "nein" | "falsch" | "non" | "faux" => Some("write false".to_string()),
        _ => None,
    }
}

fn list_meant(declared: Declared, node: &Node, path: &str) -> Option<String> {
    let item = declared.item(0);
    let is_of_mappings = item.is_some_and(|item| item.types().any(|kind| kind == "object"));
    if declared.length() == Some(2) {
        return bounds(node).map(|(least, greatest)| format!("write [{least}, {greatest}]"));
    }
    let words: Vec<&str> = item.map(Declared::kinds).unwrap_or_default().iter().map(|kind| kind.word).collect();
    match &node.value {
        Value::Int(number) if path == "seats" && *number > 0 => Some(format!("write [{{ count: {number} }}]")),
        Value::Map(entries) if is_of_mappings => Some(items_meant(item?, entries, node, path)),
        Value::Text(_) if path == "design.exclude" => Some("write [{ FACTOR: LEVEL, FACTOR: LEVEL }]".to_string()),
        Value::Text(text) if path == "seats" => {
            let names = parts(text).iter().map(|name| format!("{{ name: {name} }}")).collect::<Vec<_>>();
            Some(format!("write [{}]", names.join(", ")))
        }
        Value::Text(text) if path.ends_with(".to") && EVERYONE.contains(&text.as_str()) => {
            Some("list their names; where `to` is left out, every seat is meant".to_string())
        }
        Value::Text(_) if is_of_mappings => {
            Some(format!("write a list of mappings, as in - {}", super::hints::form(item?)))
        }
        Value::Text(text) if words.is_empty() || parts(text).iter().all(|part| words.contains(part)) => {
            Some(format!("write [{}]", parts(text).join(", ")))
        }
        Value::Map(entries) if entries.iter().all(|entry| words.contains(&entry.key.as_str())) => {
            let meant = entries.iter().filter(|entry| !matches!(entry.node.value, Value::Bool(false)));
            Some(format!("write [{}]", meant.map(|entry| entry.key.as_str()).collect::<Vec<_>>().join(", ")))
        }
        _ if !words.is_empty() => Some(format!("list what is meant of [{}]", words.join(", "))),
        _ => None,
    }
}

/// How a mapping is written that should be a list of mappings.
fn items_meant(item: Declared, entries: &[Entry], node: &Node, path: &str) -> String {
    let Some(first) = entries.first() else { return "begin each item with `- `".to_string() };
    let is_key = item.property(&first.key).is_some() || item.is_open();
    match &first.node.value {
        Value::List(_) if !is_key && entries.len() == 1 => {
            format!("write its items right under \"{path}\", without \"{}\"", first.key)
        }
        Value::Map(_) | Value::Null if !is_key && item.property("name").is_some() => {
            format!("begin each item with `- ` and its name, as in - {{ name: {}, … }}", first.key)
        }
        // Within brackets the mapping begins before its first key.
        _ if node.place != first.place => format!("write [{}]", in_line(node)),
        _ => "begin each item with `- `".to_string(),
    }
}

/// The parts of a text that lists several.
fn parts(text: &str) -> Vec<&str> {
    let words = [" and ", " und ", " et "];
    let word = words.iter().find(|word| text.contains(**word) && !text.contains([',', ';', '/', '|']));
    let parts: Vec<&str> = match word {
        Some(word) => text.split(word).collect(),
        None => text.split([',', ';', '/', '|']).collect(),
    };
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// What to write in place of a list where a mapping is wanted.
fn not_a_list(declared: Declared, items: &[Node], node: &Node, path: &str) -> String {
    let factor = path.strip_prefix("design.factors.");
    match (path, factor) {
        ("design.factors", _) => {
            "write factors: { NAME: { key: decision.rule, levels: [majority, unanimity] } }".to_string()
        }
        ("design.baseline", _) => "name a level of each factor: write { FACTOR: LEVEL, FACTOR: LEVEL }".to_string(),
        (_, Some(name)) => {
            let homes = Declared::whole(schema::of_config()).homes(name);
            let home = homes.first().filter(|home| homes.len() == 1 && !home.contains('*'));
            let key = if name.contains('.') { name } else { home.map_or("KEY", String::as_str) };
            let levels = if items.is_empty() { "[… , …]".to_string() } else { in_line(node) };
            let named = name.rsplit('.').next().filter(|_| name.contains('.'));
            let named = named.map_or(String::new(), |named| format!("{named}: "));
            format!("write {named}{{ key: {key}, levels: {levels} }}")
        }
        _ if declared.of_any_key().is_some() && items.len() == 1 && items[0].as_text().is_some() => {
            mapping_meant(declared, &items[0].value, path)
                .unwrap_or_else(|| "write NAME: value, without `- `".to_string())
        }
        _ if declared.of_any_key().is_some() => "write NAME: value, without `- `".to_string(),
        _ => "write key: value, without `- `".to_string(),
    }
}

/// A line that lacks its colon, a name alone, or the one value of a mapping.
fn mapping_meant(declared: Declared, value: &Value, path: &str) -> Option<String> {
    if path == "design.baseline" || path.starts_with("design.exclude.") {
        return Some("name a level of each factor: write { FACTOR: LEVEL, FACTOR: LEVEL }".to_string());
    }
    let text = match value {
        Value::Text(text) => text.clone(),
        Value::Int(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        // A section that needs nothing said is there when it is empty.
        Value::Bool(true) if declared.required().is_empty() && path.contains('.') => {
            return Some("write {}".to_string());
        }
        Value::Bool(false) if path.contains('.') => return Some("leave it out".to_string()),
        _ => return None,
    };
    if !matches!(value, Value::Text(_))
        && declared.required().is_empty()
        && declared.of_any_key().is_none()
        && let Some(own) = of_number(declared, &Node { value: value.clone(), place: any_place() })
    {
        return Some(format!("write {own}"));
    }
    let (word, rest) = text.split_once([' ', '=', '：']).unwrap_or((&text, ""));
    let rest = rest.trim_start_matches([' ', '=', '：']);
    if declared.property(word).is_some() && !rest.is_empty() && !rest.contains(' ') {
        return Some(format!("write {word}: {rest}"));
    }
    let is_text = matches!(value, Value::Text(_));
    let is_named = is_text && declared.property("name").is_some() && names::check_seat_name(&text).is_ok();
    if is_named {
        return Some(format!("write {{ name: {text} }}"));
    }
    if let Some(any) = declared.of_any_key() {
        let kinds = any.kinds();
        let settings = kinds.iter().filter_map(|kind| Some((kind.word, kind.settings?)));
        let mut of_kind =
            settings.filter_map(|(word, settings)| Some(format!("{{ {word}: {} }}", holding(settings, &text, value)?)));
        let item = of_kind.next_back().or_else(|| holding(any, &text, value));
        let item = item
            .or_else(|| any.types().any(|kind| kind == "string").then(|| in_line(&Node::text(&text, any_place()))))?;
        return Some(format!("write {{ NAME: {item} }}"));
    }
    holding(declared, &text, value).map(|mapping| format!("write {mapping}"))
}

/// A mapping that holds a value under the key that surely takes it.
fn holding(declared: Declared, text: &str, value: &Value) -> Option<String> {
    let is_of = |part: Declared, kind: &str| part.types().any(|own| own == kind);
    let takes = |key: &&str, kind: &str| {
        let part = declared.property(key);
        part.is_some_and(|part| is_of(part, kind) || part.forms().into_iter().any(|form| is_of(form, kind)))
    };
    let required = declared.required();
    let of_word = |part: Declared| part.kinds().into_iter().find(|kind| kind.word == text);
    let own = match value {
        Value::Text(_) => {
            let of_word = declared.properties().find(|(_, part)| of_word(*part).is_some());
            let file = ["file"].into_iter().find(|key| text.contains('.') && required.contains(key));
            let model = ["model"].into_iter().find(|key| required.contains(key));
            let single = (required.len() == 1 && takes(&required[0], "string")).then(|| required[0]);
            of_word.map(|(word, _)| word).or(file).or(model).or(single)?
        }
        _ => {
            let numeric = |key: &&str| takes(key, "number") || takes(key, "integer");
            let single = required.iter().copied().find(|key| required.len() == 1 && numeric(key));
            single.or_else(|| ["round", "count"].into_iter().find(|key| declared.property(key).is_some()))?
        }
    };
    let is_own = required.contains(&own) || declared.required_one_of().contains(&own);
    let others = required.iter().filter(|key| **key != own && !(own == "count" && **key == "name"));
    let either = declared.required_one_of();
    let either = either.first().filter(|_| !either.contains(&own) && own == "model");
    let mut keys: Vec<String> = either.into_iter().chain(others).map(|key| format!("{key}: …")).collect();
    let kind = declared.property(own).and_then(of_word).and_then(|kind| Some((kind.word, kind.needed()?)));
    let written = match kind {
        Some((word, settings)) => format!("{own}: {}", with_settings(word, settings)),
        None => format!("{own}: {text}"),
    };
    if is_own && own != "model" {
        keys.insert(0, written)
    } else {
        keys.push(written)
    }
    Some(format!("{{ {} }}", keys.join(", ")))
}

/// No place at all: for what is only shown.
fn any_place() -> Place {
    Place::file(Origin::Default, "")
}

/// What may stand where any number of the author's choice does.
fn any_number(path: &str) -> Option<String> {
    (path == "seed").then(|| "write a whole number of your choice, as in seed: 42".to_string())
}

fn number_in_place(types: &[&str], declared: Declared, text: &str) -> Option<String> {
    if text.trim().parse::<f64>().is_ok() {
        return Some("leave the quotes out".to_string());
    }
    if text.contains(" //") {
        return Some("a comment begins with ` #`".to_string());
    }
    let number = number_meant(text).or_else(|| spelt(text))?;
    let fits = (types != ["integer"] || number.fract() == 0.0) && outside(declared, number, "").is_none();
    fits.then(|| format!("write {number}"))
}
