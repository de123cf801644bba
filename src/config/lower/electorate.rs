//! The electorate: weights, quorum, the chair, the order of pairwise votes, and what is decided by default.

use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Soundness;
use crate::config::tree::Node;
use crate::config::written::config::Config;
use crate::config::written::decision::WEIGHT_GREATEST;
use crate::domain::{AlternativeId, Motion, RuleKind, SeatId, TieBreak};
use crate::plan::{Electorate, parse_quorum};

/// The total weight of these seats of a config, by the section `decision`.
pub fn total_weight(config: &Config, seats: &[usize]) -> u32 {
    let weights = config.decision.weights.as_ref();
    let weight = |name: &String| weights.and_then(|weights| weights.get(name)).copied().unwrap_or(1);
    let sum: u64 = seats.iter().map(|seat| u64::from(weight(&config.seats[*seat].name))).sum();
    u32::try_from(sum).unwrap_or(u32::MAX)
}

/// The electorate; `None` after an error, which is reported: an unknown name, a number out of range, or a setting of another
/// rule. Names are checked only if all seat names are known.
pub fn lower_electorate(
    config: &Config,
    names: Soundness,
    (motion, tree): (&Motion, &Node),
    problems: &mut Problems,
) -> Option<Electorate> {
    let (decided, before) = (&config.decision, problems.len());
    if decided.rule == RuleKind::Imposed {
        let written = [
            ("quorum", decided.quorum.is_some()),
            ("weights", decided.weights.is_some()),
            ("otherwise", decided.otherwise.is_some()),
        ];
        for (key, _) in written.into_iter().filter(|(_, is_written)| *is_written) {
            problems.push(tree.problem(&format!("decision.{key}"), "nobody votes where the decision is imposed"));
        }
    }
    let quorum = decided.quorum.as_ref().and_then(|written| {
        let share = parse_quorum(written).map_err(|message| tree.problem("decision.quorum", message));
        problems.ok_or_report(share)
    });
    let weights = lower_weights(config, names, tree, problems);
    let chair = lower_chair(config, names, tree, problems);
    let agenda = lower_amendment_agenda(config, motion, tree, problems);
    let otherwise = decided.otherwise.as_ref().and_then(|name| {
        let default = lower_otherwise(name, motion)
            .map_err(|(message, hint)| tree.problem("decision.otherwise", message).with_hint(hint));
        problems.ok_or_report(default)
    });
    (problems.len() == before).then_some(Electorate { weights, quorum, chair, agenda, otherwise })
}

/// What is decided by default.
///
/// # Errors
/// A message and a hint, if it is no option, or takes an amount.
fn lower_otherwise(name: &str, motion: &Motion) -> Result<AlternativeId, (String, Option<String>)> {
    let known = motion.alternatives.iter().map(|alternative| alternative.name.as_str());
    let Some(id) = motion.find(name) else {
        return Err((format!("no alternative is named \"{name}\""), suggest_word(name, known)));
    };
    match motion.alternatives[id.index()].takes_amount {
        false => Ok(id),
        true => Err((
            format!("\"{name}\" takes an amount, and what is decided by default names none"),
            Some("name an alternative without an amount, or leave `otherwise` out".to_string()),
        )),
    }
}

/// The order of pairwise votes; empty for the scenario's order.
fn lower_amendment_agenda(
    config: &Config,
    motion: &Motion,
    tree: &Node,
    problems: &mut Problems,
) -> Vec<AlternativeId> {
    let Some(written) = &config.decision.agenda else { return Vec::new() };
    if config.decision.rule != RuleKind::AmendmentAgenda {
        let hint =
            "write rule: amendment_agenda, or leave it out; in a design, let the levels of one factor `set` both";
        let problem = tree.problem("decision.agenda", "only the rule amendment_agenda has one");
        problems.push(problem.with_hint(Some(hint.to_string())));
        return Vec::new();
    }
    let known = || motion.alternatives.iter().map(|alternative| alternative.name.as_str());
    let mut order = Vec::new();
    for (place, name) in written.iter().enumerate() {
        let path = format!("decision.agenda.{place}");
        match motion.find(name) {
            None => {
                let problem = tree.problem(&path, format!("no alternative is named \"{name}\""));
                problems.push(problem.with_hint(suggest_word(name, known())));
            }
            Some(id) if order.contains(&id) => problems.push(tree.problem(&path, format!("{name} is there twice"))),
            Some(id) => order.push(id),
        }
    }
    if order.len() == written.len()
        && let Some(missing) = known().find(|name| !written.iter().any(|written| written == name))
    {
        problems.push(tree.problem("decision.agenda", format!("{missing} is missing: every alternative has its turn")));
    }
    order
}

/// The weights in the order of the seats; empty if every ballot counts once.
fn lower_weights(config: &Config, names: Soundness, tree: &Node, problems: &mut Problems) -> Vec<u32> {
    let Some(written) = config.decision.weights.as_ref().filter(|written| !written.is_empty()) else {
        return Vec::new();
    };
    for (name, weight) in written {
        let path = format!("decision.weights.{name}");
        if names == Soundness::Sound && !config.seats.iter().any(|seat| seat.name == *name) {
            problems.push(no_seat(config, name, &path, tree));
        }
        if *weight > WEIGHT_GREATEST {
            problems.push(tree.problem(&path, format!("expected a whole number, 0 … {WEIGHT_GREATEST}")));
        }
    }
    let weights: Vec<u32> = config.seats.iter().map(|seat| written.get(&seat.name).copied().unwrap_or(1)).collect();
    if weights.iter().all(|weight| *weight == 0) {
        problems.push(tree.problem("decision.weights", "no ballot counts for anything"));
    }
    weights
}

/// The seat whose ballot decides a tie, if any.
fn lower_chair(config: &Config, names: Soundness, tree: &Node, problems: &mut Problems) -> Option<SeatId> {
    let decided = &config.decision;
    match (&decided.chair, decided.tie_break) {
        (Some(name), TieBreak::Chair) => {
            let place = config.seats.iter().position(|seat| seat.name == *name);
            if place.is_none() && names == Soundness::Sound {
                problems.push(no_seat(config, name, "decision.chair", tree));
            }
            place.map(|place| SeatId(place as u32))
        }
        (None, TieBreak::Chair) => {
            let problem = tree.problem("decision.tie_break", "whose ballot decides a tie is missing");
            problems.push(problem.with_hint(Some("as in chair: Alice, the name of a seat".to_string())));
            None
        }
        (Some(_), _) => {
            let hint = "write tie_break: chair, or leave it out; in a design, let the levels of one factor `set` both";
            let problem = tree.problem("decision.chair", "only the tie-break chair has one");
            problems.push(problem.with_hint(Some(hint.to_string())));
            None
        }
        (None, _) => None,
    }
}

fn no_seat(config: &Config, name: &str, path: &str, tree: &Node) -> Problem {
    let known = config.seats.iter().map(|seat| seat.name.as_str());
    tree.problem(path, format!("no seat is named \"{name}\"")).with_hint(suggest_word(name, known))
}
