//! One session as a piece of the page: what happened in it in a few lines, then its transcript.

use serde::Serialize;

use super::course::{Count, Course, Move, News, SeatShown, Vote};
use super::stock::{self, Months};
use super::templates::Templates;
use crate::report::{counted, grouped, quoted};

/// Seats of a table whose ballots are told by name; of more there are the counts.
const NAMED: u64 = 15;
/// Events at the beginning that are told at once; a long talk has a hundred between them and the last.
const FIRST: usize = 8;
/// The same at the end.
const LAST: usize = 16;
/// Amounts of one alternative that are told one by one; of more the least and the greatest.
const AMOUNTS: usize = 5;
/// Calls for a vote that came to nothing and are told one by one.
const CALLS: usize = 12;

#[derive(Serialize)]
struct Facts<'c> {
    course: &'c Course,
    seats: String,
    ended: String,
    stock: String,
    months: Option<Months>,
    declined: Vec<String>,
    otherwise: String,
    events: Vec<Happened<'c>>,
    first: usize,
    more: usize,
    table: Option<Table>,
    talk: minijinja::Value,
}

/// One thing that happened, in the order of the records.
#[derive(Serialize)]
struct Happened<'c> {
    seq: u64,
    vote: Option<Line>,
    moved: Option<&'c Move>,
    news: Option<Said<'c>>,
}

/// Facts that were said for the first time.
#[derive(Serialize)]
struct Said<'c> {
    of: &'c News,
    /// Each fact: its id, what it says, and to whom it was new.
    facts: Vec<(&'c str, &'c str, String)>,
}

/// A straw poll or vote in a line.
#[derive(Serialize)]
struct Line {
    when: String,
    counts: String,
    seq: Option<u64>,
}

#[derive(Serialize)]
struct Table {
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

/// A session's piece of the page; `talk` is its transcript as HTML.
pub fn view(course: &Course, talk: String, templates: &Templates) -> String {
    let seats = course.seats.len() as u64;
    let events = events(course);
    templates.fill(
        "course.html",
        Facts {
            course,
            seats: if seats > 0 { counted(seats, "seat") } else { String::new() },
            ended: ended(course),
            stock: stock::told(course),
            months: stock::months(course),
            declined: declined(course),
            otherwise: otherwise(course),
            first: FIRST,
            more: events.len().saturating_sub(FIRST + LAST),
            events,
            table: table(&course.seats),
            talk: minijinja::Value::from_safe_string(talk),
        },
    )
}

/// Polls, votes and moves in the order of their records.
fn events(course: &Course) -> Vec<Happened<'_>> {
    let votes = course.votes.iter().map(|vote| Happened {
        seq: vote.seq.unwrap_or(0),
        vote: Some(line(vote)),
        moved: None,
        news: None,
    });
    let moves =
        course.moves.iter().map(|moved| Happened { seq: moved.seq, vote: None, moved: Some(moved), news: None });
    let news =
        course.news.iter().map(|of| Happened { seq: of.seq, vote: None, moved: None, news: Some(said(course, of)) });
    // What a seat says by which it moves stands with the move.
    let mut events: Vec<Happened<'_>> = votes.chain(moves).chain(news).collect();
    events.sort_by_key(|event| event.seq);
    events
}

/// Facts that a statement said for the first time, with what they say and to whom they were new.
fn said<'c>(course: &'c Course, of: &'c News) -> Said<'c> {
    let facts = of.facts.iter().map(|new| {
        let to = match (new.is_told, new.is_to_all) {
            (false, _) => String::new(),
            (true, true) => "new to all others".to_owned(),
            (true, false) => format!("new to {}", new.to.join(", ")),
        };
        (new.fact.as_str(), course.case.facts.get(&new.fact).map_or("", String::as_str), to)
    });
    Said { of, facts: facts.collect() }
}

/// Seats whose ballot in the last vote is for another alternative than they had declared last before, in a line; empty where there are
/// none.
fn otherwise(course: &Course) -> String {
    let those = || course.seats.iter().filter_map(|seat| Some((&seat.seat, seat.otherwise.as_ref()?)));
    let told = those()
        .take(NAMED as usize)
        .map(|(seat, one)| format!("{seat} (declared {}, voted for {})", quoted(&one.declared), quoted(&one.ballot)));
    let mut told: Vec<String> = told.collect();
    let more = those().count().saturating_sub(NAMED as usize);
    if more > 0 {
        told.push(format!("{} more", counted(more as u64, "seat")));
    }
    if told.is_empty() {
        String::new()
    } else {
        format!("Voted in the last vote for something else than declared last before it: {}", told.join("; "))
    }
}

