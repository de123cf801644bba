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

/// A mapping with exactly one of its keys, beside a name where it has one.
pub fn one_of_but_name(schema: &mut Schema) {
    let keys = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let kinds: Vec<Value> = keys.filter(|key| *key != "name").map(|key| json!({ "required": [key] })).collect();
    schema.insert("oneOf".to_string(), kinds.into());
}

/// A text, or the name of a template, whatever stands beside it.
pub fn text_or_template(schema: &mut Schema) {
    schema.insert("oneOf".to_string(), json!([{ "required": ["text"] }, { "required": ["template"] }]));
}

/// A mapping of which every key may be left out.
pub fn may_leave_out_all(schema: &mut Schema) {
    schema.remove("required");
}

/// A phase: exactly one kind, or a block.
pub fn one_kind_of_phase(schema: &mut Schema) {
    let keys = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let of_all = ["name", "repeat", "for", "when", "who", "heard_by", "forget", "remember", "groups"];
    let kinds = keys.filter(|key| !of_all.contains(&key.as_str()));
    let kinds: Vec<Value> = kinds.map(|key| json!({ "required": [key] })).collect();
    schema.insert("oneOf".to_string(), kinds.into());
}

/// A question: exactly one kind of it beside the seats that it is about.
pub fn one_kind_of_question(schema: &mut Schema) {
    let keys = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let kinds: Vec<Value> = keys.filter(|key| *key != "per").map(|key| json!({ "required": [key] })).collect();
    schema.insert("oneOf".to_string(), kinds.into());
}

/// A field of a form: exactly one kind of answer beside what every field has.
pub fn one_kind_of_field(schema: &mut Schema) {
    let keys = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let kinds = keys
        .filter(|key| !["id", "question", "help", "optional", "key", "keep_as", "measures"].contains(&key.as_str()));
    let kinds: Vec<Value> = kinds.map(|key| json!({ "required": [key] })).collect();
    schema.insert("oneOf".to_string(), kinds.into());
}

/// A factor: a key with its levels, or a set.
pub fn key_or_set(schema: &mut Schema) {
    schema.remove("required");
    schema.insert("oneOf".to_string(), json!([{ "required": ["key", "levels"] }, { "required": ["set"] }]));
}
