//! Everything, in full: no limit holds but that of a seat's model.

use super::{Bound, EventRetention, HearingScope, PolicyTerms, StandingDisclosure};
use crate::memory::HistoryInBrief;

/// What it does.
pub const TERMS: PolicyTerms = PolicyTerms {
    word: "full",
    keeps: EventRetention::AsItComes,
    hears: HearingScope::OwnGroup,
    bound: Bound::Unbounded,
    history: HistoryInBrief::None,
    rewrites: None,
    standing: StandingDisclosure::No,
};
