//! The announced comparison as it is written.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::analysis::statistics::Unit;
use crate::plan::Correction;

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
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
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
