//! From the tree to types: a serde deserializer whose errors know place, dotted path and what was probably meant.
//!
//! It converts nothing: a number is not a text, a text is not a number, and nothing is a list of one.

use std::fmt;

use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, Unexpected, Visitor};

use super::tree::{Entry, Node, Value};
use super::{Place, Problem, suggest};

/// Reads a tree into a type; `path` is the tree's own place in the whole, empty for the root.
///
/// # Errors
/// The first mistake, with its place and dotted path.
pub fn decode<T: DeserializeOwned>(node: &Node, path: &str) -> Result<T, Problem> {
    T::deserialize(Reading(node)).map_err(|mistake| {
        let mistake = mistake.located(&node.place);
        let mut segments: Vec<String> = path.split('.').filter(|s| !s.is_empty()).map(str::to_string).collect();
        segments.extend(mistake.path.into_iter().rev());
        let place = mistake.place.expect("invariant: the mistake was just located");
        Problem::at(&place, segments.join("."), mistake.message).with_hint(mistake.hint)
    })
}

/// A mistake on its way out of the tree; the path is gathered innermost first.
#[derive(Debug)]
struct Mistake {
    path: Vec<String>,
    place: Option<Place>,
    message: String,
    hint: Option<String>,
}

impl Mistake {
    fn new(message: String) -> Self {
        Self { path: Vec::new(), place: None, message, hint: None }
    }

    fn located(mut self, place: &Place) -> Self {
        self.place.get_or_insert_with(|| place.clone());
        self
    }

    fn under(mut self, segment: String, place: &Place) -> Self {
        self.path.push(segment);
        self.located(place)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Mistake {}

impl de::Error for Mistake {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let found = describe(&unexpected);
        let mistake = Self::new(format!("expected {}, found {found}", in_words(&expected.to_string())));
        let quotable = matches!(unexpected, Unexpected::Signed(_) | Unexpected::Float(_) | Unexpected::Bool(_));
        let hint = (quotable && expected.to_string() == "a string").then(|| "put it in quotes".to_string());
        Self { hint, ..mistake }
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        match unexpected {
            Unexpected::Signed(number) if number < 0 => Self::new(format!("{number} is less than 0")),
            Unexpected::Signed(number) => Self::new(format!("{number} is too large")),
            other => Self::invalid_type(other, expected),
        }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self { hint: suggest(variant, expected.iter().copied()), ..Self::new(format!("unknown value \"{variant}\"")) }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self {
            hint: suggest(field, expected.iter().copied()),
            path: vec![field.to_string()],
            ..Self::new("unknown key".to_string())
        }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(format!("the key \"{field}\" is missing"))
    }
}

fn describe(unexpected: &Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Bool(truth) => truth.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => format!("{number:?}"),
        Unexpected::Str(text) => format!("the text {text:?}"),
        Unexpected::Unit => "nothing".to_string(),
        Unexpected::Seq => "a list".to_string(),
        Unexpected::Map => "a mapping".to_string(),
        other => other.to_string(),
    }
}

fn in_words(expected: &str) -> &str {
    match expected {
        "u8" | "u32" | "u64" | "usize" | "i64" => "a whole number",
        "f64" => "a number",
        "a string" => "text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a mapping",
        other if other.starts_with("struct ") => "a mapping",
        other => other,
    }
}

/// A part of the tree that is being read.
#[derive(Clone, Copy)]
struct Reading<'de>(&'de Node);

