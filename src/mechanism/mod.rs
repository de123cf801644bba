//! What a decision pays.
//!
//! Pure functions in whole numbers. Who decides, what is drawn, and when, is the engine's affair.

mod draw;
mod income;
mod pay;
mod pick;

pub use draw::{draw_class, draw_table, multiplied};
pub use income::{Average, IncomePrinciples, Multiplier, Pick, Principle};
pub use pay::{Counterfactual, pay_cents};
pub use pick::{low, lows, mean_dollars_rounded, pick, range, ranges};

#[cfg(test)]
pub(crate) mod tests;
