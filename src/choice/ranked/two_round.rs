//! The two first are voted on again.

use super::rule::{Count, places};
use super::{Pairwise, Preferences, absolute_majority, first_places};

/// Two rounds: with more than half of the ballots an alternative wins at once; else the two with the most first places are voted on
/// again, as the same ballots rank them, and who is above the other on more wins. Where it is open who the two are, every pair
/// that they may be is voted on, and whoever wins one is a winner.
pub fn two_round(preferences: &Preferences) -> Count {
    let first = absolute_majority(preferences, (1, 2));
    if !first.winners.is_empty() {
        return first;
    }
    let all: Vec<usize> = (0..preferences.alternatives()).collect();
    let points = first_places(preferences, &all);
    let mut order: Vec<i128> = points.of.iter().copied().filter(|of| *of > 0).collect();
    order.sort_unstable_by(|one, other| other.cmp(one));
    let [most, second, ..] = order[..] else {
        return Count { winners: places(&points.of, |of| of > 0), points: Some(points) };
    };
    let leaders = places(&points.of, |of| of == most);
    let seconds = if most == second { leaders.clone() } else { places(&points.of, |of| of == second) };
    let pairwise = Pairwise::of(preferences);
    let is_pair = |one: usize, other: usize| {
        one != other
            && (leaders.contains(&one) && seconds.contains(&other)
                || seconds.contains(&one) && leaders.contains(&other))
    };
    let wins = |one: &usize| all.iter().any(|other| is_pair(*one, *other) && pairwise.margin(*one, *other) >= 0);
    Count { winners: all.iter().copied().filter(wins).collect(), points: Some(points) }
}
