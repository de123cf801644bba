//! The policy `full`: keeps everything in full; only the model's limit applies.

use super::{Bound, PolicyTerms};

/// Its terms.
pub const TERMS: PolicyTerms = PolicyTerms { word: "full", bound: Bound::Unbounded, ..PolicyTerms::PLAIN };
