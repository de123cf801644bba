//! Quantal response: what an author writes of it, and what its alternatives are worth where nothing is written.

use std::sync::Arc;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;

use super::minds::{MindReader, Term, TraitConfig, bound, trait_value};
use super::opinion_minds::Written;
use super::pay::MechanismConfig;
use super::scenario::Scenario;
use super::{Problem, Problems};
use crate::minds::{Justice, Mind};

/// Its traits.
pub const QUANTAL_RESPONSE: &[Term] = &[("precision", 4.0, 1000.0)];

/// Chooses the better the likelier.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_quantal_response)]
pub struct QuantalResponseConfig {
    /// How seldom it takes what is worth less; at 0 it chooses by lot.
    pub precision: TraitConfig,
    /// What each alternative is worth to it, from 0, with at most six decimals; left out, what the mechanism pays for it on average,
    /// moved and scaled to 0 … 1.
    pub utilities: Option<IndexMap<String, f64>>,
}

fn bound_quantal_response(schema: &mut Schema) {
    bound(schema, QUANTAL_RESPONSE);
}

/// Whether its alternatives are worth what they pay.
pub fn goes_by_pay(written: &QuantalResponseConfig, scenario: &Scenario) -> bool {
    written.utilities.is_none() && matches!(scenario.written.mechanism, Some(MechanismConfig::IncomePrinciples(_)))
}

/// Makes a mind that goes by pay; `None` when its precision is wrong, or the mechanism, which was told.
pub fn of_pay(
    reader: &MindReader<'_>,
    written: &QuantalResponseConfig,
    path: &str,
    problems: &mut Problems,
) -> Option<Mind> {
    let (name, _, greatest) = QUANTAL_RESPONSE[0];
    let path = format!("{path}.quantal_response.{name}");
    let precision = trait_value(written.precision, greatest).map_err(|message| reader.tree.problem(&path, message));
    let precision = problems.keep(precision)?;
    Some(Mind::Justice(Justice::of_pay(precision, Arc::clone(reader.mechanism?))))
}

/// Nothing says what the alternatives are worth.
pub fn worthless(reader: &MindReader<'_>, path: &str) -> Problem {
    let message = "this mind chooses what is worth more the likelier; nothing says what the alternatives are worth, and the scenario has \
                   no mechanism that pays for them";
    let names: Vec<String> = reader.motion.alternatives.iter().map(|one| format!("{}: 1", one.name)).collect();
    let hint = format!("a number for each: utilities: {{ {} }}", names.join(", "));
    reader.tree.problem(path, message).with_hint(Some(hint))
}

/// What to take in its place where there is a stock to take from.
pub fn instead(written: Written<'_>, scenario: &Scenario) -> Option<String> {
    let is_stock = matches!(scenario.written.mechanism, Some(MechanismConfig::Commons(_)));
    let is_quantal = matches!(written, Written::QuantalResponse(_));
    (is_stock && is_quantal)
        .then(|| "of a common stock the mind quantal_harvester takes what is worth more the likelier".to_string())
}
