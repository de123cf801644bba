//! Permutation tests: how often a difference as large comes about when sides make no difference.

use crate::statistics::resampling::SignTable;
use crate::statistics::{Resampling, Scheme, Stratum, StreamKey};

/// What a number may fall short of the observed one and still count as at least as large, as a part of the mean size of the
/// differences: rounding must not decide ties.
const TIE: f64 = 1e-12;

/// A p, and how it was found.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct PermutationTest {
    /// The two-sided p.
    pub p: f64,
    /// Whether every arrangement was counted or some were drawn.
    pub method: PermutationMethod,
    /// Arrangements that were counted or drawn.
    pub arrangements: u64,
}

/// How a permutation test was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PermutationMethod {
    /// Every arrangement was counted.
    Exact,
    /// Arrangements were drawn, and the observed one was counted among them.
    MonteCarlo,
}

/// The two-sided sign-flip test of the mean of differences; `None` of none.
///
/// When sides make no difference, each difference is as likely to have the other sign. Differences of zero have none and are left
/// out, which changes no p. When there are at most as many patterns of signs as `resamples`, all are counted, and p is the part with
/// a mean at least as far from 0 as the observed one; else `resamples` are drawn by `draw`, and p is (b + 1) / (m + 1), with b of m
/// drawn that far away. Source: Fisher 1935, "The design of experiments", section 21; Phipson and Smyth 2010, "Permutation p-values
/// should never be zero", Statistical Applications in Genetics and Molecular Biology 9(1).
pub fn sign_flip(
    differences: &[f64],
    key: &StreamKey,
    resamples: u32,
    draw: impl FnOnce(&Resampling) -> Vec<f64>,
) -> Option<PermutationTest> {
    if differences.is_empty() {
        return None;
    }
    let moved: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    if moved.is_empty() {
        return Some(PermutationTest { p: 1.0, method: PermutationMethod::Exact, arrangements: 1 });
    }
    let n = moved.len() as f64;
    let size = moved.iter().map(|difference| difference.abs()).sum::<f64>() / n;
    let least = (moved.iter().sum::<f64>() / n).abs() - TIE * size;
    let patterns = u32::try_from(moved.len()).ok().and_then(|bits| 1u64.checked_shl(bits));
    if let Some(patterns) = patterns.filter(|patterns| *patterns <= u64::from(resamples)) {
        let table = SignTable::new(&moved);
        let far = (0..patterns).filter(|pattern| table.mean(|| *pattern).abs() >= least).count();
        let p = far as f64 / patterns as f64;
        return Some(PermutationTest { p, method: PermutationMethod::Exact, arrangements: patterns });
    }
    Some(monte_carlo(Scheme::Signs(moved), least, key, resamples, draw))
}

/// The two-sided permutation test of labels: the mean over strata of the difference of two sides' means, labels being dealt out
/// again within each stratum. `None` where a stratum lacks a side.
///
/// Always by drawing: p is (b + 1) / (m + 1). Source: Pitman 1937, "Significance tests which may be applied to samples from any
/// populations", Journal of the Royal Statistical Society, supplement 4(1); Phipson and Smyth 2010.
pub fn label_permutation(
    strata: Vec<Stratum>,
    key: &StreamKey,
    resamples: u32,
    draw: impl FnOnce(&Resampling) -> Vec<f64>,
) -> Option<PermutationTest> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    if strata.is_empty() || strata.iter().any(|stratum| stratum.first == 0 || stratum.first == stratum.values.len()) {
        return None;
    }
    let difference = |stratum: &Stratum| {
        let (first, second) = stratum.values.split_at(stratum.first);
        mean(first) - mean(second)
    };
    let size = |values: &[f64]| values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64;
    // What all values have in common changes no difference; without it, rounding is small beside what differs.
    let lost = strata.iter().map(|stratum| f64::EPSILON * size(&stratum.values)).sum::<f64>();
    let strata: Vec<Stratum> = strata.into_iter().map(from_the_least).collect();
    let observed = strata.iter().map(difference).sum::<f64>() / strata.len() as f64;
    let least = observed.abs() - TIE * strata.iter().map(|stratum| size(&stratum.values)).sum::<f64>() - lost;
    Some(monte_carlo(Scheme::Labels(strata), least, key, resamples, draw))
}

