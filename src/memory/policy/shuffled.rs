//! As it comes, within the limits; but what is heard are another group's statements. Which these are is found elsewhere.

use super::{Bound, EventRetention, HearingScope, PolicyTerms, StandingDisclosure};
use crate::memory::HistoryInBrief;

/// What it does.
pub const TERMS: PolicyTerms = PolicyTerms {
    word: "shuffled",
    keeps: EventRetention::AsItComes,
    hears: HearingScope::AnotherGroup,
    bound: Bound::Limits,
    history: HistoryInBrief::None,
    rewrites: None,
    standing: StandingDisclosure::No,
};
