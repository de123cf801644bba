//! What the routing says, within the limits: appended as it comes, or worked by each seat into a text of its own.

use super::{
    Bound, EventRetention, HearingScope, PolicyTerms, RewriteEnd, RewriteScope, RewriteTerms, RewriteTrigger,
    StandingDisclosure,
};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;

/// What it does.
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

/// Up to where a memory is replaced: all of it.
pub fn rewrite_end(floor: &Floor, own: &OwnMemory) -> RewriteEnd {
    RewriteEnd { floor: floor.len(), own: own.len() }
}
