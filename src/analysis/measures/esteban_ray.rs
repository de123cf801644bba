//! Esteban and Ray's polarisation: high for few large groups that are far apart.
//!
//! A group consists of all who share a position.

use std::collections::BTreeMap;

/// Σᵢ Σⱼ pᵢ^(1+α) pⱼ |xᵢ − xⱼ| over the distinct positions, with the share pᵢ at xᵢ. Positions are integers; xᵢ is the position
/// divided by `scale`.
///
/// The minimum is 0 (one position). For α from 1 to 1.6 the maximum has half at each end. `None` without a position. Source:
/// Esteban and Ray 1994, "On the measurement of polarization", Econometrica 62, with K = 1.
pub fn esteban_ray(positions: &[u32], scale: u32, alpha: f64) -> Option<f64> {
    let mut groups: BTreeMap<u32, u64> = BTreeMap::new();
    positions.iter().for_each(|position| *groups.entry(*position).or_default() += 1);
    let n = positions.len() as f64;
    let groups: Vec<(f64, f64)> =
        groups.into_iter().map(|(place, count)| (f64::from(place) / f64::from(scale), count as f64 / n)).collect();
    // In ascending order, two running sums give the sum of distances weighted by shares.
    let (shares, moments) = groups.iter().fold((0.0, 0.0), |(shares, moments), (x, p)| (shares + p, moments + p * x));
    let (mut shares_before, mut moments_before, mut sum) = (0.0, 0.0, 0.0);
    for (x, p) in &groups {
        let (shares_behind, moments_behind) = (shares - shares_before - p, moments - moments_before - p * x);
        let away = x * shares_before - moments_before + moments_behind - x * shares_behind;
        sum += libm::pow(*p, 1.0 + alpha) * away;
        shares_before += p;
        moments_before += p * x;
    }
    (!positions.is_empty()).then(|| sum.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_halves_at_the_ends_have_the_polarisation_of_the_literature() {
        let halves = [0, 0, 10, 10];
        assert_eq!(esteban_ray(&halves, 10, 1.0), Some(0.25));
        let value = esteban_ray(&halves, 10, 1.3).unwrap();
        assert!((value - 0.203_063).abs() < 5e-7, "{value}");
        assert_eq!(esteban_ray(&[4, 4], 10, 1.3), Some(0.0));
        assert_eq!(esteban_ray(&[], 10, 1.3), None);
    }

    proptest! {
        #[test]
        fn it_equals_its_definition_by_pairs_and_is_the_same_mirrored(positions in prop::collection::vec(0u32..=20, 1..30)) {
            let n = positions.len() as f64;
            let share = |place: u32| positions.iter().filter(|other| **other == place).count() as f64 / n;
            let mut expected = 0.0;
            for a in 0..=20 {
                for b in 0..=20 {
                    expected += share(a).powf(2.3) * share(b) * f64::from(u32::abs_diff(a, b)) / 20.0;
                }
            }
            let value = esteban_ray(&positions, 20, 1.3).unwrap();
            prop_assert!((value - expected).abs() < 1e-12, "{value} {expected}");
            let mirrored: Vec<u32> = positions.iter().map(|place| 20 - place).collect();
            prop_assert!((esteban_ray(&mirrored, 20, 1.3).unwrap() - value).abs() < 1e-12);
            prop_assert!(value <= 0.203_063_1);
        }
    }
}
