//! The Borda count.

use super::Preferences;
use super::count::{Points, VoteCount};

/// Borda's count: an alternative gets a point for each that a ballot puts below it, and half a point for each tie. Source: Borda
/// 1781, "Mémoire sur les élections au scrutin"; for ties, the symmetric count of Black 1976.
pub fn borda(preferences: &Preferences) -> VoteCount {
    let alternatives = preferences.alternative_count();
    let mut of = vec![0; alternatives];
    for (ballot, weight) in preferences.ballots() {
        for (one, points) in of.iter_mut().enumerate() {
            let halves = (0..alternatives)
                .filter(|other| *other != one)
                .map(|other| if ballot.prefers(one, other) { 2 } else { i128::from(!ballot.prefers(other, one)) });
            *points += halves.sum::<i128>() * i128::from(*weight);
        }
    }
    VoteCount::of_most(Points { of, unit: 2 })
}
