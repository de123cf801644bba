//! One session as a piece of the page: what happened in it in a few lines, then its transcript.

use serde::Serialize;

use super::course::{Course, Move, News, Notice, Paid, SeatShown, Settled, Vote};
use super::ending::ended;
use super::stock::{self, Months};
use super::tally::{NAMED, counts_by_seat, needed, spelled, tie};
use super::templates::Templates;
use crate::report::{counted, grouped, quoted};

/// Events at the beginning that are told at once; a long talk has a hundred between them and the last.
const FIRST: usize = 8;
/// The same at the end.
const LAST: usize = 16;
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
    evidence: String,
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
    notice: Option<&'c Notice>,
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
            evidence: evidence(course),
            first: FIRST,
            more: events.len().saturating_sub(FIRST + LAST),
            events,
            table: table(course),
            talk: minijinja::Value::from_safe_string(talk),
        },
    )
}

/// Polls, votes, what seats were told between turns, and moves in the order of their records.
fn events(course: &Course) -> Vec<Happened<'_>> {
    let at = |seq: u64| Happened { seq, vote: None, moved: None, news: None, notice: None };
    let vote = |vote: &Vote| Happened { vote: Some(line(course, vote)), ..at(vote.seq.unwrap_or(0)) };
    let votes = course.votes.iter().map(vote);
    let notices = course.notices.iter().map(|notice| Happened { notice: Some(notice), ..at(notice.seq) });
    let moves = course.moves.iter().map(|moved| Happened { moved: Some(moved), ..at(moved.seq) });
    let news = course.news.iter().map(|of| Happened { news: Some(said(course, of)), ..at(of.seq) });
    // What a seat says by which it moves stands with the move.
    let settled = course.settled.iter().map(|of| Happened { vote: Some(settlement(of)), ..at(of.seq) });
    let mut events: Vec<Happened<'_>> = votes.chain(settled).chain(notices).chain(moves).chain(news).collect();
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

/// How many facts of the case there are for each alternative, and how many of them were said; empty where they speak for none.
fn evidence(course: &Course) -> String {
    let case = &course.case;
    if case.sides.is_empty() {
        return String::new();
    }
    let all = case.weighed(case.facts.keys().map(String::as_str));
    let said = case.weighed(course.said.iter().map(String::as_str));
    format!("Facts of the case that speak for each alternative: {all}. Of these the statements cite: {said}.")
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

/// By what seats were paid in the end.
fn settlement(settled: &Settled) -> Line {
    let by = match settled.by.as_str() {
        "" => "without a decision, each by a table drawn by lot".to_owned(),
        by => format!("by {}", quoted(by)),
    };
    Line {
        when: "Settlement".to_owned(),
        counts: format!("seats were paid {by} (situation {})", settled.situation),
        seq: Some(settled.seq),
    }
}

/// A poll or vote.
fn line(course: &Course, vote: &Vote) -> Line {
    let round = if vote.round > 0 { format!("Round {}, ", vote.round) } else { String::new() };
    let when = match vote.purpose.as_str() {
        "straw_before" => "Private poll before the talk".to_owned(),
        "straw_after" => "Private poll after the talk".to_owned(),
        "straw_round" => format!("{round}private poll"),
        _ => match &course.sampled {
            Some(sampled) => format!("{}, counted together by {}", sampled.words(), spelled(&vote.rule)),
            None => format!("{round}vote {} by {}", vote.number.unwrap_or(0), spelled(&vote.rule)),
        },
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

/// Where seats began and ended; columns that nobody has a cell in are left out.
fn table(course: &Course) -> Option<Table> {
    let seats = &course.seats;
    type Cell = fn(&SeatShown) -> String;
    let dollars = |cents: u64| format!("{}.{:02}", cents / 100, cents % 100);
    let columns: [(&'static str, Cell); 12] = [
        ("seat", |seat| seat.seat.clone()),
        ("own evidence points to", |seat| seat.signal.clone()),
        ("poll before", |seat| seat.said_before.clone()),
        ("ranked first", |seat| seat.ranked_first.clone()),
        ("first stance", |seat| seat.first.clone()),
        ("last stance", |seat| seat.last.clone()),
        ("poll after", |seat| seat.said_after.clone()),
        ("ranked first at last", |seat| seat.ranked_last.clone()),
        ("last valid ballot", |seat| if seat.ballots.is_empty() { seat.ballot.clone() } else { String::new() }),
        ("valid ballots", |seat| seat.ballots.clone()),
        ("share of words", |seat| seat.share.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))),
        ("answers", |seat| seat.answers.clone()),
    ];
    let mut cells: Vec<(&'static str, Vec<String>)> =
        columns.iter().map(|(name, cell)| (*name, seats.iter().map(cell).collect())).collect();
    let weighed = |facts: &[&str]| match facts.is_empty() {
        true => String::new(),
        false => course.case.weighed(facts.iter().copied()),
    };
    let is_shared = |fact: &&str| seats.iter().all(|seat| seat.facts.iter().any(|told| told == fact));
    let told = |seat: &SeatShown| weighed(&seat.facts.iter().map(String::as_str).collect::<Vec<_>>());
    let unshared = |seat: &SeatShown| {
        let own: Vec<&str> = seat.facts.iter().map(String::as_str).filter(|fact| !is_shared(fact)).collect();
        if own.is_empty() && !seat.facts.is_empty() { "none".to_owned() } else { weighed(&own) }
    };
    cells.insert(2, ("facts that it was told speak for", seats.iter().map(told).collect()));
    cells.insert(3, ("of these, not told to every seat", seats.iter().map(unshared).collect()));
    cells.push(("taken in all", seats.iter().map(|seat| seat.taken.map_or(String::new(), grouped)).collect()));
    let paid =
        |of: fn(&Paid) -> Option<u64>| seats.iter().map(|seat| of(&seat.paid).map_or(String::new(), dollars)).collect();
    cells.push(("paid in practice rounds, dollars", paid(|paid| paid.applications)));
    cells.push(("in the settlement, dollars", paid(|paid| paid.settlement)));
    cells.push(("in all, dollars", paid(|paid| paid.applications.and(paid.settlement).and(paid.total))));
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

    fn with(rounds: Vec<RoundShown>) -> Course {
        Course { rounds, ..Course::default() }
    }

    #[test]
    fn calls_that_came_to_nothing_stand_in_a_line_each_and_of_many_the_rest_is_counted() {
        let twice = with(vec![round(1, &["Ann"], &["Ben", "Cem"]), round(2, &["Ben"], &[])]);
        assert_eq!(
            declined(&twice),
            ["Round 1: Ann called a vote; not all agreed (Ben, Cem declined, or gave no valid answer)"]
        );
        let many = with((1..=14).map(|number| round(number, &["Ann"], &["Ben"])).collect());
        assert_eq!(declined(&many).len(), 13);
        assert_eq!(declined(&many)[12], "2 calls more like it");
    }
}
