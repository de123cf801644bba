//! What a session of a panel begins with, read from the minutes of the session before it, and the notes that it leaves.
//!
//! The minutes are the only source: `notes.json` is made from them, for readers, and is never read but to see whether it still
//! says the same.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::adapters::results::{FileError, Reached, ResultsFolder, file_error, write_whole};
use crate::domain::{Before, Digest, Needed, Record, SeatNotes};
use crate::engine::handed_on;
use crate::plan::Plan;

/// Minutes with more bytes are not read for their notes.
const MINUTES_BYTES_MAX: u64 = 1 << 31;

/// Why a session cannot begin with what came of the one before.
#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    /// The one before is not complete.
    #[error("not begun: it is one of a panel and follows {0}, which is not complete")]
    Waiting(String),
    /// The minutes before are not those that their session wrote.
    #[error("{}: changed since they were written, and the next session of the panel begins with them", .0.display())]
    Changed(PathBuf),
    /// A line of them is no record.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The notes that lie there are others.
    #[error("{}: not the notes that the minutes hold; remove the file, and it is made again from them", .0.display())]
    OtherNotes(PathBuf),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// What is asked of the minutes before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Their session is complete, and they and its notes are as it left them.
    Complete,
    /// They are taken as they are: a replay compares what follows from them.
    AsTheyAre,
}

/// The file of a session's notes.
pub fn notes_file(folder: &ResultsFolder, name: &str) -> PathBuf {
    folder.session(name).join("notes.json")
}

/// The copy of the minutes before that a fork keeps among its inputs.
pub fn kept_before(root: &Path, name: &str) -> PathBuf {
    root.join("inputs/before").join(format!("{name}.jsonl"))
}

/// What a session begins with; `None` where none came before it.
///
/// # Errors
/// A [`PanelError`] when the session before is not complete, or its minutes cannot be what it wrote.
pub fn before(folder: &ResultsFolder, plan: &Plan, replicate: u32, trust: Trust) -> Result<Option<Before>, PanelError> {
    let Some(name) = plan.session_before(replicate) else { return Ok(None) };
    let kept = kept_before(folder.root(), &name);
    let (path, is_kept) = if kept.is_file() { (kept, true) } else { (folder.minutes(&name), false) };
    let run = folder.run_file(&name).filter(|run| run.status == Reached::Completed);
    if trust == Trust::Complete && !is_kept && run.is_none() {
        return Err(PanelError::Waiting(name));
    }
    let length = fs::metadata(&path).map_err(|error| file_error(&path, &error))?;
    if !length.is_file() || length.len() > MINUTES_BYTES_MAX {
        return Err(PanelError::Changed(path));
    }
    let bytes = fs::read(&path).map_err(|error| file_error(&path, &error))?;
    let minutes = Digest::of(&bytes);
    if trust == Trust::Complete && run.is_some_and(|run| run.minutes_digest != minutes) {
        return Err(PanelError::Changed(path));
    }
    let mut records: Vec<Record> = Vec::new();
    for (line, number) in bytes.split_inclusive(|byte| *byte == b'\n').zip(1..) {
        let record = serde_json::from_slice(line);
        let no_record =
            |error: serde_json::Error| PanelError::Line { path: path.clone(), line: number, reason: error.to_string() };
        records.push(record.map_err(no_record)?);
    }
    let (names, notes) = handed_on(plan, &records);
    if trust == Trust::Complete && !is_kept && plan.takes_notes() {
        same_or_restored(folder, &name, &notes)?;
    }
    Ok(Some(Before { needed: Needed { session: name, minutes }, names, notes }))
}

/// Makes sure that a session's notes lie beside its minutes: those that are missing are made again.
fn same_or_restored(folder: &ResultsFolder, name: &str, notes: &[SeatNotes]) -> Result<(), PanelError> {
    match compare(folder, name, notes) {
        Err(PanelError::File(_)) if !notes_file(folder, name).exists() => Ok(write(folder, name, notes)?),
        other => other,
    }
}

/// Writes a session's notes, whole or not at all.
///
/// # Errors
/// When they cannot be written.
pub fn write(folder: &ResultsFolder, name: &str, notes: &[SeatNotes]) -> Result<(), FileError> {
    write_whole(&notes_file(folder, name), &text(name, notes))
}

/// Checks that the notes that lie there are these.
///
/// # Errors
/// [`PanelError::OtherNotes`] when they are not, and a [`FileError`] when they cannot be read.
pub fn compare(folder: &ResultsFolder, name: &str, notes: &[SeatNotes]) -> Result<(), PanelError> {
    let (path, expected) = (notes_file(folder, name), text(name, notes));
    let there = fs::metadata(&path).map_err(|error| file_error(&path, &error))?;
    // What has another length is not read, however long it is.
    let is_same = there.is_file() && there.len() == expected.len() as u64;
    let read = |path: &Path| -> io::Result<bool> { Ok(fs::read(path)? == expected) };
    match is_same && read(&path).map_err(|error| file_error(&path, &error))? {
        true => Ok(()),
        false => Err(PanelError::OtherNotes(path)),
    }
}

fn text(name: &str, notes: &[SeatNotes]) -> Vec<u8> {
    #[derive(Serialize)]
    struct Notes<'a> {
        session: &'a str,
        seats: &'a [SeatNotes],
    }
    let mut text =
        serde_json::to_vec_pretty(&Notes { session: name, seats: notes }).expect("invariant: texts have a JSON form");
    text.push(b'\n');
    text
}
