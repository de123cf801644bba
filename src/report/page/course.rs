//! What happened in one session, from its rows alone: how it ended, who moved when, how votes went, what was paid and kept.
//!
//! Small enough to keep of a thousand sessions at once. Words stay in the minutes. What follows something in time is told as
//! coming after it, never as caused by it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::cells::{Row, Tables};
use crate::analysis::statistics::mean;
use crate::analysis::{FoldedSession, Status};

mod amounts;
mod case;
mod hearing;
mod moves;
mod news;
mod notices;
mod paid;
mod rounds;
mod sampled;
mod votes;

pub use case::Case;
pub use hearing::{Floor, Hearing};
pub use moves::{Before, Move, Spoken, Stood};
pub use news::News;
pub use notices::Notice;
pub use paid::{Forgone, Month, Paid, Settled};
pub use rounds::RoundShown;
pub use sampled::Sampled;
pub use votes::{Count, Vote};

/// One session.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Course {
    /// The name of its folder.
    pub name: String,
    /// Its arm.
    pub arm: String,
    /// Its question; empty in an experiment without items.
    pub item: String,
    /// Its replicate; `None` without a plan.
    pub replicate: Option<u64>,
    /// Its wave in a panel; `None` outside panels.
    pub wave: Option<u64>,
    /// `completed`, `incomplete` or `failed`; `not read` where it may be complete and is left out.
    pub status: &'static str,
    /// Why it is not complete, or why what is there does not count; empty where it is and does.
    pub why: String,
    /// `carried`, `imposed`, `no_decision`, `no_quorum` or `not_applicable`; empty unless it is completed.
    pub outcome: String,
    /// What was decided for, with its amount; empty where nothing was.
    pub result: String,
    /// The same without the amount.
    pub alternative: String,
    /// The amount that was decided for; `None` where none was.
    pub amount: Option<u64>,
    /// Its distance from the right amount, over the right one; `None` where nobody knows that, and where an alternative is chosen with it.
    pub relative_error: Option<f64>,
    /// Whether that is right; `None` where nobody knows.
    pub correct: Option<bool>,
    /// Whether that is a wrong option which the item names for scripts; `None` where it names none.
    pub conformed: Option<bool>,
    /// How the group comes to a decision; empty where nobody votes, and without a plan.
    pub way_to_decide: String,
    /// Rounds of talk at the most.
    pub rounds_max: u64,
    /// Rounds of talk that were opened.
    pub rounds_used: u64,
    /// Why it ended, in one word; empty unless it is completed.
    pub stop: String,
    /// Questions whose tries were used up.
    pub lost: u64,
    /// Questions that were answered validly after a re-ask.
    pub reasked: u64,
    /// Answers that did not count, by why.
    pub faults: BTreeMap<String, u64>,
    /// Statements on the floor.
    pub statements: u64,
    /// Rounds, and parts of phases outside rounds, in order.
    pub rounds: Vec<RoundShown>,
    /// The seats, in the plan's order.
    pub seats: Vec<SeatShown>,
    /// Changes of declared stance, and first stances against what was polled or against own evidence, in order.
    pub moves: Vec<Move>,
    /// Facts that were said for the first time, in order.
    pub news: Vec<News>,
    /// The facts of the case that statements cite, by their ids.
    pub said: BTreeSet<String>,
    /// What it was about; empty without a plan.
    pub case: Case,
    /// Straw polls and votes, in order.
    pub votes: Vec<Vote>,
    /// How often every seat voted, where it was as often as another session took; `None` elsewhere, and without a record.
    pub sampled: Option<Sampled>,
    /// What seats were told between turns, in order; empty without a record.
    pub notices: Vec<Notice>,
    /// By what seats were paid in the settlement; `None` where nothing was settled, and without a record.
    pub settled: Option<Settled>,
    /// What other choices would have paid, by stage.
    pub forgone: Vec<Forgone>,
    /// The months of a common stock.
    pub months: Vec<Month>,
    /// Whether so little of it was left that nothing grew back; `None` where there is none.
    pub is_collapsed: Option<bool>,
    /// How unequally words are spread over seats; `None` without words.
    pub speaking_gini: Option<f64>,
    /// Memories rewritten.
    pub rewrites: u64,
    /// Characters of statements that the public history had dropped at the end.
    pub dropped_chars: u64,
    /// Its forks that lie beside its experiment.
    pub forks: Vec<Forked>,
    /// Calls of models.
    pub calls: u64,
    /// Tokens of prompts and replies; `None` where there were calls and none reported tokens.
    pub tokens: Option<u64>,
}

/// A fork of a session: what would have happened if one thing had been another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Forked {
    /// The name of its folder.
    pub folder: String,
    /// The beginning of its change, in one line.
    pub change: String,
}

