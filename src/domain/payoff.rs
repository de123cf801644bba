//! What a seat was paid, and how that came about.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

use super::{AlternativeName, Decimal, SeatName};

/// What a payment is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum PaymentStage {
    /// A seat's own choice in a practice round.
    Application,
    /// The group's decision, or the lot where it reached none.
    Settlement,
}

/// What seats were paid, by the principles of income or by an expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payment {
    /// The tables by which the principles of income paid; absent where an expression paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<PaymentTables>,
    /// What an expression counts; absent where the agenda names no unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What each seat was paid, in the plan's order; in a practice round a seat without a valid choice is not among them.
    pub payoffs: Vec<Payoff>,
}

/// The tables by which the principles of income pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentTables {
    /// What for.
    pub stage: PaymentStage,
    /// The situation whose tables were used.
    pub situation: String,
    /// What every income was multiplied with, in thousandths; absent where nothing was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<u32>,
}

/// What one seat was paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payoff {
    /// Who.
    pub seat: SeatName,
    /// What an expression gave, in units; absent where nobody gave what it is computed from, and of an income.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoff: Option<Decimal>,
    /// What that, or the income, is in money, with the fee, in cents; absent where units are not paid out, and without a payoff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoff_cents: Option<i64>,
    /// The income that was paid; absent where an expression paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub income: Option<PaidIncome>,
}

/// An income that was paid. The class is drawn; so is the table where nothing was chosen. The rest follows from these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaidIncome {
    /// The alternative that picked the table; absent where the table was drawn by lot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<AlternativeName>,
    /// Its amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u32>,
    /// The table, from 1.
    pub table: u32,
    /// The class drawn, as a position in [`CLASS_NAMES`](super::CLASS_NAMES).
    pub class: u8,
    /// The income of that class in that table, in dollars a year.
    pub income: u32,
    /// What the seat owns now, in cents.
    pub balance_cents: u64,
}

impl Payment {
    /// Whether a seat was paid anything.
    pub fn pays(&self, seat: &SeatName) -> bool {
        let is_paid = |payoff: &Payoff| payoff.payoff.is_some() || payoff.payoff_cents.is_some();
        self.payoffs.iter().any(|payoff| payoff.seat == *seat && is_paid(payoff))
    }
}

spelled!(PaymentStage);
