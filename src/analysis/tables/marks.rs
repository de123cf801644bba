//! The table of marks of statements: proposals, reactions and decisions, including ignored ones.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::effort::answer_origin;
use crate::domain::{Ignored, PhaseName, SeatName, Seq, Sign};

columns! {
    /// One mark of a statement.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MarkRow as r {
        /// How often its seat had been asked again for the statement.
        pub attempt: u8,
    }

    /// phase, by its name in the agenda
    phase: PhaseName => Own[Any], "at.phase";
    /// round of the phase, from 1
    round: u32 => Own[Any], "at.round";
    /// speaking turn in the round, from 1
    turn: u32 => Own[Any], "at.turn";
    /// who spoke
    seat: SeatName => Own[Any], "seat";
    /// number of the record of the statement
    seq: Seq => Own[Any], "seq";
    /// which of the statement's marks it is, from 1
    place: u32 => Own[Any], "statement";
    /// proposal, support, oppose or decision
    mark: Sign => Own[Any], "statement";
    /// number that it names, #round.turn; empty where it names none, or nothing that can be read as one
    target: Option<String> => Own[Any], "statement";
    /// number of the record of the proposal that it means: the newest of this number; empty where there is none
    proposal_seq: Option<Seq> => Own[Any], "statement";
    /// why the mark counts for nothing (of a proposal or decision that is not repeated: what it names): unnamed, it needs a number and
    /// names none; unknown, the seat had heard no proposal of this number; own, it would react to its own; not_own, it would change another
    /// seat's; repeated, the statement says it before, or something else of the same proposal after it; empty where it counts
    ignored: Option<Ignored> => Own[Any], "statement";
    /// first_try, or reasked when the seat had been asked again for its statement
    origin: str = answer_origin(u32::from(r.attempt)) => Own[Any], "attempt";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Any], "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Any], "at.phase";
}

impl CsvRow for MarkRow {
    const TABLE: &'static str = "marks";
    const ABOUT: &'static str = "one row a mark of a statement, where discussion.proposals is true: that it is a proposal, supports or opposes \
one, or states a decision; marks that count for nothing are among them, with the reason";
}
