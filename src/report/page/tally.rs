//! The counts of a vote in words: what each alternative got and from whom, how a tie was broken, and what kept a vote from deciding.

use super::course::{Count, Vote};
use crate::report::{counted, grouped};

/// Seats of a table whose ballots are told by name; of more there are the counts.
pub const NAMED: u64 = 15;
/// Amounts of one alternative that are told one by one; of more the least and the greatest.
const AMOUNTS: usize = 5;

/// The counts of a vote: `average_floor: 4, maximum: 1, abstained: 1`.
pub fn counts(vote: &Vote) -> String {
    counts_with(vote, |_| String::new())
}

/// The same with who they are: `average_floor: 4 (Alice, Bob, Carol, Dave), maximum: 1 (Erin)`; of large tables without.
pub fn counts_by_seat(vote: &Vote) -> String {
    let is_small = vote.eligible <= NAMED;
    counts_with(vote, |count| match count.seats.as_slice() {
        [_, ..] if is_small => format!(" ({})", count.seats.join(", ")),
        _ => String::new(),
    })
}

fn counts_with(vote: &Vote, who: impl Fn(&Count) -> String) -> String {
    if let Some(told) = amounts(vote) {
        return told;
    }
    let told = vote.counts.iter().map(|count| match count.points.as_str() {
        "" => format!("{}: {}{}", count.name, count.count, who(count)),
        points => match points.trim_end_matches('0').trim_end_matches('.') {
            "1" => format!("{}: 1 point", count.name),
            points => format!("{}: {points} points", count.name),
        },
    });
    let mut told: Vec<String> = told.collect();
    if vote.invalid > 0 {
        told.push(format!("invalid: {}", vote.invalid));
    }
    if vote.abstained > 0 {
        told.push(format!("abstained: {}", vote.abstained));
    }
    if told.is_empty() { "no ballot".to_owned() } else { told.join(", ") }
}

/// The ballots of a vote in which many amounts of one alternative were named: `8 ballots, from 124 to 384`.
fn amounts(vote: &Vote) -> Option<String> {
    let amounts: Option<Vec<u64>> = vote.counts.iter().map(|count| count.amount).collect();
    let mut amounts = amounts.filter(|amounts| amounts.len() > AMOUNTS)?;
    let is_one = vote.counts.windows(2).all(|pair| pair[0].alternative == pair[1].alternative);
    amounts.sort_unstable();
    let (least, most) = (*amounts.first()?, *amounts.last()?);
    let ballots = vote.counts.iter().fold(0, |sum: u64, count| sum.saturating_add(count.count));
    is_one.then(|| {
        let others =
            [("invalid", vote.invalid), ("abstained", vote.abstained)].into_iter().filter(|(_, many)| *many > 0);
        let others: String = others.map(|(what, many)| format!(", {what}: {many}")).collect();
        format!("{}, from {} to {}{others}", counted(ballots, "ballot"), grouped(least), grouped(most))
    })
}

/// How a tie was broken, behind what was decided; empty where there was none.
pub fn tie(vote: &Vote) -> String {
    let by = match vote.tie_break.as_str() {
        "" => return String::new(),
        "no_decision" => return ", a tie that nothing breaks".to_owned(),
        "agenda_order" => "the order of the alternatives".to_owned(),
        "status_quo" => "the status quo".to_owned(),
        "chair" => "the ballot of the chair".to_owned(),
        "random_ballot" => "ballots drawn by lot".to_owned(),
        other => spelled(other),
    };
    format!(", the tie broken by {by}")
}

/// What kept a vote from deciding, where that is known: that an invalid ballot voids it, or how many were needed and not reached:
/// ` (5 of 5 needed)`.
pub fn needed(vote: &Vote) -> String {
    if vote.is_void {
        return " (an invalid ballot voids it)".to_owned();
    }
    let reached = vote.counts.iter().map(|count| count.count).max().unwrap_or(0);
    let needed = vote.threshold.filter(|needed| *needed > reached);
    needed.map_or(String::new(), |needed| format!(" ({needed} of {} needed)", vote.base))
}

/// A word of the tables as prose has it.
pub fn spelled(word: &str) -> String {
    word.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_kept_a_vote_from_deciding_is_told_where_it_is_known() {
        let vote = |threshold: Option<u64>, is_void: bool, reached: u64| Vote {
            base: 5,
            threshold,
            is_void,
            counts: vec![Count { name: "for".to_owned(), count: reached, ..Count::default() }],
            ..Vote::default()
        };
        assert_eq!(needed(&vote(Some(4), false, 3)), " (4 of 5 needed)");
        assert_eq!(needed(&vote(Some(4), true, 3)), " (an invalid ballot voids it)");
        // What won by the rule and was not decided for failed by something else, such as the quorum.
        assert_eq!(needed(&vote(Some(3), false, 3)), "");
        assert_eq!(needed(&vote(None, false, 3)), "");
    }
}
