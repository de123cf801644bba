//! Shares of all ballots as first places. How great a share has to be is the rules' affair.

use super::count::{CountRefusal, Points, VoteCount, matching_places};
use super::{Preferences, first_places};

/// What a share is a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whole {
    /// The ballots that are counted; those that rank nothing count in the whole.
    #[default]
    Ballots,
    /// This weight, at least that of the ballots: with those who could have voted and did not.
    Of(u64),
}

/// Those whose first places, in parts of a ballot, pass among the whole, in the same parts.
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
    let whole = u128::from(whole).checked_mul(unit).filter(|whole| *whole < 1 << 95).ok_or(CountRefusal::TooFine)?;
    let winners = matching_places(&firsts, |part| passes(part.unsigned_abs(), whole));
    Ok(VoteCount { winners, points: Some(Points { of: firsts, unit }) })
}
