//! The percentile bootstrap of a mean, seeded.
//!
//! It resamples replicates, the unit that is independent, and never seats or rounds within one.

use crate::chance::Draws;
use crate::statistics::{Interval, quantile};

/// How often the sample is drawn again.
pub const RESAMPLES: usize = 2_000;

/// The BLAKE3 context of the resampling stream.
const BOOTSTRAP_CONTEXT: &str = "ekklesia bootstrap v1";

/// The 95 % percentile interval of the mean of one value a replicate; `None` for fewer than two values.
///
/// Each of [`RESAMPLES`] means is of as many values drawn with replacement, in order; the ends are the 2.5 % and 97.5 % quantiles
/// as [`quantile`] defines them. The stream is that of the key BLAKE3 derives from the experiment's seed (`u64`, little-endian)
/// under the context `ekklesia bootstrap v1`. Source: Efron 1979, "Bootstrap methods: another look at the jackknife", Annals of
/// Statistics 7(1); Efron and Tibshirani 1993, chapter 13.
pub fn bootstrap_mean(values: &[f64], experiment_seed: u64) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let mut draws = Draws::keyed(blake3::derive_key(BOOTSTRAP_CONTEXT, &experiment_seed.to_le_bytes()));
    let mut means: Vec<f64> = (0..RESAMPLES).map(|_| resampled_mean(values, &mut draws)).collect();
    means.sort_unstable_by(f64::total_cmp);
    Some(Interval { low: quantile(&means, 0.025)?, high: quantile(&means, 0.975)? })
}

/// The mean of as many values as there are, drawn with replacement.
fn resampled_mean(values: &[f64], draws: &mut Draws) -> f64 {
    let count = values.len() as u64;
    let (mut sum, mut least, mut most) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..count {
        let value = values[draws.below(count) as usize];
        (sum, least, most) = (sum + value, least.min(value), most.max(value));
    }
    // A mean lies between its extremes; the rounding of the sum must not move it out.
    (sum / count as f64).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fewer_than_two_values_have_no_interval() {
        assert_eq!(bootstrap_mean(&[], 42), None);
        assert_eq!(bootstrap_mean(&[0.3], 42), None);
    }

    #[test]
    fn the_interval_is_near_that_of_the_normal_approximation() {
        // 0, 1, …, 99: mean 49.5, standard error of the mean 28.866 / 10.
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let Interval { low, high } = bootstrap_mean(&values, 42).unwrap();
        assert!((low - (49.5 - 1.96 * 2.8866)).abs() < 0.6, "{low}");
        assert!((high - (49.5 + 1.96 * 2.8866)).abs() < 0.6, "{high}");
    }

    #[test]
    fn another_seed_draws_another_interval() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        assert_ne!(bootstrap_mean(&values, 1), bootstrap_mean(&values, 2));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_interval_lies_within_the_sample_and_repeats(
            values in prop::collection::vec(-1.0..1.0, 2..12), seed: u64,
        ) {
            let interval = bootstrap_mean(&values, seed).unwrap();
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(least <= interval.low && interval.low <= interval.high && interval.high <= most);
            prop_assert_eq!(bootstrap_mean(&values, seed).unwrap(), interval);
        }

        #[test]
        fn equal_values_leave_no_width(value in -1.0..1.0, count in 2usize..12, seed: u64) {
            prop_assert_eq!(bootstrap_mean(&vec![value; count], seed), Some(Interval { low: value, high: value }));
        }
    }
}
