//! The private memory of one seat, and its stances on the floor.

use std::collections::BTreeSet;
use std::ops::Range;

use super::floor::Floor;
use super::lapses::{Coverage, Lapses};
use super::{MemoryPlan, Strategy, plan};
use crate::domain::{AlternativeId, EntryKind, OwnEntry, PhaseName, Ranges, Seq, Stretch};
use crate::text;

/// The private memory of one seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnMemory {
    alternatives: usize,
    /// Entries that are never dropped or replaced.
    pub pinned: Vec<OwnEntry>,
    /// The number of remarks on the floor when each of them was kept.
    pinned_after: Vec<usize>,
    /// Pinned entries of phases that the seat has forgotten.
    lapsed_pins: BTreeSet<Seq>,
    pub pinned_chars: u64,
    pub pinned_tokens: u64,
    /// The number of pinned exhibits, and their rendered characters.
    pub exhibits: (usize, u64),
    pub exhibit_tokens: u64,
    /// Texts from rewrites, and entries that rewrites put back.
    summaries: Vec<OwnEntry>,
    /// Rendered characters and tokens of all summaries before each position; one more than `summaries`.
    summaries_before: Vec<[u64; 2]>,
    /// The coverage of each summary.
    summaries_cover: Vec<Coverage>,
    /// The first summary that no later one has replaced.
    pub summaries_from: usize,
    /// All other entries ever kept.
    entries: Vec<OwnEntry>,
    /// Rendered characters and tokens of all entries before each position; one more than `entries`.
    before: Vec<[u64; 2]>,
    /// The number of remarks on the floor when each entry was kept.
    kept_after: Vec<usize>,
    /// The first entry that nothing has replaced.
    pub entries_from: usize,
    /// The first remark of the floor that nothing has replaced.
    pub floor_from: usize,
    /// The first remark of the floor after the seat forgot everything.
    pub forgotten_until: usize,
    /// Forgotten parts of single phases.
    pub lapses: Lapses,
    /// Positions of entries that cover others, and their coverage.
    entries_cover: Vec<(usize, Coverage)>,
    /// The number of the floor's records to integrate that are integrated.
    integrated: usize,
    /// The first of the seat's own records to integrate.
    waiting: Option<Seq>,
    /// The number of own entries that the memory never kept or no longer keeps.
    pub skipped: usize,
    /// Positions on the floor at which the seat declared a stance.
    declared_at: Vec<usize>,
    /// Its declared stances before each of these positions, in rows of `alternatives` entries.
    declared_before: Vec<u32>,
    /// The limit of a brief in rendered characters, after the model rejected a longer one.
    pub allowance: u64,
    /// The limit of a brief for rewriting, which another model may write.
    pub writing_allowance: u64,
    /// Whether briefs show only pinned entries until the seat answers.
    pub is_bare: bool,
    /// Whether the seat must shorten its memory regardless of the policy.
    pub is_demanded: bool,
    /// The numbers of remarks and entries at the last failed rewrite.
    failed_at: Option<(usize, usize)>,
}

/// The end of a rewrite: the part before these positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RewriteEnd {
    /// Position on the floor.
    pub floor: usize,
    /// Position among the unpinned entries.
    pub own: usize,
}

impl OwnMemory {
    pub fn new(alternatives: usize) -> Self {
        Self {
            alternatives,
            summaries_before: vec![[0; 2]],
            before: vec![[0; 2]],
            declared_before: vec![0; alternatives],
            allowance: u64::MAX,
            writing_allowance: u64::MAX,
            ..Self::default()
        }
    }

    /// Lowers the model's limit of a brief.
    pub fn limit_allowance(&mut self, chars_max: u64) {
        self.allowance = self.allowance.min(chars_max);
    }

    /// Lowers the limit of a brief for rewriting.
    pub fn allow_writing(&mut self, chars_max: u64) {
        self.writing_allowance = self.writing_allowance.min(chars_max);
    }

