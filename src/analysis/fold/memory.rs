//! Folds memories: reports, rewrites, and events that enter a memory without a call.

use crate::analysis::fold::state::{ForeignRecord, SessionFold, foreign_record};
use crate::domain::{MemoryReport, Record};
use crate::memory::{Routing, Strategy};

/// The outcome of a memory rewrite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rewrite {
    /// The memory was shortened.
    Compressed,
    /// The memory took in new events.
    Integrated,
    /// The memory stayed unchanged.
    Failed,
}

impl SessionFold {
    pub(super) fn count_rewrite(&mut self, seat: usize, rewrite: Rewrite) {
        self.rewrites += u64::from(rewrite != Rewrite::Failed);
        self.change_part(|part| part.seats[seat].rewrites[rewrite as usize] += 1);
    }

    /// Folds the memory reports at the close of a round; `memory` may be empty.
    pub(super) fn fold_memories(&mut self, record: &Record, memory: &[MemoryReport]) -> Result<(), ForeignRecord> {
        for statements in memory.iter().filter_map(|report| report.statements) {
            self.cut_chars += statements.cut;
            self.dropped_chars += statements.dropped();
        }
        if !memory.is_empty() && memory.len() != self.seats.len() {
            return Err(foreign_record(record, "a number of memories:", &memory.len().to_string()));
        }
        if let Some(part) = &mut self.part {
            for (seat, report) in part.seats.iter_mut().zip(memory) {
                seat.memory = Some(*report);
            }
        }
        Ok(())
    }

    /// Counts an event that enters every seat's memory, if the routing needs no call for it.
    pub(super) fn floor_direct(&mut self, route: impl Fn(&Routing) -> Strategy) {
        let direct = self.takes_direct(route);
        self.change_part(|part| part.direct += u64::from(direct));
    }

    /// Counts an event that enters one seat's memory, if the routing needs no call for it.
    pub(super) fn own_direct(&mut self, seat: usize, route: impl Fn(&Routing) -> Strategy) {
        let direct = self.takes_direct(route);
        self.change_part(|part| part.seats[seat].direct += u64::from(direct));
    }

    /// Whether memories take in a kind of event of the current phase without a call.
    fn takes_direct(&self, route: impl Fn(&Routing) -> Strategy) -> bool {
        self.facts.arm.memory.is_direct(self.current_phase().and_then(|phase| phase.remember), route)
    }
}
