//! Metrics whose values depend on letters of options or on units.

use std::sync::Arc;

use indexmap::IndexMap;

use super::{Experiment, Item};
use crate::analysis::{option_of_share, session_specs};
use crate::mechanism::amount_unit;

/// Text columns that contain names of alternatives.
pub const OF_ALTERNATIVES: [&str; 2] = ["result", "first_ballot_majority"];
/// The error without a unit, which can be averaged over items with different units.
pub const UNITLESS: &str = "result_relative_error";
/// The codebook's words for the scenario's units.
const OF_SCENARIO: &str = "units of the scenario";
/// The maximum number of units listed by name.
const UNITS_TOLD: usize = 3;
/// A metric that is also empty if an item names no wrong option for scripts.
pub const CONFORMED: &str = "conformed";

/// The letter that a metric counts if it stands for different options in different items; `None` if it has one meaning.
pub fn letter_of_many<'m>(metric: &'m str, items: &IndexMap<String, Arc<Item>>) -> Option<&'m str> {
    let of_result = metric.split_once('=').filter(|(name, _)| OF_ALTERNATIVES.contains(name)).map(|(_, letter)| letter);
    let letter = of_result.or_else(|| option_of_share(metric))?;
    let of = |item: &Arc<Item>| item.alternatives().into_iter().find(|other| other.name.as_str() == letter);
    let mut labels = items.values().filter_map(of).map(|alternative| alternative.label);
    let first = labels.next()?;
    labels.any(|label| label != first).then_some(letter)
}

/// The unit of a column by its name, where amounts of all arms and items have the same unit; otherwise as the codebook has it.
pub fn name_unit(unit: &str, experiment: &Experiment) -> String {
    let of_items = experiment.items.values().map(|item| item.amount.as_ref().map(|amount| amount.unit.as_str()));
    let is_of_items = !experiment.items.is_empty() && of_items.clone().all(|unit| unit.is_some());
    let of_arms = experiment
        .arms
        .iter()
        .map(|plan| amount_unit(plan.motion.unit.as_deref(), plan.income_principles().map(|income| &**income)));
    let of_arms = of_arms.filter(|_| !is_of_items);
    let mut units = of_items.filter(Option::is_some).chain(of_arms);
    match units.next() {
        Some(Some(first)) if units.all(|other| other == Some(first)) => unit.replace(OF_SCENARIO, first),
        _ => unit.to_owned(),
    }
}

/// The units of the items if a metric is counted in them and they differ; `None` if its values may be averaged over all items.
pub fn units_of_many<'i>(metric: &str, items: &'i IndexMap<String, Arc<Item>>) -> Option<Vec<&'i str>> {
    session_specs().into_iter().find(|column| column.name == metric && column.unit.contains(OF_SCENARIO))?;
    let mut units: Vec<&str> = Vec::new();
    for unit in items.values().filter_map(|item| Some(item.amount.as_ref()?.unit.as_str())) {
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    (units.len() > 1).then_some(units)
}

/// Lists the first units and the number of others.
pub fn list_units(units: &[&str]) -> String {
    let told = units.iter().take(UNITS_TOLD).copied().collect::<Vec<_>>().join(", ");
    match units.len().saturating_sub(UNITS_TOLD) {
        0 => told,
        more => format!("{told} and {more} more units"),
    }
}
