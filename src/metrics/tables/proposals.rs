//! The proposals of a session, and how each stood at its end.

use crate::domain::{AlternativeName, Number, PhaseName, ProposalStatus, SeatName, Seq};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::origin;
use crate::metrics::why::{Asked, Marks, Of, Plain, Reach, Working};

/// A column of this table.
type Col = Column<ProposalRow>;

/// One proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalRow {
    /// Its number, written.
    pub proposal: String,
    /// The phase.
    pub phase: PhaseName,
    /// The same number: round and turn.
    pub number: Number,
    /// Who made it.
    pub seat: SeatName,
    /// The record of its statement.
    pub seq: Seq,
    /// The words of its statement.
    pub text: String,
    /// The declared favourite.
    pub stance: Option<AlternativeName>,
    /// The proposal in whose place it stands, written.
    pub replaces: Option<String>,
    /// Seats that support it at the end.
    pub supports: u32,
    /// Seats that oppose it at the end.
    pub opposes: u32,
    /// How it stands.
    pub status: ProposalStatus,
    /// The record since which it does.
    pub since: Seq,
    /// The first proposal of its seat that takes its place, written.
    pub replaced_by: Option<String>,
    /// How often its seat had been asked again for the statement.
    pub attempt: u8,
}

impl Row for ProposalRow {
    const TABLE: &'static str = "proposals";
    const ABOUT: &'static str = "one row a proposal: a statement marked as one, where discussion.proposals is true. \
An active proposal becomes accepted when more than half of the other seats that take part support it, rejected when more than half of them \
oppose it, and modified when its own seat names it in a new proposal; it then stays so";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::text("proposal", "number of the statement that makes it, #round.turn; phases number theirs anew", |r| Some(&r.proposal))
            .why(Reach::Own, &[Of::Any], Working::Marks(Marks::Number))
            .formula("#round.turn")
            .source("at"),
        Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str()))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.phase")))
            .source("at.phase"),
        Col::count("round", "round of the phase, from 1", |r| Some(u64::from(r.number.round)))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.round")))
            .source("at.round"),
        Col::count("turn", "speaking turn in the round, from 1", |r| Some(u64::from(r.number.turn)))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.turn")))
            .source("at.turn"),
        Col::text("seat", "who made it", |r| Some(r.seat.as_str()))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seat")))
            .source("seat"),
        Col::count("seq", "number of the record of its statement", |r| Some(r.seq.0))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seq")))
            .source("seq"),
        Col::text("text", "words of its statement in full. A spreadsheet may run this as a formula: see `text` in statements.csv", |r| Some(&r.text))
            .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.text")))
            .source("Spoke"),
        Col::text("stance", "alternative that its statement declared to favour; empty when none was declared", |r| {
            r.stance.as_ref().map(AlternativeName::as_str)
        })
        .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.stance")))
        .source("Spoke"),
        Col::text("replaces", "number of the earlier proposal of its seat in whose place it stands; empty without one", |r| {
            r.replaces.as_deref()
        })
        .why(Reach::Own, &[Of::Any], Working::Marks(Marks::Replaces))
        .source("Spoke"),
        Col::count("supports", "seats whose latest reaction to it in the session is support", |r| Some(u64::from(r.supports)))
            .why(Reach::Reactions, &[Of::Marked], Working::Marks(Marks::Supports))
            .unit("seats")
            .source("Spoke"),
        Col::count("opposes", "seats whose latest reaction to it in the session is opposition", |r| Some(u64::from(r.opposes)))
            .why(Reach::Reactions, &[Of::Marked], Working::Marks(Marks::Opposes))
            .unit("seats")
            .source("Spoke"),
        Col::text("status", "active, accepted, rejected or modified, by the rules of this table; reactions after it was settled are counted but move nothing", |r| {
            Some(r.status.as_str())
        })
        .why(Reach::Moves, &[Of::Marked, Of::Tested], Working::Marks(Marks::Status))
        .formula("accepted: 2 supports > others; rejected: 2 opposes > others; others: the seats that take part, less its own")
        .source("Spoke"),
        Col::count("status_seq", "number of the record since which it stands so; of an active proposal its own", |r| Some(r.since.0))
            .why(Reach::Moves, &[Of::Marked, Of::Tested], Working::Marks(Marks::Since))
            .source("Spoke"),
        Col::text("replaced_by", "number of the first proposal of its seat that takes its place; empty without one", |r| {
            r.replaced_by.as_deref()
        })
        .why(Reach::Successor, &[Of::Marked], Working::Marks(Marks::ReplacedBy))
        .source("Spoke"),
        Col::text("origin", "first_try, or reasked when the seat had been asked again for its statement", |r| {
            Some(origin(u32::from(r.attempt)))
        })
        .why(Reach::Own, &[Of::Any], Working::Asked(Asked::Origin))
        .source("attempt"),
    ]];
}
