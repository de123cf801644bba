//! The counts of a vote in words: ballots by alternative and seat, tie-breaks, and why a vote decided nothing.

use super::course::{Count, VoteResult};
use crate::report::numbers::{counted, grouped, trim_zeros};
use crate::report::told::spell_out;

/// The largest table whose voters are named.
pub const NAMED: u64 = 15;
/// The most amounts of one alternative to list. Of more amounts, only the least and the greatest are shown.
const AMOUNTS: usize = 5;

/// The counts of a vote: `average_floor: 4, maximum: 1, abstained: 1`.
pub fn describe_counts(vote: &VoteResult) -> String {
    counts_with(vote, |_| String::new())
}

/// The counts with voters, if the table is small: `average_floor: 4 (Alice, Bob, Carol, Dave), maximum: 1 (Erin)`.
pub fn describe_counts_by_seat(vote: &VoteResult) -> String {
    let is_small = vote.eligible <= NAMED;
    counts_with(vote, |count| match count.seats.as_slice() {
        [_, ..] if is_small => format!(" ({})", count.seats.join(", ")),
        _ => String::new(),
    })
}

fn counts_with(vote: &VoteResult, who: impl Fn(&Count) -> String) -> String {
    if let Some(range) = describe_range(vote) {
        return range;
    }
    let counts = vote.counts.iter().map(|count| match count.points.as_str() {
        "" => format!("{}: {}{}", count.name, count.count, who(count)),
        points => match trim_zeros(points) {
            "1" => format!("{}: 1 point", count.name),
            points => format!("{}: {points} points", count.name),
        },
    });
    let counts: Vec<String> = counts.chain(count_uncast(vote)).collect();
    if counts.is_empty() { "no ballots".to_owned() } else { counts.join(", ") }
}

/// The invalid ballots and the abstentions: `invalid: 1`.
fn count_uncast(vote: &VoteResult) -> impl Iterator<Item = String> {
    let those = [("invalid", vote.invalid), ("abstained", vote.abstained)].into_iter().filter(|(_, many)| *many > 0);
    those.map(|(what, many)| format!("{what}: {many}"))
}

/// The range of many amounts for one alternative: `8 ballots, from 124 to 384`; `None` for other votes.
fn describe_range(vote: &VoteResult) -> Option<String> {
    let amounts: Option<Vec<u64>> = vote.counts.iter().map(|count| count.amount).collect();
    let mut amounts = amounts.filter(|amounts| amounts.len() > AMOUNTS)?;
    let is_one = vote.counts.windows(2).all(|pair| pair[0].alternative == pair[1].alternative);
    amounts.sort_unstable();
    let (least, most) = (*amounts.first()?, *amounts.last()?);
    let ballots = vote.counts.iter().fold(0, |sum: u64, count| sum.saturating_add(count.count));
    is_one.then(|| {
        let others: String = count_uncast(vote).map(|others| format!(", {others}")).collect();
        format!("{}, from {} to {}{others}", counted(ballots, "ballot"), grouped(least), grouped(most))
    })
}

/// How a tie was broken, or that it was decided by default, to append to the result; empty without either.
pub fn tie(vote: &VoteResult) -> String {
    let by = match vote.tie_break.as_str() {
        _ if vote.by_default => return format!(" by default{}", describe_obstacle(vote)),
        "" => return String::new(),
        "no_decision" => return ", an unbroken tie".to_owned(),
        "agenda_order" => "the order of the alternatives".to_owned(),
        "status_quo" => "the status quo".to_owned(),
        "chair" => "the ballot of the chair".to_owned(),
        "random_ballot" => "ballots drawn by lot".to_owned(),
        other => spell_out(other),
    };
    format!(", the tie broken by {by}")
}

/// Why a vote decided nothing: an invalid ballot voids it, or no alternative got enough ballots: ` (5 of 5 needed)`. Empty if the
/// reason is not in the counts.
pub fn describe_obstacle(vote: &VoteResult) -> String {
    if vote.is_void {
        return " (an invalid ballot voids the vote)".to_owned();
    }
    let reached = vote.counts.iter().map(|count| count.count).max().unwrap_or(0);
    let needed = vote.threshold.filter(|needed| *needed > reached);
    needed.map_or(String::new(), |needed| format!(" ({needed} of {} needed)", vote.base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undecided_vote_says_what_was_missing() {
        let vote = |threshold: Option<u64>, is_void: bool, reached: u64| VoteResult {
            base: 5,
            threshold,
            is_void,
            counts: vec![Count { name: "for".to_owned(), count: reached, ..Count::default() }],
            ..VoteResult::default()
        };
        assert_eq!(describe_obstacle(&vote(Some(4), false, 3)), " (4 of 5 needed)");
        assert_eq!(describe_obstacle(&vote(Some(4), true, 3)), " (an invalid ballot voids the vote)");
        // An alternative that won by the rule failed for another reason, such as the quorum.
        assert_eq!(describe_obstacle(&vote(Some(3), false, 3)), "");
        assert_eq!(describe_obstacle(&vote(None, false, 3)), "");
    }
}
