//! The policy `compact`: keeps everything; before the limit is reached, one text replaces all but the newest turns.

use super::{PolicyTerms, RewriteScope, RewriteTerms, RewriteTrigger};

/// The threshold of a rewrite, and the part that it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct CompactPolicy {
    /// The share of the limit that triggers a rewrite, in parts per million.
    pub threshold_ppm: u32,
    /// The number of newest statements that stay, with announcements and entries since the first of them.
    pub keep: u32,
}

impl CompactPolicy {
    /// Its terms.
    pub fn terms(self) -> PolicyTerms {
        let (due, keep) = (RewriteTrigger::OwnThreshold(self.threshold_ppm), self.keep);
        PolicyTerms {
            word: "compact",
            rewrites: Some(RewriteTerms { due, keep, words_max: None, text: RewriteScope::OfAll }),
            ..PolicyTerms::PLAIN
        }
    }
}
