//! Limits on very large designs: some need `--yes`, others are refused.

use super::arguments::RunArguments;
use super::check;
use super::exit::Refusal;
use super::output::note;
use crate::config::ResolvedExperiment;
use crate::plan::{Experiment, PhaseKind, Plan};
use crate::report::{counted, grouped};

/// Runs of more sessions need `--yes`.
const SESSIONS_MAX: u64 = 100_000;
/// Runs with a forecast of more calls need `--yes`.
const CALLS_MAX: u64 = 1_000_000;
/// Runs of more sessions are always refused: file systems handle such folders badly.
const SESSIONS_OF_A_FOLDER: u64 = 10_000_000;

/// Refuses a very large design without `--yes` and prints its forecast.
pub fn refuse_giants(arguments: &RunArguments, resolved: &ResolvedExperiment) -> Result<(), Refusal> {
    let experiment = &resolved.experiment;
    let sessions = (experiment.arms.len() as u64).saturating_mul(experiment.sessions_an_arm());
    if sessions > SESSIONS_OF_A_FOLDER {
        let most = grouped(SESSIONS_OF_A_FOLDER);
        let message =
            format!("{}: one folder holds {most} at the most; split the design", counted(sessions, "session"));
        return Err(Refusal::wrong_input(message));
    }
    if arguments.yes || (sessions <= SESSIONS_MAX && guess_calls(experiment) <= CALLS_MAX) {
        return Ok(());
    }
    let design = check::build_design(resolved)?;
    let calls = design.forecast.models.questions.high;
    if sessions <= SESSIONS_MAX && calls <= CALLS_MAX {
        return Ok(());
    }
    note!("{}", design.render());
    Err(Refusal::wrong_input(format!(
        "{}, {}: more than {} sessions or {} calls are not begun unasked; add --yes to run them, or try --pilot 1 first",
        counted(sessions, "session"),
        if calls == 0 { "no model calls".to_owned() } else { format!("up to {} model calls", grouped(calls)) },
        grouped(SESSIONS_MAX),
        grouped(CALLS_MAX)
    )))
}

/// Roughly how many calls a design may take, on the high side: enough to see that a small one needs no forecast.
fn guess_calls(experiment: &Experiment) -> u64 {
    /// Questions to a seat in a round or a phase.
    const OF_A_PART: u64 = 20;
    /// Twice what each other seat may add to a memory in a round, for as often as it may be made shorter.
    const OF_ANOTHER_SEAT: u64 = 6;
    let parts = |plan: &Plan| -> u64 {
        let rounds = plan.agenda.iter().map(|phase| match &phase.kind {
            PhaseKind::Discussion(discussion) => 1 + u64::from(discussion.rounds.get()),
            _ => 1,
        });
        rounds.sum()
    };
    let asked = experiment.arms.iter().filter(|plan| plan.models_asked().next().is_some());
    let calls = asked.map(|plan| {
        let seats = plan.seats.len() as u64;
        parts(plan).saturating_mul(seats).saturating_mul(OF_A_PART + OF_ANOTHER_SEAT * seats)
    });
    calls.fold(0, u64::saturating_add).saturating_mul(experiment.sessions_an_arm())
}
