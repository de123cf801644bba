//! The table of assignments: which seat was in which group, or had which role.

use crate::analysis::column::{CsvRow, columns};
use crate::domain::{PhaseName, SeatName, Seq};

columns! {
    /// One seat that a phase put into a group or gave a role.
    #[derive(Debug, Clone, PartialEq)]
    pub struct AssignmentRow as r {
    }

    /// number of the record
    seq: Seq => Own[Assigned], "seq";
    /// phase, by its name in the agenda
    phase: PhaseName => Own[Assigned], "at.phase";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Assigned], "at.phase";
    /// name of the assignment
    name: String => Own[Assigned], "Assigned";
    /// number of the group that the seat was put into, from 1; of a role, of the group in which it was given; empty of roles outside
    /// groups
    group: Option<u32> => Own[Assigned], "Assigned";
    /// the seat
    seat: SeatName => Own[Assigned], "Assigned";
    /// role that the seat got; empty where groups are assigned
    role: Option<String> => Own[Assigned], "Assigned";
}

impl CsvRow for AssignmentRow {
    const TABLE: &'static str = "assignments";
    const ABOUT: &'static str =
        "one row a seat that a phase put into a group or gave a role, until the next assignment of that name";
}
