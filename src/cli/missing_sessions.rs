//! Reports planned sessions without a folder and folders outside the plan.

use super::exit::Refusal;
use super::output::print_warning;
use super::planned::list_planned;
use crate::plan::{Experiment, PlannedSession};
use crate::report::{name_extra, name_missing};
use crate::store::files::FileError;
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;

/// Names the first planned session without a folder and counts the others; `None` if all have one.
pub fn describe_missing_sessions(
    folder: &ResultsFolder,
    planned: &[PlannedSession],
) -> Result<Option<String>, FileError> {
    let names = folder.session_names()?.into_iter().collect();
    Ok(name_missing(planned.iter().map(PlannedSession::name), &names))
}

/// Names the first folder outside the plan and counts the others; `None` if there are none.
pub fn describe_extra_sessions(folder: &ResultsFolder, experiment: &Experiment) -> Result<Option<String>, FileError> {
    Ok(name_extra(experiment, folder.session_names()?))
}

/// Prints missing and extra session folders on stderr. While a run is writing, no session counts as missing.
pub fn note_sessions(folder: &ResultsFolder, inputs: &Inputs, experiment: &Experiment) -> Result<(), Refusal> {
    let planned = list_planned(folder, inputs, experiment)?;
    if let Some(shard) = FrozenDesign::read(folder.root()).and_then(|frozen| frozen.shard) {
        let root = folder.root().display();
        print_warning(&format!(
            "{root}: shard {shard}, which has no tables; `ekklesia collect` makes them of all shards"
        ));
    }
    let missing = if folder.is_written_to() { None } else { describe_missing_sessions(folder, &planned)? };
    for line in missing.into_iter().chain(describe_extra_sessions(folder, experiment)?) {
        print_warning(&format!("{}: {line}", folder.root().display()));
    }
    Ok(())
}
