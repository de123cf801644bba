//! The sessions that a folder's experiment calls for.

use super::exit::Refusal;
use crate::plan::{Experiment, PlannedSession, sessions_of};
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;

/// The sessions that an experiment calls for; of a fork there is only the one.
pub(super) fn list_planned(
    folder: &ResultsFolder,
    inputs: &Inputs,
    experiment: &Experiment,
) -> Result<Vec<PlannedSession>, Refusal> {
    if inputs.change_bytes().is_none() {
        let shard = FrozenDesign::read(folder.root()).and_then(|frozen| frozen.shard);
        return Ok(sessions_of(experiment, shard).collect());
    }
    let names = folder.session_names()?;
    Ok(names.iter().filter_map(|name| PlannedSession::find_by_name(experiment, name)).collect())
}
