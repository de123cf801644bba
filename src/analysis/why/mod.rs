//! The provenance of a cell: the records that it is computed from, or the setting of the plan.

mod latest;
mod memory;
mod proposals;
mod records;
mod setting;
mod traced_row;

pub use records::{RecordKind, RecordPick, Records, RowReach, settles_question};
pub use setting::PlanSetting;
pub use traced_row::TracedRow;

use crate::analysis::facts::ArmFacts;
use crate::domain::Record;

/// The source of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellProvenance {
    /// The records that the cell is computed from.
    pub records: Records,
    /// The setting of the plan; `None` if the cell comes from records.
    pub setting: Option<PlanSetting>,
}

impl CellProvenance {
    /// A cell from the plan alone.
    pub const fn from_plan(setting: PlanSetting) -> Self {
        Self { setting: Some(setting), ..Self::from_records(RowReach::Session, &[]) }
    }

    /// A cell from all records of these kinds within reach.
    pub const fn from_records(reach: RowReach, of: &'static [RecordKind]) -> Self {
        Self { records: Records { reach, of, take: RecordPick::All }, setting: None }
    }

    /// Restricts the records to this pick.
    pub const fn with_pick(mut self, take: RecordPick) -> Self {
        self.records.take = take;
        self
    }

    /// The indices of the records behind a cell of a row and a column, in the order of the minutes.
    pub fn record_places(&self, all: &[Record], arm: &ArmFacts, (row, column): (&TracedRow, &str)) -> Vec<usize> {
        let places = self.records.select_places(all, arm, row);
        latest::keep_latest((arm, column), all, places, row)
    }
}
