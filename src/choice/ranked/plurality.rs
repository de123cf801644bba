//! Most first places.

use super::count::{Count, Refusal};
use super::{Preferences, first_places};

/// Plurality: most first places, and at least a part of one. Source: Goodin and List 2006, "A conditional defense of plurality
/// rule", American Journal of Political Science 50(4).
///
/// # Errors
/// [`Refusal::TooFine`].
pub fn plurality(preferences: &Preferences) -> Result<Count, Refusal> {
    first_places(preferences, &preferences.all()).map(Count::of_most_voted)
}
