//! What the naive memory shows, and what of it is due to be rewritten.

use ekklesia::domain::{EntryKind, MemoryReport, Seq};
use ekklesia::memory::{FloorEvent, HistoryInBrief, MemoryPolicy, RENDERED_LIMIT_MIN, Strategy, Window};

use super::Seen;
use super::naive::{Heard, Naive, Thing, share};

impl Naive {
    pub(super) fn pinned(&self, seat: usize) -> u64 {
        let remarks = self.floor.iter().filter(|heard| self.is_pinned_remark(heard));
        self.seats[seat].pinned.iter().map(|(length, _)| length).sum::<u64>()
            + remarks.map(|heard| heard.length).sum::<u64>()
    }

    /// The exhibits that all are shown.
    fn exhibits(&self) -> impl Iterator<Item = &Heard> {
        self.floor.iter().filter(|heard| heard.event == FloorEvent::Exhibit)
    }

    pub(super) fn is_skipped(&self, heard: &Heard) -> bool {
        self.plan.routing.of_floor(heard.event) == Strategy::Skip
    }

    pub(super) fn is_pinned_remark(&self, heard: &Heard) -> bool {
        heard.is_pinned
            || heard.event == FloorEvent::Exhibit
            || !self.is_skipped(heard) && self.plan.pin.hold_remark(heard.event)
    }

    /// Whether memories keep it and may drop it.
    pub(super) fn is_kept(&self, heard: &Heard) -> bool {
        !self.is_skipped(heard) && !self.is_pinned_remark(heard)
    }

    pub(super) fn limit(&self, seat: usize) -> u64 {
        let limit = if self.plan.policy == MemoryPolicy::Full { u64::MAX } else { self.plan.memory_character_limit };
        limit.min(self.seats[seat].allowance.unwrap_or(u64::MAX))
    }

    pub(super) fn room(&self, seat: usize, limit: u64) -> u64 {
        limit.saturating_sub(self.pinned(seat)).max(RENDERED_LIMIT_MIN)
    }

    /// The target, less the mark of nine characters, but one character at least.
    pub(super) fn writable(&self, seat: usize) -> u64 {
        self.target(seat).max(10) - 9
    }

    pub(super) fn target(&self, seat: usize) -> u64 {
        let share_of = |chars: u64| share(chars, self.plan.compression_target_ppm);
        let least = share_of(RENDERED_LIMIT_MIN);
        share_of(self.limit(seat)).saturating_sub(self.pinned(seat) + self.told_length(seat)).max(least)
    }

    pub(super) fn statements(&self) -> Vec<usize> {
        let is_one = |heard: &Heard| heard.event == FloorEvent::Statement && !heard.is_pinned;
        (0..self.floor.len()).filter(|place| is_one(&self.floor[*place])).collect()
    }

    /// The oldest statement within the public history.
    pub(super) fn first(&self) -> usize {
        let statements = self.statements();
        let fits = |from: &usize| {
            statements[*from..].iter().map(|place| self.floor[*place].public).sum::<u64>()
                <= self.plan.public_history_max_length
        };
        let from = match self.plan.policy {
            MemoryPolicy::Full => 0,
            _ => (0..statements.len()).find(fits).unwrap_or(0),
        };
        statements.get(from).copied().unwrap_or(self.floor.len())
    }

    /// How long the public history is.
    pub fn public_chars(&self) -> u64 {
        self.floor[self.first()..].iter().filter(|heard| !heard.is_pinned).map(|heard| heard.public).sum()
    }

    /// How many statements the public history has dropped.
    pub fn dropped(&self) -> usize {
        self.statements().into_iter().filter(|place| *place < self.first()).count()
    }

    pub(super) fn length_of(&self, seat: usize, thing: &Thing) -> u64 {
        let own = &self.seats[seat];
        match thing {
            Thing::Summary(place) => own.summaries[*place].length,
            Thing::Remark(place) => self.floor[*place].length,
            Thing::Own(place) => own.entries[*place].length,
        }
    }

    pub(super) fn length(&self, seat: usize, things: &[Thing]) -> u64 {
        things.iter().map(|thing| self.length_of(seat, thing)).sum()
    }

    /// Remarks that memories keep and entries, from these on, oldest first.
    pub(super) fn chronicle(&self, seat: usize, floor_from: usize, own_from: usize) -> Vec<Thing> {
        let own = &self.seats[seat];
        let mut things = Vec::new();
        for place in 0..=self.floor.len() {
            let here = (own_from..own.entries.len()).filter(|entry| own.entries[*entry].place == place);
            things.extend(here.map(Thing::Own));
            if place >= floor_from && self.floor.get(place).is_some_and(|heard| self.is_kept(heard)) {
                things.push(Thing::Remark(place));
            }
        }
        things.retain(|thing| !own.lost.contains(thing));
        things
    }