/// One seat in a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SeatShown {
    /// Its name.
    pub seat: String,
    /// What answers for it: a mind's rule, or a model's name in the config.
    pub answers: String,
    /// The alternative that it was told alone its evidence points to; empty where it was told none.
    pub signal: String,
    /// The facts that it was told, by their ids, those that all were told among them; empty where it was told none.
    pub facts: Vec<String>,
    /// Choice in the private poll before the talk; empty without one.
    pub before: String,
    /// The same with the amount.
    pub said_before: String,
    /// First declared stance; empty without one.
    pub first: String,
    /// Last declared stance; empty without one.
    pub last: String,
    /// Choice in the private poll after the talk; empty without one.
    pub after: String,
    /// The same with the amount.
    pub said_after: String,
    /// Last valid ballot, with its amount; empty without one.
    pub ballot: String,
    /// The same without the amount.
    pub ballot_for: String,
    /// All its valid ballots of a vote that was taken several times; empty where it was taken once.
    pub ballots: String,
    /// Where its ballot in the last vote is a choice of another alternative than it had declared last before: what it had declared.
    pub otherwise: Option<Otherwise>,
    /// The alternative that its first ranking puts first; empty without one.
    pub ranked_first: String,
    /// The alternative that its last ranking puts first; empty without one.
    pub ranked_last: String,
    /// Statements made.
    pub statements: u64,
    /// Its share of the session's words; `None` without words.
    pub share: Option<f64>,
    /// The mean of its places in the speaking order of rounds; `None` where it had none.
    pub position: Option<f64>,
    /// What it was paid in practice rounds and the settlement, in cents; `None` where it was not.
    pub paid: Paid,
    /// What it took from a common stock; `None` where there is none.
    pub taken: Option<u64>,
}

/// A ballot for another alternative than its seat had declared last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Otherwise {
    /// What it had declared last before it voted, with the amount.
    pub declared: String,
    /// What the ballot is for, with the amount.
    pub ballot: String,
}

impl Course {
    /// The course of a session that was folded; `hearing` says whose statements reach whom before they answer.
    pub fn of(folded: &FoldedSession, tables: &Tables, hearing: &Hearing) -> Self {
        let row = tables.session(folded);
        let text = |column: &str| row.owned(column).unwrap_or_default();
        let count = |column: &str| row.count(column).unwrap_or(0);
        let mut course = Self {
            name: folded.facts.session.clone(),
            arm: folded.facts.arm.arm.clone(),
            item: text("item"),
            replicate: row.count("replicate"),
            wave: row.count("wave"),
            is_collapsed: row.flag("collapsed"),
            status: match folded.session.status {
                Status::Completed => "completed",
                Status::Incomplete => "incomplete",
                Status::Failed(_) => "failed",
            },
            why: text("fault"),
            outcome: text("outcome"),
            result: with_amount(text("result"), row.count("amount")),
            alternative: text("result"),
            amount: row.count("amount"),
            relative_error: row.number("result_relative_error"),
            correct: row.flag("correct"),
            conformed: row.flag("conformed"),
            rounds_max: count("rounds_max"),
            rounds_used: count("rounds_used"),
            stop: text("stop_reason"),
            lost: count("n_invalid") + count("n_refused"),
            reasked: count("n_reasked"),
            statements: count("statements"),
            speaking_gini: row.number("speaking_gini"),
            rewrites: count("memory_rewrites"),
            dropped_chars: count("memory_dropped_chars"),
            calls: count("calls"),
            tokens: row
                .count("prompt_tokens")
                .zip(row.count("completion_tokens"))
                .map(|(one, other)| one.saturating_add(other)),
            ..Self::default()
        };
        // What the public history dropped may be what a seat was never shown.
        let floor = if course.dropped_chars > 0 { Floor::Some } else { hearing.floor };
        let hearing = &Hearing { floor, ..hearing.clone() };
        let spoken = moves::spoken(&tables.rows("statements", &folded.rows.statements));
        let seat_rounds = tables.rows("seat_rounds", &folded.rows.seat_rounds);
        let of_seats = tables.rows("seats", &folded.rows.seats);
        course.seats = seats(&of_seats, &spoken, &seat_rounds);
        course.said = spoken.iter().flat_map(|turn| turn.facts.iter().cloned()).collect();
        course.news = news::news(&spoken, &told(&of_seats), hearing.by_all());
        course.rounds = rounds::rounds(&tables.rows("rounds", &folded.rows.rounds), &seat_rounds);
        let ballots = tables.rows("ballots", &folded.rows.ballots);
        course.votes = votes::votes(&tables.rows("tallies", &folded.rows.tallies), &ballots);
        voted(&mut course.seats, &ballots, &spoken);
        for fault in tables.rows("answers", &folded.rows.answers).iter().filter_map(|row| row.owned("fault")) {
            *course.faults.entry(fault).or_default() += 1;
        }
        let begun = course.seats.iter().map(|seat| (seat.seat.as_str(), begun(seat))).collect();
        course.forgone = paid::forgone(&tables.rows("counterfactuals", &folded.rows.counterfactuals));
        course.months = paid::months(&tables.rows("harvests", &folded.rows.harvests));
        course.moves = moves::moves(&spoken, &begun, &course.news, hearing);
        for moved in course.moves.iter_mut().filter(|moved| moved.before == Before::Takes) {
            moved.others_took = paid::others_took(&course.months, &moved.seat, moved.seq);
        }
        course
    }

