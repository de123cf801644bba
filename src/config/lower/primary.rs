//! The primary comparison: its metric and contrast, checked against columns, alternatives and factors.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::analysis::statistics::Unit;
use crate::analysis::{
    CellKind, ColumnSpec, name_answer_column, name_correct_column, name_variable_column, option_of_share, session_specs,
};
use crate::chance::Pairing;
use crate::config::arms::Arm;
use crate::config::lower::scope::type_of_field;
use crate::config::problem::{Problem, Problems, did_you_mean};
use crate::config::scenario::Scenario;
use crate::config::tree::Node;
use crate::config::written::config::{Config, ItemsPer};
use crate::config::written::primary::PrimaryConfig;
use crate::config::written::scenario::fields_of;
use crate::domain::Holder;
use crate::expression::{Lookup, Type};
use crate::plan::{CONFORMED, Item, OF_ALTERNATIVES, PrimaryComparison};
use crate::text::nearest_words;

/// Columns that are no outcome of the group, only the state of the session.
pub const NO_METRICS: [&str; 2] = ["status", "fault"];
/// Columns of sessions that are empty if an item has no key.
pub const OF_KEYS: [&str; 2] = ["correct", CONFORMED];

/// The context against which the primary comparison is checked.
pub struct PrimaryContext<'a> {
    /// The arms; `None` if they are unknown.
    pub arms: Option<&'a [Arm]>,
    /// Whether arms share their draws.
    pub pairing: Pairing,
    /// The names of the factors.
    pub factors: &'a [String],
    /// The names of the alternatives; `None` if they are unknown.
    pub alternatives: Option<&'a [String]>,
    /// The items; `None` if they are unknown.
    pub items: Option<&'a IndexMap<String, Arc<Item>>>,
    /// The columns of numbers that the scenario adds: answers to forms, and variables. `None` if they are unknown.
    pub own_columns: Option<&'a [String]>,
    /// The names that columns of answers without numbers would have.
    pub without_numbers: &'a [String],
}

/// The most names of columns that are listed beside an unknown one.
const LISTED_MAX: usize = 8;
/// What to compare in place of answers without numbers.
const COMPUTE_SHARE: &str = "compute a number and compare that, as in compute: { blue: \"share(s.colour == 'blue' for s in everyone)\" } and metric: var_blue";

/// The columns of numbers that a scenario adds to `sessions.csv`: means of answers to its forms, shares of right ones, and its
/// variables.
pub fn list_own_columns(scenario: &Scenario) -> Vec<String> {
    let is_number = |kind: &Type| matches!(kind, Type::Number | Type::YesNo | Type::Unknown);
    let own = || fields_of(&scenario.written.agenda).filter(|(phase, _)| !phase.asks_about_seats());
    let answers = own().filter(|(_, field)| matches!(type_of_field(field), Lookup::Found(kind) if is_number(&kind)));
    let answers = answers.map(|(phase, field)| name_answer_column(&phase.name, &field.id));
    let variables = scenario
        .variables
        .iter()
        .filter(|(_, own)| own.of != Holder::Group && is_number(&own.kind))
        .map(|(name, _)| name_variable_column(name));
    let keyed = own().filter(|(_, field)| field.key.is_some());
    let keyed = keyed.map(|(phase, field)| name_correct_column(&phase.name, &field.id));
    answers.chain(variables).chain(keyed).collect()
}

/// The names that columns would have of answers that are choices, texts, rankings or points, and so have no mean.
pub fn list_columns_without_numbers(scenario: &Scenario) -> Vec<String> {
    let fields = fields_of(&scenario.written.agenda).filter(|(phase, _)| !phase.asks_about_seats());
    let names = fields.map(|(phase, field)| name_answer_column(&phase.name, &field.id));
    let own = list_own_columns(scenario);
    names.filter(|name| !own.contains(name)).collect()
}

