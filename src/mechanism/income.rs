//! The mechanism `income_principles`: each alternative is a principle of justice that picks one of some income tables.

use std::sync::Arc;

use crate::domain::Situation;

const INCOME_UNIT: &str = "dollars a year";

/// The unit of amounts: the scenario's own unit, else the unit of its incomes.
pub fn amount_unit<'u>(said: Option<&'u str>, income: Option<&IncomePrinciples>) -> Option<&'u str> {
    said.or(income.map(|_| INCOME_UNIT))
}

/// A principle of justice; each selects one of the given tables, and none redistributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Principle {
    /// The highest income of the low class.
    Floor,
    /// The highest mean income.
    Average,
    /// The highest mean income among tables whose low class has at least an amount.
    AverageFloor,
    /// The highest mean income among tables whose range is at most an amount.
    AverageRange,
}

/// How a mean income is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Average {
    /// Weighted by the probability of each class.
    Weighted,
    /// Each class counts equally.
    Unweighted,
}

/// Bounds of a multiplier of incomes, in thousandths, both included; each integer is equally likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Multiplier {
    /// The lower bound.
    pub least: u32,
    /// The upper bound.
    pub greatest: u32,
}

/// Parameters of the mechanism `income_principles`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct IncomePrinciples {
    /// One principle for each alternative of the motion, in its order.
    #[serde(skip)]
    pub principles: Vec<Principle>,
    /// How means are computed.
    pub average: Average,
    /// The situation that the instructions explain and whose tables the settlement multiplies.
    pub sample: Arc<Situation>,
    /// The situations of the practice rounds, in order.
    pub applications: Vec<Arc<Situation>>,
    /// Multiplier of the incomes of a practice round; `None` leaves them unchanged.
    pub drawn: Option<Multiplier>,
    /// Multiplier of the incomes of the settlement.
    pub settlement: Multiplier,
    /// Pay for 10 000 dollars of income in a practice round, in cents.
    pub application_cents: u32,
    /// Pay for 10 000 dollars of income in the settlement, in cents.
    pub settlement_cents: u32,
}

/// The table that a principle picks in a situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The table, as a position in the situation's tables.
    pub table: usize,
    /// Whether the amount excluded at least one table; `None` for principles without an amount.
    pub binding: Option<bool>,
    /// Whether the principle `average` picks the same table.
    pub same_as_average: bool,
}

impl Principle {
    /// Whether the principle takes an amount.
    pub fn takes_amount(self) -> bool {
        matches!(self, Principle::AverageFloor | Principle::AverageRange)
    }
}
