//! Which models answered, according to the call records.

use serde::Serialize;

use crate::plan::PlannedSession;
use crate::service::openai::{OnModelChange, ServedModels};
use crate::store::calls::CallRecord;
use crate::store::calls::ServedModel;
use crate::store::results::ResultsFolder;

/// What to do when another model answers than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ModelChange {
    /// Stop before the answer is used; it is recorded, and the run can go on with warn.
    Stop,
    /// Tell it once and go on; experiment.json counts who answered.
    Warn,
}

impl From<ModelChange> for OnModelChange {
    fn from(change: ModelChange) -> Self {
        match change {
            ModelChange::Stop => OnModelChange::Stop,
            ModelChange::Warn => OnModelChange::Warn,
        }
    }
}

/// The number of answers from one served model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelServed {
    /// The requested model, by its name in the config.
    pub asked: String,
    /// The model that the server reports; `None` if it reports none.
    pub model: Option<String>,
    /// The server's fingerprint of model and settings; `None` if it sent none.
    pub fingerprint: Option<String>,
    /// The number of recorded answers.
    pub answers: u64,
}

/// Reads which models have answered in a folder, to detect changes.
pub fn read_served(
    on_change: ModelChange,
    folder: &ResultsFolder,
    sessions: impl Iterator<Item = PlannedSession>,
) -> ServedModels {
    let earlier = read_answers(folder, sessions);
    ServedModels::new(on_change.into(), earlier.into_iter().map(|(_, asked, served)| (asked, served)))
}

/// Like `read_served`, for a fork: reads the parent's calls and the fork's own.
pub fn read_served_in_fork(
    on_change: ModelChange,
    parent: &CallRecord,
    folder: &ResultsFolder,
    sessions: &[PlannedSession],
) -> ServedModels {
    let own = read_answers(folder, sessions.iter().cloned());
    let mut parents: Vec<_> = parent.served_models().collect();
    parents.sort();
    let earlier = parents.into_iter().chain(own);
    ServedModels::new(on_change.into(), earlier.map(|(_, asked, served)| (asked, served)))
}

/// Counts the answers of each model, sorted by name.
pub fn count_served(folder: &ResultsFolder, sessions: impl Iterator<Item = PlannedSession>) -> Vec<ModelServed> {
    let mut counts = std::collections::BTreeMap::<(String, ServedModel), u64>::new();
    for (_, asked, served) in read_answers(folder, sessions) {
        *counts.entry((asked, served)).or_default() += 1;
    }
    let told =
        |((asked, ServedModel { model, fingerprint }), answers)| ModelServed { asked, model, fingerprint, answers };
    counts.into_iter().map(told).collect()
}

/// The time, requested model and served model of each recorded answer, oldest first. Skips unreadable call records, whose
/// sessions report them.
fn read_answers(
    folder: &ResultsFolder,
    sessions: impl Iterator<Item = PlannedSession>,
) -> Vec<(u64, String, ServedModel)> {
    let mut all = Vec::new();
    for session in sessions.filter(|session| !session.arm.is_simulated()) {
        let file = folder.calls(&session.name());
        if file.exists() {
            all.extend(CallRecord::read(&file).iter().flat_map(|(record, _)| record.served_models()));
        }
    }
    all.sort();
    all
}
