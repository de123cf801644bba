//! The right answer to a field of a form.

use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use crate::plan::Scalar;

/// The right answer: one value, or a list of options.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged)]
pub enum KeyConfig {
    /// A number, yes or no, or one option.
    One(Scalar),
    /// Options: those to approve of, or all in order.
    Several(Vec<String>),
}

impl<'de> Deserialize<'de> for KeyConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;

        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = KeyConfig;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number, true, false, an option or a list of options")
            }

            fn visit_bool<E>(self, yes: bool) -> Result<KeyConfig, E> {
                Ok(KeyConfig::One(Scalar::Bool(yes)))
            }

            fn visit_i64<E>(self, number: i64) -> Result<KeyConfig, E> {
                Ok(KeyConfig::One(Scalar::Int(number)))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<KeyConfig, E> {
                let number = i64::try_from(number).map_err(|_| E::custom(format!("{number} is too great")))?;
                Ok(KeyConfig::One(Scalar::Int(number)))
            }

            fn visit_f64<E>(self, number: f64) -> Result<KeyConfig, E> {
                Ok(KeyConfig::One(Scalar::Real(number)))
            }

            fn visit_str<E>(self, text: &str) -> Result<KeyConfig, E> {
                Ok(KeyConfig::One(Scalar::Text(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, options: A) -> Result<KeyConfig, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(options)).map(KeyConfig::Several)
            }
        }

        deserializer.deserialize_any(KeyVisitor)
    }
}
