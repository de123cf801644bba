//! The policy `none`: a seat sees only its identity, the exhibits and the question.

use super::{Bound, EventRetention, HearingScope, PolicyTerms, StandingDisclosure};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;
use crate::memory::view::ViewStart;

/// Its terms.
pub const TERMS: PolicyTerms = PolicyTerms {
    word: "none",
    keeps: EventRetention::Nothing,
    hears: HearingScope::OwnGroup,
    bound: Bound::Limits,
    history: HistoryInBrief::None,
    rewrites: None,
    standing: StandingDisclosure::No,
};

/// An empty memory.
pub fn in_hand(floor: &Floor, own: &OwnMemory) -> ViewStart {
    ViewStart { summaries: own.summaries_len(), ..ViewStart::from_places(floor.len(), own.len()) }
}
