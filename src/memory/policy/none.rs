//! Nothing: a seat is shown who it is, the exhibits and the question.

use super::{Bound, Hears, Keeps, Terms, Told};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;
use crate::memory::view::Cut;

/// What it does.
pub const TERMS: Terms = Terms {
    word: "none",
    keeps: Keeps::Nothing,
    hears: Hears::OwnGroup,
    bound: Bound::Limits,
    history: HistoryInBrief::None,
    rewrites: None,
    standing: Told::No,
};

/// What a seat has in hand.
pub fn in_hand(floor: &Floor, own: &OwnMemory) -> Cut {
    Cut { summaries: own.summaries_len(), ..Cut::at(floor.len(), own.len()) }
}
