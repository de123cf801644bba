//! The memory policies: what each keeps, and what it has a seat rewrite. The limits apply outside this module.
//!
//! Each policy is a file here and a variant; `retention.rs` holds what they do with a memory. No code outside distinguishes the variants.

mod compact;
mod digest;
mod full;
mod none;
mod retention;
mod selective;
mod shuffled;
mod terms;
mod window;

pub use compact::CompactPolicy;
pub use digest::DigestPolicy;
pub use terms::{
    Bound, EventRetention, HearingScope, HistoryInBrief, PolicyTerms, RewriteScope, RewriteTerms, RewriteTrigger,
    StandingDisclosure,
};
pub use window::Window;

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

    /// Whether seats rewrite their memories.
    pub fn has_rewrites(&self) -> bool {
        self.terms().rewrites.is_some()
    }

    /// The name in configs and tables.
    pub fn config_name(&self) -> &'static str {
        self.terms().word
    }
}
