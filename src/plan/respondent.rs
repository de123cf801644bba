//! The respondent of a question: a seat's mind, model or person, or the writer of summaries.

use super::{NullWord, Person, Plan, Sitter, SummaryModel};
use crate::domain::{SeatId, Step};
use crate::minds::Mind;

/// The respondent of a question.
#[derive(Debug, Clone, Copy)]
pub enum Respondent<'p> {
    /// A simulated agent; recomputed on replay.
    Mind(&'p Mind),
    /// The rule by which simulated seats rewrite their memories; recomputed on replay.
    Rule,
    /// A language model, as a position in the plan's `models`; recorded.
    Model(usize),
    /// A person at the terminal; recorded.
    Person(&'p Person),
}

impl Plan {
    /// The respondent of a question to a seat at a step.
    pub fn respondent(&self, seat: SeatId, step: Step) -> Respondent<'_> {
        match (step, self.summary_model) {
            (Step::Integration | Step::Compression, SummaryModel::Rule) => Respondent::Rule,
            (Step::Integration | Step::Compression, SummaryModel::Model(place)) => Respondent::Model(place),
            _ => match &self.seats[seat.index()].sitter {
                Sitter::Mind(mind) => Respondent::Mind(mind),
                Sitter::Model(place) => Respondent::Model(*place),
                Sitter::Person(person) => Respondent::Person(person),
            },
        }
    }

    /// The model that answers a question to a seat at a step, as a position in `models`; `None` if no model does.
    pub fn model_asked(&self, seat: SeatId, step: Step) -> Option<usize> {
        match self.respondent(seat, step) {
            Respondent::Model(place) => Some(place),
            Respondent::Mind(_) | Respondent::Rule | Respondent::Person(_) => None,
        }
    }
}

/// The respondents of a session and the kind of null. Sessions of plans with equal values need similar numbers of calls.
#[derive(Debug, PartialEq, Eq)]
pub struct RespondentMix {
    null: Option<NullWord>,
    models: Vec<usize>,
    people: usize,
}

impl Plan {
    /// The respondents of its sessions.
    pub fn respondent_mix(&self) -> RespondentMix {
        let null = self.null.as_ref().map(|null| null.word);
        RespondentMix { null, models: self.models_asked().collect(), people: self.people_count() }
    }
}
