//! Forms in JSON: the schema under which a server makes a model reply, and the reply.

use indexmap::IndexMap;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, json};

use super::form::{FieldFault, FieldReason, check_name};
use super::lines::join_lines;
use super::number::{NumberFault, read_number, write_number};
use crate::domain::{Decimal, Field, FieldKind, FieldValue, FieldValues, Form, Language, Presence};

/// The JSON schema of the replies to a form, with the options in the order in which they are shown.
///
/// A schema cannot demand that a ranking names each option once, that points add up, that numbers have no more decimals than asked
/// for, or that a text is not blank. [`read_json`] checks this.
pub fn build_schema(form: &Form) -> Value {
    build_object(form.fields.iter().map(|field| (field.id.as_str(), build_field_schema(field, form.language))))
}

fn build_field_schema(field: &Field, language: Language) -> Value {
    let schema = match &field.kind {
        FieldKind::Choice { options } => json!({ "type": "string", "enum": options }),
        FieldKind::Approval { options } => {
            let name = json!({ "type": "string", "enum": options });
            json!({ "type": "array", "items": name, "maxItems": options.len() })
        }
        FieldKind::Ranking { options, ties, truncated, top } => {
            let n = top.map_or(options.len(), |top| options.len().min(top as usize));
            let name = json!({ "type": "string", "enum": options });
            let rank =
                if *ties { json!({ "type": "array", "items": name, "minItems": 1, "maxItems": n }) } else { name };
            json!({ "type": "array", "items": rank, "minItems": if *ties || *truncated { 1 } else { n }, "maxItems": n })
        }
        FieldKind::Score { options, max } | FieldKind::Allocation { options, points: max } => {
            let score = || json!({ "type": "integer", "minimum": 0, "maximum": max });
            build_object(options.iter().map(|name| (name.as_str(), score())))
        }
        FieldKind::Number { min, max, decimals: 0 } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        FieldKind::Number { min, max, decimals } => {
            let [min, max] = [min, max].map(|bound| as_json_number(*bound, *decimals));
            json!({ "type": "number", "minimum": min, "maximum": max })
        }
        FieldKind::Numbers { min, max, count } => {
            let number = json!({ "type": "integer", "minimum": min, "maximum": max });
            json!({ "type": "array", "items": number, "minItems": count, "maxItems": count })
        }
        FieldKind::YesNo => json!({ "type": "string", "enum": [language.yes(), language.no()] }),
        FieldKind::Text { chars_min, chars_max, .. } => {
            json!({ "type": "string", "minLength": chars_min, "maxLength": chars_max })
        }
        FieldKind::Texts { chars_min, chars_max, count_min, count_max } => {
            let text = json!({ "type": "string", "minLength": chars_min, "maxLength": chars_max });
            json!({ "type": "array", "items": text, "minItems": count_min, "maxItems": count_max })
        }
    };
    match field.presence {
        Presence::Required => schema,
        Presence::MayBeNothing | Presence::MayBeLeftOut => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

/// An object with exactly these keys, in this order.
fn build_object<'n>(fields: impl Iterator<Item = (&'n str, Value)>) -> Value {
    let fields: Map<String, Value> = fields.map(|(name, schema)| (name.to_owned(), schema)).collect();
    let required: Vec<String> = fields.keys().cloned().collect();
    json!({ "type": "object", "properties": fields, "required": required, "additionalProperties": false })
}

fn as_json_number(value: i64, decimals: u8) -> Value {
    let text = write_number(value, Language::En, decimals);
    Value::Number(text.parse::<Number>().expect("invariant: what is written here is a number in JSON"))
}

/// Reads a reply in JSON: exactly one object with exactly the keys of the schema, none twice, and nothing around it.
///
/// # Errors
/// The first fault, in the order of the fields.
pub fn read_json(form: &Form, raw: &str) -> Result<FieldValues, FieldFault> {
    let whole = |reason| FieldFault { field: None, reason };
    if raw.trim().is_empty() {
        return Err(whole(FieldReason::Missing));
    }
    let read = serde_json::from_str::<Json>(raw.trim()).map_err(|_| whole(FieldReason::Unreadable))?;
    let Json::Object(mut entries) = read else { return Err(whole(FieldReason::Unreadable)) };
    if entries.iter().any(|(key, _)| form.fields.iter().all(|field| field.id != *key)) {
        return Err(whole(FieldReason::Unreadable));
    }
    let fields = form.fields.iter().map(|field| {
        let place = entries.iter().position(|(key, _)| *key == field.id);
        let Some(value) = place.map(|place| entries.swap_remove(place).1) else {
            return match field.presence {
                Presence::MayBeLeftOut => Ok(None),
                Presence::Required | Presence::MayBeNothing => Err(field.fault(FieldReason::NotAnswered)),
            };
        };
        if entries.iter().any(|(key, _)| *key == field.id) {
            return Err(field.fault(FieldReason::Unreadable));
        }
        match value {
            Json::Null if field.presence == Presence::Required => Err(field.fault(FieldReason::Missing)),
            Json::Null => Ok(None),
            Json::Text(words) if field.is_nothing(words.trim(), form.language) => Ok(None),
            value => {
                let value = read_value(field, value, form.language).map_err(|reason| field.fault(reason))?;
                field.check_value(value).map(Some)
            }
        }
    });
    fields.collect()
}

