//! Everybody.

use super::count::{CountRefusal, VoteCount};
use super::{Preferences, Whole, supermajority};

/// Unanimity: the whole puts the same alternative first, alone. Source: Buchanan and Tullock 1962, "The calculus of consent", on what
/// it costs to decide so.
///
/// # Errors
/// [`CountRefusal::TooFine`].
pub fn unanimity(preferences: &Preferences, of: Whole) -> Result<VoteCount, CountRefusal> {
    supermajority(preferences, (1, 1), of)
}