    /// Records a stance declared at this position on the floor.
    pub fn note_stance(&mut self, position: usize, stance: AlternativeId) {
        let row = self.declared_before.len() - self.alternatives;
        self.declared_before.extend_from_within(row..);
        self.declared_before[row + self.alternatives + stance.index()] += 1;
        self.declared_at.push(position);
    }

    /// Keeps an entry after this many remarks on the floor, according to its routing.
    pub fn keep_entry(&mut self, plan: &MemoryPlan, remarks: usize, entry: OwnEntry) {
        let (rendered, tokens) = (text::char_count(&entry.text), plan::entry_tokens(&entry.text));
        let routed = plan.routing.of_entry(entry.kind);
        if routed == Strategy::Skip {
            self.skipped += 1;
            return;
        }
        if routed == Strategy::Integrated {
            self.waiting.get_or_insert(entry.seq);
        }
        if plan.pins_entry(entry.kind) {
            self.unpin_earlier_pass(plan, &entry);
            self.pinned_chars += rendered;
            self.pinned_tokens += tokens;
            if entry.kind == EntryKind::Exhibit {
                self.exhibits = (self.exhibits.0 + 1, self.exhibits.1 + rendered);
                self.exhibit_tokens += tokens;
            }
            self.pinned.push(entry);
            self.pinned_after.push(remarks);
        } else {
            let [chars, sum] = self.before[self.entries.len()];
            self.before.push([chars + rendered, sum + tokens]);
            self.kept_after.push(remarks);
            self.entries.push(entry);
        }
    }

    /// Makes a private instruction an ordinary entry of its time once a later pass brings the same one again.
    fn unpin_earlier_pass(&mut self, plan: &MemoryPlan, newest: &OwnEntry) {
        while let Some(place) = self.pinned.iter().position(|earlier| plan.unpins_entry(earlier, newest)) {
            let entry = self.remove_pinned(place);
            let after = self.pinned_after.remove(place);
            self.insert_entry(entry, after);
        }
    }

    /// Inserts an entry that was kept after this many remarks at its place in time. No text covers it.
    fn insert_entry(&mut self, entry: OwnEntry, remarks: usize) {
        let place = self.entries.partition_point(|other| other.seq < entry.seq);
        let own = [text::char_count(&entry.text), plan::entry_tokens(&entry.text)];
        let so_far = self.before[place];
        self.before.insert(place, so_far);
        for sums in &mut self.before[place + 1..] {
            *sums = [sums[0] + own[0], sums[1] + own[1]];
        }
        self.kept_after.insert(place, remarks);
        self.entries_from += usize::from(place < self.entries_from);
        self.lapses.own.make_room_at(place);
        self.summaries_cover.iter_mut().for_each(|covers| covers.own.make_room_at(place));
        for (text, covers) in &mut self.entries_cover {
            *text += usize::from(*text >= place);
            covers.own.make_room_at(place);
        }
        if self.lapsed_pins.contains(&entry.seq) {
            self.lapses.own.add(place..place + 1);
        }
        self.entries.insert(place, entry);
    }

    fn remove_pinned(&mut self, place: usize) -> OwnEntry {
        let entry = self.pinned.remove(place);
        self.pinned_chars -= text::char_count(&entry.text);
        self.pinned_tokens -= plan::entry_tokens(&entry.text);
        entry
    }

    /// Replaces all unpinned entries and summaries by the next entry, which covers the complete memory and everything heard.
    pub fn replace_entries(&mut self, floor: &Floor) {
        let held = (self.floor_from..floor.len(), self.entries_from..self.entries.len());
        let covers = self.combined_coverage(self.summaries_from..self.summaries.len(), held);
        self.entries_from = self.entries.len();
        self.summaries_from = self.summaries.len();
        self.entries_cover.push((self.entries_from, covers));
    }