/// The primary comparison; `None` if there is none, or it has an error.
pub fn lower_primary(
    config: &Config,
    compared: &PrimaryContext<'_>,
    tree: &Node,
    problems: &mut Problems,
) -> Option<PrimaryComparison> {
    let written = config.primary.as_ref()?;
    let metric = problems.ok_or_report(check_metrics(written.metric.names(), compared, tree));
    let contrast = problems.ok_or_report(check_contrast(written, compared, tree));
    let unit = problems.ok_or_report(check_unit(written.unit, config, tree));
    metric.and(contrast).and(unit)?;
    let PrimaryConfig { metric, contrast, correction, unit, replicates } = written.clone();
    Some(PrimaryComparison { metrics: metric.names().to_vec(), contrast, correction, unit, replicates })
}

fn check_metrics(metrics: &[String], compared: &PrimaryContext<'_>, tree: &Node) -> Result<(), Problem> {
    if metrics.is_empty() {
        return Err(tree.problem("primary.metric", "the list is empty; name at least one metric"));
    }
    for (place, metric) in metrics.iter().enumerate() {
        if metrics[..place].contains(metric) {
            return Err(tree.problem("primary.metric", format!("{metric} is listed twice")));
        }
        check_metric(metric, compared, tree)?;
    }
    Ok(())
}

fn check_metric(metric: &str, compared: &PrimaryContext<'_>, tree: &Node) -> Result<(), Problem> {
    let problem = |message: String| tree.problem("primary.metric", message);
    let (name, value) = metric.split_once('=').map_or((metric, None), |(name, value)| (name, Some(value)));
    let is_of_numbers = || {
        let message = format!("{name} is a column of numbers, which are compared as they are");
        problem(message).with_advice(format!("write metric: {name}"))
    };
    if NO_METRICS.contains(&name) {
        return Err(problem(format!("{name} is no metric: every comparison tells how many sessions failed")));
    }
    if let Some(option) = option_of_share(name) {
        return match value {
            Some(_) => Err(is_of_numbers()),
            None => check_alternative(option, compared.alternatives, tree),
        };
    }
    let mut columns = session_specs();
    columns.retain(|column| !NO_METRICS.contains(&column.name.as_str()));
    let own = compared.own_columns.unwrap_or_default();
    let is_own = |name: &str| match compared.own_columns {
        Some(own) => own.iter().any(|column| column == name),
        None => ["ans_", "var_", "correct_"].iter().any(|prefix| name.starts_with(prefix)),
    };
    if is_own(name) && value.is_none() {
        return Ok(());
    }
    let own_names = || own.iter().map(String::as_str);
    let Some(column) = columns.iter().find(|column| column.name == name) else {
        if compared.without_numbers.iter().any(|column| column == name) {
            let message = format!("the answers of {name} are no numbers, so sessions.csv has no mean of them");
            return Err(problem(message).with_advice(COMPUTE_SHARE));
        }
        let problem = problem(format!("sessions.csv has no column \"{name}\" that could be compared"));
        let near = did_you_mean(name, columns.iter().map(|column| column.name.as_str()).chain(own_names()));
        let is_number = |column: &&ColumnSpec| {
            let is_empty = OF_KEYS.contains(&&*column.name) && check_keys(&column.name, compared.items).is_err();
            column.kind != CellKind::Text && !is_empty
        };
        let numbers = columns.iter().filter(is_number).map(|column| column.name.as_str()).chain(own_names());
        let nearest =
            || format!("the nearest of its columns are {}", nearest_words(name, numbers, LISTED_MAX).join(", "));
        return Err(problem.with_hint(Some(near.unwrap_or_else(nearest))));
    };
    match (column.kind, value) {
        (CellKind::Text, None) => Err(problem(format!("{name} is a column of text"))
            .with_advice(format!("compare the share of sessions with one value: {name}=…"))),
        (CellKind::Text, Some("")) => Err(problem(format!("the value of {name} is missing after `=`"))),
        (CellKind::Text, Some(value)) if OF_ALTERNATIVES.contains(&name) => {
            check_alternative(value, compared.alternatives, tree)
        }
        (CellKind::Count | CellKind::Real | CellKind::Flag, Some(_)) => Err(is_of_numbers()),
        (CellKind::Flag, None) if OF_KEYS.contains(&name) => {
            check_keys(name, compared.items).map_err(|(message, hint)| problem(message).with_advice(hint))
        }
        (CellKind::Text, Some(_)) | (CellKind::Count | CellKind::Real | CellKind::Flag, None) => Ok(()),
    }
}

