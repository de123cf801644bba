//! The page's part about one session: a short account, then the transcript.

use serde::Serialize;

use super::course::{Move, News, Notice, Paid, SeatShown, SessionCourse, Settled, StanceStep, VoteResult};
use super::ending::describe_ending;
use super::labels::Labels;
use super::tally::{NAMED, describe_counts_by_seat, describe_obstacle, tie};
use super::templates::Templates;
use crate::report::told::{format_dollars, spell_out};
use crate::report::{capitalise, counted, quoted};

/// The events at the beginning that are always visible. The middle of a long talk is folded.
const FIRST: usize = 8;
/// The events at the end that are always visible.
const LAST: usize = 16;
/// The most declined calls for a vote to list.
const CALLS: usize = 12;

#[derive(Serialize)]
struct SessionContext<'c> {
    course: &'c SessionCourse,
    seats: String,
    ended: String,
    declined: Vec<String>,
    otherwise: String,
    evidence: String,
    events: Vec<SessionEvent<'c>>,
    first: usize,
    more: usize,
    table: Option<SeatTable>,
    grid: Option<Grid>,
    influence: Option<Grid>,
    talk: minijinja::Value,
}

/// A table of coloured cells.
#[derive(Serialize)]
struct Grid {
    caption: String,
    corner: &'static str,
    head: Vec<String>,
    rows: Vec<GridRow>,
    /// The letters, labels and style classes of the options.
    legend: Vec<(String, String, String)>,
}

#[derive(Serialize)]
struct GridRow {
    name: String,
    cells: Vec<GridCell>,
}

#[derive(Clone, Default, Serialize)]
struct GridCell {
    text: String,
    /// The accessible name of its link.
    label: String,
    class: String,
    seq: Option<u64>,
}

/// One event; exactly one of the fields after `seq` is set.
#[derive(Serialize)]
struct SessionEvent<'c> {
    seq: u64,
    vote: Option<VoteLine>,
    moved: Option<&'c Move>,
    news: Option<FirstMention<'c>>,
    notice: Option<&'c Notice>,
}

/// Facts mentioned for the first time.
#[derive(Serialize)]
struct FirstMention<'c> {
    of: &'c News,
    /// The id and text of each fact, and the seats to which it was new.
    facts: Vec<(&'c str, &'c str, String)>,
}

/// A straw poll, vote or settlement on one line.
#[derive(Serialize)]
struct VoteLine {
    when: String,
    counts: String,
    seq: Option<u64>,
}

