//! A column: its name, what it means, and the cell it takes from a row, in one declaration.
//!
//! Header, type, codebook and cell cannot drift apart, because the type is the variant that holds the cell's function.
//! Nothing here writes a file.

use std::io::Write as _;

use crate::domain::Dollars;
use crate::metrics::layout::Layout;
use crate::metrics::why::{Of, Reach, Setting, Take, Where, Why, Working};

/// How a cell is typed in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8 text, never altered.
    Text,
    /// A whole number, 0 or more.
    Count,
    /// A real number with six decimals; an amount of money with as many more as it has.
    Real,
    /// 0 or 1.
    Flag,
}

impl Kind {
    /// The type's name in the codebook.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Count => "count",
            Kind::Real => "real",
            Kind::Flag => "flag",
        }
    }
}

/// Where a cell comes from; `None` is an empty cell.
enum Cell<R> {
    Text(fn(&R) -> Option<&str>),
    Count(fn(&R) -> Option<u64>),
    Real(fn(&R) -> Option<f64>),
    Money(fn(&R) -> Option<Dollars>),
    Flag(fn(&R) -> Option<bool>),
}

/// One column of a table with rows of type `R`.
pub struct Column<R> {
    /// Its name, in the header.
    pub name: &'static str,
    /// What it means, in words.
    pub help: &'static str,
    /// The unit of its numbers; empty for text and for pure numbers.
    pub unit: &'static str,
    /// How it is computed; empty where it is read off a record.
    pub formula: &'static str,
    /// Which records it comes from, or the literature of its formula.
    pub source: &'static str,
    /// Which records enter its cells, and how they do.
    pub why: Option<Why>,
    cell: Cell<R>,
}

/// A table's rows: the name of the file, what a row is, and the columns after the key block.
pub trait Row: Sized + 'static {
    /// The file's name without `.csv`.
    const TABLE: &'static str;
    /// What a row stands for.
    const ABOUT: &'static str;
    /// The columns after the key block, in groups; open columns may follow each group.
    const COLUMNS: &'static [&'static [Column<Self>]];

    /// The open columns after the group of this number, from 0.
    fn open_specs(_group: usize, _layout: &Layout) -> Vec<ColumnSpec> {
        Vec::new()
    }

    /// Appends the cells of these columns, each after a comma.
    fn put_open(&self, _group: usize, _out: &mut Vec<u8>) {}
}

/// A column's declaration without its cell, for codebooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnSpec {
    /// Its name, in the header.
    pub name: String,
    /// How its cells are typed.
    pub kind: Kind,
    /// The unit of its numbers; empty for text and for pure numbers.
    pub unit: String,
    /// What it means, in words.
    pub help: String,
    /// How it is computed; empty where it is read off a record.
    pub formula: String,
    /// Which records it comes from, or the literature of its formula.
    pub source: String,
    /// Which records enter its cells, and how they do.
    pub why: Option<Why>,
}

impl ColumnSpec {
    /// What its numbers are, as a noun phrase: its help without asides and exceptions. The mean of a flag is a share of sessions.
    pub fn label(&self) -> String {
        let claim = self.help.strip_prefix("1 if ").filter(|_| self.kind == Kind::Flag);
        let (mut words, mut rest) = (String::new(), claim.unwrap_or(&self.help));
        while let Some((before, (_, after))) = rest.split_once(" (").and_then(|(a, b)| Some((a, b.split_once(')')?))) {
            words.push_str(before);
            rest = after;
        }
        words.push_str(rest);
        words.truncate(words.find([';', ':', ',']).unwrap_or(words.len()));
        if claim.is_some() {
            words.insert_str(0, "share of sessions in which ");
        }
        if !self.unit.is_empty() && !words.contains(&self.unit) {
            words.push_str(&format!(", in {}", self.unit));
        }
        words
    }
}

impl<R> Column<R> {
    const fn new(name: &'static str, help: &'static str, cell: Cell<R>) -> Self {
        Self { name, help, unit: "", formula: "", source: "", why: None, cell }
    }

    /// A column of text.
    pub const fn text(name: &'static str, help: &'static str, cell: fn(&R) -> Option<&str>) -> Self {
        Self::new(name, help, Cell::Text(cell))
    }

    /// A column of whole numbers.
    pub const fn count(name: &'static str, help: &'static str, cell: fn(&R) -> Option<u64>) -> Self {
        Self::new(name, help, Cell::Count(cell))
    }

    /// A column of reals.
    pub const fn real(name: &'static str, help: &'static str, cell: fn(&R) -> Option<f64>) -> Self {
        Self::new(name, help, Cell::Real(cell))
    }

    /// A column of dollars.
    pub const fn money(name: &'static str, help: &'static str, cell: fn(&R) -> Option<Dollars>) -> Self {
        Self::new(name, help, Cell::Money(cell)).unit("USD")
    }

    /// A column of 0 and 1.
    pub const fn flag(name: &'static str, help: &'static str, cell: fn(&R) -> Option<bool>) -> Self {
        Self::new(name, help, Cell::Flag(cell))
    }

    /// Names the unit.
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Gives the formula.
    pub const fn formula(mut self, formula: &'static str) -> Self {
        self.formula = formula;
        self
    }

    /// Names the records or the literature it comes from.
    pub const fn source(mut self, source: &'static str) -> Self {
        self.source = source;
        self
    }

    /// Says which records enter its cells, and how.
    pub const fn why(mut self, reach: Reach, of: &'static [Of], working: Working) -> Self {
        self.why = Some(Why::of(reach, of, working));
        self
    }

