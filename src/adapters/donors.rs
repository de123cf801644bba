//! The minutes of another session, whose statements a session shows in the place of its own.
//!
//! They lie with the other sessions; beside a fork lies a copy of those that its parent read.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::adapters::minutes::convened;
use crate::adapters::results::{FileError, Reached, ResultsFolder, file_error, write_whole};
use crate::domain::{Digest, Donor, Event, Lender, Record};
use crate::plan::Plan;

/// The folder, in that of a fork, of the minutes that its session shows.
pub const DONORS: &str = "donors";

/// Why there are no statements to show.
#[derive(Debug, thiserror::Error)]
pub enum DonorError {
    /// The other session has not come to its end.
    #[error("it shows the statements of {session}, which is not complete")]
    Incomplete {
        /// The session.
        session: String,
    },
    /// Its minutes are not those that its last run left.
    #[error(
        "it shows the statements of {session}, whose minutes changed since they were written; `ekklesia replay` names the record"
    )]
    Changed {
        /// The session.
        session: String,
    },
    /// Its minutes are not those that were shown.
    #[error("it shows the statements of {session}, whose minutes had the digest {then} and now have {now}")]
    Another {
        /// The session.
        session: String,
        /// The digest in the first record.
        then: Digest,
        /// The digest of the minutes there are.
        now: Digest,
    },
    /// They could not be read.
    #[error(transparent)]
    File(#[from] FileError),
}

impl DonorError {
    /// Whether what is there is not what was shown or written.
    pub fn is_divergence(&self) -> bool {
        matches!(self, DonorError::Changed { .. } | DonorError::Another { .. })
    }
}

/// What a session of a plan shows of another; `None` where it shows its own talk.
///
/// # Errors
/// [`DonorError`], also where the session's own first record tells of other minutes.
pub fn donor(folder: &ResultsFolder, plan: &Plan, replicate: u32) -> Result<Option<Donor>, DonorError> {
    let Some(session) = plan.lender_of(replicate) else { return Ok(None) };
    let (path, then) = (path(folder, &session), lender_told(&folder.minutes(&plan.session_name(replicate)))?);
    let minutes = match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(DonorError::Incomplete { session }),
        minutes => minutes.map_err(|error| file_error(&path, &error))?,
    };
    let now = Digest::of(&minutes);
    if let Some(Lender { minutes: then, .. }) = then.filter(|then| then.minutes != now) {
        return Err(DonorError::Another { session, then, now });
    }
    if let Some(run) = folder.run_file(&session) {
        match run.status {
            Reached::Completed if run.minutes_digest != now => return Err(DonorError::Changed { session }),
            Reached::Completed => {}
            Reached::Incomplete | Reached::Failed => return Err(DonorError::Incomplete { session }),
        }
    }
    let lines = minutes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let records: Result<Vec<Record>, _> = lines.map(serde_json::from_slice::<Record>).collect();
    let Ok(records) = records else { return Err(DonorError::Changed { session }) };
    if !records.last().is_some_and(|record| matches!(record.event, Event::Adjourned { .. })) {
        return Err(DonorError::Incomplete { session });
    }
    Ok(Some(Donor::of(Lender { session, minutes: now }, &records)))
}

/// Copies into a fork's folder what its session shows of another, as its parent read it.
///
/// # Errors
/// [`DonorError`].
pub fn copy(parent: &ResultsFolder, plan: &Plan, replicate: u32, fork: &Path) -> Result<(), DonorError> {
    let Some(donor) = donor(parent, plan, replicate)? else { return Ok(()) };
    let from = path(parent, &donor.lender.session);
    let minutes = fs::read(&from).map_err(|error| file_error(&from, &error))?;
    Ok(write_whole(&copied(fork, &donor.lender.session), &minutes)?)
}

/// Where the minutes of a session lie that another shows.
fn path(folder: &ResultsFolder, session: &str) -> PathBuf {
    let copied = copied(folder.root(), session);
    if copied.is_file() { copied } else { folder.minutes(session) }
}

fn copied(root: &Path, session: &str) -> PathBuf {
    root.join(DONORS).join(format!("{session}.jsonl"))
}

/// Whose statements a session shows by its own first record; `None` where there is none that can be read.
fn lender_told(minutes: &Path) -> Result<Option<Lender>, FileError> {
    Ok(match convened(minutes)? {
        Some(Event::SessionConvened { lender, .. }) => lender,
        _ => None,
    })
}
