//! Turns on the floor.

use crate::domain::{AlternativeName, PhaseName, SeatName, Seq};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::origin;

/// A column of this table.
type Col = Column<StatementRow>;

/// One turn on the floor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementRow {
    /// The phase.
    pub phase: PhaseName,
    /// The round.
    pub round: u32,
    /// The turn in the round.
    pub turn: u32,
    /// Who had the turn.
    pub seat: SeatName,
    /// The record that settles the turn.
    pub seq: Seq,
    /// The seat's place in the round's speaking order, from 1.
    pub position: Option<u32>,
    /// `statement`, `pass` or `forfeit`.
    pub kind: &'static str,
    /// The declared favourite.
    pub stance: Option<AlternativeName>,
    /// Words of the statement.
    pub words: Option<u64>,
    /// The attempt, from 0.
    pub attempt: u8,
    /// The words in full.
    pub text: Option<String>,
}

impl Row for StatementRow {
    const TABLE: &'static str = "statements";
    const ABOUT: &'static str = "one row a speaking turn; what the facilitator says is not in it";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str())).source("at.phase"),
        Col::count("round", "round of the phase, from 1", |r| Some(u64::from(r.round))).source("at.round"),
        Col::count("turn", "speaking turn in the round, from 1", |r| Some(u64::from(r.turn))).source("at.turn"),
        Col::text("seat", "who had the turn", |r| Some(r.seat.as_str())).source("seat"),
        Col::count("seq", "number of the record that settled the turn", |r| Some(r.seq.0)).source("seq"),
        Col::count("position", "the seat's place in the round's speaking order, from 1", |r| r.position.map(u64::from))
            .source("RoundOpened"),
        Col::text(
            "kind",
            "statement; pass: the seat did not speak; forfeit: the seat's tries were used up without a valid statement",
            |r| Some(r.kind),
        )
        .source("Spoke, Passed, Faulted"),
        Col::text("stance", "alternative the speaker declared to favour; empty when none was declared", |r| {
            r.stance.as_ref().map(AlternativeName::as_str)
        })
        .source("Spoke"),
        Col::count("words", "words of the text, by Unicode's word boundaries; empty without a text", |r| r.words)
            .unit("words")
            .source("Unicode Standard Annex #29"),
        Col::count("chars", "length of the text; empty without a text", |r| {
            r.text.as_ref().map(|text| text.chars().count() as u64)
        })
        .unit("Unicode scalar values")
        .source("Spoke"),
        Col::text("origin", "first_try, or reasked when the seat had been asked again", |r| Some(origin(r.attempt)))
            .source("attempt"),
        Col::count("tries", "how often the question was put", |r| Some(u64::from(r.attempt) + 1))
            .formula("attempt + 1")
            .source("attempt"),
        Col::text("text", "the words in full; empty without a statement", |r| r.text.as_deref()).source("Spoke"),
    ]];
}
