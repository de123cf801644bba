//! As it comes, within the limits; but what is heard are another group's statements. Which these are is found elsewhere.

use super::{Bound, Hears, Keeps, Terms, Told};
use crate::memory::HistoryInBrief;

/// What it does.
pub const TERMS: Terms = Terms {
    word: "shuffled",
    keeps: Keeps::AsItComes,
    hears: Hears::AnotherGroup,
    bound: Bound::Limits,
    history: HistoryInBrief::None,
    rewrites: None,
    standing: Told::No,
};
