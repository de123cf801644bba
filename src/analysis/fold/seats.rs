//! Folds the seating and the network.

use crate::analysis::fold::state::{ForeignRecord, SessionFold, foreign_record};
use crate::domain::{Record, SeatHears, Seated};

impl SessionFold {
    /// Sets each seat's persona and traits.
    pub(super) fn fold_seats(&mut self, record: &Record, seats: &[Seated]) -> Result<(), ForeignRecord> {
        for seated in seats {
            let seat = self.find_seat(record, &seated.seat)?;
            let columns = &self.facts.arm.layout.traits;
            self.seats[seat].set_draws(seated, columns).map_err(|name| foreign_record(record, "trait", &name))?;
        }
        Ok(())
    }

    /// Notes for each seat the others that hear it, and counts them and the others that it hears.
    pub(super) fn fold_network(&mut self, record: &Record, all: &[SeatHears]) -> Result<(), ForeignRecord> {
        self.seats.iter_mut().for_each(|seat| seat.degrees = Some([0; 2]));
        let mut listeners = vec![Vec::new(); self.seats.len()];
        for SeatHears { seat, hears } in all {
            let listener = self.find_seat(record, seat)?;
            for other in hears {
                let other = self.find_seat(record, other)?;
                listeners[other].push(seat.clone());
                for (seat, end) in [(listener, 0), (other, 1)] {
                    self.seats[seat].degrees.get_or_insert_default()[end] += 1;
                }
            }
        }
        self.listeners = Some(listeners);
        Ok(())
    }
}
