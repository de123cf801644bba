//! One line of the minutes.

use std::borrow::Borrow;

use serde::{Deserialize, Serialize};

use super::{Assigned, Computed, Consequence, Event, Fault, Faulted, Moment, QuestionId, Reminded, SeatName, Seq};

/// The version of the minutes' format, in the first record of every session.
pub const FORMAT_VERSION: u32 = 9;

/// A record that has no number yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// When.
    pub at: Moment,
    /// Who answered, and at which attempt; `None` for events that no seat answered.
    pub answered: Option<(SeatName, u8)>,
    /// What.
    pub event: Event,
}

/// One line of the minutes: a number, a coordinate, an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedRecord")]
pub struct Record {
    /// Its number, from 0 without gaps.
    pub seq: Seq,
    /// When.
    pub at: Moment,
    /// Who answered; absent for events that no seat answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatName>,
    /// The attempt of the answer, from 0; absent for events that no seat answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u8>,
    /// What.
    pub event: Event,
}

/// A line whose values may be those of another question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UncheckedRecord {
    seq: Seq,
    at: Moment,
    #[serde(default)]
    seat: Option<SeatName>,
    #[serde(default)]
    attempt: Option<u8>,
    event: Event,
}

impl TryFrom<UncheckedRecord> for Record {
    type Error = String;

    fn try_from(line: UncheckedRecord) -> Result<Self, String> {
        let UncheckedRecord { seq, at, seat, attempt, event } = line;
        let record = Self { seq, at, seat, attempt, event };
        match record.event.answered() {
            Some(_) if record.reply().is_none() => {
                Err(format!("the values are not those of an answer at the step {}", record.at.step.as_str()))
            }
            _ => Ok(record),
        }
    }
}

/// Records as they are read: those of groups that go on side by side group by group, and all others in their order.
pub fn order_by_group(records: &[Record]) -> Vec<&Record> {
    list_reading_places(records).into_iter().map(|place| &records[place]).collect()
}

/// The places of records in the order in which they are read.
pub fn list_reading_places<R: Borrow<Record>>(records: &[R]) -> Vec<usize> {
    let group = |record: &R| record.borrow().at.phase.group().and_then(|number| number.parse::<u32>().ok());
    let mut places: Vec<usize> = (0..records.len()).collect();
    let mut start = 0;
    for run in records.chunk_by(|one, other| group(one).is_some() && group(other).is_some()) {
        let end = start + run.len();
        places[start..end].sort_by_key(|place| group(&records[*place]));
        start = end;
    }
    places
}

impl Record {
    /// Whether it is a seat's own, names the seat, or is for all.
    pub fn concerns(&self, seat: &SeatName) -> bool {
        if let Some(own) = &self.seat {
            return own == seat;
        }
        match &self.event {
            Event::Paid(payment) => payment.payoffs.iter().any(|payoff| payoff.seat == *seat),
            Event::Computed(Computed { values, .. }) => values.concern(seat),
            Event::Assigned(Assigned { groups, .. }) => groups.iter().any(|group| group.contains(seat)),
            Event::Seated { seats } => seats.iter().any(|seated| seated.seat == *seat),
            Event::Briefed(briefing) => briefing.is_for(seat),
            Event::Marked { to, .. } | Event::Reminded(Reminded { to, .. }) => to.is_empty() || to.contains(seat),
            _ => true,
        }
    }

    /// The question this record answers; `None` for events that no seat answered.
    pub fn question(&self) -> Option<QuestionId> {
        let (seat, attempt) = (self.seat.clone()?, self.attempt?);
        Some(QuestionId { at: self.at.clone(), seat, attempt })
    }

    /// The fault with which the tries of the question were used up; `None` of any other record.
    pub fn final_fault(&self) -> Option<Fault> {
        match self.event {
            Event::Faulted(Faulted { fault, then: Consequence::TriesUsedUp, .. }) => Some(fault),
            _ => None,
        }
    }

    /// Whether a question was put. One that was found too long before it was sent was not.
    pub fn was_put(&self) -> bool {
        !matches!(&self.event, Event::Faulted(Faulted { fault: Fault::ContextTooLong, raw, .. }) if raw.is_empty())
    }

    /// How often the question had been put before, without the time at which the seat asked to see something; `None` for events
    /// that no seat answered.
    pub fn tries_before(&self) -> Option<u8> {
        let looked = self.event.given().is_some_and(|given| given.shown.inquired);
        self.attempt.map(|attempt| attempt.saturating_sub(looked.into()))
    }
}
