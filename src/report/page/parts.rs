//! What a section is put together from: words, tables, and figures with a caption and their numbers.
//!
//! Every text that comes from elsewhere is plain text here and escaped by the template. Pictures come from `plot`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::templates::Templates;
use crate::report::grouped;

/// Rows of a table that are shown; the tables of the folder have all.
pub const ROWS: usize = 200;
/// Sessions that a cell leads to.
pub const LINKS: usize = 40;

/// A piece of a section.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Part {
    kind: &'static str,
    text: String,
    caption: String,
    class: &'static str,
    picture: Picture,
    legend: Vec<Legend>,
    table: Option<Table>,
    courses: Vec<Leading>,
}

/// A picture of ours, as SVG.
#[derive(Debug, Clone, Default)]
struct Picture(String);

/// What a colour stands for.
#[derive(Debug, Clone, Serialize)]
pub struct Legend {
    colour: String,
    name: String,
}

/// A small picture that leads to its session.
#[derive(Debug, Clone, Serialize)]
pub struct Leading {
    name: String,
    words: String,
    picture: Picture,
}

/// A table.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Table {
    caption: String,
    head: Vec<Head>,
    rows: Vec<Row>,
    left_out: String,
}

#[derive(Debug, Clone, Serialize)]
struct Head {
    name: String,
    is_number: bool,
}

/// A row of a table; figures may lead to it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Row {
    id: String,
    cells: Vec<Cell>,
}

/// A cell.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cell {
    text: String,
    is_number: bool,
    picture: Picture,
    /// The sessions it comes from.
    sessions: Vec<String>,
    more: u64,
    /// The session or record it comes from: `SESSION` or `SESSION/RECORD`; empty where it is not one alone.
    address: String,
}

impl Part {
    /// A heading within a section.
    pub fn heading(text: impl Into<String>) -> Self {
        Self { kind: "heading", text: text.into(), ..Self::default() }
    }

    /// A paragraph.
    pub fn words(text: impl Into<String>) -> Self {
        Self { kind: "words", text: text.into(), ..Self::default() }
    }

    /// A table that is shown at once.
    pub fn table(table: Table) -> Self {
        Self { kind: "table", table: Some(table.filled()), ..Self::default() }
    }

    /// A table that is folded up under its caption.
    pub fn folded(table: Table) -> Self {
        Self { kind: "folded", ..Self::table(table) }
    }

    /// A picture with a caption, which says what it shows and what it does not, and its numbers.
    pub fn figure(picture: String, class: &'static str, caption: impl Into<String>, table: Table) -> Self {
        let (picture, caption) = (Picture(picture), caption.into());
        Self { kind: "figure", picture, class, caption, table: Some(table), ..Self::default() }
    }

    /// Small pictures that lead to sessions, with a caption and their numbers.
    pub fn sparks(courses: Vec<Leading>, caption: impl Into<String>, table: Table) -> Self {
        Self { kind: "sparks", courses, caption: caption.into(), table: Some(table), ..Self::default() }
    }

    /// A text that is folded up, such as a file.
    pub fn text(title: impl Into<String>, text: impl Into<String>) -> Self {
        Self { kind: "text", caption: title.into(), text: text.into(), ..Self::default() }
    }

    /// The same with what colours stand for.
    #[must_use]
    pub fn legend(mut self, names: impl IntoIterator<Item = (usize, String)>) -> Self {
        let legend = |(place, name)| Legend { colour: crate::plot::colour(place), name };
        self.legend = names.into_iter().map(legend).collect();
        self
    }
}

impl Leading {
    /// A picture, the session it leads to, and a few words.
    pub fn new(name: &str, words: impl Into<String>, picture: String) -> Self {
        Self { name: name.to_owned(), words: words.into(), picture: Picture(picture) }
    }
}

