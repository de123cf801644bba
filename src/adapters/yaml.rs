//! YAML 1.2 text → tree, with the place of every key and value.
//!
//! Documents are bounded in size, nodes, depth and aliases, so that no small file can ask for much memory. What the
//! values mean is not known here.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::options::{AliasLimits, DuplicateKeyPolicy, MergeKeyPolicy};
use serde_yaml::{Location, Spanned};

use crate::plan::{Entry, Node, Origin, Place, Problem, Value};

/// The largest document that is read, in bytes.
pub const BYTES_MAX: usize = 1_000_000;
/// The most values and keys a document may hold, aliases written out.
const NODES_MAX: usize = 20_000;
/// The deepest nesting.
const DEPTH_MAX: usize = 32;

/// Reads one YAML document.
///
/// # Errors
/// When it is empty, too large, not UTF-8, not YAML, or not a mapping.
pub fn read(bytes: &[u8], file: &str, origin: Origin) -> Result<Node, Problem> {
    if bytes.len() > BYTES_MAX {
        return Err(Problem::of_file(file, format!("larger than {BYTES_MAX} bytes")));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Problem::of_file(file, "not a text file (not UTF-8)"))?;
    if text.contains('\0') {
        return Err(Problem::of_file(file, "not a text file (holds a zero byte)"));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let node = read_value(&text, file, origin)?;
    match node.value {
        Value::Map(_) => Ok(node),
        Value::Null => Err(Problem::of_file(file, "the file is empty")),
        _ => Err(Problem::at(&node.place, "", "expected a mapping (`key: value` lines)")),
    }
}

/// Reads one YAML value, such as `unanimity`, `3` or `{ voter: { copy: 0.5 } }`.
///
/// # Errors
/// When it is not YAML.
pub fn read_value(text: &str, file: &str, origin: Origin) -> Result<Node, Problem> {
    if text.trim().is_empty() {
        let value = Value::Null;
        let place = Place::file(origin, file);
        return Ok(Node { value, place });
    }
    let read: Result<Spanned<Content>, _> = serde_yaml::from_str_with_options(text, options());
    match read {
        Ok(content) => Ok(placed(content, origin, &Arc::from(file))),
        Err(error) => Err(located(&error, file)),
    }
}

fn options() -> serde_yaml::Options {
    let budget = serde_yaml::budget! {
        max_nodes: NODES_MAX,
        max_events: 4 * NODES_MAX,
        max_aliases: 1_000,
        max_anchors: 1_000,
        max_depth: DEPTH_MAX,
        max_documents: 1,
    };
    let mut alias_limits = AliasLimits::default();
    alias_limits.max_total_replayed_events = NODES_MAX;
    alias_limits.max_replay_stack_depth = DEPTH_MAX;
    serde_yaml::options! {
        budget: budget,
        alias_limits: alias_limits,
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        underscored_numbers_as_strings: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

fn located(error: &serde_yaml::Error, file: &str) -> Problem {
    let error = error.without_snippet();
    let location = error.location().unwrap_or(Location::UNKNOWN);
    let message = match error {
        serde_yaml::Error::DuplicateMappingKey { key: Some(key), .. } => format!("the key \"{key}\" is given twice"),
        serde_yaml::Error::MergeKeyNotAllowed { .. } => "merge keys (`<<`) are not part of YAML 1.2".to_string(),
        serde_yaml::Error::Budget { .. } => {
            format!("more than one document, {NODES_MAX} values or {DEPTH_MAX} levels; one small document is expected")
        }
        serde_yaml::Error::RecursiveReferencesRequireWeakTypes { .. } => {
            "an alias stands inside its anchor".to_string()
        }
        serde_yaml::Error::NullIntoString { .. } => "a key is a text".to_string(),
        other => first_line(&other.to_string(), location),
    };
    Problem::at(&place_of(location, Origin::Config, &Arc::from(file)), "", message)
}

/// The library's words without the place, which is told apart.
fn first_line(rendered: &str, location: Location) -> String {
    let words = rendered.lines().next().unwrap_or_default();
    match words.split_once(" at line ") {
        Some((what, _)) if location != Location::UNKNOWN => what.to_string(),
        _ => words.to_string(),
    }
}

fn place_of(location: Location, origin: Origin, file: &Arc<str>) -> Place {
    Place {
        origin,
        file: file.clone(),
        line: u32::try_from(location.line()).unwrap_or(0),
        column: u32::try_from(location.column()).unwrap_or(0),
    }
}

/// A value as the YAML library tells it.
enum Content {
    Null,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
    List(Vec<Spanned<Content>>),
    Map(Vec<(Spanned<String>, Spanned<Content>)>),
}

fn placed(content: Spanned<Content>, origin: Origin, file: &Arc<str>) -> Node {
    let value = match content.value {
        Content::Null => Value::Null,
        Content::Bool(truth) => Value::Bool(truth),
        Content::Int(number) => Value::Int(number),
        Content::Real(number) => Value::Real(number),
        Content::Text(text) => Value::Text(text),
        Content::List(items) => Value::List(items.into_iter().map(|item| placed(item, origin, file)).collect()),
        Content::Map(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, node)| Entry {
                    place: place_of(key.referenced, origin, file),
                    key: key.value,
                    node: placed(node, origin, file),
                })
                .collect(),
        ),
    };
    let place = place_of(content.referenced, origin, file);
    Node { value, place }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Content, E> {
        Ok(Content::Null)
    }

    fn visit_none<E>(self) -> Result<Content, E> {
        Ok(Content::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Content, E> {
        Ok(Content::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Content, E> {
        Ok(Content::Int(number))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Content, E> {
        match i64::try_from(number) {
            Ok(number) => Ok(Content::Int(number)),
            Err(_) => Err(E::custom(format!("the number {number} is too large"))),
        }
    }

    fn visit_f64<E>(self, number: f64) -> Result<Content, E> {
        Ok(Content::Real(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(Content::Text(text.to_string()))
    }

    fn visit_string<E>(self, text: String) -> Result<Content, E> {
        Ok(Content::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Content, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Content::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Content, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Content::Map(entries))
    }
}
