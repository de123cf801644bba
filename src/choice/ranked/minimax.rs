//! The least greatest defeat.

use super::count::{Points, VoteCount};
use super::{DefeatStrength, Pairwise};

/// Minimax, or Simpson's and Kramer's rule: the strongest defeat of the winner is the least. Points are that defeat, negative; an
/// alternative that nobody beats has none. Source: Simpson 1969, "On defining areas of voter choice", Quarterly Journal of
/// Economics 83(3); Kramer 1977.
pub fn minimax(pairwise: &Pairwise, by: DefeatStrength) -> VoteCount {
    let all = 0..pairwise.alternative_count();
    let worst = |one: usize| all.clone().filter_map(|other| pairwise.strength(other, one, by)).max().unwrap_or(0);
    VoteCount::of_most(Points { of: all.clone().map(|one| -i128::from(worst(one))).collect(), unit: 1 })
}
