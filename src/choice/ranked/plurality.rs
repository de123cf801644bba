//! First places.

use super::Preferences;
use super::rule::{Count, Points, Refusal, places};

/// All ballots together have fewer parts than this, so that a share of them is compared in 128 bits.
const PARTS_MAX: u128 = 1 << 95;

/// The first places of each of some alternatives when only these stand; those that do not stand have none. A ballot that ties
/// several at its top counts for each with an equal part; one that ranks none of them counts for none. Part of a ballot: one
/// over `unit`, which is the least common multiple of the ties.
///
/// # Errors
/// [`Refusal::TooFine`] where ties of many sizes make the parts too small.
pub fn first_places(preferences: &Preferences, among: &[usize]) -> Result<Points, Refusal> {
    let alternatives = preferences.alternatives();
    // The weight of the ballots on whose top an alternative is, by how many share it.
    let mut by_ties: Vec<Vec<u64>> = Vec::new();
    let mut top = Vec::with_capacity(among.len());
    for (ballot, weight) in preferences.ballots() {
        ballot.best_of(among, &mut top);
        if top.len() > by_ties.len() {
            by_ties.resize(top.len(), Vec::new());
        }
        let Some(same) = top.len().checked_sub(1).map(|ties| &mut by_ties[ties]) else { continue };
        same.resize(alternatives, 0);
        for alternative in &top {
            same[*alternative] += weight;
        }
    }
    let used = || by_ties.iter().enumerate().filter(|(_, of)| !of.is_empty()).map(|(ties, of)| (ties as u128 + 1, of));
    let unit = used().try_fold(1, |unit, (ties, _)| lcm(unit, ties)).ok_or(Refusal::TooFine)?;
    let parts = u128::from(preferences.weight()).checked_mul(unit).filter(|parts| *parts < PARTS_MAX);
    parts.ok_or(Refusal::TooFine)?;
    let mut of = vec![0; alternatives];
    for (ties, weights) in used() {
        for (points, weight) in of.iter_mut().zip(weights) {
            *points += i128::from(*weight) * (unit / ties) as i128;
        }
    }
    Ok(Points { of, unit })
}

/// Plurality: most first places, and at least a part of one.
///
/// # Errors
/// [`Refusal::TooFine`].
pub fn plurality(preferences: &Preferences) -> Result<Count, Refusal> {
    first_places(preferences, &preferences.all()).map(Count::of_most_voted)
}

/// Random ballot: the chances of each alternative, as first places of all that there are. Everyone with a chance is a possible
/// winner; who wins is drawn by [`drawn_ballot`]. Source: Gibbard 1977, "Manipulation of schemes that mix voting with chance",
/// Econometrica 45(3).
///
/// # Errors
/// [`Refusal::TooFine`].
pub fn random_ballot(preferences: &Preferences) -> Result<Count, Refusal> {
    let points = first_places(preferences, &preferences.all())?;
    Ok(Count { winners: places(&points.of, |of| of > 0), points: Some(points) })
}

/// Draws a ballot by its weight, and one of those that share its top: exactly the chances of [`random_ballot`]. `lot` returns a
/// number below the one given; it is asked for the ballot, and again where several share the top. `None` where no ballot ranks
/// anything.
///
/// # Panics
/// When `lot` returns a number that is not below the one given.
pub fn drawn_ballot(preferences: &Preferences, mut lot: impl FnMut(u64) -> u64) -> Option<usize> {
    let all = preferences.all();
    let mut top = Vec::new();
    let mut tops: Vec<(Vec<usize>, u64)> = Vec::new();
    for (ballot, weight) in preferences.ballots() {
        ballot.best_of(&all, &mut top);
        if !top.is_empty() {
            tops.push((top.clone(), *weight));
        }
    }
    let total: u64 = tops.iter().map(|(_, weight)| weight).sum();
    let mut left = if total > 0 { lot(total) } else { return None };
    let drawn = tops.iter().find(|(_, weight)| {
        let is_it = left < *weight;
        left = left.saturating_sub(*weight);
        is_it
    });
    match drawn.expect("invariant: a lot is below what it was given").0.as_slice() {
        [only] => Some(*only),
        several => Some(several[lot(several.len() as u64) as usize]),
    }
}

fn lcm(one: u128, other: u128) -> Option<u128> {
    let (mut a, mut b) = (one, other);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (one / a).checked_mul(other)
}
