//! Compares the tables of a folder with those that its records yield.
//!
//! Only a digest is kept per session and table, to save memory. A replay finds the differences within a table.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;

use super::{SessionLines, header_line};
use crate::analysis::{ColumnLayout, FoldedSession, Rows, TableSpec, key_cells, table_specs};
use crate::store::files::{in_words, open_file};

/// The length and digest of the lines that a session adds to a table.
type LinesDigest = (usize, [u8; 32]);

/// What one session adds to each table except `sessions.csv`.
#[derive(Debug, Clone, Default)]
pub struct TableShare(Vec<LinesDigest>);

impl TableShare {
    /// Digests the rows of a session.
    pub fn from_rows(rows: &Rows) -> Self {
        Self(rows.table_buffers().iter().map(|part| digest_lines(part)).collect())
    }
}

/// The tables that the records of an experiment yield.
pub struct ExpectedTables {
    specs: Vec<TableSpec>,
    sessions: SessionLines,
    text: Vec<u8>,
    shares: Vec<TableShare>,
}

/// The tables of a folder that its records do not confirm.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnconfirmedTables {
    /// The names of missing tables.
    pub missing: Vec<String>,
    /// The names of tables with other content.
    pub other: Vec<String>,
    /// The names of unreadable tables, with the reason.
    pub unread: Vec<(String, String)>,
}

/// The reason given for tables that a run has yet to write.
pub const AWAITED: &str = "the tables that it is read from are made when a run ends";

impl UnconfirmedTables {
    /// Why a table must not be used; `None` if the records confirm it.
    pub fn refusal_reason(&self, name: &str) -> Option<String> {
        if self.missing.iter().any(|missing| missing == name) {
            return Some(format!("{name} is not there"));
        }
        if self.other.iter().any(|other| other == name) {
            return Some(format!("{name} is not what the records make"));
        }
        let unread = self.unread.iter().find(|(unread, _)| unread == name);
        unread.map(|(_, why)| format!("{name} cannot be read: {why}"))
    }
}

impl ExpectedTables {
    /// Tables with these open columns, and no sessions.
    pub fn new(layout: &ColumnLayout) -> Self {
        Self { specs: table_specs(layout), sessions: SessionLines::default(), text: Vec::new(), shares: Vec::new() }
    }

    /// Adds a session, whose rows are in `share`. The caller adds sessions in the order of the plan.
    pub fn add_session(&mut self, folded: &FoldedSession, share: TableShare) {
        let FoldedSession { facts, session, .. } = folded;
        self.text.extend(self.sessions.render_line(&key_cells(facts), &facts.arm.arm, session.clone()));
        self.shares.push(share);
    }

    /// Compares the tables of a folder for which `is_read` is true.
    pub fn compare_folder(mut self, folder: &Path, is_read: impl Fn(&str) -> bool) -> UnconfirmedTables {
        for place in self.sessions.repeated_places() {
            self.text[place as usize] = b'0';
        }
        let sessions = vec![digest_lines(&self.text)];
        let mut unconfirmed = UnconfirmedTables::default();
        for (place, spec) in self.specs.iter().enumerate() {
            let name = format!("{}.csv", spec.name);
            if !is_read(&name) {
                continue;
            }
            let parts: Vec<LinesDigest> = match place.checked_sub(1) {
                None => sessions.clone(),
                Some(place) => self.shares.iter().filter_map(|share| share.0.get(place).copied()).collect(),
            };
            match holds_lines(&folder.join(&name), &header_line(spec), &parts) {
                Ok(true) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => unconfirmed.missing.push(name),
                Ok(false) => unconfirmed.other.push(name),
                Err(error) => unconfirmed.unread.push((name, in_words(&error))),
            }
        }
        unconfirmed
    }
}

/// Whether a file consists of exactly this header and these lines.
fn holds_lines(path: &Path, header: &[u8], parts: &[LinesDigest]) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(1 << 16, open_file(path)?);
    let mut there = Vec::new();
    let mut next = |length: usize| {
        there.clear();
        let read = (&mut file).take(length as u64).read_to_end(&mut there)?;
        Ok::<_, io::Error>((read == length).then(|| digest_lines(&there)))
    };
    if next(header.len())? != Some(digest_lines(header)) {
        return Ok(false);
    }
    for part in parts {
        if next(part.0)? != Some(*part) {
            return Ok(false);
        }
    }
    Ok(file.fill_buf()?.is_empty())
}

fn digest_lines(bytes: &[u8]) -> LinesDigest {
    (bytes.len(), *blake3::hash(bytes).as_bytes())
}
