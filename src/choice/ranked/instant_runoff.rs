//! Instant runoff.

use std::collections::BTreeSet;

use super::count::{CountRefusal, STATES_MAX, VoteCount};
use super::{Preferences, first_places};

/// How a runoff treats several that are last together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunoffTies {
    /// All of them are dropped at once.
    #[default]
    Together,
    /// One at a time, in every way; whoever wins in one is a winner.
    Branches,
}

/// Instant runoff: the alternative with the fewest first places among those left is dropped, until one is left. A ballot that
/// ranks none of those left no longer counts. Source: Hare's method for one winner. If several are last, textbooks drop all or
/// one, which may elect another: see [`RunoffTies`]. If all that are left are last together, all of them win under
/// [`RunoffTies::Together`].
///
/// # Errors
/// [`CountRefusal::TooManyTies`] if there are too many ways, [`CountRefusal::TooFine`].
pub fn instant_runoff(preferences: &Preferences, ties: RunoffTies) -> Result<VoteCount, CountRefusal> {
    match ties {
        RunoffTies::Together => eliminate_together(preferences),
        RunoffTies::Branches => eliminate_in_branches(preferences),
    }
}

fn eliminate_together(preferences: &Preferences) -> Result<VoteCount, CountRefusal> {
    let mut standing: Vec<usize> = (0..preferences.alternative_count()).collect();
    loop {
        let points = first_places(preferences, &standing)?;
        let fewest = standing.iter().map(|one| points.of[*one]).min().unwrap_or(0);
        let left: Vec<usize> = standing.iter().copied().filter(|one| points.of[*one] > fewest).collect();
        if left.is_empty() {
            let is_voted_for = fewest > 0;
            return Ok(VoteCount { winners: if is_voted_for { standing } else { Vec::new() }, points: Some(points) });
        }
        standing = left;
    }
}

fn eliminate_in_branches(preferences: &Preferences) -> Result<VoteCount, CountRefusal> {
    let mut open: Vec<Vec<usize>> = vec![(0..preferences.alternative_count()).collect()];
    let (mut seen, mut winners) = (BTreeSet::new(), BTreeSet::new());
    while let Some(standing) = open.pop() {
        let points = first_places(preferences, &standing)?;
        if let [last] = standing[..] {
            winners.extend((points.of[last] > 0).then_some(last));
            continue;
        }
        let fewest = standing.iter().map(|one| points.of[*one]).min().unwrap_or(0);
        for last in standing.iter().filter(|one| points.of[**one] == fewest) {
            let left: Vec<usize> = standing.iter().copied().filter(|one| one != last).collect();
            if seen.insert(left.clone()) {
                open.push(left);
            }
        }
        if seen.len() > STATES_MAX {
            return Err(CountRefusal::TooManyTies);
        }
    }
    Ok(VoteCount { winners: winners.into_iter().collect(), points: None })
}
