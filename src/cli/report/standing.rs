//! How a folder's tables stand to its records, and what the page says of it.
//!
//! It makes no table. What differs within one is for a replay to find.

use super::source::PageSource;
use crate::analysis::table_specs;
use crate::cli::compare::{READ, remake_hint};
use crate::report::page::Course;
use crate::store::tables::{AWAITED, ExpectedTables, UnconfirmedTables};

/// The status of a session that a run has still to bring to its end.
const INCOMPLETE: &str = "incomplete";

/// How the tables stand.
pub enum TableStanding {
    /// Nobody can say: the page is on one session, or not all records can be read.
    NotKnown,
    /// They are not made yet: a run writes to the folder, or has left sessions incomplete and made no table.
    Awaited,
    /// Each was held against the records.
    Compared {
        /// What came of it.
        unborne: UnconfirmedTables,
        /// What makes them again.
        again: &'static str,
    },
}

impl TableStanding {
    /// Holds the tables of a folder against what its records make.
    pub fn from_source(source: &PageSource, courses: &[Course], not_read: &str, borne_out: ExpectedTables) -> Self {
        let is_known = source.is_whole() && source.experiment().is_some() && !source.is_outside("sessions");
        if !is_known || courses.iter().any(|course| course.status == not_read) {
            return Self::NotKnown;
        }
        let unborne = borne_out.compare_folder(source.folder().root(), |name| !source.is_outside(name));
        let none_is_there = unborne.missing.len() == table_specs(source.layout()).len();
        let none_is_made = || none_is_there && courses.iter().any(|course| course.status == INCOMPLETE);
        let is_written_to = || !source.is_outside(".lock") && source.folder().is_written_to();
        match unborne != UnconfirmedTables::default() && (none_is_made() || is_written_to()) {
            true => Self::Awaited,
            false => Self::Compared { unborne, again: source_remake_hint(source) },
        }
    }

    /// What is said on top of the page, a line each.
    pub fn page_notes(&self) -> Vec<String> {
        let Self::Compared { unborne, again } = self else { return Vec::new() };
        let mut told = Vec::new();
        if !unborne.missing.is_empty() {
            told.push(format!("{}: not there; {again}", unborne.missing.join(", ")));
        }
        if !unborne.other.is_empty() {
            let names = unborne.other.join(", ");
            told.push(format!(
                "{names}: not what this version makes of the records; nothing on this page is read from there, and {again}"
            ));
        }
        let unread = |(name, why): &(String, String)| {
            format!("{name}: cannot be read, so that nobody knows whether it is what the records make: {why}")
        };
        told.extend(unborne.unread.iter().map(unread));
        told
    }

    /// Why nothing can be compared by these tables; `None` where the records bear them out, or nobody can say.
    pub fn bars_comparison(&self) -> Option<String> {
        match self {
            Self::NotKnown => None,
            Self::Awaited => Some(AWAITED.to_owned()),
            Self::Compared { unborne, .. } => READ.into_iter().find_map(|name| unborne.refusal_reason(name)),
        }
    }
}

/// What makes the tables of a folder again. On a fork or a pilot `run` would play the whole experiment.
fn source_remake_hint(source: &PageSource) -> &'static str {
    match source.change() {
        Some(_) => "`ekklesia fork` with the same change makes the tables again",
        None => remake_hint(source.pilot_of()),
    }
}
