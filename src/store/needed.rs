//! Reads the minutes of the sessions that another session needs before it begins (`Plan::needs`): the previous session of its
//! panel, the one whose statements it shows, the one that its votes are matched to, and the one that supplies its seats' first
//! opinions.
//!
//! Needed sessions run first. They must be complete and unchanged, and match the digests in the first record of the session that
//! needs them, if it has one. A fork keeps copies of their minutes among its inputs.

use std::path::{Path, PathBuf};

use crate::domain::{Convened, Digest, Donor, FirstOpinions, MatchUnit, Needed, Record, Taken, Target};
use crate::plan::Plan;
use crate::store::containment;
use crate::store::files::{FileError, file_error, read_whole, write_whole};
use crate::store::minutes::read_beginning;
use crate::store::results::{ResultsFolder, RunStatus};

/// Larger minutes are not read for another session.
const MINUTES_BYTES_MAX: u64 = 1 << 31;

/// Why a session cannot use the minutes that it needs.
#[derive(Debug, thiserror::Error)]
pub enum NeededError {
    /// The needed session is not complete.
    #[error("it needs the minutes of {0}, which is not complete")]
    Incomplete(String),
    /// The minutes differ from what their session wrote.
    #[error("it needs the minutes of {0}, which changed since they were written; `ekklesia replay` names the record")]
    Changed(String),
    /// The minutes are not those with which the session began.
    #[error(
        "it began with the minutes of {session}, which by its first record had the digest {then} and now have {now}"
    )]
    Another {
        /// The session.
        session: String,
        /// The digest in the first record.
        then: Digest,
        /// The present digest of the minutes.
        now: Digest,
    },
    /// The minutes do not say how many tokens their session used.
    #[error("it is matched by {unit} to {session}, where a model's answer came without its tokens; `unit: calls` needs none", unit = .1.as_str(), session = .0)]
    Untold(String, MatchUnit),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl NeededError {
    /// Whether minutes differ from what was written or used at the beginning.
    pub fn is_divergence(&self) -> bool {
        matches!(self, NeededError::Changed(_) | NeededError::Another { .. })
    }
}

/// What shows that a session is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Its `run.json`; used when a session begins.
    LastRun,
    /// Its last record; used to examine a session that began.
    LastRecord,
}

/// Reads the minutes that a session of this plan needs from another session, with their name and digest.
///
/// # Errors
/// [`NeededError`], also if the session's first record names other minutes.
pub fn read_needed(
    folder: &ResultsFolder,
    (plan, replicate): (&Plan, u32),
    session: String,
    trust: Trust,
) -> Result<(Needed, Vec<Record>), NeededError> {
    let then = recorded_digest(folder, (plan, replicate), &session)?;
    read_complete(folder, session, trust, then)
}

/// Reads the minutes of a complete session. `then` is the digest with which the session that needs them began.
///
/// # Errors
/// [`NeededError`].
pub fn read_complete(
    folder: &ResultsFolder,
    session: String,
    trust: Trust,
    then: Option<Digest>,
) -> Result<(Needed, Vec<Record>), NeededError> {
    if let Some(stray) = containment::find_strays_in(folder.root(), &format!("sessions/{session}")).into_iter().next() {
        return Err(stray.to_file_error(folder.root()).into());
    }
    let kept = kept_minutes_path(folder.root(), &session);
    let is_kept = kept.is_file();
    let file = if is_kept { kept.into() } else { folder.minutes(&session) };
    let run = folder.run_file(&session).filter(|_| !is_kept);
    let is_ended = run.as_ref().map(|run| run.status == RunStatus::Completed);
    if !file.is_file() || !is_ended.unwrap_or(is_kept || trust == Trust::LastRecord) {
        return Err(NeededError::Incomplete(session));
    }
    if file.length().map_err(|error| file_error(file.path(), &error))? > MINUTES_BYTES_MAX {
        return Err(NeededError::Changed(session));
    }
    let bytes = file.load()?;
    let minutes = Digest::of(&bytes);
    if let Some(then) = then.filter(|then| *then != minutes) {
        return Err(NeededError::Another { session, then, now: minutes });
    }
    if run.is_some_and(|run| run.minutes_digest != minutes) {
        return Err(NeededError::Changed(session));
    }
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let records: Result<Vec<Record>, _> = lines.map(serde_json::from_slice::<Record>).collect();
    match records {
        Err(_) => Err(NeededError::Changed(session)),
        Ok(records) if !records.last().is_some_and(|last| last.event.is_adjourned()) => {
            Err(NeededError::Incomplete(session))
        }
        Ok(records) => Ok((Needed { session, minutes }, records)),
    }
}

/// The statements to show, the amount to match, and the first opinions; `None` for each that a session does not take from another.
pub type NeededInputs = (Option<Donor>, Option<Target>, Option<FirstOpinions>);

/// Reads everything that a session needs from others, except from the previous session of its panel.
///
/// # Errors
/// [`NeededError`], also if the minutes lack the amount to match.
pub fn read_needed_inputs(
    folder: &ResultsFolder,
    (plan, replicate): (&Plan, u32),
    trust: Trust,
) -> Result<NeededInputs, NeededError> {
    let read = |session: Option<String>| {
        session.map(|session| read_needed(folder, (plan, replicate), session, trust)).transpose()
    };
    let donor = read(plan.lender_of(replicate))?.map(|(lender, records)| Donor::of(lender, &records));
    let target = match read(plan.matched_to(replicate))?.zip(plan.matched.as_ref()) {
        Some(((of, records), matched)) => match Taken::by(&records).of(matched.unit) {
            Some(amount) => Some(Target { of, unit: matched.unit, amount }),
            None => return Err(NeededError::Untold(of.session, matched.unit)),
        },
        None => None,
    };
    let first = read(plan.begins_with(replicate))?
        .map(|(of, records)| FirstOpinions::in_polls(of, &plan.polls_before(), &records));
    Ok((donor, target, first))
}

/// Copies the minutes that a fork's session needs from the parent into the fork's folder. Existing copies that match are kept.
///
/// # Errors
/// [`NeededError`].
pub fn copy_needed_minutes(
    parent: &ResultsFolder,
    plan: &Plan,
    replicate: u32,
    fork: &Path,
) -> Result<(), NeededError> {
    for session in plan.needed_sessions(replicate) {
        let path = kept_minutes_path(fork, &session);
        let there = read_whole(&path).ok().map(|bytes| Digest::of(&bytes));
        if there.is_some() && there == recorded_digest(parent, (plan, replicate), &session)? {
            continue;
        }
        let from = parent.minutes(&session);
        read_needed(parent, (plan, replicate), session, Trust::LastRun)?;
        write_whole(&path, &from.load()?)?;
    }
    Ok(())
}

fn kept_minutes_path(root: &Path, session: &str) -> PathBuf {
    root.join("inputs/needed").join(format!("{session}.jsonl"))
}

/// The digest of a needed session's minutes in the first record of the session that needs them; `None` if there is no such
/// record yet or it names another session.
fn recorded_digest(
    folder: &ResultsFolder,
    (plan, replicate): (&Plan, u32),
    session: &str,
) -> Result<Option<Digest>, FileError> {
    let minutes = folder.minutes(&plan.session_name(replicate));
    let Some(Convened { lender, before, target, first, .. }) = read_beginning(minutes)? else {
        return Ok(None);
    };
    let of_target = target.map(|target| target.of);
    let of_first = first.map(|first| first.of);
    Ok([lender, before, of_target, of_first]
        .into_iter()
        .flatten()
        .find(|needed| needed.session == session)
        .map(|needed| needed.minutes))
}
