//! The part of a memory that a brief shows: where each list begins, and the range of each.

use std::ops::Range;

use crate::domain::Extent;

/// The start of each list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewStart {
    /// The first summary.
    pub summaries: usize,
    /// The first position of statements on the floor.
    pub statements: usize,
    /// The first position of announcements on the floor.
    pub notices: usize,
    /// The first own entry.
    pub own: usize,
    /// From this position on the floor, the public history shows statements in full, even forgotten ones.
    pub history: usize,
}

impl ViewStart {
    /// Remarks and entries from these positions, and all summaries.
    pub fn from_places(place: usize, own: usize) -> Self {
        Self { summaries: 0, statements: place, notices: place, own, history: 0 }
    }

    /// The part common to both.
    pub fn intersect_with(self, other: Self) -> Self {
        Self {
            summaries: self.summaries.max(other.summaries),
            statements: self.statements.max(other.statements),
            notices: self.notices.max(other.notices),
            own: self.own.max(other.own),
            history: self.history.max(other.history),
        }
    }
}

/// The shown range of each list; forgotten entries within it are not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    pub summaries: Range<usize>,
    pub statements: Range<usize>,
    pub notices: Range<usize>,
    pub own: Range<usize>,
    /// The position from which the public history shows statements.
    pub history: usize,
    /// The numbers of pinned remarks and entries.
    pub pinned: (usize, usize),
    /// The extent of the summary of the talk.
    pub standing: Option<Extent>,
}

/// The first position in `from..to` for which a monotone condition holds, or `to`.
pub fn first_true(from: usize, to: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
