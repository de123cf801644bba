//! A common stock: what a seat is told of it when it is asked how much it takes, and what it took.

use serde::{Deserialize, Serialize};

use super::SeatName;

/// What a seat knows of the stock when it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pool {
    /// What there is, in whole units.
    pub stock: u32,
    /// The round, from 1.
    pub round: u32,
    /// How many rounds there are at the most.
    pub rounds: u32,
    /// How many seats take from it, this one among them.
    pub seats: u32,
    /// The round before; `None` in the first.
    pub last: Option<LastHarvest>,
}

/// What a seat knows of the round before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastHarvest {
    /// What there was.
    pub stock: u32,
    /// What all took together.
    pub total: u32,
    /// What the seat itself took.
    pub own: u32,
}

/// What one seat took from the stock in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Harvest {
    /// The seat.
    pub seat: SeatName,
    /// What it asked for; absent where it gave no admissible answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<u32>,
    /// What it got.
    pub got: u32,
}
