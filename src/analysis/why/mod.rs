//! Why a cell is what it is: the records that enter it, or the settings of the plan. Nothing here opens a file.

mod memory;
mod proposals;
mod records;
mod scope;
mod setting;

pub use records::{Of, Reach, Records, Take, lost, settles};
pub use scope::Scope;
pub use setting::Setting;

use crate::analysis::facts::ArmFacts;
use crate::domain::Record;

/// Where a column's cells come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Why {
    /// The records that enter.
    pub records: Records,
    /// The setting of the plan that it is; `None` for what comes from records.
    pub setting: Option<Setting>,
}

impl Why {
    /// A cell that comes from the plan alone.
    pub const fn plan(setting: Setting) -> Self {
        Self { setting: Some(setting), ..Self::of(Reach::Session, &[]) }
    }

    /// A cell that comes from all records of these kinds within reach.
    pub const fn of(reach: Reach, of: &'static [Of]) -> Self {
        Self { records: Records { reach, of, take: Take::All }, setting: None }
    }

    /// The same, of which only these records enter.
    pub const fn take(mut self, take: Take) -> Self {
        self.records.take = take;
        self
    }

    /// The places of the records that enter a cell of a row, in the order of the minutes.
    pub fn places(&self, all: &[Record], arm: &ArmFacts, row: &Scope) -> Vec<usize> {
        self.records.among(all, arm, row)
    }
}
