//! Seats that choose their own names: who is asked, and who gets which.
//!
//! What a seat is called in tables and in the record stays the name of the seat; what it chose is how all others see it.

use std::collections::BTreeSet;

use super::asking::{Asked, OUTSIDE};
use super::chosen_names::{Naming, sameness};
use super::deliberation::Deliberation;
use super::stage::Stage;
use crate::domain::{SeatId, Seated, Step};

/// How often seats are asked whose names others chose at the same time.
const TIMES: u32 = 3;

impl Deliberation<'_> {
    /// Goes to the choosing of names: of those who meet again they are known.
    pub(super) fn name(&mut self) {
        let choosers: Vec<SeatId> = match self.plan.previous_outcome() {
            Some(before) if !before.names.is_empty() => {
                self.course.stage = Stage::Naming;
                return;
            }
            Some(_) => Vec::new(),
            None => {
                (0u32..).map(SeatId).zip(&self.plan.seats).filter(|(_, s)| s.chooses_name()).map(|(id, _)| id).collect()
            }
        };
        if choosers.is_empty() {
            return self.bring();
        }
        self.naming.taken = self.plan.seats.iter().map(|seat| seat.name.to_string()).collect();
        self.ask_for_names(1, choosers);
    }

    fn ask_for_names(&mut self, time: u32, choosers: Vec<SeatId>) {
        self.course.asking.begin(Asked { phase: OUTSIDE, round: 0, turn: time, step: Step::Naming }, choosers);
        self.course.stage = Stage::Asking;
    }

    /// Of several that chose the same name the first in the plan's order gets it, and the others are asked once more.
    pub(super) fn after_naming(&mut self, time: u32) {
        let mut offered = std::mem::take(&mut self.naming.offered);
        offered.sort_by_key(|(seat, _)| *seat);
        let mut seen = BTreeSet::new();
        let (first, others): (Vec<_>, Vec<_>) = offered.into_iter().partition(|(_, name)| seen.insert(sameness(name)));
        let names = first.iter().map(|(_, name)| name.clone());
        self.naming.taken = self.naming.taken.iter().cloned().chain(names).collect();
        self.naming.given.extend(first);
        if others.is_empty() || time == TIMES {
            self.course.stage = Stage::Naming;
            return;
        }
        self.ask_for_names(time + 1, others.into_iter().map(|(seat, _)| seat).collect());
    }

    /// Who goes by a name of its own.
    pub(super) fn names_to_give(&self) -> Vec<Seated> {
        if let Some(before) = self.plan.previous_outcome() {
            return before.names.clone();
        }
        let mut given = self.naming.given.clone();
        given.sort_by_key(|(seat, _)| *seat);
        given.into_iter().map(|(seat, name)| Seated::named(self.seat_name(seat), name)).collect()
    }

    /// From now on seats go by these names.
    pub(super) fn give_names(&mut self, names: &[Seated]) {
        self.chosen = vec![None; self.plan.seats.len()];
        for seated in names {
            let seat = self.seat_id(&seated.seat);
            self.chosen[seat.index()].clone_from(&seated.name);
        }
        self.naming = Naming::default();
        self.bring();
    }
}
