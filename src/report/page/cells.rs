//! Rows of tables read by the names of their columns: what a page tells is what the tables hold, cell by cell.
//!
//! Nothing is computed here that is no sum, mean or order of cells.

use csv::StringRecord;
use indexmap::IndexMap;

use crate::analysis::{ColumnLayout, FoldedSession, key_cells, put_row, table_specs};

/// The tables of an experiment: where each column stands.
pub struct Tables(IndexMap<&'static str, IndexMap<String, usize>>);

/// One row.
pub struct Row<'t> {
    columns: &'t IndexMap<String, usize>,
    cells: StringRecord,
}

impl Tables {
    /// The tables of this layout.
    pub fn of(layout: &ColumnLayout) -> Self {
        let columns = |names: Vec<String>| names.into_iter().enumerate().map(|(place, name)| (name, place)).collect();
        let tables = table_specs(layout).into_iter();
        Self(
            tables
                .map(|spec| (spec.name, columns(spec.columns.into_iter().map(|column| column.name).collect())))
                .collect(),
        )
    }

    /// The rows of a table, from the bytes that a fold made of them.
    ///
    /// # Panics
    /// When there is no such table, or the bytes are no rows of it.
    pub fn rows<'t>(&'t self, table: &str, bytes: &[u8]) -> Vec<Row<'t>> {
        let columns = self.0.get(table).expect("invariant: a table of the program");
        // To make a reader takes longer than to read a few rows.
        if bytes.is_empty() {
            return Vec::new();
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
        let rows = reader.records().map(|row| {
            let cells = row.expect("invariant: a fold makes rows of CSV");
            assert_eq!(cells.len(), columns.len(), "invariant: a row of {table} has its columns");
            Row { columns, cells }
        });
        rows.collect()
    }

    /// The row of a session in the table of sessions.
    ///
    /// # Panics
    /// Never: a session has one row.
    pub fn session<'t>(&'t self, folded: &FoldedSession) -> Row<'t> {
        let mut bytes = Vec::new();
        put_row(&key_cells(&folded.facts), &folded.session, &mut bytes);
        self.rows("sessions", &bytes).pop().expect("invariant: a session has one row")
    }
}

impl Row<'_> {
    /// A cell; `None` where it is empty.
    ///
    /// # Panics
    /// When the table has no such column.
    pub fn text(&self, column: &str) -> Option<&str> {
        let place = *self.columns.get(column).unwrap_or_else(|| panic!("invariant: {column} is a column"));
        Some(&self.cells[place]).filter(|cell| !cell.is_empty())
    }

    /// A cell's text of its own.
    pub fn owned(&self, column: &str) -> Option<String> {
        self.text(column).map(str::to_owned)
    }

    /// A number.
    ///
    /// # Panics
    /// When the cell holds none.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.text(column).map(|cell| cell.parse().expect("invariant: a cell of numbers holds one"))
    }

    /// A whole number.
    ///
    /// # Panics
    /// When the cell holds none.
    pub fn count(&self, column: &str) -> Option<u64> {
        self.text(column).map(|cell| cell.parse().expect("invariant: a cell of counts holds one"))
    }

    /// Yes or no.
    pub fn flag(&self, column: &str) -> Option<bool> {
        self.text(column).map(|cell| cell == "1")
    }

    /// The columns whose names begin so, with the rest of the name and the cell, empty ones left out.
    pub fn open<'r>(&'r self, prefix: &'r str) -> impl Iterator<Item = (&'r str, &'r str)> {
        let own = self.columns.iter().filter_map(move |(name, place)| Some((name.strip_prefix(prefix)?, *place)));
        own.map(|(name, place)| (name, &self.cells[place])).filter(|(_, cell)| !cell.is_empty())
    }
}
