//! A hall: everything that a circle of seats has heard. Every seat belongs to one hall.
//!
//! There is one hall if everyone hears everyone and all memories have equal limits. Otherwise there is one for each distinct
//! combination. A statement's text is stored once; each hall that hears the statement stores its length and position. Positions
//! in records refer to the hall of the record's seat.

use std::sync::Arc;

use super::floor::Floor;
use super::talk::TalkVersions;
use super::{MarkedStatement, MemoryPlan};
use crate::domain::{Marked, Motion, Number, PhaseName, Remark, SeatId};

/// The memory shared by a circle of seats with equal plans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hall {
    pub plan: MemoryPlan,
    pub floor: Floor,
    pub talks: TalkVersions,
}

impl Hall {
    /// An empty hall for seats with these true names.
    pub fn new(plan: &MemoryPlan, motion: &Motion, names: Arc<[Box<str>]>) -> Self {
        Self { plan: *plan, floor: Floor::new(plan, motion, names), talks: TalkVersions::new(plan, motion) }
    }

    /// Adds marks to the newest statement, which this seat made; `others` is the number of participating seats less one.
    ///
    /// # Panics
    /// If nothing was said.
    pub fn add_marks(&mut self, seat: SeatId, marks: &[Marked], others: u32) {
        let newest = self.floor.remarks.last().expect("invariant: marks belong to a statement");
        let Remark { seq, round, turn, stance, .. } = *newest;
        let (number, place) = (Number { round, turn }, self.floor.len() - 1);
        let stated = MarkedStatement { seq, number, seat, place, stance };
        self.talks.add_marks(stated, &newest.text, marks, others);
        if self.plan.pins_statement(marks) {
            self.floor.pin_newest();
        }
    }

    /// The statement with a number in a phase; the newest if the phase was entered again.
    pub fn statement(&self, phase: &PhaseName, number: Number) -> Option<&Remark> {
        let of_phase = self.floor.of_phase(phase);
        let remarks = of_phase.parts().flat_map(|part| &self.floor.remarks[part]);
        let is_it =
            |remark: &&Remark| remark.speaker.is_some() && (remark.round, remark.turn) == (number.round, number.turn);
        remarks.filter(is_it).last()
    }
}
