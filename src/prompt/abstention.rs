//! Abstaining by choice: how a seat is told that it may, and the place of its word in the schema of a reply. In the program's own
//! words, whatever the form of ballots and whoever put the question. The Spanish and Chinese ones were not read by a native speaker.
//!
//! A seat abstains by one word in the place of its choice, approvals, order, scores or amount. What it wrote is not read here.

use serde_json::{Value, json};

use crate::domain::{Ask, FieldKind, FieldValue, Form, Language, Motion, Reply};
use crate::prompt::AnswerForm;
use crate::prompt::form::{TextRoom, build_form};
use crate::question::{read_json, read_lines, read_typed};

/// The form of an abstention: that of the ballot, with the one word in the place of what it says. `None` where a seat may not abstain.
fn build_abstention_form(ask: &Ask, motion: &Motion) -> Option<Form> {
    if !ask.may_abstain() {
        return None;
    }
    let mut form = build_form(ask, motion, TextRoom::Any);
    form.fields[0].kind = FieldKind::Choice { options: vec![motion.language.abstain().to_owned()] };
    Some(form)
}

/// The abstention that a reply is: the word in the place of what is voted for, and nothing besides but reasons if they are asked for.
/// `None` of any other reply.
pub(super) fn read_abstention(ask: &Ask, motion: &Motion, answer_form: AnswerForm, raw: &str) -> Option<Reply> {
    let (form, word) = (build_abstention_form(ask, motion)?, motion.language.abstain());
    let mut values = match answer_form {
        AnswerForm::JsonSchema => read_json(&form, raw).ok()?,
        // Not by a number: that is one of the options.
        AnswerForm::Typed if raw.trim().lines().next().is_some_and(|first| first.trim() == word) => {
            read_typed(&form, raw).ok()?
        }
        AnswerForm::Anchored | AnswerForm::Typed => read_lines(&form, raw).ok()?,
    };
    let reasoning = match values.pop().flatten() {
        Some(FieldValue::Words(words)) if !values.is_empty() => Some(words),
        _ => None,
    };
    Some(Reply::Abstention.with_reasoning(reasoning))
}

/// How a seat abstains in a form; `None` where it may not.
pub(super) fn words(ask: &Ask, motion: &Motion, form: AnswerForm) -> Option<String> {
    let field = build_abstention_form(ask, motion)?.fields.remove(0);
    let word = motion.language.abstain();
    let reply = match form {
        AnswerForm::JsonSchema => format!("{{\"{}\": \"{word}\"}}", field.id),
        AnswerForm::Anchored | AnswerForm::Typed => format!("{}: {word}", field.anchor),
    };
    Some(match motion.language {
        Language::En => format!("You may also abstain, which is a vote for nothing; then reply:\n{reply}"),
        Language::Es => format!("También puede abstenerse, es decir, no votar por nada; entonces responda:\n{reply}"),
        Language::Zh => format!("你也可以弃权，即不投给任何选项；此时请回复：\n{reply}"),
    })
}

/// How a person who types abstains; `None` where it may not.
pub(super) fn typing(ask: &Ask, language: Language) -> Option<String> {
    let word = language.abstain();
    ask.may_abstain().then(|| match language {
        Language::En => format!("or {word}, which is a vote for nothing"),
        Language::Es => format!("o {word}, que es no votar por nada"),
        Language::Zh => format!("或 {word}，即不投给任何选项"),
    })
}

/// The schema of a ballot, with the word in the place of what it says; as it is where a seat may not abstain.
pub(super) fn admitted(ask: &Ask, motion: &Motion, mut schema: Value) -> Value {
    let Some(form) = build_abstention_form(ask, motion) else { return schema };
    if let Some(said) = schema.pointer_mut(&format!("/properties/{}", form.fields[0].id)) {
        *said = json!({ "anyOf": [said.take(), { "type": "string", "enum": [motion.language.abstain()] }] });
    }
    schema
}
