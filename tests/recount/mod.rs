//! A memory that counts everything anew each time it is asked, to compare the real one with, and made-up events for both.

use std::ops::Range;

use ekklesia::domain::{
    Alternative, AlternativeId, AlternativeName, Brief, Choice, EntryKind, GuidanceStyle, MemoryReport, Motion,
    OwnEntry, PhaseName, SeatId, Seq, Shown,
};
use ekklesia::memory::{
    EventKinds, FloorEvent, HistoryInBrief, Memory, MemoryPlan, MemoryPolicy, RENDERED_LIMIT_MIN, Rewriting, Said,
    Strategy, Window,
};
use ekklesia::text::{abridge, first_words, tokens_at_most, truncate};

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
    Left { seat: usize, why: Rewriting },
    Halved { seat: usize },
    HalvedOldest { seat: usize },
    Demanded { seat: usize },
    RoundBegan,
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
        Happening::Left { seat, why } => memory.leave(id(seat), *why),
        Happening::Halved { seat } => memory.halve(id(seat)),
        Happening::HalvedOldest { seat } => memory.halve_oldest(id(seat)),
        Happening::Demanded { seat } => memory.demand(id(seat)),
        Happening::RoundBegan => memory.begin_part(),
    }
}

/// What a seat is shown, thing by thing, by its number in each list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    pub summaries: Vec<u32>,
    pub statements: Vec<u32>,
    pub notices: Vec<u32>,
    pub pinned_remarks: usize,
    pub own: Vec<u32>,
    pub pinned: usize,
    pub omitted: u32,
}

/// What the real memory shows, by what it lends and what it puts on record; the two must agree.
pub fn seen((brief, shown): &(Brief<'_>, Shown)) -> Seen {
    let remarks = &brief.remarks;
    let within = |places: &[u32], range: &Range<u32>| places.iter().all(|place| range.contains(place));
    assert!(within(remarks.statements, &shown.floor) && within(remarks.notices, &shown.notices()));
    let of_kind = |range: &Range<u32>, of_speaker: bool| {
        let places = range.clone().filter(|place| remarks.floor[*place as usize].speaker.is_some() == of_speaker);
        places.collect::<Vec<u32>>()
    };
    assert_eq!(of_kind(&shown.floor, true), remarks.statements, "every statement within the positions is shown");
    assert_eq!((shown.own.len(), shown.summaries.len()), (brief.own.len(), brief.summaries.len()));
    assert_eq!((shown.pinned_remarks as usize, shown.pinned as usize), (remarks.pinned.len(), brief.pinned.len()));
    Seen {
        summaries: shown.summaries.clone().collect(),
        statements: remarks.statements.to_vec(),
        notices: remarks.notices.to_vec(),
        pinned_remarks: remarks.pinned.len(),
        own: shown.own.clone().collect(),
        pinned: brief.pinned.len(),
        omitted: shown.omitted,
    }
}

/// The naive memory. It keeps lengths and not texts, and looks at everything whenever it is asked.
pub struct Naive {
    plan: MemoryPlan,
    floor: Vec<Heard>,
    round_from: usize,
    seats: [NaiveSeat; SEATS],
}

/// Something on the floor.
struct Heard {
    number: usize,
    event: FloorEvent,
    length: u64,
    tokens: u64,
}

#[derive(Default)]
struct NaiveSeat {
    pinned: Vec<(u64, u64)>,
    entries: Vec<NaiveEntry>,
    summaries: Vec<NaiveSummary>,
    /// What nothing has replaced.
    summaries_from: usize,
    entries_from: usize,
    floor_from: usize,
    waiting: Vec<Seq>,
    heard: u64,
    skipped: usize,
    allowance: Option<u64>,
    is_demanded: bool,
    failed_at: Option<(usize, usize)>,
}

struct NaiveEntry {
    number: usize,
    place: usize,
    kind: EntryKind,
    length: u64,
    tokens: u64,
}

#[derive(Clone, Copy)]
struct NaiveSummary {
    length: u64,
    is_written: bool,
}

/// One thing a memory may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thing {
    Summary(usize),
    Remark(usize),
    Own(usize),
}

impl Naive {
    pub fn new(plan: MemoryPlan) -> Self {
        Self { plan, floor: Vec::new(), round_from: 0, seats: Default::default() }
    }

