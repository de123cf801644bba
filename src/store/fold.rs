//! Folds a session's minutes on disk into table rows.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::{ArmFacts, FoldedSession, ForeignRecord, SessionFold, Status};
use crate::domain::{Digest, FORMAT_VERSION, Record};
use crate::plan::{Plan, PlannedSession};
use crate::store::results::{ResultsFolder, RunFile, RunStatus};
use crate::store::tables::{arm_facts, session_facts};

const HASHED_AT_ONCE: usize = 1 << 16;

/// Why the minutes of a session are not what the session wrote.
#[derive(Debug, thiserror::Error)]
pub enum FoldError {
    /// The minutes cannot be read.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        reason: std::io::Error,
    },
    /// A line is not a record of this session.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// This version does not read the format of the minutes.
    #[error("{}: {}", path.display(), other_format(*format, wrote.as_deref()))]
    Format {
        /// The file.
        path: PathBuf,
        /// Their format.
        format: u32,
        /// The version that wrote them, if its `run.json` says so.
        wrote: Option<String>,
    },
    /// The minutes differ from what the session's last run wrote.
    #[error("{}: changed since they were written; `ekklesia replay` names the record", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl FoldError {
    /// A message that the session is counted nowhere, with the reason.
    pub fn counted_nowhere(&self) -> String {
        match self {
            FoldError::Format { .. } => format!("counted nowhere: {self}"),
            FoldError::Unreadable { .. } | FoldError::Line { .. } | FoldError::Changed { .. } => {
                format!("counted nowhere, because its record is not what it wrote: {self}")
            }
        }
    }
}

/// A folded session with its `run.json`.
#[derive(Debug)]
pub struct SessionReading {
    /// Its rows. An incomplete or invalid session has only its row in `sessions`.
    pub folded: FoldedSession,
    /// Its `run.json`; `None` if it is missing or this version cannot read it.
    pub run: Option<RunFile>,
    /// Why its minutes are not what it wrote.
    pub error: Option<FoldError>,
}

/// Checks that the minutes of a session begin with what its last run wrote, and that a completed session has nothing more.
/// Without a readable `run.json`, there is nothing to compare with.
///
/// # Errors
/// [`FoldError::Changed`], or why the minutes cannot be read.
pub fn check_minutes(folder: &ResultsFolder, name: &str) -> Result<(), FoldError> {
    // Read the run file first: meanwhile, a concurrent run only makes the minutes longer.
    let Some(run) = folder.run_file(name) else { return run_account_error(folder, name).map_or(Ok(()), Err) };
    let minutes = folder.minutes(name);
    let path = minutes.path().to_owned();
    let hash = || -> std::io::Result<(Digest, u64)> {
        let file = minutes.open()?;
        let bytes = file.length()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(file.take(run.minutes_bytes))?;
        Ok((Digest::from(hasher.finalize()), bytes))
    };
    let (digest, bytes) = hash().map_err(|reason| FoldError::Unreadable { path: path.clone(), reason })?;
    let is_longer = run.status == RunStatus::Completed && bytes > run.minutes_bytes;
    if digest != run.minutes_digest || is_longer { Err(FoldError::Changed { path }) } else { Ok(()) }
}

/// Why the `run.json` of a packed session cannot be read; `None` if it can.
fn run_account_error(folder: &ResultsFolder, name: &str) -> Option<FoldError> {
    let error = folder.run_file_error(name)?;
    Some(FoldError::Unreadable { path: error.path, reason: std::io::Error::other(error.reason) })
}

/// Folds a session from its minutes.
pub fn fold_session(folder: &ResultsFolder, arm: &Arc<ArmFacts>, session: &PlannedSession) -> SessionReading {
    let run = folder.run_file(&session.name());
    let (folded, error) = fold_minutes(folder, arm, (session, run.as_ref()), drop);
    SessionReading { folded, run, error }
}

/// Folds a session and returns its records, in the order of the minutes.
///
/// # Errors
/// When the minutes are not what the session wrote.
pub fn fold_with_records(
    folder: &ResultsFolder,
    arm: &Arc<ArmFacts>,
    session: &PlannedSession,
) -> Result<(FoldedSession, Vec<Record>), FoldError> {
    let mut records = Vec::new();
    let (folded, error) = fold_session_keeping(folder, arm, session, |record| records.push(record));
    error.map_or(Ok((folded, records)), Err)
}

/// Folds a session and passes every folded record to `keep`. An error says why the minutes are not what the session wrote.
pub fn fold_session_keeping(
    folder: &ResultsFolder,
    arm: &Arc<ArmFacts>,
    session: &PlannedSession,
    keep: impl FnMut(Record),
) -> (FoldedSession, Option<FoldError>) {
    fold_minutes(folder, arm, (session, folder.run_file(&session.name()).as_ref()), keep)
}

