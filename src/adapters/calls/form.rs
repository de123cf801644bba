//! What the record of calls holds of how models are asked to phrase their replies. It asks nobody.

use serde::{Deserialize, Serialize};

use super::CallRecord;
use crate::adapters::openai::{Attempt, Probe};
use crate::domain::{Digest, LearntForm, Outage, Usage};

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

impl From<Probe> for ProbeLine {
    fn from(probe: Probe) -> Self {
        let Probe { request, call, attempts } = probe;
        let Some(call) = call else {
            let (raw, thinking, usage, model, finish_reason) = (None, None, None, None, None);
            return Self { request, raw, thinking, usage, model, finish_reason, attempts };
        };
        Self {
            request,
            raw: Some(call.raw),
            thinking: call.thinking,
            usage: call.usage,
            model: call.model,
            finish_reason: call.finish_reason,
            attempts,
        }
    }
}

impl CallRecord {
    /// How a model is asked to phrase its replies; `None` when that was not learnt yet.
    pub fn form(&self, model: &str) -> Option<&LearntForm> {
        self.forms().find(|form| form.model == model)
    }

    /// All that was learnt of forms.
    pub fn forms(&self) -> impl Iterator<Item = &LearntForm> {
        self.lines.forms.iter().filter_map(|line| line.form.as_ref())
    }

    /// Adds what was learnt of a form, or what was asked for it in vain.
    ///
    /// # Errors
    /// As of [`CallRecord::append`].
    ///
    /// # Panics
    /// Never: a line holds nothing that JSON cannot.
    pub fn keep_form(&mut self, line: FormLine) -> Result<(), Outage> {
        let mut bytes = serde_json::to_vec(&line).expect("invariant: a line of a form serialises");
        bytes.push(b'\n');
        self.write(&bytes).map_err(|error| self.unwritten(&error))?;
        self.lines.forms.push(line);
        Ok(())
    }
}
