//! Failed sessions that are run again: moves each failed attempt to `failed/`, and begins the new call record with the reasons,
//! so that a repeated session is recognisable.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::store::calls::{CallRecord, CallRecordError, FailedAttempt};
use crate::store::files::{FileError, file_error, list_folder};
use crate::store::results::{ResultsFolder, run_file_in};

/// An error while attempts are moved or recorded.
#[derive(Debug, thiserror::Error)]
pub enum RetriedError {
    /// A file or folder.
    #[error(transparent)]
    File(#[from] FileError),
    /// The new call record cannot be read.
    #[error(transparent)]
    Calls(#[from] CallRecordError),
    /// A line cannot be appended to the new call record.
    #[error("{0}")]
    Unwritten(crate::domain::Outage),
}

/// Moves a session to `failed/`; the next run starts it anew.
///
/// # Errors
/// When the folder cannot be moved.
pub fn set_aside(folder: &ResultsFolder, name: &str) -> Result<(), FileError> {
    let aside = folder.failed_folder();
    fs::create_dir_all(&aside).map_err(|error| file_error(&aside, &error))?;
    let place = aside.join(format!("{name}.{}", attempt_folders(folder, name)?.len() + 1));
    fs::rename(folder.session_folder(name), &place).map_err(|error| file_error(&place, &error))
}

/// Begins the call record of each session that was set aside with how its attempts ended. Repeating this changes nothing, so
/// that any run can follow a killed one.
///
/// # Errors
/// A [`RetriedError`].
pub fn begin_again(folder: &ResultsFolder) -> Result<(), RetriedError> {
    let names: BTreeSet<String> = list_failed_folders(folder)?.into_iter().map(|(name, ..)| name).collect();
    for name in names {
        // The record in the pack of a completed session already has the line.
        if folder.packs().find_pack(&name).is_some() {
            continue;
        }
        folder.make_session(&name)?;
        let (mut record, _) = CallRecord::open(folder.calls(&name).path())?;
        if record.failed_attempts().is_empty() {
            let ended = attempt_folders(folder, &name)?.into_iter().map(|place| {
                let run = run_file_in(&place);
                let (fault, stopped) = run.map_or((None, None), |run| (run.fault, run.stopped));
                FailedAttempt { fault: fault.unwrap_or_default(), stopped: stopped.unwrap_or_default() }
            });
            record.keep_retried(&ended.collect::<Vec<_>>()).map_err(RetriedError::Unwritten)?;
        }
    }
    Ok(())
}

/// The folders of a session's failed attempts, in order.
///
/// # Errors
/// When the folder cannot be listed.
pub fn attempt_folders(folder: &ResultsFolder, name: &str) -> Result<Vec<PathBuf>, FileError> {
    let all = list_failed_folders(folder)?.into_iter().filter(|(session, ..)| session == name);
    let mut all: Vec<(u32, PathBuf)> = all.map(|(_, number, path)| (number, path)).collect();
    all.sort();
    Ok(all.into_iter().map(|(_, path)| path).collect())
}

/// All failed attempts: session, number and folder. Other names are ignored.
fn list_failed_folders(folder: &ResultsFolder) -> Result<Vec<(String, u32, PathBuf)>, FileError> {
    let attempt = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let (session, number) = name.rsplit_once('.')?;
        Some((session.to_owned(), number.parse().ok()?, path))
    };
    Ok(list_folder(&folder.failed_folder())?.into_iter().filter_map(attempt).collect())
}
