//! Reads `sessions.csv`, which must contain exactly the planned sessions.
//!
//! The cells are not compared with the minutes; a replay does that.

use std::path::{Path, PathBuf};

use csv::StringRecord;

use crate::analysis::{ColumnSpec, table_specs};
use crate::plan::{Experiment, PlannedSession};
use crate::store::files::{FileError, open_file};
use crate::store::fold::unverified_tables;
use crate::store::tables::experiment_facts;

/// The table of sessions, in the order of the plan.
#[derive(Debug)]
pub struct SessionTable {
    /// The path of the file.
    pub path: PathBuf,
    columns: Vec<ColumnSpec>,
    keys: usize,
    kept: Vec<(String, Cells)>,
    /// The sessions, in the order of the rows.
    pub sessions: Vec<PlannedSession>,
    /// Why the table cannot be held against the records; `None` if it can.
    pub unverified: Option<String>,
}

/// The cells of one column, in one text, because there may be a million sessions.
#[derive(Debug, Default)]
struct Cells {
    text: String,
    ends: Vec<usize>,
}

impl Cells {
    fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        let begins = std::iter::once(&0).chain(&self.ends);
        begins.zip(&self.ends).map(|(begin, end)| &self.text[*begin..*end])
    }
}

impl SessionTable {
    /// The table's file.
    pub const FILE: &str = "sessions.csv";

    /// Reads the table and keeps the cells of the columns `keep`; unknown names are ignored.
    ///
    /// # Errors
    /// When the file is missing or cannot be read, or its columns or sessions differ from the plan's. Columns that another version
    /// wrote of minutes that this one does not read are found by their names.
    pub fn read(root: &Path, experiment: &Experiment, keep: &[&str]) -> Result<Self, FileError> {
        let path = root.join(Self::FILE);
        let fail = |reason: String| FileError { path: path.clone(), reason };
        let again = "; `ekklesia run` makes the tables again from the record";
        let file = open_file(&path).map_err(|error| fail(format!("{error}{again}")))?;
        let (layout, _) = experiment_facts(experiment);
        let spec = table_specs(&layout).into_iter().find(|spec| spec.name == "sessions");
        let mut columns = spec.expect("invariant: there is a table of sessions").columns;
        let mut reader = csv::Reader::from_reader(file);
        let header = reader.headers().map_err(|error| fail(error.to_string()))?.clone();
        let unverified = unverified_tables(root);
        if unverified.is_none() && !header.iter().eq(columns.iter().map(|column| column.name.as_str())) {
            return Err(fail(format!("not the columns of this plan in this version{again}")));
        }
        let place = |name: &str| {
            let place = header.iter().position(|column| column == name);
            place.ok_or_else(|| fail(format!("it has no column {name}, which this version reads")))
        };
        let (session, digest) = (place("session")?, place("plan_digest")?);
        let is_known = |name: &&&str| columns.iter().any(|column| column.name == **name);
        let begun = |name: &&str| Ok((place(name)?, (*name).to_owned(), Cells::default()));
        let mut kept: Vec<(usize, String, Cells)> =
            keep.iter().filter(is_known).map(begun).collect::<Result<_, FileError>>()?;
        columns.retain(|column| header.iter().any(|name| name == column.name));
        let keys = columns.iter().position(|column| column.name == "session").map_or(0, |last| last + 1);
        let sessions: Vec<PlannedSession> = PlannedSession::for_experiment(experiment).collect();
        let (mut row, mut there) = (StringRecord::new(), 0);
        while reader.read_record(&mut row).map_err(|error| fail(error.to_string()))? {
            there += 1;
            let Some(planned) = sessions.get(there - 1) else { continue };
            // The header is line 1, and no cell of this table contains a line break.
            let line = there + 1;
            let name = planned.name();
            if row[session] != name {
                return Err(fail(format!(
                    "line {line} is of session {:?}, the plan's is {name:?}{again}",
                    &row[session]
                )));
            }
            // Another version may read the plan otherwise.
            if unverified.is_none() && row[digest] != *planned.plan().digest.as_str() {
                return Err(fail(format!("line {line}: session {name:?} is of another plan{again}")));
            }
            kept.iter_mut().for_each(|(place, _, cells)| cells.push(&row[*place]));
        }
        if there != sessions.len() {
            let planned = sessions.len();
            return Err(fail(format!("holds {there} sessions, the plan calls for {planned}{again}")));
        }
        let kept = kept.into_iter().map(|(_, name, cells)| (name, cells)).collect();
        Ok(Self { path, keys, columns, kept, sessions, unverified })
    }

    /// The columns after those that identify the session.
    pub fn measured_columns(&self) -> &[ColumnSpec] {
        &self.columns[self.keys..]
    }

    /// The cells of a column, in the order of the rows.
    ///
    /// # Panics
    /// When the column was not kept.
    pub fn cells(&self, column: &str) -> impl Iterator<Item = &str> {
        let kept = self.kept.iter().find(|(name, _)| name == column);
        kept.expect("invariant: a column that was kept").1.iter()
    }
}
