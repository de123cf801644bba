//! Errors of a crowd's estimates: of their mean, and of each member.

use super::{mean_of, median_of, variance};

/// Errors of estimates of a known truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crowd {
    /// The squared error of the mean: (x̄ − t)².
    pub crowd_error: f64,
    /// The mean squared error of the members: Σ (x − t)² / n.
    pub individual_mse: f64,
    /// The variance of the estimates: Σ (x − x̄)² / n.
    pub diversity: f64,
    /// The squared error of the median: (x̃ − t)².
    pub median_error: f64,
}

/// Errors and diversity of estimates. The crowd's error is the members' error minus the diversity. `None` without an estimate.
///
/// Source: the diversity prediction theorem, Page 2007, "The Difference".
pub fn crowd_errors(estimates: &[f64], truth: f64) -> Option<Crowd> {
    let square = |x: f64| (x - truth) * (x - truth);
    Some(Crowd {
        crowd_error: square(mean_of(estimates)?),
        individual_mse: mean_of(&estimates.iter().copied().map(square).collect::<Vec<f64>>())?,
        diversity: variance(estimates)?,
        median_error: square(median_of(estimates)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn three_guesses_of_the_weight_of_an_ox_are_as_wrong_as_computed_by_hand() {
        let found = crowd_errors(&[1100.0, 1200.0, 1450.0], 1198.0).unwrap();
        assert!((found.crowd_error - 52.0 * 52.0).abs() < 1e-9);
        assert!((found.median_error - 4.0).abs() < 1e-9);
        assert_eq!(crowd_errors(&[], 1.0), None);
    }

    proptest! {
        #[test]
        fn the_crowds_error_is_its_members_error_less_their_diversity(estimates in prop::collection::vec(0u32..2000, 1..20), truth in 0u32..2000) {
            let estimates: Vec<f64> = estimates.into_iter().map(f64::from).collect();
            let found = crowd_errors(&estimates, f64::from(truth)).unwrap();
            let gap = found.crowd_error - (found.individual_mse - found.diversity);
            prop_assert!(gap.abs() <= 1e-9 * (1.0 + found.individual_mse));
            prop_assert!(found.crowd_error <= found.individual_mse + 1e-6);
        }
    }
}
