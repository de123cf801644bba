//! A memory that counts everything anew each time it is asked, to compare the real one with, and made-up events for both.

use ekklesia::domain::{
    Alternative, AlternativeId, AlternativeName, Choice, EntryKind, GuidanceStyle, MemoryReport, Motion, OwnEntry,
    PhaseName, SeatId, Seq, Shown,
};
use ekklesia::memory::{FloorEvent, Memory, MemoryPlan, MemoryPolicy, RENDERED_LIMIT_MIN, Rewriting, Said, Strategy};
use ekklesia::text::{abridge, truncate};

pub const SEATS: usize = 3;
/// The last is as long as a name may be.
pub const NAMES: [&str; SEATS] =
    ["Alice", "Čeněk", "Bob who has the longest name that anyone has ever had at this table, 80 letters."];

/// Something that happens to memories.
#[derive(Debug, Clone)]
pub enum Happening {
    Said { speaker: usize, text: String, stance: Option<(u32, Option<u32>)> },
    Announced { event: FloorEvent, text: String },
    Kept { seat: usize, kind: EntryKind, text: String },
    Rewrote { seat: usize, why: Rewriting, text: String },
    Left { seat: usize },
    Halved { seat: usize },
}

pub fn motion() -> Motion {
    let alternative = |name: &str, takes_amount| Alternative {
        name: AlternativeName::new(name),
        label: name.to_owned(),
        status_quo: false,
        takes_amount,
    };
    let long = "x".repeat(80);
    let alternatives = vec![alternative("for", false), alternative("average_floor", true), alternative(&long, true)];
    Motion { text: "Yes or no?".to_owned(), alternatives, amount_max: Some(u32::MAX) }
}

pub fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

pub fn entry(number: usize, kind: EntryKind, text: &str) -> OwnEntry {
    OwnEntry { seq: Seq(number as u64), phase: PhaseName::new("talk"), round: 1, kind, text: text.to_owned() }
}

pub fn said(number: usize, speaker: Option<usize>) -> Said {
    let turn = if speaker.is_some() { number as u32 % 7 + 1 } else { 0 };
    Said { seq: Seq(number as u64), round: number as u32 / 7, turn, speaker: speaker.map(|seat| SeatId(seat as u32)) }
}

/// Lets the real memory witness something.
pub fn happen(memory: &mut Memory, number: usize, happening: &Happening) {
    let id = |seat: &usize| SeatId(*seat as u32);
    match happening {
        Happening::Said { speaker, text, stance } => {
            let stance = stance.map(|(place, amount)| Choice { alternative: AlternativeId(place), amount });
            memory.witness(said(number, Some(*speaker)), FloorEvent::Statement, NAMES[*speaker], text, stance);
        }
        Happening::Announced { event, text } => memory.witness(said(number, None), *event, "", text, None),
        Happening::Kept { seat, kind, text } => memory.keep(id(seat), entry(number, *kind, text)),
        Happening::Rewrote { seat, why, text } => {
            memory.rewrite(id(seat), entry(number, EntryKind::Rewritten, text), *why);
        }
        Happening::Left { seat } => memory.leave(id(seat)),
        Happening::Halved { seat } => memory.halve(id(seat)),
    }
}

/// The naive memory. It keeps lengths, not texts.
pub struct Naive {
    plan: MemoryPlan,
    floor: Vec<u64>,
    seats: [NaiveSeat; SEATS],
}

#[derive(Default)]
struct NaiveSeat {
    pinned: Vec<u64>,
    /// Remarks before an entry, and its length.
    entries: Vec<(usize, u64)>,
    /// Which of the entries the seat wrote itself.
    rewritten: Vec<usize>,
    live: usize,
    floor_from: usize,
    waiting: Vec<Seq>,
    heard: u64,
    allowance: Option<u64>,
}

impl Naive {
    pub fn new(plan: MemoryPlan) -> Self {
        Self { plan, floor: Vec::new(), seats: Default::default() }
    }

