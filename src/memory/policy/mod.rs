//! What memories hold at all: the policies, and for each what it does, what it has in hand of a seat's memory and what it
//! would have rewritten. Limits are applied elsewhere, to all of them alike.
//!
//! A policy is a file here and a variant: every match below names all of them, and nothing outside asks which it is.

mod compact;
mod digest;
mod full;
mod none;
mod selective;
mod shuffled;
mod terms;
mod window;

pub use compact::Compact;
pub use digest::Digest;
pub use terms::{Bound, Due, Hears, Keeps, Rewrites, Terms, Text, Told};
pub use window::Window;

use super::floor::Floor;
use super::own::OwnMemory;
use super::view::Cut;

/// What is kept at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum MemoryPolicy {
    /// What the routing says, within the limits.
    Selective,
    /// Everything, in full.
    Full,
    /// Nothing: a seat is shown its identity and the question.
    None,
    /// The newest turns.
    Window(Window),
    /// Everything, made shorter when it is nearly full.
    Compact(Compact),
    /// Digests of what is older, and the newest statements.
    Digest(Digest),
    /// As it comes, within the limits; what is heard are another group's statements.
    Shuffled,
}

/// Up to where a memory is to be rewritten: before these positions on the floor and among the seat's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Until {
    /// On the floor.
    pub floor: usize,
    /// Among the entries that are not pinned.
    pub own: usize,
}

impl MemoryPolicy {
    /// What it does.
    pub fn terms(&self) -> Terms {
        match self {
            MemoryPolicy::Selective => selective::TERMS,
            MemoryPolicy::Full => full::TERMS,
            MemoryPolicy::None => none::TERMS,
            MemoryPolicy::Window(window) => window.terms(),
            MemoryPolicy::Compact(compact) => compact.terms(),
            MemoryPolicy::Digest(digest) => digest.terms(),
            MemoryPolicy::Shuffled => shuffled::TERMS,
        }
    }

    /// What a seat has in hand before any limit is applied.
    pub(super) fn in_hand(&self, floor: &Floor, own: &OwnMemory) -> Cut {
        match self {
            MemoryPolicy::None => none::in_hand(floor, own),
            MemoryPolicy::Window(window) => window.in_hand(floor, own),
            MemoryPolicy::Selective
            | MemoryPolicy::Full
            | MemoryPolicy::Compact(_)
            | MemoryPolicy::Digest(_)
            | MemoryPolicy::Shuffled => {
                Cut { summaries: own.summaries_from(), ..Cut::at(own.floor_from(), own.live()) }
            }
        }
    }

    /// Up to where a seat's memory would be rewritten now; `None` under a policy that rewrites none, and where a digest has
    /// too few statements.
    pub(super) fn rewritable(&self, floor: &Floor, own: &OwnMemory) -> Option<Until> {
        match self {
            MemoryPolicy::Selective => Some(selective::until(floor, own)),
            MemoryPolicy::Compact(compact) => Some(compact.until(floor, own)),
            MemoryPolicy::Digest(digest) => digest.until(floor, own),
            MemoryPolicy::Full | MemoryPolicy::None | MemoryPolicy::Window(_) | MemoryPolicy::Shuffled => None,
        }
    }

    /// Whether it has seats rewrite their memories.
    pub fn rewrites(&self) -> bool {
        self.terms().rewrites.is_some()
    }

    /// The name in configs and tables.
    pub fn word(&self) -> &'static str {
        self.terms().word
    }
}
