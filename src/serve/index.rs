//! The list of experiments with their progress. It uses records, not the clock.

use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use super::folder_watcher::ExperimentState;
use super::served_folder::ServedFolder;
use super::watched_experiment::WatchedExperiment;
use crate::store::files::FileError;
use crate::text::escape_unseen;

/// The characters that an address part holds unescaped.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IndexRow {
    /// The escaped name of the folder.
    pub folder: String,
    /// The address of the page.
    pub address: String,
    /// The experiment's name.
    pub name: String,
    /// The arms' names.
    pub arms: Vec<String>,
    /// Whether this is a fork.
    pub is_fork: bool,
    /// The number of completed sessions, of how many planned, with failed and unreadable ones.
    pub sessions: String,
    /// `finished`, `unfinished`, `under way` or `unknown`.
    pub standing: &'static str,
    /// The number of records in all sessions.
    pub records: u64,
    /// The latest session and its position; empty without sessions.
    pub last: String,
    /// The banner about who fills the seats.
    pub announced: String,
    /// What cannot be read.
    pub problems: Vec<String>,
}

/// The rows: experiments under way first, then by folder name.
///
/// # Errors
/// If the folder cannot be listed.
pub fn build_rows(house: &ServedFolder) -> Result<Vec<IndexRow>, FileError> {
    let mut rows: Vec<IndexRow> = house.all_experiments()?.iter().map(|(name, room)| build_row(name, room)).collect();
    rows.sort_by_key(|row| row.standing != "under way");
    Ok(rows)
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

/// The status of an experiment.
pub fn experiment_standing(state: &ExperimentState) -> &'static str {
    let counts = state.count_sessions();
    match (counts.is_finished(), counts.grew) {
        _ if state.is_running => "under way",
        (Some(true), _) => "finished",
        (_, Some(_)) => "under way",
        (Some(false), None) => "unfinished",
        (None, None) => "unknown",
    }
}

/// The session whose minutes were written last.
fn latest_session(state: &ExperimentState) -> String {
    let latest = state.sessions.iter().max_by_key(|(_, session)| session.written_unix_ms);
    let Some((name, session)) = latest else { return String::new() };
    let at = session.at.as_deref().map_or(String::new(), |at| format!(", {at}"));
    escape_unseen(&format!("{name}{at}, record {}", session.records.saturating_sub(1)))
}
