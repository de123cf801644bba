//! The templates of a pack: their names, which of them belongs to a question or a reply, and what may be wrong with one.

use crate::domain::{Ask, BallotForm, Fault, Step};
use crate::prompt::AnswerForm;

/// The templates every pack has.
///
/// `system` opens every prompt and `history` stands before what happened. `statement`, `straw_poll`, `ballot`, `reasoning`,
/// `vote_call`, `confirmation`, `integration` and `compression` put the questions, `form_json` and `form_anchored` say how
/// to reply, `reask` gives the reason why a question is put again, and `countdown` tells how many rounds remain.
pub const TEMPLATES: [&str; 14] = [
    "ballot",
    "compression",
    "confirmation",
    "countdown",
    "form_anchored",
    "form_json",
    "history",
    "integration",
    "reask",
    "reasoning",
    "statement",
    "straw_poll",
    "system",
    "vote_call",
];

/// The templates that only some scenarios need; a pack may have them all the same.
///
/// `ballot_allocation`, `ballot_approval`, `ballot_ranking` and `ballot_score` put the question of a vote by ballots of these forms, in other words than the
/// built-in ones. `amount`, `ranking`, `comprehension`, `application`, `volunteer`, `naming`, `notes` and `recognition` put questions, of
/// which the last three say themselves how to reply; `proposals` says, behind the question for a
/// statement, how to mark it; `payment` (of a practice round), `settlement` (of
/// the group's decision), `test_result` and `manipulation` tell a seat something. `look_up` tells it in other words than the
/// built-in ones what it may ask to see before it answers: `form` is `json` or `anchored`, and `can_look_up` and `can_page` say
/// what.
pub const OPTIONAL: [&str; 18] = [
    "amount",
    "application",
    "ballot_allocation",
    "ballot_approval",
    "ballot_ranking",
    "ballot_score",
    "comprehension",
    "look_up",
    "manipulation",
    "naming",
    "notes",
    "payment",
    "proposals",
    "ranking",
    "recognition",
    "settlement",
    "test_result",
    "volunteer",
];

/// How the name of a template begins that others include and that nothing renders by itself.
pub(super) const PART: char = '_';

/// What is wrong with a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{template}:{line}: {reason}")]
pub struct PromptError {
    /// The template's name.
    pub template: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
    /// What was probably meant, and what there is.
    pub hint: Option<String>,
}

impl PromptError {
    pub(super) fn whole(template: &str, reason: String) -> Self {
        Self { template: template.to_owned(), line: 1, column: 1, reason, hint: None }
    }
}

/// The template that puts a question; also the kind of question as templates know it.
pub(super) fn question_template(ask: &Ask) -> &'static str {
    // A ballot for an amount alone asks for the amount at once.
    if ask.ballot_form() == Some(BallotForm::Amount) { Step::Amount.as_str() } else { ask.step().as_str() }
}

/// Whether the template of a question says itself how to reply, and what was wrong with a name or with notes.
pub(super) fn says_form(ask: &Ask) -> bool {
    matches!(ask.step(), Step::Naming | Step::Notes | Step::Recognition)
}

/// Whether `reask` gives the reason, which otherwise the template of the question does.
pub(super) fn is_reasked(fault: Fault) -> bool {
    !matches!(fault, Fault::UnfitName | Fault::NameTaken | Fault::NotOnce)
}

/// The form of a reply as templates know it.
pub(super) fn form_word(form: AnswerForm) -> &'static str {
    match form {
        AnswerForm::JsonSchema => "json",
        AnswerForm::Anchored | AnswerForm::Typed => "anchored",
    }
}

/// The template that says how to reply.
pub(super) fn form_template(form: AnswerForm) -> &'static str {
    match form {
        AnswerForm::JsonSchema => "form_json",
        AnswerForm::Anchored | AnswerForm::Typed => "form_anchored",
    }
}
