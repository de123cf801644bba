//! Quantiles of a sample.

/// The quantile of a sorted sample at a probability in [0, 1]; `None` for an empty sample.
///
/// Interpolates linearly between the order statistics around position (n − 1) p, counted from 0. Source: definition 7 of Hyndman
/// and Fan 1996, "Sample quantiles in statistical packages", The American Statistician 50(4); the default of R.
pub fn quantile(sorted: &[f64], probability: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = last as f64 * probability;
    let below = (position as usize).min(last);
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    if position == below as f64 {
        return Some(low);
    }
    // Rounding must not leave the interval between the two neighbours.
    Some((low + (high - low) * (position - below as f64)).clamp(low, high))
}

/// The median of values in any order; `None` without values. No value may be NaN.
///
/// An infinite value is a censored one, beyond all others.
///
/// ```
/// assert_eq!(ekklesia::analysis::statistics::median(&[4.0, 1.0, 3.0, 10.0]), Some(3.5));
/// ```
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_that_stands_before_what_was_cut_off_is_kept() {
        let cut = f64::INFINITY;
        assert_eq!(median(&[1.0, 2.0, 3.0, cut, cut]), Some(3.0));
        assert_eq!(median(&[1.0, cut, 2.0]), Some(2.0));
        assert_eq!(median(&[1.0, cut]), Some(cut));
        assert_eq!(median(&[cut, cut, 1.0]), Some(cut));
    }

    use proptest::prelude::*;

    /// R: `quantile(c(1, 2, 4, 8), c(0, 0.1, 0.5, 0.9, 1))`.
    #[test]
    fn quantiles_are_those_of_r() {
        let expected = [(0.0, 1.0), (0.1, 1.3), (0.5, 3.0), (0.9, 6.8), (1.0, 8.0)];
        for (probability, value) in expected {
            assert!((quantile(&[1.0, 2.0, 4.0, 8.0], probability).unwrap() - value).abs() < 1e-12);
        }
    }

    #[test]
    fn an_odd_sample_has_its_middle_and_an_empty_one_nothing() {
        assert_eq!(median(&[9.0, 1.0, 5.0]), Some(5.0));
        assert_eq!(median(&[]), None);
        assert_eq!(quantile(&[], 0.5), None);
    }

    proptest! {
        #[test]
        fn a_quantile_lies_in_the_sample_and_grows_with_its_probability(
            mut values in prop::collection::vec(-1e6..1e6, 1..30), p in 0.0..=1.0, q in 0.0..=1.0,
        ) {
            values.sort_unstable_by(f64::total_cmp);
            let (lower, upper) = (quantile(&values, f64::min(p, q)).unwrap(), quantile(&values, f64::max(p, q)).unwrap());
            prop_assert!(values[0] <= lower && lower <= upper + 1e-9 && upper <= values[values.len() - 1]);
        }
    }
}
