//! The comparison that was announced: its metric, its contrast, checked against columns, alternatives and factors.

use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, SeqAccess, Visitor};

use super::config::Config;
use super::design::Arm;
use super::items::Item;
use super::tree::Node;
use super::{Correction, Primary, Problem, Problems, did_you_mean, suggest};
use crate::chance::Pairing;
use crate::metrics::{Kind, option_of_share, session_specs};
use crate::statistics::Unit;

/// How far a session got is no outcome of the group.
pub const NO_METRICS: [&str; 2] = ["status", "fault"];
/// Columns of text whose cells are names of alternatives.
pub const OF_ALTERNATIVES: [&str; 2] = ["result", "first_ballot_majority"];

/// The error that has no unit, so that items of several units can be averaged.
pub const UNITLESS: &str = "result_relative_error";
/// How units that are the scenario's are called in the codebook.
const OF_SCENARIO: &str = "units of the scenario";
/// So many units are told; more are counted.
const UNITS_TOLD: usize = 3;

/// The columns of sessions that depend on what is right: empty where an item has no key.
pub const OF_KEYS: [&str; 2] = ["correct", CONFORMED];
/// That of them which is empty, too, where an item names no wrong option for scripts.
pub const CONFORMED: &str = "conformed";

/// The one comparison that is announced before the run; every other one is exploratory. No part of a session's identity.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrimaryConfig {
    /// What is compared: a column of sessions.csv that holds numbers, or `column=value`, the share of sessions in which a
    /// column of text has this value, as in `result=average_floor`; one, or a list of several, which are one family of tests.
    pub metric: MetricConfig,
    /// The factor whose levels are compared with the baseline's, or two factors with a colon, as in `expert:rule`, for their
    /// interaction; left out, every arm is compared with the baseline.
    pub contrast: Option<String>,
    /// How several comparisons are corrected for: `holm`, the default, or `none`.
    #[serde(default)]
    pub correction: Correction,
    /// What is independent, and compared as one block: `session`, the default, is each replicate of each item; `replicate`
    /// averages a replicate over its items; `item` averages an item over its replicates, for a result about other items, too.
    #[serde(default)]
    pub unit: Unit,
    /// How many replicates each arm is to have in the end. Extending a run up to this number is no deviation; left out, the number is
    /// that of the first run.
    #[schemars(range(min = 1))]
    pub replicates: Option<u32>,
}

/// One metric, or a list of several.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged)]
pub enum MetricConfig {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl MetricConfig {
    /// The metrics, in the order in which they are written.
    pub fn names(&self) -> &[String] {
        match self {
            MetricConfig::One(name) => std::slice::from_ref(name),
            MetricConfig::Several(names) => names,
        }
    }
}

impl<'de> Deserialize<'de> for MetricConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MetricVisitor;

        impl<'de> Visitor<'de> for MetricVisitor {
            type Value = MetricConfig;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a metric or a list of metrics")
            }

            fn visit_str<E>(self, name: &str) -> Result<MetricConfig, E> {
                Ok(MetricConfig::One(name.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, names: A) -> Result<MetricConfig, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(names)).map(MetricConfig::Several)
            }
        }

        deserializer.deserialize_any(MetricVisitor)
    }
}

/// What an announced comparison is checked against.
pub struct Compared<'a> {
    /// The arms; `None` where it is not known which there are.
    pub arms: Option<&'a [Arm]>,
    /// Whether arms share their draws.
    pub pairing: Pairing,
    /// The names of the factors.
    pub factors: &'a [String],
    /// The names of the alternatives; `None` where they are not known.
    pub alternatives: Option<&'a [String]>,
    /// The items; `None` where they are not known.
    pub items: Option<&'a IndexMap<String, Arc<Item>>>,
}

/// The letter that a metric counts over items in which it stands for different options; `None` where what it counts is one
/// thing in all of them.
pub fn letter_of_many<'m>(metric: &'m str, items: &IndexMap<String, Arc<Item>>) -> Option<&'m str> {
    let of_result = metric.split_once('=').filter(|(name, _)| OF_ALTERNATIVES.contains(name)).map(|(_, letter)| letter);
    let letter = of_result.or_else(|| option_of_share(metric))?;
    let of = |item: &Arc<Item>| item.alternatives().into_iter().find(|other| other.name.as_str() == letter);
    let mut labels = items.values().filter_map(of).map(|alternative| alternative.label);
    let first = labels.next()?;
    labels.any(|label| label != first).then_some(letter)
}

/// The units of the items, each once, where a metric is counted in them and they are several; `None` where its numbers may be
/// averaged over all items.
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

/// Some units in words: the first of them, and how many more there are.
pub fn few(units: &[&str]) -> String {
    let told = units.iter().take(UNITS_TOLD).copied().collect::<Vec<_>>().join(", ");
    match units.len().saturating_sub(UNITS_TOLD) {
        0 => told,
        more => format!("{told} and {more} more units"),
    }
}

