//! All is kept until it is nearly full; then one text takes the place of everything but the newest turns.

use super::{
    Bound, EventRetention, HearingScope, PolicyTerms, RewriteEnd, RewriteScope, RewriteTerms, RewriteTrigger,
    StandingDisclosure,
};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;

/// When a memory is made shorter, and what stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct CompactPolicy {
    /// From which share of its limit on, in parts per million.
    pub threshold_ppm: u32,
    /// How many of the newest statements stay, with what was announced and kept since the first of them.
    pub keep: u32,
}

impl CompactPolicy {
    /// What it does.
    pub fn terms(self) -> PolicyTerms {
        let (due, keep) = (RewriteTrigger::OwnThreshold(self.threshold_ppm), self.keep);
        PolicyTerms {
            word: "compact",
            keeps: EventRetention::AsItComes,
            hears: HearingScope::OwnGroup,
            bound: Bound::Limits,
            history: HistoryInBrief::None,
            rewrites: Some(RewriteTerms { due, keep, words_max: None, text: RewriteScope::OfAll }),
            standing: StandingDisclosure::No,
        }
    }

    /// Up to where a memory is replaced.
    pub fn rewrite_end(self, floor: &Floor, own: &OwnMemory) -> RewriteEnd {
        let place =
            floor.start_of_newest(own.lapses(), self.keep).unwrap_or_else(|| floor.first_remembered(own.lapses()));
        RewriteEnd { floor: place.max(own.floor_from()), own: own.kept_until(floor, place) }
    }
}
