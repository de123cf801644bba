//! The gaps in what one seat remembers, because it was made to forget single phases, and the texts that stood for something in
//! them.
//!
//! The lists of a memory stay as they are. Running totals are taken without the gaps, and a [`Stretch`](crate::domain::Stretch)
//! of a list reads over them. Each text knows which remarks and entries it stands for, and becomes a gap once one of them is
//! forgotten. Authors order few lapses, so there are few gaps, and looking at all of them costs little.

use std::ops::Range;

use super::floor::Floor;
use crate::domain::Ranges;

/// What a text that a seat wrote stands for, or was put back for: remarks by their positions, and own entries by theirs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    pub floor: Ranges,
    pub own: Ranges,
}

impl Coverage {
    /// One remark alone.
    pub fn of_remark(place: usize) -> Self {
        let mut covers = Self::default();
        covers.floor.add(place..place + 1);
        covers
    }

    /// One own entry alone.
    pub fn of_entry(place: usize) -> Self {
        let mut covers = Self::default();
        covers.own.add(place..place + 1);
        covers
    }

    /// It stands for what the other stands for, too.
    pub fn add_coverage(&mut self, other: &Coverage) {
        self.floor.add_all(&other.floor);
        self.own.add_all(&other.own);
    }
}

/// What one seat has forgotten of single phases.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lapses {
    /// Remarks, by their positions on the floor.
    pub floor: Ranges,
    /// The same among the statements alone, and among the announcements that may be dropped.
    pub statements: Ranges,
    pub notices: Ranges,
    /// Its own entries that are not pinned.
    pub own: Ranges,
    /// What stood for any of these, or was put back for it.
    pub summaries: Ranges,
}

impl Lapses {
    /// The remarks between two positions are forgotten.
    pub fn add_remarks(&mut self, floor: &Floor, range: Range<usize>) {
        self.statements.add(floor.numbers_of_statements(range.clone()));
        self.notices.add(floor.numbers_of_notices(range.clone()));
        self.floor.add(range);
    }
}
