//! Pairs won.

use super::Pairwise;
use super::count::{Count, Points};

/// Copeland's rule: a point for each alternative that is beaten, half a point for each that is tied with. Source: Copeland 1951,
/// "A reasonable social welfare function".
pub fn copeland(pairwise: &Pairwise) -> Count {
    let all = 0..pairwise.alternatives();
    let halves = |one: usize| {
        let others = all.clone().filter(|other| *other != one);
        others.map(|other| pairwise.margin(one, other).signum() + 1).sum::<i128>()
    };
    Count::of_most(Points { of: all.clone().map(halves).collect(), unit: 2 })
}
