//! Traits: the numbers that distinguish minds of one kind, fixed by the author or drawn for each seat and session.

use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::SeatName;
use crate::minds::coordinates::convening_question;

/// A trait's value, in millionths of its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum TraitValue {
    /// Equal for all seats and sessions.
    Fixed(i64),
    /// Drawn for each seat and session, uniformly over the whole millionths between the bounds.
    Uniform {
        /// The lower bound, included.
        least: i64,
        /// The upper bound, included; at least the lower one.
        greatest: i64,
    },
}

impl TraitValue {
    /// The value on a seat in a session, in its unit.
    pub(super) fn number_on(self, seed: &SessionSeed, seat: &SeatName, item: u32) -> f64 {
        self.millionths_on(seed, seat, item) as f64 * 1e-6
    }

    /// The value on a seat in a session, in millionths. `item` distinguishes the traits of a mind.
    pub(super) fn millionths_on(self, seed: &SessionSeed, seat: &SeatName, item: u32) -> i64 {
        match self {
            TraitValue::Fixed(millionths) => millionths,
            TraitValue::Uniform { least, greatest } => {
                let above = greatest.checked_sub(least).and_then(|width| u64::try_from(width).ok());
                let width = above.expect("invariant: a trait's bounds are in order").saturating_add(1);
                least + seed.at_question(DrawPurpose::Trait, &convening_question(seat), item).draw_below(width) as i64
            }
        }
    }
}