    pub fn happen(&mut self, number: usize, happening: &Happening) {
        match happening {
            Happening::Said { speaker, text, stance } => {
                let frame = frame(self.plan.guidance_style, number, *speaker, *stance);
                let max = if self.plan.enable_truncation { self.plan.statement_max_length } else { u32::MAX };
                let limit = self.plan.public_history_max_length.min(self.plan.memory_character_limit);
                let style = self.plan.guidance_style;
                let line = |kept: &str| match style {
                    GuidanceStyle::Narrative => format!("{}{}\"", &frame[..frame.len() - 1], on_one_line(kept)),
                    GuidanceStyle::Structured => format!("{frame}{}", on_one_line(kept)),
                };
                let heard = self.heard(number, FloorEvent::Statement, (chars(&frame), limit, max), text, line);
                self.floor.push(heard);
            }
            Happening::Announced { event, text } => {
                let limit = self.plan.memory_character_limit;
                let line = |kept: &str| format!("[FACILITATOR] {kept}");
                let heard = self.heard(number, *event, (chars("[FACILITATOR] "), limit, u32::MAX), text, line);
                self.floor.push(heard);
            }
            Happening::Kept { seat, kind, text } => self.keep(*seat, number, *kind, text),
            Happening::Rewrote { seat, why, text } => self.rewrite(*seat, number, *why, text),
            Happening::Left { seat, why } => {
                let at = (self.floor.len(), self.seats[*seat].entries.len());
                let own = &mut self.seats[*seat];
                own.waiting.clear();
                if *why == Rewriting::Compression {
                    own.failed_at = Some(at);
                    own.is_demanded = false;
                }
            }
            Happening::Halved { seat } => self.halve(*seat, self.length(*seat, &self.brief(*seat))),
            Happening::HalvedOldest { seat } => {
                if let Some(oldest) = self.oldest(*seat, self.limit(*seat)) {
                    self.halve(*seat, self.length(*seat, &oldest));
                }
            }
            Happening::Demanded { seat } => self.seats[*seat].is_demanded = true,
            Happening::RoundBegan => self.round_from = self.floor.len(),
        }
    }

    fn halve(&mut self, seat: usize, length: u64) {
        let chars_max = self.pinned(seat) + (length / 2).max(RENDERED_LIMIT_MIN);
        let own = &mut self.seats[seat];
        own.allowance = Some(own.allowance.map_or(chars_max, |before| before.min(chars_max)));
    }

    fn heard(
        &mut self,
        number: usize,
        event: FloorEvent,
        (frame, limit, max): (u64, u64, u32),
        text: &str,
        line: impl Fn(&str) -> String,
    ) -> Heard {
        let full = self.plan.policy == MemoryPolicy::Full;
        let kept = if full { text.to_owned() } else { truncated(text, max.min((limit - frame) as u32)) };
        if self.plan.routing.of_floor(event) == Strategy::Integrated {
            self.seats.iter_mut().for_each(|own| own.waiting.push(Seq(number as u64)));
        }
        let tokens = self.tokens(&line(&kept));
        Heard { number, event, length: frame + chars(&kept), tokens }
    }

    fn tokens(&self, line: &str) -> u64 {
        match self.plan.policy {
            MemoryPolicy::Window(Window::Tokens(_)) => tokens_at_most(line) + 2,
            _ => 0,
        }
    }

    fn keep(&mut self, seat: usize, number: usize, kind: EntryKind, text: &str) {
        let plan = self.plan;
        if plan.routing.of_entry(kind) == Strategy::Integrated {
            self.seats[seat].waiting.push(Seq(number as u64));
        }
        let mut max = plan.memory_character_limit as u32;
        if kind == EntryKind::OwnReasoning && plan.enable_truncation {
            max = max.min(plan.reasoning_max_length);
        }
        let whole = self.pins(kind) || plan.policy == MemoryPolicy::Full;
        let kept = if whole { text.to_owned() } else { truncated(text, max) };
        let (length, tokens, is_pinned) = (chars(&kept), self.tokens(&kept), self.pins(kind));
        let place = self.floor.len();
        let own = &mut self.seats[seat];
        own.heard += if kind == EntryKind::Rewritten { 0 } else { length };
        match plan.routing.of_entry(kind) {
            Strategy::Skip => own.skipped += 1,
            _ if is_pinned => own.pinned.push((length, tokens)),
            _ => own.entries.push(NaiveEntry { number, place, kind, length, tokens }),
        }
    }