/// The same stratum, its values counted from the least one.
fn from_the_least(stratum: Stratum) -> Stratum {
    let least = stratum.values.iter().copied().fold(f64::INFINITY, f64::min);
    Stratum { values: stratum.values.into_iter().map(|value| value - least).collect(), ..stratum }
}

fn monte_carlo(
    scheme: Scheme,
    least: f64,
    key: &StreamKey,
    resamples: u32,
    draw: impl FnOnce(&Resampling) -> Vec<f64>,
) -> PermutationTest {
    let drawn = draw(&Resampling { scheme, key: key.clone(), resamples });
    let far = drawn.iter().filter(|number| number.abs() >= least).count();
    PermutationTest {
        p: (far + 1) as f64 / (drawn.len() + 1) as f64,
        method: PermutationMethod::MonteCarlo,
        arrangements: drawn.len() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::mcnemar;
    use proptest::prelude::*;

    #[test]
    fn what_all_values_have_in_common_changes_no_p() {
        let p = |shift: f64| {
            let values = [0.0, 1.0, 1.0, 3.0, 4.0, 4.0].map(|value| value + shift).to_vec();
            let strata = vec![Stratum { values, first: 3 }];
            label_permutation(strata, &StreamKey::new(1, &["m"]), 2_000, Resampling::all).unwrap().p
        };
        assert!(p(0.0) < 0.3, "{}", p(0.0));
        assert_eq!([1e6, 1e10, 1e14].map(p), [p(0.0); 3]);
    }

    fn flip(differences: &[f64], resamples: u32) -> Option<PermutationTest> {
        sign_flip(differences, &StreamKey::new(42, &["m"]), resamples, Resampling::all)
    }

    /// Fisher 1935, section 21: Darwin's 15 pairs of cross- and self-fertilised maize, in eighths of an inch; of 2¹⁵ patterns 1 726
    /// are at least as far from 0.
    #[test]
    fn darwins_maize() {
        let eighths = [49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0];
        let exact = flip(&eighths, 1 << 15).unwrap();
        assert_eq!((exact.p, exact.method), (1726.0 / 32768.0, PermutationMethod::Exact));
        let drawn = flip(&eighths, (1 << 15) - 1).unwrap();
        assert_eq!((drawn.method, drawn.arrangements), (PermutationMethod::MonteCarlo, 32_767));
        assert!((drawn.p - exact.p).abs() < 0.005, "{}", drawn.p);
    }

    #[test]
    fn no_difference_at_all_is_no_evidence() {
        assert_eq!(flip(&[0.0, 0.0], 100).unwrap().p, 1.0);
        assert_eq!(flip(&[], 100), None);
        assert_eq!(label_permutation(vec![], &StreamKey::new(1, &[]), 100, Resampling::all), None);
    }

    #[test]
    fn drawn_arrangements_never_give_a_p_of_zero() {
        assert_eq!(flip(&[1.0; 60], 999).unwrap().p, 0.001);
        let strata = vec![Stratum { values: (0..60).map(f64::from).collect(), first: 30 }];
        assert_eq!(label_permutation(strata, &StreamKey::new(1, &[]), 999, Resampling::all).unwrap().p, 0.001);
    }

    #[test]
    fn ties_count_however_they_are_rounded() {
        // Every pattern but the two extremes is a tie of another in exact arithmetic: |mean| of 0.1, 0.2, 0.3 is at least 0 always.
        assert_eq!(flip(&[0.1, 0.2, -0.3], 100).unwrap().p, 1.0);
    }

    proptest! {
        #[test]
        fn flags_give_mcnemars_p(first in 0usize..7, second in 0usize..7, same in 0usize..5) {
            let mut differences = vec![1.0; first];
            differences.extend(vec![-1.0; second]);
            differences.extend(vec![0.0; same]);
            prop_assume!(!differences.is_empty());
            let p = flip(&differences, 1 << 13).unwrap().p;
            prop_assert!((p - mcnemar(first as u64, second as u64)).abs() < 1e-12);
        }

        #[test]
        fn the_sign_of_all_differences_together_says_nothing(differences in prop::collection::vec(-1.0..1.0, 1..12)) {
            let mirrored: Vec<f64> = differences.iter().map(|d| -d).collect();
            prop_assert_eq!(flip(&differences, 4096), flip(&mirrored, 4096));
        }
    }
}
