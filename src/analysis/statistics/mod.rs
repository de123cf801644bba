//! Intervals and tests for what a run found: shares, means, differences between arms.
//!
//! Pure functions of numbers and a seed. Nothing here decides what is significant, opens a file or knows a plan.

mod binomial;
mod comparison;
mod effect;
mod holm;
mod newcombe;
mod permutation;
mod quantile;
mod resampling;
mod wilson;

pub use binomial::{fisher, mcnemar};
pub use comparison::{
    Account, Adjustment, Answers, Arm, ArmMean, Compared, Contrast, Difference, Estimate, Explained, Flags,
    IntervalMethod, NoInterval, Observation, Reached, Rule, SKEWED_BLOCKS, Scale, Study, Undefined, Unit, Warning,
    adjust, by_arm, by_factor, by_interaction, compare_arms, explained,
};
pub use effect::{cohen_d, cohen_dz, correlation, is_constant, mean, moments};
pub use holm::holm;
pub use newcombe::{PairTable, newcombe_independent, newcombe_paired};
pub use permutation::{
    Inverted, LEVEL, PermutationMethod, PermutationTest, label_permutation, mean_interval, sign_flip, sign_flip_ratio,
    to_ten_decimals,
};
pub use quantile::{median, quantile};
pub use resampling::{NullRange, Resampling, Scheme, Signed, Stratum, StreamKey};
pub use wilson::wilson;

/// An interval with both ends.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end; at least `low`.
    pub high: f64,
}