/// Calls for a vote that not everybody agreed to, a line each.
fn declined(course: &Course) -> Vec<String> {
    let calls = course.rounds.iter().filter(|round| !round.called_by.is_empty() && !round.declined_by.is_empty());
    let told = calls.clone().take(CALLS).map(|round| {
        format!(
            "Round {}: {} called a vote; not all agreed ({} declined, or gave no valid answer)",
            round.round,
            round.called_by.join(", "),
            round.declined_by.join(", ")
        )
    });
    let mut told: Vec<String> = told.collect();
    let more = calls.count().saturating_sub(CALLS);
    if more > 0 {
        told.push(format!("{} more like it", counted(more as u64, "call")));
    }
    told
}

/// Why no vote was held, where that can be told.
fn unheld(course: &Course) -> String {
    let calls = course.rounds.iter().filter(|round| !round.called_by.is_empty()).count();
    match calls {
        0 => "; no vote was held, for nobody called one, and one is held only when a seat calls it and all agree"
            .to_owned(),
        calls => format!(
            "; no vote was held: in {} one was called, and not all agreed to it",
            counted(calls as u64, "round")
        ),
    }
}

/// How a complete session ended, in a sentence.
pub fn ended(course: &Course) -> String {
    let rounds = match (course.rounds_used, course.rounds_max) {
        (_, 0) => String::new(),
        (used, most) => format!(" after {used} of {}", counted(most, "round")),
    };
    let last = course.votes.iter().rev().find(|vote| vote.purpose == "vote");
    let right = match course.correct {
        Some(true) => "; that is right",
        Some(false) => "; that is not right",
        None => "",
    };
    match course.outcome.as_str() {
        "carried" => {
            let how = |vote: &Vote| format!(" by {} ({}){}", spelled(&vote.rule), counts(vote), tie(vote));
            let how = last.map_or(String::new(), how);
            format!("The group decided for {}{rounds}{how}{right}.", quoted(&course.result))
        }
        "imposed" => format!("{} was imposed; the group did not vote on it.", quoted(&course.result)),
        "no_quorum" => format!("No decision{rounds}: too few ballots of the last vote were valid."),
        "no_decision" => {
            let why = match course.stop.as_str() {
                "rounds_used_up" => ": the rounds were used up",
                "converged" => ": statements had become alike, which ended the talk",
                "collapsed" => ": the common stock was gone",
                _ => "",
            };
            let votes = last
                .map_or_else(|| unheld(course), |vote| format!("; the last vote was {}{}", counts(vote), needed(vote)));
            format!("No decision{rounds}{why}{votes}.")
        }
        _ => {
            let why = match (course.stop.as_str(), last) {
                ("nobody_left", None) => "every seat was excluded, so that no vote was held".to_owned(),
                ("nobody_left", Some(vote)) => format!("every seat was excluded; the last vote was {}", counts(vote)),
                ("collapsed", _) => "the common stock was gone before any vote".to_owned(),
                _ => return format!("It ran to its end{rounds}; its agenda holds no vote."),
            };
            format!("It ended{rounds}: {why}.")
        }
    }
}

/// The counts of a vote: `average_floor: 4, maximum: 1, abstained: 1`.
pub fn counts(vote: &Vote) -> String {
    counts_with(vote, |_| String::new())
}