    pub fn happen(&mut self, number: usize, happening: &Happening) {
        match happening {
            Happening::Said { speaker, text, stance } => {
                let frame = frame(self.plan.guidance_style, number, *speaker, *stance);
                let max = if self.plan.enable_truncation { self.plan.statement_max_length } else { u32::MAX };
                self.hear(number, self.plan.routing.statement, chars(&frame), text, max);
            }
            Happening::Announced { event, text } => {
                let routed = self.plan.routing.of_floor(*event);
                self.hear(number, routed, chars("[FACILITATOR] "), text, u32::MAX);
            }
            Happening::Kept { seat, kind, text } => self.keep(*seat, number, *kind, text),
            Happening::Rewrote { seat, why, text } => self.rewrite(*seat, number, *why, text),
            Happening::Left { seat } => self.seats[*seat].waiting.clear(),
            Happening::Halved { seat } => {
                let room = (self.shown_chars(*seat) / 2).max(RENDERED_LIMIT_MIN);
                let chars_max = self.pinned(*seat) + room;
                let own = &mut self.seats[*seat];
                own.allowance = Some(own.allowance.map_or(chars_max, |before| before.min(chars_max)));
            }
        }
    }

    fn hear(&mut self, number: usize, routed: Strategy, frame: u64, text: &str, max: u32) {
        let room = self.plan.public_history_max_length.min(self.plan.memory_character_limit) - frame;
        let full = self.plan.policy == MemoryPolicy::Full;
        let kept = if full { text.to_owned() } else { truncated(text, max.min(room as u32)) };
        self.floor.push(frame + chars(&kept));
        if routed == Strategy::Integrated {
            self.seats.iter_mut().for_each(|own| own.waiting.push(Seq(number as u64)));
        }
    }

    fn keep(&mut self, seat: usize, number: usize, kind: EntryKind, text: &str) {
        let plan = self.plan;
        if plan.routing.of_entry(kind) == Strategy::Integrated {
            self.seats[seat].waiting.push(Seq(number as u64));
        }
        let is_pinned = matches!(kind, EntryKind::Results | EntryKind::Instruction);
        let mut max = plan.memory_character_limit as u32;
        if kind == EntryKind::OwnReasoning && plan.enable_truncation {
            max = max.min(plan.reasoning_max_length);
        }
        let whole = is_pinned || plan.policy == MemoryPolicy::Full;
        let length = if whole { chars(text) } else { chars(&truncated(text, max)) };
        let own = &mut self.seats[seat];
        own.heard += if kind == EntryKind::Rewritten { 0 } else { length };
        match is_pinned {
            true => own.pinned.push(length),
            false => {
                if kind == EntryKind::Rewritten {
                    own.rewritten.push(own.entries.len());
                }
                own.entries.push((self.floor.len(), length));
            }
        }
    }

    fn rewrite(&mut self, seat: usize, number: usize, why: Rewriting, text: &str) {
        let mut text = text.to_owned();
        if self.plan.policy == MemoryPolicy::Selective {
            abridge(&text.clone(), self.target(seat)).apply(&mut text);
            let own = &mut self.seats[seat];
            own.live = own.entries.len();
            if why == Rewriting::Compression {
                own.floor_from = self.floor.len();
            }
        }
        self.seats[seat].waiting.clear();
        self.keep(seat, number, EntryKind::Rewritten, &text);
    }

    fn pinned(&self, seat: usize) -> u64 {
        self.seats[seat].pinned.iter().sum()
    }

    fn limit(&self, seat: usize) -> u64 {
        let limit = if self.plan.policy == MemoryPolicy::Full { u64::MAX } else { self.plan.memory_character_limit };
        limit.min(self.seats[seat].allowance.unwrap_or(u64::MAX))
    }

    fn target(&self, seat: usize) -> u64 {
        let share = self.limit(seat) * u64::from(self.plan.compression_target_ppm) / 1_000_000;
        share.saturating_sub(self.pinned(seat)).max(RENDERED_LIMIT_MIN)
    }

    /// The oldest remark within the public history.
    pub fn first(&self) -> usize {
        if self.plan.policy == MemoryPolicy::Full || self.floor.is_empty() {
            return 0;
        }
        let fits = |from: &usize| self.floor[*from..].iter().sum::<u64>() <= self.plan.public_history_max_length;
        (0..self.floor.len()).find(fits).expect("the newest is cut to the limit")
    }

