//! The two-round rule.

use super::count::{CountRefusal, VoteCount, matching_places};
use super::{Pairwise, Preferences, first_places};

/// Two rounds: an alternative with more than half of the ballots wins at once. Else the two with the most first places meet in a
/// runoff on the same ballots, and the one that more ballots put above the other wins. If it is open who the two are, every
/// possible pair is voted on, and the winner of any pair is a winner; a tied runoff has two. Source: Grofman 2008, "A taxonomy of
/// runoff methods", Electoral Studies 27.
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
