//! Names the session folders that are missing or extra: sessions of the plan that have no folder, because a run has not come to them yet
//! or somebody took them away, and folders that the plan knows nothing of.

use super::exit::Refusal;
use super::planned::list_planned;
use super::say::note;
use crate::plan::{Experiment, PlannedSession};
use crate::report::{escape_unseen, name_extra, name_missing};
use crate::store::files::FileError;
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;

/// That sessions have no folder: the first by its name, and how many more there are; `None` where each has one.
///
/// # Errors
/// When the sessions cannot be listed.
pub fn describe_missing_sessions(
    folder: &ResultsFolder,
    planned: &[PlannedSession],
) -> Result<Option<String>, FileError> {
    let names = folder.session_names()?.into_iter().collect();
    Ok(name_missing(planned.iter().map(PlannedSession::name), &names))
}

/// That folders belong to no session of the plan, likewise.
///
/// # Errors
/// When the sessions cannot be listed.
pub fn describe_extra_sessions(folder: &ResultsFolder, experiment: &Experiment) -> Result<Option<String>, FileError> {
    Ok(name_extra(experiment, folder.session_names()?))
}

/// Reports missing and extra session folders on stderr. While a run is writing, its sessions are not missing yet.
///
/// # Errors
/// When the sessions cannot be listed.
pub fn note_sessions(folder: &ResultsFolder, inputs: &Inputs, experiment: &Experiment) -> Result<(), Refusal> {
    let planned = list_planned(folder, inputs, experiment)?;
    if let Some(shard) = FrozenDesign::read(folder.root()).and_then(|frozen| frozen.shard) {
        let root = folder.root().display().to_string();
        note!(
            "ekklesia: {}: shard {shard}, which has no tables; `ekklesia collect` makes them of all shards",
            escape_unseen(&root)
        );
    }
    let missing = if folder.is_written_to() { None } else { describe_missing_sessions(folder, &planned)? };
    for line in missing.into_iter().chain(describe_extra_sessions(folder, experiment)?) {
        note!("ekklesia: {}", escape_unseen(&format!("{}: {line}", folder.root().display())));
    }
    Ok(())
}
