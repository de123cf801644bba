//! The JSON schema under which a server makes a model reply.

use serde_json::Value;

use crate::domain::{Ask, Motion};
use crate::prompt::abstention;
use crate::prompt::form::{TextRoom, build_form};
use crate::prompt::marks::build_marks_schema;
use crate::question::build_schema;

/// The JSON schema of the replies to a question, its options in the order in which they are shown. The `maxLength` of its texts leaves
/// room for the rest of the reply within `max_tokens`.
///
/// A reply under the schema has the form that [`parse`](super::parse()) reads. What no schema of this kind can tell is left
/// to it: that a ranking names each option once, which alternatives take an amount, and that words are not blank.
pub fn schema(ask: &Ask, motion: &Motion, max_tokens: u32) -> Value {
    let mut schema = build_schema(&build_form(ask, motion, TextRoom::Tokens(max_tokens)));
    if let Some(marks) = build_marks_schema(ask, motion.language) {
        schema["properties"]["marks"] = marks;
        schema["required"].as_array_mut().expect("invariant: a schema names its keys").push("marks".into());
    }
    abstention::admitted(ask, motion, schema)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::Alternative;
    use crate::domain::tests::{ask_ballot, ask_statement, make_alternative, make_motion};
    use crate::domain::{AlternativeId, BallotForm};

    fn motion(amount_max: Option<u32>) -> Motion {
        let alternatives = ["for", "against", "later"].map(|name| Alternative {
            takes_amount: amount_max.is_some() && name == "later",
            ..make_alternative(name, "")
        });
        make_motion("", alternatives.to_vec(), amount_max)
    }

    fn length(max_tokens: u32, chars_min: u32) -> (u64, u64) {
        let options = vec![AlternativeId(0)];
        let schema = schema(&ask_statement(options, chars_min), &motion(None), max_tokens);
        let statement = &schema["properties"]["statement"];
        (statement["minLength"].as_u64().unwrap(), statement["maxLength"].as_u64().unwrap())
    }

    #[test]
    fn options_are_enumerated_in_the_order_shown_and_a_stance_may_be_null() {
        let options = vec![AlternativeId(2), AlternativeId(0)];
        let ask = Ask::StrawPoll { options: options.clone(), opinion: false };
        let choice = schema(&ask, &motion(None), 40);
        assert_eq!(choice["properties"]["choice"]["enum"], json!(["later", "for"]));
        assert_eq!(choice["required"], json!(["choice"]));
        assert_eq!(choice["additionalProperties"], false);
        let ask = ask_statement(options, 0);
        let statement = schema(&ask, &motion(None), 40);
        let stance = json!({ "anyOf": [{ "type": "string", "enum": ["later", "for"] }, { "type": "null" }] });
        assert_eq!(statement["properties"]["stance"], stance);
        assert_eq!(statement["required"], json!(["statement", "stance"]));
    }

    #[test]
    fn an_amount_is_asked_for_only_where_an_alternative_takes_one_and_never_in_a_ballot() {
        let options = vec![AlternativeId(2), AlternativeId(0)];
        let required = |ask: Ask, amount_max| schema(&ask, &motion(amount_max), 40)["required"].clone();
        let poll = || Ask::StrawPoll { options: options.clone(), opinion: false };
        let statement = || ask_statement(options.clone(), 0);
        assert_eq!(required(poll(), Some(9)), json!(["choice", "amount"]));
        assert_eq!(required(statement(), Some(9)), json!(["statement", "stance", "amount"]));
        assert_eq!(required(statement(), None), json!(["statement", "stance"]));
        assert_eq!(required(ask_ballot(options.clone(), BallotForm::Choice), Some(9)), json!(["choice"]));
        let amount = schema(&Ask::Amount { alternative: AlternativeId(2) }, &motion(Some(9)), 40);
        assert_eq!(amount["properties"]["amount"], json!({ "type": "integer", "minimum": 1, "maximum": 9 }));
    }

    #[test]
    fn a_note_is_a_text_no_longer_than_it_may_be() {
        for (ask, most) in [(Ask::Reasoning, 50), (Ask::Compression { chars_max: 9, words_max: None, focus: None }, 9)]
        {
            assert_eq!(schema(&ask, &motion(None), 40)["properties"]["text"]["maxLength"], most);
        }
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