    fn pins(&self, kind: EntryKind) -> bool {
        matches!(kind, EntryKind::Results | EntryKind::Instruction) || self.plan.pin.hold_entry(kind)
    }

    fn rewrite(&mut self, seat: usize, number: usize, why: Rewriting, text: &str) {
        let oldest = self.oldest(seat, self.limit(seat));
        let mut text = text.to_owned();
        if self.plan.policy.rewrites() {
            if let MemoryPolicy::Digest(digest) = self.plan.policy {
                first_words(&text.clone(), digest.words).apply(&mut text);
            }
            abridge(&text.clone(), self.target(seat)).apply(&mut text);
        }
        self.seats[seat].waiting.clear();
        match (why, oldest) {
            (Rewriting::Compression, Some(oldest)) => self.replace(seat, chars(&text), &oldest),
            (Rewriting::Integration, _) if self.plan.policy == MemoryPolicy::Selective => {
                let own = &mut self.seats[seat];
                (own.summaries_from, own.entries_from) = (own.summaries.len(), own.entries.len());
                self.keep(seat, number, EntryKind::Rewritten, &text);
            }
            _ => self.keep(seat, number, EntryKind::Rewritten, &text),
        }
    }

    fn replace(&mut self, seat: usize, length: u64, oldest: &[Thing]) {
        let stays = self.staying(seat, length, oldest);
        let left: Vec<Thing> = self.replaceable(seat).into_iter().filter(|thing| !oldest.contains(thing)).collect();
        let (floor_until, own_until) = self.until(seat).expect("something was replaced");
        let next_remark =
            left.iter().find_map(|thing| if let Thing::Remark(place) = thing { Some(*place) } else { None });
        let next_own = left.iter().find_map(|thing| if let Thing::Own(entry) = thing { Some(*entry) } else { None });
        let own = &mut self.seats[seat];
        own.entries_from = next_own.unwrap_or(own_until);
        // What no memory keeps goes with what is replaced before it.
        let place = next_own.map(|entry| own.entries[entry].place);
        own.floor_from = next_remark.into_iter().chain(place).min().unwrap_or(floor_until).max(own.floor_from);
        if !matches!(self.plan.policy, MemoryPolicy::Digest(_)) {
            own.summaries_from = own.summaries.len();
        }
        own.summaries.push(NaiveSummary { length, is_written: true });
        own.summaries.extend(stays);
        if self.oldest(seat, self.limit(seat)).is_none() {
            self.seats[seat].is_demanded = false;
        }
    }

    fn staying(&self, seat: usize, length: u64, oldest: &[Thing]) -> Vec<NaiveSummary> {
        let MemoryPolicy::Compact(compact) = self.plan.policy else { return Vec::new() };
        if self.plan.reinject == EventKinds::default() {
            return Vec::new();
        }
        let own = &self.seats[seat];
        let mut stays: Vec<(Option<usize>, u64)> = Vec::new();
        for thing in oldest {
            match thing {
                Thing::Summary(place) if !own.summaries[*place].is_written => {
                    stays.push((None, own.summaries[*place].length));
                }
                Thing::Own(place) if self.plan.reinject.hold_entry(own.entries[*place].kind) => {
                    stays.push((Some(own.entries[*place].number), own.entries[*place].length));
                }
                Thing::Remark(place) if self.plan.reinject.hold_remark(self.floor[*place].event) => {
                    stays.push((Some(self.floor[*place].number), self.floor[*place].length));
                }
                _ => {}
            }
        }
        stays.sort_by_key(|(number, _)| *number);
        let share = share(self.limit(seat), compact.threshold_ppm);
        let mut newest = Vec::new();
        let mut sum = self.pinned(seat) + length;
        for (_, length) in stays.into_iter().rev() {
            sum += length;
            if sum > share {
                break;
            }
            newest.insert(0, NaiveSummary { length, is_written: false });
        }
        newest
    }

    fn pinned(&self, seat: usize) -> u64 {
        let remarks = self.floor.iter().filter(|heard| self.is_pinned_remark(heard));
        self.seats[seat].pinned.iter().map(|(length, _)| length).sum::<u64>()
            + remarks.map(|heard| heard.length).sum::<u64>()
    }

    fn is_skipped(&self, heard: &Heard) -> bool {
        self.plan.routing.of_floor(heard.event) == Strategy::Skip
    }

    fn is_pinned_remark(&self, heard: &Heard) -> bool {
        !self.is_skipped(heard) && self.plan.pin.hold_remark(heard.event)
    }

