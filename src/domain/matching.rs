//! What answers take, and what a session's is made equal to: independent votes are taken until they took as much as a debate.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

use super::Needed;

/// What is made equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum MatchUnit {
    /// Tokens of prompts and replies. Counted by model servers alone.
    TotalTokens,
    /// Tokens of replies. Counted by model servers alone.
    CompletionTokens,
    /// Answers, those that did not count included: with a model each is one call.
    Calls,
}

impl MatchUnit {
    /// Whether only what a model server tells counts.
    pub fn is_tokens(self) -> bool {
        self != MatchUnit::Calls
    }
}

/// The session that another one is matched to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The session.
    pub of: Needed,
    /// What is made equal.
    pub unit: MatchUnit,
    /// How much of it that session took.
    pub amount: u64,
}

/// What answers took so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taken {
    pub(super) calls: u64,
    pub(super) total_tokens: u64,
    pub(super) completion_tokens: u64,
    /// Whether an answer did not tell its tokens.
    pub(super) is_untold: bool,
}

impl Taken {
    /// How much of a unit; `None` for tokens where an answer did not tell them.
    pub fn of(&self, unit: MatchUnit) -> Option<u64> {
        match unit {
            MatchUnit::Calls => Some(self.calls),
            MatchUnit::TotalTokens => (!self.is_untold).then_some(self.total_tokens),
            MatchUnit::CompletionTokens => (!self.is_untold).then_some(self.completion_tokens),
        }
    }
}

spelled!(MatchUnit);
