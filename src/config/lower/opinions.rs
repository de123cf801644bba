//! Checks that opinions are requested only if there are two alternatives: an opinion is about the first of the two.
//!
//! Simulated seats with opinions always declare them.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::arms::Arm;
use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::plan::{Item, Plan};

/// Checks that there are two alternatives wherever opinions are requested.
pub fn check_opinions(
    tree: &Node,
    plans: &[(Arm, Arc<Plan>)],
    items: &IndexMap<String, Arc<Item>>,
    problems: &mut Problems,
) -> Option<()> {
    let of_scenario =
        plans.iter().filter(|(_, plan)| plan.asks_opinion).map(|(_, plan)| plan.motion.alternatives.len());
    let brings_none = |item: &Arc<Item>| item.options.is_empty();
    let of_scenario = of_scenario.filter(|_| items.is_empty() || items.values().any(brings_none));
    let is_asked = plans.iter().any(|(_, plan)| plan.asks_opinion);
    let of_items = items.values().filter(|item| is_asked && !brings_none(item)).map(|item| item.options.len());
    let Some(other) = of_scenario.chain(of_items).find(|count| *count != 2) else { return Some(()) };
    let message = format!("an opinion says where one stands between two alternatives, and here there are {other}");
    let hint = Some("leave it out, or give the scenario or item two alternatives".to_string());
    problems.push(tree.problem("discussion.opinion", message).with_hint(hint));
    None
}
