//! Rules that decide an amount: the mean and the median of the amounts named.

/// The mean of weighted amounts, rounded half up to a whole number; `None` without any.
///
/// ```
/// use ekklesia::choice::mean;
///
/// assert_eq!(mean(&[(1, 1), (2, 1)]), Some(2));
/// assert_eq!(mean(&[(1, 2), (2, 1)]), Some(1));
/// ```
pub fn mean(amounts: &[(u32, u64)]) -> Option<u32> {
    let weight: u128 = amounts.iter().map(|(_, weight)| u128::from(*weight)).sum();
    let sum: u128 = amounts.iter().map(|(amount, weight)| u128::from(*amount) * u128::from(*weight)).sum();
    // The mean is at most the greatest amount.
    (weight > 0).then(|| ((2 * sum + weight) / (2 * weight)) as u32)
}

/// The median of weighted amounts, for an even number the mean of the two middle ones, rounded half up; `None` without any. With
/// single-peaked preferences no amount beats the median by majority. Source: Black 1948, "On the rationale of group
/// decision-making", Journal of Political Economy 56(1).
///
/// ```
/// use ekklesia::choice::median;
///
/// assert_eq!(median(&[(9, 1), (1, 1), (2, 1)]), Some(2));
/// assert_eq!(median(&[(1, 1), (4, 1)]), Some(3));
/// ```
pub fn median(amounts: &[(u32, u64)]) -> Option<u32> {
    let mut sorted = amounts.to_vec();
    sorted.sort_unstable();
    let weight: u128 = sorted.iter().map(|(_, weight)| u128::from(*weight)).sum();
    let at = |place: u128| {
        let mut before = 0;
        sorted.iter().find_map(|(amount, weight)| {
            before += u128::from(*weight);
            (before > place).then_some(u64::from(*amount))
        })
    };
    let (low, high) = (at(weight.checked_sub(1)? / 2)?, at(weight / 2)?);
    Some((low + high).div_ceil(2) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_amounts() -> impl Strategy<Value = Vec<u32>> {
        prop::collection::vec(prop_oneof![0u32..9, any::<u32>()], 1..12)
    }

    fn once(amounts: &[u32]) -> Vec<(u32, u64)> {
        amounts.iter().map(|amount| (*amount, 1)).collect()
    }

    #[test]
    fn without_amounts_there_is_no_middle() {
        assert_eq!((mean(&[]), median(&[]), mean(&[(3, 0)]), median(&[(3, 0)])), (None, None, None, None));
    }

    #[test]
    fn of_an_even_number_the_middle_is_the_mean_of_two() {
        let cases = [
            (vec![7], 7),
            (vec![9, 1], 5),
            (vec![4, 1], 3),
            (vec![u32::MAX, u32::MAX, 0], u32::MAX),
            (vec![1190, 1207, 1100, 1500, 1198], 1198),
        ];
        for (amounts, middle) in cases {
            assert_eq!(median(&once(&amounts)), Some(middle), "{amounts:?}");
        }
    }

    /// Galton 1907, "Vox populi": the middlemost of the estimates of an ox was 1207 pounds, their mean 1197.
    #[test]
    fn the_middle_of_an_even_number_is_rounded_half_up() {
        assert_eq!((median(&once(&[1200, 1207])), mean(&once(&[1200, 1207]))), (Some(1204), Some(1204)));
    }

    proptest! {
        #[test]
        fn the_middle_lies_within_and_half_of_all_on_each_side_of_the_median(amounts in any_amounts()) {
            let (least, most) = (*amounts.iter().min().unwrap(), *amounts.iter().max().unwrap());
            let (mean, median) = (mean(&once(&amounts)).unwrap(), median(&once(&amounts)).unwrap());
            prop_assert!((least..=most).contains(&mean) && (least..=most).contains(&median));
            let (below, above) = (amounts.iter().filter(|a| **a < median).count(), amounts.iter().filter(|a| **a > median).count());
            prop_assert!(2 * below <= amounts.len() && 2 * above <= amounts.len());
            let sum: u64 = amounts.iter().map(|amount| u64::from(*amount)).sum();
            prop_assert_eq!(u64::from(mean), (2 * sum + amounts.len() as u64) / (2 * amounts.len() as u64));
        }

        #[test]
        fn a_weight_is_so_many_equal_amounts(amounts in prop::collection::vec((any::<u32>(), 0u64..4), 1..9)) {
            let each: Vec<u32> = amounts.iter().flat_map(|(amount, weight)| vec![*amount; *weight as usize]).collect();
            prop_assert_eq!(mean(&amounts), mean(&once(&each)));
            prop_assert_eq!(median(&amounts), median(&once(&each)));
        }
    }
}
