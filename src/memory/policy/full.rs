//! Everything, in full: no limit holds but that of a seat's model.

use super::{Bound, Hears, Keeps, Terms, Told};
use crate::memory::HistoryInBrief;

/// What it does.
pub const TERMS: Terms = Terms {
    word: "full",
    keeps: Keeps::AsItComes,
    hears: Hears::OwnGroup,
    bound: Bound::Unbounded,
    history: HistoryInBrief::None,
    rewrites: None,
    standing: Told::No,
};