    /// Whether memories keep it and may drop it.
    fn is_kept(&self, heard: &Heard) -> bool {
        !self.is_skipped(heard) && !self.is_pinned_remark(heard)
    }

    fn limit(&self, seat: usize) -> u64 {
        let limit = if self.plan.policy == MemoryPolicy::Full { u64::MAX } else { self.plan.memory_character_limit };
        limit.min(self.seats[seat].allowance.unwrap_or(u64::MAX))
    }

    fn room(&self, seat: usize, limit: u64) -> u64 {
        limit.saturating_sub(self.pinned(seat)).max(RENDERED_LIMIT_MIN)
    }

    fn target(&self, seat: usize) -> u64 {
        let share = share(self.limit(seat), self.plan.compression_target_ppm);
        share.saturating_sub(self.pinned(seat)).max(RENDERED_LIMIT_MIN)
    }

    fn statements(&self) -> Vec<usize> {
        (0..self.floor.len()).filter(|place| self.floor[*place].event == FloorEvent::Statement).collect()
    }

    /// The oldest statement within the public history.
    fn first(&self) -> usize {
        let statements = self.statements();
        let fits = |from: &usize| {
            statements[*from..].iter().map(|place| self.floor[*place].length).sum::<u64>()
                <= self.plan.public_history_max_length
        };
        let from = match self.plan.policy {
            MemoryPolicy::Full => 0,
            _ => (0..statements.len()).find(fits).unwrap_or(0),
        };
        statements.get(from).copied().unwrap_or(self.floor.len())
    }

    /// How many statements the public history has dropped.
    pub fn dropped(&self) -> usize {
        self.statements().into_iter().filter(|place| *place < self.first()).count()
    }

    fn length_of(&self, seat: usize, thing: &Thing) -> u64 {
        let own = &self.seats[seat];
        match thing {
            Thing::Summary(place) => own.summaries[*place].length,
            Thing::Remark(place) => self.floor[*place].length,
            Thing::Own(place) => own.entries[*place].length,
        }
    }

    fn length(&self, seat: usize, things: &[Thing]) -> u64 {
        things.iter().map(|thing| self.length_of(seat, thing)).sum()
    }

    /// Remarks that memories keep and entries, from these on, oldest first.
    fn chronicle(&self, seat: usize, floor_from: usize, own_from: usize) -> Vec<Thing> {
        let own = &self.seats[seat];
        let mut things = Vec::new();
        for place in 0..=self.floor.len() {
            let here = (own_from..own.entries.len()).filter(|entry| own.entries[*entry].place == place);
            things.extend(here.map(Thing::Own));
            if place >= floor_from && self.floor.get(place).is_some_and(|heard| self.is_kept(heard)) {
                things.push(Thing::Remark(place));
            }
        }
        things
    }

    /// What the policy has in hand, oldest first.
    fn in_hand(&self, seat: usize) -> Vec<Thing> {
        let own = &self.seats[seat];
        let (mut floor_from, mut own_from) = (own.floor_from, own.entries_from);
        match self.plan.policy {
            MemoryPolicy::None => return Vec::new(),
            MemoryPolicy::Window(window) => {
                floor_from = floor_from.max(self.window_from(seat, window));
                own_from = own_from.max(own.entries.iter().take_while(|entry| entry.place < floor_from).count());
            }
            _ => {}
        }
        let mut things: Vec<Thing> = (own.summaries_from..own.summaries.len()).map(Thing::Summary).collect();
        things.extend(self.chronicle(seat, floor_from, own_from));
        things
    }

    fn window_from(&self, seat: usize, window: Window) -> usize {
        let (own, statements) = (&self.seats[seat], self.statements());
        match window {
            Window::Statements(most) if statements.len() <= most as usize => 0,
            Window::Statements(most) => statements[statements.len() - most as usize],
            Window::Tokens(most) => {
                let fits = |from: &usize| {
                    let remarks = self.floor.iter().enumerate();
                    let counted = remarks.filter(|(place, heard)| {
                        !self.is_skipped(heard) && (place >= from || self.is_pinned_remark(heard))
                    });
                    let entries = own.entries.iter().filter(|entry| entry.place >= *from);
                    let pinned: u64 = own.pinned.iter().map(|(_, tokens)| tokens).sum();
                    let sum = counted.map(|(_, heard)| heard.tokens).sum::<u64>()
                        + entries.map(|entry| entry.tokens).sum::<u64>()
                        + pinned;
                    // What is pinned counts, and where it is all alone over the limit nothing of no length is lost.
                    sum <= most
                        || sum
                            == pinned
                                + self.floor.iter().filter(|h| self.is_pinned_remark(h)).map(|h| h.tokens).sum::<u64>()
                };
                let begins = [0].into_iter().chain(statements.iter().copied());
                let all = (0..=self.floor.len()).find(fits).unwrap_or(self.floor.len());
                begins.clone().find(fits).unwrap_or(statements.last().copied().unwrap_or(all))
            }
        }
    }

