//! The policy `selective`: appends events or has each seat integrate them into its text, as the routing says.

use super::{EventRetention, HistoryInBrief, PolicyTerms, RewriteScope, RewriteTerms, RewriteTrigger};

/// Its terms.
pub const TERMS: PolicyTerms = PolicyTerms {
    word: "selective",
    keeps: EventRetention::Routed,
    history: HistoryInBrief::Full,
    rewrites: Some(RewriteTerms {
        due: RewriteTrigger::PlanThreshold,
        keep: 0,
        words_max: None,
        text: RewriteScope::Integrated,
    }),
    ..PolicyTerms::PLAIN
};
