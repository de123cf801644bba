//! The supermajority rule.

use super::count::{CountRefusal, VoteCount};
use super::share::by_share;
use super::{Preferences, Whole};

/// Supermajority: first places from at least this share of the base. Source: Caplin and Nalebuff 1988, "On 64%-majority rule",
/// Econometrica 56(4), on why a share between one half and all.
///
/// # Errors
/// [`CountRefusal::TooFine`].
pub fn supermajority(preferences: &Preferences, share: (u32, u32), of: Whole) -> Result<VoteCount, CountRefusal> {
    by_share(preferences, of, |part, whole| part > 0 && part * u128::from(share.1) >= whole * u128::from(share.0))
}
