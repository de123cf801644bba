//! The ends of a bootstrap interval, from the numbers that resamples gave.

use crate::statistics::normal::{normal_cdf, normal_quantile};
use crate::statistics::{Group, Interval, is_constant, mean, quantile};

/// The probabilities at the ends of a 95 % interval.
const ENDS: (f64, f64) = (0.025, 0.975);

/// The 95 % percentile interval of sorted bootstrap numbers: their quantiles at 2.5 % and 97.5 %; `None` of none.
///
/// Source: Efron and Tibshirani 1993, "An introduction to the bootstrap", chapter 13. With few values it is too narrow: it has
/// neither the factor √(n / (n − 1)) nor Student's longer tails.
pub fn percentile_interval(sorted: &[f64]) -> Option<Interval> {
    Some(Interval { low: quantile(sorted, ENDS.0)?, high: quantile(sorted, ENDS.1)? })
}

/// The 95 % interval of sorted bootstrap numbers, bias-corrected and accelerated; `None` where it is undefined: nothing varies, or
/// the observed number lies outside all resamples.
///
/// The correction is the normal quantile of the part of numbers below the observed one, half of the ties counted; the acceleration
/// is from the jackknife of each group. Source: Efron 1987, "Better bootstrap confidence intervals", JASA 82(397); for several
/// groups Davison and Hinkley 1997, "Bootstrap methods and their application", chapter 5.
pub fn bca_interval(sorted: &[f64], observed: f64, groups: &[Group]) -> Option<Interval> {
    let below = sorted.partition_point(|number| *number < observed);
    let up_to = sorted.partition_point(|number| *number <= observed);
    let bias = normal_quantile((below + up_to) as f64 / (2 * sorted.len()) as f64);
    let acceleration = acceleration(groups)?;
    let end = |probability: f64| {
        let z = bias + normal_quantile(probability);
        let corrected = normal_cdf(bias + z / (1.0 - acceleration * z));
        corrected.is_finite().then(|| quantile(sorted, corrected)).flatten()
    };
    bias.is_finite().then_some(())?;
    Some(Interval { low: end(ENDS.0)?, high: end(ENDS.1)? })
}

/// Σ u³ / n³ over 6 (Σ u² / n²)^(3/2), with u the weighted distance of each value from its group's mean.
fn acceleration(groups: &[Group]) -> Option<f64> {
    let (mut cubes, mut squares) = (0.0, 0.0);
    for Group { weight, values } in groups.iter().filter(|group| !is_constant(&group.values)) {
        let (centre, n) = (mean(values)?, values.len() as f64);
        for value in values {
            let u = weight * (value - centre) / n;
            (cubes, squares) = (cubes + u * u * u, squares + u * u);
        }
    }
    (squares > 0.0).then(|| cubes / (6.0 * squares.powf(1.5)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_vary_has_no_corrected_interval() {
        let groups = [Group { weight: 1.0, values: vec![2.0; 5] }];
        assert_eq!(bca_interval(&[2.0; 100], 2.0, &groups), None);
        assert_eq!(percentile_interval(&[2.0; 100]), Some(Interval { low: 2.0, high: 2.0 }));
    }

    #[test]
    fn symmetric_values_need_next_to_no_correction() {
        let groups = [Group { weight: 1.0, values: vec![-2.0, -1.0, 0.0, 1.0, 2.0] }];
        let sorted: Vec<f64> = (-500..=500).map(f64::from).collect();
        let (corrected, plain) = (bca_interval(&sorted, 0.0, &groups).unwrap(), percentile_interval(&sorted).unwrap());
        assert!((corrected.low - plain.low).abs() < 1e-9 && (corrected.high - plain.high).abs() < 1e-9);
    }
}
