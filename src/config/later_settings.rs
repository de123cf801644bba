//! Settings that change in the course of a session: which may, and the plan that holds from then on.

use std::sync::Arc;

use serde_json::Value;

use crate::config::change::is_fixed;
use crate::config::problem::{Problem, Problems};
use crate::config::tree::Node;
use crate::domain::{OUTSIDE_PHASES, Step};
use crate::plan::{ArmPlan, ForkPoint, PhaseKind, Plan, Sitter, SpeakingOrder, find_regions};

/// Sections of the config, and keys of a seat, that are read when a question is put.
const READ_AT_QUESTIONS: [&str; 3] = ["models", "prompts", "seat_defaults"];
/// Sections of the config that phases read when they begin.
const READ_BY_PHASES: [&str; 5] = ["agenda", "discussion", "decision", "straw_polls", "parameters"];
/// The keys of a seat that are read when a question is put to it.
const OF_A_SEAT: [&str; 3] = ["model", "mind", "private_reasoning"];
/// The controls that are read when a question is put to a seat, and by the procedure.
const CONTROLS: [&str; 3] = [PROMPTS, "option_order", "recognition_probe"];
const PROMPTS: &str = "prompts";
/// The parts of a plan that may differ. `seats` and `controls` are compared apart.
const MAY_DIFFER: [&str; 14] = [
    "arm",
    "levels",
    "summary_model",
    "decision",
    "voting",
    "electorate",
    "roll_call",
    "asks_opinion",
    "parameters",
    "tries_max",
    "wording",
    "models",
    "seats",
    "controls",
];

/// Reports every key of `set` that cannot change in the course of a session, for one seat or for all.
pub fn check_keys(set: &Node, seat: Option<&str>, problems: &mut Problems) {
    for entry in set.entries().iter().filter(|entry| !is_fixed(&entry.key)) {
        let path: Vec<&str> = entry.key.split('.').collect();
        let within = entry.node.entries().iter().map(|inner| inner.key.as_str());
        let below: Vec<&str> = path.get(1).copied().map_or_else(|| within.collect(), |key| vec![key]);
        if let Some(why) = find_obstacle((&path, &below), seat) {
            problems.push(Problem::at_place(&entry.place, format!("set.{}", entry.key), why));
        }
    }
}

/// Why a key cannot change in the course of a session; `None` if it can. `below` are the keys that are set in its section.
fn find_obstacle((path, below): (&[&str], &[&str]), seat: Option<&str>) -> Option<String> {
    let of_session = |what: &str| Some(format!("{what}; leave `at` out to change it for the whole session"));
    match (path[0], seat) {
        ("seats", _) if path.len() < 3 => {
            Some("name the seat and one of its keys, as in seats.Bob.model: who sits at the table is settled when the session begins".to_owned())
        }
        ("seats", Some(seat)) if path[1] != seat => {
            Some(format!("from at.seat on only {seat} changes; leave at.seat out to change other seats"))
        }
        ("seats", _) if OF_A_SEAT.contains(&path[2]) => None,
        ("seats", _) => of_session(&format!("a seat's {} is settled when the session begins", path[2])),
        ("seat_defaults", _) if below.iter().any(|key| !OF_A_SEAT.contains(key)) => {
            of_session("only the model and mind of a seat can change in the course of a session")
        }
        (section, _) if READ_AT_QUESTIONS.contains(&section) => None,
        ("controls", Some(_)) if below == [PROMPTS] => None,
        (section, Some(_)) if READ_BY_PHASES.contains(&section) || section == "controls" => {
            Some(format!("{section} is procedure, which is the same for all seats; leave at.seat out"))
        }
        (section, None) if READ_BY_PHASES.contains(&section) => None,
        ("controls", None) if below.iter().all(|key| CONTROLS.contains(key)) => None,
        ("memory", _) => of_session("memories are kept in one way from the first statement on"),
        ("interventions", _) => of_session("an intervention says itself when it is made"),
        ("limits" | "allow" | "primary" | "about", _) => Some("this is no setting of a session".to_owned()),
        (section, _) => of_session(&format!("{section} is settled when the session begins")),
    }
}

/// The plan that holds from a point of a session on: the phases before are those of the session's own plan.
///
/// # Errors
/// Why the settings cannot change there.
pub fn join_plans(own: &Plan, changed: &Plan, point: &ForkPoint) -> Result<Plan, String> {
    let place = find_place(own, point).ok_or_else(|| format!("{} is not in the plan", point.phase))?;
    check_agenda((own, changed), place)?;
    check_seats(&own.shared, &changed.shared)?;
    check_rest(own, changed)?;
    let mut after = changed.clone();
    after.digest.clone_from(&own.digest);
    let shared = Arc::make_mut(&mut after.shared);
    shared.levels.clone_from(&own.levels);
    let has_effect = describe_course(own) != describe_course(&after);
    let own_phases = own.agenda.iter().take(place).cloned();
    after.agenda.splice(..place.min(after.agenda.len()), own_phases);
    if point.round > 0 {
        check_round((own, &after), place, point)?;
    }
    if has_effect && describe_course(own) == describe_course(&after) {
        return Err(format!("nothing that this changes takes place from {} on", point.phase.occurrence()));
    }
    Ok(after)
}

/// The position of the point's phase; for what is asked outside the phases, the beginning or the end.
fn find_place(plan: &Plan, point: &ForkPoint) -> Option<usize> {
    if point.phase.as_str() == OUTSIDE_PHASES {
        return Some(if point.step == Some(Step::Naming) { 0 } else { plan.agenda.len() });
    }
    plan.agenda.iter().position(|phase| phase.name.occurrence() == point.phase.occurrence())
}

