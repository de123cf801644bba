//! The selective memory manager, in its smallest true form: what was said on the floor is stored once, each seat adds
//! its own entries, and a brief is the newest part of both that fits.
//!
//! It decides nothing about who spoke or what follows, reads no file, and is never saved: it is folded from the minutes.

mod floor;
pub mod guidance;
mod own;

use crate::domain::{AlternativeId, Brief, Heard, Keepsake, Motion, PhaseName, Remark, SeatId, Seq, Shown};
use floor::Floor;
use own::OwnMemory;

/// What memories hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimits {
    /// A statement's kept length, in Unicode scalar values, with its marker.
    pub statement_max_length: u32,
    /// Whether statements are cut at all.
    pub enable_truncation: bool,
    /// What one seat's brief holds at the most, in Unicode scalar values as rendered.
    pub memory_character_limit: u64,
    /// What the public history holds at the most, in Unicode scalar values as rendered.
    pub public_history_max_length: u64,
}

/// The least value of the two limits on rendered length: room for the longest name and a few words.
pub const RENDERED_LIMIT_MIN: u64 = 200;

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

/// The memories of all seats of one session.
#[derive(Debug, Clone)]
pub struct Memory {
    limits: MemoryLimits,
    floor: Floor,
    seats: Vec<OwnMemory>,
}

impl Memory {
    /// Empty memories for this many seats and alternatives.
    pub fn new(limits: MemoryLimits, seats: usize, alternatives: usize) -> Self {
        Self { limits, floor: Floor::new(alternatives), seats: vec![OwnMemory::new(alternatives); seats] }
    }

    /// Everyone hears something. Costs no more with a thousand seats than with three.
    pub fn witness(&mut self, said: Said, public_name: &str, text: impl Into<String>, stance: Option<AlternativeId>) {
        if let (Some(speaker), Some(stance)) = (said.speaker, stance) {
            self.seats[speaker.index()].declared(self.floor.len(), stance);
        }
        self.floor.push(&self.limits, said, public_name, text.into(), stance);
    }

    /// One seat keeps something for itself.
    pub fn keep(&mut self, seat: SeatId, at: (Seq, &PhaseName, u32), what: Keepsake, motion: &Motion) {
        self.seats[seat.index()].keep(at, self.floor.len(), what, motion);
    }

    /// What a seat is shown now, borrowed, and the same as coordinates.
    pub fn recall(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        let own = &self.seats[seat.index()];
        let (from, own_from) = self.fit(own);
        let (end, own_end) = (self.floor.len(), own.len());
        let brief = Brief {
            seat,
            remarks: self.floor.remarks(from..end),
            own: own.entries(own_from..own_end),
            heard: Heard {
                all: (self.floor.stances(end), self.floor.stances(from)),
                own: (own.stances(end), own.stances(from)),
            },
        };
        let shown = Shown {
            floor: from as u32..end as u32,
            own: own_from as u32..own_end as u32,
            omitted: (from + own_from) as u32,
        };
        (brief, shown)
    }

    /// From now on a seat is shown half of what it would be shown now, but never less than [`RENDERED_LIMIT_MIN`]: its model
    /// said that it was too much.
    pub fn halve(&mut self, seat: SeatId) {
        let own = &self.seats[seat.index()];
        let (from, own_from) = self.fit(own);
        let shown = self.floor.chars(from) + own.chars(own_from);
        self.seats[seat.index()].allow((shown / 2).max(RENDERED_LIMIT_MIN));
    }

    /// Remarks the public history has dropped since the session began, and their rendered length in characters.
    pub fn dropped(&self) -> (u32, u64) {
        self.floor.dropped()
    }

    /// Everything said on the floor since the session began.
    pub fn remarks(&self) -> &[Remark] {
        self.floor.remarks(0..self.floor.len())
    }

    /// The first remark and the first own entry that still fit, dropping the oldest of both first.
    ///
    /// Own entries cut the floor into stretches of remarks that leave the same entries behind. The stretch is looked for
    /// first and the remark within it then, so that no step looks up one list in the other.
    fn fit(&self, own: &OwnMemory) -> (usize, usize) {
        let limit = self.limits.memory_character_limit.min(own.allowance());
        let (start, end) = (self.floor.first(), self.floor.len());
        if self.floor.chars(start) + own.chars(0) <= limit {
            return (start, 0);
        }
        let place = |entry: usize| own.place(entry).map_or(end, |place| place.max(start));
        let own_from = first_true(0, own.len(), |entry| self.floor.chars(place(entry)) + own.chars(entry) <= limit);
        let oldest = own_from.checked_sub(1).map_or(start, place);
        let fits = |remark: usize| self.floor.chars(remark) + own.chars(own_from) <= limit;
        (first_true(oldest, place(own_from), fits), own_from)
    }
}

/// The first position in `from..to` for which a monotone condition holds, or `to`.
fn first_true(from: usize, to: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