#[derive(Serialize)]
struct SeatTable {
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

/// Renders a session; `talk` is its transcript as HTML.
pub fn view(course: &SessionCourse, talk: String, labels: &Labels, templates: &Templates) -> String {
    let (grid, influence) = (stance_grid(course, labels), influence_grid(course));
    let course = &course.label_choices(|name| labels.option_in_text(name));
    let seats = course.seats.len() as u64;
    let events = collect_events(course);
    templates.fill(
        "course.html",
        SessionContext {
            course,
            seats: if seats > 0 { counted(seats, "seat") } else { String::new() },
            ended: describe_ending(course),
            declined: list_declined_calls(course),
            otherwise: describe_deviating_ballots(course),
            evidence: count_evidence(course),
            first: FIRST,
            more: events.len().saturating_sub(FIRST + LAST),
            events,
            table: seat_table(course),
            grid,
            influence,
            talk: minijinja::Value::from_safe_string(talk),
        },
    )
}

/// The positions of seats by step, with links to the transcript; `None` with fewer than two steps.
fn stance_grid(course: &SessionCourse, labels: &Labels) -> Option<Grid> {
    let of = &course.stances;
    if of.steps.len() < 2 {
        return None;
    }
    let is_single = of.options.len() == 1;
    let class = |option: &str| if is_single { "plain".to_owned() } else { labels.option_class(option) };
    let head: Vec<String> = of.steps.iter().map(StanceStep::describe).collect();
    let rows = course.seats.iter().enumerate().map(|(seat, shown)| {
        let cells = (0..of.steps.len()).map(|step| {
            let Some(cell) = of.cells.get(&(step, seat)) else { return GridCell::default() };
            let option = of.options[cell.option].as_str();
            let moved = if cell.is_move { ", moved" } else { "" };
            GridCell {
                text: of.word_cell(cell, labels),
                label: format!("{}, {}: {}{moved}", shown.seat, head[step], labels.option(option)),
                class: class(option) + if cell.is_move { " moved" } else { "" },
                seq: Some(cell.seq),
            }
        });
        GridRow { name: shown.seat.clone(), cells: cells.collect() }
    });
    let rows: Vec<GridRow> = rows.collect();
    let mut options: Vec<&str> = labels.options().filter(|name| of.options.iter().any(|used| used == name)).collect();
    options.extend(of.options.iter().map(String::as_str).filter(|name| !labels.options().any(|known| known == *name)));
    let legend = options.into_iter().filter(|_| !is_single);
    Some(Grid {
        caption:
            "The position of each seat at each step. A heavy border marks a move. Every cell links to the transcript."
                .to_owned(),
        corner: "seat",
        legend: legend.map(|name| (labels.letter(name), labels.option(name), class(name))).collect(),
        head,
        rows,
    })
}

/// Counts of moves that came after another seat had spoken for the new position; `None` without such a move.
fn influence_grid(course: &SessionCourse) -> Option<Grid> {
    if course.moves.iter().all(|moved| moved.after.is_empty()) {
        return None;
    }
    let names: Vec<&str> = course.seats.iter().map(|seat| seat.seat.as_str()).collect();
    let cell = |voice: &str, mover: &str| {
        let mut own =
            course.moves.iter().filter(|moved| moved.seat == mover && moved.after.iter().any(|one| one.seat == voice));
        match (own.clone().count(), own.next_back()) {
            (0, _) | (_, None) => GridCell::default(),
            (count, Some(last)) => GridCell {
                text: count.to_string(),
                label: format!("{voice} spoke before {} of {mover}", counted(count as u64, "move")),
                class: "plain".to_owned(),
                seq: Some(last.seq),
            },
        }
    };
    Some(Grid {
        caption: "Moves of each seat (column) that came after another seat (row) had spoken for the new position. \
            The order does not show that one caused the other."
            .to_owned(),
        corner: "spoke before",
        head: names.iter().map(|name| (*name).to_owned()).collect(),
        rows: names
            .iter()
            .map(|voice| GridRow {
                name: (*voice).to_owned(),
                cells: names.iter().map(|mover| cell(voice, mover)).collect(),
            })
            .collect(),
        legend: Vec::new(),
    })
}

/// Polls, votes, announcements, first mentions of facts and moves, in the order of their records.
fn collect_events(course: &SessionCourse) -> Vec<SessionEvent<'_>> {
    let at = |seq: u64| SessionEvent { seq, vote: None, moved: None, news: None, notice: None };
    let vote =
        |vote: &VoteResult| SessionEvent { vote: Some(describe_vote(course, vote)), ..at(vote.seq.unwrap_or(0)) };
    let votes = course.votes.iter().map(vote);
    let notices = course.notices.iter().map(|notice| SessionEvent { notice: Some(notice), ..at(notice.seq) });
    let moves = course.moves.iter().map(|moved| SessionEvent { moved: Some(moved), ..at(moved.seq) });
    let news = course.news.iter().map(|of| SessionEvent { news: Some(describe_news(course, of)), ..at(of.seq) });
    let settled = course.settled.iter().map(|of| SessionEvent { vote: Some(describe_settlement(of)), ..at(of.seq) });
    let mut events: Vec<SessionEvent<'_>> = votes.chain(settled).chain(notices).chain(moves).chain(news).collect();
    events.sort_by_key(|event| event.seq);
    events
}

/// The facts that a statement mentions first, with their texts and the seats to which they were new.
fn describe_news<'c>(course: &'c SessionCourse, of: &'c News) -> FirstMention<'c> {
    let facts = of.facts.iter().map(|new| {
        let to = match (new.is_told, new.is_to_all) {
            (false, _) => String::new(),
            (true, true) => "new to all others".to_owned(),
            (true, false) => format!("new to {}", new.to.join(", ")),
        };
        (new.fact.as_str(), course.case.facts.get(&new.fact).map_or("", String::as_str), to)
    });
    FirstMention { of, facts: facts.collect() }
}

