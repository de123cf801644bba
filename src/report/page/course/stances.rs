//! The positions of all seats over a session: statements, polls, rankings and ballots in one grid of seats by steps.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use super::moves::Move;
use super::spoken::Spoken;
use crate::report::grouped;
use crate::report::page::cells::Row;
use crate::report::page::labels::Labels;

/// The grid of a session. A missing cell means that the seat took no position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StanceGrid {
    /// The steps, in the order of their records.
    pub steps: Vec<StanceStep>,
    /// The options that any cell names, in order of appearance.
    pub options: Vec<String>,
    /// The cells, by step and seat.
    pub cells: BTreeMap<(usize, usize), StanceCell>,
}

/// A step at which seats take a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StanceStep {
    /// The kind of position.
    pub kind: StepKind,
    /// The phase.
    pub phase: String,
    /// The round; 0 outside rounds.
    pub round: u64,
}

/// The kind of position that seats take at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    /// The private poll before the talk.
    PollBefore,
    /// A ranking of the options.
    Ranking,
    /// A stance declared in a statement.
    Statement,
    /// A private poll after a round.
    RoundPoll,
    /// A ballot.
    Vote,
    /// The private poll after the talk.
    PollAfter,
}

/// The position of a seat at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StanceCell {
    /// The index of the option.
    pub option: usize,
    /// The amount; `None` without one.
    pub amount: Option<u64>,
    /// The record.
    pub seq: u64,
    /// Whether the seat changed its position.
    pub is_move: bool,
}

/// A position before steps are ordered.
struct SeatPosition<'r> {
    kind: StepKind,
    phase: &'r str,
    round: u64,
    /// The number of a vote, which may span several rounds.
    vote: Option<u64>,
    seat: usize,
    option: &'r str,
    amount: Option<u64>,
    seq: u64,
}

impl StanceStep {
    /// The step in a word or two.
    pub fn describe(&self) -> String {
        match (self.kind, self.round) {
            (StepKind::PollBefore, _) => "poll before".to_owned(),
            (StepKind::PollAfter, _) => "poll after".to_owned(),
            (StepKind::Ranking, _) => format!("ranking, {}", self.phase.replace('_', " ")),
            (StepKind::Statement, 0) => "says".to_owned(),
            (StepKind::Statement, round) => format!("says {round}"),
            (StepKind::RoundPoll, round) => format!("poll {round}"),
            (StepKind::Vote, 0) => "vote".to_owned(),
            (StepKind::Vote, round) => format!("vote {round}"),
        }
    }
}

impl StanceGrid {
    /// The option's letter and the amount in a cell; with a single option the amount alone.
    pub fn word_cell(&self, cell: &StanceCell, labels: &Labels) -> String {
        let letter = labels.letter(&self.options[cell.option]);
        match cell.amount.map(grouped) {
            Some(amount) if self.options.len() == 1 => amount,
            Some(amount) => format!("{letter} {amount}"),
            None => letter,
        }
    }

    /// The grid of a session from its statements and ballots. If a seat takes several positions at a step, the last one counts.
    pub fn new(seats: &[&str], spoken: &[Spoken], ballots: &[Row<'_>], moves: &[Move]) -> Self {
        let place = |seat: &str| seats.iter().position(|known| *known == seat);
        let stated = spoken.iter().filter(|turn| !turn.alternative.is_empty()).filter_map(|turn| {
            Some(SeatPosition {
                kind: StepKind::Statement,
                phase: &turn.phase,
                round: turn.round,
                vote: None,
                seat: place(&turn.seat)?,
                option: &turn.alternative,
                amount: turn.amount,
                seq: turn.seq,
            })
        });
        let voted = ballots.iter().filter_map(|row| read_ballot(row, place(row.text("seat")?)?));
        let mut positions: Vec<SeatPosition<'_>> = stated.chain(voted).collect();
        positions.sort_by_key(|position| position.seq);
        let moved: BTreeSet<u64> = moves.iter().map(|moved| moved.seq).collect();
        let mut grid = Self::default();
        let mut options: IndexSet<&str> = IndexSet::new();
        let mut steps = BTreeMap::new();
        for &SeatPosition { kind, phase, round, vote, seat, option, amount, seq } in &positions {
            let step = *steps.entry((kind, phase, vote.map_or(round, |_| 0), vote)).or_insert_with(|| {
                grid.steps.push(StanceStep { kind, phase: phase.to_owned(), round });
                grid.steps.len() - 1
            });
            let (option, _) = options.insert_full(option);
            let before = grid.cells.get(&(step, seat)).is_some_and(|cell| cell.is_move);
            let is_move = before || kind == StepKind::Statement && moved.contains(&seq);
            grid.cells.insert((step, seat), StanceCell { option, amount, seq, is_move });
        }
        grid.options = options.into_iter().map(str::to_owned).collect();
        grid
    }
}

/// A valid ballot that names one option: a choice, an amount, or the first place of a ranking.
fn read_ballot<'r>(row: &'r Row<'_>, seat: usize) -> Option<SeatPosition<'r>> {
    let names_one = match row.text("form") {
        Some("choice" | "amount") => true,
        Some("ranking") => row.text("rank") == Some("1"),
        _ => false,
    };
    if row.text("status") != Some("valid") || !names_one {
        return None;
    }
    let kind = match row.text("purpose")? {
        "straw_before" => StepKind::PollBefore,
        "straw_round" => StepKind::RoundPoll,
        "straw_after" => StepKind::PollAfter,
        "ranking" => StepKind::Ranking,
        "vote" => StepKind::Vote,
        _ => return None,
    };
    Some(SeatPosition {
        kind,
        phase: row.text("phase").unwrap_or_default(),
        round: row.count("round").unwrap_or(0),
        vote: row.count("vote"),
        seat,
        option: row.text("alternative")?,
        amount: row.count("amount"),
        seq: row.count("seq")?,
    })
}
