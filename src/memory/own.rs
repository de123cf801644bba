//! What only one seat remembers, and where its own statements stand on the floor.

use std::ops::Range;

use super::floor::Floor;
use super::lapses::{Coverage, Lapses};
use super::policy::RewriteEnd;
use super::{MemoryPlan, Strategy, plan};
use crate::domain::{AlternativeId, EntryKind, OwnEntry, PhaseName, Ranges, Seq, Stretch};
use crate::text;

/// The private memory of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnMemory {
    alternatives: usize,
    /// What is never dropped nor replaced.
    pinned: Vec<OwnEntry>,
    pinned_chars: u64,
    pinned_tokens: u64,
    /// How many of these are exhibits, and their rendered characters.
    exhibits: (usize, u64),
    exhibit_tokens: u64,
    /// What the seat wrote when it made its memory shorter, and what was put back then.
    summaries: Vec<OwnEntry>,
    /// Rendered characters of all summaries before a position; one entry more than `summaries`.
    summary_chars_before: Vec<u64>,
    /// What each summary stands for.
    summaries_cover: Vec<Coverage>,
    /// The same of their tokens.
    summary_tokens_before: Vec<u64>,
    /// The first summary that no later one has replaced.
    summaries_from: usize,
    /// All other entries ever kept.
    entries: Vec<OwnEntry>,
    /// Of all entries before a position: rendered characters and tokens; one entry more than `entries`.
    before: Vec<[u64; 2]>,
    /// The remarks on the floor when each entry was kept: those that are older.
    kept_after: Vec<usize>,
    /// The first entry that nothing has replaced.
    live: usize,
    /// The first remark of the floor that nothing has replaced.
    floor_from: usize,
    /// The first remark of the floor since it was told to forget everything.
    forgotten: usize,
    /// What it was told to forget of single phases.
    lapses: Lapses,
    /// The entries that stand for others, by their positions, and what they stand for.
    entries_cover: Vec<(usize, Coverage)>,
    /// How many of the floor's records to be integrated are dealt with.
    integrated: usize,
    /// The first of the seat's own records that waits to be integrated.
    waiting: Option<Seq>,
    /// How many things of its own it was given that its memory does not keep, or keeps no more.
    skipped: usize,
    /// Positions on the floor at which the seat declared a stance.
    declared_at: Vec<usize>,
    /// Its declared stances before the n-th of them, a row of `alternatives` entries each.
    declared_before: Vec<u32>,
    /// What the seat is shown at the most, in rendered characters, where its model could not take more.
    allowance: u64,
    /// The same of what it is shown to make its memory shorter: another model may write that.
    writing: u64,
    /// Whether it is shown what is pinned and nothing else, until it has answered.
    is_bare: bool,
    /// Whether a shorter memory is demanded of it, whatever the policy says.
    is_demanded: bool,
    /// Remarks and entries when it last failed to make its memory shorter.
    failed_at: Option<(usize, usize)>,
}

impl OwnMemory {
    pub fn new(alternatives: usize) -> Self {
        Self {
            alternatives,
            pinned: Vec::new(),
            pinned_chars: 0,
            pinned_tokens: 0,
            exhibits: (0, 0),
            exhibit_tokens: 0,
            summaries: Vec::new(),
            summary_chars_before: vec![0],
            summaries_cover: Vec::new(),
            summary_tokens_before: vec![0],
            summaries_from: 0,
            entries: Vec::new(),
            before: vec![[0; 2]],
            kept_after: Vec::new(),
            live: 0,
            floor_from: 0,
            forgotten: 0,
            lapses: Lapses::default(),
            entries_cover: Vec::new(),
            integrated: 0,
            waiting: None,
            skipped: 0,
            declared_at: Vec::new(),
            declared_before: vec![0; alternatives],
            allowance: u64::MAX,
            writing: u64::MAX,
            is_bare: false,
            is_demanded: false,
            failed_at: None,
        }
    }

