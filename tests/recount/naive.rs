//! A memory that counts everything anew: what happens to it. What it shows is found elsewhere.

use std::collections::BTreeSet;

use ekklesia::domain::{EntryKind, GuidanceStyle, Marked, Named, Seq, Sign};
use ekklesia::memory::{EventKinds, FloorEvent, MemoryPlan, MemoryPolicy, RENDERED_LIMIT_MIN, Rewriting, Strategy};
use ekklesia::text::{abridge, first_words, tokens_at_most, truncate};

use super::recall::words_of;
use super::standing::Statement;
use super::{Happening, NAMES, OWN_NAMES, PHASE, SEATS, Saying, chars, motion, phase_of};

/// The naive memory. It keeps lengths and not texts, and looks at everything whenever it is asked.
pub struct Naive {
    pub(super) plan: MemoryPlan,
    pub(super) floor: Vec<Heard>,
    pub(super) said: Vec<Statement>,
    pub(super) round_from: usize,
    pub(super) seats: [NaiveSeat; SEATS],
}

/// Something on the floor.
pub(super) struct Heard {
    pub(super) number: usize,
    pub(super) event: FloorEvent,
    pub(super) length: u64,
    pub(super) tokens: u64,
    /// What the public history counts of it.
    pub(super) public: u64,
    /// The words of a statement, as far as memories keep it.
    pub(super) words: Vec<String>,
    /// Whether it is a statement that bears a mark which is pinned.
    pub(super) is_pinned: bool,
}

#[derive(Default)]
pub(super) struct NaiveSeat {
    pub(super) pinned: Vec<(u64, u64)>,
    /// Those that were marked, by their positions among these, with the phase of what was said.
    pub(super) marked: Vec<(usize, usize)>,
    /// How many of these are exhibits: the first.
    pub(super) exhibits: usize,
    pub(super) entries: Vec<NaiveEntry>,
    pub(super) summaries: Vec<NaiveSummary>,
    /// What nothing has replaced.
    pub(super) summaries_from: usize,
    pub(super) entries_from: usize,
    pub(super) floor_from: usize,
    /// Before which remark everything was forgotten because it was told to.
    pub(super) forgotten: usize,
    /// What of single phases was forgotten because it was told to.
    pub(super) lost: BTreeSet<Thing>,
    pub(super) waiting: Vec<Seq>,
    pub(super) heard: u64,
    pub(super) skipped: usize,
    pub(super) allowance: Option<u64>,
    pub(super) writing: Option<u64>,
    pub(super) is_bare: bool,
    pub(super) is_demanded: bool,
    pub(super) failed_at: Option<(usize, usize)>,
}

pub(super) struct NaiveEntry {
    pub(super) number: usize,
    pub(super) place: usize,
    pub(super) kind: EntryKind,
    pub(super) length: u64,
    pub(super) tokens: u64,
    pub(super) stands_for: BTreeSet<Thing>,
}

#[derive(Clone)]
pub(super) struct NaiveSummary {
    pub(super) length: u64,
    pub(super) tokens: u64,
    pub(super) is_written: bool,
    /// The remarks and entries that its writer had before it, or that others had of which it was written.
    pub(super) stands_for: BTreeSet<Thing>,
}

/// One thing a memory may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Thing {
    Summary(usize),
    Remark(usize),
    Own(usize),
}

impl Naive {
    pub fn new(plan: MemoryPlan) -> Self {
        Self { plan, floor: Vec::new(), said: Vec::new(), round_from: 0, seats: Default::default() }
    }

