//! Gini's coefficient of inequality. Zeros count.

/// Gini's coefficient: Σᵢ Σⱼ |xᵢ − xⱼ| / (2 n Σ x), from 0 (equal) to (n−1)/n (one has all).
///
/// `None` if the amounts sum to 0.
pub fn gini(amounts: &[u64]) -> Option<f64> {
    let sum: u64 = amounts.iter().sum();
    if sum == 0 {
        return None;
    }
    let mut sorted = amounts.to_vec();
    sorted.sort_unstable();
    let n = sorted.len() as i128;
    let weighted: i128 =
        sorted.iter().zip(1_i128..).map(|(amount, rank)| (2 * rank - n - 1) * i128::from(*amount)).sum();
    Some(weighted as f64 / (n as f64 * sum as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_speaker_of_four_has_a_gini_of_three_quarters() {
        assert_eq!(gini(&[0, 0, 0, 1]), Some(0.75));
        assert_eq!(gini(&[5, 5, 5]), Some(0.0));
        assert_eq!(gini(&[0, 0]), None);
    }

    proptest! {
        #[test]
        fn gini_equals_its_definition_by_pairs(amounts in prop::collection::vec(0u64..1000, 1..12)) {
            let sum: u64 = amounts.iter().sum();
            let pairs: u64 = amounts.iter().flat_map(|a| amounts.iter().map(move |b| a.abs_diff(*b))).sum();
            match gini(&amounts) {
                None => prop_assert_eq!(sum, 0),
                Some(value) => {
                    let expected = pairs as f64 / (2.0 * amounts.len() as f64 * sum as f64);
                    prop_assert!((value - expected).abs() < 1e-12);
                }
            }
        }
    }
}
