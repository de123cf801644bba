//! `experiment.json`: versions, totals and the origin of each session. Two equal runs may differ in it.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::served_models::{self, ModelServed};
use super::tables::{RunTotals, WrittenTables};
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
    calls_recorded: u64,
    /// Answers taken from the record when each session last resumed.
    answers_from_record: u64,
    /// The cost of the calls. Attempts without reported usage count at their maximum. `null` if a price is not known.
    cost_usd: Option<Dollars>,
    /// Calls and cost by arm, seat, phase, step and model.
    account: &'a CallAccount,
    /// The models that answered, as the servers report them.
    models_served: Vec<ModelServed>,
    /// The versions of the server programs, by model name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    server_versions: &'a BTreeMap<String, BTreeSet<String>>,
    determinism: SessionDeterminism<'a>,
    /// The digest of the frozen design; a fork has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_digest: Option<Digest>,
    /// The replicates of the complete design, for a pilot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pilot_of: Option<u32>,
    /// How earlier attempts at sessions ended.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    retried: IndexMap<String, Vec<FailedAttempt>>,
    /// Changes to the frozen design.
    deviations: Vec<Deviation>,
}

/// Whether each session was recomputed or recorded, by name. Serialises without storing all names.
#[derive(Debug)]
struct SessionDeterminism<'a>(&'a [PlannedSession]);

impl Serialize for SessionDeterminism<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let came = |session: &PlannedSession| if session.arm.is_recomputed() { "recomputed" } else { "recorded" };
        serializer.collect_map(self.0.iter().map(|session| (session.name(), came(session))))
    }
}

/// Writes `experiment.json`.
pub fn write_experiment_file(
    folder: &ResultsFolder,
    sessions: &[PlannedSession],
    written: &WrittenTables,
    account: &CallAccount,
) -> Result<(), FileError> {
    let report = &written.report;
    let RunTotals { calls_recorded, calls_served, server_versions } = &written.runs;
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
        calls_recorded: *calls_recorded,
        answers_from_record: *calls_served,
        cost_usd: account.all.cost_usd.zip(account.all.cost_untold_usd_at_most).map(|(told, most)| told.plus(most)),
        account,
        models_served: served_models::count_served(folder, sessions.iter().cloned()),
        server_versions,
        determinism: SessionDeterminism(sessions),
        plan_digest,
        pilot_of,
        retried: again,
        deviations,
    };
    write_json(&folder.root().join("experiment.json"), &file)
}

/// Adds the attempts without reported usage, which tables do not hold.
pub fn add_attempt_costs(report: &mut Report, account: &CallAccount) {
    for arm in &mut report.arms {
        if let Some(sum) = account.by_arm.get(&arm.arm) {
            arm.attempts_untold = sum.attempts_untold;
            arm.cost_untold_usd_at_most = sum.cost_untold_usd_at_most;
        }
    }
}
