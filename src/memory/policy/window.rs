//! The policy `window`: shows the newest turns that fit; rewrites nothing.

use super::{Bound, EventRetention, HearingScope, PolicyTerms, StandingDisclosure};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;
use crate::memory::view::{ViewStart, first_true};

/// How much is in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// This many statements, and what was announced and kept since the first of them.
    Statements(#[schemars(range(min = 1))] u32),
    /// As many of the newest statements, with what was announced and kept since the first of them, as have this many tokens
    /// at the most, by an estimate that errs high; what is never dropped counts, and one statement is always shown.
    Tokens(#[schemars(range(min = 1))] u64),
}

impl Window {
    /// Its terms.
    pub fn terms(self) -> PolicyTerms {
        let tokens = match self {
            Window::Statements(_) => None,
            Window::Tokens(most) => Some(most),
        };
        PolicyTerms {
            word: "window",
            keeps: EventRetention::AsItComes,
            hears: HearingScope::OwnGroup,
            bound: Bound::Window { tokens },
            history: HistoryInBrief::None,
            rewrites: None,
            standing: StandingDisclosure::No,
        }
    }

    /// The window's part of the memory.
    pub fn in_hand(self, floor: &Floor, own: &OwnMemory) -> ViewStart {
        let place = self.window_start(floor, own).max(own.floor_from());
        ViewStart {
            summaries: own.summaries_from(),
            ..ViewStart::from_places(place, own.entries_before(place).max(own.entries_from()))
        }
    }

    /// The position on the floor at which the window begins. Forgotten statements do not count.
    fn window_start(self, floor: &Floor, own: &OwnMemory) -> usize {
        let (statements, lapses) = (floor.statement_places(), own.lapses());
        match self {
            Window::Statements(most) => match floor.start_of_newest(lapses, most.saturating_add(1)) {
                None => 0,
                Some(_) => floor.start_of_newest(lapses, most).expect("invariant: there are more"),
            },
            Window::Tokens(most) => {
                let room = most.saturating_sub(floor.pinned_tokens() + own.pinned_tokens());
                let fits = |place: usize| {
                    floor.tokens_from(lapses, place) + own.tokens_from(own.entries_before(place)) <= room
                };
                let place = first_true(0, floor.len(), fits);
                if place == 0 {
                    return 0;
                }
                // The window begins with a statement, so that turns stay complete.
                let known =
                    |from: usize| lapses.statements.stretch(statements, from..statements.len(), statements.len());
                let next = known(statements.partition_point(|other| (*other as usize) < place));
                next.first().or(known(0).last()).map_or(place, |place| *place as usize)
            }
        }
    }
}
