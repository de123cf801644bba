//! Sessions that failed and are run again from the start: what failed is set aside in `failed/`, and the new record begins with why
//! each earlier attempt ended, so that a result which was had by trying again is never taken for a first one.
//!
//! No session is run here, and none is found to have failed.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use crate::store::calls::{CallRecord, CallRecordError, FailedAttempt};
use crate::store::files::{FileError, file_error};
use crate::store::results::{ResultsFolder, run_file_in};

/// What was set aside could not be moved, read or told of.
#[derive(Debug, thiserror::Error)]
pub enum RetriedError {
    /// A file or folder.
    #[error(transparent)]
    File(#[from] FileError),
    /// The new record.
    #[error(transparent)]
    Calls(#[from] CallRecordError),
    /// A line could not be added to it.
    #[error("{0}")]
    Unwritten(crate::domain::Outage),
}

/// Sets a session aside; the next run begins it anew.
///
/// # Errors
/// When its folder cannot be moved.
pub fn set_aside(folder: &ResultsFolder, name: &str) -> Result<(), FileError> {
    let aside = folder.failed_folder();
    fs::create_dir_all(&aside).map_err(|error| file_error(&aside, &error))?;
    let place = aside.join(format!("{name}.{}", attempt_folders(folder, name)?.len() + 1));
    fs::rename(folder.session_folder(name), &place).map_err(|error| file_error(&place, &error))
}

/// Writes down, at the head of the records of sessions that were set aside, why. Done again it changes nothing, so that a run which
/// was killed in between can be followed by any other.
///
/// # Errors
/// [`RetriedError`]
pub fn begin_again(folder: &ResultsFolder) -> Result<(), RetriedError> {
    for name in retried_names(folder)? {
        // A session that was completed since tells it in its pack.
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

/// The folders that were set aside for a session, the first attempt first.
///
/// # Errors
/// When the folder cannot be listed.
pub fn attempt_folders(folder: &ResultsFolder, name: &str) -> Result<Vec<PathBuf>, FileError> {
    let all = list_failed_folders(folder)?.into_iter().filter(|(session, ..)| session == name);
    let mut all: Vec<(u32, PathBuf)> = all.map(|(_, number, path)| (number, path)).collect();
    all.sort();
    Ok(all.into_iter().map(|(_, path)| path).collect())
}

/// The sessions of which something was set aside.
fn retried_names(folder: &ResultsFolder) -> Result<BTreeSet<String>, FileError> {
    Ok(list_failed_folders(folder)?.into_iter().map(|(name, ..)| name).collect())
}

/// What was set aside: of which session, its number, and where it lies. Nothing else that lies there counts.
fn list_failed_folders(folder: &ResultsFolder) -> Result<Vec<(String, u32, PathBuf)>, FileError> {
    let aside = folder.failed_folder();
    let entries = match fs::read_dir(&aside) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| file_error(&aside, &error))?,
    };
    let mut all = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| file_error(&aside, &error))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some((session, number)) = name.rsplit_once('.')
            && let Ok(number) = number.parse()
        {
            all.push((session.to_owned(), number, path.clone()));
        }
    }
    Ok(all)
}
