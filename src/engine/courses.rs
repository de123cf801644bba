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

/// The course of one group.
#[derive(Debug, Clone, Default)]
pub(super) struct Course {
    pub stage: Stage,
    pub asking: Asking,
    pub order: Vec<SeatId>,
    pub limited_to: Option<Vec<SeatId>>,
    pub hearers: Option<Vec<SeatId>>,
    pub linked: Option<usize>,
    pub remembering: Option<(usize, Strategy)>,
    pub attending: Option<Attending>,
    pub vote: Vote,
    pub shortened: (usize, u32, u32),
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
