//! Assigns the sessions whose statements a group sees instead of its own: of the baseline arm, or of a null's own arm.

use std::sync::Arc;

use crate::config::arms::{Arm, ArmPlans};
use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::plan::{ArmPlan, LendingArm, Level, NullWord, Plan, digest_of};

/// Assigns a lender to every arm with the policy `shuffled`: a null borrows from its own arm, any other arm from the baseline.
/// The lender's digest becomes part of the borrower's identity.
pub fn assign_lenders(
    arms: ArmPlans,
    (baseline, replicates): (Option<&str>, u32),
    tree: &Node,
    problems: &mut Problems,
) -> Option<ArmPlans> {
    let (mut plans, mut identities) = arms;
    if !plans.iter().any(|(_, plan)| is_borrowing(plan)) {
        return Some((plans, identities));
    }
    let before = problems.len();
    if replicates % 2 == 1 {
        let why =
            if has_author_borrower(&plans) { "under the policy shuffled" } else { "under the null shuffled_speech" };
        let message =
            format!("{replicates} is odd: {why} replicates lend their statements in pairs, 1 and 2, 3 and 4, …");
        problems.push(tree.problem("replicates", message).with_advice(format!("write replicates: {}", replicates + 1)));
    }
    check_apart(&plans, tree, problems);
    if has_author_borrower(&plans) {
        check_baseline(&plans, baseline, tree, problems);
    }
    if problems.len() > before {
        return None;
    }
    let all = plans.clone();
    for (place, (borrower, plan)) in plans.iter_mut().enumerate().filter(|(_, (_, plan))| is_borrowing(plan)) {
        let name = null_lender(plan).or(baseline);
        let lender = name.and_then(|name| all.iter().find(|(arm, _)| arm.name == name));
        let (arm, lender) = lender.expect("invariant: the baseline was checked, and a null is made where its arm is");
        let identity = &mut identities[place].1;
        identity.insert("lender".to_string(), lender.digest.to_string());
        let (name, is_simulated) = (arm.name.clone(), lender.is_simulated());
        let lent = LendingArm { name, is_simulated, apart_in: apart_in(arm, borrower) };
        let shared = Arc::new(ArmPlan { lender: Some(lent), ..(*plan.shared).clone() });
        *plan = Arc::new(Plan { digest: digest_of(identity), shared, ..(**plan).clone() });
    }
    Some((plans, identities))
}

fn is_borrowing(plan: &Plan) -> bool {
    plan.memory.policy.terms().is_lent
}

/// The arm that lends to a `shuffled_speech` null.
fn null_lender(plan: &Plan) -> Option<&str> {
    plan.null.as_ref().filter(|null| null.word == NullWord::ShuffledSpeech).map(|null| null.of.as_str())
}

/// Whether an arm borrows that is not a null.
fn has_author_borrower(plans: &[(Arm, Arc<Plan>)]) -> bool {
    plans.iter().any(|(_, plan)| is_borrowing(plan) && null_lender(plan).is_none())
}

/// Checks that no borrowing arm uses proposals or searches statements: its seats do not hear their own group.
fn check_apart(plans: &[(Arm, Arc<Plan>)], tree: &Node, problems: &mut Problems) {
    let (why, hint) = match has_author_borrower(plans) {
        true => ("under the policy shuffled", "leave one of the two out of these arms"),
        false => ("under the null shuffled_speech", "leave one of the two out"),
    };
    let mut tell = |path: &str, message: String| {
        problems.push(tree.problem(path, message).with_advice(hint));
    };
    let marked = |plan: &Plan| plan.discussions().any(|talk| talk.proposals);
    if plans.iter().any(|(_, plan)| is_borrowing(plan) && marked(plan)) {
        let message = format!("{why} nobody hears a proposal of the own group, so none can be answered");
        tell("discussion.proposals", message);
    }
    if plans.iter().any(|(_, plan)| is_borrowing(plan) && plan.memory.looks_up_statements()) {
        let message = format!("{why} a seat has heard nothing of its own group that could be searched");
        let key =
            if tree.get("memory").is_some_and(|memory| memory.get("look_up").is_some()) { "look_up" } else { "recall" };
        tell(&format!("memory.{key}"), message);
    }
}

/// Checks that the design names a baseline that can lend.
fn check_baseline(plans: &[(Arm, Arc<Plan>)], baseline: Option<&str>, tree: &Node, problems: &mut Problems) {
    match baseline.and_then(|name| plans.iter().find(|(arm, _)| arm.name == name)) {
        None => {
            let message = "the policy shuffled shows statements of the baseline arm, and the design names none";
            let hint = "name the arm under design.baseline, a level of each factor".to_string();
            // Without levels, the design section is empty.
            let is_alone = plans.iter().all(|(arm, _)| arm.levels.is_empty());
            let path = if is_alone { "memory.policy" } else { "design.baseline" };
            problems.push(tree.problem(path, message).with_advice(hint));
        }
        Some((arm, plan)) if is_borrowing(plan) => {
            let message =
                format!("the baseline {} has the policy shuffled, and no other arm lends it statements", arm.name);
            problems.push(tree.problem("design.baseline", message));
        }
        Some((arm, plan)) if !has_discussion(plan) => {
            let listening = plans.iter().filter(|(_, plan)| is_borrowing(plan) && has_discussion(plan));
            let listening: Vec<&str> = listening.map(|(arm, _)| arm.name.as_str()).collect();
            let Some((first, others)) = listening.split_first() else { return };
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            let message = format!(
                "nobody talks in the baseline {}, so under the policy shuffled {first}{more} would be shown nothing",
                arm.name
            );
            let hint = "let the baseline be an arm that talks, or leave the others out with design.exclude";
            problems.push(tree.problem("design.baseline", message).with_advice(hint));
        }
        Some(_) => {}
    }
}

fn has_discussion(plan: &Plan) -> bool {
    plan.discussions().next().is_some()
}

/// The factors in which two arms differ, without those that set the policy.
fn apart_in(lender: &Arm, borrower: &Arm) -> Vec<String> {
    if borrower.null.as_ref().is_some_and(|null| null.of == lender.name) {
        return Vec::new();
    }
    let is_of_policy = |key: &str| key == "memory" || key == "memory.policy" || key.starts_with("memory.policy.");
    let sets_policy = |level: &Level| level.sets.iter().any(|(key, _)| is_of_policy(key));
    let pairs = lender.levels.iter().zip(&borrower.levels).filter(|(one, other)| one.label != other.label);
    let others = pairs.filter(|(one, other)| !sets_policy(one) && !sets_policy(other));
    others.map(|(level, _)| level.factor.clone()).collect()
}
