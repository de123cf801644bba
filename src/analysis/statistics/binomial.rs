//! Exact tests of counts: McNemar's for paired shares, Fisher's for independent shares.
//!
//! Probabilities come from logarithms of factorials, without approximation by another distribution.

use libm::lgamma;

/// Relative tolerance within which two probabilities count as equal, so that rounding does not decide ties. R's `fisher.test`
/// uses this value.
const EQUAL: f64 = 1e-7;

/// The two-sided p of McNemar's exact test. `first` counts the pairs in which only the first side is 1, `second` those in which
/// only the second is. 1 if no pair differs.
///
/// Under the null, each differing pair falls to either side with probability ½, so p = min(1, 2 P(X ≤ min(first, second))) for
/// X ~ Binomial(first + second, ½). Source: McNemar 1947, Psychometrika 12(2); exact form: Mosteller 1952, Biometrics 8(3).
///
/// ```
/// assert!((ekklesia::analysis::statistics::mcnemar_p(1, 5) - 0.21875).abs() < 1e-12);
/// ```
pub fn mcnemar_p(first: u64, second: u64) -> f64 {
    let n = first + second;
    let tail: f64 = (0..=first.min(second)).map(|k| binomial_half(n, k)).sum();
    (2.0 * tail).min(1.0)
}

/// The two-sided p of Fisher's exact test of two independent shares: `(successes, trials)` of each side. 1 without a trial.
///
/// Sums the probabilities of all tables with these margins that are at most as probable as the observed table. Source: Fisher
/// 1935, Journal of the Royal Statistical Society 98(1); two-sided form: Freeman and Halton 1951, Biometrika 38.
///
/// # Panics
/// If a side has more successes than trials.
pub fn fisher_p(first: (u64, u64), second: (u64, u64)) -> f64 {
    assert!(first.0 <= first.1 && second.0 <= second.1, "invariant: a success is a trial");
    let (successes, trials) = (first.0 + second.0, first.1 + second.1);
    let all = ln_choose(trials, successes);
    let ln_probability = |k: u64| ln_choose(first.1, k) + ln_choose(second.1, successes - k) - all;
    let observed = ln_probability(first.0) + EQUAL;
    let possible = successes.saturating_sub(second.1)..=successes.min(first.1);
    possible.map(ln_probability).filter(|ln| *ln <= observed).map(f64::exp).sum::<f64>().min(1.0)
}

/// The probability of `k` heads in `n` throws; exact for `n` up to 50.
pub(super) fn binomial_half(n: u64, k: u64) -> f64 {
    if n > 50 {
        return (ln_choose(n, k) - n as f64 * std::f64::consts::LN_2).exp();
    }
    let ways = (1..=k).fold(1u64, |ways, i| ways * (n - k + i) / i);
    ways as f64 / (1u64 << n) as f64
}

/// The logarithm of the binomial coefficient.
fn ln_choose(n: u64, k: u64) -> f64 {
    let ln_factorial = |n: u64| lgamma(n as f64 + 1.0);
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn no_difference_is_no_evidence() {
        assert_eq!(mcnemar_p(0, 0), 1.0);
        assert_eq!(fisher_p((0, 0), (0, 0)), 1.0);
        assert!((fisher_p((0, 5), (0, 9)) - 1.0).abs() < 1e-12);
    }

    /// Fisher 1935, the lady tasting tea: three of four cups found.
    #[test]
    fn the_lady_tasting_tea() {
        assert!((fisher_p((3, 4), (1, 4)) - 34.0 / 70.0).abs() < 1e-12);
        assert!((fisher_p((4, 4), (0, 4)) - 2.0 / 70.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn sides_may_be_swapped(a in 0u64..40, b in 0u64..40, m in 0u64..40, n in 0u64..40) {
            prop_assert_eq!(mcnemar_p(a, b), mcnemar_p(b, a));
            let (one, other) = ((a.min(m), m), (b.min(n), n));
            prop_assert!((fisher_p(one, other) - fisher_p(other, one)).abs() < 1e-9);
            prop_assert!((0.0..=1.0).contains(&mcnemar_p(a, b)) && (0.0..=1.0).contains(&fisher_p(one, other)));
        }

        #[test]
        fn pairs_that_differ_more_one_sidedly_are_stronger_evidence(k in 0u64..30, more in 0u64..60) {
            let n = 2 * k + 2 + more;
            prop_assert!(mcnemar_p(k, n - k) <= mcnemar_p(k + 1, n - k - 1));
        }
    }
}
