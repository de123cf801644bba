//! Gaps in a seat's memory, after it was made to forget single phases.
//!
//! The lists of a memory stay unchanged. Running totals subtract the gaps, and a [`Stretch`](crate::domain::Stretch) of a list
//! skips them. Each text stores its coverage and becomes a gap once a part of it is forgotten. Lapses are rare, so a scan of all
//! gaps is cheap.

use crate::domain::Ranges;

/// The remarks and own entries that a text covers, by position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    pub floor: Ranges,
    pub own: Ranges,
}

impl Coverage {
    /// Covers one remark.
    pub fn of_remark(place: usize) -> Self {
        let mut covers = Self::default();
        covers.floor.add(place..place + 1);
        covers
    }

    /// Covers one own entry.
    pub fn of_entry(place: usize) -> Self {
        let mut covers = Self::default();
        covers.own.add(place..place + 1);
        covers
    }

    /// Adds the coverage of another text.
    pub fn add_coverage(&mut self, other: &Coverage) {
        self.floor.add_all(&other.floor);
        self.own.add_all(&other.own);
    }
}

/// The forgotten parts of single phases.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lapses {
    /// Positions on the floor.
    pub floor: Ranges,
    /// Indices among the floor's unpinned statements and announcements.
    pub statements: Ranges,
    pub notices: Ranges,
    /// Positions among the own unpinned entries.
    pub own: Ranges,
    /// Summaries that cover forgotten entries.
    pub summaries: Ranges,
}