impl Table {
    /// A table with these columns; those whose names end in `#` hold numbers.
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Self {
        let head = columns.iter().map(|name| match name.strip_suffix('#') {
            Some(name) => Head { name: name.to_owned(), is_number: true },
            None => Head { name: (*name).to_owned(), is_number: false },
        });
        Self { caption: caption.into(), head: head.collect(), ..Self::default() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When it has other columns than the table.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.row_at(String::new(), cells);
    }

    /// Adds a row that has an address of its own.
    ///
    /// # Panics
    /// Likewise.
    pub fn row_at(&mut self, id: String, cells: Vec<Cell>) {
        assert_eq!(cells.len(), self.head.len(), "invariant: a row has a cell for each column of {}", self.caption);
        self.rows.push(Row { id, cells });
    }

    /// The same with so many rows as can be looked through, and where the others are.
    #[must_use]
    pub fn shortened(mut self, elsewhere: &str) -> Self {
        if self.rows.len() > ROWS {
            let all = grouped(self.rows.len() as u64);
            self.left_out = format!(
                "The first {ROWS} of {all} rows are shown; {elsewhere} in the results folder has the numbers of all."
            );
            self.rows.truncate(ROWS);
        }
        self
    }

    /// The same without columns in which nothing stands.
    fn filled(mut self) -> Self {
        let is_filled = |column: usize| self.rows.iter().any(|row| !row.cells[column].is_empty());
        let filled: Vec<bool> = (0..self.head.len()).map(is_filled).collect();
        let mut kept = filled.iter();
        self.head.retain(|_| *kept.next().unwrap_or(&true));
        for row in &mut self.rows {
            let mut kept = filled.iter();
            row.cells.retain(|_| *kept.next().unwrap_or(&true));
        }
        self
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Cell {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.picture.0.is_empty()
    }

    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A whole number.
    pub fn count(value: u64) -> Self {
        Self { text: grouped(value), is_number: true, ..Self::default() }
    }

    /// A number in words of its own; empty where there is none.
    pub fn number(text: Option<String>) -> Self {
        Self { text: text.unwrap_or_else(|| "–".to_owned()), is_number: true, ..Self::default() }
    }

    /// A share in per cent.
    pub fn percent(share: Option<f64>) -> Self {
        Self::number(share.map(|share| format!("{:.0} %", 100.0 * share)))
    }

    /// A picture that says what stands beside it.
    pub fn picture(picture: String) -> Self {
        Self { picture: Picture(picture), ..Self::default() }
    }

    /// The same, leading to the sessions it comes from.
    #[must_use]
    pub fn of<'s>(mut self, sessions: impl IntoIterator<Item = &'s str>) -> Self {
        for name in sessions {
            match self.sessions.len() < LINKS {
                true => self.sessions.push(name.to_owned()),
                false => self.more += 1,
            }
        }
        self
    }

    /// The same, leading to a session.
    #[must_use]
    pub fn to(mut self, session: &str) -> Self {
        self.address = session.to_owned();
        self
    }

    /// The same, leading to the record it comes from.
    #[must_use]
    pub fn at(mut self, session: &str, record: u64) -> Self {
        self.address = format!("{session}/{record}");
        self
    }
}

impl Serialize for Picture {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        minijinja::Value::from_safe_string(self.0.clone()).serialize(serializer)
    }
}

/// The HTML of these pieces.
pub fn html(parts: &[Part], templates: &Templates) -> String {
    templates.fill("parts.html", BTreeMap::from([("parts", parts)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_which_rows_are_left_out_says_how_many_there_are_and_where_they_are() {
        let rows = |count: usize| {
            let mut table = Table::new("rows", &["row#"]);
            (0..count).for_each(|row| table.row(vec![Cell::count(row as u64)]));
            table.shortened("tallies.csv")
        };
        let long = rows(1 + 5 * ROWS);
        assert_eq!(
            (long.rows.len(), long.left_out.as_str()),
            (ROWS, "The first 200 of 1 001 rows are shown; tallies.csv in the results folder has the numbers of all.")
        );
        assert_eq!((rows(ROWS).rows.len(), rows(ROWS).left_out.as_str()), (ROWS, ""));
    }
}
