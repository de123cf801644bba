//! What the record of calls holds of how models are asked to phrase their replies. It asks nobody.

use serde::{Deserialize, Serialize};

use super::Attempt;
use crate::domain::{Digest, LearntForm, Usage};

/// How a line of what was learnt of a form begins.
pub(super) const OF_FORM: &[u8] = b"{\"form\":";

/// How one model is asked to phrase its replies, as it was learnt before the first call, and the question that it took where this
/// session put it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormLine {
    /// The form; `None` where the question failed.
    pub form: Option<LearntForm>,
    /// The name, in the config, of the model.
    pub asked: String,
    /// The question; absent where another session put it or none had to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<ProbeLine>,
}

/// The question that shows whether a server holds replies to a schema: no question of the session, and no seat's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeLine {
    /// The digest of the request.
    pub request: Digest,
    /// The answer as it came, or the words in which the server refused schemas; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// What a reasoning model thought before, where the server told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// What it used; absent when the server did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model the server says it used; absent when it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why the model stopped, in the server's spelling; absent when it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// Every attempt.
    pub attempts: Vec<Attempt>,
}
