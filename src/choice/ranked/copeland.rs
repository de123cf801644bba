//! Copeland's rule.

use super::Pairwise;
use super::count::{Points, VoteCount};

/// Copeland's rule: a point for each alternative that it beats, half a point for each tie. Source: Copeland 1951, "A reasonable
/// social welfare function".
pub fn copeland(pairwise: &Pairwise) -> VoteCount {
    let all = 0..pairwise.alternative_count();
    let halves = |one: usize| {
        let others = all.clone().filter(|other| *other != one);
        others.map(|other| pairwise.margin(one, other).signum() + 1).sum::<i128>()
    };
    VoteCount::of_most(Points { of: all.clone().map(halves).collect(), unit: 2 })
}
