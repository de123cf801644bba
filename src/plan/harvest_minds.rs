//! Minds that take from a common stock: what an author writes of them, and what it means.

use std::sync::Arc;

use schemars::{JsonSchema, Schema};
use serde::Deserialize;

use super::minds::{MindReader, Term, TraitConfig, bound, trait_value};
use super::pay::MechanismConfig;
use super::{Problem, Problems};
use crate::minds::{Harvester, Mind, TraitValue};

/// The traits of `fixed_share`.
pub const FIXED_SHARE: [Term; 1] = [("share", 0.1, 1.0)];
/// Those of `conditional_cooperator`.
pub const CONDITIONAL_COOPERATOR: [Term; 3] = [("initial", 0.1, 1.0), ("slope", 1.0, 10.0), ("bias", 0.0, 1.0)];
/// Those of `quantal_harvester`.
pub const QUANTAL_HARVESTER: [Term; 3] = [("precision", 4.0, 1000.0), ("foresight", 1.0, 100.0), ("expects", 0.1, 1.0)];

/// The greatest stock of which a quantal harvester weighs every amount, each time that it is asked.
const WEIGHED_MAX: u32 = 10_000;

/// Takes the same share of a common stock each time.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_fixed_share)]
pub struct FixedShareConfig {
    /// The share of what there is.
    share: TraitConfig,
}

/// Takes as much of a common stock as the others did on average.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_conditional_cooperator)]
pub struct ConditionalCooperatorConfig {
    /// The share of what there is in the first round.
    initial: TraitConfig,
    /// What the mean share of the others is multiplied with.
    slope: TraitConfig,
    /// What is added to it.
    bias: TraitConfig,
}

/// Takes of a common stock what is worth more the likelier: what it gets, and its part of what grows back.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_quantal_harvester)]
pub struct QuantalHarvesterConfig {
    /// How seldom it takes an amount that is worth less; at 0 any amount is as likely.
    precision: TraitConfig,
    /// How much an equal part of what grows back counts beside what it gets now.
    foresight: TraitConfig,
    /// The share of the stock that it expects each of the others to take in the first round; later what they took on average.
    expects: TraitConfig,
}

fn bound_quantal_harvester(schema: &mut Schema) {
    bound(schema, &QUANTAL_HARVESTER);
}

fn bound_fixed_share(schema: &mut Schema) {
    bound(schema, &FIXED_SHARE);
}

fn bound_conditional_cooperator(schema: &mut Schema) {
    bound(schema, &CONDITIONAL_COOPERATOR);
}

/// One of them as it is written.
#[derive(Clone, Copy)]
pub enum Written<'a> {
    /// A fixed share.
    FixedShare(&'a FixedShareConfig),
    /// As the others.
    ConditionalCooperator(&'a ConditionalCooperatorConfig),
    /// What is worth more the likelier.
    Quantal(&'a QuantalHarvesterConfig),
}

/// Makes a mind; `None` when a trait of it is wrong, or there is no stock to take from, which is told.
pub fn mind(reader: &MindReader<'_>, written: Written<'_>, path: &str, problems: &mut Problems) -> Option<Mind> {
    let name = match written {
        Written::FixedShare(_) => "fixed_share",
        Written::ConditionalCooperator(_) => "conditional_cooperator",
        Written::Quantal(_) => "quantal_harvester",
    };
    if !matches!(reader.scenario.written.mechanism, Some(MechanismConfig::Commons(_))) {
        let message = "this mind takes from a common stock, and the scenario has no mechanism `commons`";
        problems.push(reader.tree.problem(&format!("{path}.{name}"), message));
    }
    let mut value = |written: TraitConfig, (key, _, greatest): Term| -> Option<TraitValue> {
        let read = trait_value(written, greatest);
        problems.keep(read.map_err(|message| reader.tree.problem(&format!("{path}.{name}.{key}"), message)))
    };
    let harvester = match written {
        Written::FixedShare(one) => Harvester::FixedShare { share: value(one.share, FIXED_SHARE[0])? },
        Written::ConditionalCooperator(one) => {
            let [initial, slope, bias] = CONDITIONAL_COOPERATOR;
            let all = [value(one.initial, initial), value(one.slope, slope), value(one.bias, bias)];
            let [initial, slope, bias] = all;
            Harvester::ConditionalCooperator { initial: initial?, slope: slope?, bias: bias? }
        }
        Written::Quantal(one) => {
            let [precision, foresight, expects] = QUANTAL_HARVESTER;
            let all = [value(one.precision, precision), value(one.foresight, foresight), value(one.expects, expects)];
            let ([precision, foresight, expects], commons) = (all, Arc::new(reader.commons?.clone()));
            if commons.stock_max > WEIGHED_MAX {
                problems.push(too_much(reader, &format!("{path}.{name}"), commons.stock_max));
                return None;
            }
            Harvester::Quantal { precision: precision?, foresight: foresight?, expects: expects?, commons }
        }
    };
    Some(Mind::Harvester(harvester))
}

/// There are more amounts than are weighed.
fn too_much(reader: &MindReader<'_>, path: &str, stock_max: u32) -> Problem {
    let message =
        format!("this mind weighs every amount that it might take, up to {WEIGHED_MAX}, and the stock is {stock_max}");
    let hint = "count the stock in greater units, such as hundreds of tons in the place of tons".to_string();
    reader.tree.problem(path, message).with_hint(Some(hint))
}
