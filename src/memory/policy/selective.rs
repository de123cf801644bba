//! What the routing says, within the limits: appended as it comes, or worked by each seat into a text of its own.

use super::{Bound, Due, Hears, Keeps, Rewrites, Terms, Text, Told, Until};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;

/// What it does.
pub const TERMS: Terms = Terms {
    word: "selective",
    keeps: Keeps::Routed,
    hears: Hears::OwnGroup,
    bound: Bound::Limits,
    history: HistoryInBrief::Full,
    rewrites: Some(Rewrites { due: Due::PlanThreshold, keep: 0, words_max: None, text: Text::Integrated }),
    standing: Told::No,
};

/// Up to where a memory is replaced: all of it.
pub fn until(floor: &Floor, own: &OwnMemory) -> Until {
    Until { floor: floor.len(), own: own.len() }
}
