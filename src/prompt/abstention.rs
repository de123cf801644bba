//! Abstaining by choice: how a seat is told that it may, and the place of its word in the schema of a reply. In the program's own
//! words, whatever the form of ballots and whoever put the question. The Spanish and Chinese ones were not read by a native speaker.
//!
//! A seat abstains by one word in the place of its choice, approvals, order, scores or amount. What it wrote is not read here.

use serde_json::{Value, json};

use crate::domain::{Ask, BallotForm, Language};
use crate::prompt::AnswerForm;
use crate::prompt::parse::anchors::written;

/// The key under which a ballot stands in JSON, and the anchor of its line; `None` where a seat may not abstain.
pub(super) fn place(ask: &Ask) -> Option<(&'static str, &'static str)> {
    let Ask::Ballot { form, may_abstain: true, .. } = ask else { return None };
    Some(match form {
        BallotForm::Choice => ("choice", "CHOICE:"),
        BallotForm::Amount => ("amount", "AMOUNT:"),
        BallotForm::Approval => ("approves", "APPROVES:"),
        BallotForm::Ranking { .. } => ("ranking", "RANKING:"),
        BallotForm::Score { .. } => ("scores", "SCORES:"),
    })
}

/// How a seat abstains in a form; `None` where it may not.
pub(super) fn words(ask: &Ask, language: Language, form: AnswerForm) -> Option<String> {
    let (key, anchor) = place(ask)?;
    let word = language.abstain();
    let reply = match form {
        AnswerForm::JsonSchema => format!("{{\"{key}\": \"{word}\"}}"),
        AnswerForm::Anchored | AnswerForm::Typed => format!("{} {word}", written(anchor, language)),
    };
    Some(match language {
        Language::En => format!("You may also abstain, which is a vote for nothing; then reply:\n{reply}"),
        Language::Es => format!("También puede abstenerse, es decir, no votar por nada; entonces responda:\n{reply}"),
        Language::Zh => format!("你也可以弃权，即不投给任何选项；此时请回复：\n{reply}"),
    })
}

/// How a person who types abstains; `None` where it may not.
pub(super) fn typing(ask: &Ask, language: Language) -> Option<String> {
    place(ask)?;
    let word = language.abstain();
    Some(match language {
        Language::En => format!("or {word}, which is a vote for nothing"),
        Language::Es => format!("o {word}, que es no votar por nada"),
        Language::Zh => format!("或 {word}，即不投给任何选项"),
    })
}

/// The schema of a ballot, with the word in the place of what it says; as it is where a seat may not abstain.
pub(super) fn admitted(ask: &Ask, language: Language, mut schema: Value) -> Value {
    let Some((key, _)) = place(ask) else { return schema };
    if let Some(said) = schema.pointer_mut(&format!("/properties/{key}")) {
        *said = json!({ "anyOf": [said.take(), { "type": "string", "enum": [language.abstain()] }] });
    }
    schema
}
