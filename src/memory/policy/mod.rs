//! The memory policies: what each keeps, and what it has a seat rewrite. The limits apply outside this module.
//!
//! Each policy is a variant, with a file here if it has settings; `retention.rs` holds what they do with a memory. No code outside
//! distinguishes the variants.

mod compact;
mod digest;
mod retention;
mod terms;
mod window;

pub use compact::CompactPolicy;
pub use digest::DigestPolicy;
pub use terms::{Bound, EventRetention, HistoryInBrief, PolicyTerms, RewriteScope, RewriteTerms, RewriteTrigger};
pub use window::Window;

/// A memory policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum MemoryPolicy {
    /// Events according to the routing, within the limits: appended, or integrated by each seat into its text.
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
        const PLAIN: PolicyTerms = PolicyTerms::PLAIN;
        match self {
            MemoryPolicy::Selective => PolicyTerms {
                word: "selective",
                keeps: EventRetention::Routed,
                history: HistoryInBrief::Full,
                rewrites: Some(RewriteTerms {
                    due: RewriteTrigger::PlanThreshold,
                    keep: 0,
                    words_max: None,
                    text: RewriteScope::Integrated,
                }),
                ..PLAIN
            },
            MemoryPolicy::Full => PolicyTerms { word: "full", bound: Bound::Unbounded, ..PLAIN },
            MemoryPolicy::None => PolicyTerms { word: "none", keeps: EventRetention::Nothing, ..PLAIN },
            MemoryPolicy::Window(window) => window.terms(),
            MemoryPolicy::Compact(compact) => compact.terms(),
            MemoryPolicy::Digest(digest) => digest.terms(),
            MemoryPolicy::Shuffled => PolicyTerms { word: "shuffled", is_lent: true, ..PLAIN },
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
