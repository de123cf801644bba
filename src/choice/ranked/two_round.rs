//! The two first are voted on again.

use super::count::{CountRefusal, VoteCount, matching_places};
use super::{Pairwise, Preferences, first_places};

/// Two rounds: with more than half of the ballots an alternative wins at once; else the two with the most first places are voted on
/// again, as the same ballots rank them, and who is above the other on more wins. Where it is open who the two are, every pair
/// that they may be is voted on, and whoever wins one is a winner; a runoff that is tied has two. Source: Grofman 2008, "A taxonomy of runoff
/// methods", Electoral Studies 27.
///
/// # Errors
/// [`CountRefusal::TooFine`].
pub fn two_round(preferences: &Preferences, pairwise: &Pairwise) -> Result<VoteCount, CountRefusal> {
    let all = preferences.all_alternatives();
    let points = first_places(preferences, &all)?;
    let votes = u128::from(preferences.weight()) * points.unit;
    let majority = matching_places(&points.of, |of| of.unsigned_abs() * 2 > votes);
    if !majority.is_empty() {
        return Ok(VoteCount { winners: majority, points: Some(points) });
    }
    let mut order: Vec<i128> = points.of.iter().copied().filter(|of| *of > 0).collect();
    order.sort_unstable_by(|one, other| other.cmp(one));
    let [most, second, ..] = order[..] else {
        return Ok(VoteCount { winners: matching_places(&points.of, |of| of > 0), points: Some(points) });
    };
    let leaders = matching_places(&points.of, |of| of == most);
    let seconds = if most == second { leaders.clone() } else { matching_places(&points.of, |of| of == second) };
    let is_pair = |one: usize, other: usize| {
        one != other
            && (leaders.contains(&one) && seconds.contains(&other)
                || seconds.contains(&one) && leaders.contains(&other))
    };
    let wins = |one: &usize| all.iter().any(|other| is_pair(*one, *other) && pairwise.margin(*one, *other) >= 0);
    Ok(VoteCount { winners: all.iter().copied().filter(wins).collect(), points: Some(points) })
}
