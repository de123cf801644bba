//! Straw polls, rankings, practice choices and votes, seat by seat.

use crate::domain::{AlternativeName, Certainty, PhaseName, SeatName, Seq};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::{AnswerStatus, origin};
use crate::metrics::facts::RightAnswer;
use crate::metrics::fold::Purpose;
use crate::metrics::why::{Asked, Of, Plain, Reach, Vote, Working};

/// A column of this table.
type Col = Column<BallotRow>;

/// One seat's final answer to a straw poll, a ranking, a practice round or a vote; of a ballot that ranks, scores or approves, one alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BallotRow {
    /// The phase.
    pub phase: PhaseName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The record that settles it.
    pub seq: Seq,
    /// The number of the vote in the session, from 1; `None` for what is no vote.
    pub vote: Option<u32>,
    /// What it is for.
    pub purpose: Purpose,
    /// What was asked for: `choice`, `approval`, `ranking`, `score` or `amount`.
    pub form: &'static str,
    /// Who answered.
    pub seat: SeatName,
    /// Whether it counts.
    pub status: AnswerStatus,
    /// How often its questions were put, an amount's first question not counted.
    pub tries: u32,
    /// The choice, or the alternative ranked; `None` unless valid.
    pub alternative: Option<AlternativeName>,
    /// Its amount.
    pub amount: Option<u32>,
    /// How many ballots it counts for; `None` for what is no vote.
    pub weight: Option<u32>,
    /// Its rank, from 1; `None` unless it was ranked.
    pub rank: Option<u32>,
    /// Its score; `None` unless it was scored.
    pub score: Option<u32>,
    /// Whether it is approved of; `None` unless that was asked.
    pub chosen: Option<bool>,
    /// The place of the alternative among the options as shown, from 1.
    pub shown_position: Option<u32>,
    /// The options as shown, joined by `|`.
    pub options_shown: String,
    /// How certain the seat was.
    pub certainty: Option<Certainty>,
    /// Whether the choice is the stance the seat declared last; `None` without either.
    pub matches_stance: Option<bool>,
    /// The words as they came.
    pub raw: String,
    /// The words in which an amount was named afterwards.
    pub amount_raw: Option<String>,
    /// Why, in the seat's own words.
    pub reasoning: Option<String>,
    /// What is right; `None` where nobody knows.
    pub right: Option<RightAnswer>,
}

impl BallotRow {
    /// Whether the choice or the amount is right; a ballot that says more is no choice.
    fn is_correct(&self) -> Option<bool> {
        let chosen = self.alternative.as_ref().filter(|_| matches!(self.form, "choice" | "amount"));
        self.right.as_ref()?.is_given_by(chosen?, self.amount)
    }
}

static WHAT: &[Col] = &[
    Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str()))
        .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.phase")))
        .source("at.phase"),
    Col::count("round", "round of the phase, from 1; 0 outside rounds", |r| Some(u64::from(r.round)))
        .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.round")))
        .source("at.round"),
    Col::count("seq", "number of the record that settled it", |r| Some(r.seq.0))
        .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seq")))
        .source("seq"),
    Col::count("vote", "number of the vote in the session, from 1; empty for what is no vote", |r| {
        r.vote.map(u64::from)
    })
    .why(Reach::VotesBefore, &[Of::Any], Working::Vote(Vote::Number))
    .source("Tallied"),
    Col::text("purpose", "straw_before, straw_round, straw_after, ranking, application or vote", |r| {
        Some(r.purpose.as_str())
    })
    .why(Reach::Own, &[Of::Any], Working::Asked(Asked::Purpose))
    .source("at.step and the agenda"),
    Col::flag(
        "binding",
        "1 where something follows from it: a vote, or a practice choice that pays the seat; else 0",
        |r| Some(matches!(r.purpose, Purpose::Vote | Purpose::Application)),
    )
    .why(Reach::Own, &[Of::Any], Working::Asked(Asked::Binding))
    .source("at.step"),
    Col::text("seat", "who answered", |r| Some(r.seat.as_str()))
        .why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seat")))
        .source("seat"),
    Col::text(
        "form",
        "form of the ballot: choice, approval, ranking, score, or amount where the amount alone is decided",
        |r| Some(r.form),
    )
    .why(Reach::Own, &[Of::Any], Working::Asked(Asked::Form))
    .source("at.step"),
    Col::text(
        "status",
        "valid; abstained where the seat voted for nothing by choice; invalid or refused when the tries were used up and the last answer had a fault or declined",
        |r| Some(r.status.as_str()),
    )
    .why(Reach::Own, &[Of::Any], Working::Asked(Asked::Status))
    .source("Polled, Ranked, Applied, Balloted, Voted, AmountNamed, Faulted"),
    Col::text(
        "origin",
        "first_try, or reasked when the seat had been asked again, for its choice or for the amount",
        |r| Some(origin(r.tries - 1)),
    )
    .why(Reach::Question, &[Of::Any], Working::Asked(Asked::Origin))
    .source("attempt"),
];

