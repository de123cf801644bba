//! What only one seat remembers, and where its own statements stand on the floor.

use std::ops::Range;

use super::floor::Floor;
use super::policy::Until;
use super::{MemoryPlan, Strategy};
use crate::domain::{AlternativeId, EntryKind, OwnEntry, PhaseName, Seq};
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
    /// What the seat wrote when it made its memory shorter, and what was put back then.
    summaries: Vec<OwnEntry>,
    /// Of all summaries before a position: rendered characters, and those of what the seat wrote; one entry more than
    /// `summaries`.
    summary_chars_before: Vec<[u64; 2]>,
    /// The first summary that no later one has replaced.
    summaries_from: usize,
    /// All other entries ever kept.
    entries: Vec<OwnEntry>,
    /// Of all entries before a position: rendered characters, tokens, and the characters of what the seat wrote when it rewrote
    /// its memory; one entry more than `entries`.
    before: Vec<[u64; 3]>,
    /// The remarks on the floor when each entry was kept: those that are older.
    kept_after: Vec<usize>,
    /// The first entry that nothing has replaced.
    live: usize,
    /// The first remark of the floor that nothing has replaced.
    floor_from: usize,
    /// The first remark of the floor that it has not forgotten because it was told to.
    forgotten: usize,
    /// How many of the floor's records to be integrated are dealt with.
    integrated: usize,
    /// The first of the seat's own records that waits to be integrated.
    waiting: Option<Seq>,
    /// Rendered characters of all it was given to remember, since the session began.
    heard_chars: u64,
    /// How many things of its own it was given that its memory does not keep.
    skipped: usize,
    /// Positions on the floor at which the seat declared a stance.
    declared_at: Vec<usize>,
    /// Its declared stances before the n-th of them, a row of `alternatives` entries each.
    declared_before: Vec<u32>,
    /// What the seat is shown at the most, in rendered characters, where its model could not take more.
    allowance: u64,
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
            summaries: Vec::new(),
            summary_chars_before: vec![[0; 2]],
            summaries_from: 0,
            entries: Vec::new(),
            before: vec![[0; 3]],
            kept_after: Vec::new(),
            live: 0,
            floor_from: 0,
            forgotten: 0,
            integrated: 0,
            waiting: None,
            heard_chars: 0,
            skipped: 0,
            declared_at: Vec::new(),
            declared_before: vec![0; alternatives],
            allowance: u64::MAX,
            is_demanded: false,
            failed_at: None,
        }
    }

    /// What the seat is shown at the most, in rendered characters, pinned entries counted; beside it the plan's limit holds.
    pub fn allowance(&self) -> u64 {
        self.allowance
    }

    /// From now on the seat is shown no more than this.
    pub fn allow(&mut self, chars_max: u64) {
        self.allowance = self.allowance.min(chars_max);
    }

    /// Notes that the seat's statement at this position on the floor declares a stance.
    pub fn declared(&mut self, position: usize, stance: AlternativeId) {
        let row = self.declared_before.len() - self.alternatives;
        self.declared_before.extend_from_within(row..);
        self.declared_before[row + self.alternatives + stance.index()] += 1;
        self.declared_at.push(position);
    }

    /// Keeps something after this many remarks on the floor, as its routing says.
    pub fn keep(&mut self, plan: &MemoryPlan, remarks: usize, entry: OwnEntry) {
        let (rendered, tokens) = (text::chars(&entry.text), plan.tokens(&entry.text));
        if entry.kind != EntryKind::Rewritten {
            self.heard_chars += rendered;
        }
        let routed = plan.routing.of_entry(entry.kind);
        if routed == Strategy::Skip {
            self.skipped += 1;
            return;
        }
        if routed == Strategy::Integrated {
            self.waiting.get_or_insert(entry.seq);
        }
        if plan.pins(entry.kind) {
            self.pinned_chars += rendered;
            self.pinned_tokens += tokens;
            if entry.kind == EntryKind::Exhibit {
                self.exhibits = (self.exhibits.0 + 1, self.exhibits.1 + rendered);
            }
            self.pinned.push(entry);
        } else {
            let [chars, sum, written] = self.before[self.entries.len()];
            let own = if entry.kind == EntryKind::Rewritten { rendered } else { 0 };
            self.before.push([chars + rendered, sum + tokens, written + own]);
            self.kept_after.push(remarks);
            self.entries.push(entry);
        }
    }

    /// From the next entry on all others that are not pinned are replaced, and so are the summaries.
    pub fn replace_entries(&mut self) {
        self.live = self.entries.len();
        self.summaries_from = self.summaries.len();
    }

    /// All that stands before these positions is replaced.
    pub fn replace(&mut self, until: Until) {
        self.floor_from = self.floor_from.max(until.floor);
        self.live = self.live.max(until.own);
    }

    /// What stands before this position on the floor is forgotten, and not to be found again either.
    pub fn forget(&mut self, floor: usize) {
        self.forgotten = self.forgotten.max(floor);
    }

    /// The first remark of the floor that it has not forgotten because it was told to.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// No summary counts any more.
    pub fn replace_summaries(&mut self) {
        self.summaries_from = self.summaries.len();
    }

    /// Puts something in the place of what was replaced.
    pub fn sum_up(&mut self, entry: OwnEntry) {
        let [chars, written] = self.summary_chars_before[self.summaries.len()];
        let rendered = text::chars(&entry.text);
        let own = if entry.kind == EntryKind::Rewritten { rendered } else { 0 };
        self.summary_chars_before.push([chars + rendered, written + own]);
        self.summaries.push(entry);
    }

    /// Nothing of its own waits any more, nor any of this many records of the floor.
    pub fn settle(&mut self, floor_news: usize) {
        self.waiting = None;
        self.integrated = floor_news;
    }

    /// The first record that waits to be integrated: of its own, or of the floor's.
    pub fn first_waiting(&self, floor_news: &[Seq]) -> Option<Seq> {
        self.waiting.into_iter().chain(floor_news.get(self.integrated).copied()).min()
    }

    /// A shorter memory is demanded of the seat.
    pub fn demand(&mut self) {
        self.is_demanded = true;
    }

    /// Nothing more is demanded.
    pub fn relieve(&mut self) {
        self.is_demanded = false;
    }

    /// Whether one is.
    pub fn is_demanded(&self) -> bool {
        self.is_demanded
    }

    /// It did not make its memory shorter.
    pub fn fail(&mut self, remarks: usize) {
        self.failed_at = Some((remarks, self.entries.len()));
    }

    /// Whether it failed to, and has been given nothing since.
    pub fn has_failed(&self, remarks: usize) -> bool {
        self.failed_at == Some((remarks, self.entries.len()))
    }

    /// Rendered characters of what the seat wrote itself, among summaries and entries of these positions.
    pub fn rewritten_chars(&self, summaries: Range<usize>, entries: Range<usize>) -> u64 {
        let summed_up = |place: usize| self.summary_chars_before[place][1];
        let rewritten = |place: usize| self.before[place][2];
        summed_up(summaries.end) - summed_up(summaries.start) + rewritten(entries.end) - rewritten(entries.start)
    }

    pub fn pinned(&self) -> &[OwnEntry] {
        &self.pinned
    }

    pub fn pinned_chars(&self) -> u64 {
        self.pinned_chars
    }

    pub fn pinned_tokens(&self) -> u64 {
        self.pinned_tokens
    }

    /// How many of the pinned are exhibits, which were handed out before all else, and their rendered characters.
    pub fn exhibits(&self) -> (usize, u64) {
        self.exhibits
    }

    /// How many things of its own it was given that its memory does not keep.
    pub fn skipped(&self) -> usize {
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

    pub fn summaries(&self, range: Range<usize>) -> &[OwnEntry] {
        &self.summaries[range]
    }

    /// Rendered characters of the summaries from a position to the end.
    pub fn summary_chars(&self, from: usize) -> u64 {
        self.summary_chars_before[self.summaries.len()][0] - self.summary_chars_before[from][0]
    }

    /// How many entries that are not pinned were ever kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The first entry that nothing has replaced.
    pub fn live(&self) -> usize {
        self.live
    }

    /// The first remark of the floor that nothing has replaced.
    pub fn floor_from(&self) -> usize {
        self.floor_from
    }

    pub fn entries(&self, range: Range<usize>) -> &[OwnEntry] {
        &self.entries[range]
    }

    /// Rendered characters of the entries between two positions.
    pub fn chars(&self, range: Range<usize>) -> u64 {
        self.before[range.end][0] - self.before[range.start][0]
    }

    /// Tokens of the entries from a position to the end.
    pub fn tokens(&self, from: usize) -> u64 {
        self.before[self.entries.len()][1] - self.before[from][1]
    }

    /// Rendered characters of all it was given to remember; what it wrote when it rewrote its memory is no news.
    pub fn heard_chars(&self) -> u64 {
        self.heard_chars
    }

    /// Where an entry stands on the floor: before the remark of that position. `None` past the last entry.
    pub fn place(&self, entry: usize) -> Option<usize> {
        self.kept_after.get(entry).copied()
    }

    /// How many entries were kept before the remark of this position was heard, and not while it was waited for.
    pub fn before(&self, place: usize) -> usize {
        self.kept_after.partition_point(|after| *after < place)
    }

    /// Up to which entry a memory is replaced whose floor is replaced up to a position: what was kept before the turn of that
    /// position, and everything at the end of the floor.
    pub fn kept_until(&self, floor: &Floor, place: usize) -> usize {
        let until = if place == floor.len() { self.entries.len() } else { self.before(place) };
        until.max(self.live)
    }

    /// How many entries were kept up to the end of a phase that ended before the remark of a position.
    pub fn kept_in(&self, place: usize, phase: &PhaseName) -> usize {
        let before = self.before(place);
        before + self.entries[before..].iter().take_while(|entry| entry.phase == *phase).count()
    }

    /// The seat's own declared stances before a position on the floor, one entry an alternative.
    pub fn stances(&self, before: usize) -> &[u32] {
        let n = self.declared_at.partition_point(|&position| position < before);
        &self.declared_before[n * self.alternatives..(n + 1) * self.alternatives]
    }
}
