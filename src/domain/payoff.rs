//! What a seat was paid, and how that came about.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

use super::{AlternativeName, SeatName};

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

/// What one seat was paid. The class is drawn; so is the table where nothing was chosen. The rest follows from these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payoff {
    /// Who.
    pub seat: SeatName,
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
    /// What is paid for it, in cents.
    pub payoff_cents: u64,
    /// What the seat owns now, in cents.
    pub balance_cents: u64,
}

spelled!(PaymentStage);