static CHOICE: &[Col] = &[
    Col::text("alternative", "the choice, or the alternative that is ranked, scored or approved of or not; empty unless valid", |r| {
        r.alternative.as_ref().map(AlternativeName::as_str)
    })
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::Alternative))
    .source("Polled, Ranked, Applied, Balloted, Voted"),
    Col::count("amount", "amount chosen with it; empty where the alternative takes none", |r| r.amount.map(u64::from))
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::Amount))
        .unit("units of the scenario")
        .source("Polled, Applied, Balloted, AmountNamed"),
    Col::count("rank", "rank of the alternative, 1 the best, one more than stand above it; empty where nothing is ranked, and for what a ballot leaves out", |r| r.rank.map(u64::from))
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::Rank)).source("Ranked, Voted"),
    Col::count("score", "score of the alternative, from 0; empty where nothing is scored", |r| r.score.map(u64::from))
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::Score)).source("Voted"),
    Col::flag("chosen", "1 if the ballot approves of the alternative, else 0; empty where that is not asked", |r| r.chosen)
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::Chosen)).source("Voted"),
    Col::count("shown_position", "place of the alternative among the options as shown, from 1", |r| {
        r.shown_position.map(u64::from)
    })
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::ShownPosition))
    .source("Polled, Ranked, Applied, Balloted, Voted"),
    Col::text("options_shown", "the options in the order shown, joined by |", |r| Some(&r.options_shown))
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::OptionsShown))
        .source("Polled, Ranked, Applied, Balloted, Voted, Faulted"),
    Col::text("certainty", "very_unsure, unsure, no_opinion, sure or very_sure; empty where it is not asked for", |r| {
        r.certainty.map(Certainty::as_str)
    })
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.certainty")))
    .source("Ranked, Applied"),
    Col::flag(
        "matches_stance",
        "1 if the choice is the alternative the seat had declared last; empty unless valid and a stance was declared, for practice choices, and for ballots that say more than a choice",
        |r| r.matches_stance,
    )
.why(Reach::LastStance, &[Of::Any], Working::Asked(Asked::MatchesStance))
    .source("Spoke and Polled or Balloted"),
    Col::count("tries", "how often the question was put, re-asks for the amount included", |r| Some(u64::from(r.tries)))
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::Tries))
        .formula("1 + re-asks")
        .source("attempt"),
    Col::text("raw", "the words of the answer as they came. A spreadsheet may run this as a formula: see `text` in statements.csv", |r| Some(&r.raw))
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::Raw))
        .source("Polled, Ranked, Applied, Balloted, Voted, Faulted"),
    Col::text("amount_raw", "the words in which the amount of a vote was named, as they came; empty where none was asked for", |r| {
        r.amount_raw.as_deref()
    })
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::AmountRaw))
    .source("AmountNamed, Faulted"),
    Col::text("reasoning", "why, in the seat's own words; empty where it is not asked for", |r| r.reasoning.as_deref())
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.reasoning")))
        .source("Applied"),
    Col::flag(
        "correct",
        "1 if the choice is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an amount alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty unless valid, for ballots that say more than a choice, and where nobody knows",
        BallotRow::is_correct,
    )
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::Correct))
    .source("Polled, Applied or Balloted, and the file of items or Dealt"),
    Col::count("weight", "how many ballots it counts for, 1 unless the plan gives its seat another weight; empty for what is no vote", |r| r.weight.map(u64::from))
.why(Reach::Question, &[Of::Any], Working::Asked(Asked::Weight)).unit("ballots").source("decision.weights of the plan"),
];

impl Row for BallotRow {
    const TABLE: &'static str = "ballots";
    const ABOUT: &'static str = "one row a seat and straw poll, practice choice or vote, and one an alternative of each ranking and of each ballot that ranks, scores or approves: the answer that settled it";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[WHAT, CHOICE];
}