    /// The coverage of a text written from these summaries, remarks and entries, including the coverage of the texts among them.
    pub fn combined_coverage(&self, summaries: Range<usize>, (floor, own): (Range<usize>, Range<usize>)) -> Coverage {
        let mut covers =
            Coverage { floor: self.lapses.floor.gaps_in(floor), own: self.lapses.own.gaps_in(own.clone()) };
        self.known_summaries(summaries).for_each(|(_, other)| covers.add_coverage(other));
        let first = self.entries_cover.partition_point(|(place, _)| *place < own.start);
        let texts = self.entries_cover[first..].iter().take_while(|(place, _)| own.contains(place));
        texts.filter(|(place, _)| !self.lapses.own.holds(*place)).for_each(|(_, other)| covers.add_coverage(other));
        covers
    }

    /// Replaces everything before these positions.
    pub fn replace_until(&mut self, until: RewriteEnd) {
        self.floor_from = self.floor_from.max(until.floor);
        self.entries_from = self.entries_from.max(until.own);
    }

    /// Forgets everything before this position on the floor; a search does not find it either.
    pub fn forget_until(&mut self, floor: usize) {
        self.forgotten_until = self.forgotten_until.max(floor);
        self.lapsed_pins.extend(self.pinned.iter().map(|entry| entry.seq));
    }

    /// Forgets the remarks and entries of a phase, and every text that covers any of them.
    pub fn forget_phase(&mut self, floor: &Floor, phase: &PhaseName, statements: Strategy) {
        let remarks = floor.of_phase(phase);
        let mut own = Ranges::default();
        let entries = self.entries.iter().enumerate().filter(|(_, entry)| phase.covers_moment(&entry.phase));
        entries.for_each(|(place, _)| own.add(place..place + 1));
        let pins = self.pinned.iter().filter(|entry| phase.covers_moment(&entry.phase));
        self.lapsed_pins.extend(pins.map(|entry| entry.seq));
        let is_kept = |part: Range<usize>| {
            let has_notices = floor.notices_within(&Lapses::default(), part.clone()) > 0;
            has_notices || statements != Strategy::Skip && floor.statements_within(part) > 0
        };
        let is_lost = |covers: &Coverage| {
            let heard = remarks.parts().any(|part| covers.floor.within(part).any(is_kept));
            heard || own.parts().any(|part| covers.own.within(part).next().is_some())
        };
        let summaries = self.summaries_cover.iter().enumerate().filter(|(_, covers)| is_lost(covers));
        summaries.for_each(|(place, _)| self.lapses.summaries.add(place..place + 1));
        let texts = self.entries_cover.iter().filter(|(_, covers)| is_lost(covers));
        let texts: Vec<usize> = texts.map(|(place, _)| *place).collect();
        texts.into_iter().for_each(|place| own.add(place..place + 1));
        self.lapses.own.add_all(&own);
        remarks.parts().for_each(|part| self.lapses.add_remarks(floor, part));
    }

    /// Drops the marked statements of a phase, or of all phases.
    pub fn drop_marked(&mut self, phase: Option<&PhaseName>) {
        let is_lost = |entry: &OwnEntry| {
            entry.kind == EntryKind::Marked && phase.is_none_or(|phase| phase.covers_moment(&entry.phase))
        };
        while let Some(place) = self.pinned.iter().position(is_lost) {
            self.remove_pinned(place);
            self.pinned_after.remove(place);
            self.skipped += 1;
        }
    }

    /// Replaces all summaries.
    pub fn replace_summaries(&mut self) {
        self.summaries_from = self.summaries.len();
    }

    /// Adds a summary with its coverage.
    pub fn sum_up(&mut self, entry: OwnEntry, covers: Coverage) {
        let [chars, tokens] = self.summaries_before[self.summaries.len()];
        let (rendered, own_tokens) = (text::char_count(&entry.text), plan::entry_tokens(&entry.text));
        self.summaries_before.push([chars + rendered, tokens + own_tokens]);
        self.summaries.push(entry);
        self.summaries_cover.push(covers);
    }

    /// Marks all own records and this many of the floor's records as integrated.
    pub fn clear_waiting(&mut self, floor_news: usize) {
        self.waiting = None;
        self.integrated = floor_news;
    }

