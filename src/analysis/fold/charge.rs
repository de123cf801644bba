//! What an answer took: calls and money.

use crate::analysis::facts::AnswersBy;
use crate::analysis::fold::state::{AnswerCoordinates, SessionFold};
use crate::domain::{Dollars, Event, Fault, Record};

impl SessionFold {
    /// How many calls an answer took. A question that was found too long for its model before it was put is none, and has no
    /// words; a server that refuses one says so.
    pub(super) fn count_calls(&self, answered: AnswerCoordinates<'_>, record: &Record) -> u64 {
        let was_put =
            !matches!(&record.event, Event::Faulted { fault: Fault::ContextTooLong, raw, .. } if raw.is_empty());
        u64::from(was_put && self.facts.arm.answers_by(answered.seat, record.at.step) == AnswersBy::Model)
    }

    /// What an answer cost; `None` where that is not known. A question that a server found too long is not charged for.
    pub(super) fn answer_cost(&self, answered: AnswerCoordinates<'_>, record: &Record, calls: u64) -> Option<Dollars> {
        let is_too_long = matches!(record.event, Event::Faulted { fault: Fault::ContextTooLong, .. });
        match record.event.given()?.usage {
            _ if calls == 0 => Some(Dollars::NONE),
            Some(usage) => self.facts.arm.seat_tariff(answered.seat, record.at.step).map(|tariff| tariff.of(usage)),
            None => is_too_long.then_some(Dollars::NONE),
        }
    }
}
