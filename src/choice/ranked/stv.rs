//! Several seats by transferred votes.

use std::collections::BTreeSet;

use super::rule::{Refusal, STATES_MAX};
use super::{Preferences, Ranking, UNRANKED};

/// Parts of a vote: what a transfer leaves over below one part is lost, as in counts by hand.
const VOTE: u128 = 1_000_000_000;

/// Who is elected: each set of winners that a way of breaking ties within the count leads to. More than one is a tie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committees {
    /// The votes that elect for certain.
    pub quota: u64,
    /// The sets of winners, each in the order of the alternatives.
    pub elected: BTreeSet<Vec<usize>>,
}

/// Where a count stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// The value that each ballot still has, in parts of a vote.
    values: Vec<u128>,
    standing: Vec<usize>,
    /// Who is elected and has a surplus to transfer.
    waiting: Vec<usize>,
    elected: Vec<usize>,
}

/// The single transferable vote by the weighted inclusive Gregory method with Droop's quota, ⌊votes / (seats + 1)⌋ + 1, of ballots that rank somebody: who reaches it
/// is elected, the greatest surplus is transferred first, all ballots of the elected passing on the same share of their value; where
/// nobody reaches it the last is dropped. Values are cut to nine decimals. Ties within the count are followed every way. Source:
/// Droop 1881, "On methods of electing representatives"; Gregory 1880; for the variant, the rules of Scottish local elections of 2007
/// (there with five decimals).
///
/// # Errors
/// [`Refusal::TooManyTies`] when ties leave too many ways.
///
/// # Panics
/// When there are no seats.
pub fn single_transferable_vote(preferences: &Preferences, seats: usize) -> Result<Committees, Refusal> {
    assert!(seats > 0, "invariant: somebody is to be elected");
    let is_vote = |ballot: &Ranking| (0..preferences.alternatives()).any(|one| ballot.place(one) != UNRANKED);
    let votes: u64 = preferences.ballots().iter().filter(|(ballot, _)| is_vote(ballot)).map(|(_, weight)| weight).sum();
    let quota = votes / (seats as u64 + 1) + 1;
    let values = preferences.ballots().iter().map(|(_, weight)| u128::from(*weight) * VOTE).collect();
    let standing = (0..preferences.alternatives()).collect();
    let mut open = vec![State { values, standing, waiting: Vec::new(), elected: Vec::new() }];
    let (mut seen, mut elected) = (BTreeSet::new(), BTreeSet::new());
    while let Some(mut state) = open.pop() {
        if state.elected.len() == seats || state.elected.len() + state.standing.len() <= seats {
            let mut winners = state.elected;
            if winners.len() < seats {
                winners.extend(state.standing);
            }
            winners.sort_unstable();
            elected.insert(winners);
            continue;
        }
        for next in steps(preferences, &mut state, seats, u128::from(quota) * VOTE) {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        if seen.len() > STATES_MAX {
            return Err(Refusal::TooManyTies);
        }
    }
    Ok(Committees { quota, elected })
}

/// What may come next: those who reach the quota are elected, then a surplus is transferred, else one of the last is dropped.
fn steps(preferences: &Preferences, state: &mut State, seats: usize, quota: u128) -> Vec<State> {
    let votes = votes(preferences, state);
    let mut reach: Vec<usize> = state.standing.iter().copied().filter(|one| votes[*one] >= quota).collect();
    if !reach.is_empty() {
        // Of more than there are seats for, those with the most; a tie among these is followed every way by electing one.
        let room = seats - state.elected.len();
        if reach.len() > room {
            let most = reach.iter().map(|one| votes[*one]).max().unwrap_or(0);
            let first = reach.iter().copied().filter(|one| votes[*one] == most);
            return first.map(|one| elect(state, &[one])).collect();
        }
        reach.sort_unstable();
        return vec![elect(state, &reach)];
    }
    if let Some(most) = state.waiting.iter().map(|one| votes[*one]).max() {
        let greatest = state.waiting.iter().copied().filter(|one| votes[*one] == most);
        return greatest.map(|one| transferred(preferences, state, one, votes[one], quota)).collect();
    }
    let fewest = state.standing.iter().map(|one| votes[*one]).min().unwrap_or(0);
    let last = state.standing.iter().copied().filter(|one| votes[*one] == fewest);
    last.map(|one| State { standing: without(&state.standing, one), ..state.clone() }).collect()
}

/// The votes of each alternative that stands or waits, in parts of a vote.
fn votes(preferences: &Preferences, state: &State) -> Vec<u128> {
    let mut votes = vec![0; preferences.alternatives()];
    for ((ballot, _), value) in preferences.ballots().iter().zip(&state.values) {
        let holders = holders(ballot, state);
        for holder in &holders {
            votes[*holder] += value / holders.len() as u128;
        }
    }
    votes
}

/// Whom a ballot counts for now: the best of those that stand or wait.
fn holders(ballot: &Ranking, state: &State) -> Vec<usize> {
    let mut among = [state.standing.as_slice(), state.waiting.as_slice()].concat();
    among.sort_unstable();
    let mut top = Vec::new();
    ballot.best_of(&among, &mut top);
    top
}

fn elect(state: &State, these: &[usize]) -> State {
    let standing = these.iter().fold(state.standing.clone(), |standing, one| without(&standing, *one));
    let with = |list: &[usize]| {
        let mut list = [list, these].concat();
        list.sort_unstable();
        list
    };
    State { standing, waiting: with(&state.waiting), elected: with(&state.elected), values: state.values.clone() }
}

/// The same after an elected one's surplus went on: its ballots keep the share of their value that is above the quota.
fn transferred(preferences: &Preferences, state: &State, one: usize, votes: u128, quota: u128) -> State {
    let surplus = votes.saturating_sub(quota);
    let kept = |(ballot, value): (&(Ranking, u64), &u128)| {
        let holders = holders(&ballot.0, state);
        if !holders.contains(&one) {
            return *value;
        }
        let part = value / holders.len() as u128;
        let passed = (part / VOTE * surplus + part % VOTE * surplus / VOTE) * VOTE / votes;
        value - part + passed
    };
    let values = preferences.ballots().iter().zip(&state.values).map(kept).collect();
    State { values, waiting: without(&state.waiting, one), ..state.clone() }
}

fn without(list: &[usize], one: usize) -> Vec<usize> {
    list.iter().copied().filter(|other| *other != one).collect()
}