    /// The first own or floor record that waits to be integrated.
    pub fn first_waiting(&self, floor_news: &[Seq]) -> Option<Seq> {
        self.waiting.into_iter().chain(floor_news.get(self.integrated).copied()).min()
    }

    /// Records a failed rewrite.
    pub fn note_failure(&mut self, remarks: usize) {
        self.failed_at = Some((remarks, self.entries.len()));
    }

    /// Whether the last rewrite failed and nothing was added since.
    pub fn has_failed(&self, remarks: usize) -> bool {
        self.failed_at == Some((remarks, self.entries.len()))
    }

    /// The number of all summaries, replaced ones included.
    pub fn summaries_len(&self) -> usize {
        self.summaries.len()
    }

    /// The summaries at these positions that are not forgotten.
    pub fn summaries(&self, range: Range<usize>) -> Stretch<'_, OwnEntry> {
        self.lapses.summaries.stretch(&self.summaries, range, self.summaries.len())
    }

    /// Rendered characters of these summaries.
    pub fn summary_chars(&self, range: Range<usize>) -> u64 {
        self.lapses.summaries.rest(range, |place| self.summaries_before[place][0])
    }

    /// The summaries at these positions that are not forgotten, with their coverage.
    pub fn known_summaries(&self, range: Range<usize>) -> impl Iterator<Item = (&OwnEntry, &Coverage)> {
        let known = range.filter(|place| !self.lapses.summaries.holds(*place));
        known.map(|place| (&self.summaries[place], &self.summaries_cover[place]))
    }

    /// The entry at a position, even if forgotten.
    pub fn entry(&self, place: usize) -> &OwnEntry {
        &self.entries[place]
    }

    /// The number of unpinned entries ever kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entries at these positions that are not forgotten.
    pub fn entries(&self, range: Range<usize>) -> Stretch<'_, OwnEntry> {
        self.lapses.own.stretch(&self.entries, range, self.entries.len())
    }

    /// These entries with their positions.
    pub fn known_entries(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &OwnEntry)> {
        range.filter(|place| !self.lapses.own.holds(*place)).map(|place| (place, &self.entries[place]))
    }

    /// The number of these entries.
    pub fn entry_count(&self, range: Range<usize>) -> usize {
        self.lapses.own.count_rest(range)
    }

    /// Rendered characters of these entries.
    pub fn entry_chars(&self, range: Range<usize>) -> u64 {
        self.lapses.own.rest(range, |place| self.before[place][0])
    }

    /// Tokens of the entries from a position to the end that are not forgotten.
    pub fn tokens_from(&self, from: usize) -> u64 {
        self.lapses.own.rest(from..self.entries.len(), |place| self.before[place][1])
    }

    /// Tokens of the summaries and entries at these positions that are not forgotten.
    pub fn tokens_within(&self, summaries: Range<usize>, entries: Range<usize>) -> u64 {
        let summed_up = self.lapses.summaries.rest(summaries, |place| self.summaries_before[place][1]);
        summed_up + self.lapses.own.rest(entries, |place| self.before[place][1])
    }

    /// The floor position before which an entry was kept; `None` past the last entry.
    pub fn floor_place(&self, entry: usize) -> Option<usize> {
        self.kept_after.get(entry).copied()
    }

    /// The number of entries kept before the seats waited for the remark at this position.
    pub fn entries_before(&self, place: usize) -> usize {
        self.kept_after.partition_point(|after| *after < place)
    }

    /// The end of the entries to replace if the floor is replaced up to a position: those kept before that position's turn, or
    /// all at the end of the floor.
    pub fn kept_until(&self, floor: &Floor, place: usize) -> usize {
        let until = if place == floor.len() { self.entries.len() } else { self.entries_before(place) };
        until.max(self.entries_from)
    }

    /// The seat's own declared stances before a position on the floor, one entry per alternative.
    pub fn stances_before(&self, before: usize) -> &[u32] {
        let n = self.declared_at.partition_point(|&position| position < before);
        &self.declared_before[n * self.alternatives..(n + 1) * self.alternatives]
    }
}
