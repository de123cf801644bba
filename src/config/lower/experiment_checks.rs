//! Checks of settings against the plans of all arms.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::choice::ranked::KEMENY_ALTERNATIVES_MAX;
use crate::config::arms::Arm;
use crate::config::lower::{interventions, items, memory};
use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::domain::RuleKind;
use crate::plan::statements::can_keep_statements;
use crate::plan::{Experiment, Item, Plan, TruthRule, UNSAID, seats_needing_truth};

/// Checks that every setting has an effect in some arm; `None` after an error.
pub fn check_used(
    tree: &Node,
    plans: &[(Arm, Arc<Plan>)],
    items: &IndexMap<String, Arc<Item>>,
    problems: &mut Problems,
) -> Option<()> {
    check_opinions(tree, plans, items, problems)?;
    check_schemes(tree, plans, items, problems)?;
    check_item_votes(tree, plans, items, problems)?;
    memory::check_used(tree, plans, problems)?;
    check_pins(tree, plans, problems)?;
    interventions::check_used(tree, plans.iter().map(|(_, plan)| &plan.memory.policy), problems)
}

/// Checks that there are two alternatives wherever opinions are requested: an opinion is about the first of the two. Simulated seats with
/// opinions always declare them.
fn check_opinions(
    tree: &Node,
    plans: &[(Arm, Arc<Plan>)],
    items: &IndexMap<String, Arc<Item>>,
    problems: &mut Problems,
) -> Option<()> {
    let asking = || plans.iter().filter(|(_, plan)| plan.asks_opinion);
    let brings_none = |item: &Arc<Item>| item.options.is_empty();
    let of_scenario = asking().map(|(_, plan)| plan.motion.alternatives.len());
    let of_scenario = of_scenario.filter(|_| items.is_empty() || items.values().any(brings_none));
    let is_asked = asking().next().is_some();
    let of_items = items.values().filter(|item| is_asked && !brings_none(item)).map(|item| item.options.len());
    let Some(other) = of_scenario.chain(of_items).find(|count| *count != 2) else { return Some(()) };
    let message = format!("an opinion says where one stands between two alternatives, and here there are {other}");
    let advice = "leave it out, or give the scenario or item two alternatives";
    problems.push(tree.problem("discussion.opinion", message).with_advice(advice));
    None
}

/// Checks that the scenario, or the key of each item, defines the right alternative wherever the scheme of a mind depends on it.
fn check_schemes(
    tree: &Node,
    plans: &[(Arm, Arc<Plan>)],
    items: &IndexMap<String, Arc<Item>>,
    problems: &mut Problems,
) -> Option<()> {
    let Some((plan, seat)) = plans.iter().find_map(|(_, plan)| Some((plan, seats_needing_truth(plan).next()?))) else {
        return Some(());
    };
    let of_scenario = plan.evidence.as_deref().and_then(|evidence| evidence.truth.as_ref());
    let is_said = matches!(of_scenario, Some(TruthRule::Alternative(_) | TruthRule::Drawn(_)));
    let message = match items.values().find(|item| item.right_alternative().is_none()) {
        Some(item) => {
            format!("this scheme depends on which alternative is right, and the item {} has no such key", item.id)
        }
        None if items.is_empty() && !is_said => UNSAID.to_owned(),
        None => return Some(()),
    };
    problems.push(tree.problem(&format!("seats.{}.mind.social_decision_scheme.scheme", seat.name), message));
    None
}

/// Checks that the rule of every arm can decide on every item. Each arm was lowered with the item that has the fewest options.
fn check_item_votes(
    tree: &Node,
    plans: &[(Arm, Arc<Plan>)],
    items: &IndexMap<String, Arc<Item>>,
    problems: &mut Problems,
) -> Option<()> {
    let before = problems.len();
    let Some(widest) = items::distinct_offers(items).max_by_key(|item| item.options.len()) else { return Some(()) };
    let is_there = |holds: fn(&Plan) -> bool| plans.iter().any(|(_, plan)| holds(plan));
    if items::distinct_offers(items).nth(1).is_some() && is_there(|plan| !plan.electorate.agenda.is_empty()) {
        let message = format!("items do not have equally many options, and {} has more than are named here", widest.id);
        let advice = "leave it out: then the options of each item are put against each other in their order";
        problems.push(tree.problem("decision.agenda", message).with_advice(advice));
    }
    let found = widest.options.len();
    if found > KEMENY_ALTERNATIVES_MAX && is_there(|plan| plan.decision.rule == RuleKind::KemenyYoung) {
        let message = format!(
            "kemeny_young is counted exactly up to {KEMENY_ALTERNATIVES_MAX} alternatives, and the item {} has {found}",
            widest.id
        );
        let advice = "schulze and ranked_pairs choose Condorcet's winner likewise";
        problems.push(tree.problem("decision.rule", message).with_advice(advice));
    }
    (problems.len() == before).then_some(())
}

/// Checks that pins of marked statements can have an effect, and that marked statements are not reinjected.
fn check_pins(tree: &Node, plans: &[(Arm, Arc<Plan>)], problems: &mut Problems) -> Option<()> {
    let before = problems.len();
    let marks =
        |key: &str| tree.items_at(key).iter().position(|kind| matches!(kind.as_text(), Some("proposal" | "decision")));
    if let Some(place) = marks("memory.reinject") {
        let problem = tree.problem(&format!("memory.reinject.{place}"), "marked statements are not put back");
        problems.push(problem.with_advice("pin them: they are never replaced"));
    }
    let reads = |plan: &Plan| plan.discussions().any(|talk| talk.proposals) && can_keep_statements(&plan.memory);
    if let Some(place) = marks("memory.pin")
        && !plans.iter().any(|(_, plan)| reads(plan))
    {
        let problem = tree.problem(&format!("memory.pin.{place}"), "in no arm statements are marked and remembered");
        problems.push(problem.with_advice("write discussion: { proposals: true }"));
    }
    (problems.len() == before).then_some(())
}

/// Checks that a dollar limit has prices for all models; `None` if one has none. The runner counts calls.
pub fn check_priced(experiment: &Experiment, tree: &Node, problems: &mut Problems) -> Option<()> {
    let Some(usd) = experiment.limits.usd else { return Some(()) };
    let unpriced = experiment.unpriced_models();
    for name in &unpriced {
        let message = format!("a limit in dollars needs the price of every model that is called, and {name} has none");
        let advice = format!("add price: {{ input_per_mtok: …, output_per_mtok: … }} to models.{name}.openai");
        problems.push(tree.problem("limits.usd", message).with_advice(advice));
    }
    if !unpriced.is_empty() {
        return None;
    }
    let paid = experiment.paid_models();
    let Some(name) = paid.first().filter(|_| usd == 0.0) else { return Some(()) };
    let message = format!("0 dollars leaves nothing for calls, and each call of {name} costs something");
    let advice = "write what calls may cost, such as 5, or leave it out for no limit";
    problems.push(tree.problem("limits.usd", message).with_advice(advice));
    None
}
