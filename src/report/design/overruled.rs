//! Settings that another setting of the same arm leaves nothing to do.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{PhaseName, RuleKind, SeatName, Step, TieBreak};
use crate::memory::HistoryInBrief;
use crate::minds::{Mind, Script};
use crate::plan::{
    Discussion, PhaseKind, Plan, Resolved, RoundVotes, Seat, Sitter, SpeakingOrder, SummaryModel, may_tie,
};

/// A dotted key, or how several begin, and why it has no effect.
type Overruled = (&'static str, &'static str);

/// What of an arm's settings has no effect.
pub(super) fn overruled(plan: &Plan) -> Vec<Overruled> {
    let mut found = of_talk(plan);
    found.extend(of_votes(plan));
    found.extend(of_memory(plan));
    found.extend(of_models(plan));
    if plan.motion.only().is_none() {
        found.push(("correct_within", "an amount is right only where an amount alone is decided"));
    }
    found
}

/// The discussion of an arm.
fn talks(plan: &Plan) -> Vec<&Discussion> {
    let talk = plan.agenda.iter().filter_map(|phase| match &phase.kind {
        PhaseKind::Discussion(discussion) => Some(discussion),
        _ => None,
    });
    talk.collect()
}

fn of_talk(plan: &Plan) -> Vec<Overruled> {
    let talks = talks(plan);
    let mut found = Vec::new();
    if talks.is_empty() {
        let why = "nobody talks: there are no rounds";
        let keys = [
            "discussion.announce_end",
            "discussion.convergence",
            "discussion.order",
            "discussion.private_reasoning",
            "discussion.proposals",
            "discussion.statement_min_length",
            "memory.history_in_brief",
            "memory.look_up",
            "memory.public_history_max_length",
            "memory.recall",
            "memory.routing.statement",
            "memory.statement_max_length",
            "straw_polls.each_round",
        ];
        found.extend(keys.map(|key| (key, why)));
    }
    let on_call = talks.iter().any(|talk| matches!(talk.votes, RoundVotes::OnCall { .. }));
    if !on_call {
        let why = "no vote is called: discussion.vote is not on_call";
        found.extend([("discussion.rounds_min", why), ("discussion.vote_call", why)]);
        found.extend([("memory.routing.vote_called", why), ("memory.routing.vote_answered", why)]);
    }
    if !talks.iter().any(|talk| plan.seats.iter().any(|seat| talk.has_private_reasoning(seat))) {
        let why = "nobody thinks before it speaks: discussion.private_reasoning is not true";
        found.extend([("memory.reasoning_max_length", why), ("memory.routing.own_reasoning", why)]);
    }
    found
}

fn of_votes(plan: &Plan) -> Vec<Overruled> {
    let counts = ["decision.of", "decision.invalid", "decision.tie_break", "decision.amount_tolerance"];
    if plan.decision.rule == RuleKind::Imposed {
        let why = "the decision is imposed, so nobody votes";
        return counts.into_iter().chain(["discussion.vote"]).map(|key| (key, why)).collect();
    }
    let is_held = |kind: &PhaseKind| matches!(kind, PhaseKind::Ballot);
    let is_voted =
        plan.agenda.iter().any(|phase| is_held(&phase.kind)) || talks(plan).iter().any(|talk| talk.votes_in_rounds());
    if !is_voted {
        let why = "nobody votes: the agenda has no ballot, and discussion.vote is at_end";
        return counts.into_iter().chain(["decision.rule", "decision.threshold"]).map(|key| (key, why)).collect();
    }
    let mut found = Vec::new();
    if !may_tie(plan.decision.rule) {
        let why = match plan.decision.rule {
            RuleKind::AmendmentAgenda => "nothing ties under this rule; of a tied pair what stood before stands",
            _ => "nothing ties under this rule; equal counts are no decision",
        };
        found.push(("decision.tie_break", why));
    }
    if !plan.motion.alternatives.iter().any(|alternative| alternative.takes_amount) {
        found.push(("decision.amount_tolerance", "no alternative takes an amount"));
    }
    found
}

fn of_memory(plan: &Plan) -> Vec<Overruled> {
    let (mut found, terms) = (Vec::new(), plan.memory.policy.terms());
    if terms.keeps_nothing() {
        let why = "memory.policy none remembers nothing";
        let keys = ["memory.reasoning_max_length", "memory.memory_", "memory.routing"];
        found.extend(keys.map(|key| (key, why)));
        if plan.memory.history == HistoryInBrief::None {
            let keys = [
                "memory.guidance_style",
                "memory.statement_max_length",
                "memory.enable_truncation",
                "memory.public_history_max_length",
            ];
            found.extend(keys.map(|key| (key, why)));
        }
    }
    if !terms.is_limited() || plan.seats.iter().all(|seat| !seat.memory.enable_truncation) {
        let why = "nothing is cut: memory.policy is full, or memory.enable_truncation false";
        found.extend([("memory.statement_max_length", why), ("memory.reasoning_max_length", why)]);
    }
    if !terms.is_limited() {
        let why = "nothing is left out: memory.policy is full";
        found.extend([("memory.memory_character_limit", why), ("memory.public_history_max_length", why)]);
        // A model whose window is full is shown less, and then older statements may be recalled.
        if plan.models_asked().next().is_none() {
            found.push(("memory.recall", why));
        }
    }
    if plan.exhibits.is_empty() {
        found.push(("memory.exhibit_token_limit", "no seat is shown an exhibit"));
    }
    found
}

