//! Where a fork departs from its parent, and what changes there.

use crate::domain::{Query, Record};
use crate::plan::{Fork, ForkCause, Phase, Plan};

/// A fork's departure from its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Departure<'p> {
    fork: &'p Fork,
    has_happened: bool,
}

impl<'p> Departure<'p> {
    /// That of a session which has not begun; `None` if it is no fork, or one that needs no account of where it departs.
    pub fn of(plan: &'p Plan) -> Option<Self> {
        plan.fork.as_deref().map(|fork| Self { fork, has_happened: fork.point.is_none() })
    }

    /// Departs where a phase (round 0) or a round begins, if the fork does so there. The plan from then on, if it is another.
    pub fn depart_at(&mut self, agenda: &[Phase], place: usize, round: u32) -> Option<&'p Plan> {
        if self.has_happened {
            return None;
        }
        let point = self.fork.point.as_ref().filter(|point| point.seat.is_none())?;
        let is_there = |phase: &Phase| phase.name.occurrence() == point.phase.occurrence() && round == point.round;
        self.has_happened = agenda.get(place).is_some_and(is_there);
        self.fork.after.as_deref().filter(|_| self.has_happened)
    }

    /// Notes that the fork has departed from its parent, if this record answers the question at which it does.
    pub fn note_record(&mut self, record: &Record) {
        let point = self.fork.point.as_ref().filter(|point| point.seat.is_some());
        self.has_happened |= point.is_some_and(|point| point.seat == record.seat && point.is_at(&record.at));
    }

    /// Marks the questions that are put since the fork departed from its parent. The questions of one ask are taken in their order.
    pub fn mark_queries<'q>(&self, mut queries: Vec<Query<'q>>) -> Vec<Query<'q>> {
        let Self { fork, mut has_happened } = *self;
        for query in &mut queries {
            let point = fork.point.as_ref().filter(|point| point.is_question(&query.id));
            has_happened |= point.is_some();
            query.departed = has_happened && point.is_none_or(|point| point.cause == ForkCause::Settings);
        }
        queries
    }
}
