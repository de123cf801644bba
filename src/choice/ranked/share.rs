//! Rules that ask for a share of all ballots.

use super::rule::{Count, Points, places};
use super::{Preferences, first_places};

/// Majority: more than this share of the ballots as first places, (1, 2) for the absolute majority. Ballots that rank nothing
/// count in the whole.
pub fn absolute_majority(preferences: &Preferences, share: (u32, u32)) -> Count {
    by_share(preferences, |part, whole| part * u128::from(share.1) > whole * u128::from(share.0))
}

/// Supermajority: at least this share of the ballots as first places.
pub fn at_least(preferences: &Preferences, share: (u32, u32)) -> Count {
    by_share(preferences, |part, whole| part > 0 && part * u128::from(share.1) >= whole * u128::from(share.0))
}

/// Unanimity: every ballot puts the same alternative first, alone.
pub fn unanimity(preferences: &Preferences) -> Count {
    at_least(preferences, (1, 1))
}

/// Those whose first places, in parts of a ballot, pass among all ballots, in the same parts.
fn by_share(preferences: &Preferences, passes: impl Fn(u128, u128) -> bool) -> Count {
    let all: Vec<usize> = (0..preferences.alternatives()).collect();
    let Points { of, unit } = first_places(preferences, &all);
    let whole = u128::from(preferences.weight()) * unit;
    let winners = places(&of, |part| passes(part.unsigned_abs(), whole));
    Count { winners, points: Some(Points { of, unit }) }
}
