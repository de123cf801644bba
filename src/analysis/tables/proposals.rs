//! The table of proposals, with their status at the end of the session.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::effort::answer_origin;
use crate::domain::{AlternativeName, PhaseName, ProposalStatus, SeatName, Seq};

columns! {
    /// One proposal.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ProposalRow as r {
        /// How often its seat had been asked again for the statement.
        pub attempt: u8,
    }

    /// number of the statement that makes it, #round.turn; phases number theirs anew
    proposal: String => Own[Any], "at", formula: "#round.turn";
    /// phase, by its name in the agenda
    phase: PhaseName => Own[Any], "at.phase";
    /// round of the phase, from 1
    round: u32 => Own[Any], "at.round";
    /// speaking turn in the round, from 1
    turn: u32 => Own[Any], "at.turn";
    /// who made it
    seat: SeatName => Own[Any], "seat";
    /// number of the record of its statement
    seq: Seq => Own[Any], "seq";
    /// words of its statement in full. A spreadsheet may run this as a formula: see `text` in statements.csv
    text: String => Own[Any], "statement";
    /// alternative that its statement declared to favour; empty when none was declared
    stance: Option<AlternativeName> => Own[Any], "statement";
    /// number of the earlier proposal of its seat in whose place it stands; empty without one
    replaces: Option<String> => Own[Any], "statement";
    /// seats whose latest reaction to it in the session is support
    supports: u32 => Reactions[Marked], "statement", unit: "seats";
    /// seats whose latest reaction to it in the session is opposition
    opposes: u32 => Reactions[Marked], "statement", unit: "seats";
    /// active, accepted, rejected or modified, by the rules of this table; reactions after it was settled are counted but move nothing
    status: ProposalStatus => Moves[Marked, Tested, LimitedPhase], "statement",
        formula: "accepted: 2 supports > others; rejected: 2 opposes > others; others: the seats that take part, less its own";
    /// number of the record since which it stands so; of an active proposal its own
    status_seq: Seq => Moves[Marked, Tested, LimitedPhase], "statement";
    /// number of the first proposal of its seat that takes its place; empty without one
    replaced_by: Option<String> => Successor[Marked], "statement";
    /// first_try, or reasked when the seat had been asked again for its statement
    origin: str = answer_origin(u32::from(r.attempt)) => Own[Any], "attempt";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Any], "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Any], "at.phase";
}

impl CsvRow for ProposalRow {
    const TABLE: &'static str = "proposals";
    const ABOUT: &'static str = "one row a proposal: a statement marked as one, where discussion.proposals is true. \
An active proposal becomes accepted when more than half of the other seats that take part support it, rejected when more than half of them \
oppose it, and modified when its own seat names it in a new proposal; it then stays so";
}