/// Counts all facts and the cited facts by the option they support; empty if facts support none.
fn count_evidence(course: &SessionCourse) -> String {
    let case = &course.case;
    if case.sides.is_empty() {
        return String::new();
    }
    let all = case.count_by_side(case.facts.keys().map(String::as_str));
    let said = case.count_by_side(course.said.iter().map(String::as_str));
    format!("Facts of the case, by the option they support: {all}. Cited in statements: {said}.")
}

/// The seats whose ballot in the last vote differs from the stance they last declared; empty without such seats.
fn describe_deviating_ballots(course: &SessionCourse) -> String {
    let those = || course.seats.iter().filter_map(|seat| Some((&seat.seat, seat.otherwise.as_ref()?)));
    let listed = those()
        .take(NAMED as usize)
        .map(|(seat, one)| format!("{seat} (declared {}, voted for {})", quoted(&one.declared), quoted(&one.ballot)));
    let mut listed: Vec<String> = listed.collect();
    let more = those().count().saturating_sub(NAMED as usize);
    if more > 0 {
        listed.push(counted(more as u64, "more seat"));
    }
    if listed.is_empty() {
        String::new()
    } else {
        format!("Ballots in the last vote that differ from the stance last declared: {}", listed.join("; "))
    }
}

/// Calls for a vote that not every seat agreed to, one line each.
fn list_declined_calls(course: &SessionCourse) -> Vec<String> {
    let calls = course.rounds.iter().filter(|round| !round.called_by.is_empty() && !round.declined_by.is_empty());
    let listed = calls.clone().take(CALLS).map(|round| {
        format!(
            "Round {}: {} called a vote; not all agreed ({} declined, or gave no valid answer)",
            round.round,
            round.called_by.join(", "),
            round.declined_by.join(", ")
        )
    });
    let mut listed: Vec<String> = listed.collect();
    let more = calls.count().saturating_sub(CALLS);
    if more > 0 {
        listed.push(format!("{} like it", counted(more as u64, "more call")));
    }
    listed
}

/// The basis of the final payment.
fn describe_settlement(settled: &Settled) -> VoteLine {
    let by = match settled.by.as_str() {
        "" => "without a group decision, each by a randomly drawn table".to_owned(),
        by => format!("by {}", quoted(by)),
    };
    VoteLine {
        when: "Settlement".to_owned(),
        counts: format!("seats were paid {by} (situation {})", settled.situation),
        seq: Some(settled.seq),
    }
}

/// A poll or vote with its counts and its result.
fn describe_vote(course: &SessionCourse, vote: &VoteResult) -> VoteLine {
    let round = if vote.round > 0 { format!("Round {}, ", vote.round) } else { String::new() };
    let when = match vote.purpose.as_str() {
        "straw_before" => "Private poll before the talk".to_owned(),
        "straw_after" => "Private poll after the talk".to_owned(),
        "straw_round" => format!("{round}private poll"),
        _ => match &course.sampled {
            Some(sampled) => format!("{}, counted together by {}", sampled.words(), spell_out(&vote.rule)),
            None => format!("{round}vote {} by {}", vote.number.unwrap_or(0), spell_out(&vote.rule)),
        },
    };
    let mut counts = describe_counts_by_seat(vote);
    if vote.purpose == "vote" {
        counts += &match vote.decided.as_str() {
            "" => format!("; the vote decided nothing{}", describe_obstacle(vote)),
            decided => format!("; decided for {}", quoted(decided)),
        };
        counts += &tie(vote);
    }
    VoteLine { when: capitalise(&when), counts, seq: vote.seq }
}