    pub fn happen(&mut self, number: usize, happening: &Happening) {
        if number.is_multiple_of(PHASE) {
            self.round_from = self.floor.len();
        }
        match happening {
            Happening::Said(saying) => self.say(number, saying),
            Happening::Exhibited { to: None, text } => {
                let (event, length, tokens) = (FloorEvent::Exhibit, chars(text), self.tokens(text));
                self.floor.push(Heard {
                    number,
                    event,
                    length,
                    tokens,
                    public: 0,
                    words: Vec::new(),
                    is_pinned: false,
                });
            }
            Happening::Exhibited { to: Some(seat), text } => {
                self.keep(*seat, number, EntryKind::Exhibit, text);
                self.seats[*seat].exhibits += 1;
            }
            Happening::Announced { event, text } => self.announce(number, *event, text),
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
            Happening::Halved { seat } => self.halve(*seat),
            Happening::HalvedShort { seat } => match self.told_short(*seat) {
                Some((_, words)) if chars(&words) > RENDERED_LIMIT_MIN => self.allow(*seat, chars(&words) / 2),
                Some(_) => self.seats[*seat].is_bare = true,
                None => self.halve(*seat),
            },
            Happening::HalvedOldest { seat } => {
                if let Some(oldest) = self.oldest(*seat) {
                    let chars_max = self.pinned(*seat) + (self.length(*seat, &oldest) / 2).max(RENDERED_LIMIT_MIN);
                    let own = &mut self.seats[*seat];
                    own.writing = Some(own.writing.map_or(chars_max, |before| before.min(chars_max)));
                }
            }
            Happening::Answered { seat } => self.seats[*seat].is_bare = false,
            Happening::Demanded { seat } => {
                self.seats[*seat].is_demanded = true;
                self.seats[*seat].is_demanded = self.compression_due(*seat).is_some();
            }
            Happening::Marked { seat, of } => self.mark(*seat, *of),
            Happening::Forgot { seat } => {
                self.unmark(*seat, |_| true);
                let floor = self.floor.len();
                let own = &mut self.seats[*seat];
                (own.floor_from, own.entries_from) = (floor, own.entries.len());
                own.summaries_from = own.summaries.len();
                own.forgotten = floor;
            }
            Happening::ForgotPhase { seat, phase } => {
                self.unmark(*seat, |of| of == *phase);
                self.forget_phase(*seat, *phase);
            }
            Happening::RoundBegan => self.round_from = self.floor.len(),
        }
    }

    fn announce(&mut self, number: usize, event: FloorEvent, text: &str) {
        let limit = self.plan.memory_character_limit;
        let line = |kept: &str| format!("[FACILITATOR] {kept}");
        let heard = self.heard(number, event, (chars("[FACILITATOR] "), limit, u32::MAX), text, line);
        self.floor.push(heard);
    }

    fn say(&mut self, number: usize, saying: &Saying) {
        let Saying { speaker, text, stance, .. } = saying;
        let frame = frame(self.plan.guidance_style, number, *speaker, *stance);
        let max = if self.plan.enable_truncation { self.plan.statement_max_length } else { u32::MAX };
        // The public history has one rendering, and keeps of a text what it has room for itself.
        let public_frame = chars(&format!("{} (#{}.{}) said: \"\"", OWN_NAMES[*speaker], number / 7, number % 7 + 1));
        let public_max = max.min((self.plan.public_history_max_length - public_frame) as u32);
        let public = match self.plan.policy {
            MemoryPolicy::Full => chars(text),
            _ => chars(&truncated(text, public_max)),
        };
        let limit = self.plan.memory_character_limit;
        let style = self.plan.guidance_style;
        let line = |kept: &str| match style {
            GuidanceStyle::Narrative => format!("{}{}\"", &frame[..frame.len() - 1], quoted(kept, style)),
            GuidanceStyle::Structured => format!("{frame}{}", quoted(kept, style)),
        };
        let heard = self.heard(number, FloorEvent::Statement, (chars(&frame), limit, public_max), text, line);
        let marked = |sign: Sign| [Marked { sign, names: Named::Nothing, of: None, ignored: None }];
        let bears = |sign: Sign| {
            saying.marks.iter().any(|(other, _)| *other == sign) && self.plan.pin.hold_marks(&marked(sign))
        };
        let is_pinned = self.plan.policy != MemoryPolicy::None
            && self.plan.routing.statement != Strategy::Skip
            && (bears(Sign::Proposal) || bears(Sign::Decision));
        let heard = Heard { public: public_frame + public, is_pinned, ..heard };
        self.said.push(Statement { number, place: self.floor.len(), saying: saying.clone() });
        self.floor.push(heard);
    }

    /// What was said in a happening is pinned for a seat, if anything was.
    fn mark(&mut self, seat: usize, of: usize) {
        let is_it = |heard: &&Heard| heard.number == of && heard.event == FloorEvent::Statement;
        let Some(heard) = self.floor.iter().find(is_it) else { return };
        let (length, tokens) = (chars("[FACILITATOR] ") + heard.length, 5 + heard.tokens);
        let own = &mut self.seats[seat];
        own.heard += length;
        own.marked.push((own.pinned.len(), phase_of(of)));
        own.pinned.push((length, tokens));
    }

