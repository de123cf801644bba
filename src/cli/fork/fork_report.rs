//! What `fork` prints: where its sessions differ from their parent.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::json;

use super::super::exit::Refusal;
use super::ForkedBranch;
use crate::plan::PlannedSession;
use crate::report::{counted, grouped};
use crate::store::results::ResultsFolder;
use crate::store::session_file::SessionFile;

/// The result of a fork.
pub(super) struct ForkReport {
    parent: String,
    /// The folder of the session, or of all.
    fork: PathBuf,
    /// At least one.
    sessions: Vec<SessionComparison>,
    calls_made: u64,
    calls_served: u64,
}

/// A session of a fork beside its parent.
#[derive(Serialize)]
struct SessionComparison {
    session: String,
    records: u64,
    first_difference: Option<u64>,
    records_differing: u64,
}

impl ForkReport {
    /// Compares the sessions of a fork with their parent.
    pub(super) fn compare(
        branch: &ForkedBranch,
        folder: &ResultsFolder,
        (calls_made, calls_served): (u64, u64),
    ) -> Result<Self, Refusal> {
        let parent = branch.place.name.clone();
        let minutes = branch.parent.minutes(&parent);
        let compare = |session: &PlannedSession| compare_minutes(session.name(), &minutes, folder);
        let sessions: Vec<SessionComparison> = branch.sessions.iter().map(compare).collect::<Result<_, _>>()?;
        let fork = match branch.inputs.fork_of() {
            Some(_) => folder.root().to_owned(),
            None => folder.session_folder(&sessions[0].session),
        };
        Ok(Self { parent, fork, sessions, calls_made, calls_served })
    }

    /// The result as one JSON object.
    pub(super) fn to_json(&self) -> serde_json::Value {
        let Self { parent, fork, sessions, calls_made, calls_served } = self;
        match sessions.as_slice() {
            [SessionComparison { records, first_difference, records_differing, .. }] => json!({
                "parent": parent,
                "fork": fork,
                "records": records,
                "first_difference": first_difference,
                "records_differing": records_differing,
                "calls_made": calls_made,
                "calls_served": calls_served,
            }),
            sessions => json!({
                "parent": parent,
                "fork": fork,
                "sessions": sessions,
                "calls_made": calls_made,
                "calls_served": calls_served,
            }),
        }
    }
}

impl fmt::Display for ForkReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sessions.as_slice() {
            [only] => {
                let records = only.records;
                match only.first_difference {
                    None => write!(out, "{records} records, all of them the parent's: the change changes nothing")?,
                    Some(first) => write!(
                        out,
                        "{records} records; the first that differs from the parent is record {first}, {} differ in all",
                        only.records_differing
                    )?,
                }
            }
            sessions => write_sessions(sessions, out)?,
        }
        let verb = if self.sessions.len() == 1 { "show" } else { "report" };
        let (made, served, fork) = (self.calls_made, self.calls_served, self.fork.display());
        write!(out, "\n{made} calls made, {served} answers from the record\nread  ekklesia {verb} {fork}")
    }
}

fn write_sessions(sessions: &[SessionComparison], out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let count = sessions.len() as u64;
    let records: u64 = sessions.iter().map(|session| session.records).sum();
    let equal = sessions.iter().filter(|session| session.first_difference.is_none()).count() as u64;
    write!(out, "{}, {} in all; ", counted(count, "session"), counted(records, "record"))?;
    match sessions.iter().filter_map(|session| session.first_difference).min() {
        None => write!(out, "all of them the parent's: the change changes nothing"),
        Some(first) => {
            write!(out, "the first record that differs from the parent is record {first}")?;
            match equal {
                0 => Ok(()),
                equal => write!(out, ", {} equal the parent", grouped(equal)),
            }
        }
    }
}

fn compare_minutes(
    session: String,
    parent: &SessionFile,
    folder: &ResultsFolder,
) -> Result<SessionComparison, Refusal> {
    let (parent, fork) = (parent.load()?, folder.minutes(&session).load()?);
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> { bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
    let (parent, fork) = (lines(&parent), lines(&fork));
    let differs = |place: usize| parent.get(place) != fork.get(place);
    // The last piece follows the last newline and is empty.
    let places = 0..parent.len().max(fork.len()) - 1;
    Ok(SessionComparison {
        session,
        records: fork.len() as u64 - 1,
        first_difference: places.clone().find(|place| differs(*place)).map(|place| place as u64),
        records_differing: places.filter(|place| differs(*place)).count() as u64,
    })
}
