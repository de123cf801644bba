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

pub use compact::CompactPolicy;
pub use digest::DigestPolicy;
pub use terms::{
    Bound, EventRetention, HearingScope, PolicyTerms, RewriteScope, RewriteTerms, RewriteTrigger, StandingDisclosure,
};
pub use window::Window;

use super::floor::Floor;
use super::own::OwnMemory;
use super::view::ViewStart;

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
    Compact(CompactPolicy),
    /// Digests of what is older, and the newest statements.
    Digest(DigestPolicy),
    /// As it comes, within the limits; what is heard are another group's statements.
    Shuffled,
}

/// Up to where a memory is to be rewritten: before these positions on the floor and among the seat's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RewriteEnd {
    /// On the floor.
    pub floor: usize,
    /// Among the entries that are not pinned.
    pub own: usize,
}

impl MemoryPolicy {
    /// What it does.
    pub fn terms(&self) -> PolicyTerms {
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
    pub(super) fn in_hand(&self, floor: &Floor, own: &OwnMemory) -> ViewStart {
        match self {
            MemoryPolicy::None => none::in_hand(floor, own),
            MemoryPolicy::Window(window) => window.in_hand(floor, own),
            MemoryPolicy::Selective
            | MemoryPolicy::Full
            | MemoryPolicy::Compact(_)
            | MemoryPolicy::Digest(_)
            | MemoryPolicy::Shuffled => ViewStart {
                summaries: own.summaries_from(),
                ..ViewStart::from_places(own.floor_from(), own.entries_from())
            },
        }
    }

    /// Up to where a seat's memory would be rewritten now; `None` under a policy that rewrites none, and where a digest has
    /// too few statements.
    pub(super) fn rewrite_end(&self, floor: &Floor, own: &OwnMemory) -> Option<RewriteEnd> {
        match self {
            MemoryPolicy::Selective => Some(selective::rewrite_end(floor, own)),
            MemoryPolicy::Compact(compact) => Some(compact.rewrite_end(floor, own)),
            MemoryPolicy::Digest(digest) => digest.rewrite_end(floor, own),
            MemoryPolicy::Full | MemoryPolicy::None | MemoryPolicy::Window(_) | MemoryPolicy::Shuffled => None,
        }
    }

    /// Whether it has seats rewrite their memories.
    pub fn has_rewrites(&self) -> bool {
        self.terms().rewrites.is_some()
    }

    /// The name in configs and tables.
    pub fn config_name(&self) -> &'static str {
        self.terms().word
    }
}
