//! The planned sessions of a folder.

use super::exit::Refusal;
use crate::plan::{Experiment, PlannedSession, sessions_of};
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;

/// Lists the planned sessions: those of the shard, or those of a fork.
pub(super) fn list_planned(
    folder: &ResultsFolder,
    inputs: &Inputs,
    experiment: &Experiment,
) -> Result<Vec<PlannedSession>, Refusal> {
    if inputs.change_bytes().is_none() {
        let shard = FrozenDesign::read(folder.root()).and_then(|frozen| frozen.shard);
        return Ok(sessions_of(experiment, shard).collect());
    }
    if let Some(forked) = inputs.fork_of() {
        return Ok(PlannedSession::replicates_of(experiment, &forked.name));
    }
    let names = folder.session_names()?;
    Ok(names.iter().filter_map(|name| PlannedSession::find_by_name(experiment, name)).collect())
}
