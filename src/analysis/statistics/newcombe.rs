//! Newcombe's intervals for a difference of paired or independent shares.

use crate::analysis::statistics::{Interval, wilson_interval};

/// Counts of pairs of flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct PairTable {
    /// Both sides are 1.
    pub both: u64,
    /// Only the first is 1.
    pub first_only: u64,
    /// Only the second is 1.
    pub second_only: u64,
    /// Neither is 1.
    pub neither: u64,
}

impl PairTable {
    /// Counts pairs; `None` if a value is neither 0 nor 1.
    ///
    /// # Panics
    /// If the sides differ in length.
    pub fn from_flags(first: &[f64], second: &[f64]) -> Option<Self> {
        assert_eq!(first.len(), second.len(), "invariant: a pair has two sides");
        let mut table = Self { both: 0, first_only: 0, second_only: 0, neither: 0 };
        for pair in first.iter().zip(second) {
            let cell = match pair {
                (1.0, 1.0) => &mut table.both,
                (1.0, 0.0) => &mut table.first_only,
                (0.0, 1.0) => &mut table.second_only,
                (0.0, 0.0) => &mut table.neither,
                _ => return None,
            };
            *cell += 1;
        }
        Some(table)
    }
}

/// The 95 % interval of the first share minus the second, over pairs; `None` without a pair.
///
/// Combines Wilson's limits of both shares with the correlation φ of the pairs; a positive numerator of φ is corrected for
/// continuity. Lower end: θ − √((p₁ − l₁)² − 2 φ (p₁ − l₁)(u₂ − p₂) + (u₂ − p₂)²); the upper end is the mirror image. Source:
/// method 10 of Newcombe 1998, "Improved confidence intervals for the difference between binomial proportions based on paired
/// data", Statistics in Medicine 17(22).
pub fn newcombe_paired(pairs: PairTable) -> Option<Interval> {
    let PairTable { both, first_only, second_only, neither } = pairs;
    let n = both + first_only + second_only + neither;
    let (e, f, g, h) = (both as f64, first_only as f64, second_only as f64, neither as f64);
    let margins = (e + f) * (g + h) * (e + g) * (f + h);
    let product = e * h - f * g;
    let corrected = if product > 0.0 { (product - n as f64 / 2.0).max(0.0) } else { product };
    let phi = if margins > 0.0 { corrected / margins.sqrt() } else { 0.0 };
    combine_intervals((both + first_only, n), (both + second_only, n), phi)
}

/// The 95 % interval of the first share minus the second, for independent sides of `(successes, trials)`; `None` if a side has no
/// trial.
///
/// Source: method 10 of Newcombe 1998, "Interval estimation for the difference between independent proportions", Statistics in
/// Medicine 17(8).
///
/// # Panics
/// If a side has more successes than trials.
pub fn newcombe_independent(first: (u64, u64), second: (u64, u64)) -> Option<Interval> {
    combine_intervals(first, second, 0.0)
}

fn combine_intervals(first: (u64, u64), second: (u64, u64), phi: f64) -> Option<Interval> {
    let (one, two) = (wilson_interval(first.0, first.1)?, wilson_interval(second.0, second.1)?);
    let (p1, p2) = (first.0 as f64 / first.1 as f64, second.0 as f64 / second.1 as f64);
    let reach = |a: f64, b: f64| (a * a - 2.0 * phi * a * b + b * b).max(0.0).sqrt();
    let difference = p1 - p2;
    Some(Interval {
        low: difference - reach(p1 - one.low, two.high - p2),
        high: difference + reach(one.high - p1, p2 - two.low),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_flags_make_a_table_of_pairs() {
        let table = PairTable::from_flags(&[1.0, 1.0, 0.0, 0.0, 1.0], &[1.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(table, Some(PairTable { both: 1, first_only: 2, second_only: 1, neither: 1 }));
        assert_eq!(PairTable::from_flags(&[0.5], &[1.0]), None);
        assert_eq!(newcombe_paired(PairTable { both: 0, first_only: 0, second_only: 0, neither: 0 }), None);
    }

    /// Method 10 of published tables: the paper's example of 50 pairs; airway hyper-responsiveness before and after a transplantation
    /// (Fagerland, Lydersen and Laake 2014, "Recommended tests and confidence intervals for paired binomial proportions", Statistics in
    /// Medicine 33(16)); table 6.2 of Altman, Machin, Bryant and Gardner 2000, "Statistics with confidence".
    #[test]
    fn the_intervals_of_pairs_are_those_of_published_tables() {
        let cases = [
            ([36, 12, 2, 0], "0.057", "0.340"),
            ([1, 1, 7, 12], "-0.507", "-0.026"),
            ([14, 5, 0, 22], "0.011", "0.226"),
        ];
        for ([both, first_only, second_only, neither], low, high) in cases {
            let interval = newcombe_paired(PairTable { both, first_only, second_only, neither }).unwrap();
            assert_eq!((format!("{:.3}", interval.low), format!("{:.3}", interval.high)), (low.into(), high.into()));
        }
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_difference_and_is_mirrored_by_swapping_sides(
            e in 0u64..40, f in 0u64..40, g in 0u64..40, h in 1u64..40,
        ) {
            let pairs = PairTable { both: e, first_only: f, second_only: g, neither: h };
            let swapped = PairTable { both: e, first_only: g, second_only: f, neither: h };
            let (here, there) = (newcombe_paired(pairs).unwrap(), newcombe_paired(swapped).unwrap());
            let difference = (f as f64 - g as f64) / (e + f + g + h) as f64;
            prop_assert!(-1.0 <= here.low + 1e-12 && here.low <= difference + 1e-12);
            prop_assert!(difference <= here.high + 1e-12 && here.high <= 1.0 + 1e-12);
            prop_assert!((here.low + there.high).abs() < 1e-12 && (here.high + there.low).abs() < 1e-12);
        }
    }
}