fn check_unit(unit: Unit, config: &Config, tree: &Node) -> Result<(), Problem> {
    let problem = |message: &str| tree.problem("primary.unit", message);
    match (unit, config.items.as_ref().map(|items| items.per)) {
        (Unit::Item, None) => Err(problem("the experiment has no items, so nothing is independent by item")),
        (Unit::Item, Some(ItemsPer::Loop)) => {
            let message = "with items.per: loop every session goes through all items, so none is about one item";
            let advice = "leave unit out; values.csv has the answers of each item by its pass";
            Err(problem(message).with_advice(advice))
        }
        (Unit::Panel, _) if config.panel.is_none() => {
            Err(problem("the experiment has no panels, so nothing is independent by panel"))
        }
        _ => Ok(()),
    }
}

/// Checks that a column about the right answer is not always empty: some item has a key or, for conformity, a misleading option.
fn check_keys(column: &str, items: Option<&IndexMap<String, Arc<Item>>>) -> Result<(), (String, String)> {
    let has_numbers = |item: &Arc<Item>| match column {
        CONFORMED => !item.misleading_options().is_empty(),
        _ => item.key.is_some(),
    };
    match items {
        None => Ok(()),
        Some(items) if items.values().any(has_numbers) => Ok(()),
        Some(items) => {
            let (why, hint) = match items.is_empty() {
                false if items.values().any(|item| item.right_alternative().is_some()) => (
                    "no item names a wrong option for scripts",
                    "items.columns names columns with what scripts say, which in some row must not be the key",
                ),
                true => ("there are no items", "compare another column, or ask about items with keys"),
                false if items.values().any(|item| item.key.is_some()) => (
                    "the keys of items are amounts",
                    "compare correct, or an error such as result_error or straw_after_crowd_error",
                ),
                false => ("no item has a key", "items.key names the column of right answers, which some row must fill"),
            };
            Err((format!("{why}, so {column} would be empty in every session"), hint.to_string()))
        }
    }
}

fn check_alternative(value: &str, alternatives: Option<&[String]>, tree: &Node) -> Result<(), Problem> {
    match alternatives.filter(|known| !known.iter().any(|name| name == value)) {
        None => Ok(()),
        Some(known) => {
            Err(tree.unknown_name("primary.metric", ("alternative", value), known.iter().map(String::as_str)))
        }
    }
}

fn check_contrast(written: &PrimaryConfig, compared: &PrimaryContext<'_>, tree: &Node) -> Result<(), Problem> {
    let Some(contrast) = &written.contrast else {
        let alone = "the design has one arm, so there is nothing to compare";
        let is_alone = compared.arms.is_some_and(|arms| arms.len() == 1);
        return if is_alone { Err(tree.problem("primary", alone)) } else { Ok(()) };
    };
    let factors: Vec<&str> = contrast.splitn(2, ':').collect();
    if let [one, other] = factors[..]
        && one == other
    {
        return Err(tree.problem("primary.contrast", format!("{one} has no interaction with itself; name two factors")));
    }
    if factors.len() > 1 && compared.pairing == Pairing::Independent {
        let message = "an interaction is compared block by block, and arms that are independent have no blocks";
        return Err(tree.problem("primary.contrast", message));
    }
    factors.into_iter().try_for_each(|factor| check_factor(factor, compared, tree))
}

fn check_factor(factor: &str, compared: &PrimaryContext<'_>, tree: &Node) -> Result<(), Problem> {
    if !compared.factors.iter().any(|known| known == factor) {
        let known = compared.factors.iter().map(String::as_str);
        return Err(tree.unknown_name("primary.contrast", ("factor", factor), known));
    }
    let arms = compared.arms.unwrap_or_default();
    let levels = arms.iter().flat_map(|arm| arm.levels.iter().filter(|level| level.factor == factor));
    let mut labels: Vec<&str> = levels.map(|level| level.label.as_str()).collect();
    labels.dedup();
    match labels[..] {
        [only] => {
            let message = format!("every arm has the level {only} of {factor}, so there is nothing to compare");
            Err(tree.problem("primary.contrast", message))
        }
        _ => Ok(()),
    }
}
