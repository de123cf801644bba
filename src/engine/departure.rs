//! Where a fork departs from its parent, and what changes there.

use super::deliberation::Deliberation;
use crate::domain::{Query, Record};
use crate::plan::{Fork, ForkCause, Plan, find_regions};

/// A fork's departure from its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Departure<'p> {
    fork: &'p Fork,
    has_happened: bool,
}

impl<'p> Departure<'p> {
    /// That of a session which has not begun; `None` if it is no fork, or one that needs no account of where it departs.
    pub(super) fn of(plan: &'p Plan) -> Option<Self> {
        plan.fork.as_deref().map(|fork| Self { fork, has_happened: fork.point.is_none() })
    }
}

impl<'p> Deliberation<'p> {
    /// Begins a phase (round 0) or a round by the plan of a fork, if it departs from its parent there.
    pub(super) fn depart_at(&mut self, place: usize, round: u32) {
        let Some(Departure { fork, has_happened: false }) = self.departure else { return };
        let Some(point) = fork.point.as_ref().filter(|point| point.seat.is_none()) else { return };
        let is_there = |phase: &str| phase == point.phase.occurrence() && round == point.round;
        if self.plan.agenda.get(place).is_none_or(|phase| !is_there(phase.name.occurrence())) {
            return;
        }
        self.departure = Some(Departure { fork, has_happened: true });
        if let Some(after) = &fork.after {
            self.plan = after;
            self.regions = find_regions(&after.agenda);
        }
    }

    /// Notes that a fork has departed from its parent, if this record answers the question at which it does.
    pub(super) fn note_departure(&mut self, record: &Record) {
        let Some(Departure { fork, has_happened: false }) = self.departure else { return };
        let is_point = fork
            .point
            .as_ref()
            .is_some_and(|point| point.seat.is_some() && point.seat == record.seat && point.is_at(&record.at));
        self.departure = Some(Departure { fork, has_happened: is_point });
    }

    /// Marks the questions that are put since a fork departed from its parent. The questions of one ask are taken in their order.
    pub(super) fn mark_departed<'q>(&self, mut queries: Vec<Query<'q>>) -> Vec<Query<'q>> {
        let Some(Departure { fork, mut has_happened }) = self.departure else { return queries };
        for query in &mut queries {
            let point = fork.point.as_ref().filter(|point| point.is_question(&query.id));
            has_happened |= point.is_some();
            query.departed = has_happened && point.is_none_or(|point| point.cause == ForkCause::Settings);
        }
        queries
    }
}
