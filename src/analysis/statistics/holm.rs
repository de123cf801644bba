//! Holm's correction for multiple tests.

/// Adjusts each p for all of them, in the given order. Rejecting adjusted p below a level bounds the familywise error rate by
/// that level under any dependence.
///
/// With m values sorted in ascending order, the i-th becomes min(1, max over j ≤ i of (m − j + 1) p_j). Source: Holm 1979, "A
/// simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6(2).
///
/// ```
/// assert_eq!(ekklesia::analysis::statistics::holm_adjusted_p(&[0.5, 0.01, 0.25]), [0.5, 0.03, 0.5]);
/// ```
pub fn holm_adjusted_p(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut least = 0.0f64;
    for (rank, place) in order.into_iter().enumerate() {
        least = least.max((p.len() - rank) as f64 * p[place]).min(1.0);
        adjusted[place] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_single_test_is_left_as_it_is() {
        assert_eq!(holm_adjusted_p(&[0.04]), [0.04]);
        assert_eq!(holm_adjusted_p(&[]), [0.0; 0]);
    }

    proptest! {
        #[test]
        fn adjusting_keeps_the_order_and_makes_no_p_smaller(p in prop::collection::vec(0.0..=1.0, 1..12)) {
            let adjusted = holm_adjusted_p(&p);
            for (place, one) in p.iter().enumerate() {
                prop_assert!(*one <= adjusted[place] && adjusted[place] <= (one * p.len() as f64).min(1.0));
                for (other_place, other) in p.iter().enumerate() {
                    prop_assert!(one > other || adjusted[place] <= adjusted[other_place]);
                }
            }
        }
    }
}
