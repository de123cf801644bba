//! All is kept until it is nearly full; then one text takes the place of everything but the newest turns.

use super::Until;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;

/// When a memory is made shorter, and what stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compact {
    /// From which share of its limit on, in parts per million.
    pub threshold_ppm: u32,
    /// How many of the newest statements stay, with what was announced and kept since the first of them.
    pub keep: u32,
}

impl Compact {
    /// Up to where a memory is replaced.
    pub fn until(self, floor: &Floor, own: &OwnMemory) -> Until {
        let place = floor.newest(own.lapses(), self.keep).unwrap_or_else(|| floor.oldest(own.lapses()));
        Until { floor: place.max(own.floor_from()), own: own.kept_until(floor, place) }
    }
}
