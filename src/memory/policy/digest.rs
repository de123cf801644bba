//! The policy `digest`: keeps the newest statements verbatim and successive digests of older ones, each digested once.

use super::{PolicyTerms, RewriteScope, RewriteTerms, RewriteTrigger};

/// When a digest is due, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct DigestPolicy {
    /// The number of statements, neither digested nor kept, that triggers a digest.
    pub every: u32,
    /// The maximal length of a digest in words.
    pub words: u32,
    /// The number of newest statements that are never digested.
    pub keep: u32,
}

impl DigestPolicy {
    /// Its terms.
    pub fn terms(self) -> PolicyTerms {
        let (due, text) = (RewriteTrigger::EnoughWaits, RewriteScope::OfTheRest);
        PolicyTerms {
            word: "digest",
            rewrites: Some(RewriteTerms { due, keep: self.keep, words_max: Some(self.words), text }),
            tells_standing: true,
            ..PolicyTerms::PLAIN
        }
    }
}
