//! The selective memory manager. What everyone hears is stored once for all seats; each seat adds entries of its own, some
//! of them pinned, and from time to time its own words take their place. A brief is the newest part of both that fits.
//!
//! It decides nothing about who spoke or what follows, asks no model, reads no file, and is never saved: it is folded from the
//! minutes. Limits are applied when a seat is recalled, so that a remark costs no more with a thousand seats than with three.
//! Pinned entries are exempt from them and always shown; the room for all else is what they leave of the limit.

mod floor;
pub mod guidance;
pub mod notice;
mod own;
mod plan;

use std::ops::Range;

pub use crate::domain::GuidanceStyle;
use crate::domain::{Brief, Choice, EntryKind, Heard, MemoryReport, Motion, OwnEntry, Remark, SeatId, Seq, Shown};
use crate::text;
use floor::Floor;
pub use floor::Said;
use own::OwnMemory;
pub use plan::{FloorEvent, MemoryPlan, MemoryPolicy, RENDERED_LIMIT_MIN, Rewriting, Routing, Strategy, is_pinned};

/// The memories of all seats of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    plan: MemoryPlan,
    floor: Floor,
    seats: Vec<OwnMemory>,
}

/// The part of a memory that is shown.
struct View {
    floor: Range<usize>,
    own: Range<usize>,
    pinned: usize,
    /// Rendered characters of the floor and of the entries that are not pinned.
    chars: u64,
    /// Remarks and entries witnessed and not shown.
    omitted: usize,
}

impl Memory {
    /// Empty memories for this many seats.
    pub fn new(plan: MemoryPlan, motion: &Motion, seats: usize) -> Self {
        let own = OwnMemory::new(motion.alternatives.len());
        Self { plan, floor: Floor::new(motion), seats: vec![own; seats] }
    }

    /// Everyone hears something. Costs no more with a thousand seats than with three.
    ///
    /// # Panics
    /// When the speaker or the declared alternative is none of the session's.
    pub fn witness(
        &mut self,
        said: Said,
        event: FloorEvent,
        public_name: &str,
        text: impl Into<String>,
        stance: Option<Choice>,
    ) {
        if let (Some(speaker), Some(stance)) = (said.speaker, stance) {
            self.seats[speaker.index()].declared(self.floor.len(), stance.alternative);
        }
        self.floor.push(&self.plan, (said, event), public_name, text.into(), stance);
    }

    /// One seat keeps something for itself. Its reasoning is cut to its own limit; of anything else that is not pinned, only
    /// what would be over the memory's limit all alone.
    pub fn keep(&mut self, seat: SeatId, mut entry: OwnEntry) {
        let chars_max = self.plan.entry_limit(entry.kind);
        let cut = text::truncate(&entry.text, u32::try_from(chars_max).unwrap_or(u32::MAX));
        cut.apply(&mut entry.text);
        let own = &mut self.seats[seat.index()];
        if self.plan.routing.of_entry(entry.kind) == Strategy::Integrated {
            own.wait(entry.seq);
        }
        own.keep(self.floor.len(), entry);
    }

    /// What a seat is shown now, borrowed, and the same as coordinates.
    pub fn recall(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        let own = &self.seats[seat.index()];
        let view = self.view(own);
        let Range { start, end } = view.floor;
        let brief = Brief {
            seat,
            style: self.plan.guidance_style,
            remarks: self.floor.remarks(start..end),
            pinned: &own.pinned()[..view.pinned],
            own: own.entries(view.own.clone()),
            heard: Heard {
                all: (self.floor.stances(end), self.floor.stances(start)),
                own: (own.stances(end), own.stances(start)),
                amounts: if start < end { self.floor.amounts() } else { &[] },
                from: start as u32,
            },
        };
        let shown = Shown {
            floor: start as u32..end as u32,
            pinned: view.pinned as u32,
            own: view.own.start as u32..view.own.end as u32,
            omitted: view.omitted as u32,
        };
        (brief, shown)
    }

    /// From now on a seat is shown, beside its pinned entries, half of what it would be shown now, but never less than
    /// [`RENDERED_LIMIT_MIN`]: its model said that it was too much.
    pub fn halve(&mut self, seat: SeatId) {
        let own = &self.seats[seat.index()];
        let room = (self.view(own).chars / 2).max(RENDERED_LIMIT_MIN);
        let chars_max = own.pinned_chars().saturating_add(room);
        self.seats[seat.index()].allow(chars_max);
    }

    /// Whether a seat would be shown less after [`Memory::halve`] than it would be shown now.
    pub fn can_halve(&self, seat: SeatId) -> bool {
        self.view(&self.seats[seat.index()]).chars > RENDERED_LIMIT_MIN
    }

    /// From which record on a seat has something to integrate, and how long its new text may be, in characters; `None` when
    /// nothing waits. Only the selective policy integrates.
    pub fn integration_due(&self, seat: SeatId) -> Option<(Seq, u64)> {
        let own = &self.seats[seat.index()];
        let first = own.first_waiting(self.floor.news())?;
        (self.plan.policy == MemoryPolicy::Selective).then(|| (first, self.target(own)))
    }

