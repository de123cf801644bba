//! Counts of sessions by completion.

use super::{AnswerValidity, CompletionStatus, Observation};

/// Counts of sessions: `planned` = `completed` + `incomplete` + `failed`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CompletionCounts {
    /// Sessions of the design.
    pub planned: u64,
    /// Completed sessions.
    pub completed: u64,
    /// Sessions that were interrupted or not started.
    pub incomplete: u64,
    /// Sessions that failed.
    pub failed: u64,
    /// Completed sessions in which the metric is undefined.
    pub undefined: u64,
    /// Completed sessions in which at least one answer stayed invalid or refused.
    pub with_invalid_answers: u64,
    /// Sessions with a number.
    pub measured: u64,
}

impl CompletionCounts {
    /// Counts sessions.
    pub fn from_observations<'a>(observations: impl Iterator<Item = &'a Observation>) -> Self {
        let mut account = Self::default();
        for seen in observations {
            account.planned += 1;
            match seen.reached {
                CompletionStatus::Incomplete => account.incomplete += 1,
                CompletionStatus::Failed => account.failed += 1,
                CompletionStatus::Completed => {
                    account.completed += 1;
                    account.undefined += u64::from(seen.value.is_none());
                    account.with_invalid_answers += u64::from(seen.answers == AnswerValidity::SomeInvalid);
                }
            }
            account.measured += u64::from(seen.value.is_some());
        }
        account
    }
}
