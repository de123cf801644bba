//! Questions that were put by file: which request each was put as, so that a reply to another one is never taken for its own.

use serde::{Deserialize, Serialize};

use crate::domain::{Digest, QuestionId};

/// How the line of a question that is put by file begins.
pub(super) const OF_DEFERRED: &[u8] = b"{\"deferred\":";

/// A question that is put by file, written before the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeferredLine {
    /// The question.
    pub deferred: QuestionId,
    /// The name, in the config, of the model that it is put to.
    pub asked: String,
    /// The digest of the request.
    pub request: Digest,
}