    fn newest(&self, seat: usize, mut things: Vec<Thing>, room: u64) -> Vec<Thing> {
        while self.length(seat, &things) > room {
            things.remove(0);
        }
        things
    }

    fn memory(&self, seat: usize) -> Vec<Thing> {
        self.newest(seat, self.in_hand(seat), self.room(seat, self.limit(seat)))
    }

    /// The memory and the public history together, within what the seat's model takes.
    fn brief(&self, seat: usize) -> Vec<Thing> {
        let memory = self.memory(seat);
        let history = match self.plan.history {
            HistoryInBrief::Full => self.first(),
            HistoryInBrief::CurrentRound => self.first().max(self.round_from),
            HistoryInBrief::None => self.floor.len(),
        };
        let own = &self.seats[seat];
        let mut things: Vec<Thing> = (0..own.summaries.len()).map(Thing::Summary).collect();
        for place in 0..=self.floor.len() {
            let here = (0..own.entries.len()).filter(|entry| own.entries[*entry].place == place);
            things.extend(here.map(Thing::Own));
            if place < self.floor.len() {
                things.push(Thing::Remark(place));
            }
        }
        let is_history = |thing: &Thing| matches!(thing, Thing::Remark(place) if *place >= history && self.floor[*place].event == FloorEvent::Statement);
        // Once a statement is shown, all later ones are, unless memories keep none.
        things.retain(|thing| memory.contains(thing) || is_history(thing));
        match own.allowance {
            Some(allowance) => self.newest(seat, things, self.room(seat, allowance)),
            None => things,
        }
    }

    /// Before which remark and which entry a memory is rewritten.
    fn until(&self, seat: usize) -> Option<(usize, usize)> {
        let (own, statements) = (&self.seats[seat], self.statements());
        let keep = match self.plan.policy {
            MemoryPolicy::Selective => 0,
            MemoryPolicy::Compact(compact) => compact.keep as usize,
            MemoryPolicy::Digest(digest) => digest.keep as usize,
            _ => return None,
        };
        let kept = statements.get(statements.len().saturating_sub(keep)).copied();
        let floor = kept.unwrap_or(self.floor.len()).max(own.floor_from);
        let entries = match floor == self.floor.len() {
            true => own.entries.len(),
            false => own.entries.iter().take_while(|entry| entry.place < floor).count(),
        };
        let until = (floor, entries.max(own.entries_from));
        match self.plan.policy {
            MemoryPolicy::Digest(digest) => {
                let waiting = statements.iter().filter(|place| (own.floor_from..floor).contains(*place)).count();
                (own.is_demanded || waiting >= digest.every as usize).then_some(until)
            }
            _ => Some(until),
        }
    }

    /// What is to be rewritten, without the summary so far.
    fn replaceable(&self, seat: usize) -> Vec<Thing> {
        let own = &self.seats[seat];
        let Some((floor, entries)) = self.until(seat) else { return Vec::new() };
        let mut things = self.chronicle(seat, own.floor_from, own.entries_from);
        things.retain(|thing| match thing {
            Thing::Remark(place) => *place < floor,
            Thing::Own(entry) => *entry < entries,
            Thing::Summary(_) => false,
        });
        things
    }

    /// Of that, the oldest that fits beside the summary so far, and the summary.
    fn oldest(&self, seat: usize, limit: u64) -> Option<Vec<Thing>> {
        let (own, all) = (&self.seats[seat], self.replaceable(seat));
        let mut things: Vec<Thing> = match self.plan.policy {
            MemoryPolicy::Digest(_) => Vec::new(),
            _ => (own.summaries_from..own.summaries.len()).map(Thing::Summary).collect(),
        };
        let first = things.len();
        for thing in &all {
            let sum = self.length(seat, &things) + self.length_of(seat, thing);
            if things.len() > first && sum > self.room(seat, limit) {
                break;
            }
            things.push(*thing);
        }
        (!all.is_empty()).then_some(things)
    }

