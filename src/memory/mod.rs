//! The selective memory manager, in its smallest true form: what was said on the floor is stored once, each seat adds
//! its own entries, and a brief is the newest part of both that fits.
//!
//! It decides nothing about who spoke or what follows, reads no file, and is never saved: it is folded from the minutes.

mod floor;
pub mod guidance;
pub mod notice;
mod own;

use crate::domain::{Brief, Choice, EntryKind, Heard, MemoryReport, Motion, OwnEntry, Remark, SeatId, Seq, Shown};
use floor::Floor;
use own::OwnMemory;

/// What memories hold, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryPlan {
    /// What is kept at all.
    pub policy: MemoryPolicy,
    /// How a statement reads.
    pub guidance_style: GuidanceStyle,
    /// A statement's kept length, in Unicode scalar values, with its marker.
    pub statement_max_length: u32,
    /// The kept length of a seat's own reasoning, in Unicode scalar values, with its marker.
    pub reasoning_max_length: u32,
    /// Whether statements and reasoning are cut at all.
    pub enable_truncation: bool,
    /// What one seat's brief holds at the most, in Unicode scalar values as rendered.
    pub memory_character_limit: u64,
    /// What the public history holds at the most, in Unicode scalar values as rendered.
    pub public_history_max_length: u64,
    /// From which share of its limit on a memory is compressed, in parts per million.
    pub compression_threshold_ppm: u32,
    /// To which share of its limit it is compressed, in parts per million.
    pub compression_target_ppm: u32,
    /// What becomes of each kind of event.
    pub routing: Routing,
}

/// What is kept at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryPolicy {
    /// What the routing says, within the limits.
    Selective,
    /// Everything, in full.
    Full,
    /// Nothing: a seat is shown its identity and the question.
    None,
}

/// How a statement reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuidanceStyle {
    /// `Alice (#2.3) said: "…"`.
    Narrative,
    /// `Round: 2 | Speaker: Alice | Favours: … | Statement: …`.
    Structured,
}

/// What becomes of an event in a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// It is cut, formatted and appended; no model is asked.
    Direct,
    /// It is appended, and at the end of the round or phase the seat rewrites its memory, given what happened.
    Integrated,
}

/// The strategy for each kind of event; the field names are the keys of a config.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Routing {
    /// A statement on the floor.
    pub statement: Strategy,
    /// What a seat thought before it spoke.
    pub own_reasoning: Strategy,
    /// A vote was called.
    pub vote_called: Strategy,
    /// A seat agreed to vote, or did not.
    pub vote_answered: Strategy,
    /// A seat's own ballot.
    pub own_ballot: Strategy,
    /// Ballots were counted without a decision.
    pub tally_open: Strategy,
    /// The group decided.
    pub tally_decided: Strategy,
    /// What a seat was paid.
    pub results: Strategy,
    /// Something the facilitator or a human said.
    pub instruction: Strategy,
    /// A seat's own ranking.
    pub own_ranking: Strategy,
    /// A seat's own choice in a practice round, or its comprehension test.
    pub own_application: Strategy,
}

/// What an announcement or a statement on the floor is, for the routing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloorEvent {
    /// A statement.
    Statement,
    /// The facilitator or a human said something.
    Instruction,
    /// A vote was called.
    VoteCalled,
    /// A seat agreed to vote, or did not.
    VoteAnswered,
    /// Ballots were counted without a decision.
    TallyOpen,
    /// The group decided.
    TallyDecided,
}

/// Why a seat rewrites its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewriting {
    /// Something happened. What it wrote takes the place of its own entries that are not pinned.
    Integration,
    /// It is nearly full. What it wrote takes the place of these, and of what it has heard.
    Compression,
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
    plan: MemoryPlan,
    floor: Floor,
    seats: Vec<OwnMemory>,
}

impl Memory {
    /// Empty memories for this many seats.
    pub fn new(plan: MemoryPlan, motion: &Motion, seats: usize) -> Self {
        let alternatives = motion.alternatives.len();
        Self { plan, floor: Floor::new(alternatives), seats: vec![OwnMemory::new(alternatives); seats] }
    }

    /// Everyone hears something. Costs no more with a thousand seats than with three.
    pub fn witness(
        &mut self,
        said: Said,
        _event: FloorEvent,
        public_name: &str,
        text: impl Into<String>,
        stance: Option<Choice>,
    ) {
        if let (Some(speaker), Some(stance)) = (said.speaker, stance) {
            self.seats[speaker.index()].declared(self.floor.len(), stance.alternative);
        }
        self.floor.push(&self.plan, said, public_name, text.into(), stance);
    }

    /// One seat keeps something for itself.
    pub fn keep(&mut self, seat: SeatId, entry: OwnEntry) {
        self.seats[seat.index()].keep(self.floor.len(), entry);
    }

    /// What a seat is shown now, borrowed, and the same as coordinates.
    pub fn recall(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        let own = &self.seats[seat.index()];
        let (from, own_from) = self.fit(own);
        let (end, own_end) = (self.floor.len(), own.len());
        let brief = Brief {
            seat,
            remarks: self.floor.remarks(from..end),
            pinned: &[],
            own: own.entries(own_from..own_end),
            heard: Heard {
                all: (self.floor.stances(end), self.floor.stances(from)),
                own: (own.stances(end), own.stances(from)),
                amounts: &[],
                from: from as u32,
            },
        };
        let shown = Shown {
            floor: from as u32..end as u32,
            pinned: 0,
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

    /// Whether a seat could be shown less than it would be shown now.
    pub fn can_halve(&self, _seat: SeatId) -> bool {
        true
    }

    /// From which record on a seat has something to integrate, and how long its new text may be; `None` when nothing waits.
    pub fn integration_due(&self, _seat: SeatId) -> Option<(Seq, u64)> {
        None
    }

    /// How long a seat's new text may be, if its memory is to be compressed now.
    pub fn compression_due(&self, _seat: SeatId) -> Option<u64> {
        None
    }

    /// A seat rewrote its memory. The entry is cut to the length that was allowed.
    pub fn rewrite(&mut self, seat: SeatId, entry: OwnEntry, _why: Rewriting) {
        debug_assert!(entry.kind == EntryKind::Rewritten);
        self.keep(seat, entry);
    }

    /// A seat did not rewrite its memory: it stays as it is, and nothing waits any more.
    pub fn leave(&mut self, _seat: SeatId) {}

    /// What a seat's memory holds.
    pub fn report(&self, _seat: SeatId) -> MemoryReport {
        MemoryReport::default()
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
        let limit = self.plan.memory_character_limit.min(own.allowance());
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
