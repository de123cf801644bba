//! The kinds of phases, as minutes name them.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

/// The kinds of phases an agenda may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PhaseKindName {
    /// The facilitator tells the seats something.
    Brief,
    /// Every seat answers a private poll or form.
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
    Vote,
    /// Values are computed.
    Compute,
    /// Seats are paid by what they did, or for what was decided.
    Pay,
    /// Seats are put into groups.
    Assign,
}

spelled!(PhaseKindName);
