//! Folds the minutes of all sessions into tables, always in plan order.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::exit::Refusal;
use super::pool;
use crate::analysis::ArmFacts;
use crate::domain::Digest;
use crate::plan::{Experiment, PlannedSession};
use crate::report::{Report, Summary};
use crate::store::calls::read_failed_attempts;
use crate::store::files::file_error;
use crate::store::fold::{FoldError, fold_session};
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::places::file_names;
use crate::store::results::ResultsFolder;
use crate::store::tables::{ResultsScope, TableSet, experiment_facts, render_design};

/// The written tables.
#[derive(Debug)]
pub struct WrittenTables {
    /// The numbers of the run.
    pub report: Report,
    /// The names of the files.
    pub files: Vec<String>,
    /// Sessions with changed or unreadable minutes; they count as incomplete.
    pub unsound: Vec<(String, FoldError)>,
}

/// Writes the tables of these sessions to a folder, in order.
///
/// # Errors
/// When a file cannot be written; the previous tables then remain.
pub fn write_tables(
    folder: &ResultsFolder,
    experiment: &Experiment,
    sessions: &[PlannedSession],
    out: &Path,
    jobs: usize,
) -> Result<WrittenTables, Refusal> {
    let unwritable = |error: crate::store::tables::TableWriteError| Refusal::machine_failure(error.to_string());
    let (layout, arms) = experiment_facts(experiment);
    let arms: BTreeMap<&str, Arc<ArmFacts>> = experiment.arms.iter().map(|plan| plan.arm.as_str()).zip(arms).collect();
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
    let mut unsound = Vec::new();
    let mut early = BTreeMap::new();
    let (mut next, mut failure) = (0, None);
    let stop = AtomicBool::new(false);
    let work = |session: &PlannedSession| fold_session(folder, &arms[session.arm.arm.as_str()], session);
    pool::process_items(
        sessions,
        jobs,
        &stop,
        work,
        |place, folded| {
            early.insert(place, folded);
            while let Some(folded) = early.remove(&next) {
                let (folded, error) = folded;
                if let Some(error) = error {
                    unsound.push((sessions[next].name(), error));
                }
                summary.add(&folded);
                if failure.is_none() {
                    failure = tables.add_session(folded).err();
                }
                next += 1;
            }
        },
        || (),
    );
    if let Some(failure) = failure {
        return Err(unwritable(failure));
    }
    tables.finish().map_err(unwritable)?;
    let (files, sessions) = (file_names().len(), sessions.len());
    match out == folder.root() {
        true => tracing::info!(ekklesia.files = files, ekklesia.sessions = sessions, "tables written"),
        false => tracing::info!(ekklesia.files = files, ekklesia.sessions = sessions, "tables made again"),
    }
    Ok(WrittenTables { report: summary.report(), files: file_names(), unsound })
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
