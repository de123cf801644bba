//! Which models answered in earlier runs of a folder, and in all of them.

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

/// How many answers a model gave for the one that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelServed {
    /// The model that was asked, by its name in the config.
    pub asked: String,
    /// Who answered, as the server says; `None` where it did not say.
    pub model: Option<String>,
    /// The server's fingerprint of model and settings; `None` where it sent none.
    pub fingerprint: Option<String>,
    /// How many recorded answers are from it.
    pub answers: u64,
}

/// What answered so far in a folder, to be compared with what answers now.
pub fn read_served(
    on_change: ModelChange,
    folder: &ResultsFolder,
    sessions: impl Iterator<Item = PlannedSession>,
) -> ServedModels {
    let earlier = read_answers(folder, sessions);
    ServedModels::new(on_change.into(), earlier.into_iter().map(|(_, asked, served)| (asked, served)))
}

/// The same of a fork: who answered in its parent, and in the fork itself so far.
pub fn read_served_in_fork(
    on_change: ModelChange,
    parent: &CallRecord,
    folder: &ResultsFolder,
    session: &PlannedSession,
) -> ServedModels {
    let own = read_answers(folder, std::iter::once(session.clone()));
    let mut parents: Vec<_> = parent.served_models().collect();
    parents.sort();
    let earlier = parents.into_iter().chain(own);
    ServedModels::new(on_change.into(), earlier.map(|(_, asked, served)| (asked, served)))
}

/// How often each model answered, in the order of the names.
pub fn count_served(folder: &ResultsFolder, sessions: impl Iterator<Item = PlannedSession>) -> Vec<ModelServed> {
    let mut counts = std::collections::BTreeMap::<(String, ServedModel), u64>::new();
    for (_, asked, served) in read_answers(folder, sessions) {
        *counts.entry((asked, served)).or_default() += 1;
    }
    let told =
        |((asked, ServedModel { model, fingerprint }), answers)| ModelServed { asked, model, fingerprint, answers };
    counts.into_iter().map(told).collect()
}

/// When each recorded answer came, which model was asked, and who answered; the oldest first. A record that cannot be
/// read is told by its session, which does not go on.
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
