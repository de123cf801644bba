//! The plurality rule.

use super::count::{CountRefusal, VoteCount};
use super::{Preferences, first_places};

/// Plurality: most first places, and at least a part of one. Source: Goodin and List 2006, "A conditional defense of plurality
/// rule", American Journal of Political Science 50(4).
pub fn plurality(preferences: &Preferences) -> Result<VoteCount, CountRefusal> {
    first_places(preferences, &preferences.all_alternatives()).map(VoteCount::of_most_voted)
}
