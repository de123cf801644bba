//! What happened in one session, from its table rows: the outcome, moves, votes, payments and memories.
//!
//! A course is small enough to keep for a thousand sessions at once, so statements stay in the minutes. The page says that
//! one event came after another, never that one caused the other.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde::Serialize;

use super::cells::{Row, Tables};
use crate::analysis::{FoldedSession, Status};
use crate::plan::Plan;

mod amounts;
mod case;
mod choices;
mod hearing;
mod labelled;
mod moves;
mod news;
mod notices;
mod paid;
mod readings;
mod rounds;
mod sampled;
mod spoken;
mod stances;
mod texts;
mod votes;

pub use case::Case;
pub use choices::strip_amount;
pub use hearing::{Earshot, HearingRules};
pub use moves::{Move, PositionSource};
pub use news::News;
pub use notices::Notice;
pub use paid::{ComputedPay, Forgone, Paid, Settled};
pub use readings::{Reading, ReadingMeasure, ReadingOccasion, Subject, SubjectOwner, forms_of, options_of};
pub use rounds::RoundShown;
pub use sampled::Sampled;
pub use spoken::Spoken;
pub use stances::{StanceCell, StanceGrid, StanceStep, StepKind};
pub use texts::TextHistory;
pub use votes::{Count, Otherwise, VoteResult};

use choices::with_amount;

/// What happened in one session.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SessionCourse {
    /// The name of its folder.
    pub name: String,
    /// The name of its arm.
    pub arm: String,
    /// Its item; empty in an experiment without items.
    pub item: String,
    /// The replicate; `None` without a plan.
    pub replicate: Option<u64>,
    /// The wave of a panel; `None` outside panels.
    pub wave: Option<u64>,
    /// `completed`, `incomplete` or `failed`; `not read` if the session may be complete but was not read.
    pub status: &'static str,
    /// Why the session does not count; empty if it is complete.
    pub why: String,
    /// `carried`, `imposed`, `no_decision`, `no_quorum` or `not_applicable`; empty unless completed.
    pub outcome: String,
    /// The passes in which the vote was counted whose last pass gives the result; 0 without such a vote.
    pub passes: u32,
    /// The alternative decided for, with its amount; empty without a decision.
    pub result: String,
    /// The alternative decided for, without its amount.
    pub alternative: String,
    /// The amount decided for; `None` without one.
    pub amount: Option<u64>,
    /// The distance from the right amount as a share of that amount; `None` if the right amount is unknown or the group also
    /// chose an alternative.
    pub relative_error: Option<f64>,
    /// Whether the decision is right; `None` if the right answer is unknown.
    pub correct: Option<bool>,
    /// The decision procedure in words; empty without votes or a plan.
    pub way_to_decide: String,
    /// The most rounds of talk.
    pub rounds_max: u64,
    /// The rounds of talk that were opened.
    pub rounds_used: u64,
    /// The stop reason as in the tables; empty unless completed.
    pub stop: String,
    /// Questions that got no valid answer.
    pub lost: u64,
    /// Questions that got a valid answer after a repeat.
    pub reasked: u64,
    /// Answers that did not count, by fault.
    pub faults: BTreeMap<String, u64>,
    /// The number of statements.
    pub statements: u64,
    /// Rounds, and the parts of phases outside rounds, in order.
    pub rounds: Vec<RoundShown>,
    /// The seats, in the plan's order.
    pub seats: Vec<SeatShown>,
    /// Changes of declared stance, and first stances against the poll or the seat's own evidence, in order.
    pub moves: Vec<Move>,
    /// The position of each seat at each step.
    #[serde(skip)]
    pub stances: StanceGrid,
    /// The first mentions of facts, in order.
    pub news: Vec<News>,
    /// The ids of the facts that statements cite.
    pub said: BTreeSet<String>,
    /// The question, the options and the facts; empty without a plan.
    pub case: Case,
    /// Straw polls and votes, in order.
    pub votes: Vec<VoteResult>,
    /// Repeated votes that match the cost of another session; `None` for other sessions or without a record.
    pub sampled: Option<Sampled>,
    /// Announcements between turns, in order; empty without a record.
    pub notices: Vec<Notice>,
    /// The basis of the final payment; `None` without a settlement or a record.
    pub settled: Option<Settled>,
    /// The answers to forms and the values of variables, by occasion; empty without a plan.
    #[serde(skip)]
    pub readings: Vec<Reading>,
    /// The texts that are kept under names; empty without a plan.
    pub texts: Vec<TextHistory>,
    /// The payments for every possible choice, by stage.
    pub forgone: Vec<Forgone>,
    /// The payments that expressions of the agenda compute, by unit.
    #[serde(skip)]
    pub computed_pay: IndexMap<String, ComputedPay>,
    /// The Gini coefficient of the words per seat; `None` without words.
    pub speaking_gini: Option<f64>,
    /// The characters of statements that the public history had dropped by the end.
    pub dropped_chars: u64,
    /// The forks of this session in folders beside its experiment.
    pub forks: Vec<Forked>,
}

