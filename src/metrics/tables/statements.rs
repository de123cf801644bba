//! Turns on the floor.

use crate::domain::{AlternativeName, Opinion, PhaseName, SeatName, Seq, Voice};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::origin;
use crate::metrics::spelling;
use crate::metrics::tables::seat_rounds::{OPINION, share};
use crate::metrics::why::{Asked, Marks, Of, Plain, Reach, Talk, Told, Working};

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
    /// Who had the turn; `None` for an intervention.
    pub seat: Option<SeatName>,
    /// The record that settles the turn.
    pub seq: Seq,
    /// The seat's place in the round's speaking order, from 1.
    pub position: Option<u32>,
    /// `statement`, `pass`, `forfeit` or `intervention`.
    pub kind: &'static str,
    /// The declared favourite.
    pub stance: Option<AlternativeName>,
    /// The amount declared with it.
    pub stance_amount: Option<u32>,
    /// The opinion declared.
    pub opinion: Option<Opinion>,
    /// Words of the statement.
    pub words: Option<u64>,
    /// The attempt, from 0; `None` for an intervention.
    pub attempt: Option<u8>,
    /// The words in full.
    pub text: Option<String>,
    /// What the seat thought before it spoke.
    pub reasoning: Option<String>,
    /// In whose name an intervention was made.
    pub by: Option<Voice>,
    /// Who was told, joined by `|`; `None` when everyone was, and for turns.
    pub to: Option<String>,
    /// The facts that the words cite, joined by `|`; `None` where they cite none.
    pub facts: Option<String>,
    /// The statement's marks, joined by `|`, and what each of them names.
    pub marks: Option<(String, String)>,
}

impl Row for StatementRow {
    const TABLE: &'static str = "statements";
    const ABOUT: &'static str = "one row a speaking turn, and one an intervention: what is told to some seats only, or to all in a phase of talk; \
what the facilitator tells all seats in other phases is not in it";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str()))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.phase"))).source("at.phase"),
        Col::count("round", "round of the phase, from 1; 0 outside rounds", |r| Some(u64::from(r.round)))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.round"))).source("at.round"),
        Col::count("turn", "speaking turn in the round, from 1; 0 for an intervention", |r| Some(u64::from(r.turn)))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.turn")))
            .source("at.turn"),
        Col::text("seat", "who had the turn; empty for an intervention", |r| r.seat.as_ref().map(SeatName::as_str))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seat")))
            .source("seat"),
        Col::count("seq", "number of the record that settled the turn", |r| Some(r.seq.0))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seq"))).source("seq"),
        Col::count("position", "the seat's place in the round's speaking order, from 1", |r| r.position.map(u64::from))
.why(Reach::Part, &[Of::RoundOpened], Working::Talk(Talk::Position))
            .source("RoundOpened"),
        Col::text(
            "kind",
            "statement; pass: the seat did not speak; forfeit: the seat's tries were used up without a valid statement; intervention",
            |r| Some(r.kind),
        )
.why(Reach::Own, &[Of::Any], Working::Talk(Talk::Kind))
        .source("Spoke, Passed, Faulted, Instructed"),
        Col::text("stance", "alternative the speaker declared to favour; empty when none was declared", |r| {
            r.stance.as_ref().map(AlternativeName::as_str)
        })
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.stance")))
        .source("Spoke"),
        Col::count("stance_amount", "amount declared with it; empty when none was declared", |r| {
            r.stance_amount.map(u64::from)
        })
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.stance_amount")))
        .unit("units of the scenario")
        .source("Spoke"),
        Col::real("opinion", OPINION, |r| r.opinion.map(share))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Billionths("event.opinion")))
        .source("Spoke"),
        Col::count("words", "words of the text, by Unicode's word boundaries; empty without a text", |r| r.words)
.why(Reach::Own, &[Of::Any], Working::Talk(Talk::Words))
            .unit("words")
            .source("Unicode Standard Annex #29"),
        Col::count("chars", "length of the text; empty without a text", |r| {
            r.text.as_ref().map(|text| text.chars().count() as u64)
        })
.why(Reach::Own, &[Of::Any], Working::Talk(Talk::Chars))
        .unit("Unicode scalar values")
        .source("Spoke, Instructed"),
        Col::text("origin", "first_try, or reasked when the seat had been asked again; empty for an intervention", |r| {
            r.attempt.map(|attempt| origin(u32::from(attempt)))
        })
.why(Reach::Own, &[Of::Any], Working::Asked(Asked::Origin))
        .source("attempt"),
        Col::count("tries", "how often the question was put, not counting that it is put again after an inquiry; empty for an intervention", |r| {
            r.attempt.map(|attempt| u64::from(attempt) + 1)
        })
.why(Reach::Own, &[Of::Any], Working::Asked(Asked::Tries))
        .formula("attempt + 1, less 1 after an inquiry")
        .source("attempt"),
        Col::text("text", "the words in full; empty without a statement. In a spreadsheet, words that begin with = + - or @ may run as a formula: open the tables of `ekklesia export --format csv-safe` there", |r| r.text.as_deref())
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.text"))).source("Spoke, Instructed"),
        Col::text("reasoning", "what the seat thought privately before this turn; empty where it was not asked or did not answer. A spreadsheet may run this as a formula: see `text` in statements.csv", |r| {
            r.reasoning.as_deref()
        })
.why(Reach::Turn, &[Of::Reasoned], Working::Plain(Plain::Field("event.text"))).last()
        .source("Reasoned"),
        Col::text("by", "in whose name an intervention was made: facilitator or human; empty for turns", |r| {
            r.by.map(spelling::voice)
        })
.why(Reach::Own, &[Of::Any], Working::Talk(Talk::By))
        .source("Instructed"),
        Col::text("to", "seats that an intervention was told to, joined by |; empty when everyone was told, and for turns", |r| {
            r.to.as_deref()
        })
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Joined("event.to")))
        .source("Instructed"),
        Col::text("mark", "what the statement is marked as, joined by |: proposal, support, oppose, decision; empty without marks", |r| {
            r.marks.as_ref().map(|(marks, _)| marks.as_str())
        })
.why(Reach::Own, &[Of::Any], Working::Marks(Marks::Signs))
        .source("Spoke"),
        Col::text("target", "numbers of the statements that these marks name, joined by |, one place a mark; empty where none names any", |r| {
            r.marks.as_ref().map(|(_, targets)| targets.as_str())
        })
.why(Reach::Own, &[Of::Any], Working::Marks(Marks::Targets))
        .source("Spoke"),
        Col::text("facts", "ids of the facts of the case that stand in the words as whole words, joined by |; empty where none does", |r| {
            r.facts.as_deref()
        })
        .why(Reach::Own, &[Of::Any], Working::Told(Told::Cites))
        .source("Dealt, Spoke"),
    ]];
}
