//! Why a cell is what it is: the records that enter it, or the settings of the plan. Nothing here opens a file.

mod memory;
mod proposals;
mod records;
mod scope;
mod setting;

pub use records::{Reach, RecordKind, RecordPick, Records, final_fault, settles_question};
pub use scope::Scope;
pub use setting::PlanSetting;

use crate::analysis::facts::ArmFacts;
use crate::domain::Record;

/// Where a column's cells come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellProvenance {
    /// The records that enter.
    pub records: Records,
    /// The setting of the plan that it is; `None` for what comes from records.
    pub setting: Option<PlanSetting>,
}

impl CellProvenance {
    /// A cell that comes from the plan alone.
    pub const fn from_plan(setting: PlanSetting) -> Self {
        Self { setting: Some(setting), ..Self::from_records(Reach::Session, &[]) }
    }

    /// A cell that comes from all records of these kinds within reach.
    pub const fn from_records(reach: Reach, of: &'static [RecordKind]) -> Self {
        Self { records: Records { reach, of, take: RecordPick::All }, setting: None }
    }

    /// The same, of which only these records enter.
    pub const fn with_pick(mut self, take: RecordPick) -> Self {
        self.records.take = take;
        self
    }

    /// The places of the records that enter a cell of a row, in the order of the minutes.
    pub fn record_places(&self, all: &[Record], arm: &ArmFacts, row: &Scope) -> Vec<usize> {
        self.records.select_places(all, arm, row)
    }
}
