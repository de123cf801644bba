//! Fleiss' κ: agreement of several raters on categories, beyond chance.
//!
//! Every unit needs the same number of ratings. Otherwise, use Krippendorff's α.

/// Fleiss' κ: (P̄ − P̄ₑ) / (1 − P̄ₑ), at most 1. Each row is a unit and holds the number of ratings per category.
///
/// `None` without a unit, if units differ in their number of ratings or have fewer than two, and if all ratings share one
/// category. Source: Fleiss 1971, "Measuring nominal scale agreement among many raters".
pub fn fleiss_kappa(units: &[Vec<u32>]) -> Option<f64> {
    let ratings = |unit: &Vec<u32>| unit.iter().map(|count| u64::from(*count)).sum::<u64>();
    let n = ratings(units.first()?);
    if n < 2 || units.iter().any(|unit| ratings(unit) != n) {
        return None;
    }
    let categories = units.iter().map(Vec::len).max().unwrap_or(0);
    let all = (n * units.len() as u64) as f64;
    let mut by_chance = 0.0;
    for category in 0..categories {
        let count: u64 = units.iter().map(|unit| unit.get(category).copied().map_or(0, u64::from)).sum();
        by_chance += (count as f64 / all) * (count as f64 / all);
    }
    let agreeing: u64 =
        units.iter().flatten().map(|count| u64::from(*count) * u64::from(count.saturating_sub(1))).sum();
    let agreement = agreeing as f64 / ((n - 1) as f64 * all);
    (by_chance < 1.0).then(|| (agreement - by_chance) / (1.0 - by_chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten units, fourteen raters, five categories.
    const TEXTBOOK: [[u32; 5]; 10] = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];

    #[test]
    fn the_textbook_example_has_the_published_kappa() {
        let value = fleiss_kappa(&TEXTBOOK.map(|unit| unit.to_vec())).unwrap();
        assert!((value - 0.210).abs() < 5e-4, "{value}");
    }

    #[test]
    fn it_is_one_where_all_agree_and_undefined_where_nothing_differs_or_ratings_lack() {
        assert_eq!(fleiss_kappa(&[vec![3, 0], vec![0, 3]]), Some(1.0));
        assert_eq!(fleiss_kappa(&[vec![3, 0], vec![3, 0]]), None);
        assert_eq!(fleiss_kappa(&[vec![3, 0], vec![1, 1]]), None);
        assert_eq!(fleiss_kappa(&[]), None);
    }
}
