//! The policy `none`: a seat sees only its identity, the exhibits and the question.

use super::{Bound, EventRetention, HearingScope, HistoryInBrief, PolicyTerms, StandingDisclosure};

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
