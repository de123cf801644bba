//! What only one seat remembers, and where its own statements stand on the floor.

use std::ops::Range;

use crate::domain::{AlternativeId, OwnEntry};
use crate::text;

/// The private memory of one seat.
#[derive(Debug, Clone)]
pub struct OwnMemory {
    alternatives: usize,
    entries: Vec<OwnEntry>,
    /// Rendered characters of all entries before a position; one entry more than `entries`.
    chars_before: Vec<u64>,
    /// The remarks on the floor when each entry was kept: those that are older.
    kept_after: Vec<usize>,
    /// Positions on the floor at which the seat declared a stance.
    declared_at: Vec<usize>,
    /// Its declared stances before the n-th of them, a row of `alternatives` entries each.
    declared_before: Vec<u32>,
    /// What the seat is shown at the most, in rendered characters, where its model could not take more.
    allowance: u64,
}

impl OwnMemory {
    pub fn new(alternatives: usize) -> Self {
        Self {
            alternatives,
            entries: Vec::new(),
            chars_before: vec![0],
            kept_after: Vec::new(),
            declared_at: Vec::new(),
            declared_before: vec![0; alternatives],
            allowance: u64::MAX,
        }
    }

    /// What the seat is shown at the most, in rendered characters; beside it the plan's limit holds.
    pub fn allowance(&self) -> u64 {
        self.allowance
    }

    /// From now on the seat is shown no more than this.
    pub fn allow(&mut self, chars_max: u64) {
        self.allowance = chars_max;
    }

    /// Notes that the seat's statement at this position on the floor declares a stance.
    pub fn declared(&mut self, position: usize, stance: AlternativeId) {
        let row = self.declared_before.len() - self.alternatives;
        self.declared_before.extend_from_within(row..);
        self.declared_before[row + self.alternatives + stance.index()] += 1;
        self.declared_at.push(position);
    }

    /// Keeps something after this many remarks on the floor.
    pub fn keep(&mut self, remarks: usize, entry: OwnEntry) {
        let rendered = text::chars(&entry.text);
        self.chars_before.push(self.chars_before[self.entries.len()] + rendered);
        self.kept_after.push(remarks);
        self.entries.push(entry);
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn entries(&self, range: Range<usize>) -> &[OwnEntry] {
        &self.entries[range]
    }

    /// Rendered characters from a position to the end.
    pub fn chars(&self, from: usize) -> u64 {
        self.chars_before[self.entries.len()] - self.chars_before[from]
    }

    /// Where an entry stands on the floor: before the remark of that position. `None` past the last entry.
    pub fn place(&self, entry: usize) -> Option<usize> {
        self.kept_after.get(entry).copied()
    }

    /// The seat's own declared stances before a position on the floor, one entry an alternative.
    pub fn stances(&self, before: usize) -> &[u32] {
        let n = self.declared_at.partition_point(|&position| position < before);
        &self.declared_before[n * self.alternatives..(n + 1) * self.alternatives]
    }
}
