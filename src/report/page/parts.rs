//! The parts of a section: words, tables, figures and files. Texts are plain here; the template escapes them.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::Value;
use serde::Serialize;

use super::other_rules::OtherRules;
use super::templates::Templates;
use crate::figure::{Figure, Ink, NARROW, WIDE};
use crate::report::grouped;

/// The rows of a table that are shown; the tables of the folder have all.
const ROWS_MAX: usize = 200;
/// The sessions that a cell links to.
const LINKS_MAX: usize = 40;

/// A part of a section.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Part {
    /// What the template makes of it: `words`, `table`, `figure`, `rules` or `file`.
    kind: &'static str,
    text: String,
    caption: String,
    table: Option<Table>,
    figure: Option<DrawnFigure>,
    results: Value,
}

/// A figure as the template fills it in.
#[derive(Debug, Clone, Serialize)]
pub struct DrawnFigure {
    name: String,
    title: String,
    finding: String,
    reading: String,
    /// The SVG for wide screens and paper.
    wide: Value,
    /// The SVG for phones.
    narrow: Value,
    /// The data as CSV, in base64.
    csv: String,
    table: Table,
}

/// A table.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Table {
    caption: String,
    head: Vec<Head>,
    rows: Vec<Vec<Cell>>,
    left_out: String,
}

#[derive(Debug, Clone, Serialize)]
struct Head {
    name: String,
    is_number: bool,
}

/// A cell.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cell {
    text: String,
    is_number: bool,
    /// The sessions that the cell counts.
    sessions: Vec<String>,
    more: u64,
    /// The session or record that the cell is about: `SESSION` or `SESSION/RECORD`; empty if it is about several.
    address: String,
}

impl Part {
    /// A paragraph.
    pub fn words(text: impl Into<String>) -> Self {
        Self { kind: "words", text: text.into(), ..Self::default() }
    }

    /// A table without its empty columns.
    pub fn table(table: Table) -> Self {
        Self { kind: "table", table: Some(table.without_empty_columns()), ..Self::default() }
    }

    /// A file, folded up.
    pub fn file(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { kind: "file", caption: name.into(), text: text.into(), ..Self::default() }
    }

    /// Results under other rules, to choose among.
    pub fn rules(results: &OtherRules) -> Self {
        let json = serde_json::to_string(results).expect("invariant: counts have a JSON form");
        // No character ends the script element.
        let json = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
        Self { kind: "rules", results: Value::from_safe_string(json), ..Self::default() }
    }

    /// A figure, drawn for wide and for narrow screens.
    pub fn figure(figure: &Figure) -> Self {
        let drawn = DrawnFigure {
            name: figure.name.clone(),
            title: figure.title.clone(),
            finding: figure.finding.clone(),
            reading: figure.reading.clone(),
            wide: Value::from_safe_string(figure.draw(Ink::Page, WIDE)),
            narrow: Value::from_safe_string(figure.draw(Ink::Page, NARROW)),
            csv: STANDARD.encode(figure.csv()),
            table: Table::of_figure(figure),
        };
        Self { kind: "figure", figure: Some(drawn), ..Self::default() }
    }
}

impl Table {
    /// A table with these columns; those whose names end in `#` hold numbers.
    ///
    /// # Panics
    /// If a row has other columns than the table.
    pub fn new(caption: &str, columns: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) -> Self {
        let head = columns.iter().map(|name| match name.strip_suffix('#') {
            Some(name) => Head { name: name.to_owned(), is_number: true },
            None => Head { name: (*name).to_owned(), is_number: false },
        });
        let mut table = Self { caption: caption.to_owned(), head: head.collect(), ..Self::default() };
        rows.into_iter().for_each(|row| table.add_row(row));
        table
    }

