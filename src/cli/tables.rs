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
use crate::store::files::{FileError, file_error};
use crate::store::fold::{FoldError, SessionReading, fold_session};
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::places::file_names;
use crate::store::results::{ResultsFolder, RunFile};
use crate::store::tables::{ArmsByName, ResultsScope, TableSet, arms_by_name, render_design};

/// How many bytes of rows are held for sessions that completed before an earlier one of the plan.
const EARLY_BYTES_MAX: usize = 1 << 24;
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

/// The tables of an experiment while its sessions run. Rows are written in plan order as soon as all earlier sessions have theirs.
/// A limited number of bytes is held for the others; what is over is read from the minutes at the end.
pub struct GrowingTables<'r> {
    folder: &'r ResultsFolder,
    sessions: &'r [PlannedSession],
    arms: ArmsByName<'r>,
    tables: TableSet,
    summary: Summary,
    runs: RunTotals,
    unsound: Vec<(String, FoldError)>,
    /// The position in the plan of the next session to write.
    next: usize,
    early: BTreeMap<String, SessionReading>,
    early_bytes: usize,
    failure: Option<FileError>,
}

impl<'r> GrowingTables<'r> {
    /// Begins the tables of these sessions, which are in plan order, in the folder `out`.
    ///
    /// # Errors
    /// When the folder's inputs cannot be read, or no file can be created.
    pub fn begin(
        (folder, experiment): (&'r ResultsFolder, &'r Experiment),
        sessions: &'r [PlannedSession],
        out: &Path,
    ) -> Result<Self, Refusal> {
        let (layout, arms) = arms_by_name(experiment);
        let seed = experiment.arms.first().map_or(0, |plan| plan.seed);
        let held = read_folder_kind(folder, sessions)?;
        let tables = TableSet::create(out, &layout, render_design(experiment, &held))?
            .with_experiment(experiment, scenario_digest(folder)?);
        Ok(Self {
            folder,
            sessions,
            arms,
            tables,
            summary: Summary::new(&experiment.name, seed).with_primary(experiment.announced_metrics()),
            runs: RunTotals::default(),
            unsound: Vec::new(),
            next: 0,
            early: BTreeMap::new(),
            early_bytes: 0,
            failure: None,
        })
    }

    /// The facts of each arm.
    pub fn arms(&self) -> ArmsByName<'r> {
        self.arms.clone()
    }

    /// Adds a session that was folded while it ran, and writes the rows of those whose turn it is.
    pub fn add_session(&mut self, name: String, reading: SessionReading) {
        let bytes = count_bytes(&reading);
        if self.is_next(&name) {
            self.write_session(reading);
        } else if self.early_bytes + bytes <= EARLY_BYTES_MAX {
            self.early_bytes += bytes;
            self.early.insert(name, reading);
        }
        self.write_early();
    }

    fn is_next(&self, name: &str) -> bool {
        self.sessions.get(self.next).is_some_and(|session| session.name() == name)
    }

    fn write_early(&mut self) {
        while !self.early.is_empty()
            && let Some(session) = self.sessions.get(self.next)
            && let Some(reading) = self.early.remove(&session.name())
        {
            self.early_bytes = self.early_bytes.saturating_sub(count_bytes(&reading));
            self.write_session(reading);
        }
    }

    /// Writes the rows of the next session.
    fn write_session(&mut self, SessionReading { folded, run, error }: SessionReading) {
        self.unsound.extend(error.map(|error| (self.sessions[self.next].name(), error)));
        run.into_iter().for_each(|run| self.runs.add_run(run));
        self.summary.add(&folded);
        if self.failure.is_none() {
            self.failure = self.tables.add_session(folded).err();
        }
        self.next += 1;
    }

    /// Reads the sessions that are left from their minutes, and moves all tables into place.
    ///
    /// # Errors
    /// When a file cannot be read or written; the previous tables then remain.
    pub fn finish(mut self, jobs: usize) -> Result<WrittenTables, Refusal> {
        let (folder, sessions, arms) = (self.folder, self.sessions, std::mem::take(&mut self.arms));
        let unread: Vec<&PlannedSession> =
            sessions[self.next..].iter().filter(|session| !self.early.contains_key(&session.name())).collect();
        let work = |session: &&PlannedSession| fold_session(folder, &arms[session.arm.arm.as_str()], session);
        let done = |read: usize, reading| {
            self.early.insert(unread[read].name(), reading);
            self.write_early();
        };
        pool::process_items(&unread, jobs, &AtomicBool::new(false), work, done, || ());
        if let Some(failure) = self.failure {
            return Err(failure.into());
        }
        self.tables.set_deviations(FrozenDesign::read(folder.root()).map_or_else(Vec::new, |frozen| frozen.deviations));
        for session in sessions.iter().filter(|session| !session.arm.is_simulated()) {
            let name = session.name();
            let ended = read_failed_attempts(&folder.calls(&name))?;
            if !ended.is_empty() {
                self.tables.add_retried_session(name, ended);
            }
        }
        let is_own = self.tables.folder() == folder.root();
        self.tables.finish()?;
        let (files, sessions) = (file_names().len(), sessions.len());
        match is_own {
            true => tracing::info!(ekklesia.files = files, ekklesia.sessions = sessions, "tables written"),
            false => tracing::info!(ekklesia.files = files, ekklesia.sessions = sessions, "tables made again"),
        }
        Ok(WrittenTables { report: self.summary.report(), files: file_names(), runs: self.runs, unsound: self.unsound })
    }
}

fn count_bytes(reading: &SessionReading) -> usize {
    reading.folded.rows.table_buffers().iter().map(|rows| rows.len()).sum::<usize>() + ROW_BYTES
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
