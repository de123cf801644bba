//! Matches the independent votes of one arm to the cost of another arm's sessions.
//!
//! The number of votes is computed once the other session is over, not here.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::arms::{Arm, ArmPlans};
use crate::config::lower::design::label_of;
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::tree::{MapEntry, Node};
use crate::config::written::config::Config;
use crate::domain::{MatchUnit, OpenBallots, RuleKind, TieBreak};
use crate::plan::{ArmPlan, Electorate, Level, MatchedArm, PhaseKind, Plan, Sitter, digest_of};

/// Matches arms as the design says. The digest of the other arm becomes part of the matched arm's identity.
pub fn match_arms(arms: ArmPlans, config: &Config, tree: &Node, problems: &mut Problems) -> Option<ArmPlans> {
    let Some(written) = &config.design.matched else { return Some(arms) };
    let before = problems.len();
    let (mut plans, mut identities) = arms;
    let (voting, to) =
        (read_match_labels("arm", &plans, tree, problems), read_match_labels("to", &plans, tree, problems));
    let (voting, to) = voting.zip(to)?;
    problems.ok_or_report(check_factors(&voting, &to, tree));
    let mut found = Vec::new();
    let votes = |arm: &Arm| voting.iter().all(|(factor, label)| arm.has_level(factor, label));
    for (place, (arm, plan)) in plans.iter().enumerate().filter(|(_, (arm, _))| votes(arm)) {
        problems.ok_or_report(check_voting(plan, tree));
        let wanted = |level: &Level| to.get(&level.factor).unwrap_or(&level.label).clone();
        let wanted: Vec<String> = arm.levels.iter().map(wanted).collect();
        let is_other =
            |other: &Arm| other.levels.iter().map(|level| &level.label).eq(wanted.iter()) && other.name != arm.name;
        let Some((_, other)) = plans.iter().find(|(other, _)| is_other(other)) else {
            let message = format!("{} is matched to {}, which is not run", arm.name, wanted.join("-"));
            problems.push(tree.problem("design.match", message));
            continue;
        };
        problems.ok_or_report(check_unit(written.unit, [plan, other], tree));
        found.push((place, Arc::clone(other)));
    }
    if problems.len() == before && found.is_empty() {
        problems.push(tree.problem("design.match.arm", "no arm that is run has these levels"));
    }
    if problems.len() > before {
        return None;
    }
    for (place, other) in found {
        let identity = &mut identities[place].1;
        identity.insert("match".to_string(), other.digest.to_string());
        identity.insert("match.unit".to_string(), written.unit.as_str().to_string());
        let plan = &mut plans[place].1;
        let matched = MatchedArm { unit: written.unit, plan: other };
        let shared = Arc::new(ArmPlan { matched: Some(matched), ..(*plan.shared).clone() });
        *plan = Arc::new(Plan { digest: digest_of(identity), shared, ..(**plan).clone() });
    }
    Some((plans, identities))
}

/// Labels by factor; `None` if one is wrong.
fn read_match_labels(
    key: &str,
    plans: &[(Arm, Arc<Plan>)],
    tree: &Node,
    problems: &mut Problems,
) -> Option<BTreeMap<String, String>> {
    let path = format!("design.match.{key}");
    let before = problems.len();
    let mut labels = BTreeMap::new();
    for MapEntry { key: factor, node, place } in tree.entries_at(&path) {
        let path = format!("{path}.{factor}");
        let Some(label) = problems.ok_or_report(label_of(node, &path)) else { continue };
        let levels = plans.iter().flat_map(|(arm, _)| &arm.levels);
        let known: Vec<&Level> = levels.filter(|level| level.factor == *factor).collect();
        if known.is_empty() {
            let factors = plans.iter().flat_map(|(arm, _)| arm.levels.iter().map(|level| level.factor.as_str()));
            problems.push(Problem::unknown_name(place, &path, ("factor", factor), factors));
        } else if !known.iter().any(|level| level.label == label) {
            let message = format!("the factor {factor} has no level \"{label}\" that is run");
            let problem = Problem::at_place(&node.place, &path, message);
            problems.push(problem.with_hint(suggest_word(&label, known.iter().map(|level| level.label.as_str()))));
        }
        labels.insert(factor.clone(), label);
    }
    if labels.is_empty() {
        problems.push(tree.problem(&path, "names no factor").with_advice("write { FACTOR: LEVEL }"));
    }
    (problems.len() == before).then_some(labels)
}

/// Checks that `arm` and `to` name the same factors, but not the same levels.
fn check_factors(voting: &BTreeMap<String, String>, to: &BTreeMap<String, String>, tree: &Node) -> Result<(), Problem> {
    if !voting.keys().eq(to.keys()) {
        return Err(tree.problem("design.match.to", "names other factors than `arm`: both name the same ones"));
    }
    if voting == to {
        return Err(tree.problem("design.match.to", "an arm is not matched to itself"));
    }
    Ok(())
}

/// Checks that an arm can vote repeatedly: it has no discussion, one ballot, and a rule that counts choices.
fn check_voting(plan: &Plan, tree: &Node) -> Result<(), Problem> {
    let talks = plan.discussions().next().is_some();
    let ballots = plan.agenda.iter().filter(|phase| matches!(phase.kind, PhaseKind::Vote(_))).count();
    let terms = plan.all_vote_terms().next().unwrap_or_else(|| plan.talk_terms());
    let adds_up = matches!(terms.decision.rule, RuleKind::Plurality | RuleKind::Majority | RuleKind::Supermajority);
    // All ballots count once, at no quorum, and nobody breaks ties.
    let is_plain = Electorate { otherwise: None, ..terms.electorate.clone() } == Electorate::default();
    let (message, hint) = match () {
        () if talks => (
            "votes that are matched are independent, and the seats of this arm talk",
            "let its level set discussion.rounds: 0 and discussion.vote: at_end",
        ),
        () if ballots != 1 => {
            ("votes that are matched are those of one phase, and this arm has another number of ballots", "write one")
        }
        () if !adds_up => (
            "votes that are matched are added up, and the rule of this arm adds up none",
            "let its level set decision.rule: plurality, majority or supermajority",
        ),
        () if !is_plain || terms.decision.tie_break == TieBreak::RandomBallot => (
            "votes that are matched count once each, at no quorum, and a tie among them is not broken by ballots",
            "let its level set none of decision.quorum, weights and chair, and decision.tie_break: lot",
        ),
        () if terms.open != OpenBallots::Never => {
            ("nobody hears who voted for what in votes that are matched", "let its level set decision.roll_call: false")
        }
        () => return Ok(()),
    };
    Err(tree.problem("design.match.arm", format!("{}: {message}", plan.arm)).with_advice(hint))
}

/// Checks that all seats of both arms consume the matched unit.
fn check_unit(unit: MatchUnit, plans: [&Plan; 2], tree: &Node) -> Result<(), Problem> {
    let seats = || plans.iter().flat_map(|plan| plan.seats.iter().map(|seat| (plan.arm.as_str(), seat)));
    let without = seats().find(|(_, seat)| !matches!(seat.sitter, Sitter::Model(_)));
    match without.filter(|_| unit.is_tokens()) {
        None => Ok(()),
        Some((arm, seat)) => {
            let message = format!("only model servers count tokens, and none answers for {} in {arm}", seat.name);
            Err(tree.problem("design.match.unit", message).with_advice("write unit: calls, which counts answers"))
        }
    }
}
