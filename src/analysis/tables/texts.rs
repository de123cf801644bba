//! The table of texts that are kept.

use crate::analysis::column::{CsvRow, columns};
use crate::domain::{PhaseName, SeatName, Seq};

columns! {
    /// One version of a text.
    #[derive(Debug, Clone, PartialEq)]
    pub struct TextRow as r {
        /// Its words; `None` if it is withdrawn.
        pub words: Option<String>,
    }

    /// number of the record
    seq: Seq => Own[Computed], "seq";
    /// phase, by its name in the agenda
    phase: PhaseName => Own[Computed], "at.phase";
    /// name under which the text is kept
    name: String => Own[Computed], "Computed";
    /// letter under which it is read, the same for all its versions; of a text of a group with the number of the group
    letter: String => Own[Computed], "Computed";
    /// version, from 1
    version: u32 => Own[Computed], "Computed";
    /// the seat that wrote it
    author: SeatName => Own[Computed], "Computed";
    /// place among the texts of its author, from 1
    place: u32 => Own[Computed], "Computed";
    /// its words; empty where its author withdrew it
    text: String = r.words.as_deref() => Own[Computed], "Computed";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Computed], "at.phase";
    /// number of the group in which it was written, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Computed], "at.phase";
}

impl CsvRow for TextRow {
    const TABLE: &'static str = "texts";
    const ABOUT: &'static str = "one row a version of a text that is kept, or its withdrawal";
}
