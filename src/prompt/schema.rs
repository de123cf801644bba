//! The JSON schema under which a server makes a model reply.

use serde_json::{Value, json};

use crate::domain::{Ask, Motion};

/// Tokens that the braces, keys and the stance of a statement's JSON may take, with the blank space some servers allow.
const FRAME_TOKENS: u32 = 18;

/// Characters a token of the statement is expected to hold, in halves. English has about four characters a token; the
/// estimate errs low, so that a statement of the greatest length seldom runs into `max_tokens`.
const HALF_CHARS_PER_TOKEN: u32 = 5;

/// The least that a statement may always hold, in characters, however small `max_tokens` is.
const STATEMENT_FLOOR: u32 = 24;

/// The JSON schema of the replies to a question, its options in the order in which they are shown.
///
/// A statement's `maxLength` is 2.5 characters for each of the `max_tokens − 18` tokens that remain beside the frame, but
/// never below 24 or the question's own minimum. A model that is held to it closes its JSON before the limit cuts it off;
/// a script with less than 2.5 characters a token may still be cut, which is a fault like any other.
pub fn schema(ask: &Ask, motion: &Motion, max_tokens: u32) -> Value {
    let names: Vec<&str> = ask.options().iter().map(|id| motion.name(*id).as_str()).collect();
    match ask {
        Ask::Statement { chars_min, .. } => {
            let least = (*chars_min).max(1);
            let room = max_tokens.saturating_sub(FRAME_TOKENS).saturating_mul(HALF_CHARS_PER_TOKEN) / 2;
            let most = room.max(STATEMENT_FLOOR).max(least);
            let stances: Vec<Value> = names.into_iter().map(Value::from).chain([Value::Null]).collect();
            json!({
                "type": "object",
                "properties": {
                    "statement": { "type": "string", "minLength": least, "maxLength": most },
                    "stance": { "type": ["string", "null"], "enum": stances },
                },
                "required": ["statement", "stance"],
                "additionalProperties": false,
            })
        }
        Ask::StrawPoll { .. } | Ask::Ballot { .. } => json!({
            "type": "object",
            "properties": { "choice": { "type": "string", "enum": names } },
            "required": ["choice"],
            "additionalProperties": false,
        }),
    }
}
