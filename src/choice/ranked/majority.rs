//! The majority rule.

use super::Preferences;
use super::count::{CountRefusal, VoteCount};
use super::share::by_share;

/// Absolute majority: first places from more than half of all who could have voted. Source: May 1952, "A set of
/// independent necessary and sufficient conditions for simple majority decision", Econometrica 20(4).
pub fn absolute_majority(preferences: &Preferences, voters: u64) -> Result<VoteCount, CountRefusal> {
    by_share(preferences, voters, |part, whole| part * 2 > whole)
}