    /// How long a seat's new text may be, in characters, if its memory is to be compressed now: under the selective policy,
    /// when what it holds is longer than the threshold's share of its limit and more than the new text might be.
    pub fn compression_due(&self, seat: SeatId) -> Option<u64> {
        let own = &self.seats[seat.index()];
        let held = self.floor.chars(self.floor_start(own)) + own.chars(own.live());
        let (limit, target) = (self.limit(own), self.target(own));
        let share_held = u128::from(held + own.pinned_chars()) * 1_000_000;
        let is_over = share_held > u128::from(limit) * u128::from(self.plan.compression_threshold_ppm);
        (self.plan.policy == MemoryPolicy::Selective && is_over && held > target).then_some(target)
    }

    /// A seat rewrote its memory: the text, cut to the length that was allowed, takes the place of its entries that are not
    /// pinned, and after a compression of the remarks it has heard, too. Nothing waits to be integrated any more.
    ///
    /// Under a policy that asks for no rewriting, it is one more entry.
    pub fn rewrite(&mut self, seat: SeatId, mut entry: OwnEntry, why: Rewriting) {
        debug_assert!(entry.kind == EntryKind::Rewritten);
        if self.plan.policy == MemoryPolicy::Selective {
            let chars_max = self.target(&self.seats[seat.index()]);
            text::abridge(&entry.text, chars_max).apply(&mut entry.text);
            let own = &mut self.seats[seat.index()];
            own.replace_entries();
            if why == Rewriting::Compression {
                own.replace_floor(self.floor.len());
            }
        }
        self.leave(seat);
        self.keep(seat, entry);
    }

    /// A seat did not rewrite its memory: it stays as it is, and nothing waits any more.
    pub fn leave(&mut self, seat: SeatId) {
        self.seats[seat.index()].settle(self.floor.news().len());
    }

    /// What a seat's memory holds.
    pub fn report(&self, seat: SeatId) -> MemoryReport {
        let own = &self.seats[seat.index()];
        let view = self.view(own);
        let entries = view.floor.len() + view.own.len() + view.pinned;
        let pinned_chars = if view.pinned > 0 { own.pinned_chars() } else { 0 };
        MemoryReport {
            entries: entries as u32,
            chars: view.chars + pinned_chars,
            rewritten_chars: match self.plan.policy {
                MemoryPolicy::Selective => own.rewritten_chars(view.own),
                MemoryPolicy::Full | MemoryPolicy::None => 0,
            },
            heard_chars: self.floor.chars(0) + own.heard_chars(),
            dropped_entries: view.omitted as u32,
        }
    }

    /// Remarks the public history has dropped since the session began, and their rendered length in characters.
    pub fn dropped(&self) -> (u32, u64) {
        self.floor.dropped()
    }

    /// Everything said on the floor since the session began.
    pub fn remarks(&self) -> &[Remark] {
        self.floor.remarks(0..self.floor.len())
    }

    /// What one seat's brief holds at the most, its pinned entries counted. A seat whose model could not take as much as the
    /// plan allows is nearly full sooner, too, and rewrites its memory shorter.
    fn limit(&self, own: &OwnMemory) -> u64 {
        self.plan.character_limit().min(own.allowance())
    }

    /// How long a rewritten memory may be: the target's share of the limit, less the pinned entries.
    fn target(&self, own: &OwnMemory) -> u64 {
        let share = plan::share(self.limit(own), self.plan.compression_target_ppm);
        share.saturating_sub(own.pinned_chars()).max(RENDERED_LIMIT_MIN)
    }

    /// The first remark that neither the public history has dropped nor the seat has replaced.
    fn floor_start(&self, own: &OwnMemory) -> usize {
        self.floor.first().max(own.floor_from())
    }

    fn view(&self, own: &OwnMemory) -> View {
        let (end, own_end, pinned) = (self.floor.len(), own.len(), own.pinned().len());
        if self.plan.policy == MemoryPolicy::None {
            return View { floor: 0..0, own: 0..0, pinned: 0, chars: 0, omitted: end + own_end + pinned };
        }
        let (from, own_from) = self.fit(own);
        let chars = self.floor.chars(from) + own.chars(own_from);
        View { floor: from..end, own: own_from..own_end, pinned, chars, omitted: from + own_from }
    }

    /// The first remark and the first own entry that still fit beside the pinned ones, dropping the oldest of both first.
    ///
    /// Own entries cut the floor into stretches of remarks that leave the same entries behind. The stretch is looked for
    /// first and the remark within it then, so that no step looks up one list in the other.
    fn fit(&self, own: &OwnMemory) -> (usize, usize) {
        let room = self.limit(own).saturating_sub(own.pinned_chars()).max(RENDERED_LIMIT_MIN);
        let (start, live, end) = (self.floor_start(own), own.live(), self.floor.len());
        if self.floor.chars(start) + own.chars(live) <= room {
            return (start, live);
        }
        let place = |entry: usize| own.place(entry).map_or(end, |place| place.max(start));
        let own_from = first_true(live, own.len(), |entry| self.floor.chars(place(entry)) + own.chars(entry) <= room);
        let oldest = if own_from > live { place(own_from - 1) } else { start };
        let fits = |remark: usize| self.floor.chars(remark) + own.chars(own_from) <= room;
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
