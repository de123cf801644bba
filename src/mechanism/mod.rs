//! Payoff mechanisms as pure functions in whole numbers; the engine decides who acts and when it draws.

mod draw;
mod income;
mod pay;
mod pick;

pub use draw::{draw_class, draw_table, multiply_incomes};
pub use income::{Average, IncomePrinciples, Multiplier, Pick, Principle, amount_unit};
pub use pay::{Counterfactual, pay_cents};
pub use pick::{income_range, income_ranges, low_income, low_incomes, mean_dollars_rounded, pick_table};

#[cfg(test)]
pub(crate) mod tests;
