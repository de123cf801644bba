//! Counts first places among some of the alternatives.

use num_integer::Integer;

use super::Preferences;
use super::count::{CountRefusal, Points};

/// All ballots together have fewer parts than this, so that 128 bits suffice to compare shares.
pub(super) const PARTS_MAX: u128 = 1 << 95;

/// The first places of some alternatives if only they stand; others have none. A ballot with several at its top counts for each
/// in equal parts; one that ranks none of them does not count. A part of a ballot is one over `unit`, the least common multiple
/// of the ties.
///
/// # Errors
/// [`CountRefusal::TooFine`] if ties of many sizes make the parts too small.
pub fn first_places(preferences: &Preferences, among: &[usize]) -> Result<Points, CountRefusal> {
    let alternatives = preferences.alternative_count();
    // The weight of the ballots with an alternative at the top, by how many share it.
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
    let unit = used()
        .try_fold(1, |unit: u128, (ties, _)| (unit / unit.gcd(&ties)).checked_mul(ties))
        .ok_or(CountRefusal::TooFine)?;
    let parts = u128::from(preferences.weight()).checked_mul(unit).filter(|parts| *parts < PARTS_MAX);
    parts.ok_or(CountRefusal::TooFine)?;
    let mut of = vec![0; alternatives];
    for (ties, weights) in used() {
        for (points, weight) in of.iter_mut().zip(weights) {
            *points += i128::from(*weight) * (unit / ties) as i128;
        }
    }
    Ok(Points { of, unit })
}
