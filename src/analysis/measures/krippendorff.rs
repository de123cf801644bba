//! Krippendorff's α: reliability of several raters' values for units.
//!
//! Missing values are left out. A unit with one value is ignored.

use std::collections::BTreeMap;

/// The level of measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasurementLevel {
    /// Values are equal or not.
    Nominal,
    /// Values are ordered.
    Ordinal,
    /// Values have comparable differences.
    Interval,
}

/// Krippendorff's α = 1 − D_o / D_e, observed over expected disagreement: 1 is perfect, 0 is chance, below 0 is worse. Each unit
/// lists its values.
///
/// `None` without a unit of two values, and if all pairable values are equal. Source: Krippendorff 2011, "Computing
/// Krippendorff's alpha-reliability".
pub fn krippendorff_alpha(units: &[Vec<u32>], level: MeasurementLevel) -> Option<f64> {
    let units: Vec<&Vec<u32>> = units.iter().filter(|unit| unit.len() > 1).collect();
    let mut totals: BTreeMap<u32, u64> = BTreeMap::new();
    units.iter().flat_map(|unit| unit.iter()).for_each(|value| *totals.entry(*value).or_default() += 1);
    let values: Vec<(u32, f64)> = totals.iter().map(|(value, count)| (*value, *count as f64)).collect();
    let place: BTreeMap<u32, usize> = values.iter().zip(0..).map(|((value, _), place)| (*value, place)).collect();
    let n: f64 = values.iter().map(|(_, count)| count).sum();
    let mut expected = 0.0;
    for (a, (_, count)) in values.iter().enumerate() {
        for (b, (_, other)) in values.iter().enumerate() {
            expected += count * other * squared_distance(&values, (a, b), level);
        }
    }
    if expected <= 0.0 {
        return None;
    }
    let mut observed = 0.0;
    for unit in units {
        let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
        unit.iter().for_each(|value| *counts.entry(place[value]).or_default() += 1.0);
        let mut apart = 0.0;
        for (a, count) in &counts {
            for (b, other) in &counts {
                apart += count * other * squared_distance(&values, (*a, *b), level);
            }
        }
        observed += apart / (unit.len() as f64 - 1.0);
    }
    Some(1.0 - (n - 1.0) * observed / expected)
}

/// The squared difference of two values, given by index.
fn squared_distance(values: &[(u32, f64)], (a, b): (usize, usize), level: MeasurementLevel) -> f64 {
    let (low, high) = (a.min(b), a.max(b));
    let apart = match level {
        _ if low == high => 0.0,
        MeasurementLevel::Nominal => 1.0,
        MeasurementLevel::Ordinal => {
            let between: f64 = values[low..=high].iter().map(|(_, count)| count).sum();
            between - (values[low].1 + values[high].1) / 2.0
        }
        MeasurementLevel::Interval => f64::from(values[high].0) - f64::from(values[low].0),
    };
    apart * apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Four observers and twelve units, as published; 0 is missing.
    const CANONICAL: [[u32; 12]; 4] = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ];

    #[test]
    fn the_canonical_data_has_the_published_alphas() {
        let unit = |place: usize| CANONICAL.iter().map(|row| row[place]).filter(|value| *value > 0).collect();
        let units: Vec<Vec<u32>> = (0..12).map(unit).collect();
        for (level, expected) in [
            (MeasurementLevel::Nominal, 0.743),
            (MeasurementLevel::Ordinal, 0.815),
            (MeasurementLevel::Interval, 0.849),
        ] {
            let value = krippendorff_alpha(&units, level).unwrap();
            assert!((value - expected).abs() < 5e-4, "{level:?}: {value}");
        }
    }

    #[test]
    fn it_is_undefined_without_pairs_and_without_a_difference() {
        assert_eq!(krippendorff_alpha(&[vec![1], vec![2]], MeasurementLevel::Nominal), None);
        assert_eq!(krippendorff_alpha(&[vec![3, 3], vec![3, 3]], MeasurementLevel::Interval), None);
        assert_eq!(krippendorff_alpha(&[], MeasurementLevel::Nominal), None);
    }

    proptest! {
        #[test]
        fn one_is_the_most_and_agreement_within_units_has_it(units in prop::collection::vec((0u32..5, 2usize..5), 2..8)) {
            let same: Vec<Vec<u32>> = units.iter().map(|(value, n)| vec![*value; *n]).collect();
            for level in [MeasurementLevel::Nominal, MeasurementLevel::Ordinal, MeasurementLevel::Interval] {
                if let Some(value) = krippendorff_alpha(&same, level) {
                    prop_assert!((value - 1.0).abs() < 1e-12);
                }
            }
        }

        #[test]
        fn names_of_nominal_values_and_the_scale_of_intervals_do_not_matter(units in prop::collection::vec(prop::collection::vec(0u32..4, 1..5), 2..8)) {
            let map = |change: fn(u32) -> u32| -> Vec<Vec<u32>> {
                units.iter().map(|unit| unit.iter().map(|value| change(*value)).collect()).collect()
            };
            let close = |a: Option<f64>, b: Option<f64>| a.zip(b).map_or(a == b, |(a, b)| (a - b).abs() < 1e-9);
            let renamed = krippendorff_alpha(&map(|value| (value * 3 + 2) % 7), MeasurementLevel::Nominal);
            prop_assert!(close(krippendorff_alpha(&units, MeasurementLevel::Nominal), renamed));
            let scaled = krippendorff_alpha(&map(|value| value * 7 + 11), MeasurementLevel::Interval);
            prop_assert!(close(krippendorff_alpha(&units, MeasurementLevel::Interval), scaled));
            let stretched = krippendorff_alpha(&map(|value| value * value), MeasurementLevel::Ordinal);
            prop_assert!(close(krippendorff_alpha(&units, MeasurementLevel::Ordinal), stretched));
        }
    }
}
