//! Mechanisms: which one a scenario has, and what it becomes.

use std::sync::Arc;

use crate::config::lower::mechanism::{IncomeMechanism, ParameterValues};
use crate::config::lower::{commons, mechanism};
use crate::config::problem::Problems;
use crate::config::scenario::Scenario;
use crate::config::tree::Node;
use crate::config::written::mechanism::MechanismConfig;
use crate::domain::Motion;
use crate::mechanism::{Commons, Mechanism};

/// What a scenario says of pay.
#[derive(Debug, Clone)]
pub enum Pay {
    /// Nothing is paid.
    Nothing,
    /// Decisions are.
    Income(IncomeMechanism),
    /// What is taken from a stock is.
    Commons(Commons),
    /// Something about it is wrong and was told.
    Broken,
}

impl Pay {
    /// What decisions pay.
    pub fn income(&self) -> Option<&IncomeMechanism> {
        if let Pay::Income(lowered) = self { Some(lowered) } else { None }
    }

    /// The stock that is taken from.
    pub fn commons(&self) -> Option<&Commons> {
        if let Pay::Commons(commons) = self { Some(commons) } else { None }
    }

    /// The mechanism of a plan.
    pub fn mechanism(&self) -> Option<Mechanism> {
        match self {
            Pay::Income(lowered) => Some(Mechanism::IncomePrinciples(Arc::clone(&lowered.income))),
            Pay::Commons(commons) => Some(Mechanism::Commons(commons.clone())),
            Pay::Nothing | Pay::Broken => None,
        }
    }

    /// Puts into a motion which amounts the mechanism says may be named.
    pub fn set_amounts(&self, motion: &mut Motion) {
        match self {
            Pay::Income(lowered) => {
                let is_named = motion.alternatives.iter().any(|alternative| alternative.takes_amount);
                motion.amount_max = is_named.then(|| mechanism::amount_max(&lowered.income));
            }
            Pay::Commons(commons) => {
                (motion.amount_min, motion.amount_max) = (0, Some(commons.stock_max));
                motion.unit = Some(commons.unit.clone());
            }
            Pay::Nothing | Pay::Broken => {}
        }
    }
}

/// Makes the mechanism of a scenario. A setting among the `broken` parameters is not looked at.
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
        Some(MechanismConfig::Commons(written)) => {
            commons::lower_commons(written, knobs, scenario, problems).map(Pay::Commons)
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