    /// Says that its cells are a setting of the plan.
    pub const fn plan(mut self, setting: Setting) -> Self {
        self.why = Some(Why::plan(setting));
        self
    }

    /// Of the records that fit, only the first enters.
    pub const fn first(self) -> Self {
        self.take(Take::First)
    }

    /// Of the records that fit, only the last enters.
    pub const fn last(self) -> Self {
        self.take(Take::Last)
    }

    /// Of the records that fit, the first and the last enter.
    pub const fn ends(self) -> Self {
        self.take(Take::Ends)
    }

    const fn take(mut self, take: Take) -> Self {
        if let Some(why) = &mut self.why {
            why.records.take = take;
        }
        self
    }

    /// Its cells are empty outside rounds of talk of which marks are read.
    pub const fn in_marked_talk(mut self) -> Self {
        if let Some(why) = &mut self.why {
            why.at = Where::InMarkedTalk;
        }
        self
    }

    /// Its cells are empty outside rounds of talk.
    pub const fn in_talk(mut self) -> Self {
        if let Some(why) = &mut self.why {
            why.at = Where::InTalk;
        }
        self
    }

    /// How its cells are typed.
    pub const fn kind(&self) -> Kind {
        match self.cell {
            Cell::Text(_) => Kind::Text,
            Cell::Count(_) => Kind::Count,
            Cell::Real(_) | Cell::Money(_) => Kind::Real,
            Cell::Flag(_) => Kind::Flag,
        }
    }

    /// The declaration without the cell.
    pub fn spec(&self) -> ColumnSpec {
        ColumnSpec {
            name: self.name.to_owned(),
            kind: self.kind(),
            unit: self.unit.to_owned(),
            help: self.help.to_owned(),
            formula: self.formula.to_owned(),
            source: self.source.to_owned(),
            why: self.why,
        }
    }

    /// Appends this column's cell of a row.
    fn put(&self, row: &R, out: &mut Vec<u8>) {
        match self.cell {
            Cell::Text(get) => put_text(get(row).unwrap_or(""), out),
            Cell::Count(get) => put_count(get(row), out),
            Cell::Real(get) => put_real(get(row), out),
            Cell::Money(get) => put_text(&get(row).map_or_else(String::new, Dollars::exact), out),
            Cell::Flag(get) => put_count(get(row).map(u64::from), out),
        }
    }
}

/// Appends a row as a line of CSV after its key block, which ends without a comma.
pub fn put_row<R: Row>(key: &[u8], row: &R, out: &mut Vec<u8>) {
    out.extend_from_slice(key);
    for (number, group) in R::COLUMNS.iter().enumerate() {
        for column in *group {
            out.push(b',');
            column.put(row, out);
        }
        row.put_open(number, out);
    }
    out.push(b'\n');
}

/// Appends a text, quoted as RFC 4180 says when it holds a comma, a quote or a line break; the text itself is never altered.
pub fn put_text(text: &str, out: &mut Vec<u8>) {
    if !text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for (place, piece) in text.split('"').enumerate() {
        if place > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(piece.as_bytes());
    }
    out.push(b'"');
}

/// Appends a whole number, or nothing.
pub fn put_count(value: Option<u64>, out: &mut Vec<u8>) {
    if let Some(value) = value {
        write!(out, "{value}").expect("invariant: a vector takes every byte");
    }
}

/// Appends a real number with six decimals, or nothing; a negative zero is written as zero.
pub(in crate::metrics) fn put_real(value: Option<f64>, out: &mut Vec<u8>) {
    let Some(value) = value else { return };
    let start = out.len();
    write!(out, "{value:.6}").expect("invariant: a vector takes every byte");
    if &out[start..] == b"-0.000000" {
        out.remove(start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_label_of_its_own_that_fits_a_line() {
        let specs =
            crate::metrics::table_specs(&Layout { alternatives: vec!["floor".to_owned()], ..Layout::default() });
        let sessions = specs.into_iter().find(|spec| spec.name == "sessions").expect("there is such a table");
        let mut labels: Vec<String> = Vec::new();
        for column in sessions.columns.iter().filter(|column| column.kind != Kind::Text) {
            let label = column.label();
            assert!(!label.contains([';', ':', '(', '_']), "{}: {label}", column.name);
            assert!((4..=112).contains(&label.len()), "{}: {label}", column.name);
            assert!(!labels.contains(&label), "{}: {label}", column.name);
            labels.push(label);
        }
        let label = |name: &str| sessions.columns.iter().find(|column| column.name == name).map(ColumnSpec::label);
        for (name, expected) in [
            ("carried", "share of sessions in which the group decided by vote"),
            ("straw_after_modal_share", "share of the most frequent alternative in the straw poll after the talk"),
            ("cost_usd", "cost of the answers by the prices that plan.yaml has for their models, in USD"),
            ("result_error", "squared error of the amount decided for, in squared units of the scenario"),
        ] {
            assert_eq!(label(name).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_negative_zero_is_written_as_zero() {
        let mut out = Vec::new();
        put_real(Some(-1e-9), &mut out);
        assert_eq!(out, b"0.000000");
    }

    #[test]
    fn a_missing_number_is_an_empty_cell() {
        let mut out = Vec::new();
        put_real(None, &mut out);
        put_count(None, &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn only_what_must_be_quoted_is_quoted() {
        for (text, expected) in
            [("a b", "a b"), ("a,b", "\"a,b\""), ("\"", "\"\"\"\""), ("\r", "\"\r\""), ("\u{0}", "\u{0}")]
        {
            let mut out = Vec::new();
            put_text(text, &mut out);
            assert_eq!(out, expected.as_bytes());
        }
    }
}
