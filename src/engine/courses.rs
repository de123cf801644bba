//! What a session knows of groups: the courses of those that go on side by side, and who was assigned to which group or role.

use std::collections::BTreeMap;

use super::asking::Asking;
use super::ballot_box::Vote;
use super::convergence::Converging;
use super::stage::Stage;
use crate::domain::SeatId;
use crate::memory::Strategy;

/// The groups that go on side by side.
#[derive(Debug, Clone)]
pub(super) struct SideBySide {
    /// The part of the agenda, by its position.
    pub region: usize,
    /// The group whose course is the session's state now, from 0.
    pub current: usize,
    /// The courses of the others; the place of the current one holds nothing of use.
    pub courses: Vec<Course>,
}

/// Where a session, or one of its groups, is in the agenda, and what is under way there.
#[derive(Debug, Clone, Default)]
pub(super) struct Course {
    pub stage: Stage,
    pub asking: Asking,
    /// The speaking order of the round.
    pub order: Vec<SeatId>,
    /// The seats that take part in the phase under way, in the plan's order; `None` if all that are present do.
    pub limited_to: Option<Vec<SeatId>>,
    /// The seats that hear what is said in the phase under way, beside whoever speaks; `None` if all do.
    pub hearers: Option<Vec<SeatId>>,
    /// The place of the talk under way, if it has a network of its own.
    pub linked: Option<usize>,
    /// The place of the phase under way, if it says how it is remembered.
    pub remembering: Option<(usize, Strategy)>,
    /// The phase under way in a group, and the seats for which it begins; `None` outside groups, where it begins for all.
    pub attending: Option<Attending>,
    pub vote: Vote,
    /// How many parts of memories were made shorter in a phase and round.
    pub shortened: (usize, u32, u32),
    /// How alike statements are.
    pub converging: Converging,
}

/// The phase under way in a group, by its position, and the seats for which it begins: those that take part in it or hear it.
#[derive(Debug, Clone)]
pub(super) struct Attending {
    pub place: usize,
    pub seats: Vec<SeatId>,
}

/// An assignment of seats to groups.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupAssignment {
    /// The seats of each group, in the plan's order.
    pub groups: Vec<Vec<SeatId>>,
    /// How often it was set.
    pub times: u32,
}

/// An assignment of seats to roles.
#[derive(Debug, Clone, Default)]
pub(super) struct RoleAssignment {
    /// The number of the role of each seat; `None` without a role.
    pub of: Vec<Option<usize>>,
    /// How often it was set, outside groups and in each group.
    pub times: BTreeMap<Option<u32>, u32>,
}
