//! The JSON schema under which a server makes a model reply.

use serde_json::{Map, Value, json};

use crate::domain::{Ask, BallotForm, Certainty, Language, Motion, NAME_CHARS_MAX, Sign, URGENCY_MAX};
use crate::prompt::abstention;
use crate::prompt::amount::{amount_max, amount_min};
use crate::prompt::ballot_form::build_ballot_form;
use crate::prompt::parse::opinion::is_asked;
use crate::question::build_schema;
use crate::text::sign_word;

/// Tokens that the braces, keys and the stance of a statement's JSON may take, with the blank space some servers allow.
const FRAME_TOKENS: u32 = 20;

/// The same of an amount.
const AMOUNT_TOKENS: u32 = 12;

/// The same of a certainty.
const CERTAINTY_TOKENS: u32 = 10;

/// The same of an opinion.
const OPINION_TOKENS: u32 = 10;

/// The same of typed marks.
const MARKS_TOKENS: u32 = 60;

/// How many marks a reply may have beside those in its words.
pub const MARKS_MAX: usize = 4;

/// Characters a token of words is expected to hold, in halves. English has about four characters a token; the
/// estimate errs low, so that words of the greatest length seldom run into `max_tokens`.
const HALF_CHARS_PER_TOKEN: u32 = 5;

/// The least that a statement or reasoning may always hold, in characters, however small `max_tokens` is.
const WORDS_FLOOR: u32 = 24;

/// The JSON schema of the replies to a question, its options in the order in which they are shown.
///
/// The `maxLength` of a statement or reasoning is 2.5 characters for each of the tokens that remain of `max_tokens` beside
/// the frame (20, and 12 for an amount, 10 for a certainty and 10 for an opinion), but never below 24 or the question's own minimum. A model
/// that is held to it closes its JSON before the limit cuts it off; a script with less than 2.5 characters a token may
/// still be cut, which is a fault like any other.
///
/// A reply under the schema has the form that [`parse`](super::parse()) reads. What no schema of this kind can tell is left
/// to it: that a ranking names each option once, which alternatives take an amount, and that words are not blank.
pub fn schema(ask: &Ask, motion: &Motion, max_tokens: u32) -> Value {
    let names = || -> Vec<&str> { ask.options().iter().map(|id| motion.said(*id).as_str()).collect() };
    let choice = || json!({ "type": "string", "enum": names() });
    let amount = || {
        let mut fields = Vec::new();
        if motion.amount_max.is_some() {
            fields.push((
                "amount",
                json!({ "type": ["integer", "null"], "minimum": amount_min(motion, ask), "maximum": amount_max(motion, ask) }),
            ));
        }
        fields
    };
    let opinion = || is_asked(ask).then(|| ("opinion", json!({ "type": "integer", "minimum": 0, "maximum": 100 })));
    let words = || {
        let (least, most) = lengths(ask, motion, max_tokens).expect("invariant: these replies have words");
        text(least, most)
    };
    let named = || json!({ "type": "integer", "minimum": amount_min(motion, ask), "maximum": amount_max(motion, ask) });
    let yes_or_no = json!({ "type": "string", "enum": [motion.language.yes(), motion.language.no()] });
    let made = |marks: bool| marks.then(|| ("marks", typed_marks(motion.language)));
    match ask {
        Ask::Statement { marks, .. } if motion.only().is_some() => {
            object([("statement", words())].into_iter().chain(amount()).chain(made(*marks)))
        }
        Ask::StrawPoll { .. } if motion.only().is_some() => object([("amount", named())]),
        Ask::Statement { marks, .. } => {
            let stances: Vec<Value> = names().into_iter().map(Value::from).chain([Value::Null]).collect();
            let stance = json!({ "type": ["string", "null"], "enum": stances });
            let said = [("statement", words()), ("stance", stance)].into_iter();
            object(said.chain(amount()).chain(opinion()).chain(made(*marks)))
        }
        Ask::StrawPoll { .. } => object([("choice", choice())].into_iter().chain(amount()).chain(opinion())),
        Ask::Amount { .. } => object([("amount", named())]),
        Ask::Ballot { .. } => build_ballot_schema(ask, motion, ("amount", named()), choice()),
        Ask::Ranking { options } => {
            let n = options.len();
            let ranking = json!({ "type": "array", "items": choice(), "minItems": n, "maxItems": n });
            object([("ranking", ranking), ("certainty", certainty(motion.language))])
        }
        Ask::Comprehension { situation, questions } => {
            let n = questions.len();
            let table = json!({ "type": "integer", "minimum": 1, "maximum": situation.tables.len() });
            object([("answers", json!({ "type": "array", "items": table, "minItems": n, "maxItems": n }))])
        }
        Ask::Application { .. } => {
            let rest = [("certainty", certainty(motion.language)), ("reasoning", words())];
            object([("choice", choice())].into_iter().chain(amount()).chain(rest))
        }
        Ask::Volunteer => {
            let urgency = json!({ "type": ["integer", "null"], "minimum": 0, "maximum": URGENCY_MAX });
            object([("urgency", urgency)])
        }
        Ask::VoteCall | Ask::Confirmation { .. } => object([("answer", yes_or_no)]),
        Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => object([("text", words())]),
        Ask::Naming { .. } => {
            object([("name", json!({ "type": "string", "minLength": 1, "maxLength": NAME_CHARS_MAX }))])
        }
        Ask::Recognition => {
            object([("recognised", yes_or_no), ("which", or_null(text(1, room(max_tokens, FRAME_TOKENS))))])
        }
        Ask::Notes { .. } => {
            // The parts share the room: what is replaced, what takes its place, and what is added.
            let part = |least| text(least, room(max_tokens / 3, FRAME_TOKENS / 2));
            let replace = object([("old", part(1)), ("new", part(0))]);
            object([("append", or_null(part(1))), ("replace", or_null(replace))])
        }
    }
}

