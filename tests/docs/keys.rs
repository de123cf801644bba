//! A JSON Schema (draft 2020-12) as tables of keys: dotted path, values, default, meaning.
//!
//! It reads what schemars writes: `$ref` into `$defs`, one-of lists of words or of mappings with one key, nullable types.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

/// What is said of a key that must be there.
const REQUIRED: &str = "*required*";
const WROTE: &str = "a string takes every character";

/// Every key that a schema describes: a table of the first keys, and one of what is below each.
pub fn keys(schema: &Value) -> String {
    let mut walk = Walk { root: schema, seen: BTreeMap::new(), rows: Vec::new() };
    walk.below(schema, "", REQUIRED);
    let (first, below): (Vec<&Row>, Vec<&Row>) = walk.rows.iter().partition(|row| !row.path.contains(['.', '[']));
    let mut out = table(&first);
    for section in first {
        let rows = below.iter().filter(|row| row.path.split(['.', '[']).next() == Some(section.path.as_str()));
        let rows: Vec<&Row> = rows.copied().collect();
        if !rows.is_empty() {
            writeln!(out, "\n### {}\n{}", section.path, table(&rows).trim_end()).expect(WROTE);
        }
    }
    out
}

fn table(rows: &[&Row]) -> String {
    let mut out = "\n| key | values | default | meaning |\n| --- | --- | --- | --- |\n".to_owned();
    for Row { path, values, default, meaning } in rows {
        writeln!(out, "| `{path}` | {values} | {default} | {} |", meaning.trim()).expect(WROTE);
    }
    out
}

struct Row {
    path: String,
    values: String,
    default: String,
    meaning: String,
}

/// The way through a schema: what was seen is described once, where it comes first.
struct Walk<'a> {
    root: &'a Value,
    seen: BTreeMap<String, String>,
    rows: Vec<Row>,
}

impl<'a> Walk<'a> {
    /// Adds a row for each key of a mapping, and those below it; `needed` is said of keys that must be there.
    fn below(&mut self, schema: &'a Value, path: &str, needed: &str) {
        if let Some(reference) = schema["$ref"].as_str() {
            let target = resolved(self.root, schema);
            match self.seen.get(reference) {
                Some(first) if has_keys(self.root, target) => {
                    let again = format!(" Keys as under `{first}`.");
                    self.rows.last_mut().into_iter().for_each(|row| row.meaning.push_str(&again));
                }
                Some(_) => {}
                None => {
                    self.seen.insert(reference.to_owned(), path.to_owned());
                    self.below(target, path, needed);
                }
            }
        }
        let several = parts(schema).count() > 1;
        for part in parts(schema) {
            self.below(part, path, if several { "" } else { needed });
        }
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (key, below) in schema["properties"].as_object().into_iter().flatten() {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let without = if required.contains(&key.as_str()) { needed } else { "" };
            let mut row = row(self.root, below, &path, without);
            // The only key of a mapping may have its words there.
            let only = schema["properties"].as_object().filter(|keys| keys.len() == 1);
            if let Some(words) = only.and(schema["description"].as_str()).filter(|_| row.meaning.is_empty()) {
                row.meaning = cell(&words.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            self.rows.push(row);
            self.below(below, &path, REQUIRED);
        }
        if schema["items"].is_object() {
            self.below(&schema["items"], &format!("{path}[]"), REQUIRED);
        }
        if schema["additionalProperties"].is_object() {
            self.below(&schema["additionalProperties"], &format!("{path}.<name>"), REQUIRED);
        }
    }
}

/// Whether there are keys in a schema or in what it is made of.
fn has_keys(root: &Value, schema: &Value) -> bool {
    schema["properties"].is_object() || parts(schema).any(|part| has_keys(root, resolved(root, part)))
}

/// A key's row; `without` is what happens without it, where the schema states no default.
fn row(root: &Value, schema: &Value, path: &str, without: &str) -> Row {
    let target = resolved(root, schema);
    let described = [schema, target].into_iter().find_map(|schema| schema["description"].as_str());
    let default = [schema, target].into_iter().find_map(|schema| schema.get("default"));
    let default = match default {
        Some(default) if !default.is_null() => format!("`{}`", cell(&default.to_string())),
        _ => without.to_owned(),
    };
    let meaning = cell(&described.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "));
    Row { path: path.to_owned(), values: values(root, schema, &mut Vec::new()), default, meaning }
}

/// What a key takes, in words.
fn values(root: &Value, schema: &Value, within: &mut Vec<String>) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        if within.iter().any(|other| other == reference) {
            return String::new();
        }
        within.push(reference.to_owned());
        let values = values(root, resolved(root, schema), within);
        within.pop();
        return values;
    }
    if let Some(word) = schema.get("const") {
        return format!("`{}`", cell(word.as_str().unwrap_or(&word.to_string())));
    }
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().filter(|word| !word.is_null());
        return words
            .map(|word| format!("`{}`", cell(word.as_str().unwrap_or(&word.to_string()))))
            .collect::<Vec<_>>()
            .join(", ");
    }
    let parts: Vec<String> =
        parts(schema).map(|part| values(root, part, within)).filter(|part| !part.is_empty()).collect();
    if !parts.is_empty() {
        let mut once: Vec<String> = Vec::new();
        parts.into_iter().for_each(|part| {
            if !once.contains(&part) {
                once.push(part)
            }
        });
        return once.join(", ");
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(some) => some.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect(),
        _ => Vec::new(),
    };
    types
        .into_iter()
        .map(|kind| of_type(root, schema, kind, within))
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

fn of_type(root: &Value, schema: &Value, kind: &str, within: &mut Vec<String>) -> String {
    match kind {
        "boolean" => "`true`, `false`".to_owned(),
        "integer" => ranged("whole number", schema),
        "number" => ranged("number", schema),
        "string"
            if [["integer", "string"], ["number", "string"]]
                .iter()
                .any(|types| schema["type"] == serde_json::json!(types)) =>
        {
            "expression".to_owned()
        }
        "string" => "text".to_owned(),
        "array" => {
            let items = values(root, &schema["items"], within);
            if items.is_empty() { "list".to_owned() } else { format!("list of {items}") }
        }
        "object" => match schema["properties"].as_object() {
            Some(properties) if properties.len() == 1 => properties.keys().map(|key| format!("`{key}: …`")).collect(),
            _ => "mapping".to_owned(),
        },
        _ => String::new(),
    }
}

fn ranged(what: &str, schema: &Value) -> String {
    let bound = |closed: &str, open: &str, words: &str| {
        // The greatest number of four bytes is a bound of the program, not of the key.
        let number =
            |key: &str| schema.get(key).filter(|bound| bound.is_number() && bound.as_u64() != Some(4_294_967_295));
        let inside = number(closed).map(ToString::to_string);
        inside.or_else(|| number(open).map(|bound| format!("{words} {bound}")))
    };
    match (bound("minimum", "exclusiveMinimum", "above"), bound("maximum", "exclusiveMaximum", "below")) {
        (Some(least), Some(most)) => format!("{least} … {most}"),
        (Some(least), None) => format!("{what} from {least}"),
        (None, Some(most)) => format!("{what} to {most}"),
        (None, None) => what.to_owned(),
    }
}

/// The schemas that a schema is made of, other than by reference.
fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|key| schema[key].as_array());
    lists.flatten().filter(|part| part["type"] != "null")
}

fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let pointer = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    pointer.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
