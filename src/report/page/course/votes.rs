//! Straw polls and votes with their counts.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde::Serialize;

use super::choices::{reformat_choice, with_amount};
use super::spoken::Spoken;
use crate::report::page::cells::Row;

/// One straw poll or vote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VoteResult {
    /// `straw_before`, `straw_round`, `straw_after` or `vote`.
    pub purpose: String,
    /// The phase.
    pub phase: String,
    /// The round; 0 outside rounds.
    pub round: u64,
    /// The number of the vote in the session; `None` for a straw poll.
    pub number: Option<u64>,
    /// The rule; empty for a straw poll.
    pub rule: String,
    /// The seats that could vote, by weight.
    pub eligible: u64,
    /// Invalid ballots.
    pub invalid: u64,
    /// Voluntary abstentions.
    pub abstained: u64,
    /// Whether an invalid ballot voided the vote.
    pub is_void: bool,
    /// The base of `threshold`: all eligible or all valid ballots.
    pub base: u64,
    /// The fewest ballots that win; `None` if the rule has no threshold.
    pub threshold: Option<u64>,
    /// The alternatives with ballots or points, in the scenario's order.
    pub counts: Vec<Count>,
    /// The alternative decided for; empty without a decision, and for a straw poll.
    pub decided: String,
    /// Whether it was decided for by default, not by ballots.
    pub by_default: bool,
    /// The tie-break; empty without a tie.
    pub tie_break: String,
    /// The record of the first ballot; `None` without ballots.
    pub seq: Option<u64>,
}

/// The ballots for one alternative.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The alternative, with its amount.
    pub name: String,
    /// The alternative, without its amount.
    pub alternative: String,
    /// The amount; `None` without one.
    pub amount: Option<u64>,
    /// The number of ballots.
    pub count: u64,
    /// The points under the rule, as in the table; empty for ballots with one choice.
    pub points: String,
    /// The voters in the plan's order, with the number of ballots if more than one. Empty if ballots hold more than one choice,
    /// or the rule counts close amounts as one.
    pub seats: Vec<String>,
}

/// A ballot for a different alternative than the seat last declared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Otherwise {
    /// The last stance declared before the vote, with its amount.
    pub declared: String,
    /// The choice on the ballot, with its amount.
    pub ballot: String,
}

/// Reads the straw polls and votes, in order.
pub fn read_votes(tallies: &[Row<'_>], ballots: &[Row<'_>]) -> Vec<VoteResult> {
    let mut cast: BTreeMap<VotePlace<'_>, Vec<&Row<'_>>> = BTreeMap::new();
    for ballot in ballots {
        cast.entry(place_of(ballot)).or_default().push(ballot);
    }
    let mut votes: Vec<VoteResult> = Vec::new();
    for row in tallies {
        let text = |column: &str| row.owned(column).unwrap_or_default();
        let count = |column: &str| row.count(column).unwrap_or(0);
        let (purpose, phase, round, number) = (text("purpose"), text("phase"), count("round"), row.count("vote"));
        let is_this = |vote: &VoteResult| {
            (&vote.purpose, &vote.phase, vote.round, vote.number) == (&purpose, &phase, round, number)
        };
        let own = cast.get(&place_of(row)).map_or(&[][..], Vec::as_slice);
        if !votes.last().is_some_and(is_this) {
            votes.push(VoteResult {
                seq: own.first().and_then(|ballot| ballot.count("seq")),
                abstained: own.iter().filter_map(|ballot| weigh_abstention(ballot)).fold(0, u64::saturating_add),
                rule: text("rule"),
                eligible: count("eligible"),
                invalid: count("invalid"),
                is_void: row.flag("void") == Some(true),
                base: if row.text("base") == Some("valid") { count("valid") } else { count("eligible") },
                threshold: row.count("threshold"),
                by_default: row.flag("by_default") == Some(true),
                tie_break: text("tie_break"),
                decided: reformat_choice(text("decided_for")),
                purpose,
                phase,
                round,
                number,
                ..VoteResult::default()
            });
        }
        let vote = votes.last_mut().expect("invariant: every row belongs to a vote");
        let name = with_amount(text("alternative"), row.count("amount"));
        if count("count") > 0 || row.text("points").is_some() {
            let seats = list_voters(row, own);
            let (alternative, amount) = (text("alternative"), row.count("amount"));
            vote.counts.push(Count { name, alternative, amount, count: count("count"), points: text("points"), seats });
        }
    }
    votes
}

