//! What was said on the floor, stored once for all seats, with running totals so that nothing is ever counted twice.

use std::ops::Range;

use super::{FloorEvent, MemoryPlan, Strategy, guidance};
use crate::domain::{AlternativeName, Choice, Motion, NamedChoice, Remark, SeatId, Seq};
use crate::text;

/// Where and by whom something was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said {
    /// The record.
    pub seq: Seq,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The turn; 0 for an announcement.
    pub turn: u32,
    /// The speaker; `None` is the facilitator.
    pub speaker: Option<SeatId>,
}

/// The floor of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Floor {
    alternatives: Vec<AlternativeName>,
    remarks: Vec<Remark>,
    /// Rendered characters of all remarks before a position; one entry more than `remarks`.
    chars_before: Vec<u64>,
    /// Declared stances before a position, a row of one entry an alternative each; one row more than `remarks`.
    stances_before: Vec<u32>,
    /// The amount declared last with each alternative, and the position of the remark that declared it.
    amounts: Vec<Option<(u32, u32)>>,
    /// The records that every seat is to integrate, in order.
    news: Vec<Seq>,
    /// The first remark that the public history still holds.
    first: usize,
}

impl Floor {
    pub fn new(motion: &Motion) -> Self {
        let alternatives: Vec<_> = motion.alternatives.iter().map(|alternative| alternative.name.clone()).collect();
        Self {
            remarks: Vec::new(),
            chars_before: vec![0],
            stances_before: vec![0; alternatives.len()],
            amounts: vec![None; alternatives.len()],
            alternatives,
            news: Vec::new(),
            first: 0,
        }
    }

    /// Appends a remark and drops whole oldest ones until the public history is within its limit.
    pub fn push(
        &mut self,
        plan: &MemoryPlan,
        (said, event): (Said, FloorEvent),
        public_name: &str,
        text: String,
        stance: Option<Choice>,
    ) {
        let favours = stance.map(|choice| self.named(choice));
        let frame = guidance::frame_chars(&said, public_name, favours.as_ref(), plan.guidance_style);
        let chars_max = plan.remark_limit(event, frame);
        let cut = text::truncate(&text, u32::try_from(chars_max).unwrap_or(u32::MAX));
        let Said { seq, round, turn, speaker } = said;
        let remark = Remark { seq, round, turn, speaker, text, kept_bytes: cut.kept_bytes as u32, stance };
        let rendered = frame + text::chars(&guidance::kept_text(&remark));
        self.chars_before.push(self.chars_before[self.remarks.len()] + rendered);
        self.declare(stance);
        if plan.routing.of_floor(event) == Strategy::Integrated {
            self.news.push(seq);
        }
        self.remarks.push(remark);
        while self.chars(self.first) > plan.public_history_limit() && self.first + 1 < self.remarks.len() {
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
        let width = self.alternatives.len();
        &self.stances_before[before * width..(before + 1) * width]
    }

    /// The amount declared last with each alternative, and the position where that was.
    pub fn amounts(&self) -> &[Option<(u32, u32)>] {
        &self.amounts
    }

    /// The records that every seat is to integrate, in order, since the session began.
    pub fn news(&self) -> &[Seq] {
        &self.news
    }

    pub fn dropped(&self) -> (u32, u64) {
        (self.first as u32, self.chars_before[self.first])
    }

    fn named(&self, choice: Choice) -> NamedChoice {
        NamedChoice { alternative: self.alternatives[choice.alternative.index()].clone(), amount: choice.amount }
    }

    /// Counts what the remark about to be appended declares.
    fn declare(&mut self, stance: Option<Choice>) {
        let row = self.stances_before.len() - self.alternatives.len();
        self.stances_before.extend_from_within(row..);
        let Some(Choice { alternative, amount }) = stance else { return };
        self.stances_before[row + self.alternatives.len() + alternative.index()] += 1;
        if let Some(amount) = amount {
            self.amounts[alternative.index()] = Some((amount, self.remarks.len() as u32));
        }
    }
}