fn read_value(field: &Field, value: Json, language: Language) -> Result<FieldValue, FieldReason> {
    match (&field.kind, value) {
        (FieldKind::Choice { .. }, Json::Text(name)) => Ok(FieldValue::Words(name.trim().into())),
        (FieldKind::Approval { .. }, Json::List(names)) => {
            names.into_iter().map(read_name).collect::<Result<_, _>>().map(FieldValue::Options)
        }
        (FieldKind::Ranking { .. }, Json::List(ranks)) => {
            let rank = |rank| match rank {
                Json::List(names) => names.into_iter().map(read_name).collect(),
                name => read_name(name).map(|name| vec![name]),
            };
            ranks.into_iter().map(rank).collect::<Result<_, _>>().map(FieldValue::Ranks)
        }
        (FieldKind::Score { options, .. } | FieldKind::Allocation { options, .. }, Json::Object(shares)) => {
            let share = |(name, share): (String, Json)| {
                check_name(options, name.trim())?;
                let Json::Number(number) = share else { return Err(FieldReason::Unreadable) };
                let share = number.as_u64().ok_or(FieldReason::Unreadable)?;
                Ok((name.trim().to_owned(), u32::try_from(share).map_err(|_| FieldReason::OutOfRange)?))
            };
            collect_shares(shares.into_iter().map(share))
        }
        (FieldKind::Number { decimals, .. }, Json::Number(number)) => read_json_number(&number, *decimals),
        (FieldKind::Number { decimals, .. }, Json::Text(text)) => read_field_number(&text, language, *decimals),
        (FieldKind::Numbers { .. }, Json::List(numbers)) => {
            let number = |number| match number {
                Json::Number(number) => number.as_i64().filter(|_| !number.is_f64()).ok_or(FieldReason::Unreadable),
                _ => Err(FieldReason::Unreadable),
            };
            numbers.into_iter().map(number).collect::<Result<_, _>>().map(FieldValue::Numbers)
        }
        (FieldKind::YesNo, Json::Text(word)) => read_assent(&word, language),
        (FieldKind::Text { .. }, Json::Text(text)) => Ok(FieldValue::Words(text.trim().into())),
        (FieldKind::Texts { .. }, Json::List(texts)) => {
            let text = |text| read_name(text).map(|text| join_lines(&text));
            texts.into_iter().map(text).collect::<Result<_, _>>().map(FieldValue::Options)
        }
        _ => Err(FieldReason::Unreadable),
    }
}

fn read_name(value: Json) -> Result<String, FieldReason> {
    match value {
        Json::Text(name) => Ok(name.trim().to_owned()),
        _ => Err(FieldReason::Unreadable),
    }
}

/// Reads a number in JSON. A field of whole numbers rejects any number with a point or an exponent, even `15000.0`.
fn read_json_number(number: &Number, decimals: u8) -> Result<FieldValue, FieldReason> {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(_) if decimals == 0 => Err(FieldReason::Unreadable),
        // The shortest text of a number of at most 15 digits is the one that was written, without zeros at its end.
        Some(float) => read_field_number(&float.to_string(), Language::En, decimals),
        None => read_field_number(&number.to_string(), Language::En, decimals),
    }
}

/// Collects names with their shares.
///
/// # Errors
/// [`FieldReason::NotScored`] if a name occurs twice.
pub(super) fn collect_shares(
    shares: impl Iterator<Item = Result<(String, u32), FieldReason>>,
) -> Result<FieldValue, FieldReason> {
    let mut all = IndexMap::new();
    for share in shares {
        let (name, share) = share?;
        if all.insert(name, share).is_some() {
            return Err(FieldReason::NotScored);
        }
    }
    Ok(FieldValue::Shares(all))
}

/// Reads a number from a text.
pub(super) fn read_field_number(text: &str, language: Language, decimals: u8) -> Result<FieldValue, FieldReason> {
    if text.trim().is_empty() {
        return Err(FieldReason::Missing);
    }
    let number = read_number(text, language, decimals);
    number.map(|units| FieldValue::Number(Decimal::new(units, decimals))).map_err(|fault| match fault {
        NumberFault::Unreadable => FieldReason::Unreadable,
        NumberFault::TooLarge => FieldReason::OutOfRange,
    })
}

/// Reads yes or no from a word of the language.
pub(super) fn read_assent(word: &str, language: Language) -> Result<FieldValue, FieldReason> {
    match word.trim() {
        "" => Err(FieldReason::Missing),
        word if word == language.yes() => Ok(FieldValue::YesNo(true)),
        word if word == language.no() => Ok(FieldValue::YesNo(false)),
        _ => Err(FieldReason::Unreadable),
    }
}

/// A JSON value that keeps keys that occur twice.
enum Json {
    Null,
    Bool,
    Number(Number),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Json;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a value in JSON")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Json, E> {
                Ok(Json::Null)
            }

            fn visit_bool<E: de::Error>(self, _: bool) -> Result<Json, E> {
                Ok(Json::Bool)
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Json, E> {
                Ok(Json::Number(number.into()))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Json, E> {
                Ok(Json::Number(number.into()))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Json, E> {
                Number::from_f64(number).map(Json::Number).ok_or_else(|| E::custom("not a number"))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
                let values = std::iter::from_fn(|| list.next_element().transpose());
                values.collect::<Result<_, _>>().map(Json::List)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
                let entries = std::iter::from_fn(|| map.next_entry().transpose());
                entries.collect::<Result<_, _>>().map(Json::Object)
            }
        }
        deserializer.deserialize_any(Any)
    }
}
