//! Checks that the rule can decide on items with different numbers of options.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::choice::ranked::KEMENY_ALTERNATIVES_MAX;
use crate::config::arms::Arm;
use crate::config::lower::items;
use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::domain::RuleKind;
use crate::plan::{Item, Plan};

/// Checks that the rule of every arm can decide on every item. Each arm was lowered with the item that has the fewest options.
pub fn check_item_votes(
    tree: &Node,
    plans: &[(Arm, Arc<Plan>)],
    items: &IndexMap<String, Arc<Item>>,
    problems: &mut Problems,
) -> Option<()> {
    let before = problems.len();
    let Some(widest) = items::distinct_offers(items).max_by_key(|item| item.options.len()) else { return Some(()) };
    let is_there = |holds: &dyn Fn(&Plan) -> bool| plans.iter().any(|(_, plan)| holds(plan));
    if items::distinct_offers(items).nth(1).is_some() && is_there(&|plan| !plan.electorate.agenda.is_empty()) {
        let message = format!("items do not have equally many options, and {} has more than are named here", widest.id);
        let hint = "leave it out: then the options of each item are put against each other in their order";
        problems.push(tree.problem("decision.agenda", message).with_hint(Some(hint.to_string())));
    }
    let found = widest.options.len();
    if found > KEMENY_ALTERNATIVES_MAX && is_there(&|plan| plan.decision.rule == RuleKind::KemenyYoung) {
        let message = format!(
            "kemeny_young is counted exactly up to {KEMENY_ALTERNATIVES_MAX} alternatives, and the item {} has {found}",
            widest.id
        );
        let hint = "schulze and ranked_pairs choose Condorcet's winner likewise";
        problems.push(tree.problem("decision.rule", message).with_hint(Some(hint.to_string())));
    }
    (problems.len() == before).then_some(())
}
