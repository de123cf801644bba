//! Rules that ask for a share of all ballots.

use super::rule::{Count, Points, Refusal, places};
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

/// Majority: more than this share of the whole as first places, (1, 2) for the absolute majority. Source: May 1952, "A set of
/// independent necessary and sufficient conditions for simple majority decision", Econometrica 20(4).
///
/// # Errors
/// [`Refusal::TooFine`].
pub fn absolute_majority(preferences: &Preferences, share: (u32, u32), of: Whole) -> Result<Count, Refusal> {
    by_share(preferences, of, |part, whole| part * u128::from(share.1) > whole * u128::from(share.0))
}

/// Supermajority: at least this share of the whole as first places.
///
/// # Errors
/// [`Refusal::TooFine`].
pub fn at_least(preferences: &Preferences, share: (u32, u32), of: Whole) -> Result<Count, Refusal> {
    by_share(preferences, of, |part, whole| part > 0 && part * u128::from(share.1) >= whole * u128::from(share.0))
}

/// Unanimity: the whole puts the same alternative first, alone.
///
/// # Errors
/// [`Refusal::TooFine`].
pub fn unanimity(preferences: &Preferences, of: Whole) -> Result<Count, Refusal> {
    at_least(preferences, (1, 1), of)
}

/// Those whose first places, in parts of a ballot, pass among the whole, in the same parts.
fn by_share(preferences: &Preferences, of: Whole, passes: impl Fn(u128, u128) -> bool) -> Result<Count, Refusal> {
    let Points { of: firsts, unit } = first_places(preferences, &preferences.all())?;
    let whole = match of {
        Whole::Ballots => preferences.weight(),
        Whole::Of(weight) => weight.max(preferences.weight()),
    };
    let whole = u128::from(whole).checked_mul(unit).filter(|whole| *whole < 1 << 95).ok_or(Refusal::TooFine)?;
    let winners = places(&firsts, |part| passes(part.unsigned_abs(), whole));
    Ok(Count { winners, points: Some(Points { of: firsts, unit }) })
}
