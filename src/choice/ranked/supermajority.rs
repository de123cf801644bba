//! The supermajority rule.

use super::Preferences;
use super::count::{CountRefusal, VoteCount};
use super::share::by_share;

/// Supermajority: first places from at least this share of all who could have voted. Source: Caplin and Nalebuff 1988, "On 64%-majority rule",
/// Econometrica 56(4), on why a share between one half and all.
pub fn supermajority(preferences: &Preferences, share: (u32, u32), voters: u64) -> Result<VoteCount, CountRefusal> {
    by_share(preferences, voters, |part, whole| part > 0 && part * u128::from(share.1) >= whole * u128::from(share.0))
}
