//! The single transferable vote.

use std::collections::BTreeSet;
use std::rc::Rc;

use num_bigint::BigUint;
use num_integer::Integer;

use super::count::{CountRefusal, DIGITS_MAX, STATES_MAX};
use super::{Preferences, Ranking, UNRANKED};

/// The most binary digits of all ballots' values together, over all ways of breaking ties: a gibibyte.
const KEPT_MAX: u64 = 1 << 33;

/// The elected: one set of winners for each way of breaking ties within the count. Several sets are a tie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committees {
    /// The votes that guarantee election.
    pub quota: u64,
    /// The sets of winners, each in the order of the alternatives.
    pub elected: BTreeSet<Vec<usize>>,
}

/// The remaining values of ballots, as whole parts of a vote, in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Values {
    /// How many parts are one vote.
    vote: BigUint,
    /// By ballot.
    of: Vec<BigUint>,
}

/// The state of a count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct StvState {
    values: Rc<Values>,
    standing: Vec<usize>,
    /// The elected with a surplus to transfer.
    waiting: Vec<usize>,
    elected: Vec<usize>,
}

/// The current votes.
struct StvVotes {
    /// The values in parts so fine that each ballot's can be divided among its holders.
    values: Rc<Values>,
    /// The alternatives that each ballot counts for: its best among those that stand or wait.
    holders: Vec<Vec<usize>>,
    /// The votes of each alternative, in these parts.
    of: Vec<BigUint>,
    /// The quota, in these parts.
    quota: BigUint,
}

