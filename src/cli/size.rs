//! Very large designs: what is told before one is begun, and what is never begun.

use super::arguments::RunArguments;
use super::check;
use super::exit::Refusal;
use crate::plan::{PhaseKind, Plan, Resolved};
use crate::report::{counted, grouped};

/// A run of more sessions is not begun without `--yes`.
const SESSIONS_MAX: u64 = 100_000;
/// A run of which more model calls are forecast is not begun without `--yes`.
const CALLS_MAX: u64 = 1_000_000;
/// A folder of more sessions is not begun at all: no file system takes it well, and no one needs it.
const SESSIONS_OF_A_FOLDER: u64 = 10_000_000;

/// Refuses a very large design that was not asked for by name, and tells its forecast.
///
/// # Errors
/// A [`Refusal`] that says how many sessions and calls it is and how to run it all the same.
pub fn refuse_giants(arguments: &RunArguments, resolved: &Resolved) -> Result<(), Refusal> {
    let experiment = &resolved.experiment;
    let sessions = (experiment.arms.len() as u64).saturating_mul(experiment.sessions_an_arm());
    if sessions > SESSIONS_OF_A_FOLDER {
        let most = grouped(SESSIONS_OF_A_FOLDER);
        let message =
            format!("{}: one folder holds {most} at the most; split the design", counted(sessions, "session"));
        return Err(Refusal::wrong(message));
    }
    if arguments.yes || (sessions <= SESSIONS_MAX && calls_at_most(resolved) <= CALLS_MAX) {
        return Ok(());
    }
    let design = check::design(resolved)?;
    let calls = design.forecast.models.questions.high;
    if sessions <= SESSIONS_MAX && calls <= CALLS_MAX {
        return Ok(());
    }
    eprintln!("{}", design.render());
    Err(Refusal::wrong(format!(
        "{}, {}: more than {} sessions or {} calls are not begun unasked; add --yes to run them, or try --pilot 1 first",
        counted(sessions, "session"),
        if calls == 0 { "no model calls".to_owned() } else { format!("up to {} model calls", grouped(calls)) },
        grouped(SESSIONS_MAX),
        grouped(CALLS_MAX)
    )))
}

/// More calls than the design can make, found without rehearsing it: small designs are begun at once.
fn calls_at_most(resolved: &Resolved) -> u64 {
    let sessions = resolved.experiment.sessions_an_arm();
    let calls = resolved.experiment.arms.iter().filter(|plan| !plan.is_simulated()).map(|plan| questions_at_most(plan));
    calls.fold(0, |sum: u64, calls| sum.saturating_add(calls.saturating_mul(sessions)))
}

/// More questions than a session of a plan has.
fn questions_at_most(plan: &Plan) -> u64 {
    /// Thought, statement, poll, call, confirmation, ballot, amount, and two rewritings of the memory.
    const OF_A_ROUND: u64 = 9;
    /// A ballot, its amount, a second test, and two rewritings of the memory.
    const OF_A_PHASE: u64 = 5;
    let practice = plan.mechanism.as_ref().map_or(0, |mechanism| mechanism.applications.len() as u64);
    let of = |kind: &PhaseKind| match kind {
        PhaseKind::Discussion(discussion) => OF_A_ROUND * u64::from(discussion.rounds.get()),
        PhaseKind::Applications => OF_A_PHASE * practice,
        _ => OF_A_PHASE,
    };
    let phases: u64 = plan.agenda.iter().map(|phase| of(&phase.kind)).sum();
    phases.saturating_mul(plan.seats.len() as u64)
}
