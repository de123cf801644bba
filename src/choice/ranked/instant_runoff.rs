//! The last are dropped until one is left.

use super::rule::Count;
use super::{Preferences, first_places};

/// Instant runoff: whoever has the fewest first places among those that still stand is dropped, and all who tie for the fewest
/// together; the last that stand win, several where all are tied. A ballot that ranks none of those that stand counts no more.
/// Nobody has a place in the first count who is on no ballot's top; such are dropped first, together. Source: Hare's method for one
/// winner; the convention for ties is one of several, and others may elect another.
pub fn instant_runoff(preferences: &Preferences) -> Count {
    let mut standing: Vec<usize> = (0..preferences.alternatives()).collect();
    loop {
        let points = first_places(preferences, &standing);
        let fewest = standing.iter().map(|one| points.of[*one]).min().unwrap_or(0);
        let left: Vec<usize> = standing.iter().copied().filter(|one| points.of[*one] > fewest).collect();
        if left.is_empty() {
            let is_voted_for = fewest > 0;
            return Count { winners: if is_voted_for { standing } else { Vec::new() }, points: Some(points) };
        }
        standing = left;
    }
}
