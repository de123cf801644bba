//! Reads what a session of a panel inherits from the session before it, and writes the notes that it leaves.
//!
//! The minutes are the only source. `notes.json` is derived from them for readers, and is only compared.

use std::path::PathBuf;

use serde::Serialize;

use crate::domain::{Before, SeatNotes};
use crate::engine::handed_on;
use crate::plan::Plan;
use crate::store::files::{FileError, file_error, indented_json, write_whole};
use crate::store::needed::{self, NeededError, Trust};
use crate::store::places::SessionPart;
use crate::store::results::ResultsFolder;
use crate::store::session_file::SessionFile;

/// Why a session cannot inherit from the session before it, or leave its notes.
#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    /// The minutes of the session before cannot be used.
    #[error(transparent)]
    Needed(#[from] NeededError),
    /// The existing notes differ from those in the minutes.
    #[error("{}: not the notes that the minutes hold; remove the file, and it is made again from them", .0.display())]
    OtherNotes(PathBuf),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The file of a session's notes.
pub fn notes_file(folder: &ResultsFolder, name: &str) -> SessionFile {
    folder.session_file(SessionPart::Notes, name)
}

/// Reads what a session inherits; `None` if no session is before it. With `Trust::LastRun`, also checks or restores the notes.
///
/// # Errors
/// A [`PanelError`] when the session before is not complete, or its minutes or notes are not what it wrote.
pub fn read_session_before(
    folder: &ResultsFolder,
    plan: &Plan,
    replicate: u32,
    trust: Trust,
) -> Result<Option<Before>, PanelError> {
    let Some(name) = plan.session_before(replicate) else { return Ok(None) };
    let (needed, records) = needed::read_needed(folder, (plan, replicate), name, trust)?;
    let (names, notes) = handed_on(plan, &records);
    let lies_here = folder.has_session(&needed.session);
    if trust == Trust::LastRun && lies_here && plan.takes_notes() {
        same_or_restored(folder, &needed.session, &notes)?;
    }
    Ok(Some(Before { needed, names, notes }))
}

/// Compares a session's notes with its file, and writes the file if it is missing.
fn same_or_restored(folder: &ResultsFolder, name: &str, notes: &[SeatNotes]) -> Result<(), PanelError> {
    match compare_notes(folder, name, notes) {
        Err(PanelError::File(_)) if !notes_file(folder, name).exists() => Ok(write_notes(folder, name, notes)?),
        other => other,
    }
}

/// Writes a session's notes, atomically.
///
/// # Errors
/// When the notes cannot be written.
pub fn write_notes(folder: &ResultsFolder, name: &str, notes: &[SeatNotes]) -> Result<(), FileError> {
    let file = notes_file(folder, name);
    match file.is_loose() {
        true => write_whole(file.path(), &notes_json(name, notes)),
        false => Err(FileError { path: file.path().to_owned(), reason: "its pack holds no notes of it".to_owned() }),
    }
}

/// Checks that a session's file of notes matches.
///
/// # Errors
/// [`PanelError::OtherNotes`] if the notes differ, and a [`FileError`] if they cannot be read.
pub fn compare_notes(folder: &ResultsFolder, name: &str, notes: &[SeatNotes]) -> Result<(), PanelError> {
    let (file, expected) = (notes_file(folder, name), notes_json(name, notes));
    let length = file.length().map_err(|error| file_error(file.path(), &error))?;
    // Do not read a file of another length, which may be huge.
    let is_same = length == expected.len() as u64 && file.is_file();
    match is_same && file.load()? == expected {
        true => Ok(()),
        false => Err(PanelError::OtherNotes(file.path().to_owned())),
    }
}

fn notes_json(name: &str, notes: &[SeatNotes]) -> Vec<u8> {
    #[derive(Serialize)]
    struct NotesDocument<'a> {
        session: &'a str,
        seats: &'a [SeatNotes],
    }
    indented_json(&NotesDocument { session: name, seats: notes })
}
