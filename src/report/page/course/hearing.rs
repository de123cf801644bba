//! Which statements reach a seat before it speaks, and which of them its mind can respond to.

use std::collections::{BTreeMap, BTreeSet};

use super::spoken::Spoken;
use crate::domain::Record;
use crate::minds::InfluenceSource;

/// Which statements reach a seat before it speaks, and which of them its mind can respond to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HearingRules {
    /// When statements reach the seats that hear their speaker.
    pub floor: Earshot,
    /// Whom each seat hears; `None` if everyone hears everyone.
    pub network: Option<HearingNetwork>,
    /// The influence sources of simulated seats, by name. Other seats may respond to all they hear.
    pub minds: BTreeMap<String, InfluenceSource>,
}

/// The names of the seats that each seat hears, by name.
pub type HearingNetwork = BTreeMap<String, BTreeSet<String>>;

/// Which statements reach a seat before it speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earshot {
    /// All earlier statements.
    AllBefore,
    /// The statements of earlier rounds, because seats speak at the same time within a round.
    EarlierRounds,
    /// Not all statements, or changed statements.
    Some,
}

impl HearingRules {
    /// The recorded network; `None` if everyone hears everyone.
    pub fn network(records: &[Record]) -> Option<HearingNetwork> {
        let seated = records.iter().flat_map(|record| record.event.seated());
        let hears = seated
            .filter_map(|of| Some((of.seat.to_string(), of.hears.as_ref()?.iter().map(ToString::to_string).collect())));
        Some(hears.collect::<HearingNetwork>()).filter(|network| !network.is_empty())
    }

    /// What the choices of a seat can depend on.
    pub(super) fn influence_source(&self, seat: &str) -> InfluenceSource {
        self.minds.get(seat).copied().unwrap_or(InfluenceSource::Stances)
    }

    /// Whether a seat hears no other seat.
    pub(super) fn is_alone(&self, seat: &str) -> bool {
        let heard = self.network.as_ref().map(|network| network.get(seat));
        heard.is_some_and(|heard| heard.is_none_or(BTreeSet::is_empty))
    }

    /// Which statements reach every seat.
    pub(super) fn floor_for_all(&self) -> Earshot {
        if self.network.is_some() { Earshot::Some } else { self.floor }
    }

    /// The earlier statements that a seat heard and can respond to: those before its own last statement, and those since.
    pub(super) fn statements_heard<'s>(
        &self,
        earlier: &'s [Spoken],
        turn: &Spoken,
        own: Option<usize>,
    ) -> (Vec<&'s Spoken>, Vec<&'s Spoken>) {
        let source = self.influence_source(&turn.seat);
        let is_by_rounds = self.floor == Earshot::EarlierRounds || source == InfluenceSource::EarlierRounds;
        let listens_to = self.network.as_ref().map(|network| network.get(&turn.seat));
        let reaches = |other: &Spoken| listens_to.is_none_or(|to| to.is_some_and(|to| to.contains(&other.seat)));
        let is_heard = |other: &&Spoken| match (self.floor, is_by_rounds) {
            _ if source == InfluenceSource::Nothing || other.seat == turn.seat || !reaches(other) => false,
            (Earshot::Some, _) => false,
            (_, true) => other.phase != turn.phase || other.round < turn.round,
            (_, false) => true,
        };
        // If seats speak at the same time, the seat heard the statements of its own last round only after it had spoken.
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
