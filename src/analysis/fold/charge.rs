//! Counts the calls of an answer and computes its cost.

use crate::analysis::facts::AnswersBy;
use crate::analysis::fold::state::{AnswerCoordinates, SessionFold};
use crate::domain::{Dollars, Record};

impl SessionFold {
    /// The calls of an answer. A question that was found too long before it was sent has no raw text and counts as no call.
    pub(super) fn count_calls(&self, answered: AnswerCoordinates<'_>, record: &Record) -> u64 {
        u64::from(record.was_put() && self.facts.arm.answers_by(answered.seat, &record.at) == AnswersBy::Model)
    }

    /// The cost of an answer; `None` if unknown. Without a call, or if the server found the question too long, it is 0.
    pub(super) fn answer_cost(&self, answered: AnswerCoordinates<'_>, record: &Record, calls: u64) -> Option<Dollars> {
        let is_too_long = record.event.is_too_long();
        match record.event.given()?.usage {
            _ if calls == 0 => Some(Dollars::NONE),
            Some(usage) => self.facts.arm.seat_tariff(answered.seat, &record.at).map(|tariff| tariff.of(usage)),
            None => is_too_long.then_some(Dollars::NONE),
        }
    }
}
