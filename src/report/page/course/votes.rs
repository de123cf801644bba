//! Straw polls and votes, as they were counted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Otherwise, Spoken};
use crate::report::page::cells::Row;

/// One straw poll or vote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Vote {
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
    /// Seats that could vote.
    pub eligible: u64,
    /// Valid ballots.
    pub valid: u64,
    /// Invalid ones.
    pub invalid: u64,
    /// Abstentions by choice.
    pub abstained: u64,
    /// Whether an invalid ballot voided it.
    pub is_void: bool,
    /// What the least count is a share of.
    pub base: u64,
    /// The least count that wins; `None` where the rule has none.
    pub threshold: Option<u64>,
    /// The alternatives that ballots were cast for, in the scenario's order.
    pub counts: Vec<Count>,
    /// What was decided for; empty where nothing, and for a straw poll.
    pub decided: String,
    /// How a tie was broken; empty where none was.
    pub tie_break: String,
    /// The record of its first ballot; `None` where nobody cast one.
    pub seq: Option<u64>,
}

/// The ballots for one alternative.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The alternative, with the amount.
    pub name: String,
    /// The same without the amount.
    pub alternative: String,
    /// The amount; `None` where there is none.
    pub amount: Option<u64>,
    /// Its ballots.
    pub count: u64,
    /// What the rule gives it as it stands in the table; empty for ballots of one choice.
    pub points: String,
    /// The seats that cast them, in the plan's order, with how often where they voted several times; empty where ballots are of more than one choice, or amounts that are near each other count as one.
    pub seats: Vec<String>,
}

/// The counts of a session, in order, with where their ballots stand.
pub fn votes(tallies: &[Row<'_>], ballots: &[Row<'_>]) -> Vec<Vote> {
    let mut cast: BTreeMap<Place<'_>, Vec<&Row<'_>>> = BTreeMap::new();
    for ballot in ballots {
        cast.entry(place(ballot)).or_default().push(ballot);
    }
    let mut votes: Vec<Vote> = Vec::new();
    for row in tallies {
        let text = |column: &str| row.owned(column).unwrap_or_default();
        let count = |column: &str| row.count(column).unwrap_or(0);
        let (purpose, phase, round, number) = (text("purpose"), text("phase"), count("round"), row.count("vote"));
        let is_this =
            |vote: &Vote| (&vote.purpose, &vote.phase, vote.round, vote.number) == (&purpose, &phase, round, number);
        let own = cast.get(&place(row)).map_or(&[][..], Vec::as_slice);
        if !votes.last().is_some_and(is_this) {
            votes.push(Vote {
                seq: own.first().and_then(|ballot| ballot.count("seq")),
                abstained: own.iter().filter_map(|ballot| abstention(ballot)).fold(0, u64::saturating_add),
                rule: text("rule"),
                eligible: count("eligible"),
                valid: count("valid"),
                invalid: count("invalid"),
                is_void: row.flag("void") == Some(true),
                base: if row.text("base") == Some("valid") { count("valid") } else { count("eligible") },
                threshold: row.count("threshold"),
                tie_break: text("tie_break"),
                decided: super::apart(text("decided_for")),
                purpose,
                phase,
                round,
                number,
                ..Vote::default()
            });
        }
        let vote = votes.last_mut().expect("invariant: a row is of a vote");
        let name = super::with_amount(text("alternative"), row.count("amount"));
        if count("count") > 0 || row.text("points").is_some() {
            let seats = voters(row, own);
            let (alternative, amount) = (text("alternative"), row.count("amount"));
            vote.counts.push(Count { name, alternative, amount, count: count("count"), points: text("points"), seats });
        }
    }
    votes
}

/// What seats answered to polls before and after the talk, with the amount, by seat and purpose.
pub fn polled<'r>(ballots: &'r [Row<'_>]) -> BTreeMap<(&'r str, &'r str), String> {
    let is_poll = |ballot: &&&Row<'_>| {
        ballot.text("status") == Some("valid")
            && matches!(ballot.text("purpose"), Some("straw_before" | "straw_after"))
            && matches!(ballot.text("form"), Some("choice" | "amount"))
    };
    let polls = ballots.iter().filter(|ballot| is_poll(&ballot));
    let own = polls.filter_map(|ballot| {
        let said = super::with_amount(ballot.owned("alternative").unwrap_or_default(), ballot.count("amount"));
        Some(((ballot.text("seat")?, ballot.text("purpose")?), said))
    });
    own.collect()
}

/// What a seat's ballot in the last vote is for, where that is another alternative than it had declared last before; `None` also
/// for ballots that say more than a choice.
pub fn otherwise(seat: &str, ballots: &[Row<'_>], spoken: &[Spoken]) -> Option<Otherwise> {
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
    let ballot = super::with_amount(ballot.owned("alternative")?, ballot.count("amount"));
    Some(Otherwise { declared, ballot })
}

/// What a seat voted for in a vote that was taken several times, as `b, c ×2`; empty where it was taken once, and for ballots that say
/// more than a choice.
pub fn repeated(seat: &str, ballots: &[Row<'_>]) -> String {
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
    let named =
        of_last().map(|row| super::with_amount(row.owned("alternative").unwrap_or_default(), row.count("amount")));
    if rounds.len() > 1 { often(named).join(", ") } else { String::new() }
}

/// Each of these once, in order of first mention, with how often where that is more than once.
fn often(named: impl Iterator<Item = String>) -> Vec<String> {
    let mut known: Vec<(String, u64)> = Vec::new();
    for name in named {
        match known.iter_mut().find(|(one, _)| *one == name) {
            Some((_, times)) => *times += 1,
            None => known.push((name, 1)),
        }
    }
    known.into_iter().map(|(name, times)| if times > 1 { format!("{name} ×{times}") } else { name }).collect()
}

/// Which poll or vote a row of tallies or ballots is of: purpose, phase, the round of a poll, and the number of a vote, which may have
/// been taken in several rounds.
type Place<'r> = [Option<&'r str>; 4];

fn place<'r>(row: &'r Row<'_>) -> Place<'r> {
    let round = if row.text("vote").is_none() { row.text("round") } else { None };
    [row.text("purpose"), row.text("phase"), round, row.text("vote")]
}

/// Whose ballots a row of a tally counts, where they are so many as it counts.
fn voters(tally: &Row<'_>, ballots: &[&Row<'_>]) -> Vec<String> {
    let is_for = |ballot: &&&Row<'_>| {
        ballot.text("status") == Some("valid")
            && ballot.text("form") == Some("choice")
            && [ballot.text("alternative"), ballot.text("amount")] == [tally.text("alternative"), tally.text("amount")]
    };
    let weights = ballots.iter().filter(is_for).map(|ballot| ballot.count("weight").unwrap_or(1));
    match Some(weights.fold(0, u64::saturating_add)) == tally.count("count") {
        // Who is weighed with nothing is not counted.
        true => {
            let counted = ballots.iter().filter(is_for).filter(|ballot| ballot.count("weight") != Some(0));
            often(counted.filter_map(|ballot| ballot.owned("seat")))
        }
        false => Vec::new(),
    }
}

/// How many ballots an abstention by choice counts for; `None` for another ballot.
fn abstention(ballot: &Row<'_>) -> Option<u64> {
    (ballot.text("status") == Some("abstained")).then(|| ballot.count("weight").unwrap_or(1))
}
