//! The kinds of phases, as minutes name them.

use serde::{Deserialize, Serialize};

/// The kinds of phases an agenda may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseKindName {
    /// The facilitator tells the seats something.
    Brief,
    /// Every seat answers a private poll.
    Ask,
    /// Every seat ranks the alternatives.
    Ranking,
    /// Every seat is tested on what the alternatives do.
    Comprehension,
    /// Every seat applies alternatives of its own choice to situations, round by round.
    Applications,
    /// The seats talk, round by round.
    Discussion,
    /// The seats vote once.
    Ballot,
    /// What was decided is paid.
    Settle,
}

impl PhaseKindName {
    /// The spelling used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            PhaseKindName::Brief => "brief",
            PhaseKindName::Ask => "ask",
            PhaseKindName::Ranking => "ranking",
            PhaseKindName::Comprehension => "comprehension",
            PhaseKindName::Applications => "applications",
            PhaseKindName::Settle => "settle",
            PhaseKindName::Discussion => "discussion",
            PhaseKindName::Ballot => "ballot",
        }
    }
}
