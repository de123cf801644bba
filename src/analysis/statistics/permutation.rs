//! Permutation tests of a difference, and the intervals that follow from them.
//!
//! An arrangement of signs or labels is at least as far from a supposed difference θ as the observed arrangement if and only if θ
//! lies in a closed range that contains the observed difference. So p(θ) falls on both sides of the observed difference. The θ
//! that the test does not reject at .05 form an interval, whose ends are order statistics of the ranges' ends. The test of θ = 0
//! uses these ranges too, so 0 lies outside the interval exactly if p < .05. Source: Lehmann 1963, "Nonparametric confidence
//! intervals for a shift parameter", Annals of Mathematical Statistics 34(4); for sums of signed values Hartigan 1969, "Using
//! subsample values as typical values", Journal of the American Statistical Association 64(328).

use crate::analysis::statistics::binomial::binomial_half;
use crate::analysis::statistics::resampling::{NullRange, SignedSums};
use crate::analysis::statistics::{
    Interval, Resampling, ResamplingScheme, SignedParts, Stratum, StreamKey, is_constant,
};

/// The level of every test and interval.
pub const LEVEL: f64 = 0.05;
/// The most distinct sign patterns that are enumerated: those of sixteen distinct differences.
const EXACT_MAX: u64 = 1 << 16;
/// Tolerance for ties, relative to the mean size of the differences, so that rounding does not decide them.
const TIE: f64 = 1e-12;

/// A p and its method.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct PermutationTest {
    /// The two-sided p.
    pub p: f64,
    /// Whether arrangements were enumerated or drawn.
    pub method: PermutationMethod,
    /// Arrangements drawn, or distinct arrangements enumerated.
    pub arrangements: u64,
}

/// The method of a permutation test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PermutationMethod {
    /// Every arrangement is enumerated.
    Exact,
    /// Arrangements are drawn, and the observed one is added.
    MonteCarlo,
}

/// A test of no difference, and the differences that it does not reject.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InvertedTest {
    /// The test of no difference.
    pub test: PermutationTest,
    /// The differences with p ≥ .05, both ends included; `None` if the interval is unbounded or nothing varies.
    pub interval: Option<Interval>,
}

/// The two-sided sign-flip test of the mean of differences, and its inversion; `None` without differences.
///
/// If sides make no difference, either sign of each difference is equally likely. Values are rounded to ten decimals. If there
/// are few distinct sign patterns, all are enumerated. Otherwise `draw` draws `resamples` of them, and p is (b + 1) / (m + 1),
/// with b of m drawn at least as far away. Source: Fisher 1935, "The design of experiments", section 21; Phipson and Smyth 2010,
/// "Permutation p-values should never be zero", Statistical Applications in Genetics and Molecular Biology 9(1).
pub fn sign_flip(
    differences: &[f64],
    key: &StreamKey,
    resamples: u32,
    draw: impl FnOnce(&Resampling) -> Vec<NullRange>,
) -> Option<InvertedTest> {
    let parts = differences.iter().map(|difference| (*difference, 1.0)).collect();
    sign_flip_ratio(parts, key, resamples, draw)
}

/// The 95 % interval of a mean by inverted sign flips; `None` for fewer than six values and if all are equal.
pub fn mean_interval(
    values: &[f64],
    key: &StreamKey,
    resamples: u32,
    draw: impl FnOnce(&Resampling) -> Vec<NullRange>,
) -> Option<Interval> {
    sign_flip(values, key, resamples, draw)?.interval
}

