//! The value of a parameter.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Visitor};

use crate::prompt::Parameter;

/// A single value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// Any other number.
    Real(f64),
    /// A text.
    Text(String),
}

impl Scalar {
    /// Converts the value for the scenario's own texts.
    pub fn template_value(&self) -> minijinja::Value {
        self.parameter_value().template_value()
    }

    /// Converts the value for the plan and its prompts.
    pub fn parameter_value(&self) -> Parameter {
        match self {
            Scalar::Bool(truth) => Parameter::Bool(*truth),
            Scalar::Int(number) => Parameter::Int(*number),
            // `2.0` and `2` are the same number and print alike.
            Scalar::Real(number) if number.fract() == 0.0 && number.abs() < 9e15 => Parameter::Int(*number as i64),
            Scalar::Real(number) => Parameter::Decimal(number.to_string()),
            Scalar::Text(text) => Parameter::Text(text.clone()),
        }
    }
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
