//! Where the seats of a null begin: with what the same seats of another session said alone before the talk.

use serde::{Deserialize, Serialize};

use super::{AlternativeName, Choice, Needed, Opinion, SeatName, Seq};

/// What a seat said alone before the talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstOpinion {
    /// The seat.
    pub seat: SeatName,
    /// The record of the other session in which it did.
    pub seq: Seq,
    /// Its choice.
    pub alternative: AlternativeName,
    /// The amount it named with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u32>,
    /// The opinion it told with it, in billionths; absent when it told none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
}

/// What the seats of a session begin with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstOpinions {
    /// The session whose seats said it.
    pub of: Needed,
    /// What they said, in the order in which they did; a seat whose answer did not count is not among them.
    pub seats: Vec<FirstOpinion>,
}

/// Where a seat stands before it has heard anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum First {
    /// Where its own mind has it.
    #[default]
    Own,
    /// Where the same seat of another session said alone that it stands.
    Told {
        /// What it chose.
        choice: Choice,
        /// The opinion it told with it; `None` when it told none.
        opinion: Option<Opinion>,
    },
    /// Nowhere: the same seat of the other session said nothing that counted.
    Untold,
}