/// The comparison that was announced; `None` where none is, or something about it is wrong.
pub fn lower(config: &Config, compared: &Compared<'_>, tree: &Node, problems: &mut Problems) -> Option<Primary> {
    let written = config.primary.as_ref()?;
    let metric = problems.keep(check_metrics(written.metric.names(), compared, tree));
    let contrast = problems.keep(check_contrast(written, compared, tree));
    let unit = problems.keep(check_unit(written.unit, config, tree));
    metric?;
    contrast?;
    unit?;
    let PrimaryConfig { metric, contrast, correction, unit, replicates } = written.clone();
    Some(Primary { metrics: metric.names().to_vec(), contrast, correction, unit, replicates })
}

fn check_metrics(metrics: &[String], compared: &Compared<'_>, tree: &Node) -> Result<(), Problem> {
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

fn check_metric(metric: &str, compared: &Compared<'_>, tree: &Node) -> Result<(), Problem> {
    let problem = |message: String| tree.problem("primary.metric", message);
    let (name, value) = match metric.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (metric, None),
    };
    if NO_METRICS.contains(&name) {
        return Err(problem(format!("{name} is no metric: every comparison tells how many sessions failed")));
    }
    if let Some(option) = option_of_share(name) {
        return match value {
            Some(_) => Err(problem(format!("{name} is a column of numbers, which are compared as they are"))
                .with_hint(Some(format!("write metric: {name}")))),
            None => check_alternative(option, compared.alternatives)
                .map_err(|hint| problem(format!("no alternative is named \"{option}\"")).with_hint(hint)),
        };
    }
    let mut columns = session_specs();
    columns.retain(|column| !NO_METRICS.contains(&column.name.as_str()));
    let names = || columns.iter().map(|column| column.name.as_str());
    let Some(column) = columns.iter().find(|column| column.name == name) else {
        let problem = problem(format!("sessions.csv has no column \"{name}\" that could be compared"));
        let near = did_you_mean(name, names());
        let all = || format!("its columns are {}", names().collect::<Vec<_>>().join(", "));
        return Err(problem.with_hint(Some(near.unwrap_or_else(all))));
    };
    match (column.kind, value) {
        (Kind::Text, None) => {
            let hint = format!("compare the share of sessions with one value: {name}=…");
            Err(problem(format!("{name} is a column of text")).with_hint(Some(hint)))
        }
        (Kind::Text, Some("")) => Err(problem(format!("the value of {name} is missing after `=`"))),
        (Kind::Text, Some(value)) if OF_ALTERNATIVES.contains(&name) => check_alternative(value, compared.alternatives)
            .map_err(|hint| problem(format!("no alternative is named \"{value}\"")).with_hint(hint)),
        (Kind::Count | Kind::Real | Kind::Flag, Some(_)) => {
            Err(problem(format!("{name} is a column of numbers, which are compared as they are"))
                .with_hint(Some(format!("write metric: {name}"))))
        }
        (Kind::Flag, None) if OF_KEYS.contains(&name) => {
            check_keys(name, compared.items).map_err(|(message, hint)| problem(message).with_hint(Some(hint)))
        }
        (Kind::Text, Some(_)) | (Kind::Count | Kind::Real | Kind::Flag, None) => Ok(()),
    }
}

fn check_unit(unit: Unit, config: &Config, tree: &Node) -> Result<(), Problem> {
    if unit == Unit::Item && config.items.is_none() {
        return Err(tree.problem("primary.unit", "the experiment has no items, so nothing is independent by item"));
    }
    if unit == Unit::Panel && config.panel.is_none() {
        return Err(tree.problem("primary.unit", "the experiment has no panels, so nothing is independent by panel"));
    }
    Ok(())
}

/// Checks that a column that depends on what is right has numbers: that there is an item with a key and, for conformity, one that
/// names another option for scripts.
fn check_keys(column: &str, items: Option<&IndexMap<String, Arc<Item>>>) -> Result<(), (String, String)> {
    let has_numbers = |item: &Arc<Item>| match column {
        CONFORMED => !item.misleading().is_empty(),
        _ => item.key.is_some(),
    };
    match items {
        None => Ok(()),
        Some(items) if items.values().any(has_numbers) => Ok(()),
        Some(items) => {
            let (why, hint) = match items.is_empty() {
                false if items.values().any(|item| item.right().is_some()) => (
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

fn check_alternative(value: &str, alternatives: Option<&[String]>) -> Result<(), Option<String>> {
    let Some(alternatives) = alternatives else { return Ok(()) };
    let known = || alternatives.iter().map(String::as_str);
    if known().any(|name| name == value) { Ok(()) } else { Err(suggest(value, known())) }
}

fn check_contrast(written: &PrimaryConfig, compared: &Compared<'_>, tree: &Node) -> Result<(), Problem> {
    let Some(contrast) = &written.contrast else {
        let alone = "the design has one arm, so there is nothing to compare";
        let is_alone = compared.arms.is_some_and(|arms| arms.len() == 1);
        return if is_alone { Err(tree.problem("primary", alone)) } else { Ok(()) };
    };
    let factors: Vec<&str> = match contrast.split_once(':') {
        Some((one, other)) => vec![one, other],
        None => vec![contrast],
    };
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

fn check_factor(factor: &str, compared: &Compared<'_>, tree: &Node) -> Result<(), Problem> {
    if !compared.factors.iter().any(|known| known == factor) {
        let problem = tree.problem("primary.contrast", format!("no factor is named \"{factor}\""));
        return Err(problem.with_hint(suggest(factor, compared.factors.iter().map(String::as_str))));
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
