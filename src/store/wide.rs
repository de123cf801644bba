//! `export --wide`: assignments, answers and variables in one table, each in a column of its own.
//!
//! A row is a session by the keys that are asked for; what is no key is part of the names of columns.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use csv::StringRecord;
use indexmap::{IndexMap, IndexSet};

use crate::analysis::{name_answer_column, name_variable_column};
use crate::store::files::{FileError, file_error};
use crate::store::staging::Staging;

/// What tells the rows of a session apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WideKey {
    /// The seat.
    Seat,
    /// The pass of the repeated blocks.
    Pass,
}

/// One value of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WideEntry {
    /// The record that it comes from.
    seq: u64,
    /// Whose it is; empty of the session and of a group.
    seat: String,
    /// In which pass; empty outside repeated blocks.
    pass: String,
    /// The column, without seat and pass.
    name: String,
    value: String,
}

/// The cells of a row of a table, by their columns.
type Cells<'c> = &'c dyn Fn(&str) -> String;

/// Reads the name and the value of an entry.
type ReadEntry = fn(Cells<'_>) -> (String, String);

/// What takes a session: the cells of its columns up to `session`, and its entries.
type TakeSession<'t> = &'t mut dyn FnMut(&StringRecord, Vec<WideEntry>) -> Result<(), FileError>;

/// The tables, with how an entry of each is read.
const TABLES: [(&str, ReadEntry); 4] = [
    ("seats", |cell| ("role".to_owned(), cell("role"))),
    ("assignments", |cell| match cell("role") {
        role if role.is_empty() => (format!("group_{}", cell("name")), cell("group")),
        role => (format!("role_{}", cell("name")), role),
    }),
    ("values", |cell| {
        let about = Some(cell("target")).filter(|target| !target.is_empty());
        let about = about.map_or(String::new(), |target| format!("_{target}"));
        (name_answer_column(&cell("phase"), &cell("field")) + &about, cell("value"))
    }),
    ("variables", |cell| {
        let group = if cell("scope") == "group" { format!("_group_{}", cell("group")) } else { String::new() };
        (name_variable_column(&cell("name")) + &group, cell("value"))
    }),
];

/// A table that is read session by session.
struct TableReader {
    path: PathBuf,
    reader: csv::Reader<File>,
    header: StringRecord,
    /// The row that was not taken yet.
    next: Option<StringRecord>,
}

impl TableReader {
    fn open(results: &Path, table: &str) -> Result<Self, FileError> {
        let path = results.join(format!("{table}.csv"));
        let mut reader = csv::Reader::from_path(&path).map_err(|error| describe_error(&path, &error))?;
        let header = reader.headers().map_err(|error| describe_error(&path, &error))?.clone();
        let mut table = Self { path, reader, header, next: None };
        table.advance()?;
        Ok(table)
    }

    fn advance(&mut self) -> Result<(), FileError> {
        let mut row = StringRecord::new();
        let is_row = self.reader.read_record(&mut row).map_err(|error| describe_error(&self.path, &error))?;
        self.next = is_row.then_some(row);
        Ok(())
    }

    fn read_cell(&self, name: &str) -> String {
        let place = self.header.iter().position(|column| column == name);
        let cell = place.zip(self.next.as_ref()).and_then(|(place, row)| row.get(place));
        cell.unwrap_or_default().to_owned()
    }

    /// Takes the entries of a session, whose rows are next if it has any.
    fn take_session(&mut self, session: &str, read: ReadEntry, entries: &mut Vec<WideEntry>) -> Result<(), FileError> {
        while self.next.is_some() && self.read_cell("session") == session {
            let (name, value) = read(&|column| self.read_cell(column));
            let seq = self.read_cell("seq").parse().unwrap_or_default();
            entries.push(WideEntry { seq, seat: self.read_cell("seat"), pass: self.read_cell("pass"), name, value });
            self.advance()?;
        }
        Ok(())
    }
}

fn describe_error(path: &Path, error: &csv::Error) -> FileError {
    FileError { path: path.to_owned(), reason: error.to_string() }
}

/// Calls `take` with every session of a results folder, in the order of the tables. Returns the columns up to `session`.
fn read_sessions(results: &Path, take: TakeSession<'_>) -> Result<StringRecord, FileError> {
    let mut sessions = TableReader::open(results, "sessions")?;
    let mut tables = Vec::new();
    for (name, read) in TABLES {
        tables.push((TableReader::open(results, name)?, read));
    }
    let keys = sessions.header.iter().position(|column| column == "session").map_or(0, |place| place + 1);
    while let Some(row) = &sessions.next {
        let key: StringRecord = row.iter().take(keys).collect();
        let session = sessions.read_cell("session");
        let mut entries = Vec::new();
        for (table, read) in &mut tables {
            table.take_session(&session, *read, &mut entries)?;
        }
        entries.sort_by_key(|entry| entry.seq);
        take(&key, entries)?;
        sessions.advance()?;
    }
    Ok(sessions.header.iter().take(keys).collect())
}

/// The column of an entry: what is no key is part of its name.
fn name_column(entry: &WideEntry, keys: &BTreeSet<WideKey>) -> String {
    let mut name = entry.name.clone();
    for (key, part) in [(WideKey::Seat, &entry.seat), (WideKey::Pass, &entry.pass)] {
        if !keys.contains(&key) && !part.is_empty() {
            name = format!("{name}_{part}");
        }
    }
    name
}

/// The rows of a session: the seat and the pass of each, and its cells by column. An entry of no seat stands in the rows of all seats.
///
/// The row of a pass has what that very pass brought, the groups and roles that held in it, and what was brought outside repeated blocks:
/// answers in all rows, and variables that no pass sets in the rows of passes that ended after they were set.
fn build_rows<'e>(
    entries: &'e [WideEntry],
    keys: &BTreeSet<WideKey>,
) -> Vec<([&'e str; 2], IndexMap<String, &'e str>)> {
    let key = |entry: &'e WideEntry| {
        [(WideKey::Seat, &entry.seat), (WideKey::Pass, &entry.pass)]
            .map(|(key, part)| if keys.contains(&key) { part.as_str() } else { "" })
    };
    let parts: IndexSet<[&str; 2]> = entries.iter().map(key).collect();
    let seats: IndexSet<&str> = parts.iter().map(|[seat, _]| *seat).filter(|seat| !seat.is_empty()).collect();
    let passes: IndexSet<&str> = parts.iter().map(|[_, pass]| *pass).filter(|pass| !pass.is_empty()).collect();
    let or_none = |all: IndexSet<&'e str>| if all.is_empty() { IndexSet::from([""]) } else { all };
    let (seats, passes) = (or_none(seats), or_none(passes));
    let in_passes = || entries.iter().filter(|entry| !key(entry)[1].is_empty());
    let set_in_passes: BTreeSet<&str> = in_passes().map(|entry| entry.name.as_str()).collect();
    let is_assigned = |entry: &WideEntry| ["group_", "role_"].iter().any(|prefix| entry.name.starts_with(prefix));
    let is_of_all = |entry: &WideEntry, end: u64| {
        !entry.name.starts_with("var_") || entry.seq <= end && !set_in_passes.contains(entry.name.as_str())
    };
    let mut rows = Vec::new();
    for seat in &seats {
        for pass in &passes {
            let of_pass = entries.iter().filter(|entry| key(entry)[1] == *pass);
            let end = of_pass.map(|entry| entry.seq).max().unwrap_or(u64::MAX);
            let is_shown = |entry: &&'e WideEntry| match key(entry) {
                [of, _] if !of.is_empty() && of != *seat => false,
                _ if is_assigned(entry) => entry.seq <= end,
                [_, of] => of == *pass || of.is_empty() && is_of_all(entry, end),
            };
            let cells = entries.iter().filter(is_shown).map(|entry| (name_column(entry, keys), entry.value.as_str()));
            rows.push(([*seat, *pass], cells.collect()));
        }
    }
    rows
}

