//! Why a session ended; how it ended is its verdict.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum StopReason {
    /// A vote decided.
    Decided,
    /// All rounds were used up without a decision.
    RoundsUsedUp,
    /// The agenda's vote was held and decided nothing.
    Undecided,
    /// The decision was imposed.
    Imposed,
    /// Statements had become alike, which ended the talk, and nothing was decided.
    Converged,
    /// Every seat was excluded.
    NobodyLeft,
    /// The agenda is at its end, and no vote gives the result.
    AgendaDone,
}

spelled!(StopReason);