/// The sign-flip test of the ratio of two sums, and its inversion. The signs of first − ρ · second test a ratio ρ.
///
/// The sum of the second numbers must be above 0. An arrangement with a partial sum at or below 0 rejects no ratio. That widens
/// the interval or removes it.
pub fn sign_flip_ratio(
    parts: Vec<(f64, f64)>,
    key: &StreamKey,
    resamples: u32,
    draw: impl FnOnce(&Resampling) -> Vec<NullRange>,
) -> Option<InvertedTest> {
    if parts.is_empty() {
        return None;
    }
    let parts: Vec<(f64, f64)> =
        parts.into_iter().map(|(value, of)| (to_ten_decimals(value), to_ten_decimals(of))).collect();
    let ratios: Vec<f64> = parts.iter().map(|(value, of)| value / of).collect();
    let signed = SignedParts { tie: TIE * parts.iter().map(|(value, _)| value.abs()).sum::<f64>(), parts };
    let groups = equal_parts(&signed.parts);
    let distinct = groups.iter().try_fold(1u64, |all, (_, count)| all.checked_mul(count + 1));
    let (ranges, method, arrangements) = match distinct.filter(|distinct| *distinct <= EXACT_MAX) {
        Some(distinct) => (every_flip(&signed, &groups), PermutationMethod::Exact, distinct),
        None => draw_arrangements(ResamplingScheme::Signs(signed), key, resamples, draw),
    };
    let (p, interval) = invert_ranges(ranges);
    let interval = interval.filter(|_| !is_constant(&ratios));
    Some(InvertedTest { test: PermutationTest { p, method, arrangements }, interval })
}

/// Rounds to ten decimals. Cells of tables have six decimals, so equal differences become equal numbers.
pub fn to_ten_decimals(value: f64) -> f64 {
    if value.abs() < 1e5 { (value * 1e10).round() / 1e10 + 0.0 } else { value }
}

/// The distinct parts, with their counts.
fn equal_parts(parts: &[(f64, f64)]) -> Vec<((f64, f64), u64)> {
    let mut sorted = parts.to_vec();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let mut groups: Vec<((f64, f64), u64)> = Vec::new();
    for part in sorted {
        match groups.last_mut() {
            Some((last, count)) if *last == part => *count += 1,
            _ => groups.push((part, 1)),
        }
    }
    groups
}

/// The ranges of all sign patterns with their probabilities. Patterns that flip equally many of each group are one.
fn every_flip(signed: &SignedParts, groups: &[((f64, f64), u64)]) -> Vec<(NullRange, f64)> {
    let all = SignedSums::from_parts(&signed.parts);
    let mut patterns = vec![(SignedSums::default(), 1.0)];
    for ((value, of), count) in groups {
        let flips = |(sums, probability): (SignedSums, f64)| {
            (0..=*count).map(move |k| (sums.with_parts(*value, *of, k), probability * binomial_half(*count, k)))
        };
        patterns = patterns.into_iter().flat_map(flips).collect();
    }
    patterns.into_iter().map(|(flipped, probability)| (flipped.null_range(&all, signed.tie), probability)).collect()
}

/// The two-sided permutation test of labels, and its inversion: the mean over strata of the difference of two sides' means.
/// Labels are permuted within each stratum. `None` if a stratum lacks a side.
///
/// Arrangements are always drawn: p is (b + 1) / (m + 1). A supposed difference is subtracted from the first side. Source: Pitman
/// 1937, "Significance tests which may be applied to samples from any populations", Journal of the Royal Statistical Society,
/// supplement 4(1); Phipson and Smyth 2010.
pub fn label_permutation(
    strata: Vec<Stratum>,
    key: &StreamKey,
    resamples: u32,
    draw: impl FnOnce(&Resampling) -> Vec<NullRange>,
) -> Option<InvertedTest> {
    if strata.is_empty() || strata.iter().any(|stratum| stratum.first == 0 || stratum.first == stratum.values.len()) {
        return None;
    }
    let size = |values: &[f64]| values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64;
    // A common offset changes no difference. Without it, rounding errors are small relative to the differences.
    let lost = strata.iter().map(|stratum| f64::EPSILON * size(&stratum.values)).sum::<f64>();
    let is_same = strata.iter().all(|stratum| {
        let (first, second) = stratum.values.split_at(stratum.first);
        is_constant(first) && is_constant(second)
    });
    let strata: Vec<Stratum> = strata.into_iter().map(subtract_least).collect();
    let tie = TIE * strata.iter().map(|stratum| size(&stratum.values)).sum::<f64>() + lost;
    let (ranges, method, arrangements) =
        draw_arrangements(ResamplingScheme::Labels { strata, tie }, key, resamples, draw);
    let (p, interval) = invert_ranges(ranges);
    Some(InvertedTest { test: PermutationTest { p, method, arrangements }, interval: interval.filter(|_| !is_same) })
}

