//! Intervals and tests for the results of a run: shares, means, differences between arms.
//!
//! Pure functions of numbers and a seed. They open no file and know no plan.

mod binomial;
mod comparison;
mod effect;
mod holm;
mod newcombe;
mod permutation;
mod quantile;
mod resampling;
mod wilson;

pub use binomial::{fisher_p, mcnemar_p};
pub use comparison::{
    Adjustment, AnswerValidity, ArmComparison, ArmMean, CompletionCounts, CompletionStatus, Contrast, Estimate,
    EstimatedDifference, Flags, IntervalMethod, MetricScale, MissingRule, NoInterval, NullComparison, Observation,
    SKEWED_BLOCKS, Study, StudyArm, Undefined, Unit, Warning, adjust_p_values, compare_arms, compare_nulls,
    contrast_arms, contrast_factor, contrast_interaction,
};
pub use effect::{central_moments, cohen_d, cohen_dz, is_constant, mean, pearson_correlation};
pub use holm::holm_adjusted_p;
pub use newcombe::{PairTable, newcombe_independent, newcombe_paired};
pub use permutation::{
    InvertedTest, LEVEL, PermutationMethod, PermutationTest, label_permutation, mean_interval, sign_flip,
    sign_flip_ratio, to_ten_decimals,
};
pub use quantile::{median, quantile};
pub use resampling::{NullRange, Resampling, ResamplingScheme, SignedParts, Stratum, StreamKey};
pub use wilson::wilson_interval;

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end; at least `low`.
    pub high: f64,
}
