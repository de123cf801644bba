//! The mechanism `income_principles`: each alternative is a principle of justice that picks one of some income tables.

use std::sync::Arc;

use crate::domain::Situation;

/// What incomes are counted in.
const INCOME_UNIT: &str = "dollars a year";

/// What amounts are counted in: what the scenario says, or what the incomes of its mechanism are.
pub fn amount_unit<'u>(said: Option<&'u str>, income: Option<&IncomePrinciples>) -> Option<&'u str> {
    said.or(income.map(|_| INCOME_UNIT))
}

/// A principle; each selects one of the tables given, none redistributes.
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

/// How means are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Average {
    /// By the probability of each class.
    Weighted,
    /// Each class alike.
    Unweighted,
}

/// Bounds of a multiplier of incomes, in thousandths, both included; each whole number of thousandths is equally likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Multiplier {
    /// The least.
    pub least: u32,
    /// The greatest.
    pub greatest: u32,
}

/// What is paid for which alternative. The alternatives of the motion are the principles, in its order.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct IncomePrinciples {
    /// One principle for each alternative of the motion.
    #[serde(skip)]
    pub principles: Vec<Principle>,
    /// How means are taken.
    pub average: Average,
    /// The situation that is explained, and whose tables the settlement multiplies.
    pub sample: Arc<Situation>,
    /// The situations of the practice rounds, in order.
    pub applications: Vec<Arc<Situation>>,
    /// What the incomes of a practice round are multiplied with; `None`: nothing.
    pub drawn: Option<Multiplier>,
    /// What the incomes of the settlement are multiplied with.
    pub settlement: Multiplier,
    /// What is paid for 10 000 dollars of income in a practice round, in cents.
    pub application_cents: u32,
    /// What is paid for 10 000 dollars of income in the settlement, in cents.
    pub settlement_cents: u32,
}

/// What a principle picks in a situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The table, as a position in the situation's tables.
    pub table: usize,
    /// Whether its amount removed at least one table; `None` for principles without one.
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