    /// What was marked of these phases is forgotten, too.
    fn unmark(&mut self, seat: usize, is_of: impl Fn(usize) -> bool) {
        let own = &mut self.seats[seat];
        let lost: Vec<usize> = own.marked.iter().filter(|(_, phase)| is_of(*phase)).map(|(place, _)| *place).collect();
        let kept: Vec<usize> = (0..own.pinned.len()).filter(|place| !lost.contains(place)).collect();
        own.marked.retain(|(place, _)| !lost.contains(place));
        for (place, _) in &mut own.marked {
            *place = kept.iter().position(|other| other == place).expect("it is kept");
        }
        own.pinned = kept.iter().map(|place| own.pinned[*place]).collect();
        own.skipped += lost.len();
    }

    /// What was heard and kept in a phase, and all that was written of any of it.
    fn forget_phase(&mut self, seat: usize, phase: usize) {
        let remarks = (0..self.floor.len()).filter(|place| phase_of(self.floor[*place].number) == phase);
        let remarks: Vec<usize> = remarks.collect();
        let kept: BTreeSet<Thing> = remarks
            .iter()
            .filter(|place| self.is_kept(&self.floor[**place]))
            .map(|place| Thing::Remark(*place))
            .collect();
        let own = &mut self.seats[seat];
        let entries = (0..own.entries.len()).filter(|entry| phase_of(own.entries[*entry].number) == phase);
        let of_phase: BTreeSet<Thing> = kept.into_iter().chain(entries.map(Thing::Own)).collect();
        let texts = (0..own.entries.len()).filter(|entry| !own.entries[*entry].stands_for.is_disjoint(&of_phase));
        let summaries =
            (0..own.summaries.len()).filter(|place| !own.summaries[*place].stands_for.is_disjoint(&of_phase));
        let lost: Vec<Thing> = texts.map(Thing::Own).chain(summaries.map(Thing::Summary)).collect();
        own.lost.extend(remarks.into_iter().map(Thing::Remark).chain(lost).chain(of_phase));
    }

    /// These remarks and entries, and what the texts among them stand for.
    fn standing_for(&self, seat: usize, things: &[Thing]) -> BTreeSet<Thing> {
        let own = &self.seats[seat];
        let mut all = BTreeSet::new();
        for thing in things {
            match thing {
                Thing::Summary(place) => all.extend(&own.summaries[*place].stands_for),
                Thing::Own(entry) => all.extend(own.entries[*entry].stands_for.iter().chain([thing])),
                Thing::Remark(_) => {
                    all.insert(*thing);
                }
            }
        }
        all
    }

    /// Half of what is shown, or only what is pinned.
    fn halve(&mut self, seat: usize) {
        let shown = self.length_shown(seat);
        match shown > RENDERED_LIMIT_MIN || self.told(seat).is_some() {
            true => self.allow(seat, shown / 2),
            false => self.seats[seat].is_bare = true,
        }
    }

    fn allow(&mut self, seat: usize, length: u64) {
        let chars_max = self.pinned(seat) + length.max(RENDERED_LIMIT_MIN);
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
        Heard {
            number,
            event,
            length: frame + chars(&kept),
            tokens,
            public: 0,
            words: words_of(&kept),
            is_pinned: false,
        }
    }

    pub(super) fn tokens(&self, line: &str) -> u64 {
        tokens_at_most(line) + 2
    }

    fn keep(&mut self, seat: usize, number: usize, kind: EntryKind, text: &str) {
        let plan = self.plan;
        if plan.routing.of_entry(kind) == Strategy::Integrated {
            self.seats[seat].waiting.push(Seq(number as u64));
        }
        let mut max = plan.memory_character_limit as u32;
        let before = if kind == EntryKind::OwnReasoning { "You thought: " } else { "" };
        max -= chars(before) as u32;
        if kind == EntryKind::OwnReasoning && plan.enable_truncation {
            max = max.min(plan.reasoning_max_length);
        }
        let whole = self.pins(kind) || plan.policy == MemoryPolicy::Full;
        let kept = before.to_owned() + &if whole { text.to_owned() } else { truncated(text, max) };
        let (length, tokens, is_pinned) = (chars(&kept), self.tokens(&kept), self.pins(kind));
        let place = self.floor.len();
        let own = &mut self.seats[seat];
        own.heard += if kind == EntryKind::Rewritten { 0 } else { length };
        match plan.routing.of_entry(kind) {
            Strategy::Skip => own.skipped += 1,
            _ if is_pinned => own.pinned.push((length, tokens)),
            _ => own.entries.push(NaiveEntry { number, place, kind, length, tokens, stands_for: BTreeSet::new() }),
        }
    }

