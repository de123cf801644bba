//! What a decision pays.
//!
//! Pure functions in whole numbers. Who decides, what is drawn, and when, is the engine's affair.

mod income;

pub use income::{Average, IncomePrinciples, Multiplier, Pick, Principle};
