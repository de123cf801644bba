//! Who takes part, as it is written.

use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::plan::Scalar;

/// Seats: a list of their names, or a role, `everyone` or an expression that is true of a `seat`.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum SeatsConfig {
    /// The names of seats.
    Names(Vec<String>),
    /// A role, `everyone`, or an expression.
    Expression(Scalar),
}

impl<'de> Deserialize<'de> for SeatsConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SeatsVisitor;

        impl<'de> Visitor<'de> for SeatsVisitor {
            type Value = SeatsConfig;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of seat names, a role, everyone, or an expression about a seat")
            }

            fn visit_bool<E>(self, truth: bool) -> Result<SeatsConfig, E> {
                Ok(SeatsConfig::Expression(Scalar::Bool(truth)))
            }

            fn visit_str<E>(self, text: &str) -> Result<SeatsConfig, E> {
                Ok(SeatsConfig::Expression(Scalar::Text(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, names: A) -> Result<SeatsConfig, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(names)).map(SeatsConfig::Names)
            }
        }

        deserializer.deserialize_any(SeatsVisitor)
    }
}
