//! The table of statements: turns on the floor and interventions.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::effort::answer_origin;
use crate::domain::{AlternativeName, Opinion, PhaseName, SeatName, Seq, Voice};

columns! {
    /// One turn on the floor.
    #[derive(Debug, Clone, PartialEq)]
    pub struct StatementRow as r {
        /// The attempt, from 0; `None` for an intervention.
        pub attempt: Option<u8>,
    }

    /// phase, by its name in the agenda
    phase: PhaseName => Own[Any], "at.phase";
    /// round of the phase, from 1; 0 outside rounds
    round: u32 => Own[Any], "at.round";
    /// speaking turn in the round, from 1; 0 for an intervention
    turn: u32 => Own[Any], "at.turn";
    /// who had the turn; empty for an intervention
    seat: Option<SeatName> => Own[Any], "seat";
    /// number of the record that settled the turn
    seq: Seq => Own[Any], "seq";
    /// the seat's place in the round's speaking order, from 1
    position: Option<u32> => Part[RoundOpened], "RoundOpened";
    /// statement; pass: the seat did not speak; forfeit: the seat's tries were used up without a valid statement; intervention
    kind: &'static str => Own[Any], "statement, Faulted, Briefed";
    /// alternative the speaker declared to favour; empty when none was declared
    stance: Option<AlternativeName> => Own[Any], "statement";
    /// amount declared with it; empty when none was declared
    stance_amount: Option<u32> => Own[Any], "statement", unit: "units of the scenario";
    /// opinion declared with it, from 0 to 1: of two alternatives how far the first is favoured (0.5 is undecided), of more the weight on
    /// the alternative declared, of an amount its place between the least and the greatest; empty when none was
    opinion: Option<Opinion> => Own[Any], "statement";
    /// words of the text, by Unicode's word boundaries; empty without a text
    words: Option<u64> => Own[Any], "Unicode Standard Annex #29", unit: "words";
    /// length of the text; empty without a text
    chars: u64 = r.text.as_ref()?.chars().count() as u64 => Own[Any], "statement, Briefed", unit: "Unicode scalar values";
    /// first_try, or reasked when the seat had been asked again; empty for an intervention
    origin: str = answer_origin(u32::from(r.attempt?)) => Own[Any], "attempt";
    /// how often the question was put, not counting that it is put again after an inquiry; empty for an intervention
    tries: u32 = u32::from(r.attempt?) + 1 => Own[Any], "attempt", formula: "attempt + 1, less 1 after an inquiry";
    /// the words in full; empty without a statement. In a spreadsheet, words that begin with = + - or @ may run as a formula: open the
    /// tables of `ekklesia export --format csv-safe` there
    text: Option<String> => Own[Any], "statement, Briefed";
    /// what the seat thought privately before this turn; empty where it was not asked or did not answer. A spreadsheet may run this as a
    /// formula: see `text` in statements.csv
    reasoning: Option<String> => Turn[Reasoned] Last, "reasoning";
    /// in whose name an intervention was made: facilitator or human; empty for turns
    by: Option<Voice> => Own[Any], "Briefed";
    /// seats that alone heard it, beside the speaker, by the phase and the network, joined by |; nobody if there was none; empty when all heard
    /// it, and without words
    to: Option<String> => HeardOwn[Any], "Briefed, PhaseOpened, Seated";
    /// what the statement is marked as, joined by |: proposal, support, oppose, decision; empty without marks
    mark: Option<String> => Own[Any], "statement";
    /// numbers of the statements that these marks name, joined by |, one place a mark; empty where none names any
    target: Option<String> => Own[Any], "statement";
    /// ids of the facts of the case that stand in the words as whole words, joined by |; empty where none does
    facts: Option<String> => Own[Any], "Briefed, statement";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Any], "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Any], "at.phase";
}

impl CsvRow for StatementRow {
    const TABLE: &'static str = "statements";
    const ABOUT: &'static str = "one row a speaking turn, and one an intervention: what is told to some seats only, or to all in a phase of talk; \
what the facilitator tells all seats in other phases is not in it";
}