/// The same with who they are: `average_floor: 4 (Alice, Bob, Carol, Dave), maximum: 1 (Erin)`; of large tables without.
fn counts_by_seat(vote: &Vote) -> String {
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

fn line(vote: &Vote) -> Line {
    let round = if vote.round > 0 { format!("Round {}, ", vote.round) } else { String::new() };
    let when = match vote.purpose.as_str() {
        "straw_before" => "Private poll before the talk".to_owned(),
        "straw_after" => "Private poll after the talk".to_owned(),
        "straw_round" => format!("{round}private poll"),
        _ => format!("{round}vote {} by {}", vote.number.unwrap_or(0), spelled(&vote.rule)),
    };
    let mut told = counts_by_seat(vote);
    if vote.purpose == "vote" {
        told += &match vote.decided.as_str() {
            "" => format!("; it decided nothing{}", needed(vote)),
            decided => format!("; decided for {}", quoted(decided)),
        };
        told += &tie(vote);
    }
    let mut when = when;
    if let Some(first) = when.get(..1) {
        when.replace_range(..1, &first.to_uppercase());
    }
    Line { when, counts: told, seq: vote.seq }
}

/// What kept a vote from deciding, where that is known: that an invalid ballot voids it, or how many were needed and not reached:
/// ` (5 of 5 needed)`.
fn needed(vote: &Vote) -> String {
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

/// Where seats began and ended; columns that nobody has a cell in are left out.
fn table(seats: &[SeatShown]) -> Option<Table> {
    type Cell = fn(&SeatShown) -> String;
    let dollars = |cents: u64| format!("{}.{:02}", cents / 100, cents % 100);
    let columns: [(&'static str, Cell); 11] = [
        ("seat", |seat| seat.seat.clone()),
        ("own evidence points to", |seat| seat.signal.clone()),
        ("poll before", |seat| seat.said_before.clone()),
        ("ranked first", |seat| seat.ranked_first.clone()),
        ("first stance", |seat| seat.first.clone()),
        ("last stance", |seat| seat.last.clone()),
        ("poll after", |seat| seat.said_after.clone()),
        ("ranked first at last", |seat| seat.ranked_last.clone()),
        ("last valid ballot", |seat| seat.ballot.clone()),
        ("share of words", |seat| seat.share.map_or(String::new(), |share| format!("{:.0} %", 100.0 * share))),
        ("answers", |seat| seat.answers.clone()),
    ];
    let mut cells: Vec<(&'static str, Vec<String>)> =
        columns.iter().map(|(name, cell)| (*name, seats.iter().map(cell).collect())).collect();
    cells.push(("taken in all", seats.iter().map(|seat| seat.taken.map_or(String::new(), grouped)).collect()));
    cells.push(("paid", seats.iter().map(|seat| seat.paid.total.map_or(String::new(), dollars)).collect()));
    cells.retain(|(_, column)| column.iter().any(|cell| !cell.is_empty()));
    let rows = (0..seats.len()).map(|row| cells.iter().map(|(_, column)| column[row].clone()).collect());
    (cells.len() > 1).then(|| Table { head: cells.iter().map(|(name, _)| *name).collect(), rows: rows.collect() })
}

#[cfg(test)]
mod tests {
    use super::super::course::RoundShown;
    use super::*;

    fn round(round: u64, called_by: &[&str], declined_by: &[&str]) -> RoundShown {
        let names = |of: &[&str]| of.iter().map(|name| (*name).to_owned()).collect();
        RoundShown { round, called_by: names(called_by), declined_by: names(declined_by), ..RoundShown::default() }
    }

    fn undecided(stop: &str, rounds: Vec<RoundShown>) -> Course {
        let [outcome, stop] = ["no_decision", stop].map(str::to_owned);
        Course { outcome, stop, rounds_used: 2, rounds_max: 4, rounds, ..Course::default() }
    }

    #[test]
    fn why_no_vote_was_held_is_told_as_far_as_calls_tell_it() {
        let nobody = vec![round(1, &[], &[]), round(2, &[], &[])];
        let once = vec![round(1, &["Ann"], &["Ben"]), round(2, &[], &[])];
        let twice = vec![round(1, &["Ann"], &["Ben", "Cem"]), round(2, &["Ben", "Cem"], &["Ann"])];
        let uncalled = "nobody called one, and one is held only when a seat calls it and all agree";
        for (stop, rounds, why) in [
            ("rounds_used_up", nobody.clone(), format!("the rounds were used up; no vote was held, for {uncalled}")),
            (
                "converged",
                nobody,
                format!("statements had become alike, which ended the talk; no vote was held, for {uncalled}"),
            ),
            (
                "rounds_used_up",
                once,
                "the rounds were used up; no vote was held: in 1 round one was called, and not all agreed to it"
                    .to_owned(),
            ),
            (
                "rounds_used_up",
                twice,
                "the rounds were used up; no vote was held: in 2 rounds one was called, and not all agreed to it"
                    .to_owned(),
            ),
        ] {
            assert_eq!(ended(&undecided(stop, rounds)), format!("No decision after 2 of 4 rounds: {why}."));
        }
    }

    #[test]
    fn votes_that_were_held_before_the_stock_or_the_last_seat_was_gone_are_told() {
        let vote = Vote {
            purpose: "vote".to_owned(),
            counts: vec![Count { name: "for".to_owned(), count: 3, ..Count::default() }],
            ..Vote::default()
        };
        let gone = Course { votes: vec![vote.clone()], ..undecided("collapsed", Vec::new()) };
        assert_eq!(
            ended(&gone),
            "No decision after 2 of 4 rounds: the common stock was gone; the last vote was for: 3."
        );
        let left = Course { outcome: "not_applicable".to_owned(), ..undecided("nobody_left", Vec::new()) };
        assert_eq!(ended(&left), "It ended after 2 of 4 rounds: every seat was excluded, so that no vote was held.");
        let voted = Course { votes: vec![vote], ..left };
        assert_eq!(ended(&voted), "It ended after 2 of 4 rounds: every seat was excluded; the last vote was for: 3.");
    }

    #[test]
    fn calls_that_came_to_nothing_stand_in_a_line_each_and_of_many_the_rest_is_counted() {
        let twice = undecided("", vec![round(1, &["Ann"], &["Ben", "Cem"]), round(2, &["Ben"], &[])]);
        assert_eq!(
            declined(&twice),
            ["Round 1: Ann called a vote; not all agreed (Ben, Cem declined, or gave no valid answer)"]
        );
        let many = undecided("", (1..=14).map(|number| round(number, &["Ann"], &["Ben"])).collect());
        assert_eq!(declined(&many).len(), 13);
        assert_eq!(declined(&many)[12], "2 calls more like it");
    }

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