/// What may be left out by `null`.
fn or_null(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

/// The schema of a ballot for one of the options, for this amount, or over all options.
fn build_ballot_schema(ask: &Ask, motion: &Motion, amount: (&str, Value), choice: Value) -> Value {
    let said = match (build_ballot_form(ask, motion), ask) {
        (Some(form), _) => build_schema(&form),
        (None, Ask::Ballot { form: BallotForm::Amount, .. }) => object([amount]),
        (None, _) => object([("choice", choice)]),
    };
    abstention::admitted(ask, motion.language, said)
}

/// The least and the greatest length that the words of a reply may have under its schema, in characters; `None` where it has
/// no words. Prompts tell the same, or how much of a statement its listeners can read if that is less.
pub(super) fn lengths(ask: &Ask, motion: &Motion, max_tokens: u32) -> Option<(u32, u64)> {
    let amount_tokens = if motion.amount_max.is_some() { AMOUNT_TOKENS } else { 0 };
    let (least, frame_tokens, most) = match ask {
        Ask::Statement { chars_min, marks, opinion, .. } => {
            let marks_tokens = if *marks { MARKS_TOKENS } else { 0 };
            let opinion_tokens = if *opinion { OPINION_TOKENS } else { 0 };
            ((*chars_min).max(1), FRAME_TOKENS + amount_tokens + opinion_tokens + marks_tokens, u64::MAX)
        }
        Ask::Application { .. } => (0, FRAME_TOKENS + amount_tokens + CERTAINTY_TOKENS, u64::MAX),
        Ask::Reasoning => (1, FRAME_TOKENS, u64::MAX),
        Ask::Integration { chars_max, .. } | Ask::Compression { chars_max, .. } => (1, FRAME_TOKENS, *chars_max),
        _ => return None,
    };
    Some((least, room(max_tokens, frame_tokens).min(most).max(least.into())))
}

/// An object that has exactly these keys, in this order.
fn object<'n>(fields: impl IntoIterator<Item = (&'n str, Value)>) -> Value {
    let fields: Map<String, Value> = fields.into_iter().map(|(name, of)| (name.to_owned(), of)).collect();
    let required: Vec<String> = fields.keys().cloned().collect();
    json!({ "type": "object", "properties": fields, "required": required, "additionalProperties": false })
}

fn text(least: u32, most: u64) -> Value {
    json!({ "type": "string", "minLength": least, "maxLength": most })
}

/// The characters that words may have beside a frame of so many tokens.
fn room(max_tokens: u32, frame_tokens: u32) -> u64 {
    let chars = max_tokens.saturating_sub(frame_tokens).saturating_mul(HALF_CHARS_PER_TOKEN) / 2;
    chars.max(WORDS_FLOOR).into()
}

/// The marks of a statement; each names a statement by its number, or nothing.
fn typed_marks(language: Language) -> Value {
    let signs = [Sign::Proposal, Sign::Support, Sign::Oppose, Sign::Decision];
    let sign = json!({ "type": "string", "enum": signs.map(|sign| sign_word(sign, language).to_lowercase()) });
    let to = json!({ "type": ["string", "null"], "maxLength": 22 });
    json!({ "type": "array", "items": object([("mark", sign), ("to", to)]), "maxItems": MARKS_MAX })
}

fn certainty(language: Language) -> Value {
    json!({ "type": "string", "enum": Certainty::ALL.map(|certainty| certainty.said(language)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Alternative, AlternativeId, AlternativeName};

    fn motion(amount_max: Option<u32>) -> Motion {
        let alternative = |name: &str| Alternative {
            name: AlternativeName::new(name),
            label: String::new(),
            status_quo: false,
            takes_amount: amount_max.is_some() && name == "later",
            said: None,
        };
        Motion {
            text: String::new(),
            alternatives: ["for", "against", "later"].map(alternative).to_vec(),
            amount_max,
            amount_min: 1,
            unit: None,
            language: Default::default(),
        }
    }

    fn length(max_tokens: u32, chars_min: u32) -> (u64, u64) {
        let options = vec![AlternativeId(0)];
        let schema = schema(
            &Ask::Statement { options, chars_min, chars_max: None, marks: false, opinion: false },
            &motion(None),
            max_tokens,
        );
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
        let ask = Ask::Statement { options, chars_min: 0, chars_max: None, marks: false, opinion: false };
        let statement = schema(&ask, &motion(None), 40);
        assert_eq!(statement["properties"]["stance"]["enum"], json!(["later", "for", null]));
        assert_eq!(statement["required"], json!(["statement", "stance"]));
    }

    #[test]
    fn an_amount_is_asked_for_only_where_an_alternative_takes_one_and_never_in_a_ballot() {
        let options = vec![AlternativeId(2), AlternativeId(0)];
        let required = |ask: Ask, amount_max| schema(&ask, &motion(amount_max), 40)["required"].clone();
        let poll = || Ask::StrawPoll { options: options.clone(), opinion: false };
        let statement =
            || Ask::Statement { options: options.clone(), chars_min: 0, chars_max: None, marks: false, opinion: false };
        assert_eq!(required(poll(), Some(9)), json!(["choice", "amount"]));
        assert_eq!(required(statement(), Some(9)), json!(["statement", "stance", "amount"]));
        assert_eq!(required(statement(), None), json!(["statement", "stance"]));
        assert_eq!(
            required(Ask::Ballot { options: options.clone(), form: BallotForm::Choice, may_abstain: false }, Some(9)),
            json!(["choice"])
        );
        let amount = schema(&Ask::Amount { alternative: AlternativeId(2), pool: None }, &motion(Some(9)), 40);
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
