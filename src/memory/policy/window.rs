//! The newest turns, for as long as they fit: nothing is rewritten, what is older is not shown.

use super::{Bound, Hears, Keeps, Terms, Told};
use crate::memory::HistoryInBrief;
use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;
use crate::memory::view::{Cut, first_true};

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
    /// What it does.
    pub fn terms(self) -> Terms {
        let tokens = match self {
            Window::Statements(_) => None,
            Window::Tokens(most) => Some(most),
        };
        Terms {
            word: "window",
            keeps: Keeps::AsItComes,
            hears: Hears::OwnGroup,
            bound: Bound::Window { tokens },
            history: HistoryInBrief::None,
            rewrites: None,
            standing: Told::No,
        }
    }

    /// What a seat has in hand.
    pub fn in_hand(self, floor: &Floor, own: &OwnMemory) -> Cut {
        let place = self.from(floor, own).max(own.floor_from());
        Cut { summaries: own.summaries_from(), ..Cut::at(place, own.before(place).max(own.live())) }
    }

    /// The position on the floor at which the window begins. What is forgotten is no part of it.
    fn from(self, floor: &Floor, own: &OwnMemory) -> usize {
        let (statements, lapses) = (floor.statements(), own.lapses());
        match self {
            Window::Statements(most) => match floor.newest(lapses, most.saturating_add(1)) {
                None => 0,
                Some(_) => floor.newest(lapses, most).expect("invariant: there are more"),
            },
            Window::Tokens(most) => {
                let room = most.saturating_sub(floor.pinned_tokens() + own.pinned_tokens());
                let fits = |place: usize| floor.tokens(lapses, place) + own.tokens(own.before(place)) <= room;
                let place = first_true(0, floor.len(), fits);
                if place == 0 {
                    return 0;
                }
                // A turn is shown whole: the window begins with a statement.
                let known =
                    |from: usize| lapses.statements.stretch(statements, from..statements.len(), statements.len());
                let next = known(statements.partition_point(|other| (*other as usize) < place));
                next.first().or(known(0).last()).map_or(place, |place| *place as usize)
            }
        }
    }
}