    /// The remarks (`true`) and entries a seat still holds, oldest first, with their lengths.
    fn held(&self, seat: usize) -> Vec<(bool, u64)> {
        let own = &self.seats[seat];
        let start = self.first().max(own.floor_from);
        let mut items = Vec::new();
        for place in start..=self.floor.len() {
            let here = own.entries[own.live..].iter().filter(|(after, _)| (*after).max(start) == place);
            items.extend(here.map(|(_, length)| (false, *length)));
            items.extend(self.floor.get(place).map(|length| (true, *length)));
        }
        items
    }

    /// The newest of them, for as long as they fit: how many remarks, how many entries, and their length.
    fn newest(&self, seat: usize) -> (usize, usize, u64) {
        if self.plan.policy == MemoryPolicy::None {
            return (0, 0, 0);
        }
        let room = self.limit(seat).saturating_sub(self.pinned(seat)).max(RENDERED_LIMIT_MIN);
        let mut newest = (0, 0, 0);
        for (is_remark, length) in self.held(seat).into_iter().rev() {
            if newest.2 + length > room {
                break;
            }
            newest = (newest.0 + usize::from(is_remark), newest.1 + usize::from(!is_remark), newest.2 + length);
        }
        newest
    }

    pub fn shown_chars(&self, seat: usize) -> u64 {
        self.newest(seat).2
    }

    pub fn shown(&self, seat: usize) -> Shown {
        let (remarks, entries, _) = self.newest(seat);
        let own = &self.seats[seat];
        let (floor, kept, pinned) = (self.floor.len() as u32, own.entries.len() as u32, own.pinned.len() as u32);
        if self.plan.policy == MemoryPolicy::None {
            return Shown { floor: 0..0, pinned: 0, own: 0..0, omitted: floor + kept + pinned };
        }
        let (from, own_from) = (floor - remarks as u32, kept - entries as u32);
        Shown { floor: from..floor, pinned, own: own_from..kept, omitted: from + own_from }
    }

    pub fn report(&self, seat: usize) -> MemoryReport {
        let shown = self.shown(seat);
        let pinned_chars = if shown.pinned > 0 { self.pinned(seat) } else { 0 };
        MemoryReport {
            entries: shown.floor.len() as u32 + shown.own.len() as u32 + shown.pinned,
            chars: self.shown_chars(seat) + pinned_chars,
            rewritten_chars: match self.plan.policy {
                MemoryPolicy::Selective => {
                    let own = &self.seats[seat];
                    let shown = own.rewritten.iter().filter(|place| shown.own.contains(&(**place as u32)));
                    shown.map(|place| own.entries[*place].1).sum()
                }
                _ => 0,
            },
            heard_chars: self.floor.iter().sum::<u64>() + self.seats[seat].heard,
            dropped_entries: shown.omitted,
        }
    }

    pub fn integration_due(&self, seat: usize) -> Option<(Seq, u64)> {
        let first = self.seats[seat].waiting.first()?;
        (self.plan.policy == MemoryPolicy::Selective).then(|| (*first, self.target(seat)))
    }

    pub fn compression_due(&self, seat: usize) -> Option<u64> {
        let held: u64 = self.held(seat).iter().map(|(_, length)| length).sum();
        let over = |limit: u64| {
            (held + self.pinned(seat)) * 1_000_000 > limit * u64::from(self.plan.compression_threshold_ppm)
        };
        let due = self.plan.policy == MemoryPolicy::Selective && over(self.limit(seat)) && held > self.target(seat);
        due.then(|| self.target(seat))
    }
}

/// What stands around a statement.
fn frame(style: GuidanceStyle, number: usize, speaker: usize, stance: Option<(u32, Option<u32>)>) -> String {
    let (name, round, turn) = (NAMES[speaker], number / 7, number % 7 + 1);
    let favours = match stance {
        None => String::new(),
        Some((place, None)) => format!(" | Favours: {}", motion().alternatives[place as usize].name),
        Some((place, Some(amount))) => format!(" | Favours: {} {amount}", motion().alternatives[place as usize].name),
    };
    match style {
        GuidanceStyle::Narrative => format!("{name} (#{round}.{turn}) said: \"\""),
        GuidanceStyle::Structured => format!("Round: {round} | Speaker: {name}{favours} | Statement: "),
    }
}

fn truncated(text: &str, max: u32) -> String {
    let mut kept = text.to_owned();
    truncate(text, max).apply(&mut kept);
    kept
}