/// Checks that the session is at the same place of either agenda.
fn check_agenda((own, changed): (&Plan, &Plan), place: usize) -> Result<(), String> {
    let names = |plan: &Plan| -> Vec<String> {
        plan.agenda.iter().take(place + 1).map(|phase| phase.name.as_str().to_owned()).collect()
    };
    ensure_alike(names(own), names(changed), "the agenda until then would be another one")?;
    let blocks = |plan: &Plan| -> Vec<String> {
        let begun = plan.blocks.iter().filter(|block| block.start <= place);
        begun.map(|block| format!("{} {} {:?}", block.name, block.start, block.group)).collect()
    };
    let regions = |plan: &Plan| format!("{:?}", find_regions(&plan.agenda));
    let begun = |plan: &Plan| (blocks(plan), regions(plan));
    ensure_alike(begun(own), begun(changed), "the blocks and groups that have begun until then would be others")?;
    ensure_alike(own.hearing_keys(), changed.hearing_keys(), "who hears whom is settled when the session begins")?;
    let kept = |plan: &Plan| (format!("{:?}", plan.variables), plan.sources.count_texts());
    ensure_alike(
        kept(own),
        kept(changed),
        "the values and texts that the agenda keeps are settled when the session begins",
    )
}

fn ensure_alike<T: PartialEq>(own: T, changed: T, message: &str) -> Result<(), String> {
    if own == changed { Ok(()) } else { Err(message.to_owned()) }
}

/// Checks that the same seats are there, with minds that can go on from what they kept.
fn check_seats(own: &ArmPlan, changed: &ArmPlan) -> Result<(), String> {
    let settled = |plan: &ArmPlan| -> Vec<Value> {
        let mut seats: Vec<Value> = plan.seats.iter().map(to_json).collect();
        for keys in seats.iter_mut().filter_map(Value::as_object_mut) {
            ["model", "sitter", "private_reasoning"].iter().for_each(|key| drop(keys.remove(*key)));
        }
        seats
    };
    ensure_alike(settled(own), settled(changed), "who sits at the table is settled when the session begins")?;
    for (before, after) in own.seats.iter().zip(&changed.seats) {
        let name = &before.name;
        match (&before.sitter, &after.sitter) {
            (Sitter::Mind(one), Sitter::Mind(other))
                if std::mem::discriminant(one) != std::mem::discriminant(other) =>
            {
                return Err(format!(
                    "the mind of {name} cannot become one of another kind, which would not know what it kept"
                ));
            }
            (Sitter::Person(_), Sitter::Mind(_) | Sitter::Model(_))
            | (Sitter::Mind(_) | Sitter::Model(_), Sitter::Person(_)) => {
                return Err(format!("a person answers as {name} for a whole session or not at all"));
            }
            _ if before.speaks() != after.speaks() => {
                return Err(format!("whether {name} says anything at all is settled when the session begins"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that all else is equal that is settled when the session begins.
fn check_rest(own: &Plan, changed: &Plan) -> Result<(), String> {
    let settled = |plan: &ArmPlan| {
        let mut parts = to_json(plan);
        if let Some(parts) = parts.as_object_mut() {
            MAY_DIFFER.iter().for_each(|part| drop(parts.remove(*part)));
            parts.insert("controls.anonymous".to_owned(), plan.controls.anonymous.into());
        }
        parts
    };
    let (before, after) = (settled(&own.shared), settled(&changed.shared));
    let differs = |part: &&String| before.get(part.as_str()) != after.get(part.as_str());
    if let Some(part) = before.as_object().into_iter().flat_map(|parts| parts.keys()).find(differs) {
        return Err(format!("this changes {part}, which is settled when the session begins"));
    }
    let decided = |plan: &Plan| (plan.motion.clone(), plan.translations.len());
    ensure_alike(decided(own), decided(changed), "what is decided is settled when the session begins")
}

/// Checks that a discussion can go on with the round of the point.
fn check_round((own, after): (&Plan, &Plan), place: usize, point: &ForkPoint) -> Result<(), String> {
    let kind = |plan: &'_ Plan| plan.agenda.get(place).map(|phase| phase.kind.clone());
    let (Some(PhaseKind::Discussion(before)), Some(PhaseKind::Discussion(now))) = (kind(own), kind(after)) else {
        return Ok(());
    };
    if now.rounds.get() < point.round {
        let (name, rounds, round) = (point.phase.occurrence(), now.rounds, point.round);
        return Err(format!("{name} would have {rounds} rounds, and round {round} has begun"));
    }
    if point.round <= 1 {
        return Ok(());
    }
    let is_at_once = |order: SpeakingOrder| order == SpeakingOrder::Simultaneous;
    let (own_order, changed_order) = (is_at_once(before.order), is_at_once(now.order));
    ensure_alike(
        own_order,
        changed_order,
        "whether seats speak in turn or at the same time is settled when a discussion begins",
    )?;
    let heard = |plan: &Plan| {
        let terms = plan.vote_terms(place);
        (terms.open, terms.decision.invalid, terms.is_announced)
    };
    ensure_alike(
        heard(own),
        heard(after),
        "what seats hear of each other's ballots is settled when a discussion begins",
    )
}

/// Everything that the course of a session and the questions in it follow from.
fn describe_course(plan: &Plan) -> String {
    let words = plan.prompts.digest();
    format!("{:?} {:?} {} {words}", plan.agenda, plan.blocks, to_json(&*plan.shared))
}

fn to_json(part: &impl serde::Serialize) -> Value {
    serde_json::to_value(part).expect("invariant: a plan has a JSON form")
}
