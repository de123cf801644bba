//! What a decision pays.
//!
//! Pure functions in whole numbers. Who decides, what is drawn, and when, is the engine's affair.

mod commons;
mod draw;
mod income;
mod pay;
mod pick;

pub use commons::{Commons, Feedback, rationed};
pub use draw::{draw_class, draw_table, multiplied};
pub use income::{Average, IncomePrinciples, Multiplier, Pick, Principle, amount_unit};
pub use pay::{Counterfactual, pay_cents};
pub use pick::{low, lows, mean_dollars_rounded, pick, range, ranges};

use std::sync::Arc;

/// What a scenario pays for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum Mechanism {
    /// Decisions, by principles that pick income tables.
    IncomePrinciples(Arc<IncomePrinciples>),
    /// What is taken from a common stock.
    Commons(Commons),
}

#[cfg(test)]
pub(crate) mod tests;
