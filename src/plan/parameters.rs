//! The knobs that a scenario declares, and the values that a config gives them.

use std::borrow::Cow;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Visitor};

use super::names::check_word;
use super::tree::Node;
use super::{did_you_mean, hints};
use crate::prompt::Parameter;

/// A single value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Real(f64),
    /// A text.
    Text(String),
}

/// A parameter: a knob that a config may turn.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParameterConfig {
    /// What kind of value it takes.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// Its value when the config says nothing.
    pub default: Scalar,
    /// The least and the greatest value, for the types `int` and `number`.
    pub range: Option<(f64, f64)>,
    /// The words to choose from, for the type `choice`.
    pub choices: Option<Vec<String>>,
    /// One line for authors of configs.
    #[serde(rename = "help")]
    pub _help: String,
}

/// What kind of value a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// Any text.
    Text,
    /// A whole number.
    Int,
    /// A number, with or without decimals.
    Number,
    /// `true` or `false`.
    Bool,
    /// One of some words.
    Choice,
}

impl ParameterConfig {
    /// What is wrong with the declaration itself; empty when nothing is.
    pub fn mistakes(&self, name: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        mistakes.extend(check_word(name).err());
        match &self.choices {
            None if self.kind == ParameterKind::Choice => {
                mistakes.push("`choices` belongs to the type choice, and only to it".to_string());
            }
            Some(_) if self.kind != ParameterKind::Choice => {
                mistakes.push("`choices` belongs to the type choice, and only to it".to_string());
            }
            Some(choices) if choices.is_empty() => mistakes.push("there is nothing to choose from".to_string()),
            Some(choices) => {
                let twice = choices.iter().enumerate().find(|(i, word)| choices[..*i].contains(word));
                mistakes.extend(twice.map(|(_, word)| format!("the choice \"{word}\" is listed twice")));
            }
            None => {}
        }
        let is_number = matches!(self.kind, ParameterKind::Int | ParameterKind::Number);
        if let Some((least, greatest)) = self.range {
            if !is_number {
                mistakes.push("`range` belongs to the types int and number".to_string());
            }
            if least > greatest {
                mistakes.push(format!("the range [{least}, {greatest}] is not in order"));
            }
            if self.kind == ParameterKind::Int && (least.fract() != 0.0 || greatest.fract() != 0.0) {
                mistakes.push("the bounds of a whole number are whole numbers".to_string());
            }
        }
        mistakes
    }

    /// Why a value is not allowed; `None` when it is.
    pub fn refuses(&self, value: &Scalar) -> Option<String> {
        match (self.kind, value) {
            (ParameterKind::Text, Scalar::Text(_)) | (ParameterKind::Bool, Scalar::Bool(_)) => None,
            // No whole number that an author writes is so great that a float would not tell it from its neighbours.
            (ParameterKind::Int | ParameterKind::Number, Scalar::Int(number)) => {
                self.outside(*number as f64, number.to_string())
            }
            (ParameterKind::Number, Scalar::Real(number)) => self.outside(*number, number.to_string()),
            (ParameterKind::Choice, Scalar::Text(word)) => {
                let choices = self.choices.as_deref().unwrap_or_default();
                let known = choices.iter().any(|choice| choice == word);
                (!known).then(|| format!("\"{word}\" is not one of {}", choices.join(", ")))
            }
            (ParameterKind::Text, _) => Some("expected text".to_string()),
            (ParameterKind::Bool, _) => Some("expected true or false".to_string()),
            (ParameterKind::Int, _) => Some("expected a whole number".to_string()),
            (ParameterKind::Number, _) => Some("expected a number".to_string()),
            (ParameterKind::Choice, _) => Some("expected one of the words that the scenario lists".to_string()),
        }
    }

    /// What was probably meant by a value that is refused, where it stands under a path.
    pub fn meant(&self, node: &Node, path: &str) -> Option<String> {
        let types = match self.kind {
            ParameterKind::Text => "string",
            ParameterKind::Int => "integer",
            ParameterKind::Number => "number",
            ParameterKind::Bool => "boolean",
            ParameterKind::Choice => {
                return did_you_mean(node.as_text()?, self.choices.iter().flatten().map(String::as_str));
            }
        };
        hints::suggest_type(&[types], node, path)
    }

    fn outside(&self, number: f64, written: String) -> Option<String> {
        let (least, greatest) = self.range?;
        (!(least..=greatest).contains(&number)).then(|| format!("{written} is outside {least} … {greatest}"))
    }
}

impl Scalar {
    /// The value as a scenario's own texts read it.
    pub fn template_value(&self) -> minijinja::Value {
        match self.parameter_value() {
            Parameter::Bool(truth) => minijinja::Value::from(truth),
            Parameter::Int(number) => minijinja::Value::from(number),
            Parameter::Decimal(text) | Parameter::Text(text) => minijinja::Value::from(text),
        }
    }

    /// The value as the plan keeps it and prompts read it.
    pub fn parameter_value(&self) -> Parameter {
        match self {
            Scalar::Bool(truth) => Parameter::Bool(*truth),
            Scalar::Int(number) => Parameter::Int(*number),
            // `2.0` and `2` are one number, and read alike.
            Scalar::Real(number) if number.fract() == 0.0 && number.abs() < 9e15 => Parameter::Int(*number as i64),
            Scalar::Real(number) => Parameter::Decimal(number.to_string()),
            Scalar::Text(text) => Parameter::Text(text.clone()),
        }
    }
}

/// All values in the scenario's order.
pub fn in_order(
    declared: &IndexMap<String, ParameterConfig>,
    values: &IndexMap<String, Scalar>,
) -> Vec<(String, Parameter)> {
    let value = |name: &String| values.get(name).map(|value| (name.clone(), value.parameter_value()));
    declared.keys().filter_map(value).collect()
}

impl JsonSchema for Scalar {
    fn schema_name() -> Cow<'static, str> {
        "Scalar".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "A single value.", "type": ["string", "number", "boolean"] })
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScalarVisitor;

        impl Visitor<'_> for ScalarVisitor {
            type Value = Scalar;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text, a number, true or false")
            }

            fn visit_bool<E>(self, truth: bool) -> Result<Scalar, E> {
                Ok(Scalar::Bool(truth))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Scalar, E> {
                Ok(Scalar::Int(number))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Scalar, E> {
                Ok(Scalar::Real(number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(text.to_string()))
            }
        }

        deserializer.deserialize_any(ScalarVisitor)
    }
}
