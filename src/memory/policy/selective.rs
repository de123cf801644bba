//! The policy `selective`: appends events or has each seat integrate them into its text, as the routing says.

use super::{
    Bound, EventRetention, HearingScope, PolicyTerms, RewriteEnd, RewriteScope, RewriteTerms, RewriteTrigger,
    StandingDisclosure,
};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;

/// Its terms.
pub const TERMS: PolicyTerms = PolicyTerms {
    word: "selective",
    keeps: EventRetention::Routed,
    hears: HearingScope::OwnGroup,
    bound: Bound::Limits,
    history: HistoryInBrief::Full,
    rewrites: Some(RewriteTerms {
        due: RewriteTrigger::PlanThreshold,
        keep: 0,
        words_max: None,
        text: RewriteScope::Integrated,
    }),
    standing: StandingDisclosure::No,
};

/// The end of a rewrite: the complete memory.
pub fn rewrite_end(floor: &Floor, own: &OwnMemory) -> RewriteEnd {
    RewriteEnd { floor: floor.len(), own: own.len() }
}
