//! One line of the minutes.

use std::borrow::Borrow;

use serde::{Deserialize, Serialize};

use super::{ComputedValues, Event, Moment, QuestionId, SeatName, Seq};

/// The version of the minutes' format, in the first record of every session.
pub const FORMAT_VERSION: u32 = 6;

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
#[serde(deny_unknown_fields)]
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
            Event::Paid { payoffs, .. } => payoffs.iter().any(|payoff| payoff.seat == *seat),
            Event::PaidOut { payoffs, .. } => payoffs.iter().any(|payoff| payoff.seat == *seat),
            Event::Computed { values: ComputedValues::Seats(values), .. } => values.contains_key(seat),
            Event::Kept { texts, .. } => texts.iter().any(|text| text.author == *seat),
            Event::Assigned { groups, .. } => groups.iter().any(|group| group.contains(seat)),
            Event::Seated { seats } => seats.iter().any(|seated| seated.seat == *seat),
            Event::NamesGiven { names } => names.iter().any(|given| given.seat == *seat),
            Event::NotesBrought { notes, .. } => notes.iter().any(|notes| notes.seat == *seat),
            Event::Instructed { to, .. }
            | Event::Marked { to, .. }
            | Event::Exhibited { to, .. }
            | Event::Reminded { to, .. } => to.is_empty() || to.contains(seat),
            _ => true,
        }
    }

    /// The question this record answers; `None` for events that no seat answered.
    pub fn question(&self) -> Option<QuestionId> {
        let (seat, attempt) = (self.seat.clone()?, self.attempt?);
        Some(QuestionId { at: self.at.clone(), seat, attempt })
    }

    /// How often the question had been put before, without the time at which the seat asked to see something; `None` for events
    /// that no seat answered.
    pub fn tries_before(&self) -> Option<u8> {
        let looked = self.event.given().is_some_and(|given| given.shown.inquired);
        self.attempt.map(|attempt| attempt.saturating_sub(looked.into()))
    }
}
