//! The order that most pairs of opinions agree with.

use super::Pairwise;
use super::rule::{Count, Points, Refusal};

/// The most alternatives for which the exact order is found: work and memory double with each more.
pub const KEMENY_ALTERNATIVES_MAX: usize = 15;

/// The exact result of Kemeny's rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kemeny {
    /// The winners: the first of every best order. Points are the agreement of the best order that begins with each.
    pub count: Count,
    /// The agreement of a best order: over all its pairs, the weight of ballots that put the first above the second.
    pub agreement: u128,
    /// How many orders are best.
    pub orders: u128,
    /// One of them, the first in the order of the alternatives.
    pub order: Vec<usize>,
}

/// Kemeny's and Young's rule: an order of all alternatives with which the ballots agree most, pair by pair. Exact, by dynamic
/// programming over the sets of alternatives that are still to be placed. Source: Kemeny 1959, "Mathematics without numbers"; Young and
/// Levenglick 1978, "A consistent extension of Condorcet's election principle".
///
/// # Errors
/// [`Refusal::TooManyAlternatives`] above [`KEMENY_ALTERNATIVES_MAX`].
pub fn kemeny(pairwise: &Pairwise) -> Result<Kemeny, Refusal> {
    let alternatives = pairwise.alternatives();
    if alternatives > KEMENY_ALTERNATIVES_MAX {
        return Err(Refusal::TooManyAlternatives { alternatives, most: KEMENY_ALTERNATIVES_MAX });
    }
    let sets = 1_usize << alternatives;
    let mut best = vec![0_u128; sets];
    let mut orders = vec![1_u128; sets];
    let agreement = |best: &[u128], set: usize, first: usize| {
        let rest = set & !(1 << first);
        let over = members(rest).map(|other| u128::from(pairwise.above(first, other)));
        over.sum::<u128>() + best[rest]
    };
    for set in 1..sets {
        (best[set], orders[set]) = (0, 0);
        for first in members(set) {
            let found = agreement(&best, set, first);
            let ways = orders[set & !(1 << first)];
            match found.cmp(&best[set]) {
                std::cmp::Ordering::Greater => (best[set], orders[set]) = (found, ways),
                std::cmp::Ordering::Equal => orders[set] += ways,
                std::cmp::Ordering::Less => {}
            }
        }
    }
    let (all, mut order) = (sets - 1, Vec::with_capacity(alternatives));
    let mut left = all;
    while let Some(first) = members(left).find(|first| agreement(&best, left, *first) == best[left]) {
        order.push(first);
        left &= !(1 << first);
    }
    let of = members(all).map(|first| agreement(&best, all, first) as i128).collect();
    Ok(Kemeny { count: Count::of_most(Points { of, unit: 1 }), agreement: best[all], orders: orders[all], order })
}

/// The members of a set, the least first.
fn members(set: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), |left| Some(left & left.wrapping_sub(1)))
        .take_while(|left| *left != 0)
        .map(|left| left.trailing_zeros() as usize)
}