/// The single transferable vote by the weighted inclusive Gregory method with Droop's quota, ⌊votes / (seats + 1)⌋ + 1, of
/// ballots that rank somebody. Whoever reaches the quota is elected. The greatest surplus is transferred first: all ballots of
/// the elected pass on an equal share of their value. If nobody reaches the quota, the last is dropped. Values are exact ratios.
/// Ties within the count are followed every way. Source: Droop 1881, "On methods of electing representatives"; Gregory 1880; for
/// the variant, the rules of Scottish local elections of 2007 (there cut to five decimals, which can affect ties).
///
/// # Errors
/// [`CountRefusal::TooManyTies`] if ties leave too many ways, [`CountRefusal::TooLong`] if transfers make ratios too long.
///
/// # Panics
/// If there are no seats.
pub fn single_transferable_vote(preferences: &Preferences, seats: usize) -> Result<Committees, CountRefusal> {
    assert!(seats > 0, "invariant: somebody is to be elected");
    let is_vote = |ballot: &Ranking| (0..preferences.alternative_count()).any(|one| ballot.place(one) != UNRANKED);
    let votes: u64 = preferences.ballots().iter().filter(|(ballot, _)| is_vote(ballot)).map(|(_, weight)| weight).sum();
    let quota = votes / (seats as u64 + 1) + 1;
    let of = preferences.ballots().iter().map(|(_, weight)| BigUint::from(*weight)).collect();
    let values = Rc::new(Values { vote: BigUint::from(1_u32), of });
    let standing = (0..preferences.alternative_count()).collect();
    let mut open = vec![StvState { values, standing, waiting: Vec::new(), elected: Vec::new() }];
    let (mut seen, mut elected, mut kept) = (BTreeSet::new(), BTreeSet::new(), 0);
    while let Some(state) = open.pop() {
        if state.elected.len() == seats || state.elected.len() + state.standing.len() <= seats {
            let mut winners = state.elected;
            if winners.len() < seats {
                winners.extend(state.standing);
            }
            winners.sort_unstable();
            elected.insert(winners);
            continue;
        }
        for next in next_states(preferences, &state, seats, quota) {
            if !Rc::ptr_eq(&next.values, &state.values) {
                kept += next.values.digit_count()?;
            }
            if kept > KEPT_MAX {
                return Err(CountRefusal::TooLong);
            }
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        if seen.len() > STATES_MAX {
            return Err(CountRefusal::TooManyTies);
        }
    }
    Ok(Committees { quota, elected })
}

/// The possible next states: elects those who reach the quota, else transfers a surplus, else drops one of the last.
fn next_states(preferences: &Preferences, state: &StvState, seats: usize, quota: u64) -> Vec<StvState> {
    let votes = StvVotes::from_state(preferences, state, quota);
    let reach: Vec<usize> = state.standing.iter().copied().filter(|one| votes.of[*one] >= votes.quota).collect();
    if !reach.is_empty() {
        // If more reach it than there are seats, one with the most votes is elected; a tie is followed every way.
        if reach.len() > seats - state.elected.len() {
            let most = reach.iter().map(|one| &votes.of[*one]).max();
            let first = reach.iter().copied().filter(|one| Some(&votes.of[*one]) == most);
            return first.map(|one| elect_alternatives(state, &[one])).collect();
        }
        return vec![elect_alternatives(state, &reach)];
    }
    if let Some(most) = state.waiting.iter().map(|one| &votes.of[*one]).max() {
        let greatest = state.waiting.iter().copied().filter(|one| votes.of[*one] == *most);
        return greatest.map(|one| transfer_surplus(state, &votes, one)).collect();
    }
    let fewest = state.standing.iter().map(|one| &votes.of[*one]).min();
    let last = state.standing.iter().copied().filter(|one| Some(&votes.of[*one]) == fewest);
    last.map(|one| StvState { standing: remove_alternative(&state.standing, one), ..state.clone() }).collect()
}

impl StvVotes {
    fn from_state(preferences: &Preferences, state: &StvState, quota: u64) -> Self {
        let mut among = [state.standing.as_slice(), state.waiting.as_slice()].concat();
        among.sort_unstable();
        let held = |(ballot, _): &(Ranking, u64)| {
            let mut top = Vec::new();
            ballot.best_of(&among, &mut top);
            top
        };
        let holders: Vec<Vec<usize>> = preferences.ballots().iter().map(held).collect();
        let numbers: BTreeSet<usize> = holders.iter().map(Vec::len).filter(|number| *number > 1).collect();
        let finer = numbers.into_iter().fold(BigUint::from(1_u32), |finer, number| finer.lcm(&number.into()));
        let values = state.values.in_finer_parts(&finer);
        let mut of = vec![BigUint::ZERO; preferences.alternative_count()];
        for (holders, value) in holders.iter().zip(&values.of) {
            for holder in holders {
                of[*holder] += value / holders.len();
            }
        }
        let quota = &values.vote * quota;
        Self { values, holders, of, quota }
    }
}

impl Values {
    fn in_finer_parts(self: &Rc<Self>, finer: &BigUint) -> Rc<Self> {
        match *finer == BigUint::from(1_u32) {
            true => Rc::clone(self),
            false => {
                Rc::new(Self { vote: &self.vote * finer, of: self.of.iter().map(|value| value * finer).collect() })
            }
        }
    }

    fn in_lowest_terms(mut self) -> Self {
        let one = BigUint::from(1_u32);
        let mut common = self.vote.clone();
        for value in &self.of {
            if common == one {
                return self;
            }
            common = common.gcd(&(value % &common));
        }
        self.vote /= &common;
        self.of.iter_mut().for_each(|value| *value /= &common);
        self
    }

    /// The binary digits that the values take.
    fn digit_count(&self) -> Result<u64, CountRefusal> {
        match self.vote.bits() > DIGITS_MAX {
            true => Err(CountRefusal::TooLong),
            false => Ok(self.of.iter().map(BigUint::bits).sum()),
        }
    }
}

fn elect_alternatives(state: &StvState, these: &[usize]) -> StvState {
    let standing = these.iter().fold(state.standing.clone(), |standing, one| remove_alternative(&standing, *one));
    let with = |list: &[usize]| {
        let mut list = [list, these].concat();
        list.sort_unstable();
        list
    };
    StvState {
        standing,
        waiting: with(&state.waiting),
        elected: with(&state.elected),
        values: Rc::clone(&state.values),
    }
}

/// Transfers the surplus of an elected alternative: its ballots keep the share of their value above the quota. The value of
/// ballots that count for nobody becomes 0.
fn transfer_surplus(state: &StvState, votes: &StvVotes, one: usize) -> StvState {
    let total = &votes.of[one];
    let surplus = if *total > votes.quota { total - &votes.quota } else { BigUint::ZERO };
    let kept = |(holders, value): (&Vec<usize>, &BigUint)| {
        if holders.is_empty() {
            return BigUint::ZERO;
        }
        if !holders.contains(&one) {
            return value * total;
        }
        let part = value / holders.len();
        (value - &part) * total + part * &surplus
    };
    let of = votes.holders.iter().zip(&votes.values.of).map(kept).collect();
    let values = Values { vote: &votes.values.vote * total, of }.in_lowest_terms();
    StvState { values: Rc::new(values), waiting: remove_alternative(&state.waiting, one), ..state.clone() }
}

fn remove_alternative(list: &[usize], one: usize) -> Vec<usize> {
    list.iter().copied().filter(|other| *other != one).collect()
}