impl<'de> Deserializer<'de> for Reading<'de> {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        let read = match &self.0.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(truth) => visitor.visit_bool(*truth),
            Value::Int(number) => visitor.visit_i64(*number),
            Value::Real(number) => visitor.visit_f64(*number),
            Value::Inexact(words) => Err(Mistake::new(super::hints::inexact(words))),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::List(items) => visitor.visit_seq(Items { items, next: 0 }),
            Value::Map(entries) => visitor.visit_map(Entries { entries, next: 0 }),
        };
        read.map_err(|mistake| mistake.located(&self.0.place))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        // Serde would also read a struct from a list of its fields, which no author means.
        match &self.0.value {
            Value::List(_) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        let read = match &self.0.value {
            Value::Text(_) => visitor.visit_enum(Choice { node: self.0, entry: None }),
            Value::Map(entries) if entries.len() == 1 => {
                visitor.visit_enum(Choice { node: self.0, entry: entries.first() })
            }
            Value::Map(_) => Err(Mistake::new(format!("expected exactly one of {}", variants.join(", ")))),
            _ => Err(Mistake::new(format!("expected one of {}", variants.join(", ")))),
        };
        read.map_err(|mistake| mistake.located(&self.0.place))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

struct Items<'de> {
    items: &'de [Node],
    next: usize,
}

impl<'de> de::SeqAccess<'de> for Items<'de> {
    type Error = Mistake;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Mistake> {
        let Some(item) = self.items.get(self.next) else {
            return Ok(None);
        };
        let position = self.next;
        self.next += 1;
        let read = seed.deserialize(Reading(item));
        read.map(Some).map_err(|mistake| mistake.under(item.segment(position), &item.place))
    }
}

struct Entries<'de> {
    entries: &'de [Entry],
    next: usize,
}

impl<'de> de::MapAccess<'de> for Entries<'de> {
    type Error = Mistake;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Mistake> {
        let Some(entry) = self.entries.get(self.next) else {
            return Ok(None);
        };
        let read = seed.deserialize(entry.key.as_str().into_deserializer());
        read.map(Some).map_err(|mistake: Mistake| mistake.located(&entry.place))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Mistake> {
        let entry = &self.entries[self.next];
        self.next += 1;
        let read = seed.deserialize(Reading(&entry.node));
        read.map_err(|mistake| mistake.under(entry.key.clone(), &entry.node.place))
    }
}

/// An externally tagged value: a text, or a mapping with one key.
struct Choice<'de> {
    node: &'de Node,
    entry: Option<&'de Entry>,
}

impl<'de> de::EnumAccess<'de> for Choice<'de> {
    type Error = Mistake;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Mistake> {
        let (word, place) = match self.entry {
            Some(entry) => (entry.key.as_str(), &entry.place),
            None => (self.node.as_text().unwrap_or_default(), &self.node.place),
        };
        let read = seed.deserialize(word.into_deserializer());
        let variant = read.map_err(|mistake: Mistake| mistake.located(place))?;
        Ok((variant, self))
    }
}

impl<'de> Choice<'de> {
    fn content(&self) -> Result<&'de Entry, Mistake> {
        let word = self.node.as_text().unwrap_or_default();
        self.entry.ok_or_else(|| Mistake::new(format!("\"{word}\" needs its settings: write {{ {word}: {{}} }}")))
    }
}

impl<'de> de::VariantAccess<'de> for Choice<'de> {
    type Error = Mistake;

    fn unit_variant(self) -> Result<(), Mistake> {
        match self.entry {
            None => Ok(()),
            Some(entry) => Err(Mistake::new(format!("\"{}\" takes no settings", entry.key)).located(&entry.place)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Mistake> {
        let entry = match self.content() {
            Ok(entry) => entry,
            Err(mistake) => return seed.deserialize(Bare(mistake)),
        };
        let read = seed.deserialize(Reading(&entry.node));
        read.map_err(|mistake| mistake.under(entry.key.clone(), &entry.node.place))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Mistake> {
        let entry = self.content()?;
        let read = Reading(&entry.node).deserialize_any(visitor);
        read.map_err(|mistake| mistake.under(entry.key.clone(), &entry.node.place))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        let entry = self.content()?;
        let read = Reading(&entry.node).deserialize_any(visitor);
        read.map_err(|mistake| mistake.under(entry.key.clone(), &entry.node.place))
    }
}

/// What a word has for settings: none, which is a mistake where they may not be left out.
struct Bare(Mistake);

impl<'de> Deserializer<'de> for Bare {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Mistake> {
        Err(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any newtype_struct struct enum
    }
}
