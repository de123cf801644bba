//! Intervals for what a run found: shares, means of changes, medians.
//!
//! Pure functions of numbers and a seed. Which numbers belong together is `metrics`' affair, and nothing here decides what is
//! significant.

mod bootstrap;
mod quantile;
mod wilson;

pub use bootstrap::{RESAMPLES, bootstrap_mean};
pub use quantile::{median, quantile};
pub use wilson::wilson;

/// An interval with both ends.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end; at least `low`.
    pub high: f64,
}
