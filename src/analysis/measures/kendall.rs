//! Kendall's concordance: agreement of several rankings of the same alternatives.
//!
//! A ranking lists the ranks of the alternatives. Equal ranks are ties; only the order of ranks counts.

/// The mean over pairs of rankings of Kendall's τ-b, from −1/(m − 1) to 1.
///
/// τ-b is the cosine between the sign vectors of rank differences, so the mean follows from their sum, in m K² steps for m
/// rankings of K alternatives. A ranking that ties all alternatives has no τ and is left out.
///
/// `None` for fewer than two such rankings. Source: Kendall 1945, "The treatment of ties in ranking problems", Biometrika 33.
pub fn mean_kendall_tau(rankings: &[&[u32]]) -> Option<f64> {
    let alternatives = rankings.first().map_or(0, |ranks| ranks.len());
    let mut sums = vec![0.0; alternatives * alternatives.saturating_sub(1) / 2];
    let mut m: f64 = 0.0;
    for ranks in rankings {
        let told_apart = rank_pairs(ranks).filter(|(a, b)| a != b).count();
        if told_apart == 0 {
            continue;
        }
        let length = libm::sqrt(told_apart as f64);
        m += 1.0;
        for (sum, (a, b)) in sums.iter_mut().zip(rank_pairs(ranks)) {
            *sum += rank_sign(a, b) / length;
        }
    }
    let squares = sums.iter().fold(0.0, |all, sum| all + sum * sum);
    (m >= 2.0).then(|| (squares - m) / (m * (m - 1.0)))
}

/// Kendall's W, corrected for ties, from 0 (no agreement) to 1 (equal rankings): 12 S / (m² (K³ − K) − m Σ Tⱼ). S is the sum of
/// squared deviations of the alternatives' sums of mid-ranks from their mean. Tⱼ = Σ (t³ − t) over the groups of t tied
/// alternatives in ranking j.
///
/// `None` for fewer than two rankings or two alternatives, and if every ranking ties all alternatives. Source: Kendall and
/// Babington Smith 1939, "The problem of m rankings".
pub fn kendall_w(rankings: &[&[u32]]) -> Option<f64> {
    let (m, k) = (rankings.len() as i128, rankings.first().map_or(0, |ranks| ranks.len()) as i128);
    if m < 2 || k < 2 {
        return None;
    }
    // Twice the mid-rank is an integer: 2 × smaller ranks + equal ranks + 1.
    let mut sums = vec![0_i128; k as usize];
    let mut ties = 0_i128;
    for ranks in rankings {
        for (sum, rank) in sums.iter_mut().zip(*ranks) {
            let before = ranks.iter().filter(|other| *other < rank).count() as i128;
            let equal = ranks.iter().filter(|other| *other == rank).count() as i128;
            *sum += 2 * before + equal + 1;
            // Each member of a group of t adds t² − 1, together t³ − t.
            ties += equal * equal - 1;
        }
    }
    let total: i128 = sums.iter().sum();
    // Four times S, times K.
    let spread: i128 = k * sums.iter().map(|sum| sum * sum).sum::<i128>() - total * total;
    let most = m * m * (k * k * k - k) - m * ties;
    (most > 0).then(|| 3.0 * spread as f64 / (k * most) as f64)
}

fn rank_pairs(ranks: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    ranks.iter().enumerate().flat_map(|(place, a)| ranks[place + 1..].iter().map(move |b| (*a, *b)))
}

fn rank_sign(a: u32, b: u32) -> f64 {
    match a.cmp(&b) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.0,
        std::cmp::Ordering::Greater => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rankings_that_agree_and_those_reversed_are_at_the_ends() {
        let (up, down) = ([1, 2, 3, 4], [4, 3, 2, 1]);
        assert_eq!(kendall_w(&[&up, &up, &up]), Some(1.0));
        assert_eq!(kendall_w(&[&up, &down]), Some(0.0));
        assert!((mean_kendall_tau(&[&up, &up]).unwrap() - 1.0).abs() < 1e-12);
        assert!((mean_kendall_tau(&[&up, &down]).unwrap() + 1.0).abs() < 1e-12);
        assert!((mean_kendall_tau(&[&up, &[2, 1, 3, 4]]).unwrap() - 4.0 / 6.0).abs() < 1e-12);
    }

    proptest! {
        /// Without ties, W and the mean of Spearman's ρ over pairs are one: ρ̄ = (m W − 1) / (m − 1).
        #[test]
        fn concordance_is_the_mean_correlation_of_ranks(orders in prop::collection::vec(Just([1u32, 2, 3, 4, 5]).prop_shuffle(), 2..6)) {
            let rankings: Vec<&[u32]> = orders.iter().map(|order| order.as_slice()).collect();
            let (m, w) = (rankings.len() as f64, kendall_w(&rankings).unwrap());
            let rho = |a: &[u32], b: &[u32]| {
                let apart: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum();
                1.0 - 6.0 * apart / 120.0
            };
            let mut sum = 0.0;
            for (place, a) in rankings.iter().enumerate() {
                sum += rankings[place + 1..].iter().map(|b| rho(a, b)).sum::<f64>();
            }
            prop_assert!((2.0 * sum / (m * (m - 1.0)) - (m * w - 1.0) / (m - 1.0)).abs() < 1e-12);
            prop_assert!((-1e-12..=1.0 + 1e-12).contains(&w));
            let tau = mean_kendall_tau(&rankings).unwrap();
            prop_assert!((-1.0 / (m - 1.0) - 1e-12..=1.0 + 1e-12).contains(&tau));
        }
    }
}
