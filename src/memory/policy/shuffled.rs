//! The policy `shuffled`: appends events, but the statements come from another group.

use super::{Bound, EventRetention, HearingScope, HistoryInBrief, PolicyTerms, StandingDisclosure};

/// Its terms.
pub const TERMS: PolicyTerms = PolicyTerms {
    word: "shuffled",
    keeps: EventRetention::AsItComes,
    hears: HearingScope::AnotherGroup,
    bound: Bound::Limits,
    history: HistoryInBrief::None,
    rewrites: None,
    standing: StandingDisclosure::No,
};
