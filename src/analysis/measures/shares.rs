//! Distributions of counts over alternatives: shares, entropy, agreement of pairs. Alternatives with count 0 are included.

/// The greatest share: max p.
///
/// `None` if all counts are 0.
pub fn modal_share(counts: &[u32]) -> Option<f64> {
    let n = total_count(counts);
    let top = counts.iter().copied().max().unwrap_or(0);
    (n > 0).then(|| f64::from(top) / n as f64)
}

/// The indices of the greatest count: several on a tie, none if all counts are 0.
pub fn modal_places(counts: &[u32]) -> impl Iterator<Item = usize> + '_ {
    let top = counts.iter().copied().max().unwrap_or(0);
    counts.iter().enumerate().filter(move |(_, count)| top > 0 && **count == top).map(|(place, _)| place)
}

/// The index of the greatest count; `None` on a tie or if all counts are 0.
pub fn single_mode(counts: &[u32]) -> Option<usize> {
    let mut places = modal_places(counts);
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

/// The only index whose count is more than half of `ballots`.
///
/// `None` also if several are, which is possible if ballots name several alternatives.
pub fn absolute_majority(counts: &[u32], ballots: u32) -> Option<usize> {
    let is_more = |place: &usize| 2 * u64::from(counts[*place]) > u64::from(ballots);
    let mut places = (0..counts.len()).filter(is_more);
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

/// Shannon's entropy over its maximum: −Σ p ln p / ln K for K alternatives, from 0 (unanimous) to 1 (uniform).
///
/// `None` if all counts are 0 or K is below 2.
pub fn entropy_norm(counts: &[u32]) -> Option<f64> {
    let n = total_count(counts);
    if n == 0 || counts.len() < 2 {
        return None;
    }
    let mut sum = 0.0;
    for count in counts.iter().filter(|count| **count > 0) {
        let p = f64::from(*count) / n as f64;
        sum -= p * libm::log(p);
    }
    Some(sum / libm::log(counts.len() as f64))
}

/// The effective number of alternatives: 1 / Σ p², from 1 (unanimous) to K (uniform).
///
/// `None` if all counts are 0. Source: Laakso and Taagepera 1979, "Effective" number of parties.
pub fn effective_options(counts: &[u32]) -> Option<f64> {
    let n = total_count(counts);
    let squares: u128 = counts.iter().map(|count| u128::from(*count) * u128::from(*count)).sum();
    (n > 0).then(|| (u128::from(n) * u128::from(n)) as f64 / squares as f64)
}

/// The share of pairs that agree: Σ c(c−1) / (n(n−1)).
///
/// `None` for a total below 2.
pub fn pair_agreement(counts: &[u32]) -> Option<f64> {
    let n = total_count(counts);
    if n < 2 {
        return None;
    }
    let agreeing: u64 = counts.iter().map(|count| u64::from(*count) * u64::from(count.saturating_sub(1))).sum();
    Some(agreeing as f64 / (n * (n - 1)) as f64)
}

/// The greatest count minus the second greatest; `None` for fewer than two alternatives.
pub fn winning_margin(counts: &[u32]) -> Option<u32> {
    let (mut first, mut second) = (0, 0);
    for count in counts.iter().copied() {
        if count > first {
            (first, second) = (count, first);
        } else if count > second {
            second = count;
        }
    }
    (counts.len() >= 2).then_some(first - second)
}

/// `number` divided by `of`; `None` if `of` is 0.
pub fn share_of(number: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| number as f64 / of as f64)
}

fn total_count(counts: &[u32]) -> u64 {
    counts.iter().map(|count| u64::from(*count)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(value: Option<f64>, expected: f64) {
        let value = value.expect("defined");
        assert!((value - expected).abs() < 5e-7, "{value} is not {expected}");
    }

    #[test]
    fn four_against_one_of_four_has_the_entropy_of_the_literature() {
        close(entropy_norm(&[4, 1, 0, 0]), 0.360_964);
    }

    #[test]
    fn shares_and_pairs_of_three_to_two_are_those_computed_by_hand() {
        close(modal_share(&[3, 2]), 0.6);
        close(pair_agreement(&[3, 2]), 0.4);
        close(effective_options(&[3, 2]), 25.0 / 13.0);
        close(effective_options(&[2, 2, 0]), 2.0);
        assert_eq!(winning_margin(&[3, 2]), Some(1));
    }

    #[test]
    fn what_is_undefined_is_none() {
        assert_eq!(modal_share(&[0, 0]), None);
        assert_eq!(effective_options(&[]), None);
    }

    #[test]
    fn a_tie_has_no_single_mode_and_half_is_no_majority() {
        assert_eq!(single_mode(&[2, 2, 1]), None);
        assert_eq!(modal_places(&[2, 2, 1]).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(absolute_majority(&[2, 2], 4), None);
        assert_eq!(absolute_majority(&[2, 3], 5), Some(1));
        assert_eq!(absolute_majority(&[0, 0], 0), None);
    }

    #[test]
    fn ballots_that_name_several_are_counted_once_and_may_make_two_majorities_which_are_none() {
        assert_eq!(absolute_majority(&[2, 3, 0], 4), Some(1));
        assert_eq!(absolute_majority(&[4, 3], 5), None);
        assert_eq!(absolute_majority(&[2, 1], 4), None);
    }

    proptest! {
        #[test]
        fn every_share_lies_between_zero_and_one(counts in prop::collection::vec(0u32..50, 2..8)) {
            for value in [modal_share(&counts), entropy_norm(&counts), pair_agreement(&counts)].into_iter().flatten() {
                prop_assert!((0.0..=1.0 + 1e-12).contains(&value));
            }
        }

        #[test]
        fn one_option_at_least_counts_and_all_of_them_at_the_most(counts in prop::collection::vec(0u32..50, 1..8)) {
            if let Some(value) = effective_options(&counts) {
                let chosen = counts.iter().filter(|count| **count > 0).count();
                prop_assert!((1.0 - 1e-12..=chosen as f64 + 1e-12).contains(&value));
            }
        }
    }
}