    /// The summaries that nothing has replaced and that are not forgotten.
    fn summaries(&self, seat: usize) -> impl Iterator<Item = Thing> + '_ {
        let own = &self.seats[seat];
        let all = (own.summaries_from..own.summaries.len()).map(Thing::Summary);
        all.filter(|thing| !own.lost.contains(thing))
    }

    /// The statements that a seat was not told to forget with their phase.
    fn known_statements(&self, seat: usize) -> Vec<usize> {
        let mut statements = self.statements();
        statements.retain(|place| !self.seats[seat].lost.contains(&Thing::Remark(*place)));
        statements
    }

    /// What the policy has in hand, oldest first.
    pub(super) fn in_hand(&self, seat: usize) -> Vec<Thing> {
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
        let mut things: Vec<Thing> = self.summaries(seat).collect();
        things.extend(self.chronicle(seat, floor_from, own_from));
        things
    }

    pub(super) fn window_from(&self, seat: usize, window: Window) -> usize {
        let (own, statements) = (&self.seats[seat], self.known_statements(seat));
        let is_known = |thing: Thing| !own.lost.contains(&thing);
        match window {
            Window::Statements(most) if statements.len() <= most as usize => 0,
            Window::Statements(most) => statements[statements.len() - most as usize],
            Window::Tokens(most) => {
                let fits = |from: &usize| {
                    let remarks = self.floor.iter().enumerate();
                    let counted = remarks.filter(|(place, heard)| {
                        let counts = place >= from && is_known(Thing::Remark(*place));
                        !self.is_skipped(heard) && (counts || self.is_pinned_remark(heard))
                    });
                    let entries = own.entries.iter().enumerate().filter(|(number, _)| is_known(Thing::Own(*number)));
                    let entries = entries.map(|(_, entry)| entry).filter(|entry| entry.place >= *from);
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

    /// What fits, the oldest left out first: the newest statement and what came after it, then the texts that stand for the past,
    /// then the rest.
    pub(super) fn newest(&self, seat: usize, things: Vec<Thing>, room: u64) -> Vec<Thing> {
        let fitting = |things: &[Thing], room: u64| {
            let mut things = things.to_vec();
            while self.length(seat, &things) > room {
                things.remove(0);
            }
            things
        };
        if self.length(seat, &things) <= room {
            return things;
        }
        let (summaries, rest): (Vec<Thing>, Vec<Thing>) =
            things.into_iter().partition(|thing| matches!(thing, Thing::Summary(_)));
        let is_statement =
            |thing: &Thing| matches!(thing, Thing::Remark(place) if self.floor[*place].event == FloorEvent::Statement);
        let share = share(room, self.plan.compression_target_ppm);
        let place_of = |thing: &Thing| match thing {
            Thing::Own(entry) => self.seats[seat].entries[*entry].place,
            Thing::Remark(place) | Thing::Summary(place) => *place,
        };
        let left = match rest.iter().rfind(|thing| is_statement(thing)).map(place_of) {
            // What was kept while the statement was waited for belongs to its turn.
            Some(last) => {
                let turn: Vec<Thing> = rest.iter().filter(|thing| place_of(thing) >= last).copied().collect();
                room - self.length(seat, &fitting(&turn, room))
            }
            None => share,
        };
        let mut kept = match self.plan.policy {
            MemoryPolicy::Digest(_) => fitting(&summaries, left.min(share)),
            _ => fitting(&summaries, left),
        };
        if matches!(self.plan.policy, MemoryPolicy::Digest(_)) && self.length(seat, &kept) == 0 {
            let newest = summaries.iter().rposition(|summary| self.length_of(seat, summary) > 0);
            if let Some(newest) = newest.filter(|newest| self.length(seat, &summaries[*newest..]) <= left) {
                kept = summaries[newest..].to_vec();
            }
        }
        let rest = fitting(&rest, room - self.length(seat, &kept));
        kept.into_iter().chain(rest).collect()
    }

    pub(super) fn memory(&self, seat: usize) -> Vec<Thing> {
        self.newest(seat, self.in_hand(seat), self.room(seat, self.limit(seat)) - self.told_length(seat))
    }

    /// Where the public history beside the memory begins.
    fn history_from(&self) -> usize {
        match self.plan.history {
            HistoryInBrief::Full => self.first(),
            HistoryInBrief::CurrentRound => self.first().max(self.round_from),
            HistoryInBrief::None => self.floor.len(),
        }
    }

    /// The memory and the public history together, within what the seat's model takes.
    pub(super) fn brief(&self, seat: usize) -> Vec<Thing> {
        if self.seats[seat].is_bare {
            return Vec::new();
        }
        let memory = self.memory(seat);
        let history = self.history_from();
        let own = &self.seats[seat];
        let mut things: Vec<Thing> = (0..own.summaries.len()).map(Thing::Summary).collect();
        for place in 0..=self.floor.len() {
            let here = (0..own.entries.len()).filter(|entry| own.entries[*entry].place == place);
            things.extend(here.map(Thing::Own));
            if place < self.floor.len() {
                things.push(Thing::Remark(place));
            }
        }
        let is_history = |thing: &Thing| matches!(thing, Thing::Remark(place) if *place >= history && self.floor[*place].event == FloorEvent::Statement && !self.floor[*place].is_pinned);
        // Once a statement is shown, all later ones are, unless memories keep none.
        things.retain(|thing| memory.contains(thing) || is_history(thing));
        match own.allowance {
            Some(allowance) => self.newest(seat, things, self.room(seat, allowance) - self.told_length(seat)),
            None => things,
        }
    }

    /// Before which remark and which entry a memory is rewritten.
    pub(super) fn until(&self, seat: usize) -> Option<(usize, usize)> {
        let (own, statements) = (&self.seats[seat], self.known_statements(seat));
        let keep = match self.plan.policy {
            MemoryPolicy::Selective => 0,
            MemoryPolicy::Compact(compact) => compact.keep as usize,
            MemoryPolicy::Digest(digest) => digest.keep as usize,
            _ => return None,
        };
        let kept = statements.get(statements.len().saturating_sub(keep)).copied();
        let floor = kept.unwrap_or(self.floor.len()).max(own.floor_from);
        let entries = match kept {
            None => own.entries.len(),
            Some(kept) => own.entries.iter().take_while(|entry| entry.place < kept).count(),
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
    pub(super) fn replaceable(&self, seat: usize) -> Vec<Thing> {
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
    pub(super) fn oldest(&self, seat: usize) -> Option<Vec<Thing>> {
        let full = self.plan.policy == MemoryPolicy::Full;
        let limit = if full { u64::MAX } else { self.plan.memory_character_limit };
        let limit = limit.min(self.seats[seat].writing.unwrap_or(u64::MAX));
        let all = self.replaceable(seat);
        let mut things: Vec<Thing> = match self.plan.policy {
            MemoryPolicy::Digest(_) => Vec::new(),
            _ => self.summaries(seat).collect(),
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

    pub(super) fn seen(&self, seat: usize, things: &[Thing]) -> Seen {
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
        if self.plan.policy == MemoryPolicy::None {
            seen.pinned_remarks = self.exhibits().count();
            seen.pinned = own.exhibits;
        } else {
            seen.pinned_remarks = self.floor.iter().filter(|heard| self.is_pinned_remark(heard)).count();
            seen.pinned = own.pinned.len();
        }
        let witnessed = self.floor.len() + own.entries.len() + own.pinned.len() + own.skipped;
        let shown = seen.statements.len() + seen.notices.len() + seen.own.len() + seen.pinned_remarks + seen.pinned;
        Seen { omitted: (witnessed - shown) as u32, is_cut: self.is_cut(seat, things), ..seen }
    }

    /// Whether something that is remembered and that nothing stands for is older than what is shown of its list.
    fn is_cut(&self, seat: usize, things: &[Thing]) -> bool {
        let own = &self.seats[seat];
        let sort = |thing: &Thing| match thing {
            Thing::Summary(_) => 0,
            Thing::Own(_) => 1,
            Thing::Remark(place) if self.floor[*place].event == FloorEvent::Statement => 2,
            Thing::Remark(_) => 3,
        };
        let in_history =
            self.statements().into_iter().filter(|place| *place >= self.history_from().max(own.floor_from));
        let in_history = in_history.filter(|place| self.is_kept(&self.floor[*place])).map(Thing::Remark);
        let remembered = self.summaries(seat).chain(self.chronicle(seat, own.floor_from, own.entries_from));
        let remembered = remembered.chain(in_history);
        let is_older = |thing: &Thing| !things.iter().any(|shown| sort(shown) == sort(thing) && shown <= thing);
        self.plan.policy != MemoryPolicy::None && remembered.collect::<Vec<_>>().iter().any(is_older)
    }

    pub fn shown(&self, seat: usize) -> Seen {
        let (seen, recalled) = (self.seen(seat, &self.brief(seat)), self.recalled(seat));
        Seen { omitted: seen.omitted - recalled.len() as u32, recalled, told: self.told(seat), ..seen }
    }

    /// What is shown with a small question.
    pub fn shown_short(&self, seat: usize) -> Seen {
        match self.told_short(seat) {
            Some(told) => Seen { told: Some(told), ..self.seen(seat, &[]) },
            None => self.shown(seat),
        }
    }

    /// What is shown to be rewritten; what is shown otherwise, where nothing is.
    pub fn shown_oldest(&self, seat: usize) -> Seen {
        match self.oldest(seat) {
            // What comes after the oldest is not earlier; a digest is written without the ones before it.
            Some(things) => {
                let has_digests =
                    matches!(self.plan.policy, MemoryPolicy::Digest(_)) && self.summaries(seat).count() > 0;
                Seen { is_cut: has_digests, ..self.seen(seat, &things) }
            }
            None => Seen { told: self.told(seat), ..self.seen(seat, &self.brief(seat)) },
        }
    }

    pub fn report(&self, seat: usize) -> MemoryReport {
        let brief = self.brief(seat);
        let memory: Vec<Thing> = self.memory(seat).into_iter().filter(|thing| brief.contains(thing)).collect();
        let (seen, own) = (self.seen(seat, &memory), &self.seats[seat]);
        let exhibits = || {
            let own_exhibits = own.pinned[..own.exhibits].iter().map(|(length, _)| length);
            self.exhibits().map(|heard| heard.length).sum::<u64>() + own_exhibits.sum::<u64>()
        };
        let pinned = if self.plan.policy == MemoryPolicy::None { exhibits() } else { self.pinned(seat) };
        let is_written = |thing: &&Thing| match thing {
            Thing::Summary(place) => own.summaries[*place].is_written,
            Thing::Own(place) => own.entries[*place].kind == EntryKind::Rewritten,
            Thing::Remark(_) => false,
        };
        let written: Vec<Thing> = brief.iter().filter(is_written).copied().collect();
        let rewritten = if self.plan.policy.rewrites() { self.length(seat, &written) } else { 0 };
        MemoryReport {
            entries: (memory.len() + seen.pinned_remarks + seen.pinned) as u32,
            chars: self.length(seat, &memory) + pinned + self.told_length(seat),
            shown_chars: self.length_shown(seat) + pinned - rewritten - self.told_length(seat),
            rewritten_chars: rewritten,
            standing_chars: self.told_length(seat),
            heard_chars: self.floor.iter().map(|heard| heard.length).sum::<u64>() + own.heard,
            dropped_entries: self.shown(seat).omitted,
            tokens: memory.iter().map(|thing| self.tokens_of(seat, thing)).sum::<u64>()
                + self.pinned_tokens(seat)
                + self.told(seat).map_or(0, |(_, words)| self.tokens(&words)),
            summaries: if self.plan.policy.rewrites() { memory.iter().filter(is_written).count() as u64 } else { 0 },
        }
    }

    fn tokens_of(&self, seat: usize, thing: &Thing) -> u64 {
        let own = &self.seats[seat];
        match thing {
            Thing::Summary(place) => own.summaries[*place].tokens,
            Thing::Remark(place) => self.floor[*place].tokens,
            Thing::Own(place) => own.entries[*place].tokens,
        }
    }

    fn pinned_tokens(&self, seat: usize) -> u64 {
        let own = &self.seats[seat].pinned;
        if self.plan.policy == MemoryPolicy::None {
            let own = own[..self.seats[seat].exhibits].iter().map(|(_, tokens)| tokens);
            return self.exhibits().map(|heard| heard.tokens).sum::<u64>() + own.sum::<u64>();
        }
        let remarks = self.floor.iter().filter(|heard| self.is_pinned_remark(heard));
        remarks.map(|heard| heard.tokens).sum::<u64>() + own.iter().map(|(_, tokens)| tokens).sum::<u64>()
    }

    pub fn integration_due(&self, seat: usize) -> Option<(Seq, u64)> {
        let first = self.seats[seat].waiting.iter().min()?;
        (self.plan.policy == MemoryPolicy::Selective).then(|| (*first, self.writable(seat)))
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
        (is_possible && (is_due || own.is_demanded)).then(|| self.writable(seat))
    }
}
