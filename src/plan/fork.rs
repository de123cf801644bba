//! A fork: where its sessions depart from their parent, what holds from there on, and whose draws they share until then.

use std::sync::Arc;

use super::{Plan, Sitter};
use crate::chance::{SessionKey, SessionSeed};
use crate::domain::{Moment, PhaseName, Query, QuestionId, SeatName, Step};

/// What makes the sessions of a plan forks of one other session.
#[derive(Debug, Clone)]
pub struct Fork {
    /// The replicate of the parent, whose draws all replicates of the fork share; `None` if the fork is a single session, which
    /// has the replicate of its parent.
    pub parent_replicate: Option<u32>,
    /// Where they depart from the parent; `None` for at their beginning.
    pub point: Option<ForkPoint>,
    /// The plan from the point on, for the point's seat or for all; `None` if the fork changes no setting there.
    pub after: Option<Arc<Plan>>,
}

/// Where a fork departs from its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForkPoint {
    /// The seat at whose question it departs; `None` for the first record at the moment.
    pub seat: Option<SeatName>,
    /// The phase.
    pub phase: PhaseName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The step; `None` for the first one in the phase and round.
    pub step: Option<Step>,
    /// What happens there.
    pub cause: ForkCause,
}

/// What happens where a fork departs from its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForkCause {
    /// The seat's answer is replaced: its own, which nobody hears, remains the parent's.
    Answer,
    /// Other settings hold.
    Settings,
}

impl ForkPoint {
    /// Whether something happens at the point. A phase in groups is one phase.
    pub fn is_at(&self, at: &Moment) -> bool {
        self.phase.occurrence() == at.phase.occurrence()
            && self.round == at.round
            && self.step.is_none_or(|step| step == at.step)
    }

    /// Whether a question is the point's, at any attempt.
    pub fn is_question(&self, question: &QuestionId) -> bool {
        self.seat.as_ref() == Some(&question.seat) && self.is_at(&question.at)
    }
}

impl Plan {
    /// The replicate whose draws a session has: its own, or that of its parent.
    pub fn drawn_replicate(&self, replicate: u32) -> u32 {
        self.fork.as_ref().and_then(|fork| fork.parent_replicate).unwrap_or(replicate)
    }

    /// The seed of a session.
    pub fn session_seed(&self, replicate: u32) -> SessionSeed {
        self.session_key(replicate).seed()
    }

    /// The seed of what its respondents draw since a fork departed from its parent. That of the first replicate is the parent's.
    pub fn departed_seed(&self, replicate: u32) -> SessionSeed {
        match self.is_redrawn(replicate) {
            true => self.session_key(replicate).branch_seed(replicate),
            false => self.session_seed(replicate),
        }
    }

    /// Whether its respondents draw anew, and models are asked anew, since a fork departed from its parent.
    pub fn is_redrawn(&self, replicate: u32) -> bool {
        replicate > 1 && self.fork.as_ref().is_some_and(|fork| fork.parent_replicate.is_some())
    }

    fn session_key(&self, replicate: u32) -> SessionKey<'_> {
        SessionKey {
            experiment: self.seed,
            replicate: self.drawn_replicate(replicate),
            pairing: self.pairing,
            arm: self.drawn_as(),
            item: self.item.as_ref().map(|item| item.id.as_str()),
            wave: self.wave.as_ref().map(|wave| wave.number),
        }
    }

    /// The plan from the point of a fork on, with the seat for which alone it holds; `None` if no setting changes there.
    pub fn plan_after(&self) -> Option<(&Arc<Plan>, Option<&SeatName>)> {
        let fork = self.fork.as_ref()?;
        let seat = fork.point.as_ref().and_then(|point| point.seat.as_ref());
        fork.after.as_ref().map(|after| (after, seat))
    }

    /// The plan by which a question is answered.
    pub fn plan_at(&self, query: &Query<'_>) -> &Plan {
        match self.plan_after() {
            Some((after, seat)) if query.departed && seat.is_none_or(|seat| *seat == query.id.seat) => after,
            _ => self,
        }
    }

    /// The plan that describes a complete session: until the point of a fork, that of its parent.
    pub fn whole_plan(&self) -> &Plan {
        match self.plan_after() {
            Some((after, None)) => after,
            _ => self,
        }
    }

    /// The same fork, with another plan after its point.
    pub(super) fn fork_with(&self, change: impl FnOnce(&Arc<Plan>) -> Arc<Plan>) -> Option<Arc<Fork>> {
        let fork = self.fork.as_ref()?;
        let after = fork.after.as_ref().map(change);
        Some(match after {
            Some(after) => Arc::new(Fork { after: Some(after), ..(**fork).clone() }),
            None => Arc::clone(fork),
        })
    }

    /// Whether all its seats are simulated, and so are those that a fork puts in their place.
    pub(super) fn is_simulated_after(&self) -> bool {
        self.plan_after().is_none_or(|(after, seat)| match seat {
            None => after.is_simulated(),
            Some(seat) => {
                after.seats.iter().all(|other| other.name != *seat || matches!(other.sitter, Sitter::Mind(_)))
            }
        })
    }
}
