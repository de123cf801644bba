//! `run --retry-failed`: sets failed sessions aside so that the run conducts them again.

use super::exit::Refusal;
use super::output::note;
use crate::plan::{Experiment, PlannedSession};
use crate::report::counted;
use crate::store::failed_attempts;
use crate::store::results::{ResultsFolder, RunStatus};

/// Sets failed sessions aside. Leaves simulated ones: they would fail again.
///
/// # Errors
/// A [`Refusal`] when only simulated sessions failed, or a session cannot be moved.
pub fn set_aside(folder: &ResultsFolder, experiment: &Experiment) -> Result<(), Refusal> {
    let has_failed = |session: &PlannedSession| {
        let run = folder.run_file(&session.name());
        run.is_some_and(|run| run.status == RunStatus::Failed && run.plan_digest == session.plan().digest)
    };
    let failed = PlannedSession::for_experiment(experiment).filter(has_failed);
    let (certain, open): (Vec<PlannedSession>, Vec<PlannedSession>) =
        failed.partition(|session| session.arm.is_simulated());
    if let Some(first) = certain.first() {
        let message = format!(
            "{} failed and would fail again in the same way, {} the first: all seats are simulated; correct the config and give --out another folder",
            counted(certain.len() as u64, "session"),
            first.name()
        );
        if open.is_empty() {
            return Err(Refusal::wrong_input(message));
        }
        note!("ekklesia: {message}");
    }
    for session in &open {
        failed_attempts::set_aside(folder, &session.name())?;
    }
    match open.len() as u64 {
        0 => note!("no session failed, so that none is run again"),
        some => note!(
            "{} that failed, again from the start; what failed is kept in {}",
            counted(some, "session"),
            folder.failed_folder().display()
        ),
    }
    Ok(())
}
