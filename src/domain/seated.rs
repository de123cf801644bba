//! Who sits where in a session, by which name, and whom it hears.

use serde::{Deserialize, Serialize};

use super::SeatName;

/// Who sits on a seat in this session, as far as that was drawn or chosen.
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
    /// The others whose statements it hears, in the plan's order; absent where everyone hears everyone. What the facilitator says and
    /// what is counted all hear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hears: Option<Vec<SeatName>>,
    /// The name that it chose: of several that chose the same, the first in the plan's order got it; absent where it goes by the name
    /// of its seat, and before names are chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Seated {
    /// A seat by the name that it chose.
    pub fn named(seat: &SeatName, name: String) -> Self {
        Self { seat: seat.clone(), persona: None, traits: Vec::new(), hears: None, name: Some(name) }
    }
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
