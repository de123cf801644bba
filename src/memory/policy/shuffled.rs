//! The policy `shuffled`: appends events, but the statements come from another group.

use super::{HearingScope, PolicyTerms};

/// Its terms.
pub const TERMS: PolicyTerms =
    PolicyTerms { word: "shuffled", hears: HearingScope::AnotherGroup, ..PolicyTerms::PLAIN };
