//! The table of answers: every question put to a seat, including repeated ones.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::effort::{AnswerStatus, answer_origin};
use crate::domain::{Dollars, Fault, PhaseName, SeatName, Seq, Step, Usage};

columns! {
    /// One question put to one seat, and what came back.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AnswerRow as r {
        /// How often it had been put before, without the time at which the seat asked to see something.
        pub tries_before: u8,
        /// What the call used.
        pub usage: Option<Usage>,
    }

    /// number of the record
    seq: Seq => Own[Any], "seq";
    /// phase, by its name in the agenda
    phase: PhaseName => Own[Any], "at.phase";
    /// round of the phase, from 1; 0 outside rounds
    round: u32 => Own[Any], "at.round";
    /// speaking turn in the round, from 1; of a compression the number of its part, from 0; 0 for all else
    turn: u32 => Own[Any], "at.turn";
    /// what was asked for: ranking, comprehension, application, volunteer, reasoning, statement, vote_call, confirmation, straw_poll,
    /// ballot, amount, ask, integration, compression, naming, notes or recognition
    step: Step => Own[Any], "at.step";
    /// attempt, from 0; what the seat asked to see before it answered has one, too
    attempt: u8 => Own[Any], "attempt";
    /// who was asked
    seat: SeatName => Own[Any], "seat";
    /// valid; cut: a memory text longer than allowed, which counts without its end; refused when the seat declined; invalid for every other
    /// fault; inquiry where the seat asked to see something first, which is no answer
    status: AnswerStatus => Own[Any], "event";
    /// first_try, or reasked when an answer to the question had not counted; empty for an inquiry
    origin: str = r.tries().map(|tries| answer_origin(tries - 1)) => Own[Any], "attempt";
    /// how often the question had been put by then, not counting that it is put again after an inquiry; empty for an inquiry
    tries: u32 = r.tries() => Own[Any], "attempt", formula: "attempt + 1, less 1 after an inquiry";
    /// the choice; the stance declared with a statement, or pass; a ranking, the best first, joined by |; passed or failed; yes or no to
    /// voting, to wanting to speak, or to recognising the study; the name chosen; added or replaced of notes; look_up or page of an
    /// inquiry; the answer to a form, or several as in x: 2; y: yes; else empty
    value: Option<String> => Own[Any], "every answer";
    /// the amount of a choice or stance; certainty of a ranking, 1 to 5; right answers to a test; 1 for yes and 0 for no to voting or
    /// recognising; how urgently a seat wants to speak, 0 to 10; length of a thought, a rewritten memory or what was added to notes in
    /// Unicode scalar values; records found by an inquiry; else empty
    value_n: Option<u64> => Own[Any], "every answer";
    /// remarks and own entries the seat had witnessed but was not shown for this question, what it asked to see counted among them; under
    /// the policy shuffled what it witnessed is what was lent, and the statements of its own group are not counted
    omitted_records: u32 => Own[Any], "given.shown", unit: "records";
    /// tokens of the prompt; empty where no service was called or it did not say
    prompt_tokens: u64 = r.usage?.prompt_tokens => Own[Any], "given.usage", unit: "tokens";
    /// tokens of the reply; empty where no service was called or it did not say
    completion_tokens: u64 = r.usage?.completion_tokens => Own[Any], "given.usage", unit: "tokens";
    /// model the service says it used; empty where none was called or it did not say
    model_served: Option<String> => Own[Any], "given.model_served";
    /// why the answer does not count; empty when it does
    fault: Option<Fault> => Own[Any], "Faulted";
    /// tokens of the reply that the model thought with before it; counted among completion_tokens; empty where no service was called or it
    /// did not say
    thinking_tokens: u64 = r.usage?.thinking_tokens => Own[Any], "given.usage", unit: "tokens";
    /// what the call cost by the price that plan.yaml has for its model; 0 for a simulated seat and for a question that was too long to be
    /// answered; empty where the price is not known or the service did not say what it used
    cost_usd: Option<Dollars> => Own[Any], "given.usage, plan", unit: "USD",
        formula: "((prompt_tokens - cached_prompt_tokens) * input_per_mtok + cached_prompt_tokens * cached_input_per_mtok + completion_tokens * output_per_mtok) / 10^6; without a cached_input_per_mtok all tokens of the prompt cost input_per_mtok";
    /// tokens of the prompt that the service had kept from an earlier one; counted among prompt_tokens; empty where no service was called
    /// or it did not say
    cached_prompt_tokens: u64 = r.usage?.cached_prompt_tokens => Own[Any], "given.usage", unit: "tokens";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Any], "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Any], "at.phase";
}

impl AnswerRow {
    /// The number of times the question had been put, not counting repetitions after an inquiry; `None` for an inquiry.
    fn tries(&self) -> Option<u32> {
        (self.status != AnswerStatus::Inquiry).then(|| u32::from(self.tries_before) + 1)
    }
}

impl CsvRow for AnswerRow {
    const TABLE: &'static str = "answers";
    const ABOUT: &'static str = "one row a question put to a seat; a question that is put again has a row for each attempt, and what a seat asks to see before it answers is a row that is no try";
}
