//! The JSON bytes of a request, written once, digested and sent unchanged. They equal the output of `serde_json`, because
//! recorded digests must stay valid.
//!
//! Message texts are written here, since `serde_json`, which checks each byte, took most of the time of a call with a long
//! prompt. `cargo bench --bench client` compares a call with a bare TCP client.

use super::request::RequestBody;
use crate::prompt::Message;
use crate::text::escape_json;

/// Encodes a request as JSON.
///
/// # Panics
/// Never: requests always serialise.
pub(super) fn encode_body(said: &RequestBody) -> Vec<u8> {
    let words: usize = said.messages.iter().map(Message::bytes).sum();
    // Room for escapes and the other fields.
    let mut json = Vec::with_capacity(words + words / 16 + 512);
    json.extend_from_slice(b"{\"model\":");
    write_quoted([&*escape_json(&said.model)], &mut json);
    json.extend_from_slice(b",\"messages\":[");
    for (place, message) in said.messages.iter().enumerate() {
        json.extend_from_slice(if place == 0 { b"{\"role\":" } else { b",{\"role\":" });
        write_quoted([message.role.as_str()], &mut json);
        json.extend_from_slice(b",\"content\":");
        write_quoted(message.json_pieces(), &mut json);
        json.push(b'}');
    }
    json.push(b']');
    let mut more = |name: &str, value: Option<Vec<u8>>| {
        if let Some(value) = value {
            json.extend_from_slice(format!(",\"{name}\":").as_bytes());
            json.extend_from_slice(&value);
        }
    };
    let number = |number: u32| number.to_string().into_bytes();
    let temperature = |degree: f64| serde_json::to_vec(&degree).expect("invariant: a temperature serialises");
    more("max_tokens", said.max_tokens.map(number));
    more("max_completion_tokens", said.max_completion_tokens.map(number));
    more("temperature", said.temperature.map(temperature));
    more("response_format", said.response_format.as_ref().map(|format| format.clone().into_bytes()));
    for (name, value) in &said.more {
        json.push(b',');
        write_quoted([&*escape_json(name)], &mut json);
        json.push(b':');
        json.extend_from_slice(&serde_json::to_vec(value).expect("invariant: a value serialises"));
    }
    json.push(b'}');
    json
}

/// Writes pieces of text, escaped already, as one JSON string.
fn write_quoted<'w>(escaped: impl IntoIterator<Item = &'w str>, json: &mut Vec<u8>) {
    json.push(b'"');
    for words in escaped {
        json.extend_from_slice(words.as_bytes());
    }
    json.push(b'"');
}

/// Messages as the library writes them.
#[cfg(test)]
pub(super) fn serialize_messages<S: serde::Serializer>(messages: &[Message], to: S) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    struct Written {
        role: &'static str,
        content: String,
    }
    to.collect_seq(messages.iter().map(|message| Written { role: message.role.as_str(), content: message.content() }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prompt::Role;

    proptest! {
        #[test]
        fn the_bytes_are_those_of_the_library(
            model: String, contents in prop::collection::vec(any::<String>(), 0..4), long in "[ -~\n\"é汉]{0,200}",
            max_tokens: Option<u32>, max_completion_tokens: Option<u32>, temperature in prop::option::of(0.0_f64..2.0),
            key: Option<String>, more in prop::collection::btree_map("[a-z\"é]{4,8}", 0.0_f64..2.0, 0..3),
        ) {
            let message = |content: String| Message::new(Role::User, content);
            let format = key.map(|key| serde_json::json!({ "type": key, "schema": [1, null, { "a": 0.5 }] }));
            let said = RequestBody {
                model,
                messages: contents.into_iter().chain([long]).map(message).collect(),
                max_tokens,
                max_completion_tokens,
                temperature,
                more: more.into_iter().map(|(key, number)| (key, serde_json::json!({ "at": number }))).collect(),
                response_format: format.as_ref().map(serde_json::Value::to_string),
            };
            let mut expected = serde_json::to_value(&said).unwrap();
            expected.as_object_mut().unwrap().extend(format.map(|format| ("response_format".to_owned(), format)));
            expected.as_object_mut().unwrap().extend(said.more.clone());
            prop_assert_eq!(String::from_utf8(encode_body(&said)).unwrap(), serde_json::to_string(&expected).unwrap());
        }
    }
}
