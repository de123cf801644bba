//! What the fold of a session keeps of a seat from its first record to its last.

use crate::analysis::fold::state::{Misfit, SessionFold, misfit};
use crate::domain::{Record, SeatHears, Seated};

impl SessionFold {
    /// Takes down who sits where.
    pub(super) fn seated(&mut self, record: &Record, seats: &[Seated]) -> Result<(), Misfit> {
        for seated in seats {
            let seat = self.seat(record, &seated.seat)?;
            let columns = &self.facts.arm.layout.traits;
            self.seats[seat].seat(seated, columns).map_err(|name| misfit(record, "trait", &name))?;
        }
        Ok(())
    }

    /// Takes down how many others each seat hears, and how many hear it.
    pub(super) fn networked(&mut self, record: &Record, all: &[SeatHears]) -> Result<(), Misfit> {
        self.seats.iter_mut().for_each(|seat| seat.degrees = Some([0; 2]));
        for SeatHears { seat, hears } in all {
            let listener = self.seat(record, seat)?;
            for other in hears {
                let other = self.seat(record, other)?;
                for (seat, end) in [(listener, 0), (other, 1)] {
                    self.seats[seat].degrees.get_or_insert_default()[end] += 1;
                }
            }
        }
        Ok(())
    }
}
