//! What the tables of a folder must hold by its records, and which of them hold something else.
//!
//! Of each session and table a digest is kept, so that a thousand sessions take little room. Nothing is written here, and what
//! differs within a table is for a replay to find.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;

use super::{SessionLines, header};
use crate::analysis::{Folded, Layout, Rows, TableSpec, key_cells, table_specs};
use crate::store::files::{in_words, open_file};

/// The lines that one session adds to a table: their bytes and digest.
type Lines = (usize, [u8; 32]);

/// What one session adds to each table but the one of sessions.
#[derive(Debug, Clone, Default)]
pub struct Share(Vec<Lines>);

impl Share {
    /// The share that these rows are.
    pub fn of(rows: &Rows) -> Self {
        Self(rows.parts().iter().map(|part| lines(part)).collect())
    }
}

/// The tables that the records of an experiment make.
pub struct BorneOut {
    specs: Vec<TableSpec>,
    sessions: SessionLines,
    text: Vec<u8>,
    shares: Vec<Share>,
}

/// Which tables of a folder are not those that its records make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unborne {
    /// The names of those that are not there.
    pub missing: Vec<String>,
    /// The names of those that hold something else.
    pub other: Vec<String>,
    /// The names of those that cannot be read, with why.
    pub unread: Vec<(String, String)>,
}

/// Why nothing is told of tables that a run has still to make.
pub const AWAITED: &str = "the tables that it is read from are made when a run ends";

impl Unborne {
    /// Why nothing is read from this table; `None` where the records bear it out.
    pub fn bars(&self, name: &str) -> Option<String> {
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

impl BorneOut {
    /// Tables with these open columns, without a session.
    pub fn new(layout: &Layout) -> Self {
        Self { specs: table_specs(layout), sessions: SessionLines::default(), text: Vec::new(), shares: Vec::new() }
    }

    /// Adds a session, whose rows are in its share. The caller adds them in the order of the plan.
    pub fn add(&mut self, folded: &Folded, share: Share) {
        let Folded { facts, session, .. } = folded;
        self.text.extend(self.sessions.line(&key_cells(facts), &facts.arm.arm, session.clone()));
        self.shares.push(share);
    }

    /// Compares the tables of a folder, but for those that the caller does not want to be read.
    pub fn compared(mut self, folder: &Path, is_read: impl Fn(&str) -> bool) -> Unborne {
        for place in self.sessions.finish() {
            self.text[place as usize] = b'0';
        }
        let sessions = vec![lines(&self.text)];
        let mut unborne = Unborne::default();
        for (place, spec) in self.specs.iter().enumerate() {
            let name = format!("{}.csv", spec.name);
            if !is_read(&name) {
                continue;
            }
            let parts: Vec<Lines> = match place.checked_sub(1) {
                None => sessions.clone(),
                Some(place) => self.shares.iter().filter_map(|share| share.0.get(place).copied()).collect(),
            };
            match holds(&folder.join(&name), &header(spec), &parts) {
                Ok(true) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => unborne.missing.push(name),
                Ok(false) => unborne.other.push(name),
                Err(error) => unborne.unread.push((name, in_words(&error))),
            }
        }
        unborne
    }
}

/// Whether a file is this header and these lines, and nothing else.
fn holds(path: &Path, header: &[u8], parts: &[Lines]) -> io::Result<bool> {
    let mut file = BufReader::with_capacity(1 << 16, open_file(path)?);
    let mut there = Vec::new();
    let mut next = |length: usize| {
        there.clear();
        let read = (&mut file).take(length as u64).read_to_end(&mut there)?;
        Ok::<_, io::Error>((read == length).then(|| lines(&there)))
    };
    if next(header.len())? != Some(lines(header)) {
        return Ok(false);
    }
    for part in parts {
        if next(part.0)? != Some(*part) {
            return Ok(false);
        }
    }
    Ok(file.fill_buf()?.is_empty())
}

fn lines(bytes: &[u8]) -> Lines {
    (bytes.len(), *blake3::hash(bytes).as_bytes())
}