    /// What the seat is shown at the most, in rendered characters, pinned entries counted; beside it the plan's limit holds.
    pub fn allowance(&self) -> u64 {
        self.allowance
    }

    /// From now on the seat is shown no more than this.
    pub fn limit_allowance(&mut self, chars_max: u64) {
        self.allowance = self.allowance.min(chars_max);
    }

    /// What the seat is shown at the most to make its memory shorter, in rendered characters, pinned entries counted.
    pub fn writing_allowance(&self) -> u64 {
        self.writing
    }

    /// From now on the seat is shown no more than this to make its memory shorter.
    pub fn allow_writing(&mut self, chars_max: u64) {
        self.writing = self.writing.min(chars_max);
    }

    /// Until [`OwnMemory::restore`] the seat is shown what is pinned and nothing else.
    pub fn set_bare(&mut self) {
        self.is_bare = true;
    }

    /// The seat is shown as much as before.
    pub fn clear_bare(&mut self) {
        self.is_bare = false;
    }

    /// Whether it is shown what is pinned and nothing else.
    pub fn is_bare(&self) -> bool {
        self.is_bare
    }

    /// Notes that the seat's statement at this position on the floor declares a stance.
    pub fn note_stance(&mut self, position: usize, stance: AlternativeId) {
        let row = self.declared_before.len() - self.alternatives;
        self.declared_before.extend_from_within(row..);
        self.declared_before[row + self.alternatives + stance.index()] += 1;
        self.declared_at.push(position);
    }

