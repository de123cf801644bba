//! What only one seat remembers, and where its own statements stand on the floor.

use std::ops::Range;

use super::is_pinned;
use crate::domain::{AlternativeId, EntryKind, OwnEntry, Seq};
use crate::text;

/// The private memory of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnMemory {
    alternatives: usize,
    /// What is never dropped nor replaced.
    pinned: Vec<OwnEntry>,
    pinned_chars: u64,
    /// All other entries ever kept.
    entries: Vec<OwnEntry>,
    /// Rendered characters of all entries before a position; one entry more than `entries`.
    chars_before: Vec<u64>,
    /// The remarks on the floor when each entry was kept: those that are older.
    kept_after: Vec<usize>,
    /// The first entry that no later one has replaced.
    live: usize,
    /// The first remark of the floor that no entry has replaced.
    floor_from: usize,
    /// How many of the floor's records to be integrated are dealt with.
    integrated: usize,
    /// The first of the seat's own records that waits to be integrated.
    waiting: Option<Seq>,
    /// Rendered characters of all it was given to remember, since the session began.
    heard_chars: u64,
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
            pinned: Vec::new(),
            pinned_chars: 0,
            entries: Vec::new(),
            chars_before: vec![0],
            kept_after: Vec::new(),
            live: 0,
            floor_from: 0,
            integrated: 0,
            waiting: None,
            heard_chars: 0,
            declared_at: Vec::new(),
            declared_before: vec![0; alternatives],
            allowance: u64::MAX,
        }
    }

    /// What the seat is shown at the most, in rendered characters, pinned entries counted; beside it the plan's limit holds.
    pub fn allowance(&self) -> u64 {
        self.allowance
    }

    /// From now on the seat is shown no more than this.
    pub fn allow(&mut self, chars_max: u64) {
        self.allowance = self.allowance.min(chars_max);
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
        if entry.kind != EntryKind::Rewritten {
            self.heard_chars += rendered;
        }
        if is_pinned(entry.kind) {
            self.pinned_chars += rendered;
            self.pinned.push(entry);
        } else {
            self.chars_before.push(self.chars_before[self.entries.len()] + rendered);
            self.kept_after.push(remarks);
            self.entries.push(entry);
        }
    }

    /// From the next entry on all others that are not pinned are replaced.
    pub fn replace_entries(&mut self) {
        self.live = self.entries.len();
    }

    /// Remarks before this position are replaced, too.
    pub fn replace_floor(&mut self, remarks: usize) {
        self.floor_from = remarks;
    }

    /// Notes that something of its own waits to be integrated.
    pub fn wait(&mut self, seq: Seq) {
        self.waiting.get_or_insert(seq);
    }

    /// Nothing of its own waits any more, nor any of this many records of the floor.
    pub fn settle(&mut self, floor_news: usize) {
        self.waiting = None;
        self.integrated = floor_news;
    }

    /// The first record that waits to be integrated: of its own, or of the floor's.
    pub fn first_waiting(&self, floor_news: &[Seq]) -> Option<Seq> {
        self.waiting.into_iter().chain(floor_news.get(self.integrated).copied()).min()
    }

    /// Rendered characters of what the seat wrote itself, among entries of these positions. Only the first of them can be that:
    /// a newer text replaces all that is older.
    pub fn rewritten_chars(&self, range: Range<usize>) -> u64 {
        let first = self.entries[range].first().filter(|entry| entry.kind == EntryKind::Rewritten);
        first.map_or(0, |entry| text::chars(&entry.text))
    }

    pub fn pinned(&self) -> &[OwnEntry] {
        &self.pinned
    }

    pub fn pinned_chars(&self) -> u64 {
        self.pinned_chars
    }

    /// How many entries that are not pinned were ever kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The first entry that no later one has replaced.
    pub fn live(&self) -> usize {
        self.live
    }

    /// The first remark of the floor that no entry has replaced.
    pub fn floor_from(&self) -> usize {
        self.floor_from
    }

    pub fn entries(&self, range: Range<usize>) -> &[OwnEntry] {
        &self.entries[range]
    }

    /// Rendered characters from a position to the end.
    pub fn chars(&self, from: usize) -> u64 {
        self.chars_before[self.entries.len()] - self.chars_before[from]
    }

    /// Rendered characters of all it was given to remember; what it wrote when it rewrote its memory is no news.
    pub fn heard_chars(&self) -> u64 {
        self.heard_chars
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
