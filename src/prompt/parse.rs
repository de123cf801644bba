//! Reply text → reply, strictly: nothing guesses a choice out of prose.

use crate::domain::{Ask, Fault, Motion, Reply};
use crate::prompt::AnswerForm;

/// Reads a reply in the form that was asked for.
///
/// # Errors
/// A [`Fault`] when it does not have that form.
pub fn parse(_ask: &Ask, _motion: &Motion, _form: AnswerForm, _raw: &str) -> Result<Reply, Fault> {
    Err(Fault::Unreadable)
}

/// The JSON schema of the replies to a question.
pub fn schema(_ask: &Ask, _motion: &Motion, _max_tokens: u32) -> serde_json::Value {
    serde_json::Value::Null
}
