//! Compares an experiment's arms: observations in, differences with intervals and tests out.
//!
//! Pure functions; the caller knows the column and the preregistration. Each missing number is left out or replaced by a stated
//! rule. The results under all other rules accompany the main one.

mod account;
mod contrasts;
mod estimate;
mod nulls;
mod sides;
mod study;

#[cfg(test)]
mod tests;

pub use account::CompletionCounts;
pub use contrasts::{Contrast, contrast_arms, contrast_factor, contrast_interaction};
pub use estimate::{Estimate, EstimatedDifference, Flags, NoInterval, SKEWED_BLOCKS, Warning};
pub use nulls::{NullComparison, Undefined, compare_nulls};
pub use sides::MissingRule;
pub use study::{AnswerValidity, CompletionStatus, MetricScale, Observation, Study, StudyArm, Unit};

use crate::analysis::statistics::{
    Interval, NullRange, Resampling, StreamKey, holm_adjusted_p, mean, mean_interval, wilson_interval,
};
use sides::BlockTable;

/// The estimated arms and contrasts of one metric.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ArmComparison {
    /// The range of possible numbers over all arms; `None` without observations.
    pub range: Option<(f64, f64)>,
    /// The greatest absolute number seen; 0 without observations.
    #[serde(skip)]
    pub size: f64,
    /// The arms, in the design's order.
    pub arms: Vec<ArmMean>,
    /// The estimated contrasts.
    pub contrasts: Vec<Estimate>,
}

/// The mean of an arm over all its sessions with a number.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ArmMean {
    /// The metric's name.
    pub metric: String,
    /// The arm's name.
    pub arm: String,
    /// Counts of the arm's sessions.
    pub sessions: CompletionCounts,
    /// The mean; `None` without a number.
    pub mean: Option<f64>,
    /// Its 95 % interval; `None` without a number and, for sign flips, below six numbers and if all are equal.
    pub interval: Option<Interval>,
    /// The method of the interval.
    pub interval_method: IntervalMethod,
}

/// The method of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Wilson's interval of a share.
    Wilson,
    /// The inverted sign-flip test over blocks.
    SignFlip,
}

/// The correction for multiple tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjustment {
    /// Holm's step-down procedure over all contrasts of all metrics.
    Holm,
    /// No correction.
    None,
}

/// Compares the arms of a study. `draw` computes a resampling's ranges, by [`Resampling::all_ranges`] or by pieces on workers.
///
/// [`adjust_p_values`] adjusts p for a family. The draws depend on the seed alone, not on the metric or other contrasts.
pub fn compare_arms(
    study: &Study,
    contrasts: &[Contrast],
    draw: &dyn Fn(&Resampling) -> Vec<NullRange>,
) -> ArmComparison {
    let table = BlockTable::new(study);
    let arms = (0..study.arms.len()).map(|arm| arm_mean(study, &table, arm, draw)).collect();
    let contrasts =
        contrasts.iter().map(|contrast| estimate::estimate_contrast(study, &table, contrast, draw)).collect();
    let size = study.observations.iter().filter_map(|seen| seen.value).map(f64::abs).fold(0.0, f64::max);
    ArmComparison { range: table.range_of(0..study.arms.len()), size, arms, contrasts }
}

/// Adjusts the p of every tested contrast for all others of the family, which has one comparison per metric.
pub fn adjust_p_values(family: &mut [ArmComparison]) {
    let mut tested: Vec<&mut Estimate> = family
        .iter_mut()
        .flat_map(|compared| &mut compared.contrasts)
        .filter(|contrast| contrast.main.test.is_some())
        .collect();
    let p: Vec<f64> = tested.iter().filter_map(|contrast| Some(contrast.main.test?.p)).collect();
    for (contrast, adjusted) in tested.iter_mut().zip(holm_adjusted_p(&p)) {
        contrast.p_adjusted = Some(adjusted);
    }
}

fn arm_mean(
    study: &Study,
    table: &BlockTable<'_>,
    arm: usize,
    draw: &dyn Fn(&Resampling) -> Vec<NullRange>,
) -> ArmMean {
    let values = table.available_numbers(arm, MissingRule::AllAvailable);
    let sessions = CompletionCounts::from_observations(study.observations.iter().filter(|seen| seen.arm == arm));
    let name = study.arms[arm].name.clone();
    let (interval, interval_method) = match (study.scale, study.unit) {
        // A share of independent sessions.
        (MetricScale::Flag, Unit::Session) => {
            let ones = values.iter().filter(|value| **value == 1.0).count() as u64;
            (wilson_interval(ones, values.len() as u64), IntervalMethod::Wilson)
        }
        _ => {
            let key = StreamKey::of_design(study.seed);
            (mean_interval(&values, &key, study.resamples, draw), IntervalMethod::SignFlip)
        }
    };
    ArmMean { metric: study.metric.clone(), arm: name, sessions, mean: mean(&values), interval, interval_method }
}
