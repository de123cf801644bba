//! The lines that record the form in which a model is asked to reply.

use serde::{Deserialize, Serialize};

use super::Attempt;
use crate::domain::{Digest, LearntForm, Usage};

/// How the line of a learnt form begins.
pub(super) const OF_FORM: &[u8] = b"{\"form\":";

/// The form in which a model is asked to reply, learnt before the first call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormLine {
    /// The form; `None` if the probe failed.
    pub form: Option<LearntForm>,
    /// The model's name in the config.
    pub asked: String,
    /// The probe; absent if another session sent it or none was needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<ProbeLine>,
}

/// The probe that shows whether a server enforces schemas. It is no question of the session and no seat's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeLine {
    /// The digest of the request.
    pub request: Digest,
    /// The answer, or the words in which the server refused schemas; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// A reasoning model's thinking, if the server reported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// The tokens used; absent if the server did not report them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model that the server says it used; absent if it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why the model stopped, in the server's spelling; absent if it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// Every attempt.
    pub attempts: Vec<Attempt>,
}