    /// Whether it ran to its end and its record is what it wrote.
    pub fn is_complete(&self) -> bool {
        self.status == "completed"
    }
}

/// What a seat stood for before the talk.
fn begun(seat: &SeatShown) -> (String, Stood) {
    match seat.said_before.is_empty() {
        true => (seat.signal.clone(), Stood::Evidence),
        false => (seat.said_before.clone(), Stood::Polled),
    }
}

/// What seats answered to polls and voted for.
fn voted(seats: &mut [SeatShown], ballots: &[Row<'_>], spoken: &[Spoken]) {
    let polled = votes::polled(ballots);
    for seat in seats {
        let of = |purpose: &str| polled.get(&(seat.seat.as_str(), purpose)).cloned();
        let (before, after) = (of("straw_before"), of("straw_after"));
        seat.said_before = before.unwrap_or_else(|| seat.before.clone());
        seat.said_after = after.unwrap_or_else(|| seat.after.clone());
        seat.ballots = votes::repeated(&seat.seat, ballots);
        seat.otherwise = votes::otherwise(&seat.seat, ballots, spoken);
    }
}

/// The seats, each with the facts that it was told.
fn told(rows: &[Row<'_>]) -> Vec<(String, Vec<String>)> {
    rows.iter().map(|row| (row.owned("seat").unwrap_or_default(), facts_of(row))).collect()
}

fn facts_of(row: &Row<'_>) -> Vec<String> {
    row.text("facts").map_or(Vec::new(), |ids| ids.split('|').map(str::to_owned).collect())
}

/// The seats, each with what it declared and where it stood in the orders of rounds.
fn seats(rows: &[Row<'_>], spoken: &[Spoken], seat_rounds: &[Row<'_>]) -> Vec<SeatShown> {
    let mut stances: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for turn in spoken.iter().filter(|turn| !turn.stance.is_empty()) {
        stances.entry(&turn.seat).or_default().push(&turn.stance);
    }
    let mut places: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in seat_rounds {
        if let Some((seat, place)) = row.text("seat").zip(row.number("position")) {
            places.entry(seat).or_default().push(place);
        }
    }
    let own = |row: &Row<'_>| {
        let name = row.text("seat").unwrap_or_default();
        let stances = stances.get(name).map_or(&[][..], Vec::as_slice);
        seat(row, stances, places.get(name).map_or(&[][..], Vec::as_slice))
    };
    rows.iter().map(own).collect()
}

fn seat(row: &Row<'_>, stances: &[&str], places: &[f64]) -> SeatShown {
    let text = |column: &str| row.owned(column).unwrap_or_default();
    let stance = |of: Option<&&str>| of.map_or(String::new(), |stance| (*stance).to_owned());
    let top = |prefix: &str| {
        row.open(prefix).find(|(_, rank)| *rank == "1").map_or(String::new(), |(name, _)| name.to_owned())
    };
    SeatShown {
        answers: row.owned("mind").unwrap_or_else(|| text("model")),
        signal: text("signal"),
        facts: facts_of(row),
        before: text("straw_before"),
        said_before: String::new(),
        first: stance(stances.first()),
        last: stance(stances.last()),
        after: text("straw_after"),
        said_after: String::new(),
        ballot: with_amount(text("final_ballot"), row.count("final_amount")),
        ballot_for: text("final_ballot"),
        ballots: String::new(),
        otherwise: None,
        ranked_first: top("first_rank_"),
        ranked_last: top("last_rank_"),
        statements: row.count("statements").unwrap_or(0),
        share: row.number("speaking_share"),
        position: mean(places),
        paid: paid::paid(row),
        taken: row.count("gain"),
        seat: text("seat"),
    }
}

/// A choice as the tables write it, with its amount as this page writes amounts.
fn apart(choice: String) -> String {
    match choice.rsplit_once(' ').map(|(name, amount)| (name, amount.parse())) {
        Some((name, Ok(amount))) => with_amount(name.to_owned(), Some(amount)),
        _ => choice,
    }
}

/// An alternative with the amount that belongs to it.
pub(super) fn with_amount(alternative: String, amount: Option<u64>) -> String {
    match amount {
        Some(amount) if !alternative.is_empty() => format!("{alternative} {}", in_digits(amount)),
        _ => alternative,
    }
}

/// An amount in groups of digits that no line breaks.
pub(super) fn in_digits(amount: u64) -> String {
    crate::report::grouped(amount).replace(' ', "\u{a0}")
}
