//! Straw polls and votes, seat by seat.

use crate::domain::{AlternativeName, PhaseName, SeatName, Seq};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::{AnswerStatus, origin};
use crate::metrics::fold::Purpose;

/// A column of this table.
type Col = Column<BallotRow>;

/// One seat's final answer to a straw poll or a vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BallotRow {
    /// The phase.
    pub phase: PhaseName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The record that settles it.
    pub seq: Seq,
    /// The number of the vote in the session, from 1; `None` for a straw poll.
    pub vote: Option<u32>,
    /// What it is for.
    pub purpose: Purpose,
    /// Who answered.
    pub seat: SeatName,
    /// Whether it counts.
    pub status: AnswerStatus,
    /// The attempt, from 0.
    pub attempt: u8,
    /// The choice; `None` unless valid.
    pub alternative: Option<AlternativeName>,
    /// The place of the choice among the options as shown, from 1.
    pub shown_position: Option<u32>,
    /// The options as shown, joined by `|`.
    pub options_shown: String,
    /// Whether the choice is the stance the seat declared last; `None` without either.
    pub matches_stance: Option<bool>,
    /// The words as they came.
    pub raw: String,
}

impl Row for BallotRow {
    const TABLE: &'static str = "ballots";
    const ABOUT: &'static str = "one row a seat and straw poll or vote: the answer that settled it";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str())).source("at.phase"),
        Col::count("round", "round of the phase, from 1; 0 outside rounds", |r| Some(u64::from(r.round)))
            .source("at.round"),
        Col::count("seq", "number of the record that settled it", |r| Some(r.seq.0)).source("seq"),
        Col::count("vote", "number of the vote in the session, from 1; empty for straw polls", |r| {
            r.vote.map(u64::from)
        })
        .source("Tallied"),
        Col::text("purpose", "straw_before, straw_round, straw_after or vote", |r| Some(r.purpose.as_str()))
            .source("at.step and the agenda"),
        Col::flag("binding", "1 for a vote, 0 for a straw poll", |r| Some(r.purpose == Purpose::Vote))
            .source("at.step"),
        Col::text("seat", "who answered", |r| Some(r.seat.as_str())).source("seat"),
        Col::text("form", "form of the ballot: choice", |_| Some("choice")).source("plan"),
        Col::text(
            "status",
            "valid; invalid or refused when the tries were used up and the last answer had a fault or declined",
            |r| Some(r.status.as_str()),
        )
        .source("Polled, Balloted, Faulted"),
        Col::text("origin", "first_try, or reasked when the seat had been asked again", |r| Some(origin(r.attempt)))
            .source("attempt"),
        Col::text("alternative", "the choice; empty unless valid", |r| {
            r.alternative.as_ref().map(AlternativeName::as_str)
        })
        .source("Polled, Balloted"),
        Col::count("shown_position", "place of the choice among the options as shown, from 1", |r| {
            r.shown_position.map(u64::from)
        })
        .source("Polled, Balloted"),
        Col::text("options_shown", "the options in the order shown, joined by |", |r| Some(&r.options_shown))
            .source("Polled, Balloted, Faulted"),
        Col::flag(
            "matches_stance",
            "1 if the choice is the stance the seat had declared last; empty unless valid and a stance was declared",
            |r| r.matches_stance,
        )
        .source("Spoke and Polled or Balloted"),
        Col::count("tries", "how often the question was put", |r| Some(u64::from(r.attempt) + 1))
            .formula("attempt + 1")
            .source("attempt"),
        Col::text("raw", "the words of the answer as they came", |r| Some(&r.raw)).source("Polled, Balloted, Faulted"),
    ]];
}
