//! The JSON schema under which a server makes a model reply.

use serde_json::{Value, json};

use crate::domain::{Ask, Motion};

/// Tokens that the braces, keys and the stance of a statement's JSON may take, with the blank space some servers allow.
const FRAME_TOKENS: u32 = 20;

/// Characters a token of the statement is expected to hold, in halves. English has about four characters a token; the
/// estimate errs low, so that a statement of the greatest length seldom runs into `max_tokens`.
const HALF_CHARS_PER_TOKEN: u32 = 5;

/// The least that a statement may always hold, in characters, however small `max_tokens` is.
const STATEMENT_FLOOR: u32 = 24;

/// The JSON schema of the replies to a question, its options in the order in which they are shown.
///
/// A statement's `maxLength` is 2.5 characters for each of the `max_tokens − 20` tokens that remain beside the frame, but
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
        _ => json!({
            "type": "object",
            "properties": { "choice": { "type": "string", "enum": names } },
            "required": ["choice"],
            "additionalProperties": false,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Alternative, AlternativeId, AlternativeName};

    fn motion() -> Motion {
        let alternative =
            |name: &str| Alternative { name: AlternativeName::new(name), label: String::new(), status_quo: false };
        Motion { text: String::new(), alternatives: ["for", "against", "later"].map(alternative).to_vec() }
    }

    fn length(max_tokens: u32, chars_min: u32) -> (u64, u64) {
        let options = vec![AlternativeId(0)];
        let schema = schema(&Ask::Statement { options, chars_min }, &motion(), max_tokens);
        let statement = &schema["properties"]["statement"];
        (statement["minLength"].as_u64().unwrap(), statement["maxLength"].as_u64().unwrap())
    }

    #[test]
    fn options_are_enumerated_in_the_order_shown_and_a_stance_may_be_null() {
        let options = vec![AlternativeId(2), AlternativeId(0)];
        let ask = Ask::StrawPoll { options: options.clone() };
        let choice = schema(&ask, &motion(), 40);
        assert_eq!(choice["properties"]["choice"]["enum"], json!(["later", "for"]));
        assert_eq!(choice["required"], json!(["choice"]));
        assert_eq!(choice["additionalProperties"], false);
        let ask = Ask::Statement { options, chars_min: 0 };
        let statement = schema(&ask, &motion(), 40);
        assert_eq!(statement["properties"]["stance"]["enum"], json!(["later", "for", null]));
        assert_eq!(statement["required"], json!(["statement", "stance"]));
    }

    #[test]
    fn a_statement_has_room_within_max_tokens_and_at_least_what_the_question_demands() {
        assert_eq!(length(40, 0), (1, 50));
        assert_eq!(length(0, 0), (1, 24));
        assert_eq!(length(40, 200), (200, 200));
        let (least, most) = length(u32::MAX, 0);
        assert!(least <= most);
    }
}
