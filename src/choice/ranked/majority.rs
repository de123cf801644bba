//! The majority rule.

use super::count::{CountRefusal, VoteCount};
use super::share::by_share;
use super::{Preferences, Whole};

/// Majority: first places from more than this share of the base, (1, 2) for the absolute majority. Source: May 1952, "A set of
/// independent necessary and sufficient conditions for simple majority decision", Econometrica 20(4).
///
/// # Errors
/// [`CountRefusal::TooFine`].
pub fn absolute_majority(preferences: &Preferences, share: (u32, u32), of: Whole) -> Result<VoteCount, CountRefusal> {
    by_share(preferences, of, |part, whole| part * u128::from(share.1) > whole * u128::from(share.0))
}
