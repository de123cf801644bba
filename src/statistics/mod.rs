//! Intervals and tests for what a run found: shares, means, differences between arms.
//!
//! Pure functions of numbers and a seed. Nothing here decides what is significant, opens a file or knows a plan.

mod binomial;
mod bootstrap;
mod comparison;
mod effect;
mod holm;
mod interval;
mod newcombe;
mod normal;
mod permutation;
mod quantile;
mod resampling;
mod wilson;

pub use binomial::{fisher, mcnemar};
pub use bootstrap::{RESAMPLES, bootstrap_mean};
pub use comparison::{
    Account, Adjustment, Answers, Arm, ArmMean, Compared, Contrast, Difference, Estimate, Explained, Flags,
    IntervalMethod, NARROW_BLOCKS, Observation, Reached, Rule, Scale, Study, Undefined, Unit, Warning, by_arm,
    by_factor, compare_arms, explained,
};
pub use effect::{cohen_d, cohen_dz, correlation, is_constant, mean};
pub use holm::holm;
pub use interval::{bca_interval, percentile_interval};
pub use newcombe::{PairTable, newcombe_independent, newcombe_paired};
pub use normal::{normal_cdf, normal_quantile};
pub use permutation::{PermutationMethod, PermutationTest, label_permutation, sign_flip};
pub use quantile::{median, quantile};
pub use resampling::{Group, Resampling, Scheme, Stratum, StreamKey};
pub use wilson::wilson;

/// An interval with both ends.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end; at least `low`.
    pub high: f64,
}