/// A fork of a session: the same session with one change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Forked {
    /// The name of its folder.
    pub folder: String,
    /// The beginning of the change, on one line.
    pub change: String,
}

/// One seat in a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SeatShown {
    /// The seat's name.
    pub seat: String,
    /// What answers for the seat: the rule of its mind, or a model's name in the config.
    pub answers: String,
    /// The alternative that the seat's private signal points to; empty without one.
    pub signal: String,
    /// The ids of the facts given to the seat, including those given to every seat.
    pub facts: Vec<String>,
    /// The choice in the private poll before the talk; empty without one.
    pub before: String,
    /// The choice in the poll before the talk, with its amount.
    pub said_before: String,
    /// The first declared stance; empty without one.
    pub first: String,
    /// The last declared stance; empty without one.
    pub last: String,
    /// The choice in the private poll after the talk; empty without one.
    pub after: String,
    /// The choice in the poll after the talk, with its amount.
    pub said_after: String,
    /// The last valid ballot, with its amount; empty without one.
    pub ballot: String,
    /// The last valid ballot, without its amount.
    pub ballot_for: String,
    /// All valid ballots of a repeated vote; empty if the vote was held once.
    pub ballots: String,
    /// The ballot in the last vote, if it differs from the stance last declared.
    pub otherwise: Option<Otherwise>,
    /// The top of the first ranking; empty without one.
    pub ranked_first: String,
    /// The top of the last ranking; empty without one.
    pub ranked_last: String,
    /// The seat's share of the session's words; `None` without words.
    pub share: Option<f64>,
    /// The payments in practice rounds and the settlement.
    pub paid: Paid,
}

impl SessionCourse {
    /// The course of a folded session. `hearing` says which statements reach which seat before it answers.
    pub fn of(folded: &FoldedSession, tables: &Tables, hearing: &HearingRules) -> Self {
        let row = tables.session(folded);
        let text = |column: &str| row.owned(column).unwrap_or_default();
        let count = |column: &str| row.count(column).unwrap_or(0);
        let mut course = Self {
            name: folded.facts.session.clone(),
            arm: folded.facts.arm.arm.clone(),
            item: text("item"),
            replicate: row.count("replicate"),
            wave: row.count("wave"),
            status: match folded.session.status {
                Status::Completed => "completed",
                Status::Incomplete => "incomplete",
                Status::Failed(_) => "failed",
            },
            why: text("fault"),
            outcome: text("outcome"),
            passes: folded.session.totals.as_ref().map_or(0, |totals| totals.deciding_passes),
            result: with_amount(text("result"), row.count("amount")),
            alternative: text("result"),
            amount: row.count("amount"),
            relative_error: row.number("result_relative_error"),
            correct: row.flag("correct"),
            rounds_max: count("rounds_max"),
            rounds_used: count("rounds_used"),
            stop: text("stop_reason"),
            lost: count("n_invalid") + count("n_refused"),
            reasked: count("n_reasked"),
            statements: count("statements"),
            speaking_gini: row.number("speaking_gini"),
            dropped_chars: count("memory_dropped_chars"),
            ..Self::default()
        };
        // A seat may never have seen statements that the public history dropped.
        let floor = if course.dropped_chars > 0 { Earshot::Some } else { hearing.floor };
        let hearing = &HearingRules { floor, ..hearing.clone() };
        let spoken = spoken::read_spoken(&tables.rows("statements", &folded.rows.statements));
        let seat_rounds = tables.rows("seat_rounds", &folded.rows.seat_rounds);
        let of_seats = tables.rows("seats", &folded.rows.seats);
        course.seats = read_seats(&of_seats, &spoken);
        course.said = spoken.iter().flat_map(|turn| turn.facts.iter().cloned()).collect();
        course.news = news::find_news(&spoken, &read_given_facts(&of_seats), hearing.floor_for_all());
        course.rounds = rounds::read_rounds(&tables.rows("rounds", &folded.rows.rounds), &seat_rounds);
        let ballots = tables.rows("ballots", &folded.rows.ballots);
        course.votes = votes::read_votes(&tables.rows("tallies", &folded.rows.tallies), &ballots);
        add_ballots(&mut course.seats, &ballots, &spoken);
        for fault in tables.rows("answers", &folded.rows.answers).iter().filter_map(|row| row.owned("fault")) {
            *course.faults.entry(fault).or_default() += 1;
        }
        let begun = course.seats.iter().map(|seat| (seat.seat.as_str(), initial_position(seat))).collect();
        course.forgone = paid::read_forgone(&tables.rows("counterfactuals", &folded.rows.counterfactuals));
        course.computed_pay = paid::read_computed_pay(&tables.rows("payoffs", &folded.rows.payoffs));
        course.moves = moves::find_moves(&spoken, &begun, &course.news, hearing);
        let names: Vec<&str> = course.seats.iter().map(|seat| seat.seat.as_str()).collect();
        course.stances = StanceGrid::new(&names, &spoken, &ballots, &course.moves);
        course
    }