    fn seen(&self, seat: usize, things: &[Thing]) -> Seen {
        let mut seen = Seen::default();
        for thing in things {
            match thing {
                Thing::Summary(place) => seen.summaries.push(*place as u32),
                Thing::Own(place) => seen.own.push(*place as u32),
                Thing::Remark(place) if self.floor[*place].event == FloorEvent::Statement => {
                    seen.statements.push(*place as u32);
                }
                Thing::Remark(place) => seen.notices.push(*place as u32),
            }
        }
        let own = &self.seats[seat];
        if self.plan.policy != MemoryPolicy::None {
            seen.pinned_remarks = self.floor.iter().filter(|heard| self.is_pinned_remark(heard)).count();
            seen.pinned = own.pinned.len();
        }
        let witnessed = self.floor.len() + own.entries.len() + own.pinned.len() + own.skipped;
        let shown = seen.statements.len() + seen.notices.len() + seen.own.len() + seen.pinned_remarks + seen.pinned;
        Seen { omitted: (witnessed - shown) as u32, ..seen }
    }

    pub fn shown(&self, seat: usize) -> Seen {
        self.seen(seat, &self.brief(seat))
    }

    /// What is shown to be rewritten; what is shown otherwise, where nothing is.
    pub fn shown_oldest(&self, seat: usize) -> Seen {
        let things = self.oldest(seat, self.limit(seat)).unwrap_or_else(|| self.brief(seat));
        self.seen(seat, &things)
    }

    pub fn report(&self, seat: usize) -> MemoryReport {
        let brief = self.brief(seat);
        let memory: Vec<Thing> = self.memory(seat).into_iter().filter(|thing| brief.contains(thing)).collect();
        let (seen, own) = (self.seen(seat, &memory), &self.seats[seat]);
        let pinned = if self.plan.policy == MemoryPolicy::None { 0 } else { self.pinned(seat) };
        let is_written = |thing: &&Thing| match thing {
            Thing::Summary(place) => own.summaries[*place].is_written,
            Thing::Own(place) => own.entries[*place].kind == EntryKind::Rewritten,
            Thing::Remark(_) => false,
        };
        let written: Vec<Thing> = brief.iter().filter(is_written).copied().collect();
        let rewritten = if self.plan.policy.rewrites() { self.length(seat, &written) } else { 0 };
        MemoryReport {
            entries: (memory.len() + seen.pinned_remarks + seen.pinned) as u32,
            chars: self.length(seat, &memory) + pinned,
            shown_chars: self.length(seat, &brief) + pinned - rewritten,
            rewritten_chars: rewritten,
            heard_chars: self.floor.iter().map(|heard| heard.length).sum::<u64>() + own.heard,
            dropped_entries: self.seen(seat, &brief).omitted,
        }
    }

    pub fn integration_due(&self, seat: usize) -> Option<(Seq, u64)> {
        let first = self.seats[seat].waiting.iter().min()?;
        (self.plan.policy == MemoryPolicy::Selective).then(|| (*first, self.target(seat)))
    }

    pub fn compression_due(&self, seat: usize) -> Option<u64> {
        let own = &self.seats[seat];
        let held = self.length(seat, &self.in_hand(seat));
        let over =
            |ppm: u32| (held + self.pinned(seat)) as u128 * 1_000_000 > self.limit(seat) as u128 * u128::from(ppm);
        let is_due = match self.plan.policy {
            MemoryPolicy::Selective => over(self.plan.compression_threshold_ppm) && held > self.target(seat),
            MemoryPolicy::Compact(compact) => over(compact.threshold_ppm),
            MemoryPolicy::Digest(_) => true,
            _ => false,
        };
        let has_failed = own.failed_at == Some((self.floor.len(), own.entries.len()));
        let is_possible = !has_failed && !self.replaceable(seat).is_empty();
        (is_possible && (is_due || own.is_demanded)).then(|| self.target(seat))
    }
}

fn share(limit: u64, ppm: u32) -> u64 {
    (u128::from(limit) * u128::from(ppm) / 1_000_000) as u64
}

fn on_one_line(text: &str) -> String {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    text.chars().map(|c| if is_break(c) { ' ' } else { c }).collect()
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
