//! Minds that harvest a common stock.

use std::sync::Arc;

use crate::config::lower::mind_reader::{MindReader, trait_value};
use crate::config::problem::{Problem, Problems};
use crate::config::written::mechanism::MechanismConfig;
use crate::config::written::minds::{
    CONDITIONAL_COOPERATOR, ConditionalCooperatorConfig, FIXED_SHARE, FixedShareConfig, QUANTAL_HARVESTER,
    QuantalHarvesterConfig, Term, TraitConfig,
};
use crate::minds::{Harvester, Mind, TraitValue};

/// The greatest stock for a quantal harvester, which weighs every amount for each question.
const WEIGHED_MAX: u32 = 10_000;

/// The settings of a harvesting mind.
#[derive(Clone, Copy)]
pub enum HarvestMindConfig<'a> {
    /// Takes a fixed share.
    FixedShare(&'a FixedShareConfig),
    /// Adapts to the others' harvest.
    ConditionalCooperator(&'a ConditionalCooperatorConfig),
    /// Takes amounts with probabilities that increase with their utility.
    Quantal(&'a QuantalHarvesterConfig),
}

/// Lowers a mind; `None` after an error, which is reported: a trait is wrong, or there is no stock.
pub fn lower_harvest_mind(
    reader: &MindReader<'_>,
    written: HarvestMindConfig<'_>,
    path: &str,
    problems: &mut Problems,
) -> Option<Mind> {
    let name = match written {
        HarvestMindConfig::FixedShare(_) => "fixed_share",
        HarvestMindConfig::ConditionalCooperator(_) => "conditional_cooperator",
        HarvestMindConfig::Quantal(_) => "quantal_harvester",
    };
    if !matches!(reader.scenario.written.mechanism, Some(MechanismConfig::Commons(_))) {
        let message = "this mind takes from a common stock, and the scenario has no mechanism `commons`";
        problems.push(reader.tree.problem(&format!("{path}.{name}"), message));
    }
    let mut value = |written: TraitConfig, (key, _, greatest): Term| -> Option<TraitValue> {
        let read = trait_value(written, greatest);
        problems.ok_or_report(read.map_err(|message| reader.tree.problem(&format!("{path}.{name}.{key}"), message)))
    };
    let harvester = match written {
        HarvestMindConfig::FixedShare(one) => Harvester::FixedShare { share: value(one.share, FIXED_SHARE[0])? },
        HarvestMindConfig::ConditionalCooperator(one) => {
            let [initial, slope, bias] = CONDITIONAL_COOPERATOR;
            let all = [value(one.initial, initial), value(one.slope, slope), value(one.bias, bias)];
            let [initial, slope, bias] = all;
            Harvester::ConditionalCooperator { initial: initial?, slope: slope?, bias: bias? }
        }
        HarvestMindConfig::Quantal(one) => {
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

/// The problem that a stock is too large to weigh every amount.
fn too_much(reader: &MindReader<'_>, path: &str, stock_max: u32) -> Problem {
    let message =
        format!("this mind weighs every amount that it might take, up to {WEIGHED_MAX}, and the stock is {stock_max}");
    let hint = "count the stock in greater units, such as hundreds of tons in the place of tons".to_string();
    reader.tree.problem(path, message).with_hint(Some(hint))
}