    /// The data of a figure, in its unit.
    fn of_figure(figure: &Figure) -> Self {
        let (mut columns, unit) = (figure.columns(), figure.unit());
        columns.retain(|column| *column != "colour");
        let head = columns.iter().map(|column| Head {
            name: (*column).to_owned(),
            is_number: ["value", "low", "high", "n"].contains(column),
        });
        let mut table = Self { caption: figure.title.clone(), head: head.collect(), ..Self::default() };
        for mark in &figure.marks {
            let cell = |column: &&str| match *column {
                "value" => Cell::number(mark.value.map(|value| unit.write(value))),
                "low" => Cell::number(mark.low.map(|bound| unit.write(bound))),
                "high" => Cell::number(mark.high.map(|bound| unit.write(bound))),
                "n" => Cell::number(mark.n.map(grouped)),
                other => Cell::text(mark.cell(other)),
            };
            table.add_row(columns.iter().map(cell).collect());
        }
        table.shortened("the CSV file of the figure")
    }

    fn add_row(&mut self, cells: Vec<Cell>) {
        assert_eq!(cells.len(), self.head.len(), "invariant: a row has a cell for each column of {}", self.caption);
        self.rows.push(cells);
    }

    /// The table with the rows that can be looked through, and a note about the others.
    #[must_use]
    pub fn shortened(mut self, elsewhere: &str) -> Self {
        if self.rows.len() > ROWS_MAX {
            let all = grouped(self.rows.len() as u64);
            self.left_out = format!("The first {ROWS_MAX} of {all} rows are shown; {elsewhere} has all.");
            self.rows.truncate(ROWS_MAX);
        }
        self
    }

    fn without_empty_columns(mut self) -> Self {
        let is_filled = |column: usize| self.rows.iter().any(|row| !row[column].text.is_empty());
        let filled: Vec<bool> = (0..self.head.len()).map(is_filled).collect();
        let mut kept = filled.iter();
        self.head.retain(|_| *kept.next().unwrap_or(&true));
        for row in &mut self.rows {
            let mut kept = filled.iter();
            row.retain(|_| *kept.next().unwrap_or(&true));
        }
        self
    }

    /// Whether the table has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Cell {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A whole number.
    pub fn count(value: u64) -> Self {
        Self { text: grouped(value), is_number: true, ..Self::default() }
    }

    /// A written number; a dash without one.
    pub fn number(text: Option<String>) -> Self {
        Self { text: text.unwrap_or_else(|| "–".to_owned()), is_number: true, ..Self::default() }
    }

    /// The cell with links to the sessions that it counts.
    #[must_use]
    pub fn of<'s>(mut self, sessions: impl IntoIterator<Item = &'s str>) -> Self {
        for name in sessions {
            match self.sessions.len() < LINKS_MAX {
                true => self.sessions.push(name.to_owned()),
                false => self.more += 1,
            }
        }
        self
    }

    /// The cell as a link to a session.
    #[must_use]
    pub fn to(mut self, session: &str) -> Self {
        self.address = session.to_owned();
        self
    }
}

#[derive(Serialize)]
struct PartsContext<'p> {
    parts: &'p [Part],
    /// The sessions that the page can open, as keys.
    held: BTreeMap<&'p str, ()>,
}

/// Renders the parts of a section, with links to the sessions that the page can open.
pub fn render_parts(parts: &[Part], held: &BTreeSet<String>, templates: &Templates) -> String {
    let held = held.iter().map(|name| (name.as_str(), ())).collect();
    templates.fill("parts.html", PartsContext { parts, held })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_table_says_how_many_rows_it_leaves_out_and_where_they_are() {
        let rows = |count: usize| {
            Table::new("rows", &["row#"], (0..count).map(|row| vec![Cell::count(row as u64)])).shortened("tallies.csv")
        };
        let long = rows(1 + 5 * ROWS_MAX);
        assert_eq!(
            (long.rows.len(), long.left_out.as_str()),
            (ROWS_MAX, "The first 200 of 1 001 rows are shown; tallies.csv has all.")
        );
        assert_eq!((rows(ROWS_MAX).rows.len(), rows(ROWS_MAX).left_out.as_str()), (ROWS_MAX, ""));
    }
}
