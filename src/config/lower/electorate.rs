//! The electorate: weights, quorum, the chair, the order of pairwise votes, and what is decided by default.

use crate::config::lower::decision::find_alternative;
use crate::config::lower::network::{find_seat, no_seat};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Soundness;
use crate::config::tree::Node;
use crate::config::written::config::Config;
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
    let quorum = decided.quorum.as_ref();
    let quorum = quorum.and_then(|written| problems.ok_or_report_at(tree, "decision.quorum", parse_quorum(written)));
    let weights = lower_weights(config, names, tree, problems);
    let chair = lower_chair(config, names, tree, problems);
    let agenda = lower_amendment_agenda(config, motion, tree, problems);
    let otherwise = decided.otherwise.as_ref();
    let otherwise = otherwise.and_then(|name| problems.ok_or_report(lower_otherwise(name, motion, tree)));
    (problems.len() == before).then_some(Electorate { weights, quorum, chair, agenda, otherwise })
}

/// What is decided by default.
///
/// # Errors
/// If it is no option, or takes an amount.
fn lower_otherwise(name: &str, motion: &Motion, tree: &Node) -> Result<AlternativeId, Problem> {
    let path = "decision.otherwise";
    let id = find_alternative(motion, name, path, tree)?;
    if motion.alternatives[id.index()].takes_amount {
        let message = format!("\"{name}\" takes an amount, and what is decided by default names none");
        let advice = "name an alternative without an amount, or leave `otherwise` out";
        return Err(tree.problem(path, message).with_advice(advice));
    }
    Ok(id)
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
        problems.push(tree.problem("decision.agenda", "only the rule amendment_agenda has one").with_advice(hint));
        return Vec::new();
    }
    let mut order = Vec::new();
    for (place, name) in written.iter().enumerate() {
        let path = format!("decision.agenda.{place}");
        match problems.ok_or_report(find_alternative(motion, name, &path, tree)) {
            None => {}
            Some(id) if order.contains(&id) => problems.push(tree.problem(&path, format!("{name} is there twice"))),
            Some(id) => order.push(id),
        }
    }
    if order.len() == written.len()
        && let Some(missing) =
            motion.alternatives.iter().find(|one| !written.iter().any(|name| name == one.name.as_str()))
    {
        let message = format!("{} is missing: every alternative has its turn", missing.name);
        problems.push(tree.problem("decision.agenda", message));
    }
    order
}

/// The weights in the order of the seats; empty if every ballot counts once.
fn lower_weights(config: &Config, names: Soundness, tree: &Node, problems: &mut Problems) -> Vec<u32> {
    let Some(written) = config.decision.weights.as_ref().filter(|written| !written.is_empty()) else {
        return Vec::new();
    };
    for name in written.keys() {
        if names == Soundness::Sound && find_seat(config, name).is_none() {
            let path = format!("decision.weights.{name}");
            problems.push(no_seat(config, name, |message| tree.problem(&path, message)));
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
            let chair = find_seat(config, name);
            if chair.is_none() && names == Soundness::Sound {
                problems.push(no_seat(config, name, |message| tree.problem("decision.chair", message)));
            }
            chair
        }
        (None, TieBreak::Chair) => {
            let problem = tree.problem("decision.tie_break", "whose ballot decides a tie is missing");
            problems.push(problem.with_advice("as in chair: Alice, the name of a seat"));
            None
        }
        (Some(_), _) => {
            let hint = "write tie_break: chair, or leave it out; in a design, let the levels of one factor `set` both";
            problems.push(tree.problem("decision.chair", "only the tie-break chair has one").with_advice(hint));
            None
        }
        (None, _) => None,
    }
}
