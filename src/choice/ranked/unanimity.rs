//! The unanimity rule.

use super::count::{CountRefusal, VoteCount};
use super::{Preferences, Whole, supermajority};

/// Unanimity: all of the base puts one alternative first, alone. Source: Buchanan and Tullock 1962, "The calculus of consent", on
/// the cost of this rule.
///
/// # Errors
/// [`CountRefusal::TooFine`].
pub fn unanimity(preferences: &Preferences, of: Whole) -> Result<VoteCount, CountRefusal> {
    supermajority(preferences, (1, 1), of)
}