    /// Adds what only the plan of the session explains: its answers to forms, its variables and its texts.
    pub fn add_values(&mut self, plan: &Plan, folded: &FoldedSession, tables: &Tables) {
        let values = tables.rows("values", &folded.rows.values);
        let variables = tables.rows("variables", &folded.rows.variables);
        self.readings = readings::read_readings(plan, &values, &variables);
        self.texts = texts::read_texts(plan, &tables.rows("texts", &folded.rows.texts), &self.votes);
    }

    /// Which of several votes gave the result: `the last of 15 votes`; `None` if there was one.
    pub fn last_of_votes(&self) -> Option<String> {
        (self.passes > 1).then(|| format!("the last of {} votes", self.passes))
    }

    /// Whether the session ran to its end and its record is unchanged.
    pub fn is_complete(&self) -> bool {
        self.status == "completed"
    }
}

/// The seat's position before the talk, from the poll or else from its signal.
fn initial_position(seat: &SeatShown) -> (String, PositionSource) {
    match seat.said_before.is_empty() {
        true => (seat.signal.clone(), PositionSource::Evidence),
        false => (seat.said_before.clone(), PositionSource::Polled),
    }
}

/// Adds the answers to polls and the ballots to the seats.
fn add_ballots(seats: &mut [SeatShown], ballots: &[Row<'_>], spoken: &[Spoken]) {
    let polled = votes::read_polls(ballots);
    for seat in seats {
        let of = |purpose: &str| polled.get(&(seat.seat.as_str(), purpose)).cloned();
        let (before, after) = (of("straw_before"), of("straw_after"));
        seat.said_before = before.unwrap_or_else(|| seat.before.clone());
        seat.said_after = after.unwrap_or_else(|| seat.after.clone());
        seat.ballots = votes::list_repeated_ballots(&seat.seat, ballots);
        seat.otherwise = votes::find_otherwise(&seat.seat, ballots, spoken);
    }
}

/// The seats, each with the ids of the facts given to it.
fn read_given_facts(rows: &[Row<'_>]) -> Vec<(String, Vec<String>)> {
    rows.iter().map(|row| (row.owned("seat").unwrap_or_default(), row.list("facts"))).collect()
}

/// The seats, with their declared stances.
fn read_seats(rows: &[Row<'_>], spoken: &[Spoken]) -> Vec<SeatShown> {
    let mut stances: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for turn in spoken.iter().filter(|turn| !turn.stance.is_empty()) {
        stances.entry(&turn.seat).or_default().push(&turn.stance);
    }
    let own = |row: &Row<'_>| {
        let stances = stances.get(row.text("seat").unwrap_or_default());
        read_seat(row, stances.map_or(&[][..], Vec::as_slice))
    };
    rows.iter().map(own).collect()
}

fn read_seat(row: &Row<'_>, stances: &[&str]) -> SeatShown {
    let text = |column: &str| row.owned(column).unwrap_or_default();
    let stance = |of: Option<&&str>| of.map_or(String::new(), |stance| (*stance).to_owned());
    let top = |prefix: &str| {
        row.open(prefix).find(|(_, rank)| *rank == "1").map_or(String::new(), |(name, _)| name.to_owned())
    };
    SeatShown {
        answers: row.owned("mind").unwrap_or_else(|| text("model")),
        signal: text("signal"),
        facts: row.list("facts"),
        before: text("straw_before"),
        first: stance(stances.first()),
        last: stance(stances.last()),
        after: text("straw_after"),
        ballot: with_amount(text("final_ballot"), row.count("final_amount")),
        ballot_for: text("final_ballot"),
        ranked_first: top("first_rank_"),
        ranked_last: top("last_rank_"),
        share: row.number("speaking_share"),
        paid: paid::read_paid(row),
        seat: text("seat"),
        ..SeatShown::default()
    }
}
