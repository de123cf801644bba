//! Compares a folder's tables with its records. `replay` finds the differences within a table.

use super::session::NOT_READ;
use super::source::PageSource;
use crate::analysis::table_specs;
use crate::cli::compare::{READ, remake_hint};
use crate::report::page::SessionCourse;
use crate::store::tables::{AWAITED, ExpectedTables, UnconfirmedTables};

/// The status of a session that has not ended.
const INCOMPLETE: &str = "incomplete";

/// The state of the tables.
pub enum TableStanding {
    /// Unknown: the page covers one session, or a record cannot be read.
    NotKnown,
    /// Not made yet: a run is writing, or sessions are incomplete and no table exists.
    Awaited,
    /// Compared with the records.
    Compared {
        /// The differences.
        differences: UnconfirmedTables,
        /// The command that makes the tables again.
        again: &'static str,
    },
}

impl TableStanding {
    /// Compares the tables with the records.
    pub fn from_source(source: &PageSource, courses: &[SessionCourse], borne_out: ExpectedTables) -> Self {
        let is_known = source.is_whole() && source.experiment().is_some() && !source.is_outside("sessions");
        if !is_known || courses.iter().any(|course| course.status == NOT_READ) {
            return Self::NotKnown;
        }
        let differences = borne_out.compare_folder(source.folder.root(), |name| !source.is_outside(name));
        let none_is_there = differences.missing.len() == table_specs(&source.layout).len();
        let none_is_made = || none_is_there && courses.iter().any(|course| course.status == INCOMPLETE);
        let is_written_to = || !source.is_outside(".lock") && source.folder.is_written_to();
        match differences != UnconfirmedTables::default() && (none_is_made() || is_written_to()) {
            true => Self::Awaited,
            false => Self::Compared { differences, again: source_remake_hint(source) },
        }
    }

    /// The notes for the top of the page, one line each.
    pub fn page_notes(&self) -> Vec<String> {
        let Self::Compared { differences, again } = self else { return Vec::new() };
        let mut notes = Vec::new();
        if !differences.missing.is_empty() {
            notes.push(format!("{}: missing; {again}", differences.missing.join(", ")));
        }
        if !differences.other.is_empty() {
            let names = differences.other.join(", ");
            notes.push(format!(
                "{names}: differs from what this version makes of the records; this page does not use it, and {again}"
            ));
        }
        let unread = |(name, why): &(String, String)| {
            format!("{name}: cannot be read, so whether it matches the records is unknown: {why}")
        };
        notes.extend(differences.unread.iter().map(unread));
        notes
    }

    /// Why these tables allow no comparison; `None` if they match the records, or the state is unknown.
    pub fn bars_comparison(&self) -> Option<String> {
        match self {
            Self::NotKnown => None,
            Self::Awaited => Some(AWAITED.to_owned()),
            Self::Compared { differences, .. } => READ.into_iter().find_map(|name| differences.refusal_reason(name)),
        }
    }
}

/// The command that makes the tables again. On a fork or pilot, plain `run` would conduct the complete experiment.
fn source_remake_hint(source: &PageSource) -> &'static str {
    match source.change() {
        Some(_) => "`ekklesia fork` with the same change makes the tables again",
        None => remake_hint(source.pilot_of),
    }
}
