//! Counts first places as a share of a base.

use super::count::{CountRefusal, Points, VoteCount, matching_places};
use super::first_places::PARTS_MAX;
use super::{Preferences, first_places};

/// The base of a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whole {
    /// The ballots counted, including those that rank nothing.
    #[default]
    Ballots,
    /// This weight, at least that of the ballots; it includes those who could have voted and did not.
    Of(u64),
}

/// The alternatives whose first places pass, given the base; both are in parts of a ballot.
pub(super) fn by_share(
    preferences: &Preferences,
    of: Whole,
    passes: impl Fn(u128, u128) -> bool,
) -> Result<VoteCount, CountRefusal> {
    let Points { of: firsts, unit } = first_places(preferences, &preferences.all_alternatives())?;
    let whole = match of {
        Whole::Ballots => preferences.weight(),
        Whole::Of(weight) => weight.max(preferences.weight()),
    };
    let whole = u128::from(whole).checked_mul(unit).filter(|whole| *whole < PARTS_MAX).ok_or(CountRefusal::TooFine)?;
    let winners = matching_places(&firsts, |part| passes(part.unsigned_abs(), whole));
    Ok(VoteCount { winners, points: Some(Points { of: firsts, unit }) })
}