/// Subtracts the least value of a stratum from all its values.
fn subtract_least(stratum: Stratum) -> Stratum {
    let least = stratum.values.iter().copied().fold(f64::INFINITY, f64::min);
    Stratum { values: stratum.values.into_iter().map(|value| value - least).collect(), ..stratum }
}

/// The ranges of drawn arrangements, and that of the observed arrangement, which contains every difference.
fn draw_arrangements(
    scheme: ResamplingScheme,
    key: &StreamKey,
    resamples: u32,
    draw: impl FnOnce(&Resampling) -> Vec<NullRange>,
) -> (Vec<(NullRange, f64)>, PermutationMethod, u64) {
    let ranges = draw(&Resampling { scheme, key: key.clone(), resamples });
    let arrangements = ranges.len() as u64;
    let all = ranges.into_iter().chain([NullRange::EVERY]).map(|range| (range, 1.0)).collect();
    (all, PermutationMethod::MonteCarlo, arrangements)
}

/// The p of 0, and the differences whose p is at least .05; `None` if unbounded. All ranges contain the observed difference, so
/// each end of the interval needs only the ranges' ends on its side.
fn invert_ranges(mut ranges: Vec<(NullRange, f64)>) -> (f64, Option<Interval>) {
    let total: f64 = ranges.iter().map(|(_, weight)| weight).sum();
    ranges.sort_by(|(one, _), (other, _)| one.low.total_cmp(&other.low));
    let lows = ranges.iter().map(|(range, weight)| (range.low, *weight));
    let (low, p_from_below) = end_and_p(lows, total);
    ranges.sort_by(|(one, _), (other, _)| other.high.total_cmp(&one.high));
    let highs = ranges.iter().map(|(range, weight)| (-range.high, *weight));
    let (high, p_from_above) = end_and_p(highs, total);
    let interval = Interval { low: low + 0.0, high: 0.0 - high };
    (
        p_from_below.min(p_from_above).min(1.0),
        Some(interval).filter(|ends| ends.low.is_finite() && ends.high.is_finite()),
    )
}