fn fold_minutes(
    folder: &ResultsFolder,
    arm: &Arc<ArmFacts>,
    (session, run): (&PlannedSession, Option<&RunFile>),
    mut keep: impl FnMut(Record),
) -> (FoldedSession, Option<FoldError>) {
    let name = session.name();
    let facts = session_facts(arm, &session.plan(), session.replicate);
    let minutes = folder.minutes(&name);
    let path = minutes.path().to_owned();
    let stopped = |status| SessionFold::new(facts.clone()).finish_stopped(status);
    let rejected = |error: FoldError| (stopped(Status::Incomplete), Some(error));
    let run = match run {
        Some(run) if run.status == RunStatus::Completed => run,
        Some(run) if run.status == RunStatus::Failed => {
            return (stopped(Status::Failed(run.fault.clone().unwrap_or_default())), None);
        }
        _ => return (stopped(Status::Incomplete), run_account_error(folder, &name)),
    };
    let unreadable = |reason| FoldError::Unreadable { path: path.clone(), reason };
    let file = match minutes.open() {
        Ok(file) => file,
        Err(reason) => return rejected(unreadable(reason)),
    };
    let mut fold = SessionFold::new(facts.clone());
    // Hashing many lines at once is faster.
    let (mut hasher, mut unhashed, length) = (blake3::Hasher::new(), Vec::new(), file.length().unwrap_or(0));
    let mut reader = BufReader::with_capacity(1 << 16, file.take(length));
    let (mut line, mut has_ended) = (Vec::new(), false);
    for number in 1.. {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) if !line.ends_with(b"\n") => break,
            Ok(_) => unhashed.extend_from_slice(&line),
            Err(reason) => return rejected(unreadable(reason)),
        };
        if unhashed.len() >= HASHED_AT_ONCE {
            hasher.update(&unhashed);
            unhashed.clear();
        }
        let record: Result<Record, _> = serde_json::from_slice(&line);
        if let Some(format) = record.as_ref().ok().and_then(|record| record.event.other_format()) {
            return rejected(FoldError::Format { path, format, wrote: Some(run.ekklesia.clone()) });
        }
        let taken = record.map_err(|e| e.to_string()).and_then(|record| {
            if has_ended {
                return Err(format!("record {} stands after the end of the session", record.seq.0));
            }
            has_ended = record.event.is_adjourned();
            fold.fold_record(&record).map_err(|e| e.to_string())?;
            keep(record);
            Ok(())
        });
        if let Err(reason) = taken {
            return rejected(FoldError::Line { path, line: number, reason });
        }
    }
    hasher.update(&unhashed);
    let digest = Digest::from(hasher.finalize());
    if run.minutes_digest != digest {
        return rejected(FoldError::Changed { path });
    }
    match fold.finish_completed(digest) {
        Ok(folded) => (folded, None),
        Err(stopped) => (*stopped, None),
    }
}

/// Folds a session that ran in memory. Its rows have the open columns of its own arm only.
///
/// # Errors
/// When a record does not belong to this plan.
///
/// # Panics
/// Never: every record can be written as JSON.
pub fn fold_records(plan: &Plan, replicate: u32, records: &[Record]) -> Result<FoldedSession, ForeignRecord> {
    let mut fold = SessionFold::new(session_facts(&Arc::new(arm_facts(plan)), plan, replicate));
    let mut hasher = blake3::Hasher::new();
    for record in records {
        fold.fold_record(record)?;
        hasher.update(&serde_json::to_vec(record).expect("invariant: a record is JSON")).update(b"\n");
    }
    Ok(fold.finish_completed(Digest::from(hasher.finalize())).unwrap_or_else(|stopped| *stopped))
}

/// Describes the first of these sessions whose minutes have another format, with the version that wrote them.
pub fn first_of_other_format(folder: &ResultsFolder, names: impl IntoIterator<Item = String>) -> Option<String> {
    let first =
        |name: String| Some(format!("{}: {}", folder.minutes(&name).display(), other_format_of(folder, &name)?));
    names.into_iter().find_map(first)
}

/// Why the tables of a folder cannot be verified: its minutes have another format than this version reads; `None` if they can.
pub fn unverified_tables(root: &Path) -> Option<String> {
    let folder = ResultsFolder::open_unchecked(root);
    let first = folder.session_names().ok()?.into_iter().find(|name| folder.minutes_format(name).is_some())?;
    Some(format!("the tables are unverified: {}", other_format_of(&folder, &first)?))
}

/// Says that the minutes of a session have another format; `None` if they have none or this version's.
fn other_format_of(folder: &ResultsFolder, name: &str) -> Option<String> {
    let found = folder.minutes_format(name).filter(|found| *found != FORMAT_VERSION)?;
    let wrote = folder.run_file(name).map(|run| run.ekklesia);
    Some(other_format(found, wrote.as_deref()))
}

/// The message that minutes have another format, as the end of a sentence, with the version that wrote them.
pub fn other_format(found: u32, wrote: Option<&str>) -> String {
    let wrote = wrote.map_or(String::new(), |version| format!("; version {version} wrote them"));
    format!("the minutes have format {found}; this version of ekklesia writes and reads format {FORMAT_VERSION}{wrote}")
}
