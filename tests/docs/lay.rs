//! YAML laid into YAML: at the root mappings are joined key by key; at a key the fragment stands for what was there.

use serde_json::{Map, Value};

/// A document with a fragment laid into it at a dotted key, or at its root; numbers in the key are places in lists.
///
/// # Errors
/// What cannot be read, or a place that is not there.
pub fn laid(document: &str, fragment: &str, at: &str) -> Result<String, String> {
    let mut whole = read(document)?;
    let part = read(fragment)?;
    let mut place = &mut whole;
    for key in at.split('.').filter(|key| !key.is_empty()) {
        place = match place {
            Value::Array(items) => {
                let index = key.parse::<usize>().ok().filter(|index| *index < items.len());
                items.get_mut(index.unwrap_or(usize::MAX)).ok_or_else(|| format!("{at}: no item {key}"))?
            }
            Value::Object(map) => map.entry(key).or_insert(Value::Null),
            _ => return Err(format!("{at}: nothing is under {key}")),
        };
    }
    if at.is_empty() {
        join(place, part);
    } else {
        *place = part;
    }
    serde_json::to_string_pretty(&whole).map_err(|error| error.to_string())
}

/// A document without one of its first keys.
///
/// # Errors
/// What cannot be read.
pub fn without(document: &str, key: &str) -> Result<String, String> {
    let mut whole = read(document)?;
    if let Value::Object(map) = &mut whole {
        map.shift_remove(key);
    }
    serde_json::to_string_pretty(&whole).map_err(|error| error.to_string())
}

fn read(text: &str) -> Result<Value, String> {
    serde_yaml::from_str_with_options(text, serde_yaml::options! { strict_booleans: true })
        .map_err(|error| format!("not YAML: {error}"))
}

fn join(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                join(under.entry(key).or_insert(Value::Object(Map::new())), value);
            }
        }
        (under, over) => *under = over,
    }
}
