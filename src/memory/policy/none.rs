//! The policy `none`: a seat sees only its identity, the exhibits and the question.

use super::{EventRetention, PolicyTerms};

/// Its terms.
pub const TERMS: PolicyTerms = PolicyTerms { word: "none", keeps: EventRetention::Nothing, ..PolicyTerms::PLAIN };
