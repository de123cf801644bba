//! Questions that are certain to be put to a seat whose script has no line for them: a session that comes to one fails.
//!
//! What may be asked and may not, such as a ballot after a vote that may have decided, is told of by nobody.

use std::collections::BTreeSet;

use crate::domain::{PhaseName, Step};
use crate::minds::{Mind, Script};
use crate::plan::{Discussion, Failing, PhaseKind, Plan, Resolved, RoundVotes, Seat, Sitter, SpeakingOrder};

/// Where a question stands.
type Coordinate = (PhaseName, u32, Step);

/// Scripts that lack a line, each told once, with the first question that has none.
pub(super) fn unscripted(resolved: &Resolved) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    // Seats of nulls begin with what was said in another arm.
    let own = resolved.experiment.arms.iter().filter(|plan| plan.null.is_none() && seen.insert(&plan.digest));
    for plan in own {
        for seat in &plan.seats {
            if let Some(words) = lacks(plan, seat).filter(|words| !found.contains(words)) {
                found.push(words);
            }
        }
    }
    found
}

/// What a seat's script lacks, in words.
fn lacks(plan: &Plan, seat: &Seat) -> Option<String> {
    let Sitter::Mind(Mind::Scripted(script)) = &seat.sitter else { return None };
    let certain = certain(plan, seat);
    match script {
        Script::List(lines) if lines.len() < certain.len() => Some(format!(
            "the script of {} has {} of at least {} lines that its questions take; a session that comes to the end of it fails",
            seat.name,
            lines.len(),
            certain.len()
        )),
        Script::List(_) => None,
        Script::Table(lines) => {
            let has = |(phase, round, step): &&Coordinate| {
                lines.iter().any(|(of, at, asked, _)| (of, at, asked) == (phase, round, step))
            };
            let missing: Vec<&Coordinate> = certain.iter().filter(|question| !has(question)).collect();
            let (phase, round, step) = missing.first()?;
            let more = match missing.len() {
                1 => String::new(),
                many => format!(", nor for {} more", many - 1),
            };
            Some(format!(
                "the script of {} has no line for {} in {phase}, round {round}{more}; a session that asks for it fails",
                seat.name,
                step.as_str()
            ))
        }
    }
}

/// The questions that a seat of an arm is put, whatever is said.
fn certain(plan: &Plan, seat: &Seat) -> Vec<Coordinate> {
    let excludes =
        |kind: &PhaseKind| matches!(kind, PhaseKind::Comprehension(test) if test.failing == Failing::Excludes);
    let mut found = Vec::new();
    // A vote in a round may decide, and then none is held behind it.
    let mut may_be_decided = false;
    for phase in &plan.agenda {
        if excludes(&phase.kind) {
            break;
        }
        let name = || phase.name.clone();
        match &phase.kind {
            PhaseKind::Ask { .. } => found.push((name(), 0, Step::StrawPoll)),
            PhaseKind::Ranking => found.push((name(), 0, Step::Ranking)),
            PhaseKind::Ballot if plan.matched.is_none() && !may_be_decided => found.push((name(), 0, Step::Ballot)),
            PhaseKind::Discussion(talk) => {
                may_be_decided |= talk.votes_in_rounds();
                let last = if plan.commons().is_some() { 1 } else { rounds(talk) };
                for round in 1..=last {
                    let step = |step| (name(), round, step);
                    found.extend(plan.commons().is_some().then(|| step(Step::Harvest)));
                    found.extend(steps(talk, seat).map(step));
                }
            }
            _ => {}
        }
    }
    found
}

/// The rounds that are held whatever is said.
fn rounds(talk: &Discussion) -> u32 {
    match talk.votes {
        RoundVotes::Never if !talk.stops_when_alike() => talk.rounds.get(),
        RoundVotes::Never | RoundVotes::EveryRound => 1,
        // A vote may be called before everybody spoke.
        RoundVotes::OnCall { .. } => 0,
    }
}

/// What a seat is asked for in such a round.
fn steps(talk: &Discussion, seat: &Seat) -> impl Iterator<Item = Step> + use<> {
    let speaks = talk.order != SpeakingOrder::Volunteer;
    let thinks = (speaks && talk.has_private_reasoning(seat)).then_some(Step::Reasoning);
    let polled = (talk.poll_each_round && !talk.votes_in_rounds()).then_some(Step::StrawPoll);
    thinks.into_iter().chain(speaks.then_some(Step::Statement)).chain(polled)
}
