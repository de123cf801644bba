//! What is minuted of memories: what an author has done with them, and what they hold when a round closes. What they hold then is
//! told by `memory`, not here.

use serde::{Deserialize, Serialize};

use super::{PhaseName, SeatName};

/// What an author has done with memories at a moment of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum MemoryAct {
    /// What is older than the newest is made shorter, as far as the policy lets it.
    Compact {
        /// What the text is to keep above all; absent where the author does not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        focus: Option<String>,
    },
    /// What is not pinned is forgotten: everything up to now, or what one phase has brought so far.
    Forget {
        /// The phase; absent for everything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        phase: Option<PhaseName>,
    },
}

/// A seat whose memory stays as it is though it was to be made shorter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spared {
    /// Whose.
    pub seat: SeatName,
    /// Why.
    pub why: SparedBecause,
}

/// Why a memory is not made shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SparedBecause {
    /// It holds nothing that its policy replaces by a text: all of it stays in its own words, or is such a text already.
    NothingToReplace,
    /// What would be replaced is no longer than the shortest text that is asked for.
    ShortAlready,
    /// The seat failed to make it shorter, and has been given nothing since.
    FailedBefore,
}

impl SparedBecause {
    /// The reason in words, behind `because`.
    pub fn words(self) -> &'static str {
        match self {
            SparedBecause::NothingToReplace => "it holds nothing that its policy replaces by a text",
            SparedBecause::ShortAlready => {
                "what would be replaced is no longer than the shortest text that is asked for"
            }
            SparedBecause::FailedBefore => "the seat failed to make it shorter and has been given nothing since",
        }
    }
}

/// What a seat's memory holds when a round closes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryReport {
    /// Entries in it that it would be shown now: remarks of the floor and its own.
    pub entries: u32,
    /// Their length in characters, as rendered, with what it would be told of where the talk stands.
    pub chars: u64,
    /// Entries it has witnessed and would not be shown in their own words: dropped, or replaced when it rewrote its memory.
    pub dropped_entries: u32,
    /// The length of the entries, and of where the talk stands, in tokens, by the fixed estimate, with two for each that stand between it and the next.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub tokens: u64,
    /// The texts among the entries that the seat wrote when it rewrote its memory.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub summaries: u64,
    /// The public statements in its last prompt of the round; absent if it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements: Option<StatementChars>,
}

/// How much of the public statements that a seat could hear one prompt showed, in characters of the statements' own words. What
/// is neither shown nor cut was left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatementChars {
    /// Of all statements that it could hear, its own included, since the session began.
    pub heard: u64,
    /// Shown.
    pub shown: u64,
    /// Missing because a statement was shortened.
    pub cut: u64,
}

impl StatementChars {
    /// Missing because a statement was left out.
    pub fn dropped(&self) -> u64 {
        self.heard - self.shown - self.cut
    }
}
