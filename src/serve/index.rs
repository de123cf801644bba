//! The list of experiments in a folder: what each is, and how far it came by its records. No clock is asked.

use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use super::house::ServedFolder;
use super::room::WatchedExperiment;
use super::survey::ExperimentState;
use crate::store::files::FileError;
use crate::text::escape_unseen;

/// What is written as it is in a part of an address.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// An experiment in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IndexRow {
    /// Its folder's name, as it can be shown.
    pub folder: String,
    /// Its page.
    pub address: String,
    /// Its own name.
    pub name: String,
    /// Its arms.
    pub arms: Vec<String>,
    /// Whether it is a fork.
    pub is_fork: bool,
    /// Sessions at their end, of how many.
    pub sessions: String,
    /// `finished`, `unfinished`, `under way` or `unknown`.
    pub standing: &'static str,
    /// Records of all sessions.
    pub records: u64,
    /// The session whose record grew last while it was looked at, and where it stands; else nothing.
    pub last: String,
    /// Who sits at the table.
    pub announced: String,
    /// What cannot be read.
    pub problems: Vec<String>,
}

/// The list, by name.
///
/// # Errors
/// When the folder cannot be listed.
pub fn build_rows(house: &ServedFolder) -> Result<Vec<IndexRow>, FileError> {
    Ok(house.all_experiments()?.iter().map(|(name, room)| build_row(name, room)).collect())
}

fn build_row(folder: &str, room: &Arc<WatchedExperiment>) -> IndexRow {
    let state = room.refresh_state();
    let counts = state.count_sessions();
    let planned = counts.planned.map_or("an unknown number".to_owned(), |planned| planned.to_string());
    let failed = if counts.failed > 0 { format!(", {} failed", counts.failed) } else { String::new() };
    let unreadable = if counts.unreadable > 0 { format!(", {} unreadable", counts.unreadable) } else { String::new() };
    IndexRow {
        folder: escape_unseen(folder),
        address: page_address(folder),
        name: escape_unseen(state.design.name.as_deref().unwrap_or(folder)),
        arms: state.design.arms.iter().map(|arm| escape_unseen(arm)).collect(),
        is_fork: state.design.is_fork,
        sessions: format!("{} of {planned}{failed}{unreadable}", counts.completed),
        standing: experiment_standing(&state),
        records: counts.records,
        last: latest_session(&state),
        announced: escape_unseen(&state.design.announced),
        problems: state.design.problem.iter().chain(&state.problems).map(|text| escape_unseen(text)).collect(),
    }
}

/// The address of an experiment's page.
pub fn page_address(folder: &str) -> String {
    format!("/e/{}/", utf8_percent_encode(folder, PART))
}

/// Where an experiment stands, in a word or two.
pub fn experiment_standing(state: &ExperimentState) -> &'static str {
    let counts = state.count_sessions();
    match (counts.is_finished(), counts.grew) {
        (Some(true), _) => "finished",
        (_, Some(_)) => "under way",
        (Some(false), None) => "unfinished",
        (None, None) => "unknown",
    }
}

/// The session that grew last while it was looked at; without one, the last that has no end.
fn latest_session(state: &ExperimentState) -> String {
    let sessions = || state.sessions.iter();
    let grown = sessions().filter(|(_, session)| session.grew.is_some()).max_by_key(|(_, session)| session.grew);
    let open = || sessions().rfind(|(_, session)| !session.is_settled());
    let Some((name, session)) = grown.or_else(open).or_else(|| sessions().next_back()) else { return String::new() };
    let at = session.at.as_deref().map_or(String::new(), |at| format!(", {at}"));
    escape_unseen(&format!("{name}{at}, record {}", session.records.saturating_sub(1)))
}
