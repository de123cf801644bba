//! All is kept until it is nearly full; then one text takes the place of everything but the newest turns.

use super::{Bound, Due, Hears, Keeps, Rewrites, Terms, Text, Told, Until};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;

/// When a memory is made shorter, and what stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Compact {
    /// From which share of its limit on, in parts per million.
    pub threshold_ppm: u32,
    /// How many of the newest statements stay, with what was announced and kept since the first of them.
    pub keep: u32,
}

impl Compact {
    /// What it does.
    pub fn terms(self) -> Terms {
        let (due, keep) = (Due::OwnThreshold(self.threshold_ppm), self.keep);
        Terms {
            word: "compact",
            keeps: Keeps::AsItComes,
            hears: Hears::OwnGroup,
            bound: Bound::Limits,
            history: HistoryInBrief::None,
            rewrites: Some(Rewrites { due, keep, words_max: None, text: Text::OfAll }),
            standing: Told::No,
        }
    }

    /// Up to where a memory is replaced.
    pub fn until(self, floor: &Floor, own: &OwnMemory) -> Until {
        let place = floor.newest(own.lapses(), self.keep).unwrap_or_else(|| floor.oldest(own.lapses()));
        Until { floor: place.max(own.floor_from()), own: own.kept_until(floor, place) }
    }
}
