//! Means, medians and population variances.

/// `None` without amounts.
pub fn mean(amounts: &[u64]) -> Option<f64> {
    (!amounts.is_empty()).then(|| amounts.iter().copied().map(u128::from).sum::<u128>() as f64 / amounts.len() as f64)
}

/// `None` without numbers.
pub fn mean_of(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().fold(0.0, |sum, number| sum + number) / numbers.len() as f64)
}

/// The population variance Σ (x − x̄)² / n; `None` without numbers.
pub fn variance(numbers: &[f64]) -> Option<f64> {
    let mean = mean_of(numbers)?;
    mean_of(&numbers.iter().map(|number| (number - mean) * (number - mean)).collect::<Vec<f64>>())
}

/// The middle number, or the mean of the two middle numbers; `None` without numbers.
pub fn median_of(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() % 2 {
        _ if sorted.is_empty() => None,
        0 => Some((sorted[half - 1] + sorted[half]) / 2.0),
        _ => Some(sorted[half]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_three_numbers_are_those_computed_by_hand() {
        assert_eq!(mean_of(&[1.0, 2.0, 6.0]), Some(3.0));
        assert_eq!(variance(&[1.0, 2.0, 6.0]), Some(14.0 / 3.0));
        assert_eq!(median_of(&[6.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median_of(&[6.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!((mean_of(&[]), variance(&[]), median_of(&[]), mean(&[])), (None, None, None, None));
    }
}
