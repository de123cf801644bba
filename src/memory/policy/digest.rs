//! The policy `digest`: keeps the newest statements verbatim and successive digests of older ones, each digested once.

use super::{
    Bound, EventRetention, HearingScope, PolicyTerms, RewriteEnd, RewriteScope, RewriteTerms, RewriteTrigger,
    StandingDisclosure,
};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;

/// When a digest is due, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct DigestPolicy {
    /// The number of statements, neither digested nor kept, that triggers a digest.
    pub every: u32,
    /// The maximal length of a digest in words.
    pub words: u32,
    /// The number of newest statements that are never digested.
    pub keep: u32,
}

impl DigestPolicy {
    /// Its terms.
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

    /// The end of the part to digest; `None` if too few statements wait and nobody demands a digest.
    pub fn rewrite_end(self, floor: &Floor, own: &OwnMemory) -> Option<RewriteEnd> {
        let newest =
            floor.start_of_newest(own.lapses(), self.keep).unwrap_or_else(|| floor.first_remembered(own.lapses()));
        let place = newest.max(own.floor_from());
        let waiting = floor.statements_known(own.lapses(), own.floor_from()..place, floor.len());
        (waiting >= self.every || own.is_demanded())
            .then(|| RewriteEnd { floor: place, own: own.kept_until(floor, newest) })
    }
}
