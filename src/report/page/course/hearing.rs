//! What of the talk reaches seats before they speak, and what of it their minds heed.

use std::collections::{BTreeMap, BTreeSet};

use super::moves::Spoken;
use crate::domain::{Event, Record};
use crate::minds::InfluenceSource;

/// What of the talk reaches seats before they speak, and what of it their minds heed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hearing {
    /// Which statements reach a seat from those whom it hears.
    pub floor: Floor,
    /// Whom each seat hears, by name; `None` where everyone hears everyone.
    pub network: Option<Network>,
    /// The simulated seats, by name: the others may heed all that they hear.
    pub minds: BTreeMap<String, InfluenceSource>,
}

/// Whom each seat hears, by name.
pub type Network = BTreeMap<String, BTreeSet<String>>;

/// Which statements reach a seat before it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Floor {
    /// All that were made before.
    AllBefore,
    /// Those of earlier rounds: a round's are made at the same time.
    EarlierRounds,
    /// Not all of them, or not those that were made.
    Some,
}

impl Hearing {
    /// Who hears whom, as the record has it; `None` where everyone hears everyone.
    pub fn network(records: &[Record]) -> Option<Network> {
        let told = records.iter().find_map(|record| match &record.event {
            Event::Networked { hears } => Some(hears),
            _ => None,
        })?;
        let own = told.iter().map(|one| (one.seat.to_string(), one.hears.iter().map(ToString::to_string).collect()));
        Some(own.collect())
    }

    /// What the choices of a seat can depend on.
    pub(super) fn heeds(&self, seat: &str) -> InfluenceSource {
        self.minds.get(seat).copied().unwrap_or(InfluenceSource::Stances)
    }

    /// Whether a seat hears no other.
    pub(super) fn is_alone(&self, seat: &str) -> bool {
        let heard = self.network.as_ref().map(|network| network.get(seat));
        heard.is_some_and(|heard| heard.is_none_or(BTreeSet::is_empty))
    }

    /// Which statements reach all seats alike: not all of them where not everyone hears everyone.
    pub(super) fn by_all(&self) -> Floor {
        if self.network.is_some() { Floor::Some } else { self.floor }
    }

    /// What of the talk before a turn its seat heard and may heed: until it spoke last, and since.
    pub(super) fn heard<'s>(
        &self,
        earlier: &'s [Spoken],
        turn: &Spoken,
        own: Option<usize>,
    ) -> (Vec<&'s Spoken>, Vec<&'s Spoken>) {
        let heeds = self.heeds(&turn.seat);
        let is_by_rounds = self.floor == Floor::EarlierRounds || heeds == InfluenceSource::EarlierRounds;
        let listens_to = self.network.as_ref().map(|network| network.get(&turn.seat));
        let reaches = |other: &Spoken| listens_to.is_none_or(|to| to.is_some_and(|to| to.contains(&other.seat)));
        let is_heard = |other: &&Spoken| match (self.floor, is_by_rounds) {
            _ if heeds <= InfluenceSource::Takes || other.seat == turn.seat || !reaches(other) => false,
            (Floor::Some, _) => false,
            (_, true) => other.phase != turn.phase || other.round < turn.round,
            (_, false) => true,
        };
        // What was said in the round of its own last words, at the same time, it heard only afterwards.
        let since = own.map_or(0, |last| match is_by_rounds {
            true => {
                let own = &earlier[last];
                earlier.iter().position(|other| other.phase == own.phase && other.round == own.round).unwrap_or(last)
            }
            false => last + 1,
        });
        let (long_ago, since) = earlier.split_at(since);
        (long_ago.iter().filter(is_heard).collect(), since.iter().filter(is_heard).collect())
    }
}