    fn pins(&self, kind: EntryKind) -> bool {
        matches!(kind, EntryKind::Results | EntryKind::Instruction | EntryKind::Exhibit)
            || self.plan.pin.hold_entry(kind)
    }

    fn rewrite(&mut self, seat: usize, number: usize, why: Rewriting, text: &str) {
        let oldest = self.oldest(seat);
        let mut text = text.strip_prefix("[MEMORY] ").unwrap_or(text).to_owned();
        if self.plan.policy.rewrites() {
            if let MemoryPolicy::Digest(digest) = self.plan.policy {
                first_words(&text.clone(), digest.words).apply(&mut text);
            }
            abridge(&text.clone(), self.writable(seat)).apply(&mut text);
        }
        let text = format!("[MEMORY] {text}");
        self.seats[seat].waiting.clear();
        match (why, oldest) {
            (Rewriting::Compression, Some(oldest)) => self.replace(seat, (chars(&text), self.tokens(&text)), &oldest),
            (Rewriting::Integration, _) if self.plan.policy == MemoryPolicy::Selective => {
                let stands_for = self.standing_for(seat, &self.in_hand(seat));
                let own = &mut self.seats[seat];
                (own.summaries_from, own.entries_from) = (own.summaries.len(), own.entries.len());
                self.keep(seat, number, EntryKind::Rewritten, &text);
                self.seats[seat].entries.last_mut().expect("it was kept").stands_for = stands_for;
            }
            _ => self.keep(seat, number, EntryKind::Rewritten, &text),
        }
    }

    fn replace(&mut self, seat: usize, (length, tokens): (u64, u64), oldest: &[Thing]) {
        let stays = self.staying(seat, length, oldest);
        let stands_for = self.standing_for(seat, oldest);
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
        own.summaries.push(NaiveSummary { length, tokens, is_written: true, stands_for });
        own.summaries.extend(stays);
        if self.oldest(seat).is_none() {
            self.seats[seat].is_demanded = false;
        }
    }

    fn staying(&self, seat: usize, length: u64, oldest: &[Thing]) -> Vec<NaiveSummary> {
        let MemoryPolicy::Compact(compact) = self.plan.policy else { return Vec::new() };
        if self.plan.reinject == EventKinds::default() {
            return Vec::new();
        }
        let own = &self.seats[seat];
        let mut stays: Vec<(Option<usize>, u64, u64, BTreeSet<Thing>)> = Vec::new();
        for thing in oldest {
            match thing {
                Thing::Summary(place) if !own.summaries[*place].is_written => {
                    let summary = &own.summaries[*place];
                    stays.push((None, summary.length, summary.tokens, summary.stands_for.clone()));
                }
                Thing::Own(place) if self.plan.reinject.hold_entry(own.entries[*place].kind) => {
                    let entry = &own.entries[*place];
                    stays.push((Some(entry.number), entry.length, entry.tokens, [*thing].into()));
                }
                Thing::Remark(place) if self.plan.reinject.hold_remark(self.floor[*place].event) => {
                    let heard = &self.floor[*place];
                    stays.push((Some(heard.number), heard.length, heard.tokens, [*thing].into()));
                }
                _ => {}
            }
        }
        stays.sort_by_key(|(number, ..)| *number);
        let share = share(self.limit(seat), compact.threshold_ppm);
        let mut newest = Vec::new();
        let mut sum = self.pinned(seat) + length;
        for (_, length, tokens, stands_for) in stays.into_iter().rev() {
            sum += length;
            if sum > share {
                break;
            }
            newest.insert(0, NaiveSummary { length, tokens, is_written: false, stands_for });
        }
        newest
    }
}

pub(super) fn share(limit: u64, ppm: u32) -> u64 {
    (u128::from(limit) * u128::from(ppm) / 1_000_000) as u64
}

/// Words as they are quoted.
pub(super) fn quoted(text: &str, style: GuidanceStyle) -> String {
    let breaks = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    let text = text.replace(breaks, " ");
    match style {
        GuidanceStyle::Narrative => text.replace('"', "'"),
        GuidanceStyle::Structured => text.replace('|', "\u{a6}"),
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
        GuidanceStyle::Structured => {
            format!("Round: {round} | Speaker: {name}{favours} | Number: #{round}.{turn} | Statement: ")
        }
    }
}

pub(super) fn truncated(text: &str, max: u32) -> String {
    let mut kept = text.to_owned();
    truncate(text, max).apply(&mut kept);
    kept
}
