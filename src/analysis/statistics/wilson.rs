//! Wilson's score interval of a share.

use crate::analysis::statistics::Interval;

/// The 97.5 % point of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % score interval of a share, without continuity correction; `None` without a trial.
///
/// With p = s / n and q = 1 − p: (2np + z² ± z √(z² + 4npq)) / (2 (n + z²)). Source: Wilson 1927, JASA 22(158); method 3 of
/// Newcombe 1998, Statistics in Medicine 17(8).
///
/// ```
/// let share = ekklesia::analysis::statistics::wilson_interval(81, 263).unwrap();
/// assert_eq!(format!("{:.4} – {:.4}", share.low, share.high), "0.2553 – 0.3662");
/// ```
///
/// # Panics
/// If there are more successes than trials.
pub fn wilson_interval(successes: u64, trials: u64) -> Option<Interval> {
    assert!(successes <= trials, "invariant: a success is a trial");
    if trials == 0 {
        return None;
    }
    let (s, n, zz) = (successes as f64, trials as f64, Z * Z);
    let spread = Z * (zz + 4.0 * s * (n - s) / n).sqrt();
    let width = 2.0 * (n + zz);
    Some(Interval {
        // At the edges the formula gives exactly 0 and 1; rounding must not move them.
        low: if successes == 0 { 0.0 } else { (2.0 * s + zz - spread) / width },
        high: if successes == trials { 1.0 } else { (2.0 * s + zz + spread) / width },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Table I of Newcombe 1998, method 3.
    #[test]
    fn the_intervals_are_those_of_newcombe() {
        let cases = [
            (81, 263, "0.2553", "0.3662"),
            (15, 148, "0.0624", "0.1605"),
            (0, 20, "0.0000", "0.1611"),
            (1, 29, "0.0061", "0.1718"),
        ];
        for (successes, trials, low, high) in cases {
            let interval = wilson_interval(successes, trials).unwrap();
            assert_eq!((format!("{:.4}", interval.low), format!("{:.4}", interval.high)), (low.into(), high.into()));
        }
    }

    #[test]
    fn no_trial_has_no_interval() {
        assert_eq!(wilson_interval(0, 0), None);
    }

    proptest! {
        #[test]
        fn the_share_lies_inside_and_failures_mirror_successes(trials in 1u64..1_000_000, part: u64) {
            let successes = part % (trials + 1);
            let share = successes as f64 / trials as f64;
            let Interval { low, high } = wilson_interval(successes, trials).unwrap();
            prop_assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
            let mirror = wilson_interval(trials - successes, trials).unwrap();
            prop_assert!((mirror.low - (1.0 - high)).abs() < 1e-12);
            prop_assert!((mirror.high - (1.0 - low)).abs() < 1e-12);
        }
    }
}