/// What only language models, or only some minds, do something with.
fn of_models(plan: &Plan) -> Vec<Overruled> {
    let mut found = Vec::new();
    let all = |is: &dyn Fn(&Mind) -> bool| {
        plan.seats.iter().all(|seat| matches!(&seat.sitter, Sitter::Mind(mind) if is(mind)))
    };
    if plan.models_asked().next().is_none() {
        found.push(("memory.context_margin", "no language model is asked"));
    }
    let is_unscripted = |mind: &Mind| !matches!(mind, Mind::Scripted(_));
    if all(&is_unscripted) {
        found.push(("memory.look_up", "simulated minds without a script look nothing up"));
    }
    if all(&is_unscripted) && !matches!(plan.summary_model, SummaryModel::Model(_)) {
        found.push(("memory.summary_model", "all seats are simulated and write by the same rule anyway"));
    }
    found
}

/// Why a key of a config or of an identity has no effect; `None` if it may have one. A seat's own setting is one of its section.
fn reason_for(overruled: &[Overruled], key: &str) -> Option<&'static str> {
    let own = key.strip_prefix("seats.").and_then(|seat| seat.split_once('.')).map(|(_, own)| own);
    let section = match own {
        Some("private_reasoning") => "discussion.private_reasoning",
        Some(own) if own.starts_with("memory.") => own,
        _ => key,
    };
    overruled.iter().find(|(prefix, _)| section.starts_with(prefix)).map(|(_, why)| *why)
}

/// What of an identity has an effect in its arm.
pub(super) fn effective<'a>(plan: &Plan, identity: &'a BTreeMap<String, String>) -> BTreeMap<Cow<'a, str>, &'a String> {
    let overruled = overruled(plan);
    let is_overruled = |key: &str| key.starts_with("arm") || reason_for(&overruled, key).is_some();
    let mut effective = BTreeMap::new();
    for (key, value) in identity {
        // Polls are a set, told apart by what they are and not by where they stand in the list.
        let key = match key.strip_prefix("straw_polls.") {
            Some(_) => Cow::Owned(format!("straw_polls.{value}")),
            None if key == "straw_polls" => continue,
            None => Cow::Borrowed(key.as_str()),
        };
        if !is_overruled(&key) {
            effective.insert(key, value);
        }
    }
    // A seat is told nothing in a phase that its arm leaves out.
    let absent = |at: &str| !plan.agenda.iter().any(|phase| phase.name.as_str() == at);
    let left_out = identity
        .iter()
        .filter(|(key, at)| key.starts_with("interventions.") && key.ends_with(".at.phase") && absent(at));
    for (key, _) in left_out {
        let intervention = key.trim_end_matches("at.phase");
        effective.retain(|key, _| !key.starts_with(intervention));
    }
    effective
}

/// What the author wrote and no arm does anything with, with the reason.
pub(super) fn unused(resolved: &Resolved) -> Vec<String> {
    let arms = &resolved.experiment.arms;
    let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
    let each: Vec<Vec<Overruled>> = arms.iter().map(|plan| overruled(plan)).collect();
    for key in &resolved.written {
        let Some(why) = each.first().and_then(|first| reason_for(first, key)) else { continue };
        // What says that ties are no decision says what happens where there are none.
        if key == "decision.tie_break" && arms.iter().all(|plan| plan.decision.tie_break == TieBreak::NoDecision) {
            continue;
        }
        if each.iter().all(|overruled| reason_for(overruled, key).is_some()) {
            match by_reason.iter_mut().find(|(known, _)| *known == why) {
                Some((_, keys)) => keys.push(key),
                None => by_reason.push((why, vec![key])),
            }
        }
    }
    let of_settings = by_reason.into_iter().map(|(why, keys)| {
        let have = if keys.len() == 1 { "has" } else { "have" };
        format!("{} {have} no effect: {why}", keys.join(", "))
    });
    of_settings.chain(unnamed(resolved)).chain(untold(resolved)).chain(unspoken(resolved)).collect()
}

