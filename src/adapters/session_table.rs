//! `sessions.csv` read again: refused unless it holds exactly the sessions that the plan calls for.
//!
//! Whether its cells are what the minutes say is for a replay to prove.

use std::fs::File;
use std::path::{Path, PathBuf};

use csv::StringRecord;

use super::results::FileError;
use super::tables::experiment_facts;
use crate::metrics::{ColumnSpec, table_specs};
use crate::plan::{Experiment, Planned};

/// The table of sessions, row by row in the order of the plan.
#[derive(Debug)]
pub struct SessionTable {
    path: PathBuf,
    columns: Vec<ColumnSpec>,
    keys: usize,
    rows: Vec<StringRecord>,
    sessions: Vec<Planned>,
}

impl SessionTable {
    /// Reads the table of a results folder.
    ///
    /// # Errors
    /// When the file is missing or cannot be read, or has other columns or sessions than the plan; the error names the line.
    pub fn read(root: &Path, experiment: &Experiment) -> Result<Self, FileError> {
        let path = root.join("sessions.csv");
        let fail = |reason: String| FileError { path: path.clone(), reason };
        let again = "; `ekklesia run` makes the tables again from the record";
        let file = File::open(&path).map_err(|error| fail(format!("{error}{again}")))?;
        let (layout, _) = experiment_facts(experiment);
        let spec = table_specs(&layout).into_iter().find(|spec| spec.name == "sessions");
        let columns = spec.expect("invariant: there is a table of sessions").columns;
        let mut reader = csv::Reader::from_reader(file);
        let header = reader.headers().map_err(|error| fail(error.to_string()))?;
        if !header.iter().eq(columns.iter().map(|column| column.name.as_str())) {
            return Err(fail(format!("not the columns of this plan{again}")));
        }
        let rows =
            reader.records().collect::<Result<Vec<StringRecord>, _>>().map_err(|error| fail(error.to_string()))?;
        let sessions: Vec<Planned> = Planned::all(experiment).collect();
        let place = |name: &str| columns.iter().position(|column| column.name == name);
        let known = "invariant: every session has a name and a plan";
        let (session, digest) = (place("session").expect(known), place("plan_digest").expect(known));
        for (number, (row, planned)) in rows.iter().zip(&sessions).enumerate() {
            // The header is line 1; texts with line breaks do not occur in this table.
            let line = number + 2;
            let name = planned.name();
            if row[session] != name {
                return Err(fail(format!(
                    "line {line} is of session {:?}, the plan's is {name:?}{again}",
                    &row[session]
                )));
            }
            if row[digest] != *planned.plan().digest.as_str() {
                return Err(fail(format!("line {line}: session {name:?} is of another plan{again}")));
            }
        }
        if rows.len() != sessions.len() {
            let (there, planned) = (rows.len(), sessions.len());
            return Err(fail(format!("holds {there} sessions, the plan calls for {planned}{again}")));
        }
        Ok(Self { path, keys: session + 1, columns, rows, sessions })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The columns after those that name the session.
    pub fn measured(&self) -> &[ColumnSpec] {
        &self.columns[self.keys..]
    }

    /// The sessions, in the order of the rows.
    pub fn sessions(&self) -> &[Planned] {
        &self.sessions
    }

    /// The cells of a column, in the order of the rows; empty ones are empty.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn cells(&self, column: &str) -> impl Iterator<Item = &str> {
        let place =
            self.columns.iter().position(|known| known.name == column).expect("invariant: a column of the table");
        self.rows.iter().map(move |row| &row[place])
    }
}
