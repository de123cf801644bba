//! The minutes of sessions that another session needs before it begins (`Plan::needs`): the session before it in its panel, the
//! one whose statements it shows, the one that its votes are matched to, and the one whose seats' words its own seats begin with.
//!
//! They are worked on first (`Planned::stage`). They must be complete, unchanged, and those that the session's own first record
//! names by their digest, if it does. They lie with the other sessions; a fork keeps copies among its inputs, as its parent read
//! them. What a session takes from them is decided elsewhere: names and notes in `engine/notes.rs`, statements in
//! `engine/lending.rs`.

use std::path::{Path, PathBuf};

use crate::domain::{Digest, Donor, Event, FirstOpinions, MatchUnit, Needed, Record, Taken, Target};
use crate::plan::Plan;
use crate::store::files::{FileError, file_error, read_whole, write_whole};
use crate::store::minutes::read_first_event;
use crate::store::results::{ResultsFolder, RunStatus};
use crate::store::strays;

/// Minutes with more bytes are not read for another session.
const MINUTES_BYTES_MAX: u64 = 1 << 31;

/// Why a session cannot have what it needs of another.
#[derive(Debug, thiserror::Error)]
pub enum NeededError {
    /// The other one has not come to its end.
    #[error("it needs the minutes of {0}, which is not complete")]
    Incomplete(String),
    /// Its minutes are not those that its session wrote.
    #[error("it needs the minutes of {0}, which changed since they were written; `ekklesia replay` names the record")]
    Changed(String),
    /// Its minutes are not those that the session began with.
    #[error(
        "it began with the minutes of {session}, which by its first record had the digest {then} and now have {now}"
    )]
    Another {
        /// The session.
        session: String,
        /// The digest in the first record.
        then: Digest,
        /// The digest of the minutes there are.
        now: Digest,
    },
    /// It does not tell how many tokens it took.
    #[error("it is matched by {unit} to {session}, where a model's answer came without its tokens; `unit: calls` needs none", unit = .1.as_str(), session = .0)]
    Untold(String, MatchUnit),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl NeededError {
    /// Whether what is there is not what was begun with or written.
    pub fn is_divergence(&self) -> bool {
        matches!(self, NeededError::Changed(_) | NeededError::Another { .. })
    }
}

/// What shows that a session is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Its last run said so: a session begins.
    LastRun,
    /// Its last record is an end: what was begun is looked at.
    LastRecord,
}

/// The minutes of a session that a session of this plan needs, in which it is named and by which it is known.
///
/// # Errors
/// [`NeededError`], also where the session's own first record tells of other minutes.
pub fn read_needed(
    folder: &ResultsFolder,
    (plan, replicate): (&Plan, u32),
    session: String,
    trust: Trust,
) -> Result<(Needed, Vec<Record>), NeededError> {
    let then = recorded_digest(folder, (plan, replicate), &session)?;
    read_complete(folder, session, trust, then)
}

/// The minutes of a complete session, by which it is known; `then` is the digest that another session began with.
///
/// # Errors
/// [`NeededError`].
pub fn read_complete(
    folder: &ResultsFolder,
    session: String,
    trust: Trust,
    then: Option<Digest>,
) -> Result<(Needed, Vec<Record>), NeededError> {
    if let Some(stray) = strays::find_strays_in(folder.root(), &format!("sessions/{session}")).into_iter().next() {
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
    let fail = |error: std::io::Error| file_error(file.path(), &error);
    if file.length().map_err(fail)? > MINUTES_BYTES_MAX {
        return Err(NeededError::Changed(session));
    }
    let bytes = file.read_whole().map_err(fail)?;
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
        Ok(records) if !is_ending(&records) => Err(NeededError::Incomplete(session)),
        Ok(records) => Ok((Needed { session, minutes }, records)),
    }
}

/// What a session of a plan shows of another; `None` where it shows its own talk.
///
/// # Errors
/// [`NeededError`].
pub fn read_donor(
    folder: &ResultsFolder,
    plan: &Plan,
    replicate: u32,
    trust: Trust,
) -> Result<Option<Donor>, NeededError> {
    let Some(session) = plan.lender_of(replicate) else { return Ok(None) };
    let (lender, records) = read_needed(folder, (plan, replicate), session, trust)?;
    Ok(Some(Donor::of(lender, &records)))
}

/// What the votes of a session of a plan are matched to; `None` where votes are held once.
///
/// # Errors
/// [`NeededError`], also where what is to be matched was not told.
fn read_target(
    folder: &ResultsFolder,
    plan: &Plan,
    replicate: u32,
    trust: Trust,
) -> Result<Option<Target>, NeededError> {
    let named = plan.matched_to(replicate).zip(plan.matched.as_ref());
    let Some((session, unit)) = named.map(|(session, matched)| (session, matched.unit)) else { return Ok(None) };
    let (of, records) = read_needed(folder, (plan, replicate), session, trust)?;
    match Taken::by(&records).of(unit) {
        Some(amount) => Ok(Some(Target { of, unit, amount })),
        None => Err(NeededError::Untold(of.session, unit)),
    }
}

/// What the seats of a session of a plan begin with; `None` where they begin anew.
///
/// # Errors
/// [`NeededError`].
fn read_first_opinions(
    folder: &ResultsFolder,
    plan: &Plan,
    replicate: u32,
    trust: Trust,
) -> Result<Option<FirstOpinions>, NeededError> {
    let Some(session) = plan.begins_with(replicate) else { return Ok(None) };
    let (of, records) = read_needed(folder, (plan, replicate), session, trust)?;
    Ok(Some(FirstOpinions::in_polls(of, &plan.polls_before(), &records)))
}

/// What it shows, what its votes are matched to, and what its seats begin with.
pub type NeededInputs = (Option<Donor>, Option<Target>, Option<FirstOpinions>);

/// What a session of a plan has of others beside those before it in its panel: what it shows, what its votes are matched to, and what
/// its seats begin with.
///
/// # Errors
/// [`NeededError`].
pub fn read_needed_inputs(
    folder: &ResultsFolder,
    (plan, replicate): (&Plan, u32),
    trust: Trust,
) -> Result<NeededInputs, NeededError> {
    Ok((
        read_donor(folder, plan, replicate, trust)?,
        read_target(folder, plan, replicate, trust)?,
        read_first_opinions(folder, plan, replicate, trust)?,
    ))
}

/// Keeps in a fork's folder the minutes that its session needs, as its parent read them. Those that lie there are left.
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
        write_whole(&path, &from.read_whole().map_err(|error| file_error(from.path(), &error))?)?;
    }
    Ok(())
}

/// The copy of a session's minutes that a fork keeps among its inputs.
fn kept_minutes_path(root: &Path, session: &str) -> PathBuf {
    root.join("inputs/needed").join(format!("{session}.jsonl"))
}

/// The digest of a session's minutes by the first record of the one that needs them; `None` where that is not there yet, or
/// names another session.
fn recorded_digest(
    folder: &ResultsFolder,
    (plan, replicate): (&Plan, u32),
    session: &str,
) -> Result<Option<Digest>, FileError> {
    let Some(Event::SessionConvened { lender, before, target, first, .. }) =
        read_first_event(folder.minutes(&plan.session_name(replicate)))?
    else {
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

fn is_ending(records: &[Record]) -> bool {
    records.last().is_some_and(|record| matches!(record.event, Event::Adjourned { .. }))
}
