//! Why an answer could not be had at all. An outage never reaches the minutes: the session stops and can be resumed.

use super::QuestionId;

/// The failure of a service, of the record, or of a script. Converted to `&'static str` it is the name of its kind in logs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Outage {
    /// The model server could not be reached or failed after all retries.
    #[error("{url}: {reason}")]
    Unreachable {
        /// Where the request went, without credentials.
        url: String,
        /// What happened, in words.
        reason: String,
    },
    /// The next call might take more than the experiment's limits leave.
    #[error("{reason}")]
    #[strum(serialize = "budget_exhausted")]
    Unaffordable {
        /// The limit, what was spent, and what the call may take, in words.
        reason: String,
    },
    /// Another model answers than before, and that is to stop the run.
    #[error("models.{model}: {reason}")]
    ModelChanged {
        /// The model that is asked, by its name in the config.
        model: String,
        /// Who answered before and who answers now, in words.
        reason: String,
    },
    /// Only recorded answers may be used and this one is not among them.
    #[error("no recorded answer")]
    NotRecorded {
        /// The question.
        question: Box<QuestionId>,
    },
    /// The question is put by file, and nobody has answered it yet.
    #[error("not answered yet")]
    Deferred {
        /// The question.
        question: Box<QuestionId>,
    },
    /// The minutes hold an answer that the record of calls has lost. Asking again would give other words.
    #[error("the minutes hold an answer whose recorded call is gone")]
    CallLost {
        /// The question.
        question: Box<QuestionId>,
    },
    /// The recorded answer belongs to another request: what was asked has changed.
    #[error("the recorded answer was given to another prompt (recorded {recorded}, now {now})")]
    Diverged {
        /// The question.
        question: Box<QuestionId>,
        /// The request digest in the record.
        recorded: String,
        /// The digest of today's request.
        now: String,
    },
    /// A scripted seat has no line for this question.
    #[error("the script of {seat} has no line for this question; {remedy}")]
    ScriptEnded {
        /// The seat's name.
        seat: String,
        /// The question.
        question: Box<QuestionId>,
        /// What the author may add.
        remedy: String,
    },
    /// The question could not be put into words: a prompt template failed on it.
    #[error("no prompt for {question}: {reason}")]
    Unaskable {
        /// The question.
        question: Box<QuestionId>,
        /// The template, the line, and what is wrong.
        reason: String,
    },
    /// An answer could not be written to the call record.
    #[error("{path}: {reason}")]
    Unwritten {
        /// The file.
        path: String,
        /// What the operating system said.
        reason: String,
    },
    /// Nobody typed an answer: the input ended, or could not be read.
    #[error("{seat} has not answered: {reason}")]
    Unattended {
        /// The seat's name.
        seat: String,
        /// What happened, in words.
        reason: String,
    },
    /// The user interrupted the run; no new call is made.
    #[error("interrupted")]
    Interrupted,
}
