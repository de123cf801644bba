//! The unanimity rule.

use super::count::{CountRefusal, VoteCount};
use super::{Preferences, supermajority};

/// Unanimity: all who could have voted put one alternative first, alone. Source: Buchanan and Tullock 1962, "The calculus of consent", on
/// the cost of this rule.
pub fn unanimity(preferences: &Preferences, voters: u64) -> Result<VoteCount, CountRefusal> {
    supermajority(preferences, (1, 1), voters)
}
