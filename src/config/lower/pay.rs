//! Lowers a scenario's mechanism.

use crate::config::lower::mechanism::{self, IncomeMechanism, ParameterValues};
use crate::config::problem::Problems;
use crate::config::scenario::Scenario;
use crate::config::tree::Node;
use crate::config::written::mechanism::MechanismConfig;
use crate::domain::Motion;

/// A scenario's mechanism.
#[derive(Debug, Clone)]
pub enum Pay {
    /// The scenario pays nothing.
    Nothing,
    /// Pays for decisions.
    Income(IncomeMechanism),
    /// The mechanism has a reported error.
    Broken,
}

impl Pay {
    /// The mechanism that pays for decisions, if there is one.
    pub fn income(&self) -> Option<&IncomeMechanism> {
        if let Pay::Income(lowered) = self { Some(lowered) } else { None }
    }

    /// Sets the range of amounts that the mechanism allows in a motion.
    pub fn set_amounts(&self, motion: &mut Motion) {
        if let Pay::Income(lowered) = self {
            let is_named = motion.alternatives.iter().any(|alternative| alternative.takes_amount);
            motion.amount_max = is_named.then(|| mechanism::amount_max(&lowered.income));
        }
    }
}

/// Lowers a scenario's mechanism; skips settings among the `broken` parameters.
pub fn lower_pay(
    knobs: &ParameterValues<'_>,
    motion: &Motion,
    scenario: &Scenario,
    tree: &Node,
    problems: &mut Problems,
) -> Pay {
    let before = problems.len();
    let pay = match &scenario.written.mechanism {
        Some(MechanismConfig::IncomePrinciples(written)) => {
            mechanism::lower_income(written, motion, (knobs, scenario, tree), problems).map(Pay::Income)
        }
        None => {
            let is_said = scenario.written.amount.is_some();
            for alternative in motion.alternatives.iter().filter(|alternative| alternative.takes_amount && !is_said) {
                let path = format!("alternatives.{}.takes_amount", alternative.name);
                problems
                    .push(scenario.tree.problem(&path, "only `amount` or a mechanism says how great an amount may be"));
            }
            Some(Pay::Nothing)
        }
    };
    pay.filter(|_| problems.len() == before).unwrap_or(Pay::Broken)
}
