//! `experiment.json`: versions, totals, and how each session came about. All in it may differ between two equal runs.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::served::{self, ModelServed};
use super::tables::WrittenTables;
use crate::domain::{Digest, Dollars};
use crate::plan::{Deviation, PlannedSession};
use crate::report::Report;
use crate::store::account::CallAccount;
use crate::store::calls::{FailedAttempt, read_failed_attempts};
use crate::store::files::{FileError, write_json};
use crate::store::frozen::FrozenDesign;
use crate::store::results::ResultsFolder;

#[derive(Debug, Serialize)]
struct ExperimentFile<'a> {
    ekklesia: &'static str,
    experiment: &'a str,
    seed: u64,
    sessions: u64,
    completed: u64,
    incomplete: u64,
    failed: u64,
    /// Calls to models that the records hold.
    calls_recorded: u64,
    /// Answers taken from the record when each session was last taken up.
    answers_from_record: u64,
    /// What the calls cost, attempts of which nobody told what they used with the most that it may have been; `null` where the
    /// price of a model that was called is not known.
    cost_usd: Option<Dollars>,
    /// The same in detail, by arm, seat, phase, step and model.
    account: &'a CallAccount,
    /// Who answered for each model that was asked, as the servers say, by the recorded calls.
    models_served: Vec<ModelServed>,
    /// The versions that the servers of models told of their programs, by the models' names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    server_versions: BTreeMap<String, BTreeSet<String>>,
    determinism: SessionDeterminism<'a>,
    /// The design as its first session froze it; a fork has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_digest: Option<Digest>,
    /// The replicates of the whole design, where only a pilot of it was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pilot_of: Option<u32>,
    /// Sessions that were run again, with how the attempts before ended.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    retried: IndexMap<String, Vec<FailedAttempt>>,
    /// What was changed since.
    deviations: Vec<Deviation>,
}

/// How each session came about, by its name; nothing is kept of a session.
#[derive(Debug)]
struct SessionDeterminism<'a>(&'a [PlannedSession]);

impl Serialize for SessionDeterminism<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let came = |session: &PlannedSession| if session.arm.is_recomputed() { "recomputed" } else { "recorded" };
        serializer.collect_map(self.0.iter().map(|session| (session.name(), came(session))))
    }
}

/// Writes `experiment.json`.
///
/// # Errors
/// When it cannot be written.
pub fn write_experiment_file(
    folder: &ResultsFolder,
    sessions: &[PlannedSession],
    written: &WrittenTables,
    account: &CallAccount,
) -> Result<(), FileError> {
    let report = &written.report;
    let (mut calls_recorded, mut answers_from_record) = (0, 0);
    let mut server_versions = BTreeMap::<String, BTreeSet<String>>::new();
    for run in sessions.iter().filter_map(|session| folder.run_file(&session.name())) {
        calls_recorded += run.calls_recorded;
        answers_from_record += run.calls_served;
        for (model, version) in run.server_versions {
            server_versions.entry(model).or_default().insert(version);
        }
    }
    let mut again = IndexMap::new();
    for session in sessions.iter().filter(|session| !session.arm.is_simulated()) {
        let calls = folder.calls(&session.name());
        let ended = read_failed_attempts(&calls)
            .map_err(|error| FileError { path: calls.path().to_owned(), reason: error.to_string() })?;
        if !ended.is_empty() {
            again.insert(session.name(), ended);
        }
    }
    let frozen = FrozenDesign::read(folder.root());
    let pilot_of = frozen.as_ref().and_then(|frozen| frozen.pilot_of);
    let (plan_digest, deviations) =
        frozen.map_or((None, Vec::new()), |frozen| (Some(frozen.plan_digest), frozen.deviations));
    let file = ExperimentFile {
        ekklesia: env!("CARGO_PKG_VERSION"),
        experiment: &report.experiment,
        seed: report.seed,
        sessions: report.sessions,
        completed: report.completed,
        incomplete: report.sessions - report.completed - report.failed,
        failed: report.failed,
        calls_recorded,
        answers_from_record,
        cost_usd: account.all.cost_usd.zip(account.all.cost_untold_usd_at_most).map(|(told, most)| told.plus(most)),
        account,
        models_served: served::count_served(folder, sessions.iter().cloned()),
        server_versions,
        determinism: SessionDeterminism(sessions),
        plan_digest,
        pilot_of,
        retried: again,
        deviations,
    };
    write_json(&folder.root().join("experiment.json"), &file)
}

/// Adds to a report what its tables do not hold: attempts of which nobody told what they used.
pub fn add_attempt_costs(report: &mut Report, account: &CallAccount) {
    for arm in &mut report.arms {
        if let Some(sum) = account.by_arm.get(&arm.arm) {
            arm.attempts_untold = sum.attempts_untold;
            arm.cost_untold_usd_at_most = sum.cost_untold_usd_at_most;
        }
    }
}
