//! Everybody.

use super::count::{Count, Refusal};
use super::{Preferences, Whole, supermajority};

/// Unanimity: the whole puts the same alternative first, alone. Source: Buchanan and Tullock 1962, "The calculus of consent", on what
/// it costs to decide so.
///
/// # Errors
/// [`Refusal::TooFine`].
pub fn unanimity(preferences: &Preferences, of: Whole) -> Result<Count, Refusal> {
    supermajority(preferences, (1, 1), of)
}
