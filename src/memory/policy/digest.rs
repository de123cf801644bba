//! Digests of what is older, one after the other, and the newest statements in their own words. Nothing is digested twice.

use super::{
    Bound, EventRetention, HearingScope, PolicyTerms, RewriteEnd, RewriteScope, RewriteTerms, RewriteTrigger,
    StandingDisclosure,
};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;

/// When a digest is written, of what, and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct DigestPolicy {
    /// From how many statements on that are neither digested nor kept.
    pub every: u32,
    /// The length of a digest in words, at the most.
    pub words: u32,
    /// How many of the newest statements are never digested.
    pub keep: u32,
}

impl DigestPolicy {
    /// What it does.
    pub fn terms(self) -> PolicyTerms {
        let (keep, words_max) = (self.keep, Some(self.words));
        PolicyTerms {
            word: "digest",
            keeps: EventRetention::AsItComes,
            hears: HearingScope::OwnGroup,
            bound: Bound::Limits,
            history: HistoryInBrief::None,
            rewrites: Some(RewriteTerms {
                due: RewriteTrigger::EnoughWaits,
                keep,
                words_max,
                text: RewriteScope::OfTheRest,
            }),
            standing: StandingDisclosure::Yes,
        }
    }

    /// Up to where a digest would be written; `None` where too few statements wait for one and nobody demands it.
    pub fn rewrite_end(self, floor: &Floor, own: &OwnMemory) -> Option<RewriteEnd> {
        let newest =
            floor.start_of_newest(own.lapses(), self.keep).unwrap_or_else(|| floor.first_remembered(own.lapses()));
        let place = newest.max(own.floor_from());
        let waiting = floor.statements_known(own.lapses(), own.floor_from()..place, floor.len());
        (waiting >= self.every || own.is_demanded())
            .then(|| RewriteEnd { floor: place, own: own.kept_until(floor, newest) })
    }
}
