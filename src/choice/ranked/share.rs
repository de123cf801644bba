//! Counts first places as a share of a base.

use super::count::{CountRefusal, Points, VoteCount, matching_places};
use super::first_places::PARTS_MAX;
use super::{Preferences, first_places};

/// The alternatives whose first places pass, given the base; both are in parts of a ballot. The base is `voters`, the weight of all
/// who could have voted, but at least the weight of the ballots, including those that rank nothing.
pub(super) fn by_share(
    preferences: &Preferences,
    voters: u64,
    passes: impl Fn(u128, u128) -> bool,
) -> Result<VoteCount, CountRefusal> {
    let Points { of: firsts, unit } = first_places(preferences, &preferences.all_alternatives())?;
    let whole = u128::from(voters.max(preferences.weight()))
        .checked_mul(unit)
        .filter(|whole| *whole < PARTS_MAX)
        .ok_or(CountRefusal::TooFine)?;
    let winners = matching_places(&firsts, |part| passes(part.unsigned_abs(), whole));
    Ok(VoteCount { winners, points: Some(Points { of: firsts, unit }) })
}
