//! The newest turns, for as long as they fit: nothing is rewritten, what is older is not shown.

use crate::memory::floor::Floor;
use crate::memory::own::OwnMemory;
use crate::memory::view::first_true;

/// How much is in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// This many statements, and what was announced and kept since the first of them.
    Statements(#[schemars(range(min = 1))] u32),
    /// As many of the newest statements, with what was announced and kept since the first of them, as have this many tokens
    /// at the most, by an estimate that errs high; what is never dropped counts, and one statement is always shown.
    Tokens(#[schemars(range(min = 1))] u64),
}

impl Window {
    /// The position on the floor at which the window begins.
    pub fn from(self, floor: &Floor, own: &OwnMemory) -> usize {
        let statements = floor.statements();
        match self {
            Window::Statements(most) => match statements.len().checked_sub(most as usize) {
                None | Some(0) => 0,
                Some(older) => statements.get(older).map_or(floor.len(), |place| *place as usize),
            },
            Window::Tokens(most) => {
                let room = most.saturating_sub(floor.pinned_tokens() + own.pinned_tokens());
                let fits = |place: usize| floor.tokens(place) + own.tokens(own.before(place)) <= room;
                let place = first_true(0, floor.len(), fits);
                if place == 0 {
                    return 0;
                }
                // A turn is shown whole: the window begins with a statement.
                let next = statements.partition_point(|other| (*other as usize) < place);
                statements.get(next).or(statements.last()).map_or(place, |place| *place as usize)
            }
        }
    }
}
