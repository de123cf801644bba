//! Every question put to a seat, re-asks included.

use crate::domain::{Dollars, Fault, PhaseName, SeatName, Seq, Step, Usage};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::{AnswerStatus, origin};
use crate::metrics::why::{Asked, Of, Plain, Reach, Working};

/// A column of this table.
type Col = Column<AnswerRow>;

/// One question put to one seat, and what came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerRow {
    /// The record.
    pub seq: Seq,
    /// The phase.
    pub phase: PhaseName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The turn; 0 outside speaking turns.
    pub turn: u32,
    /// What was asked for.
    pub step: Step,
    /// The attempt, from 0.
    pub attempt: u8,
    /// How often it had been put before, without the time at which the seat asked to see something.
    pub tries_before: u8,
    /// Who was asked.
    pub seat: SeatName,
    /// How it counts.
    pub status: AnswerStatus,
    /// Why it does not count.
    pub fault: Option<Fault>,
    /// What was answered, as a name.
    pub value: Option<String>,
    /// What was answered, as a number.
    pub value_n: Option<u64>,
    /// Remarks and own entries that were witnessed but not shown.
    pub omitted: u32,
    /// What the call used.
    pub usage: Option<Usage>,
    /// What it cost.
    pub cost: Option<Dollars>,
    /// The model the service says it used.
    pub model_served: Option<String>,
}

impl AnswerRow {
    /// How often the question had been put, without the time after an inquiry; `None` for an inquiry, which is no try.
    fn tries(&self) -> Option<u32> {
        (self.status != AnswerStatus::Inquiry).then(|| u32::from(self.tries_before) + 1)
    }
}

impl Row for AnswerRow {
    const TABLE: &'static str = "answers";
    const ABOUT: &'static str = "one row a question put to a seat; a question that is put again has a row for each attempt, and what a seat asks to see before it answers is a row that is no try";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::count("seq", "number of the record", |r| Some(r.seq.0))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seq"))).source("seq"),
        Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str()))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.phase"))).source("at.phase"),
        Col::count("round", "round of the phase, from 1; 0 outside rounds", |r| Some(u64::from(r.round)))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.round")))
            .source("at.round"),
        Col::count("turn", "speaking turn in the round, from 1; of a compression the number of its part, from 0; 0 for all else", |r| {
            Some(u64::from(r.turn))
        })
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.turn")))
        .source("at.turn"),
        Col::text("step", "what was asked for: ranking, comprehension, application, volunteer, reasoning, statement, vote_call, confirmation, straw_poll, ballot, amount, integration, compression, naming, notes or recognition", |r| Some(r.step.as_str()))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("at.step")))
            .source("at.step"),
        Col::count("attempt", "attempt, from 0; what the seat asked to see before it answered has one, too", |r| Some(u64::from(r.attempt)))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("attempt"))).source("attempt"),
        Col::text("seat", "who was asked", |r| Some(r.seat.as_str()))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("seat"))).source("seat"),
        Col::text("status", "valid; cut: a memory text longer than allowed, which counts without its end; refused when the seat declined; invalid for every other fault; inquiry where the seat asked to see something first, which is no answer", |r| {
            Some(r.status.as_str())
        })
.why(Reach::Own, &[Of::Any], Working::Asked(Asked::Status))
        .source("event"),
        Col::text("origin", "first_try, or reasked when an answer to the question had not counted; empty for an inquiry", |r| {
            r.tries().map(|tries| origin(tries - 1))
        })
.why(Reach::Own, &[Of::Any], Working::Asked(Asked::Origin))
            .source("attempt"),
        Col::count("tries", "how often the question had been put by then, not counting that it is put again after an inquiry; empty for an inquiry", |r| {
            r.tries().map(u64::from)
        })
.why(Reach::Own, &[Of::Any], Working::Asked(Asked::Tries))
            .formula("attempt + 1, less 1 after an inquiry")
            .source("attempt"),
        Col::text(
            "value",
            "the choice; the stance declared with a statement, or pass; a ranking, the best first, joined by |; passed or failed; yes or no to voting, to wanting to speak, or to recognising the study; the name chosen; added or replaced of notes; look_up or page of an inquiry; else empty",
            |r| r.value.as_deref(),
        )
.why(Reach::Own, &[Of::Any], Working::Asked(Asked::Value))
        .source("every answer"),
        Col::count(
            "value_n",
            "the amount of a choice or stance; certainty of a ranking, 1 to 5; right answers to a test; 1 for yes and 0 for no to voting or recognising; how urgently a seat wants to speak, 0 to 10; length of a thought, a rewritten memory or what was added to notes in Unicode scalar values; records found by an inquiry; else empty",
            |r| r.value_n,
        )
.why(Reach::Own, &[Of::Any], Working::Asked(Asked::Number))
        .source("every answer"),
        Col::count(
            "omitted_records",
            "remarks and own entries the seat had witnessed but was not shown for this question, what it asked to see counted among them; under the policy shuffled what it witnessed is what was lent, and the statements of its own group are not counted",
            |r| Some(u64::from(r.omitted)),
        )
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::FieldOr("event.given.shown.omitted", "0")))
        .unit("records")
        .source("given.shown"),
        Col::count("prompt_tokens", "tokens of the prompt; empty where no service was called or it did not say", |r| {
            r.usage.map(|usage| usage.prompt_tokens)
        })
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.given.usage.prompt_tokens")))
        .unit("tokens")
        .source("given.usage"),
        Col::count(
            "completion_tokens",
            "tokens of the reply; empty where no service was called or it did not say",
            |r| r.usage.map(|usage| usage.completion_tokens),
        )
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.given.usage.completion_tokens")))
        .unit("tokens")
        .source("given.usage"),
        Col::text("model_served", "model the service says it used; empty where none was called or it did not say", |r| {
            r.model_served.as_deref()
        })
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.given.model_served")))
        .source("given.model_served"),
        Col::text("fault", "why the answer does not count; empty when it does", |r| r.fault.map(Fault::as_str))
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.fault")))
            .source("Faulted"),
        Col::count(
            "thinking_tokens",
            "tokens of the reply that the model thought with before it; counted among completion_tokens; empty where no service was called or it did not say",
            |r| r.usage?.thinking_tokens,
        )
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.given.usage.thinking_tokens")))
        .unit("tokens")
        .source("given.usage"),
        Col::money(
            "cost_usd",
            "what the call cost by the price that plan.yaml has for its model; 0 for a simulated seat and for a question that was too long to be answered; empty where the price is not known or the service did not say what it used",
            |r| r.cost,
        )
.why(Reach::Own, &[Of::Any], Working::Asked(Asked::Cost))
        .formula("((prompt_tokens - cached_prompt_tokens) * input_per_mtok + cached_prompt_tokens * cached_input_per_mtok + completion_tokens * output_per_mtok) / 10^6; without a cached_input_per_mtok all tokens of the prompt cost input_per_mtok")
        .source("given.usage, plan"),
        Col::count(
            "cached_prompt_tokens",
            "tokens of the prompt that the service had kept from an earlier one; counted among prompt_tokens; empty where no service was called or it did not say",
            |r| r.usage?.cached_prompt_tokens,
        )
.why(Reach::Own, &[Of::Any], Working::Plain(Plain::Field("event.given.usage.cached_prompt_tokens")))
        .unit("tokens")
        .source("given.usage"),
    ]];
}
