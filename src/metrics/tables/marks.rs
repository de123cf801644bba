//! The marks of statements: proposals, reactions to them, decisions; also those that count for nothing.

use crate::domain::{Ignored, PhaseName, SeatName, Seq, Sign};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::origin;
use crate::metrics::why::{Asked, Marks, Of, Plain, Reach, Working};

/// A column of this table.
type Col = Column<MarkRow>;

/// One mark of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkRow {
    /// The phase.
    pub phase: PhaseName,
    /// The round.
    pub round: u32,
    /// The turn in the round.
    pub turn: u32,
    /// Who made it.
    pub seat: SeatName,
    /// The record of the statement.
    pub seq: Seq,
    /// Which of the statement's marks it is, from 1.
    pub place: u32,
    /// What it says of the statement.
    pub sign: Sign,
    /// The number that it names, written.
    pub target: Option<String>,
    /// The record of the proposal that it means.
    pub of: Option<Seq>,
    /// Why it counts for nothing.
    pub ignored: Option<Ignored>,
    /// How often its seat had been asked again for the statement.
    pub attempt: u8,
}

impl Row for MarkRow {
    const TABLE: &'static str = "marks";
    const ABOUT: &'static str = "one row a mark of a statement, where discussion.proposals is true: that it is a proposal, supports or opposes \
one, or states a decision; marks that count for nothing are among them, with the reason";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str()))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.phase")))
            .source("at.phase"),
        Col::count("round", "round of the phase, from 1", |r| Some(u64::from(r.round)))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.round")))
            .source("at.round"),
        Col::count("turn", "speaking turn in the round, from 1", |r| Some(u64::from(r.turn)))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.turn")))
            .source("at.turn"),
        Col::text("seat", "who spoke", |r| Some(r.seat.as_str()))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seat")))
            .source("seat"),
        Col::count("seq", "number of the record of the statement", |r| Some(r.seq.0))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seq")))
            .source("seq"),
        Col::count("place", "which of the statement's marks it is, from 1", |r| Some(u64::from(r.place)))
            .why(Reach::Own, &[Of::Any], Working::Marks(Marks::Place))
            .source("Spoke"),
        Col::text("mark", "proposal, support, oppose or decision", |r| Some(r.sign.as_str()))
            .why(Reach::Own, &[Of::Any], Working::Marks(Marks::Sign))
            .source("Spoke"),
        Col::text("target", "number that it names, #round.turn; empty where it names none, or nothing that can be read as one", |r| {
            r.target.as_deref()
        })
        .why(Reach::Own, &[Of::Any], Working::Marks(Marks::Target))
        .source("Spoke"),
        Col::count("proposal_seq", "number of the record of the proposal that it means: the newest of this number; empty where there is none", |r| {
            r.of.map(|seq| seq.0)
        })
        .why(Reach::Own, &[Of::Any], Working::Marks(Marks::Of))
        .source("Spoke"),
        Col::text(
            "ignored",
            "why the mark counts for nothing (of a proposal or decision that is not repeated: what it names): unnamed, it needs a number and names none; \
unknown, the seat had heard no proposal of this number; own, it would react to its own; not_own, it would change another seat's; \
repeated, the statement says it before, or something else of the same proposal after it; empty where it counts",
            |r| r.ignored.map(Ignored::as_str),
        )
        .why(Reach::Own, &[Of::Any], Working::Marks(Marks::Ignored))
        .source("Spoke"),
        Col::text("origin", "first_try, or reasked when the seat had been asked again for its statement", |r| {
            Some(origin(u32::from(r.attempt)))
        })
        .why(Reach::Own, &[Of::Any], Working::Asked(Asked::Origin))
        .source("attempt"),
    ]];
}
