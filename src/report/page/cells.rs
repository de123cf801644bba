//! Table rows with access by column name. The page takes its numbers from the same cells as the tables.

use csv::StringRecord;
use indexmap::{IndexMap, IndexSet};

use crate::analysis::{ColumnLayout, FoldedSession, key_cells, put_row, table_specs};

/// The columns of each table of an experiment, in their order.
pub struct Tables(IndexMap<&'static str, IndexSet<String>>);

/// One row.
pub struct Row<'t> {
    columns: &'t IndexSet<String>,
    cells: StringRecord,
}

impl Tables {
    /// The tables with this layout.
    pub fn of(layout: &ColumnLayout) -> Self {
        let tables = table_specs(layout).into_iter();
        Self(tables.map(|spec| (spec.name, spec.columns.into_iter().map(|column| column.name).collect())).collect())
    }

    /// The rows of a table, from the CSV bytes of a fold.
    ///
    /// # Panics
    /// When there is no such table, or the bytes are not rows of it.
    pub fn rows<'t>(&'t self, table: &str, bytes: &[u8]) -> Vec<Row<'t>> {
        let columns = self.0.get(table).expect("invariant: a table of the program");
        // Making a reader takes longer than reading a few rows.
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

    /// A session's row in the table of sessions.
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
    /// The text of a cell; `None` if it is empty.
    ///
    /// # Panics
    /// When the table has no such column.
    pub fn text(&self, column: &str) -> Option<&str> {
        let place = self.columns.get_index_of(column).unwrap_or_else(|| panic!("invariant: {column} is a column"));
        Some(&self.cells[place]).filter(|cell| !cell.is_empty())
    }

    /// A copy of a cell's text.
    pub fn owned(&self, column: &str) -> Option<String> {
        self.text(column).map(str::to_owned)
    }

    /// The parts of a cell that lists several.
    pub fn list(&self, column: &str) -> Vec<String> {
        self.text(column).map_or(Vec::new(), |cell| cell.split('|').map(str::to_owned).collect())
    }

    /// A cell as a number.
    ///
    /// # Panics
    /// When the cell does not hold a number.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.text(column).map(|cell| cell.parse().expect("invariant: a cell of numbers holds one"))
    }

    /// A cell as a whole number, which may be negative.
    ///
    /// # Panics
    /// When the cell does not hold a whole number.
    pub fn integer(&self, column: &str) -> Option<i64> {
        self.text(column).map(|cell| cell.parse().expect("invariant: a cell of whole numbers holds one"))
    }

    /// A cell as a count.
    ///
    /// # Panics
    /// When the cell does not hold a count.
    pub fn count(&self, column: &str) -> Option<u64> {
        self.text(column).map(|cell| cell.parse().expect("invariant: a cell of counts holds one"))
    }

    /// A cell as yes or no.
    pub fn flag(&self, column: &str) -> Option<bool> {
        self.text(column).map(|cell| cell == "1")
    }

    /// The non-empty cells of the columns with this prefix, each with the rest of the column's name.
    pub fn open<'r>(&'r self, prefix: &'r str) -> impl Iterator<Item = (&'r str, &'r str)> {
        let own = self.columns.iter().zip(&self.cells).filter(|(_, cell)| !cell.is_empty());
        own.filter_map(move |(name, cell)| Some((name.strip_prefix(prefix)?, cell)))
    }
}
