//! Folds the seating.

use crate::analysis::fold::state::{ForeignRecord, SessionFold, foreign_record};
use crate::domain::{Record, Seated};

impl SessionFold {
    /// Sets each seat's persona and traits, or its name, and notes and counts the others that it hears and the others that hear it.
    pub(super) fn fold_seats(&mut self, record: &Record, seats: &[Seated]) -> Result<(), ForeignRecord> {
        if seats.iter().any(|seated| seated.hears.is_some()) {
            self.seats.iter_mut().for_each(|seat| seat.degrees = Some([0; 2]));
            self.listeners = Some(vec![Vec::new(); self.seats.len()]);
        }
        for seated in seats {
            let seat = self.find_seat(record, &seated.seat)?;
            let columns = &self.facts.arm.layout.traits;
            self.seats[seat].set_draws(seated, columns).map_err(|name| foreign_record(record, "trait", &name))?;
            for other in seated.hears.iter().flatten() {
                let other = self.find_seat(record, other)?;
                self.listeners.get_or_insert_default()[other].push(seated.seat.clone());
                for (seat, end) in [(seat, 0), (other, 1)] {
                    self.seats[seat].degrees.get_or_insert_default()[end] += 1;
                }
            }
        }
        Ok(())
    }
}
