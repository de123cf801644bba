//! What was said on the floor, stored once for all seats, with running totals so that nothing is ever counted twice.

use std::ops::Range;

use super::{MemoryPlan, Said, guidance};
use crate::domain::{Choice, Remark};
use crate::text;

/// The floor of one session.
#[derive(Debug, Clone)]
pub struct Floor {
    alternatives: usize,
    remarks: Vec<Remark>,
    /// Rendered characters of all remarks before a position; one entry more than `remarks`.
    chars_before: Vec<u64>,
    /// Declared stances before a position, a row of `alternatives` entries each; one row more than `remarks`.
    stances_before: Vec<u32>,
    first: usize,
}

impl Floor {
    pub fn new(alternatives: usize) -> Self {
        Self {
            alternatives,
            remarks: Vec::new(),
            chars_before: vec![0],
            stances_before: vec![0; alternatives],
            first: 0,
        }
    }

    /// Appends a remark and drops whole oldest ones until the public history is within its limit.
    pub fn push(&mut self, limits: &MemoryPlan, said: Said, public_name: &str, text: String, stance: Option<Choice>) {
        let Said { seq, round, turn, speaker } = said;
        let frame = guidance::frame_chars(&said, public_name);
        let room = limits.public_history_max_length.min(limits.memory_character_limit).saturating_sub(frame);
        let mut chars_max = u32::try_from(room).unwrap_or(u32::MAX);
        if limits.enable_truncation && speaker.is_some() {
            chars_max = chars_max.min(limits.statement_max_length);
        }
        let cut = text::truncate(&text, chars_max);
        let remark = Remark { seq, round, turn, speaker, text, kept_bytes: cut.kept_bytes as u32, stance };
        let rendered = frame + text::chars(&guidance::kept_text(&remark));
        self.chars_before.push(self.chars_before[self.remarks.len()] + rendered);
        let row = self.stances_before.len() - self.alternatives;
        self.stances_before.extend_from_within(row..);
        if let Some(stance) = stance {
            self.stances_before[row + self.alternatives + stance.alternative.index()] += 1;
        }
        self.remarks.push(remark);
        while self.chars(self.first) > limits.public_history_max_length && self.first + 1 < self.remarks.len() {
            self.first += 1;
        }
    }

    pub fn len(&self) -> usize {
        self.remarks.len()
    }

    /// The first remark that the public history still holds.
    pub fn first(&self) -> usize {
        self.first
    }

    pub fn remarks(&self, range: Range<usize>) -> &[Remark] {
        &self.remarks[range]
    }

    /// Rendered characters from a position to the end.
    pub fn chars(&self, from: usize) -> u64 {
        self.chars_before[self.remarks.len()] - self.chars_before[from]
    }

    /// Declared stances before a position, one entry an alternative.
    pub fn stances(&self, before: usize) -> &[u32] {
        &self.stances_before[before * self.alternatives..(before + 1) * self.alternatives]
    }

    pub fn dropped(&self) -> (u32, u64) {
        (self.first as u32, self.chars_before[self.first])
    }
}
