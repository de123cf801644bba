//! Limits on very large designs: some need `--yes`, others are refused.

use super::arguments::RunArguments;
use super::check;
use super::exit::Refusal;
use super::output::note;
use crate::config::ResolvedExperiment;
use crate::plan::{PhaseKind, Plan};
use crate::report::{counted, grouped};

/// Runs of more sessions need `--yes`.
const SESSIONS_MAX: u64 = 100_000;
/// Runs with a forecast of more calls need `--yes`.
const CALLS_MAX: u64 = 1_000_000;
/// Runs of more sessions are always refused: file systems handle such folders badly.
const SESSIONS_OF_A_FOLDER: u64 = 10_000_000;

/// Refuses a very large design without `--yes` and prints its forecast.
///
/// # Errors
/// A [`Refusal`] with the numbers of sessions and calls and the way to run the design.
pub fn refuse_giants(arguments: &RunArguments, resolved: &ResolvedExperiment) -> Result<(), Refusal> {
    let experiment = &resolved.experiment;
    let sessions = (experiment.arms.len() as u64).saturating_mul(experiment.sessions_an_arm());
    if sessions > SESSIONS_OF_A_FOLDER {
        let most = grouped(SESSIONS_OF_A_FOLDER);
        let message =
            format!("{}: one folder holds {most} at the most; split the design", counted(sessions, "session"));
        return Err(Refusal::wrong_input(message));
    }
    if arguments.yes || (sessions <= SESSIONS_MAX && calls_at_most(resolved) <= CALLS_MAX) {
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

/// An upper bound on the design's calls that needs no rehearsal, so that small designs start at once.
fn calls_at_most(resolved: &ResolvedExperiment) -> u64 {
    let sessions = resolved.experiment.sessions_an_arm();
    let calls = resolved
        .experiment
        .arms
        .iter()
        .filter(|plan| plan.models_asked().next().is_some())
        .map(|plan| questions_at_most(plan));
    calls.fold(0, |sum: u64, calls| sum.saturating_add(calls.saturating_mul(sessions)))
}

/// An upper bound on the questions of a session.
fn questions_at_most(plan: &Plan) -> u64 {
    /// Volunteering, thought, statement, poll, call, confirmation, ballot, amount and integration.
    const OF_A_ROUND: u64 = 9;
    /// Ballot, its amount, second test and integration.
    const OF_A_PHASE: u64 = 4;
    let seats = plan.seats.len() as u64;
    let parts = plan.agenda.iter().map(|phase| phase_parts(plan, &phase.kind));
    let (rounds, phases) = parts.fold((0, 0), |(rounds, phases), (more, others)| (rounds + more, phases + others));
    let shortenings = match plan.memory.policy.has_rewrites() {
        true => 2 * things_at_most(plan, rounds, phases),
        false => 0,
    };
    let of_a_seat = (OF_A_ROUND * rounds).saturating_add(OF_A_PHASE * phases).saturating_add(shortenings);
    of_a_seat.saturating_mul(seats)
}

/// The rounds of talk in a phase, and how often it asks its other questions.
fn phase_parts(plan: &Plan, kind: &PhaseKind) -> (u64, u64) {
    match kind {
        PhaseKind::Discussion(discussion) => (discussion.rounds.get().into(), 1),
        PhaseKind::Applications => (0, plan.income_principles().map_or(0, |paid| paid.applications.len() as u64)),
        _ => (0, 1),
    }
}

/// An upper bound on the entries that a seat is given to remember. Each successful shortening replaces at least one entry for
/// good. After a failed one, the seat is not asked again before its next entry. So there are at most twice as many shortenings
/// as entries.
fn things_at_most(plan: &Plan, rounds: u64, phases: u64) -> u64 {
    /// Per seat: a statement, a call and an answer to one.
    const OF_A_ROUND_AND_SEAT: u64 = 3;
    /// A thought, a ballot, a count, remaining rounds and the text of an integration.
    const OF_A_ROUND: u64 = 5;
    /// What is told, pushed, counted or imposed, a ballot, a ranking, two tests, a choice, a payment and an integration.
    const OF_A_PHASE: u64 = 11;
    let of_a_round = OF_A_ROUND + OF_A_ROUND_AND_SEAT * plan.seats.len() as u64;
    let told = plan.interventions.len() as u64;
    of_a_round.saturating_mul(rounds).saturating_add(OF_A_PHASE * phases).saturating_add(told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::forecast_session;
    use crate::store::inputs::{Inputs, Overrides};

    #[test]
    #[ignore = "slow: `.ci/run` runs it"]
    fn no_more_questions_are_foreseen_than_the_bound_whatever_the_memory_has_seats_rewrite() {
        let place = tempfile::tempdir().unwrap();
        let config = place.path().join("config.yaml");
        let scenario = |name: &str| format!("{}/scenarios/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut above_two_a_round = 0;
        for memory in [
            "{ policy: full }",
            "{ memory_character_limit: 300, memory_compression_threshold: 0.1, memory_compression_target: 0.05 }",
            "{ policy: { digest: { every: 1, keep: 1 } }, memory_character_limit: 300 }",
            "{ policy: { compact: { threshold: 0.1, keep: 1 } }, memory_character_limit: 300, memory_compression_target: 0.05 }",
        ] {
            for (name, talk) in
                [("motion", "vote: every_round"), ("motion", "vote: on_call"), ("justice", "vote: every_round")]
            {
                // What is paid is never cut and needs room.
                let memory = if name == "justice" { memory.replace("300", "9000") } else { memory.to_owned() };
                let body = format!(
                    "experiment: e\nseed: 1\nreplicates: 1\nscenario: {}\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
                     seat_defaults: {{ model: sim }}\nseats: [{{ count: 6 }}]\nstraw_polls: [before, each_round, after]\n\
                     discussion: {{ rounds: 4, private_reasoning: true, {talk} }}\nmemory: {memory}\n",
                    scenario(name)
                );
                std::fs::write(&config, body).unwrap();
                let inputs =
                    Inputs::read_config(&config, Overrides::default()).unwrap_or_else(|problems| panic!("{problems}"));
                let resolved = inputs.resolve().unwrap_or_else(|problems| panic!("{problems}"));
                let plan = &resolved.experiment.arms[0];
                let foreseen = forecast_session(plan).unwrap().questions.high;
                assert!(foreseen <= questions_at_most(plan), "{memory} {name} {talk}: {foreseen}");
                let parts = plan.agenda.iter().map(|phase| phase_parts(plan, &phase.kind));
                let two_a_round: u64 = parts.map(|(rounds, phases)| 9 * rounds + 5 * phases).sum();
                above_two_a_round += usize::from(foreseen > two_a_round * 6);
            }
        }
        assert!(above_two_a_round > 0, "nowhere more than two rewritings a round are foreseen");
    }
}
