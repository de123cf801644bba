//! Defeats locked in, strongest first.

use std::collections::BTreeSet;

use super::rule::{Count, Refusal, STATES_MAX};
use super::{Pairwise, Strength};

/// The most alternatives, one bit each.
const ALTERNATIVES_MAX: usize = 64;

/// Who stands above whom, directly or by way of others: for each alternative the set of those below it.
type Below = Vec<u64>;

/// Ranked pairs: defeats are locked in from the strongest on, but for those that contradict what is locked; whom nothing locked
/// beats wins. Among equally strong defeats every order is followed, and whoever wins in one of them is a winner. Source: Tideman
/// 1987, "Independence of clones as a criterion for voting rules", Social Choice and Welfare 4; for ties, the parallel universes of
/// Conitzer, Rognlie and Xia 2009.
///
/// # Errors
/// [`Refusal::TooManyTies`] when equal defeats leave too many ways; [`Refusal::TooManyAlternatives`] above 64.
pub fn ranked_pairs(pairwise: &Pairwise, by: Strength) -> Result<Count, Refusal> {
    let alternatives = pairwise.alternatives();
    if alternatives > ALTERNATIVES_MAX {
        return Err(Refusal::TooManyAlternatives { alternatives, most: ALTERNATIVES_MAX });
    }
    let pairs = (0..alternatives).flat_map(|one| (0..alternatives).map(move |other| (one, other)));
    let mut defeats: Vec<(u64, (usize, usize))> =
        pairs.filter_map(|pair| Some((pairwise.strength(pair.0, pair.1, by)?, pair))).collect();
    defeats.sort_unstable_by(|one, other| other.cmp(one));
    let mut worlds = BTreeSet::from([vec![0; alternatives]]);
    for equal in defeats.chunk_by(|one, other| one.0 == other.0) {
        worlds = locked(worlds, equal)?;
    }
    let is_unbeaten = |world: &Below, one: usize| world.iter().all(|below| below & (1 << one) == 0);
    let wins = |one: &usize| worlds.iter().any(|world| is_unbeaten(world, *one));
    Ok(Count { winners: (0..alternatives).filter(wins).collect(), points: None })
}

/// Every state that locking equally strong defeats leads to, in any order.
fn locked(worlds: BTreeSet<Below>, equal: &[(u64, (usize, usize))]) -> Result<BTreeSet<Below>, Refusal> {
    let (mut seen, mut open, mut done) = (worlds.clone(), Vec::from_iter(worlds), BTreeSet::new());
    while let Some(world) = open.pop() {
        let has = |one: usize, other: usize| world[one] & (1 << other) != 0;
        let free = equal.iter().map(|(_, pair)| *pair).filter(|(one, other)| !has(*one, *other) && !has(*other, *one));
        let next: Vec<Below> = free.map(|(one, other)| with(&world, one, other)).collect();
        if next.is_empty() {
            done.insert(world);
        }
        for world in next {
            if seen.insert(world.clone()) {
                open.push(world);
            }
        }
        if seen.len() > STATES_MAX {
            return Err(Refusal::TooManyTies);
        }
    }
    Ok(done)
}

/// The state with one more defeat, and all that follows from it.
fn with(world: &Below, one: usize, other: usize) -> Below {
    let gained = world[other] | 1 << other;
    let stands_above = |place: usize, below: u64| place == one || below & (1 << one) != 0;
    let above = world.iter().enumerate();
    above.map(|(place, below)| if stands_above(place, *below) { below | gained } else { *below }).collect()
}
