//! A null's seats begin where the same seats of another session stood: as the first record says, and nothing else.

use super::deliberation::Deliberation;
use crate::domain::{Choice, First, Record};

impl Deliberation<'_> {
    /// Takes from the first record where minds begin.
    pub(super) fn take_beginning(&mut self, record: &Record) {
        let Some(first) = record.event.convened().and_then(|convened| convened.first.as_ref()) else { return };
        self.standing.iter_mut().for_each(|standing| standing.first = First::Untold);
        for told in &first.seats {
            let choice = Choice { alternative: self.alternative(&told.alternative), amount: told.amount };
            let seat = self.seat_id(&told.seat);
            self.standing[seat.index()].first = First::Told { choice, opinion: told.opinion };
        }
    }
}
