//! The table of ballots: straw polls, rankings, practice choices and votes, per seat.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::effort::{AnswerStatus, answer_origin};
use crate::analysis::facts::RightAnswer;
use crate::analysis::purpose::ChoicePurpose;
use crate::domain::{AlternativeName, Certainty, PhaseName, SeatName, Seq};

columns! {
    /// One seat's final answer to a straw poll, a ranking, a practice round or a vote; of a ballot that ranks, scores or approves, one
    /// alternative.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BallotRow as r {
        /// What is right; `None` where nobody knows.
        pub right: Option<RightAnswer>,
        /// Whether something follows from it.
        pub is_binding: bool,
    }

    /// phase, by its name in the agenda
    phase: PhaseName => Own[Any], "at.phase";
    /// round of the phase, from 1; 0 outside rounds
    round: u32 => Own[Any], "at.round";
    /// number of the record that settled it
    seq: Seq => Own[Any], "seq";
    /// number of the vote in the session, from 1; empty for what is no vote
    vote: Option<u32> => VotesBefore[Any], "Tallied";
    /// straw_before, straw_round, straw_after, ranking, application or vote
    purpose: ChoicePurpose => Own[Any], "at.step and the agenda";
    /// 1 where something follows from it: a vote that is binding, or a practice choice that pays the seat; else 0
    binding: bool = r.is_binding => Own[Any], "at.step and the agenda";
    /// who answered
    seat: SeatName => Own[Any], "seat";
    /// form of the ballot: choice, approval, ranking, score, or amount where the amount alone is decided
    form: &'static str => Own[Any], "at.step";
    /// valid; abstained where the seat voted for nothing by choice; invalid or refused when the tries were used up and the last answer had
    /// a fault or declined
    status: AnswerStatus => Own[Any], "straw_poll, ranking, application, ballot, amount, Faulted";
    /// first_try, or reasked when the seat had been asked again, for its choice or for the amount
    origin: str = answer_origin(r.tries - 1) => Question[Any], "attempt";
    /// the choice, or the alternative that is ranked, scored or approved of or not; empty unless valid
    alternative: Option<AlternativeName> => Question[Any], "straw_poll, ranking, application, ballot";
    /// amount chosen with it; empty where the alternative takes none
    amount: Option<u32> => Question[Any], "straw_poll, application, ballot, amount", unit: "units of the scenario";
    /// rank of the alternative, 1 the best, one more than stand above it; empty where nothing is ranked, and for what a ballot leaves out
    rank: Option<u32> => Question[Any], "ranking, ballot";
    /// score of the alternative, from 0; empty where nothing is scored
    score: Option<u32> => Question[Any], "ballot";
    /// 1 if the ballot approves of the alternative, else 0; empty where that is not asked
    chosen: Option<bool> => Question[Any], "ballot";
    /// place of the alternative among the options as shown, from 1
    shown_position: Option<u32> => Question[Any], "straw_poll, ranking, application, ballot";
    /// the options in the order shown, joined by |
    options_shown: String => Question[Any], "straw_poll, ranking, application, ballot, Faulted";
    /// very_unsure, unsure, no_opinion, sure or very_sure; empty where it is not asked for
    certainty: Option<Certainty> => Own[Any], "ranking, application";
    /// 1 if the choice is the alternative the seat had declared last; empty unless valid and a stance was declared, for practice choices,
    /// for ballots that say more than a choice, and where an amount alone is decided
    matches_stance: Option<bool> => LastStance[Any], "statement and straw_poll or ballot";
    /// how often the question was put, re-asks for the amount included
    tries: u32 => Question[Any], "attempt", formula: "1 + re-asks";
    /// the words of the answer as they came. A spreadsheet may run this as a formula: see `text` in statements.csv
    raw: String => Question[Any], "straw_poll, ranking, application, ballot, Faulted";
    /// the words in which the amount of a vote was named, as they came; empty where none was asked for
    amount_raw: Option<String> => Question[Any], "amount, Faulted";
    /// why, in the seat's own words; empty where it is not asked for
    reasoning: Option<String> => Question[Any], "application, ballot";
    /// 1 if the choice is right (the item's key, or without items the truth of the scenario), 0 if it is another alternative; an amount
    /// alone is right if it misses the right one by at most the share correct_within of it, by default not at all; empty unless valid, for
    /// ballots that say more than a choice, and where nobody knows
    correct: bool = r.is_correct() => Question[Any], "straw_poll, application or ballot, and the file of items or Convened";
    /// how many ballots it counts for, 1 unless the plan gives its seat another weight; empty for what is no vote
    weight: Option<u32> => Question[Any], "decision.weights of the plan", unit: "ballots";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Any], "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Any], "at.phase";
}

impl BallotRow {
    /// Whether the choice or the amount is right; `None` for a ballot that holds more than a choice.
    fn is_correct(&self) -> Option<bool> {
        let chosen = self.alternative.as_ref().filter(|_| matches!(self.form, "choice" | "amount"));
        self.right.as_ref()?.accepts_answer(chosen?, self.amount)
    }
}

impl CsvRow for BallotRow {
    const TABLE: &'static str = "ballots";
    const ABOUT: &'static str = "one row a seat and straw poll, practice choice or vote, and one an alternative of each ranking and of each ballot that ranks, scores or approves: the answer that settled it";
}
