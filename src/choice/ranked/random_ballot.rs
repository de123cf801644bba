//! The random ballot rule.

use super::count::{CountRefusal, VoteCount, matching_places};
use super::{Preferences, first_places};

/// Random ballot: the chances of each alternative, as its first places. Everyone with a chance is a possible winner;
/// [`drawn_ballot`] draws one. Source: Gibbard 1977, "Manipulation of schemes that mix voting with chance", Econometrica 45(3).
pub fn random_ballot(preferences: &Preferences) -> Result<VoteCount, CountRefusal> {
    let points = first_places(preferences, &preferences.all_alternatives())?;
    Ok(VoteCount { winners: matching_places(&points.of, |of| of > 0), points: Some(points) })
}

/// Draws a ballot by its weight, and one of those that share its top, with exactly the chances of [`random_ballot`]. `lot`
/// returns a number below its argument; it is called again if several share the top. `None` if no ballot ranks anything.
///
/// # Panics
/// If `lot` returns a number that is not below its argument.
pub fn drawn_ballot(preferences: &Preferences, mut lot: impl FnMut(u64) -> u64) -> Option<usize> {
    let all = preferences.all_alternatives();
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
