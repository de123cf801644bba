//! Ranked pairs: defeats are locked in from the strongest down.

use std::collections::BTreeSet;

use super::count::{CountRefusal, STATES_MAX, VoteCount};
use super::{DefeatStrength, Pairwise};

/// One bit each.
const ALTERNATIVES_MAX: usize = 64;

/// Winner and loser of a defeat.
type Pair = (usize, usize);

/// For each alternative the set of those below it, directly or through others.
type BeatenSets = Vec<u64>;

/// How many groups of equally strong defeats are done, and the locked defeats.
type World = (usize, BeatenSets);

/// The result of locking in all defeats whose order does not matter.
enum LockInStep {
    /// Nobody new can win.
    Nobody,
    /// These win.
    Won(u64),
    /// The order of these defeats matters.
    Open(World, Vec<Pair>),
}

/// Ranked pairs: defeats are locked in from the strongest down, except those that contradict locked ones; whoever no locked
/// defeat beats wins. Equally strong defeats are followed in every order, and whoever wins in one is a winner. Defeats that no
/// order contradicts are locked at once, and a way that leaves nobody new unbeaten is dropped. Source: Tideman 1987,
/// "Independence of clones as a criterion for voting rules", Social Choice and Welfare 4; for ties, the parallel universes of
/// Conitzer, Rognlie and Xia 2009.
///
/// # Errors
/// [`CountRefusal::TooManyTies`] if equal defeats leave too many ways; [`CountRefusal::TooManyAlternatives`] above 64.
pub fn ranked_pairs(pairwise: &Pairwise, by: DefeatStrength) -> Result<VoteCount, CountRefusal> {
    let alternatives = pairwise.alternative_count();
    if alternatives > ALTERNATIVES_MAX {
        return Err(CountRefusal::TooManyAlternatives { alternatives, most: ALTERNATIVES_MAX });
    }
    let pairs = (0..alternatives).flat_map(|one| (0..alternatives).map(move |other| (one, other)));
    let mut defeats: Vec<(u64, Pair)> =
        pairs.filter_map(|pair| Some((pairwise.strength(pair.0, pair.1, by)?, pair))).collect();
    defeats.sort_unstable_by(|one, other| other.cmp(one));
    let equal: Vec<Vec<Pair>> = defeats
        .chunk_by(|one, other| one.0 == other.0)
        .map(|chunk| chunk.iter().map(|(_, pair)| *pair).collect())
        .collect();
    let (mut open, mut seen, mut winners) = (vec![(0, vec![0; alternatives])], BTreeSet::new(), 0);
    while let Some(world) = open.pop() {
        match lock_forced_defeats(&equal, world, winners) {
            LockInStep::Nobody => {}
            LockInStep::Won(these) => winners |= these,
            LockInStep::Open((done, below), mut free) => {
                // Ways that keep somebody new unbeaten come first, because known winners cut off other ways.
                let hope = (find_unbeaten(&below) & !winners).trailing_zeros() as usize;
                let reached = below[hope] | 1 << hope;
                free.sort_by_key(|(one, other)| {
                    (set_contains(reached, *one) && !set_contains(reached, *other), *other != hope)
                });
                let ways = free.into_iter().map(|(one, other)| (done, add_defeat(&below, one, other)));
                open.extend(ways.filter(|world| seen.insert(world.clone())));
            }
        }
        if seen.len() > STATES_MAX {
            return Err(CountRefusal::TooManyTies);
        }
    }
    Ok(VoteCount { winners: (0..alternatives).filter(|one| set_contains(winners, *one)).collect(), points: None })
}

/// Locks in the defeats that every order locks in, until an order matters or the winners are known.
fn lock_forced_defeats(equal: &[Vec<Pair>], (mut done, mut below): World, winners: u64) -> LockInStep {
    loop {
        let left = find_unbeaten(&below);
        if left & !winners == 0 {
            return LockInStep::Nobody;
        }
        let Some(group) = equal.get(done).filter(|_| left.count_ones() > 1) else { return LockInStep::Won(left) };
        let is_free = |below: &BeatenSets, (one, other): &Pair| {
            !set_contains(below[*one], *other) && !set_contains(below[*other], *one)
        };
        let mut free: Vec<Pair> = group.iter().copied().filter(|pair| is_free(&below, pair)).collect();
        let all = free.iter().fold(below.clone(), |all, (one, other)| add_defeat(&all, *one, *other));
        let many = free.len();
        for (one, other) in free.iter().filter(|(one, other)| !set_contains(all[*other], *one)) {
            below = add_defeat(&below, *one, *other);
        }
        free.retain(|pair| is_free(&below, pair));
        match free.len() {
            0 => done += 1,
            same if same == many => return LockInStep::Open((done, below), free),
            _ => {}
        }
    }
}

fn find_unbeaten(below: &BeatenSets) -> u64 {
    let everybody = (0..below.len()).fold(0, |all, one| all | 1 << one);
    everybody & !below.iter().fold(0, |beaten, below| beaten | below)
}

fn set_contains(set: u64, one: usize) -> bool {
    set & (1 << one) != 0
}

/// Adds a defeat and all that follows from it.
fn add_defeat(below: &BeatenSets, one: usize, other: usize) -> BeatenSets {
    let gained = below[other] | 1 << other;
    let stands_above = |place: usize, below: u64| place == one || set_contains(below, one);
    let above = below.iter().enumerate();
    above.map(|(place, below)| if stands_above(place, *below) { below | gained } else { *below }).collect()
}