    /// Keeps something after this many remarks on the floor, as its routing says.
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
            self.pinned_chars += rendered;
            self.pinned_tokens += tokens;
            if entry.kind == EntryKind::Exhibit {
                self.exhibits = (self.exhibits.0 + 1, self.exhibits.1 + rendered);
                self.exhibit_tokens += tokens;
            }
            self.pinned.push(entry);
        } else {
            let [chars, sum] = self.before[self.entries.len()];
            self.before.push([chars + rendered, sum + tokens]);
            self.kept_after.push(remarks);
            self.entries.push(entry);
        }
    }

    /// The next entry takes the place of all others that are not pinned, and of the summaries. It stands for all that the memory held,
    /// with what was heard.
    pub fn replace_entries(&mut self, floor: &Floor) {
        let held = (self.floor_from..floor.len(), self.live..self.entries.len());
        let covers = self.combined_coverage(self.summaries_from..self.summaries.len(), held);
        self.live = self.entries.len();
        self.summaries_from = self.summaries.len();
        self.entries_cover.push((self.live, covers));
    }

    /// What a text stands for that is written of these summaries, remarks and entries: for these, and for what they stand for.
    pub fn combined_coverage(&self, summaries: Range<usize>, (floor, own): (Range<usize>, Range<usize>)) -> Coverage {
        let mut covers =
            Coverage { floor: self.lapses.floor.gaps_in(floor), own: self.lapses.own.gaps_in(own.clone()) };
        self.known_summaries(summaries).for_each(|(_, other)| covers.add_coverage(other));
        let first = self.entries_cover.partition_point(|(place, _)| *place < own.start);
        let texts = self.entries_cover[first..].iter().take_while(|(place, _)| own.contains(place));
        texts.filter(|(place, _)| !self.lapses.own.holds(*place)).for_each(|(_, other)| covers.add_coverage(other));
        covers
    }

    /// All that stands before these positions is replaced.
    pub fn replace_until(&mut self, until: RewriteEnd) {
        self.floor_from = self.floor_from.max(until.floor);
        self.live = self.live.max(until.own);
    }

    /// What stands before this position on the floor is forgotten, and not to be found again either.
    pub fn forget_until(&mut self, floor: usize) {
        self.forgotten = self.forgotten.max(floor);
    }

    /// What was heard and kept in a phase is forgotten, and whatever stands for any of it.
    pub fn forget_phase(&mut self, floor: &Floor, phase: &PhaseName, statements: Strategy) {
        let remarks = floor.of_phase(phase);
        let mut own = Ranges::default();
        let entries = self.entries.iter().enumerate().filter(|(_, entry)| entry.phase == *phase);
        entries.for_each(|(place, _)| own.add(place..place + 1));
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

    /// What was marked of a phase, or of all of them, goes with what is forgotten of it.
    pub fn drop_marked(&mut self, phase: Option<&PhaseName>) {
        let is_lost =
            |entry: &OwnEntry| entry.kind == EntryKind::Marked && phase.is_none_or(|phase| entry.phase == *phase);
        let (lost, kept) = std::mem::take(&mut self.pinned).into_iter().partition::<Vec<_>, _>(is_lost);
        self.pinned = kept;
        for entry in lost {
            self.pinned_chars -= text::char_count(&entry.text);
            self.pinned_tokens -= plan::entry_tokens(&entry.text);
            self.skipped += 1;
        }
    }

    /// The first remark of the floor since it was told to forget everything.
    pub fn forgotten_until(&self) -> usize {
        self.forgotten
    }

    /// What it was told to forget of single phases.
    pub fn lapses(&self) -> &Lapses {
        &self.lapses
    }

    /// No summary counts any more.
    pub fn replace_summaries(&mut self) {
        self.summaries_from = self.summaries.len();
    }

    /// Puts something in the place of what was replaced, and notes what it stands for.
    pub fn sum_up(&mut self, entry: OwnEntry, covers: Coverage) {
        self.summary_chars_before.push(self.summary_chars_before[self.summaries.len()] + text::char_count(&entry.text));
        let tokens = self.summary_tokens_before[self.summaries.len()] + plan::entry_tokens(&entry.text);
        self.summary_tokens_before.push(tokens);
        self.summaries.push(entry);
        self.summaries_cover.push(covers);
    }

    /// Nothing of its own waits any more, nor any of this many records of the floor.
    pub fn clear_waiting(&mut self, floor_news: usize) {
        self.waiting = None;
        self.integrated = floor_news;
    }

    /// The first record that waits to be integrated: of its own, or of the floor's.
    pub fn first_waiting(&self, floor_news: &[Seq]) -> Option<Seq> {
        self.waiting.into_iter().chain(floor_news.get(self.integrated).copied()).min()
    }

    /// A shorter memory is demanded of the seat.
    pub fn demand_rewrite(&mut self) {
        self.is_demanded = true;
    }

    /// Nothing more is demanded.
    pub fn clear_demand(&mut self) {
        self.is_demanded = false;
    }

    /// Whether one is.
    pub fn is_demanded(&self) -> bool {
        self.is_demanded
    }

    /// It did not make its memory shorter.
    pub fn note_failure(&mut self, remarks: usize) {
        self.failed_at = Some((remarks, self.entries.len()));
    }

    /// Whether it failed to, and has been given nothing since.
    pub fn has_failed(&self, remarks: usize) -> bool {
        self.failed_at == Some((remarks, self.entries.len()))
    }

    pub fn pinned_entries(&self) -> &[OwnEntry] {
        &self.pinned
    }

    pub fn pinned_chars(&self) -> u64 {
        self.pinned_chars
    }

    pub fn pinned_tokens(&self) -> u64 {
        self.pinned_tokens
    }

    /// How many of the pinned are exhibits, which were handed out before all else, and their rendered characters.
    pub fn exhibit_totals(&self) -> (usize, u64) {
        self.exhibits
    }

    /// How many things of its own it was given that its memory does not keep.
    pub fn skipped_count(&self) -> usize {
        self.skipped
    }

    /// How many summaries there ever were.
    pub fn summaries_len(&self) -> usize {
        self.summaries.len()
    }

    /// The first summary that counts.
    pub fn summaries_from(&self) -> usize {
        self.summaries_from
    }

    /// The summaries of these positions that are not forgotten.
    pub fn summaries(&self, range: Range<usize>) -> Stretch<'_, OwnEntry> {
        self.lapses.summaries.stretch(&self.summaries, range, self.summaries.len())
    }

    /// Their rendered characters.
    pub fn summary_chars(&self, range: Range<usize>) -> u64 {
        self.lapses.summaries.rest(range, |place| self.summary_chars_before[place])
    }

    /// The summaries of these positions that are not forgotten, and what each stands for.
    pub fn known_summaries(&self, range: Range<usize>) -> impl Iterator<Item = (&OwnEntry, &Coverage)> {
        let known = range.filter(|place| !self.lapses.summaries.holds(*place));
        known.map(|place| (&self.summaries[place], &self.summaries_cover[place]))
    }

    /// The entry of a position, whether it is forgotten or not.
    pub fn entry(&self, place: usize) -> &OwnEntry {
        &self.entries[place]
    }

    /// How many entries that are not pinned were ever kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The first entry that nothing has replaced.
    pub fn entries_from(&self) -> usize {
        self.live
    }

    /// The first remark of the floor that nothing has replaced.
    pub fn floor_from(&self) -> usize {
        self.floor_from
    }

    /// The entries of these positions that are not forgotten.
    pub fn entries(&self, range: Range<usize>) -> Stretch<'_, OwnEntry> {
        self.lapses.own.stretch(&self.entries, range, self.entries.len())
    }

    /// The same, and their positions.
    pub fn known_entries(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &OwnEntry)> {
        range.filter(|place| !self.lapses.own.holds(*place)).map(|place| (place, &self.entries[place]))
    }

    /// How many these are.
    pub fn entry_count(&self, range: Range<usize>) -> usize {
        self.lapses.own.count_rest(range)
    }

    /// Their rendered characters.
    pub fn entry_chars(&self, range: Range<usize>) -> u64 {
        self.lapses.own.rest(range, |place| self.before[place][0])
    }

    /// Tokens of the entries from a position to the end that are not forgotten.
    pub fn tokens_from(&self, from: usize) -> u64 {
        self.lapses.own.rest(from..self.entries.len(), |place| self.before[place][1])
    }

    /// Tokens of the summaries of these positions, and of the entries of these, that are not forgotten.
    pub fn tokens_within(&self, summaries: Range<usize>, entries: Range<usize>) -> u64 {
        let summed_up = self.lapses.summaries.rest(summaries, |place| self.summary_tokens_before[place]);
        summed_up + self.lapses.own.rest(entries, |place| self.before[place][1])
    }

    /// Tokens of the exhibits.
    pub fn exhibit_tokens(&self) -> u64 {
        self.exhibit_tokens
    }

    /// Where an entry stands on the floor: before the remark of that position. `None` past the last entry.
    pub fn floor_place(&self, entry: usize) -> Option<usize> {
        self.kept_after.get(entry).copied()
    }

    /// How many entries were kept before the remark of this position was heard, and not while it was waited for.
    pub fn entries_before(&self, place: usize) -> usize {
        self.kept_after.partition_point(|after| *after < place)
    }

    /// Up to which entry a memory is replaced whose floor is replaced up to a position: what was kept before the turn of that
    /// position, and everything at the end of the floor.
    pub fn kept_until(&self, floor: &Floor, place: usize) -> usize {
        let until = if place == floor.len() { self.entries.len() } else { self.entries_before(place) };
        until.max(self.live)
    }

    /// The seat's own declared stances before a position on the floor, one entry an alternative.
    pub fn stances_before(&self, before: usize) -> &[u32] {
        let n = self.declared_at.partition_point(|&position| position < before);
        &self.declared_before[n * self.alternatives..(n + 1) * self.alternatives]
    }
}
