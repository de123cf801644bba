//! What a session of a panel begins with, read from the minutes of the session before it, and the notes that it leaves.
//!
//! The minutes are the only source: `notes.json` is made from them, for readers, and is never read but to see whether it still
//! says the same.

use std::io;
use std::path::PathBuf;

use serde::Serialize;

use crate::domain::{Before, SeatNotes};
use crate::engine::handed_on;
use crate::plan::Plan;
use crate::store::files::{FileError, file_error, write_whole};
use crate::store::needed::{self, NeededError, Trust};
use crate::store::places::SessionPart;
use crate::store::results::ResultsFolder;
use crate::store::session_file::SessionFile;

/// Why a session cannot begin with what came of the one before, or leave its notes.
#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    /// The minutes before cannot be had.
    #[error(transparent)]
    Needed(#[from] NeededError),
    /// The notes that lie there are others.
    #[error("{}: not the notes that the minutes hold; remove the file, and it is made again from them", .0.display())]
    OtherNotes(PathBuf),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The file of a session's notes.
pub fn notes_file(folder: &ResultsFolder, name: &str) -> SessionFile {
    folder.session_file(SessionPart::Notes, name)
}

/// What a session begins with; `None` where none came before it. Where it begins now, the notes before are made sure of.
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

/// Makes sure that a session's notes lie beside its minutes: those that are missing are made again.
fn same_or_restored(folder: &ResultsFolder, name: &str, notes: &[SeatNotes]) -> Result<(), PanelError> {
    match compare_notes(folder, name, notes) {
        Err(PanelError::File(_)) if !notes_file(folder, name).exists() => Ok(write_notes(folder, name, notes)?),
        other => other,
    }
}

/// Writes a session's notes, whole or not at all.
///
/// # Errors
/// When they cannot be written.
pub fn write_notes(folder: &ResultsFolder, name: &str, notes: &[SeatNotes]) -> Result<(), FileError> {
    let file = notes_file(folder, name);
    match file.is_loose() {
        true => write_whole(file.path(), &notes_json(name, notes)),
        false => Err(FileError { path: file.path().to_owned(), reason: "its pack holds no notes of it".to_owned() }),
    }
}

/// Checks that the notes that lie there are these.
///
/// # Errors
/// [`PanelError::OtherNotes`] when they are not, and a [`FileError`] when they cannot be read.
pub fn compare_notes(folder: &ResultsFolder, name: &str, notes: &[SeatNotes]) -> Result<(), PanelError> {
    let (file, expected) = (notes_file(folder, name), notes_json(name, notes));
    let fail = |error: io::Error| file_error(file.path(), &error);
    // What has another length is not read, however long it is.
    let is_same = file.length().map_err(fail)? == expected.len() as u64 && file.is_file();
    match is_same && file.read_whole().map_err(fail)? == expected {
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
    let mut text = serde_json::to_vec_pretty(&NotesDocument { session: name, seats: notes })
        .expect("invariant: texts have a JSON form");
    text.push(b'\n');
    text
}
