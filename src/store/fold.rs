//! A session's minutes on disk → its rows.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::{ArmFacts, FoldedSession, ForeignRecord, SessionFold, Status};
use crate::domain::{Digest, Event, FORMAT_VERSION, Record};
use crate::plan::{Plan, PlannedSession};
use crate::store::results::{ResultsFolder, RunStatus};
use crate::store::tables::{arm_facts, session_facts};

/// How many bytes of minutes are hashed at once.
const HASHED_AT_ONCE: usize = 1 << 16;

/// Why the minutes of a session cannot be what the session wrote.
#[derive(Debug, thiserror::Error)]
pub enum FoldError {
    /// They cannot be read.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        reason: std::io::Error,
    },
    /// A line is no record, or not one of this session.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// They are of another format than this version reads.
    #[error("{}: {}", path.display(), other_format(*format))]
    Format {
        /// The file.
        path: PathBuf,
        /// Their format.
        format: u32,
    },
    /// They are not those that the session's last run left.
    #[error("{}: changed since they were written; `ekklesia replay` names the record", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl FoldError {
    /// That its session counts nowhere, and why.
    pub fn counted_nowhere(&self) -> String {
        match self {
            FoldError::Format { .. } => format!("counted nowhere: {self}"),
            FoldError::Unreadable { .. } | FoldError::Line { .. } | FoldError::Changed { .. } => {
                format!("counted nowhere, because its record is not what it wrote: {self}")
            }
        }
    }
}

/// Checks that the minutes of a session still begin with what its last run left, and that a completed session has nothing more. A session
/// without a `run.json` that can be read has nothing to be checked against.
///
/// # Errors
/// [`FoldError::Changed`], or why the minutes cannot be read.
pub fn check_minutes(folder: &ResultsFolder, name: &str) -> Result<(), FoldError> {
    // First the run file: a run that goes on makes the minutes longer meanwhile, never shorter.
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

/// That a packed session's account of its last run cannot be read; `None` where it can.
fn run_account_error(folder: &ResultsFolder, name: &str) -> Option<FoldError> {
    let error = folder.run_file_error(name)?;
    Some(FoldError::Unreadable { path: error.path, reason: std::io::Error::other(error.reason) })
}

/// Folds a session. One that is not complete, or whose minutes are unsound, has a row in `sessions` and no other.
pub fn fold_session(
    folder: &ResultsFolder,
    arm: &Arc<ArmFacts>,
    session: &PlannedSession,
) -> (FoldedSession, Option<FoldError>) {
    fold_session_keeping(folder, arm, session, drop)
}

/// The same, giving away every record that was folded.
pub fn fold_session_keeping(
    folder: &ResultsFolder,
    arm: &Arc<ArmFacts>,
    session: &PlannedSession,
    mut keep: impl FnMut(Record),
) -> (FoldedSession, Option<FoldError>) {
    let name = session.name();
    let facts = session_facts(arm, &session.plan(), session.replicate);
    let (run, minutes) = (folder.run_file(&name), folder.minutes(&name));
    let path = minutes.path().to_owned();
    let stopped = |status| SessionFold::new(facts.clone()).finish_stopped(status);
    let run = match run {
        Some(run) if run.status == RunStatus::Completed => run,
        Some(run) if run.status == RunStatus::Failed => {
            return (stopped(Status::Failed(run.fault.unwrap_or_default())), None);
        }
        _ => return (stopped(Status::Incomplete), run_account_error(folder, &name)),
    };
    let unreadable = |reason| FoldError::Unreadable { path: path.clone(), reason };
    let file = match minutes.open() {
        Ok(file) => file,
        Err(reason) => return (stopped(Status::Incomplete), Some(unreadable(reason))),
    };
    let mut fold = SessionFold::new(facts.clone());
    // Many lines at once are hashed faster.
    let (mut hasher, mut unhashed, length) = (blake3::Hasher::new(), Vec::new(), file.length().unwrap_or(0));
    let mut reader = BufReader::with_capacity(1 << 16, file.take(length));
    let (mut line, mut has_ended) = (Vec::new(), false);
    for number in 1.. {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) if !line.ends_with(b"\n") => break,
            Ok(_) => unhashed.extend_from_slice(&line),
            Err(reason) => return (stopped(Status::Incomplete), Some(unreadable(reason))),
        };
        if unhashed.len() >= HASHED_AT_ONCE {
            hasher.update(&unhashed);
            unhashed.clear();
        }
        let record: Result<Record, _> = serde_json::from_slice(&line);
        if let Ok(Record { event: Event::SessionConvened { format, .. }, .. }) = &record
            && *format != FORMAT_VERSION
        {
            return (stopped(Status::Incomplete), Some(FoldError::Format { path, format: *format }));
        }
        let taken = record.map_err(|e| e.to_string()).and_then(|record| {
            if has_ended {
                return Err(format!("record {} stands after the end of the session", record.seq.0));
            }
            has_ended = matches!(record.event, Event::Adjourned { .. });
            fold.fold_record(&record).map_err(|e| e.to_string())?;
            keep(record);
            Ok(())
        });
        if let Err(reason) = taken {
            let error = FoldError::Line { path: path.clone(), line: number, reason };
            return (stopped(Status::Incomplete), Some(error));
        }
    }
    hasher.update(&unhashed);
    let digest = Digest::from(hasher.finalize());
    if run.minutes_digest != digest {
        return (stopped(Status::Incomplete), Some(FoldError::Changed { path }));
    }
    match fold.finish_completed(digest) {
        Ok(folded) => (folded, None),
        Err(stopped) => (*stopped, None),
    }
}

/// Folds a session that was run in memory, alone: its rows have the open columns of its own arm.
///
/// # Errors
/// When a record is none of this plan.
///
/// # Panics
/// When a record cannot be written as JSON, which all can.
pub fn fold_records(plan: &Plan, replicate: u32, records: &[Record]) -> Result<FoldedSession, ForeignRecord> {
    let mut fold = SessionFold::new(session_facts(&Arc::new(arm_facts(plan)), plan, replicate));
    let mut hasher = blake3::Hasher::new();
    for record in records {
        fold.fold_record(record)?;
        hasher.update(&serde_json::to_vec(record).expect("invariant: a record is JSON")).update(b"\n");
    }
    Ok(fold.finish_completed(Digest::from(hasher.finalize())).unwrap_or_else(|stopped| *stopped))
}

/// That a session has minutes of another format, with the version that wrote them; `None` where none of these has.
pub fn first_of_other_format(folder: &ResultsFolder, names: impl IntoIterator<Item = String>) -> Option<String> {
    let formats = names.into_iter().filter_map(|name| Some((folder.minutes_format(&name)?, name)));
    let (found, name) = formats.into_iter().find(|(found, _)| *found != FORMAT_VERSION)?;
    let wrote = folder.run_file(&name).map(|run| format!("; version {} wrote them", run.ekklesia));
    Some(format!("{}: {}{}", folder.minutes(&name).display(), other_format(found), wrote.unwrap_or_default()))
}

/// That minutes have another format, as the end of a sentence about them.
pub fn other_format(found: u32) -> String {
    format!("the minutes have format {found}; this version of ekklesia writes and reads format {FORMAT_VERSION}")
}
