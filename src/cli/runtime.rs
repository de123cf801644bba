//! The threads for model calls.

use tokio::runtime::{Builder, Runtime};

use super::exit::Refusal;
use crate::plan::Experiment;

/// A runtime for model calls; `None` if every seat is simulated.
pub fn build_runtime(experiment: &Experiment) -> Result<Option<Runtime>, Refusal> {
    if experiment.arms.iter().all(|plan| plan.is_simulated()) {
        return Ok(None);
    }
    let built = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    built
        .map(Some)
        .map_err(|error| Refusal::machine_failure(format!("cannot start the runtime for model calls: {error}")))
}
