//! Who sits on a seat, as far as that was drawn.

use serde::{Deserialize, Serialize};

use super::SeatName;

/// Who sits on a seat in this session, where that was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seated {
    /// The seat.
    pub seat: SeatName,
    /// The persona drawn from a pool, by its id there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// The traits of its mind, in millionths of their unit; fixed ones, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traits: Vec<Trait>,
}

/// A trait of a simulated mind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trait {
    /// Its name (`risk_aversion`, …).
    pub name: String,
    /// Its value, in millionths.
    pub millionths: i64,
}
