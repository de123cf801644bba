//! The objects of replies in JSON: which keys they have, all of them compulsory unless they may be left out. What the values mean
//! is not known here.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::domain::{Fault, Replacement};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NameObject {
    pub name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecognitionObject {
    pub recognised: String,
    #[serde(deserialize_with = "string_or_null")]
    pub which: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotesObject {
    #[serde(deserialize_with = "string_or_null")]
    pub append: Option<String>,
    #[serde(deserialize_with = "replacement_or_null")]
    pub replace: Option<Replacement>,
}

fn replacement_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Replacement>, D::Error> {
    Option::deserialize(deserializer)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StatementObject {
    pub statement: String,
    // An `Option` field may by default be left out; reading it by hand makes the key compulsory.
    #[serde(deserialize_with = "string_or_null")]
    pub stance: Option<String>,
    #[serde(default, deserialize_with = "whatever_is_there")]
    pub amount: Option<Value>,
    #[serde(default, deserialize_with = "whatever_is_there")]
    pub opinion: Option<Value>,
    #[serde(default)]
    pub marks: Option<Vec<MarkObject>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkObject {
    pub mark: String,
    pub to: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UrgencyObject {
    #[serde(deserialize_with = "whole_or_null")]
    pub urgency: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChoiceObject {
    pub choice: String,
    #[serde(default, deserialize_with = "whatever_is_there")]
    pub amount: Option<Value>,
    #[serde(default, deserialize_with = "whatever_is_there")]
    pub opinion: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AmountObject {
    pub amount: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RankingObject {
    pub ranking: Vec<Value>,
    pub certainty: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TestObject {
    pub answers: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ApplicationObject {
    pub choice: String,
    #[serde(default, deserialize_with = "whatever_is_there")]
    pub amount: Option<Value>,
    pub certainty: String,
    pub reasoning: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssentObject {
    pub answer: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteObject {
    pub text: String,
}

fn string_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

fn whole_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    Option::deserialize(deserializer)
}

/// Tells `null`, which is a value, from a key that is not there.
fn whatever_is_there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Reads exactly one object. A JSON array would do for serde, too, and is turned away.
pub(super) fn read_object<'de, T: Deserialize<'de>>(raw: &'de str) -> Result<T, Fault> {
    if !raw.trim_start().starts_with('{') {
        return Err(Fault::Unreadable);
    }
    serde_json::from_str(raw).map_err(|_| Fault::Unreadable)
}