/// Writes the table of a results folder to a new file, without columns that have a cell in no row. Returns the numbers of rows and columns.
///
/// # Errors
/// When a table is missing or is not CSV, or the file cannot be written. Nothing is left behind then.
pub fn write_wide_table(results: &Path, keys: &BTreeSet<WideKey>, out: &Path) -> Result<[u64; 2], FileError> {
    let mut columns: IndexSet<String> = IndexSet::new();
    let header = read_sessions(results, &mut |_, entries| {
        let rows = build_rows(&entries, keys);
        let is_filled = |column: &String| rows.iter().any(|(_, cells)| cells.contains_key(column));
        columns.extend(entries.iter().map(|entry| name_column(entry, keys)).filter(is_filled));
        Ok(())
    })?;
    let staging = Staging::begin(out)?;
    let path = staging.path();
    let unwritable = |error: csv::Error| FileError { path: out.to_owned(), reason: error.to_string() };
    let mut writer = csv::Writer::from_path(&path).map_err(unwritable)?;
    let named = [(WideKey::Seat, "seat"), (WideKey::Pass, "pass")];
    let shown: Vec<usize> = (0..2).filter(|place| keys.contains(&named[*place].0)).collect();
    let first = header.iter().chain(shown.iter().map(|place| named[*place].1));
    writer.write_record(first.chain(columns.iter().map(String::as_str))).map_err(unwritable)?;
    let mut count = 0;
    read_sessions(results, &mut |session, entries| {
        for (key, cells) in build_rows(&entries, keys) {
            let first = session.iter().chain(shown.iter().map(|place| key[*place]));
            let cells = columns.iter().map(|column| cells.get(column).copied().unwrap_or_default());
            writer.write_record(first.chain(cells)).map_err(unwritable)?;
            count += 1;
        }
        Ok(())
    })?;
    writer.flush().map_err(|error| file_error(out, &error))?;
    drop(writer);
    staging.publish()?;
    Ok([count, (header.len() + shown.len() + columns.len()) as u64])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(seq: u64, (seat, pass): (&str, &str), (name, value): (&str, &str)) -> WideEntry {
        let [seat, pass, name, value] = [seat, pass, name, value].map(str::to_owned);
        WideEntry { seq, seat, pass, name, value }
    }

    /// The rows, each as one text.
    fn tell_rows(entries: &[WideEntry], keys: &[WideKey]) -> Vec<String> {
        let keys = keys.iter().copied().collect();
        let told = |([seat, pass], cells): &([&str; 2], IndexMap<String, &str>)| {
            let cells: Vec<String> = cells.iter().map(|(column, value)| format!("{column}={value}")).collect();
            format!("{seat}|{pass}: {}", cells.join(" "))
        };
        build_rows(entries, &keys).iter().map(told).collect()
    }

    #[test]
    fn what_is_no_key_is_part_of_the_names_of_columns() {
        let entries = [
            entry(1, ("Ada", "1"), ("ans_c", "3")),
            entry(2, ("Ben", "1"), ("ans_c", "4")),
            entry(3, ("", "1"), ("var_sum", "7")),
            entry(4, ("Ada", "2"), ("ans_c", "5")),
            entry(5, ("Ada", ""), ("ans_age", "40")),
        ];
        assert_eq!(
            tell_rows(&entries, &[WideKey::Seat, WideKey::Pass]),
            ["Ada|1: ans_c=3 var_sum=7 ans_age=40", "Ada|2: ans_c=5 ans_age=40", "Ben|1: ans_c=4 var_sum=7", "Ben|2: "]
        );
        assert_eq!(
            tell_rows(&entries, &[WideKey::Seat]),
            ["Ada|: ans_c_1=3 var_sum_1=7 ans_c_2=5 ans_age=40", "Ben|: ans_c_1=4 var_sum_1=7"]
        );
        assert_eq!(
            tell_rows(&entries, &[WideKey::Pass]),
            ["|1: ans_c_Ada=3 ans_c_Ben=4 var_sum=7 ans_age_Ada=40", "|2: ans_c_Ada=5 ans_age_Ada=40"]
        );
    }

    /// Groups last until they are set again. A variable that a pass sets is in the row of that pass alone. One that no pass sets is in the
    /// rows of the passes that ended later, and in no row if it is set after the last of them.
    #[test]
    fn a_row_has_what_its_own_pass_set() {
        let entries = [
            entry(1, ("Ada", ""), ("group_team", "2")),
            entry(1, ("Ada", ""), ("var_wealth", "6")),
            entry(2, ("", ""), ("var_x", "1")),
            entry(3, ("Ada", "1.1"), ("ans_c", "3")),
            entry(4, ("Ada", "1.2"), ("ans_c", "4")),
            entry(4, ("Ada", "1.2"), ("var_seen", "8")),
            entry(5, ("Ada", "1"), ("var_sum", "7")),
            entry(6, ("Ada", "2"), ("group_team", "1")),
            entry(7, ("Ada", ""), ("var_between", "3")),
            entry(7, ("Ada", "2.1"), ("ans_c", "5")),
            entry(8, ("", "2.1"), ("var_x", "5")),
            entry(9, ("", ""), ("var_end", "1")),
            entry(9, ("Ada", ""), ("ans_age", "40")),
            entry(10, ("Ada", ""), ("group_team", "7")),
        ];
        assert_eq!(
            tell_rows(&entries, &[WideKey::Seat, WideKey::Pass]),
            [
                "Ada|1.1: group_team=2 var_wealth=6 ans_c=3 ans_age=40",
                "Ada|1.2: group_team=2 var_wealth=6 ans_c=4 var_seen=8 ans_age=40",
                "Ada|1: group_team=2 var_wealth=6 var_sum=7 ans_age=40",
                "Ada|2: group_team=1 var_wealth=6 ans_age=40",
                "Ada|2.1: group_team=1 var_wealth=6 var_between=3 ans_c=5 var_x=5 ans_age=40"
            ]
        );
    }
}