/// The first of the ascending ends at which the cumulative weight reaches .05 of the total, and the cumulative share up to 0.
fn end_and_p(ends: impl Iterator<Item = (f64, f64)>, total: f64) -> (f64, f64) {
    let (mut sum, mut end, mut p) = (0.0, None, 0.0);
    for (value, weight) in ends {
        sum += weight;
        let part = sum / total;
        if end.is_none() && part >= LEVEL {
            end = Some(value);
        }
        if value <= 0.0 {
            p = part;
        }
    }
    (end.unwrap_or(f64::NEG_INFINITY), p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::statistics::mcnemar_p;
    use proptest::prelude::*;

    #[test]
    fn what_all_values_have_in_common_changes_no_p() {
        let p = |shift: f64| {
            let values = [0.0, 1.0, 1.0, 3.0, 4.0, 4.0].map(|value| value + shift).to_vec();
            let strata = vec![Stratum { values, first: 3 }];
            label_permutation(strata, &StreamKey::new(1, &["m"]), 2_000, Resampling::all_ranges).unwrap().test.p
        };
        assert!(p(0.0) < 0.3, "{}", p(0.0));
        assert_eq!([1e6, 1e10, 1e14].map(p), [p(0.0); 3]);
    }

    fn inverted(differences: &[f64], resamples: u32) -> Option<InvertedTest> {
        sign_flip(differences, &StreamKey::new(42, &["m"]), resamples, Resampling::all_ranges)
    }

    fn flip(differences: &[f64], resamples: u32) -> Option<PermutationTest> {
        inverted(differences, resamples).map(|found| found.test)
    }

    fn labels(first: &[f64], second: &[f64], resamples: u32) -> InvertedTest {
        let strata = vec![Stratum { values: [first, second].concat(), first: first.len() }];
        label_permutation(strata, &StreamKey::new(1, &[]), resamples, Resampling::all_ranges).unwrap()
    }

    /// Fisher 1935, section 21: Darwin's 15 pairs of cross- and self-fertilised maize, in eighths of an inch; of 2¹⁵ patterns 1 726
    /// are at least as far from 0.
    #[test]
    fn darwins_maize() {
        let eighths = [49.0, -67.0, 8.0, 16.0, 6.0, 23.0, 28.0, 41.0, 14.0, 29.0, 56.0, 24.0, 75.0, 60.0, -48.0];
        let exact = inverted(&eighths, 100).unwrap();
        assert_eq!((exact.test.p, exact.test.method), (1726.0 / 32768.0, PermutationMethod::Exact));
        // Good 2005, "Permutation, parametric and bootstrap tests of hypotheses", and others print −0.2 to 41.0 eighths for
        // Darwin's pairs; the ends are subset means, which `the_ends_are_the_differences_at_which_p_crosses_the_level` recomputes.
        let Interval { low, high } = exact.interval.unwrap();
        assert!((-0.3..0.0).contains(&low) && (40.5..42.0).contains(&high), "{low} {high}");
        // Two more pairs are too many to count every pattern; both are equal to pairs that are there, so the drawn p is near.
        let more = [&eighths[..], &[21.5, 20.25]].concat();
        let drawn = inverted(&more, 20_000).unwrap();
        assert_eq!((drawn.test.method, drawn.test.arrangements), (PermutationMethod::MonteCarlo, 20_000));
    }

    #[test]
    fn no_difference_at_all_is_no_evidence() {
        assert_eq!(flip(&[0.0, 0.0], 100).unwrap().p, 1.0);
        assert_eq!(flip(&[], 100), None);
        assert_eq!(label_permutation(vec![], &StreamKey::new(1, &[]), 100, Resampling::all_ranges), None);
    }

    #[test]
    fn drawn_arrangements_never_give_a_p_of_zero() {
        let distinct: Vec<f64> = (1..=60).map(f64::from).collect();
        assert_eq!(flip(&distinct, 999).unwrap().p, 0.001);
        assert_eq!(labels(&distinct[..30], &distinct[30..], 999).test.p, 0.001);
    }

    #[test]
    fn ties_count_however_they_are_rounded() {
        // Every pattern but the two extremes is a tie of another in exact arithmetic: |mean| of 0.1, 0.2, 0.3 is at least 0 always.
        assert_eq!(flip(&[0.1, 0.2, -0.3], 100).unwrap().p, 1.0);
    }

    #[test]
    fn fewer_than_six_pairs_reject_nothing_and_equal_differences_have_no_interval() {
        assert_eq!(inverted(&[0.1, 0.2, 0.3, 0.4, 0.5], 100).unwrap().interval, None);
        let six = inverted(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.7], 100).unwrap();
        let Interval { low, high } = six.interval.unwrap();
        assert_eq!(six.test.p, 2.0 / 64.0);
        assert!((low - 0.1).abs() < 1e-12 && (high - 0.7).abs() < 1e-12, "{low} {high}");
        // 0.3 − 0.2 and 0.4 − 0.3 differ in their last digits.
        assert_eq!(inverted(&[0.3 - 0.2, 0.4 - 0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 100).unwrap().interval, None);
        assert_eq!(labels(&[1.0; 9], &[2.0; 9], 500).interval, None);
        assert_eq!(labels(&[1.0, 2.0, 3.0], &[4.0, 6.0, 8.0], 500).interval, None);
    }

    /// 100 values need drawing, 12 do not: in both cases the test of a shifted null rejects just outside the interval.
    #[test]
    fn the_ends_are_the_differences_at_which_p_crosses_the_level() {
        let many: Vec<f64> = (0..30).map(|k| f64::from(k * k % 41) / 10.0 - 1.3).collect();
        for values in [&many[..12], &many[..]] {
            let Interval { low, high } = inverted(values, 2_000).unwrap().interval.unwrap();
            let p_at = |null: f64| {
                let shifted: Vec<f64> = values.iter().map(|value| value - null).collect();
                flip(&shifted, 2_000).unwrap().p
            };
            let step = 1e-3;
            assert!(p_at(low + step) >= LEVEL && p_at(high - step) >= LEVEL, "{low} {high}");
            assert!(p_at(low - step) < LEVEL && p_at(high + step) < LEVEL, "{low} {high}");
        }
        let (first, second) = (&many[..13], &many[13..]);
        let Interval { low, high } = labels(first, second, 2_000).interval.unwrap();
        let p_at = |null: f64| {
            let shifted: Vec<f64> = first.iter().map(|value| value - null).collect();
            labels(&shifted, second, 2_000).test.p
        };
        assert!(p_at(low + 1e-3) >= LEVEL && p_at(high - 1e-3) >= LEVEL, "{low} {high}");
        assert!(p_at(low - 1e-3) < LEVEL && p_at(high + 1e-3) < LEVEL, "{low} {high}");
    }

    /// As few different values as scores and shares have, so that ties and zeros abound, and as many as amounts have.
    fn values() -> impl Strategy<Value = Vec<f64>> {
        let few = prop::collection::vec((-3i32..4).prop_map(|k| f64::from(k) / 10.0), 1..40);
        prop_oneof![few, prop::collection::vec(-1.0..1.5, 1..30)]
    }

    proptest! {
        #[test]
        fn zero_lies_outside_the_interval_exactly_where_p_is_below_the_level(
            first in values(), second in values(), shift in -0.6f64..0.6,
        ) {
            let shift = (shift * 10.0).round() / 10.0;
            let moved: Vec<f64> = first.iter().map(|value| value + shift).collect();
            for found in [inverted(&moved, 300).unwrap(), labels(&moved, &second, 300)] {
                let p = found.test.p;
                match found.interval {
                    Some(Interval { low, high }) => {
                        prop_assert!(low <= high);
                        prop_assert_eq!(low > 0.0 || high < 0.0, p < LEVEL, "{} {} {}", low, high, p);
                    }
                    // Without an end nothing varies, or no difference is rejected on some side.
                    None => prop_assert!(p >= LEVEL || is_constant(&moved), "{}", p),
                }
            }
        }

        #[test]
        fn a_shift_moves_the_interval_along(values in prop::collection::vec(-1.0..1.0, 6..14)) {
            let grid: Vec<f64> = values.iter().map(|value| to_ten_decimals(*value)).collect();
            let moved: Vec<f64> = grid.iter().map(|value| value + 4.0).collect();
            if let (Some(one), Some(other)) = (inverted(&grid, 300).unwrap().interval, inverted(&moved, 300).unwrap().interval) {
                prop_assert!((one.low + 4.0 - other.low).abs() < 1e-8 && (one.high + 4.0 - other.high).abs() < 1e-8);
            }
        }

        #[test]
        fn flags_give_mcnemars_p(first in 0usize..7, second in 0usize..7, same in 0usize..5) {
            let mut differences = vec![1.0; first];
            differences.extend(vec![-1.0; second]);
            differences.extend(vec![0.0; same]);
            prop_assume!(!differences.is_empty());
            let p = flip(&differences, 100).unwrap().p;
            prop_assert!((p - mcnemar_p(first as u64, second as u64)).abs() < 1e-12);
        }

        #[test]
        fn the_sign_of_all_differences_together_says_nothing(differences in prop::collection::vec(-1.0..1.0, 1..12)) {
            let mirrored: Vec<f64> = differences.iter().map(|d| -d).collect();
            let (here, there) = (inverted(&differences, 100).unwrap(), inverted(&mirrored, 100).unwrap());
            prop_assert_eq!(here.test, there.test);
            if let (Some(here), Some(there)) = (here.interval, there.interval) {
                prop_assert!((here.low + there.high).abs() < 1e-12 && (here.high + there.low).abs() < 1e-12);
            }
        }
    }
}