/// Reads the answers to the polls before and after the talk, with amounts, by seat and purpose.
pub fn read_polls<'r>(ballots: &'r [Row<'_>]) -> BTreeMap<(&'r str, &'r str), String> {
    let is_poll = |ballot: &&&Row<'_>| {
        ballot.text("status") == Some("valid")
            && matches!(ballot.text("purpose"), Some("straw_before" | "straw_after"))
            && matches!(ballot.text("form"), Some("choice" | "amount"))
    };
    let polls = ballots.iter().filter(|ballot| is_poll(&ballot));
    let own = polls.filter_map(|ballot| {
        let said = with_amount(ballot.owned("alternative").unwrap_or_default(), ballot.count("amount"));
        Some(((ballot.text("seat")?, ballot.text("purpose")?), said))
    });
    own.collect()
}

/// A seat's ballot in the last vote, if it is for a different alternative than the seat last declared. `None` for ballots that
/// hold more than one choice.
pub fn find_otherwise(seat: &str, ballots: &[Row<'_>], spoken: &[Spoken]) -> Option<Otherwise> {
    let last =
        ballots.iter().filter(|row| row.text("purpose") == Some("vote")).filter_map(|row| row.count("vote")).max()?;
    let is_its = |row: &&Row<'_>| row.text("seat") == Some(seat) && row.count("vote") == Some(last);
    let ballot = ballots.iter().find(|row| is_its(row) && row.text("purpose") == Some("vote"))?;
    if ballot.flag("matches_stance") != Some(false) {
        return None;
    }
    let seq = ballot.count("seq")?;
    let before = |turn: &&Spoken| turn.seat == seat && turn.seq < seq && !turn.stance.is_empty();
    let declared = spoken.iter().rfind(before)?.stance.clone();
    let ballot = with_amount(ballot.owned("alternative")?, ballot.count("amount"));
    Some(Otherwise { declared, ballot })
}

/// A seat's ballots in a repeated vote, as `b, c ×2`; empty if the vote was held once, or for ballots that hold more than one
/// choice.
pub fn list_repeated_ballots(seat: &str, ballots: &[Row<'_>]) -> String {
    let is_its = |row: &&Row<'_>| {
        row.text("seat") == Some(seat)
            && row.text("purpose") == Some("vote")
            && row.text("status") == Some("valid")
            && matches!(row.text("form"), Some("choice" | "amount"))
    };
    let own = || ballots.iter().filter(is_its);
    let Some(last) = own().filter_map(|row| row.count("vote")).max() else { return String::new() };
    let of_last = || own().filter(|row| row.count("vote") == Some(last));
    let rounds: BTreeSet<Option<&str>> = of_last().map(|row| row.text("round")).collect();
    let named = of_last().map(|row| with_amount(row.owned("alternative").unwrap_or_default(), row.count("amount")));
    if rounds.len() > 1 { count_repeats(named).join(", ") } else { String::new() }
}

/// Each name once, in order of first mention, with its count if more than one.
fn count_repeats(named: impl Iterator<Item = String>) -> Vec<String> {
    let mut known: IndexMap<String, u64> = IndexMap::new();
    named.for_each(|name| *known.entry(name).or_default() += 1);
    known.into_iter().map(|(name, times)| if times > 1 { format!("{name} ×{times}") } else { name }).collect()
}

/// The poll or vote of a row: purpose, phase, the round of a poll, and the number of a vote, which may span several rounds.
type VotePlace<'r> = [Option<&'r str>; 4];

fn place_of<'r>(row: &'r Row<'_>) -> VotePlace<'r> {
    let round = if row.text("vote").is_none() { row.text("round") } else { None };
    [row.text("purpose"), row.text("phase"), round, row.text("vote")]
}

/// The voters behind a row of a tally; empty if their weights do not add up to its count.
fn list_voters(tally: &Row<'_>, ballots: &[&Row<'_>]) -> Vec<String> {
    let is_for = |ballot: &&&Row<'_>| {
        ballot.text("status") == Some("valid")
            && ballot.text("form") == Some("choice")
            && [ballot.text("alternative"), ballot.text("amount")] == [tally.text("alternative"), tally.text("amount")]
    };
    let weights = ballots.iter().filter(is_for).map(|ballot| ballot.count("weight").unwrap_or(1));
    match Some(weights.fold(0, u64::saturating_add)) == tally.count("count") {
        // Ballots with weight 0 do not count.
        true => {
            let counted = ballots.iter().filter(is_for).filter(|ballot| ballot.count("weight") != Some(0));
            count_repeats(counted.filter_map(|ballot| ballot.owned("seat")))
        }
        false => Vec::new(),
    }
}

/// The weight of a voluntary abstention; `None` for any other ballot.
fn weigh_abstention(ballot: &Row<'_>) -> Option<u64> {
    (ballot.text("status") == Some("abstained")).then(|| ballot.count("weight").unwrap_or(1))
}
