//! The policy `full`: keeps everything in full; only the model's limit applies.

use super::{Bound, EventRetention, HearingScope, HistoryInBrief, PolicyTerms, StandingDisclosure};

/// Its terms.
pub const TERMS: PolicyTerms = PolicyTerms {
    word: "full",
    keeps: EventRetention::AsItComes,
    hears: HearingScope::OwnGroup,
    bound: Bound::Unbounded,
    history: HistoryInBrief::None,
    rewrites: None,
    standing: StandingDisclosure::No,
};
