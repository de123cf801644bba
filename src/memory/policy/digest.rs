//! Digests of what is older, one after the other, and the newest statements in their own words. Nothing is digested twice.

use super::Until;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;

/// When a digest is written, of what, and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    /// From how many statements on that are neither digested nor kept.
    pub every: u32,
    /// The length of a digest in words, at the most.
    pub words: u32,
    /// How many of the newest statements are never digested.
    pub keep: u32,
}

impl Digest {
    /// Up to where a digest would be written; `None` where too few statements wait for one and nobody demands it.
    pub fn until(self, floor: &Floor, own: &OwnMemory) -> Option<Until> {
        let newest = floor.newest(own.lapses(), self.keep).unwrap_or_else(|| floor.oldest(own.lapses()));
        let place = newest.max(own.floor_from());
        let waiting = floor.statements_known(own.lapses(), own.floor_from()..place, floor.len());
        (waiting >= self.every || own.is_demanded()).then(|| Until { floor: place, own: own.kept_until(floor, newest) })
    }
}