/// The seats from their first to their last position, without empty columns.
fn seat_table(course: &SessionCourse) -> Option<SeatTable> {
    let seats = &course.seats;
    type SeatCell = fn(&SeatShown) -> String;
    let dollars = |cents: i64| {
        let sign = if cents < 0 { "-" } else { "" };
        format!("{sign}{}", format_dollars(cents.unsigned_abs()))
    };
    let columns: [(&'static str, SeatCell); 12] = [
        ("seat", |seat| seat.seat.clone()),
        ("own evidence points to", |seat| seat.signal.clone()),
        ("poll before", |seat| seat.said_before.clone()),
        ("top of first ranking", |seat| seat.ranked_first.clone()),
        ("first stance", |seat| seat.first.clone()),
        ("last stance", |seat| seat.last.clone()),
        ("poll after", |seat| seat.said_after.clone()),
        ("top of last ranking", |seat| seat.ranked_last.clone()),
        ("last valid ballot", |seat| if seat.ballots.is_empty() { seat.ballot.clone() } else { String::new() }),
        ("valid ballots", |seat| seat.ballots.clone()),
        ("share of words", |seat| seat.share.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))),
        ("mind or model", |seat| seat.answers.clone()),
    ];
    let mut cells: Vec<(&'static str, Vec<String>)> =
        columns.iter().map(|(name, cell)| (*name, seats.iter().map(cell).collect())).collect();
    let weighed = |facts: &[&str]| match facts.is_empty() {
        true => String::new(),
        false => course.case.count_by_side(facts.iter().copied()),
    };
    let is_shared = |fact: &&str| seats.iter().all(|seat| seat.facts.iter().any(|given| given == fact));
    let given = |seat: &SeatShown| weighed(&seat.facts.iter().map(String::as_str).collect::<Vec<_>>());
    let unshared = |seat: &SeatShown| {
        let own: Vec<&str> = seat.facts.iter().map(String::as_str).filter(|fact| !is_shared(fact)).collect();
        if own.is_empty() && !seat.facts.is_empty() { "none".to_owned() } else { weighed(&own) }
    };
    cells.insert(2, ("facts it was given, by the option they support", seats.iter().map(given).collect()));
    cells.insert(3, ("of these, not given to every seat", seats.iter().map(unshared).collect()));
    let paid =
        |of: fn(&Paid) -> Option<i64>| seats.iter().map(|seat| of(&seat.paid).map_or(String::new(), dollars)).collect();
    cells.push(("paid in practice rounds (dollars)", paid(|paid| paid.applications)));
    cells.push(("paid in the settlement (dollars)", paid(|paid| paid.settlement)));
    cells.push(("total paid (dollars)", paid(|paid| paid.applications.and(paid.settlement).and(paid.total))));
    cells.retain(|(_, column)| column.iter().any(|cell| !cell.is_empty()));
    let rows = (0..seats.len()).map(|row| cells.iter().map(|(_, column)| column[row].clone()).collect());
    (cells.len() > 1).then(|| SeatTable { head: cells.iter().map(|(name, _)| *name).collect(), rows: rows.collect() })
}

#[cfg(test)]
mod tests {
    use super::super::course::RoundShown;
    use super::*;

    fn round(round: u64, called_by: &[&str], declined_by: &[&str]) -> RoundShown {
        let names = |of: &[&str]| of.iter().map(|name| (*name).to_owned()).collect();
        RoundShown { round, called_by: names(called_by), declined_by: names(declined_by), ..RoundShown::default() }
    }

    fn course_with(rounds: Vec<RoundShown>) -> SessionCourse {
        SessionCourse { rounds, ..SessionCourse::default() }
    }

    #[test]
    fn declined_calls_have_a_line_each_and_the_rest_of_many_is_counted() {
        let twice = course_with(vec![round(1, &["Ann"], &["Ben", "Cem"]), round(2, &["Ben"], &[])]);
        assert_eq!(
            list_declined_calls(&twice),
            ["Round 1: Ann called a vote; not all agreed (Ben, Cem declined, or gave no valid answer)"]
        );
        let many = course_with((1..=14).map(|number| round(number, &["Ann"], &["Ben"])).collect());
        assert_eq!(list_declined_calls(&many).len(), 13);
        assert_eq!(list_declined_calls(&many)[12], "2 more calls like it");
    }
}
