//! What came of a call, and every attempt that it took. Nothing is called here.

use serde::{Deserialize, Serialize};

use super::failure::Failure;
use crate::adapters::stopwatch::Stopwatch;
use crate::domain::{Fault, Outage, Usage};

/// What a call brought, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The words as they came: the content, the words of a refusal, or what the server said of a question too long for it.
    pub raw: String,
    /// What a reasoning model thought before it replied, where the server told: nobody else's, and no part of the reply.
    pub thinking: Option<String>,
    /// What is wrong with the reply before its words are read; `None` leaves that to the words.
    pub fault: Option<Fault>,
    /// Why the model stopped, in the server's spelling.
    pub finish_reason: Option<String>,
    /// What the call used.
    pub usage: Option<Usage>,
    /// The model the server says it used.
    pub model: Option<String>,
    /// The server's fingerprint of model and settings.
    pub fingerprint: Option<String>,
    /// Every attempt, the last of which succeeded.
    pub attempts: Vec<Attempt>,
}

impl Call {
    /// A reply that was to have more room than the server gives any stays cut. It was not charged for.
    pub(super) fn cut_again(failure: Failure) -> Self {
        Self { fault: Some(Fault::CutByLength), usage: Some(Usage::default()), ..Self::too_long(failure) }
    }

    /// A server that refuses schemas has said what it was asked. It did not charge for it.
    pub(super) fn no_schemas(failure: Failure) -> Self {
        Self { fault: None, usage: Some(Usage::default()), ..Self::too_long(failure) }
    }

    /// A question that did not fit the model is the seat's affair, whatever status it came with.
    pub(super) fn too_long(failure: Failure) -> Self {
        Self {
            raw: failure.reason,
            thinking: None,
            fault: Some(Fault::ContextTooLong),
            finish_reason: None,
            usage: None,
            model: None,
            fingerprint: None,
            attempts: Vec::new(),
        }
    }
}

/// One attempt at a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// When it began, in milliseconds since 1970 (UTC).
    pub started_unix_ms: u64,
    /// How long it took, in milliseconds.
    pub wall_ms: u64,
    /// The HTTP status; absent when no response came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// What failed; absent when it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What it may have used at the most, where the server may have answered and did not say what that took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Usage>,
}

/// A call that brought no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// Why.
    pub outage: Outage,
    /// Every attempt, all of which failed.
    pub attempts: Vec<Attempt>,
}

impl Attempt {
    /// The attempt that a stopwatch was started for, and that is over now.
    pub(super) fn since(
        clock: &Stopwatch,
        status: Option<u16>,
        failure: Option<String>,
        at_most: Option<Usage>,
    ) -> Self {
        Self { started_unix_ms: clock.started_unix_ms, wall_ms: clock.elapsed_ms(), status, failure, at_most }
    }
}
