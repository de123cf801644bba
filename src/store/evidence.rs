//! Traces a cell of a table to its row in the file, the session's records, and the lines of `plan.yaml`.
//!
//! The session is folded again from its minutes. The table's file serves only to find the row.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::why::TracedRow;
use crate::analysis::{ArmFacts, ColumnSpec, FoldedSession, TableSpec, key_cells, put_row};
use crate::domain::{Consequence, Record, SeatName};
use crate::plan::{Experiment, PlannedSession};
use crate::store::files::{FileError, file_error, open_file};
use crate::store::fold::{FoldError, fold_session, fold_with_records};
use crate::store::results::ResultsFolder;

/// A row of a table, from its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiledRow {
    /// Its cells by column name.
    pub cells: BTreeMap<String, String>,
    /// Its position among the rows of its session, from 0.
    pub ordinal: usize,
}

/// Why a row cannot be read from a table's file.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a table in CSV form.
    #[error("{}: {reason}", path.display())]
    NoTable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The file has fewer rows.
    #[error("{}: there is no row {row}; the table has {rows}", path.display())]
    NoRow {
        /// The file.
        path: PathBuf,
        /// The row asked for, from 1.
        row: u64,
        /// The number of rows, in words: `1 row`, `3 rows`.
        rows: String,
    },
}

/// Reads a row of a table's file. Rows count from 1, below the header.
///
/// # Errors
/// A [`RowError`] if there is no such row or the file cannot be read.
pub fn filed_row(path: &Path, row: u64) -> Result<FiledRow, RowError> {
    let no_table = |reason: String| RowError::NoTable { path: path.to_owned(), reason };
    let file = open_file(path).map_err(|error| file_error(path, &error))?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(BufReader::with_capacity(1 << 16, file));
    let header = reader.byte_headers().map_err(|error| no_table(error.to_string()))?.clone();
    let place = header.iter().position(|name| name == b"session");
    let place = place.ok_or_else(|| no_table("it has no column `session`, so it is no table of a run".to_owned()))?;
    let mut record = csv::ByteRecord::new();
    let (mut number, mut ordinal, mut session) = (0, 0, Vec::new());
    while reader.read_byte_record(&mut record).map_err(|error| no_table(error.to_string()))? {
        number += 1;
        let own = record.get(place).unwrap_or_default();
        if own == session.as_slice() {
            ordinal += 1;
        } else {
            (ordinal, session) = (0, own.to_owned());
        }
        if number == row {
            let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let cells = header.iter().zip(record.iter()).map(|(name, cell)| (words(name), words(cell))).collect();
            return Ok(FiledRow { cells, ordinal });
        }
    }
    let rows = if number == 1 { "1 row".to_owned() } else { format!("{number} rows") };
    Err(RowError::NoRow { path: path.to_owned(), row, rows })
}

/// A session's folded rows and records.
pub struct CellEvidence {
    /// The folded session.
    pub folded: FoldedSession,
    /// All records, in the order of the minutes.
    pub records: Vec<Record>,
}

impl CellEvidence {
    /// Folds a session again and keeps its records.
    ///
    /// # Errors
    /// When the minutes are not what the session wrote.
    pub fn read_session(
        folder: &ResultsFolder,
        arm: &Arc<ArmFacts>,
        session: &PlannedSession,
    ) -> Result<Self, FoldError> {
        let (folded, records) = fold_with_records(folder, arm, session)?;
        Ok(Self { folded, records })
    }

    /// Sets whether the transcript is unique among the completed sessions of the arm.
    pub fn find_twins(&mut self, folder: &ResultsFolder, experiment: &Experiment) {
        let Some(own) = self.folded.session.totals.as_ref().filter(|own| own.statements > 0) else { return };
        let (arm, name, transcript) = (&self.folded.facts.arm, &self.folded.facts.session, &own.transcript);
        let is_twin = |other: &PlannedSession| {
            let reading = fold_session(folder, arm, other);
            reading.folded.session.totals.is_some_and(|totals| totals.transcript == *transcript)
        };
        let mut others = PlannedSession::for_experiment(experiment)
            .filter(|other| other.arm.arm == arm.arm && other.name() != *name);
        self.folded.session.distinct_transcript = Some(!others.any(|other| is_twin(&other)));
    }

    /// This session's rows of the table `specs[place]`, folded again.
    pub fn table_rows(&self, specs: &[TableSpec], place: usize) -> Vec<BTreeMap<String, String>> {
        let mut session = Vec::new();
        let bytes = match place.checked_sub(1) {
            Some(part) => self.folded.rows.table_buffers()[part],
            None => {
                put_row(&key_cells(&self.folded.facts), &self.folded.session, &mut session);
                &session
            }
        };
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
        let names = |record: csv::StringRecord| {
            let cells = specs[place].columns.iter().zip(record.iter());
            cells.map(|(column, cell)| (column.name.clone(), cell.to_owned())).collect()
        };
        reader.records().map(|record| names(record.expect("invariant: the fold writes rows of text"))).collect()
    }

