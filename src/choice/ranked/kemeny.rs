//! The Kemeny–Young rule.

use super::Pairwise;
use super::count::{CountRefusal, Points, VoteCount};

/// The most alternatives for the exact order: each more doubles work and memory.
pub const KEMENY_ALTERNATIVES_MAX: usize = 15;

/// The exact result of Kemeny's rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kemeny {
    /// The winners: the first of every best order. Points are the agreement of the best order that begins with each.
    pub count: VoteCount,
    /// The agreement of a best order: over all its pairs, the weight of ballots that put the first above the second.
    pub agreement: u128,
    /// The number of best orders, at most 15!.
    pub orders: u64,
    /// The first best order, in the order of the alternatives.
    pub order: Vec<usize>,
}

/// The Kemeny–Young rule: the order of all alternatives with the greatest pairwise agreement. Exact, by dynamic programming over
/// the sets of alternatives still to be placed. Source: Kemeny 1959, "Mathematics without numbers"; Young and Levenglick 1978, "A
/// consistent extension of Condorcet's election principle".
///
/// # Errors
/// [`CountRefusal::TooManyAlternatives`] above [`KEMENY_ALTERNATIVES_MAX`].
pub fn kemeny(pairwise: &Pairwise) -> Result<Kemeny, CountRefusal> {
    let alternatives = pairwise.alternative_count();
    if alternatives > KEMENY_ALTERNATIVES_MAX {
        return Err(CountRefusal::TooManyAlternatives { alternatives, most: KEMENY_ALTERNATIVES_MAX });
    }
    let sets = 1_usize << alternatives;
    let over = AgreementSums::from_pairwise(pairwise);
    let mut best = vec![0_u128; sets];
    let mut orders = vec![1_u64; sets];
    let agreement = |best: &[u128], set: usize, first: usize| {
        let rest = set & !(1 << first);
        over.agreement_above(first, rest) + best[rest]
    };
    for set in 1..sets {
        (best[set], orders[set]) = (0, 0);
        for first in set_members(set) {
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
    while let Some(first) = set_members(left).find(|first| agreement(&best, left, *first) == best[left]) {
        order.push(first);
        left &= !(1 << first);
    }
    let of = set_members(all).map(|first| agreement(&best, all, first) as i128).collect();
    Ok(Kemeny { count: VoteCount::of_most(Points { of, unit: 1 }), agreement: best[all], orders: orders[all], order })
}

/// The weight of opinions that put an alternative above all of a set, in two sums: over the set's first eight places and the
/// others.
struct AgreementSums {
    /// For each alternative, the sums of both halves, by the members of the half.
    sums: Vec<[Vec<u128>; 2]>,
}

/// The places in the first half of a set.
const HALF: usize = 8;

impl AgreementSums {
    fn from_pairwise(pairwise: &Pairwise) -> Self {
        let alternatives = pairwise.alternative_count();
        let half = |first: usize, places: std::ops::Range<usize>| {
            let mut sums = vec![0_u128; 1 << places.len()];
            for set in 1..sums.len() {
                let other = places.start + set.trailing_zeros() as usize;
                sums[set] = sums[set & (set - 1)] + u128::from(pairwise.weight_above(first, other));
            }
            sums
        };
        let middle = HALF.min(alternatives);
        Self {
            sums: (0..alternatives).map(|first| [half(first, 0..middle), half(first, middle..alternatives)]).collect(),
        }
    }

    fn agreement_above(&self, first: usize, set: usize) -> u128 {
        let [low, high] = &self.sums[first];
        low[set & ((1 << HALF) - 1)] + high[set >> HALF]
    }
}

/// The members of a set, least first.
fn set_members(set: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), |left| Some(left & left.wrapping_sub(1)))
        .take_while(|left| *left != 0)
        .map(|left| left.trailing_zeros() as usize)
}
