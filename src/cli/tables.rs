//! Folds the minutes of all sessions into tables, in plan order, whatever order they were completed in.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::exit::Refusal;
use super::pool;
use crate::analysis::ArmFacts;
use crate::domain::Digest;
use crate::plan::{Experiment, Planned};
use crate::report::{Report, Summary};
use crate::store::calls::retried;
use crate::store::files::file_error;
use crate::store::fold::{FoldError, fold_session};
use crate::store::frozen::Frozen;
use crate::store::inputs::Inputs;
use crate::store::places::file_names;
use crate::store::results::ResultsFolder;
use crate::store::tables::{Held, TableSet, design, experiment_facts};

/// What was written.
#[derive(Debug)]
pub struct Written {
    /// The numbers of the run.
    pub report: Report,
    /// The names of the files.
    pub files: Vec<String>,
    /// Sessions whose minutes are not what they were, with what is wrong; they count as incomplete.
    pub unsound: Vec<(String, FoldError)>,
}

/// Writes the tables of these sessions, in their order, into a folder.
///
/// # Errors
/// When a file cannot be written; the tables of before are then still there.
pub fn write(
    folder: &ResultsFolder,
    experiment: &Experiment,
    sessions: &[Planned],
    out: &Path,
    jobs: usize,
) -> Result<Written, Refusal> {
    let unwritable = |error: crate::store::tables::Unwritable| Refusal::failed(error.to_string());
    let (layout, arms) = experiment_facts(experiment);
    let arms: BTreeMap<&str, Arc<ArmFacts>> = experiment.arms.iter().map(|plan| plan.arm.as_str()).zip(arms).collect();
    let seed = experiment.arms.first().map_or(0, |plan| plan.seed);
    let mut summary = Summary::new(&experiment.name, seed);
    let scenario = scenario_digest(folder)?;
    let held = held(folder, sessions)?;
    let mut tables =
        TableSet::create(out, &layout, design(experiment, &held)).map_err(unwritable)?.of(experiment, scenario);
    tables.deviated(Frozen::read(folder.root()).map_or_else(Vec::new, |frozen| frozen.deviations));
    for session in sessions.iter().filter(|session| !session.arm.is_simulated()) {
        let name = session.name();
        let ended = retried(&folder.calls(&name)).map_err(|error| Refusal::failed(error.to_string()))?;
        if !ended.is_empty() {
            tables.was_retried(name, ended);
        }
    }
    let mut unsound = Vec::new();
    let mut early = BTreeMap::new();
    let (mut next, mut failure) = (0, None);
    let stop = AtomicBool::new(false);
    let work = |session: &Planned| fold_session(folder, &arms[session.arm.arm.as_str()], session);
    pool::each(
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
                    failure = tables.add(folded).err();
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
    Ok(Written { report: summary.report(), files: file_names(), unsound })
}

/// What the folder holds: an experiment, a pilot of one, or a fork.
fn held(folder: &ResultsFolder, sessions: &[Planned]) -> Result<Held, Refusal> {
    let inputs = Inputs::read_results(folder.root())?;
    Ok(match (inputs.change(), inputs.pilot_of()) {
        (Some(change), _) => Held::Fork {
            session: sessions.first().map(Planned::name).unwrap_or_default(),
            change: String::from_utf8_lossy(change).into_owned(),
        },
        (None, Some(whole)) => Held::Pilot { whole },
        (None, None) => Held::Whole,
    })
}

/// The digest of the scenario's file as the folder keeps it.
fn scenario_digest(folder: &ResultsFolder) -> Result<Digest, Refusal> {
    let path = folder.root().join("inputs/scenario/scenario.yaml");
    let text = std::fs::read_to_string(&path).map_err(|error| file_error(&path, &error))?;
    Ok(Digest::of_text(&text))
}
