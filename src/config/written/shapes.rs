//! Values that JSON schema cannot derive from a type: shares, weights, levels, servers.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::config::written::decision::WEIGHT_GREATEST;
use crate::config::written::limits::{COUNTED_NAME, SEATS_MAX};

/// The types of a share that may be an expression.
pub const SHARE_TYPES: [&str; 2] = ["number", "string"];

/// A whole number, or an expression that has one.
pub fn or_expression(schema: &mut Schema) {
    schema.insert("type".to_string(), json!(["integer", "string"]));
}

/// A share of a vote: a ratio of two whole numbers, a decimal, or an expression that has one.
pub fn share_or_expression(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": SHARE_TYPES, "examples": ["2/3", 0.75] })
}

/// A pair of whole numbers, or of expressions that have one.
pub fn pair_or_expressions(schema: &mut Schema) {
    let number = json!({ "type": ["integer", "string"], "minimum": 0 });
    schema.insert("prefixItems".to_string(), json!([number, number]));
}

/// Numbers of seats by the names of roles: each a whole number, an expression that has one, or `rest`.
pub fn role_seats(schema: &mut Schema) {
    schema.insert("additionalProperties".to_string(), json!({ "type": ["integer", "string"] }));
}

/// A ratio of two whole numbers as text, or a decimal.
pub fn ratio_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "number"], "examples": ["2/3", 0.75] })
}

/// What seats weigh, by their names.
pub fn weights_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": { "type": "integer", "minimum": 0, "maximum": WEIGHT_GREATEST },
    })
}

/// What seats weigh, by their names: each a whole number, or an expression that has one.
pub fn weights_or_expressions(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = weights_schema(generator);
    let weight = schema.pointer_mut("/additionalProperties/type").expect("invariant: a weight has a type");
    *weight = json!(["integer", "string"]);
    schema
}

/// The levels of a factor: values, or labels with their values.
pub fn levels_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["array", "object"], "minItems": 1, "minProperties": 1 })
}

/// A model behind a server, whose address is written or known of its kind.
pub fn address_or_server(schema: &mut Schema) {
    schema.insert("anyOf".to_string(), json!([{ "required": ["base_url"] }, { "required": ["server"] }]));
}

/// Seats as authors write them: `count` stands for several, whose name may be left out.
pub fn allow_seat_count(schema: &mut Schema) {
    let name = schema.pointer_mut("/properties/name").and_then(Value::as_object_mut);
    name.expect("invariant: a seat has a name").insert("examples".to_string(), json!(["Alice", COUNTED_NAME]));
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    properties.expect("invariant: a seat has keys").insert(
        "count".to_string(),
        json!({
            "description": format!("How many seats of this kind there are; left out, one. Their name holds `{{n}}` and may be left out: \"{COUNTED_NAME}\"."),
            "type": "integer",
            "minimum": 1,
            "maximum": SEATS_MAX,
        }),
    );
    schema.remove("required");
    schema.insert("anyOf".to_string(), json!([{ "required": ["name"] }, { "required": ["count"] }]));
}

/// A mapping with exactly one of its keys, beside others that belong to any of these.
pub fn one_of_all_but(others: &'static [&'static str]) -> impl FnMut(&mut Schema) {
    move |schema| {
        let keys = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        let kinds = keys.filter(|key| !others.contains(&key.as_str()));
        let kinds: Vec<Value> = kinds.map(|key| json!({ "required": [key] })).collect();
        schema.insert("oneOf".to_string(), kinds.into());
    }
}

/// A choice among several whose settings may be left out for these, which are then words, too.
pub fn also_words(words: &'static [&'static str]) -> impl FnMut(&mut Schema) {
    move |schema| {
        let kinds = schema.get_mut("oneOf").and_then(Value::as_array_mut).expect("invariant: it is one of several");
        for word in words {
            let has_it = |kind: &Value| kind["properties"].get(word).is_some();
            let place = kinds.iter().position(has_it).expect("invariant: a word has settings");
            let settings = &mut kinds[place]["properties"][word];
            *settings = settings["anyOf"][0].take();
            let alone = json!({ "type": "string", "const": word, "description": kinds[place]["description"] });
            kinds.insert(place, alone);
        }
    }
}

/// A text, or the name of a template, whatever stands beside it.
pub fn text_or_template(schema: &mut Schema) {
    schema.insert("oneOf".to_string(), json!([{ "required": ["text"] }, { "required": ["template"] }]));
}

/// A mapping of which every key may be left out.
pub fn may_leave_out_all(schema: &mut Schema) {
    schema.remove("required");
}

/// A factor: a key with its levels, or a set.
pub fn key_or_set(schema: &mut Schema) {
    schema.remove("required");
    schema.insert("oneOf".to_string(), json!([{ "required": ["key", "levels"] }, { "required": ["set"] }]));
}