    /// The positions of the records that enter a cell, in the order of the minutes.
    pub fn record_places(&self, table: &str, column: &ColumnSpec, row: &BTreeMap<String, String>) -> Vec<usize> {
        let row = TracedRow::new(table, row.clone());
        column.why.record_places(&self.records, &self.folded.facts.arm, (&row, &column.name))
    }

    /// The prefixes of the keys in `plan.yaml` that determine a cell.
    pub fn plan_keys(&self, column: &ColumnSpec, row: &BTreeMap<String, String>) -> Vec<String> {
        let seat = row.get("seat").map(|name| SeatName::new(name));
        let place = self.folded.facts.arm.seats.iter().position(|facts| Some(&facts.name) == seat.as_ref());
        column.why.setting.map_or(Vec::new(), |setting| setting.plan_keys(place, &column.name))
    }

    /// The seat's earlier attempts at the question of a record, in order: answers that did not count, and requests to see more.
    pub fn earlier_attempts(&self, place: usize) -> Vec<&Record> {
        let record = &self.records[place];
        let again = |other: &&Record| {
            let faulted = other.event.faulted();
            let asked_again =
                other.event.is_inquired() || faulted.is_some_and(|faulted| faulted.then == Consequence::AskedAgain);
            asked_again && other.at == record.at && other.seat == record.seat && other.attempt < record.attempt
        };
        match record.attempt {
            None | Some(0) => Vec::new(),
            Some(_) => self.records[..place].iter().filter(again).collect(),
        }
    }
}

/// A line of `plan.yaml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanLine {
    /// The line number, from 1.
    pub line: u64,
    /// The dotted path of its key.
    pub key: String,
    /// The line without its indentation, with the comment that names the value's origin.
    pub text: String,
}

/// The lines of `plan.yaml` at or below these keys; `*` matches any entry of a list. Empty if there is no such file.
pub fn plan_lines(folder: &Path, keys: &[String]) -> Vec<PlanLine> {
    let text = fs::read_to_string(folder.join("plan.yaml")).unwrap_or_default();
    let mut found = Vec::new();
    // The keys above a line, with their indentation. List entries count from 0.
    let mut above: Vec<(usize, String)> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let body = line.trim_start_matches(' ');
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        let indent = line.len() - body.len();
        let item = body.strip_prefix("- ");
        let before = above.iter().rfind(|(depth, _)| *depth == indent).map(|(_, name)| name.clone());
        above.retain(|(depth, _)| *depth < indent);
        if item.is_some() {
            let next = before.and_then(|name| name.parse::<usize>().ok()).map_or(0, |place| place + 1);
            above.push((indent, next.to_string()));
        }
        let inner = item.unwrap_or(body);
        if let Some((name, _)) = inner.split_once(':') {
            let depth = if item.is_some() { indent + 2 } else { indent };
            above.push((depth, name.trim_matches('"').to_owned()));
        }
        let path: Vec<&str> = above.iter().map(|(_, name)| name.as_str()).collect();
        if keys.iter().any(|key| is_key_prefix(key, &path)) {
            found.push(PlanLine { line: number, key: path.join("."), text: body.to_owned() });
        }
    }
    found
}

fn is_key_prefix(key: &str, path: &[&str]) -> bool {
    let parts: Vec<&str> = key.split('.').collect();
    parts.len() <= path.len() && parts.iter().zip(path).all(|(part, name)| *part == "*" || part == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_counted_below_the_header_however_many_lines_its_cells_have() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("statements.csv");
        fs::write(&path, "session,text\na,\"one\ntwo, \"\"three\"\"\"\na,b\nc,d\n").unwrap();
        let row = |number| filed_row(&path, number).map(|row| (row.cells["text"].clone(), row.ordinal));
        assert_eq!(row(1).unwrap(), ("one\ntwo, \"three\"".to_owned(), 0));
        assert_eq!(row(2).unwrap(), ("b".to_owned(), 1));
        assert_eq!(row(3).unwrap(), ("d".to_owned(), 0));
        assert!(row(4).unwrap_err().to_string().ends_with("there is no row 4; the table has 3 rows"));
    }

    #[test]
    fn a_line_of_the_plan_is_found_by_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let plan = "seed: 1 # config\nseats:\n  - name: Alice # config\n    mind:\n      voter:\n        copy: 0.5 # config\n  - name: Bob # default\nlanguage: en # default\n";
        fs::write(folder.path().join("plan.yaml"), plan).unwrap();
        let lines = |key: &str| {
            let found = plan_lines(folder.path(), &[key.to_owned()]);
            found.into_iter().map(|line| (line.line, line.key)).collect::<Vec<_>>()
        };
        assert_eq!(lines("language"), [(8, "language".to_owned())]);
        assert_eq!(lines("seats.1.name"), [(7, "seats.1.name".to_owned())]);
        assert_eq!(lines("seats.*.name"), [(3, "seats.0.name".to_owned()), (7, "seats.1.name".to_owned())]);
        assert_eq!(lines("seats.0.mind").len(), 3);
    }
}
