//! Checks that the right alternative is defined for minds whose scheme depends on it.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::arms::Arm;
use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::plan::{Item, Plan, TruthRule, UNSAID, seats_needing_truth};

/// Checks that the scenario, or the key of each item, defines the right alternative wherever a mind depends on it.
pub fn check_schemes(
    tree: &Node,
    plans: &[(Arm, Arc<Plan>)],
    items: &IndexMap<String, Arc<Item>>,
    problems: &mut Problems,
) -> Option<()> {
    let Some((plan, seat)) = plans.iter().find_map(|(_, plan)| Some((plan, seats_needing_truth(plan).next()?))) else {
        return Some(());
    };
    let path = format!("seats.{}.mind.social_decision_scheme.scheme", seat.name);
    let of_scenario = plan.evidence.as_deref().and_then(|evidence| evidence.truth.as_ref());
    let is_said = matches!(of_scenario, Some(TruthRule::Alternative(_) | TruthRule::Drawn(_)));
    let without = items.values().find(|item| item.right_alternative().is_none());
    let message = match without {
        Some(item) => {
            format!("this scheme depends on which alternative is right, and the item {} has no such key", item.id)
        }
        None if items.is_empty() && !is_said => UNSAID.to_owned(),
        None => return Some(()),
    };
    problems.push(tree.problem(&path, message));
    None
}
