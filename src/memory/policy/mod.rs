//! The memory policies: what each keeps, and what it has a seat rewrite. The limits apply outside this module.
//!
//! Each policy is a file here and a variant. No code outside distinguishes the variants.

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

/// A memory policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum MemoryPolicy {
    /// Events according to the routing, within the limits.
    Selective,
    /// Everything, in full.
    Full,
    /// Nothing: a seat sees its identity, exhibits and the question.
    None,
    /// The newest turns.
    Window(Window),
    /// Everything, rewritten before the limit is reached.
    Compact(CompactPolicy),
    /// Digests of older statements, and the newest statements.
    Digest(DigestPolicy),
    /// Everything within the limits, but the statements come from another group.
    Shuffled,
}

/// The end of a rewrite: the part before these positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RewriteEnd {
    /// Position on the floor.
    pub floor: usize,
    /// Position among the unpinned entries.
    pub own: usize,
}

impl MemoryPolicy {
    /// Its terms.
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

    /// The part that the policy retains, before limits apply.
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

    /// The end of a rewrite now; `None` if the policy never rewrites or too few statements wait for a digest.
    pub(super) fn rewrite_end(&self, floor: &Floor, own: &OwnMemory) -> Option<RewriteEnd> {
        match self {
            MemoryPolicy::Selective => Some(selective::rewrite_end(floor, own)),
            MemoryPolicy::Compact(compact) => Some(compact.rewrite_end(floor, own)),
            MemoryPolicy::Digest(digest) => digest.rewrite_end(floor, own),
            MemoryPolicy::Full | MemoryPolicy::None | MemoryPolicy::Window(_) | MemoryPolicy::Shuffled => None,
        }
    }

    /// Whether seats rewrite their memories.
    pub fn has_rewrites(&self) -> bool {
        self.terms().rewrites.is_some()
    }

    /// The name in configs and tables.
    pub fn config_name(&self) -> &'static str {
        self.terms().word
    }
}
