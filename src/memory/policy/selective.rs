//! The policy `selective`: appends events or has each seat integrate them into its text, as the routing says.

use super::{
    Bound, EventRetention, HearingScope, HistoryInBrief, PolicyTerms, RewriteScope, RewriteTerms, RewriteTrigger,
    StandingDisclosure,
};

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
