//! First places.

use super::Preferences;
use super::rule::{Count, Points};

/// The first places of each of some alternatives when only these stand; those that do not stand have none. A ballot that ties
/// several at its top counts for each with an equal part; one that ranks none of them counts for none. Part of a ballot: one
/// over `unit`, which is the least common multiple of the ties.
pub fn first_places(preferences: &Preferences, among: &[usize]) -> Points {
    let tops: Vec<(Vec<usize>, u64)> =
        preferences.ballots().iter().map(|(ballot, weight)| (ballot.best_of(among), *weight)).collect();
    let unit = tops.iter().filter(|(top, _)| !top.is_empty()).fold(1, |unit, (top, _)| lcm(unit, top.len() as u128));
    let mut of = vec![0; preferences.alternatives()];
    for (top, weight) in &tops {
        for alternative in top {
            of[*alternative] += i128::from(*weight) * (unit / top.len() as u128) as i128;
        }
    }
    Points { of, unit }
}

/// Plurality: most first places, and at least a part of one.
pub fn plurality(preferences: &Preferences) -> Count {
    let all: Vec<usize> = (0..preferences.alternatives()).collect();
    let points = first_places(preferences, &all);
    if points.of.iter().all(|of| *of == 0) {
        return Count { winners: Vec::new(), points: Some(points) };
    }
    Count::of_most(points)
}

/// Random ballot: the chances of each alternative, as first places of all that there are. Everyone with a chance is a possible
/// winner; who wins is drawn elsewhere. Source: Gibbard 1977, "Manipulation of schemes that mix voting with chance",
/// Econometrica 45(3).
pub fn random_ballot(preferences: &Preferences) -> Count {
    let all: Vec<usize> = (0..preferences.alternatives()).collect();
    let points = first_places(preferences, &all);
    Count { winners: super::rule::places(&points.of, |of| of > 0), points: Some(points) }
}

fn lcm(one: u128, other: u128) -> u128 {
    let (mut a, mut b) = (one, other);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    one / a * other
}