/// Models and pools that no seat of any arm names, and models that write no memories, either.
fn unnamed(resolved: &Resolved) -> Vec<String> {
    let arms = &resolved.experiment.arms;
    let models: BTreeSet<&str> =
        arms.iter().flat_map(|plan| plan.seats.iter().map(|seat| seat.model.as_str())).collect();
    let writes = |name: &str| {
        arms.iter().any(|plan| match plan.summary_model {
            SummaryModel::Seat => false,
            SummaryModel::Model(place) => plan.models[place].name == name,
            // Which simulated model is named does not matter to the rule that all of them stand for.
            SummaryModel::Rule => plan.models.iter().all(|model| model.name != name),
        })
    };
    let is_drawn = |name: &str| {
        arms.iter()
            .any(|plan| plan.seats.iter().any(|seat| seat.pool.is_some_and(|pool| plan.pools[pool].name == name)))
    };
    let found = resolved.written.iter().filter_map(|key| match key.split_once('.') {
        Some((_, name)) if name.contains('.') => None,
        Some(("models", name)) if !models.contains(name) && !writes(name) => {
            Some(format!("{key} is not used: no seat has this model"))
        }
        Some(("personas", name)) if !is_drawn(name) => Some(format!("{key} is not used: no seat draws from it")),
        _ => None,
    });
    found.collect()
}

/// Interventions in phases that every arm leaves out.
fn untold(resolved: &Resolved) -> Vec<String> {
    let Some((_, first)) = resolved.identities.first() else { return Vec::new() };
    let phases: BTreeSet<&str> =
        resolved.experiment.arms.iter().flat_map(|plan| plan.agenda.iter().map(|phase| phase.name.as_str())).collect();
    let told = first.iter().filter(|(key, _)| key.starts_with("interventions.") && key.ends_with(".at.phase"));
    let never = told.filter(|(_, phase)| !phases.contains(phase.as_str()));
    never
        .map(|(key, phase)| {
            format!("{} is never told: no arm has the phase {phase}", key.trim_end_matches(".at.phase"))
        })
        .collect()
}

/// Lines of scripts for questions that no arm puts.
fn unspoken(resolved: &Resolved) -> Vec<String> {
    let arms = &resolved.experiment.arms;
    let mut found: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for plan in arms.iter().filter(|plan| seen.insert(&plan.digest)) {
        for seat in &plan.seats {
            let Sitter::Mind(Mind::Scripted(Script::Table(lines))) = &seat.sitter else { continue };
            for (phase, round, step, _) in lines {
                let words = format!(
                    "the script of {} has a line for {} in {phase}, round {round}, which no arm asks for",
                    seat.name,
                    step.as_str()
                );
                if !found.contains(&words) && !arms.iter().any(|plan| asks(plan, &seat.name, (phase, *round, *step))) {
                    found.push(words);
                }
            }
        }
    }
    found
}

/// Whether a seat may be asked for something at a moment.
fn asks(plan: &Plan, seat: &SeatName, (phase, round, step): (&PhaseName, u32, Step)) -> bool {
    let is_named = |step| step == Step::Naming && plan.seats.iter().any(Seat::chooses_name);
    if phase.as_str() == "session" {
        let is_probed = step == Step::Recognition && plan.controls.recognition_probe;
        let is_noted = step == Step::Notes && plan.takes_notes();
        return round == 0 && (is_named(step) || is_noted || is_probed);
    }
    let Some(phase) = plan.agenda.iter().find(|known| known.name == *phase) else { return false };
    match (&phase.kind, step) {
        (_, Step::Integration | Step::Compression) => true,
        (PhaseKind::Discussion(talk), _) if !(1..=talk.rounds.get()).contains(&round) => false,
        (PhaseKind::Discussion(talk), Step::Reasoning) => {
            plan.seats.iter().any(|other| other.name == *seat && talk.has_private_reasoning(other))
        }
        (PhaseKind::Discussion(talk), Step::Volunteer) => talk.order == SpeakingOrder::Volunteer,
        (PhaseKind::Discussion(talk), Step::VoteCall | Step::Confirmation) => {
            matches!(talk.votes, RoundVotes::OnCall { .. })
        }
        (PhaseKind::Discussion(talk), Step::Ballot) => talk.votes_in_rounds(),
        (PhaseKind::Discussion(talk), Step::StrawPoll) => talk.poll_each_round,
        (PhaseKind::Ballot, Step::Statement | Step::StrawPoll | Step::Reasoning) => false,
        (PhaseKind::Ask { .. }, Step::Statement | Step::Ballot | Step::Reasoning) => false,
        (_, Step::Volunteer) => false,
        (PhaseKind::Ballot, _) if plan.matched.is_some() => round > 0,
        (PhaseKind::Ballot | PhaseKind::Ask { .. }, _) => round == 0,
        (PhaseKind::Brief { .. } | PhaseKind::Settle, _) => false,
        _ => true,
    }
}
