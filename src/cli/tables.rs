//! Folds the minutes of all sessions into tables, always in plan order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::exit::Refusal;
use super::pool;
use crate::domain::Digest;
use crate::plan::{Experiment, PlannedSession};
use crate::report::{Report, Summary};
use crate::store::calls::read_failed_attempts;
use crate::store::files::file_error;
use crate::store::fold::{FoldError, SessionReading, fold_session};
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::places::file_names;
use crate::store::results::{ResultsFolder, RunFile};
use crate::store::tables::{ResultsScope, TableSet, arms_by_name, render_design};

/// How many bytes of rows a run holds until it writes its tables.
const FRESH_BYTES_MAX: usize = 1 << 24;
/// What a session takes besides its rows, about.
const ROW_BYTES: usize = 4096;

/// The written tables.
#[derive(Debug)]
pub struct WrittenTables {
    /// The numbers of the run.
    pub report: Report,
    /// The names of the files.
    pub files: Vec<String>,
    /// What the `run.json` of the sessions tell.
    pub runs: RunTotals,
    /// Sessions with changed or unreadable minutes; they count as incomplete.
    pub unsound: Vec<(String, FoldError)>,
}

/// Totals of the `run.json` of all sessions.
#[derive(Debug, Default)]
pub struct RunTotals {
    /// Calls of models in the records.
    pub calls_recorded: u64,
    /// Answers taken from the record when each session last resumed.
    pub calls_served: u64,
    /// The versions of the server programs, by model name.
    pub server_versions: BTreeMap<String, BTreeSet<String>>,
}

impl RunTotals {
    fn add_run(&mut self, run: RunFile) {
        self.calls_recorded += run.calls_recorded;
        self.calls_served += run.calls_served;
        for (model, version) in run.server_versions {
            self.server_versions.entry(model).or_default().insert(version);
        }
    }
}

/// Sessions that were folded while they ran, by name. Holds a limited number of bytes; the others are read from their minutes.
#[derive(Debug, Default)]
pub struct FreshRows {
    readings: BTreeMap<String, SessionReading>,
    bytes: usize,
}

impl FreshRows {
    /// Keeps a session, unless too many bytes are held already.
    pub fn add_session(&mut self, name: String, reading: SessionReading) {
        let bytes = reading.folded.rows.table_buffers().iter().map(|rows| rows.len()).sum::<usize>() + ROW_BYTES;
        if self.bytes + bytes <= FRESH_BYTES_MAX {
            self.bytes += bytes;
            self.readings.insert(name, reading);
        }
    }
}

/// Writes the tables of these sessions to a folder, in order.
///
/// # Errors
/// When a file cannot be written; the previous tables then remain.
pub fn write_tables(
    folder: &ResultsFolder,
    experiment: &Experiment,
    (sessions, mut fresh): (&[PlannedSession], FreshRows),
    out: &Path,
    jobs: usize,
) -> Result<WrittenTables, Refusal> {
    let unwritable = |error: crate::store::tables::TableWriteError| Refusal::machine_failure(error.to_string());
    let (layout, arms) = arms_by_name(experiment);
    let seed = experiment.arms.first().map_or(0, |plan| plan.seed);
    let mut summary = Summary::new(&experiment.name, seed);
    let scenario = scenario_digest(folder)?;
    let held = read_folder_kind(folder, sessions)?;
    let mut tables = TableSet::create(out, &layout, render_design(experiment, &held))
        .map_err(unwritable)?
        .with_experiment(experiment, scenario);
    tables.set_deviations(FrozenDesign::read(folder.root()).map_or_else(Vec::new, |frozen| frozen.deviations));
    for session in sessions.iter().filter(|session| !session.arm.is_simulated()) {
        let name = session.name();
        let ended =
            read_failed_attempts(&folder.calls(&name)).map_err(|error| Refusal::machine_failure(error.to_string()))?;
        if !ended.is_empty() {
            tables.add_retried_session(name, ended);
        }
    }
    let (mut unsound, mut runs, mut early, mut unread) =
        (Vec::new(), RunTotals::default(), BTreeMap::new(), Vec::new());
    for (place, session) in sessions.iter().enumerate() {
        match fresh.readings.remove(&session.name()) {
            Some(reading) => drop(early.insert(place, reading)),
            None => unread.push(place),
        }
    }
    let (mut next, mut failure) = (0, None);
    let mut write_next = |early: &mut BTreeMap<usize, SessionReading>| {
        while let Some(SessionReading { folded, run, error }) = early.remove(&next) {
            unsound.extend(error.map(|error| (sessions[next].name(), error)));
            run.into_iter().for_each(|run| runs.add_run(run));
            summary.add(&folded);
            if failure.is_none() {
                failure = tables.add_session(folded).err();
            }
            next += 1;
        }
    };
    write_next(&mut early);
    let stop = AtomicBool::new(false);
    let work = |place: &usize| fold_session(folder, &arms[sessions[*place].arm.arm.as_str()], &sessions[*place]);
    let done = |read: usize, reading| {
        early.insert(unread[read], reading);
        write_next(&mut early);
    };
    pool::process_items(&unread, jobs, &stop, work, done, || ());
    if let Some(failure) = failure {
        return Err(unwritable(failure));
    }
    tables.finish().map_err(unwritable)?;
    let (files, sessions) = (file_names().len(), sessions.len());
    match out == folder.root() {
        true => tracing::info!(ekklesia.files = files, ekklesia.sessions = sessions, "tables written"),
        false => tracing::info!(ekklesia.files = files, ekklesia.sessions = sessions, "tables made again"),
    }
    Ok(WrittenTables { report: summary.report(), files: file_names(), runs, unsound })
}

/// Whether the folder holds an experiment, a pilot or a fork.
fn read_folder_kind(folder: &ResultsFolder, sessions: &[PlannedSession]) -> Result<ResultsScope, Refusal> {
    let inputs = Inputs::read_results(folder.root())?;
    Ok(match (inputs.change_bytes(), inputs.pilot_of()) {
        (Some(change), _) => ResultsScope::Fork {
            session: match inputs.fork_of() {
                Some(forked) => forked.name.clone(),
                None => sessions.first().map(PlannedSession::name).unwrap_or_default(),
            },
            replicates: inputs.fork_of().map(|forked| forked.replicates),
            change: String::from_utf8_lossy(change).into_owned(),
        },
        (None, Some(whole)) => ResultsScope::Pilot { whole },
        (None, None) => ResultsScope::Whole,
    })
}

/// The digest of the folder's copy of the scenario file.
fn scenario_digest(folder: &ResultsFolder) -> Result<Digest, Refusal> {
    let path = folder.root().join("inputs/scenario/scenario.yaml");
    let text = std::fs::read_to_string(&path).map_err(|error| file_error(&path, &error))?;
    Ok(Digest::of_text(&text))
}
