//! Questions that were put by file: which request each was put as, so that a reply to another one is never taken for its own.

use serde::{Deserialize, Serialize};

use super::CallRecord;
use crate::domain::{Digest, Outage, QuestionId};

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

impl CallRecord {
    /// The request as which a question was put by file; `None` where it was not.
    pub fn deferred(&self, question: &QuestionId) -> Option<&Digest> {
        self.lines.deferred.get(question)
    }

    /// Adds that a question is put by file, once.
    ///
    /// # Errors
    /// As of [`CallRecord::append`]; [`Outage::Diverged`] when it was put as another request before.
    ///
    /// # Panics
    /// Never: a line holds nothing that JSON cannot.
    pub fn keep_deferred(&mut self, line: DeferredLine) -> Result<(), Outage> {
        match self.deferred(&line.deferred) {
            Some(before) if *before == line.request => return Ok(()),
            Some(before) => {
                return Err(Outage::Diverged {
                    recorded: before.to_string(),
                    now: line.request.to_string(),
                    question: Box::new(line.deferred),
                });
            }
            None => {}
        }
        let mut bytes = serde_json::to_vec(&line).expect("invariant: a line of a question serialises");
        bytes.push(b'\n');
        self.write(&bytes).map_err(|error| self.unwritten(&error))?;
        self.lines.deferred.insert(line.deferred, line.request);
        Ok(())
    }
}
