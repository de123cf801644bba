//! The minimax rule.

use super::count::{Points, VoteCount};
use super::{DefeatStrength, Pairwise};

/// Minimax, or Simpson's and Kramer's rule: the winner's strongest defeat is the weakest. Points are that defeat's strength,
/// negative, or 0 for an alternative that nobody beats. Source: Simpson 1969, "On defining areas of voter choice", Quarterly
/// Journal of Economics 83(3); Kramer 1977.
pub fn minimax(pairwise: &Pairwise, by: DefeatStrength) -> VoteCount {
    let all = 0..pairwise.alternative_count();
    let worst = |one: usize| all.clone().filter_map(|other| pairwise.strength(other, one, by)).max().unwrap_or(0);
    VoteCount::of_most(Points { of: all.clone().map(|one| -i128::from(worst(one))).collect(), unit: 1 })
}
