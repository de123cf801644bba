//! Decodes a checked tree into types through serde.
//!
//! It converts no types. The structure check has already reported errors with their places.

use serde::de::value::{Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};

use crate::config::problem::Problem;
use crate::config::tree::{Node, Value};

/// Decodes a tree.
///
/// # Errors
/// If the tree does not have the structure that the type's schema declares.
pub fn decode_node<T: DeserializeOwned>(node: &Node) -> Result<T, Problem> {
    T::deserialize(NodeDeserializer(Some(node))).map_err(|error| Problem::at_place(&node.place, "", error.to_string()))
}

/// The node to decode; `None` for the omitted settings of a word.
#[derive(Clone, Copy)]
struct NodeDeserializer<'de>(Option<&'de Node>);

impl<'de> IntoDeserializer<'de, Error> for NodeDeserializer<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for NodeDeserializer<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.map_or(&Value::Null, |node| &node.value) {
            Value::Null => visitor.visit_unit(),
            Value::Bool(truth) => visitor.visit_bool(*truth),
            Value::Int(number) => visitor.visit_i64(*number),
            Value::Real(number) => visitor.visit_f64(*number),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::List(items) => {
                visitor.visit_seq(SeqDeserializer::new(items.iter().map(|item| NodeDeserializer(Some(item)))))
            }
            Value::Map(entries) => {
                let entries = entries.iter().map(|entry| (entry.key.as_str(), NodeDeserializer(Some(&entry.node))));
                visitor.visit_map(MapDeserializer::new(entries))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.is_none_or(|node| node.value == Value::Null) {
            true => visitor.visit_none(),
            false => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let word = self.0.and_then(Node::as_text).map(|word| (word, NodeDeserializer(None)));
        let entries = self.0.map(Node::entries).unwrap_or_default().iter();
        let settings = entries.map(|entry| (entry.key.as_str(), NodeDeserializer(Some(&entry.node))));
        visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(word.into_iter().chain(settings))))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}
