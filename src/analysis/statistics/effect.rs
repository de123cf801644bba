//! Effect sizes, correlation and moments.

/// Pearson's correlation of two sides over their pairs; `None` for fewer than three pairs and if a side does not vary.
///
/// Σ (a − ā)(b − b̄) / √(Σ (a − ā)² Σ (b − b̄)²). Two pairs always lie on a line. Source: Pearson 1896, Philosophical
/// Transactions of the Royal Society A 187.
///
/// # Panics
/// If the sides differ in length.
pub fn pearson_correlation(first: &[f64], second: &[f64]) -> Option<f64> {
    assert_eq!(first.len(), second.len(), "invariant: a pair has two sides");
    if first.len() < 3 || is_constant(first) || is_constant(second) {
        return None;
    }
    let (mean_a, mean_b) = (mean(first)?, mean(second)?);
    let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
    for (a, b) in first.iter().zip(second) {
        let (a, b) = (a - mean_a, b - mean_b);
        (aa, bb, ab) = (aa + a * a, bb + b * b, ab + a * b);
    }
    let spread = (aa * bb).sqrt();
    (spread > 0.0).then(|| (ab / spread).clamp(-1.0, 1.0))
}

/// Cohen's d_z: the mean of differences in units of their standard deviation (n − 1); `None` if they do not vary.
///
/// d_z grows with the correlation of the two sides, so compare it only within one design. Source: Cohen 1988, "Statistical power
/// analysis for the behavioral sciences", section 2.3.5; Lakens 2013, Frontiers in Psychology 4:863.
pub fn cohen_dz(differences: &[f64]) -> Option<f64> {
    if differences.len() < 2 || is_constant(differences) {
        return None;
    }
    Some(mean(differences)? / (sum_of_squares(differences) / (differences.len() - 1) as f64).sqrt())
}

/// Cohen's d of independent groups: a difference of means in units of the pooled standard deviation within groups; `None` if
/// nothing varies within groups.
///
/// Source: Cohen 1988, section 2.2.
pub fn cohen_d(difference: f64, groups: &[&[f64]]) -> Option<f64> {
    let within: f64 = groups.iter().filter(|group| !is_constant(group)).map(|group| sum_of_squares(group)).sum();
    let freedom: usize = groups.iter().map(|group| group.len().saturating_sub(1)).sum();
    (within > 0.0 && freedom > 0).then(|| difference / (within / freedom as f64).sqrt())
}

/// Fisher's k-statistics: unbiased estimates of the variance and the third central moment; `None` for fewer than three values.
/// The third moment divided by the variance to the power 3/2 is the adjusted skewness of statistics packages.
///
/// Source: Fisher 1930, "Moments and product moments of sampling distributions", Proceedings of the London Mathematical Society 30.
pub fn central_moments(values: &[f64]) -> Option<(f64, f64)> {
    let (n, centre) = (values.len() as f64, mean(values).filter(|_| values.len() > 2)?);
    let cubes: f64 = values.iter().map(|value| (value - centre).powi(3)).sum();
    Some((sum_of_squares(values) / (n - 1.0), n * cubes / ((n - 1.0) * (n - 2.0))))
}

/// The mean; `None` without values. Rounding cannot move it beyond the extremes.
pub fn mean(values: &[f64]) -> Option<f64> {
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    Some((values.iter().sum::<f64>() / values.len() as f64).clamp(least, most))
}

/// Whether all values are equal; true without values.
pub fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

/// The sum of squared deviations from the mean.
fn sum_of_squares(values: &[f64]) -> f64 {
    let centre = mean(values).unwrap_or(0.0);
    values.iter().map(|value| (value - centre) * (value - centre)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_does_not_vary_has_no_effect_size_and_no_correlation() {
        assert_eq!(cohen_dz(&[0.1, 0.1, 0.1]), None);
        assert_eq!(cohen_d(1.0, &[&[0.1, 0.1], &[0.3, 0.3, 0.3]]), None);
        assert_eq!(pearson_correlation(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(pearson_correlation(&[1.0, 2.0], &[1.0, 2.0]), None);
        assert_eq!(central_moments(&[1.0, 2.0]), None);
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[0.1, 0.1, 0.1]), Some(0.1));
    }

    proptest! {
        #[test]
        fn a_correlation_is_symmetric_and_keeps_its_size_under_scaling(
            pairs in prop::collection::vec((-100.0..100.0, -100.0..100.0), 3..30), scale in 0.1..10.0, shift in -10.0..10.0,
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let moved: Vec<f64> = b.iter().map(|b| shift - scale * b).collect();
            if let (Some(r), Some(mirrored)) = (pearson_correlation(&a, &b), pearson_correlation(&a, &moved)) {
                prop_assert!((-1.0..=1.0).contains(&r) && (r + mirrored).abs() < 1e-9);
                prop_assert!((r - pearson_correlation(&b, &a).unwrap()).abs() < 1e-12);
            }
        }
    }
}
