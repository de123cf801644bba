//! The Borda count.

use super::count::{Points, VoteCount};
use super::{Preferences, Ranking};

/// Borda's count: an alternative gets a point for each that a ballot puts below it, and half a point for each tie. Source: Borda
/// 1781, "Mémoire sur les élections au scrutin"; for ties, the symmetric count of Black 1976.
pub fn borda(preferences: &Preferences) -> VoteCount {
    let mut of = vec![0; preferences.alternative_count()];
    for (ballot, weight) in preferences.ballots() {
        for (points, halves) in of.iter_mut().zip(borda_halves(ballot)) {
            *points += halves * i128::from(*weight);
        }
    }
    VoteCount::of_most(Points { of, unit: 2 })
}

/// The points that a ballot gives each alternative, in halves.
pub fn borda_halves(ballot: &Ranking) -> Vec<i128> {
    let all = 0..ballot.alternative_count();
    let points = |one: usize| {
        let others = all.clone().filter(|other| *other != one);
        others.map(|other| if ballot.prefers(one, other) { 2 } else { i128::from(!ballot.prefers(other, one)) }).sum()
    };
    all.clone().map(points).collect()
}
