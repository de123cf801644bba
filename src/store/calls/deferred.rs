//! The line of a question that is asked by file: it fixes the request, so that a reply to another request is not accepted.

use serde::{Deserialize, Serialize};

use crate::domain::{Digest, QuestionId};

/// How the line of a question by file begins.
pub(super) const OF_DEFERRED: &[u8] = b"{\"deferred\":";

/// A question that is asked by file; written before the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeferredLine {
    /// The question.
    pub deferred: QuestionId,
    /// The model that is asked, under its name in the config.
    pub asked: String,
    /// The digest of the request.
    pub request: Digest,
}
