//! The JSON Schemas (draft 2020-12) of configs and scenarios, derived from the decoded types, with defaults. They do not cover
//! references between keys; lowering checks those.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use crate::config::written::config::Config;
use crate::config::written::scenario::{SHARED_SECTIONS, ScenarioConfig};

/// The default config; YAML.
pub const DEFAULTS: &str = include_str!("defaults.yaml");
/// The defaults of a model behind a server; YAML.
pub const OPENAI_DEFAULTS: &str = include_str!("openai.yaml");

/// The keyword for parts that others refer to.
const DEFINITIONS: &str = "$defs";
static CONFIG: LazyLock<Value> = LazyLock::new(|| {
    let mut schema = root_schema::<Config>("Config of an experiment");
    let whole = schema.pointer_mut("").expect("invariant: a schema has a root");
    whole["required"] = json!(["experiment", "scenario", "seed", "models", "seats"]);
    finish_schema(schema)
});
static SCENARIO: LazyLock<Value> = LazyLock::new(|| {
    let mut schema = root_schema::<ScenarioConfig>("Scenario");
    let config = root_schema::<Config>("Config");
    for section in SHARED_SECTIONS {
        schema["properties"][section] = config["properties"][section].clone();
    }
    let shared = config[DEFINITIONS].as_object().cloned().unwrap_or_default();
    let own = schema[DEFINITIONS].as_object_mut().expect("invariant: a scenario's schema has parts");
    for (name, definition) in shared {
        own.entry(name).or_insert(definition);
    }
    finish_schema(schema)
});

/// The schema of a config.
pub fn config_schema() -> Value {
    CONFIG.clone()
}

/// The schema of `scenario.yaml`.
pub fn scenario_schema() -> Value {
    SCENARIO.clone()
}

/// Like [`config_schema`], without a copy.
pub fn of_config() -> &'static Value {
    &CONFIG
}

/// Like [`scenario_schema`], without a copy.
pub fn of_scenario() -> &'static Value {
    &SCENARIO
}

/// The schema of a type, without defaults.
pub fn root_schema<T: JsonSchema>(title: &str) -> Value {
    let generator = SchemaSettings::draft2020_12().with_transform(PlainSchema).into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    schema["title"] = title.into();
    schema
}

/// Removes details of Rust that authors do not need: number formats, and `null` for optional keys, which authors leave out.
#[derive(Debug, Clone)]
struct PlainSchema;

impl Transform for PlainSchema {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else { return };
        if object.get("format").and_then(Value::as_str) == Some("uint32") && !object.contains_key("maximum") {
            object.insert("maximum".to_string(), u32::MAX.into());
        }
        object.remove("format");
        if let Some(Value::Array(types)) = object.get_mut("type") {
            types.retain(|kind| kind != "null");
            if let [one] = &types[..] {
                let one = one.clone();
                object.insert("type".to_string(), one);
            }
        }
        if let Some(Value::Array(kinds)) = object.get_mut("anyOf") {
            kinds.retain(|kind| kind != &json!({ "type": "null" }));
            if let [Value::Object(one)] = &kinds[..] {
                let one = one.clone();
                object.remove("anyOf");
                object.extend(one);
            }
        }
    }
}

/// Adds the defaults, makes keys with defaults optional, and removes unreferenced parts.
fn finish_schema(mut schema: Value) -> Value {
    let defaults = |text: &str| -> Value {
        serde_yaml::from_str(text).expect("invariant: the defaults that are built in can be read")
    };
    lay_defaults(&mut schema, "", &defaults(DEFAULTS));
    lay_defaults(&mut schema, &format!("/{DEFINITIONS}/OpenAiConfig"), &defaults(OPENAI_DEFAULTS));
    relax_required(&mut schema);
    let needed = needed_parts(&schema);
    let parts = schema[DEFINITIONS].as_object_mut().expect("invariant: a schema has parts");
    parts.retain(|name, _| needed.contains(name));
    schema
}

/// The names of the parts that the schema references, directly or indirectly.
fn needed_parts(schema: &Value) -> BTreeSet<String> {
    let own =
        schema.as_object().into_iter().flatten().filter(|(key, _)| key.as_str() != DEFINITIONS).map(|(_, value)| value);
    let (mut needed, mut open): (BTreeSet<String>, Vec<&Value>) = (BTreeSet::new(), own.collect());
    while let Some(value) = open.pop() {
        let name = value.get("$ref").and_then(Value::as_str).and_then(|part| part.rsplit('/').next());
        if let Some(name) = name.filter(|name| !needed.contains(*name)) {
            needed.insert(name.to_owned());
            open.push(&schema[DEFINITIONS][name]);
        }
        match value {
            Value::Object(entries) => open.extend(entries.values()),
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    needed
}

/// Adds defaults to the mapping at a pointer, at every level; a section gets no default of its own.
fn lay_defaults(schema: &mut Value, at: &str, defaults: &Value) {
    for (key, default) in defaults.as_object().into_iter().flatten() {
        let property = format!("{at}/properties/{key}");
        let Some(found) = schema.pointer_mut(&property) else { continue };
        let part = found.get("$ref").and_then(Value::as_str).map(|part| part.trim_start_matches('#').to_string());
        let is_section = default.as_object().is_some_and(|section| !section.is_empty());
        match part.filter(|_| is_section) {
            Some(part) => {
                lay_defaults(schema, &part, default);
                schema[DEFINITIONS][part.rsplit('/').next().unwrap_or_default()]
                    .as_object_mut()
                    .map(|part| part.remove("required"));
            }
            None => found["default"] = default.clone(),
        }
    }
}

/// Makes keys with defaults optional.
fn relax_required(schema: &mut Value) {
    let has_default: Vec<String> = schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(_, property)| property.get("default").is_some())
        .map(|(key, _)| key.clone())
        .collect();
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|key| !has_default.iter().any(|known| key == known));
        if required.is_empty() {
            schema.as_object_mut().map(|schema| schema.remove("required"));
        }
    }
    match schema {
        Value::Array(parts) => parts.iter_mut().for_each(relax_required),
        Value::Object(parts) => parts.values_mut().for_each(relax_required),
        _ => {}
    }
}
