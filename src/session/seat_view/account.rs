//! Follows one seat through the records, and lists what it is shown and what it is not shown at a question. It asks nobody and
//! words no question.

use std::collections::{BTreeMap, BTreeSet};

use super::sights::SeatSight;
use super::{MemoryRewrite, Omission, OmissionReason, SeatView, ShownEntry};
use crate::domain::{
    Brief, Consequence, EntryKind, Extent, Faulted, Held, OwnEntry, Record, Remark, Reply, SeatId, Seq, Step, Stretch,
};
use crate::memory::guidance::{announcement_text, kept_text, remark_line, shown_text};
use crate::memory::notice::unlabelled_entry;
use crate::memory::{Bound, HistoryInBrief, Memory, Strategy};
use crate::plan::{Phase, Plan};
use crate::session::retrace::TracedRecord;
use crate::session::witnessed::Witnessed;
use crate::session::wording::QuestionWording;
use crate::text::{char_count, join_lines};

/// What became of one seat's records.
pub(super) struct SeatAccount<'p> {
    plan: &'p Plan,
    seat: SeatId,
    records: &'p [Record],
    /// Each seat's public name when the question was put.
    public_names: Vec<String>,
    /// The seat's answers that no memory keeps, some of which may also be own records.
    unremembered: Vec<Seq>,
    /// What left its memory other than by a limit.
    gone: BTreeMap<Seq, OmissionReason>,
    /// The record that made the seat forget, and what it had in hand before. The next record shows what is left.
    forgetting: Option<(Seq, BTreeSet<Seq>)>,
    rewritings: (Vec<Seq>, Vec<Seq>),
    refusals: (Vec<Seq>, Vec<Seq>),
}

impl<'p> SeatAccount<'p> {
    pub(super) fn new(plan: &'p Plan, seat: SeatId, records: &'p [Record]) -> Self {
        Self {
            plan: plan.whole_plan(),
            seat,
            records,
            public_names: Vec::new(),
            unremembered: Vec::new(),
            gone: BTreeMap::new(),
            forgetting: None,
            rewritings: Default::default(),
            refusals: Default::default(),
        }
    }

    pub(super) fn note_record(&mut self, traced: &TracedRecord<'_>) {
        self.note_forgotten(traced.memory);
        let record = traced.record;
        let name = &self.plan.seats[self.seat.index()].name;
        let is_own = record.seat.as_ref() == Some(name);
        if let (Some(query), true) = (traced.query, is_own) {
            match &record.event {
                _ if record.reply().is_some() && record.at.step == Step::Integration => {
                    self.note_replaced(query.brief.summaries, query.brief.own, record.seq);
                    self.rewritings.0.push(record.seq);
                }
                _ if record.reply().is_some() && record.at.step == Step::Compression => {
                    self.note_replaced(query.brief.summaries, query.brief.own, record.seq);
                    let heard = droppable_remarks(&query.brief)
                        .map(|remark| (remark.seq, OmissionReason::Replaced(record.seq)));
                    self.gone.extend(heard);
                    self.rewritings.1.push(record.seq);
                }
                // A question that was not put has no reply.
                event if event.is_too_long() => match record.was_put() {
                    true => self.refusals.0.push(record.seq),
                    false => self.refusals.1.push(record.seq),
                },
                _ => {}
            }
        }
        if record.event.makes_forget() {
            self.forgetting = Some((record.seq, in_hand(traced.memory, self.seat)));
        }
        if is_own && may_be_unremembered(record) {
            self.unremembered.push(record.seq);
        }
    }

    fn note_forgotten(&mut self, memory: &Memory) {
        if let Some((by, before)) = self.forgetting.take() {
            let now = in_hand(memory, self.seat);
            self.gone.extend(before.difference(&now).map(|seq| (*seq, OmissionReason::Forgotten(by))));
        }
    }

    /// The text in the record `by` replaces these entries.
    fn note_replaced(&mut self, summaries: Stretch<'_, OwnEntry>, own: Stretch<'_, OwnEntry>, by: Seq) {
        self.gone.extend(summaries.iter().chain(own).map(|entry| (entry.seq, OmissionReason::Replaced(by))));
    }

    /// Whether the seat was just made to forget, and its losses are not known yet.
    pub(super) fn is_forgetting(&self) -> bool {
        self.forgetting.is_some()
    }

    /// What the seat is shown and not shown, as record numbers.
    pub(super) fn build_sight(
        &mut self,
        traced: &TracedRecord<'_>,
        witnessed: &Witnessed,
        brief: &Brief<'_>,
    ) -> SeatSight {
        self.note_forgotten(traced.memory);
        let mut shown: Vec<Seq> = Vec::new();
        let mut cut = Vec::new();
        for held in brief.in_order() {
            shown.extend(held.seq());
            if let Held::Heard(remark) | Held::Recalled(remark) | Held::Posted(remark) = held
                && shown_text(remark, brief).len() != remark.text.len()
            {
                cut.push(remark.seq);
            }
        }
        let mut all = shown.clone();
        all.sort_unstable();
        for seq in found_remarks(brief).map(|remark| remark.seq) {
            if let Err(place) = all.binary_search(&seq) {
                all.insert(place, seq);
                shown.push(seq);
            }
        }
        let own = || brief.summaries.iter().chain(brief.own).map(|entry| entry.seq);
        let replaced = match traced.record.at.step {
            Step::Integration => own().collect(),
            Step::Compression => own().chain(droppable_remarks(brief).map(|remark| remark.seq)).collect(),
            _ => Vec::new(),
        };
        SeatSight {
            seq: traced.record.seq,
            standing: brief.standing.as_ref().map(|told| told.extent),
            omitted: self.list_omissions(&all, brief, (traced, witnessed)),
            shown,
            cut,
            replaced,
            wording: None,
        }
    }

    pub(super) fn build_view(
        &mut self,
        (traced, witnessed): (&TracedRecord<'_>, &Witnessed),
        brief: &Brief<'_>,
        wording: QuestionWording,
    ) -> SeatView {
        self.public_names.clone_from(&witnessed.public_names);
        let memory = traced.memory;
        self.note_forgotten(memory);
        let given = traced.record.event.given();
        let is_kept = self.kept_by_memory(traced);
        let entry = |held: Held<'_>| match held {
            Held::Past(entry) | Held::Own(entry) => Some(self.own_entry(entry)),
            Held::Pinned(entry) => Some(ShownEntry { is_pinned: true, ..self.own_entry(entry) }),
            Held::Heard(remark) => {
                Some(ShownEntry { is_history: !is_kept(remark.seq), ..self.remark_entry(remark, brief) })
            }
            Held::Recalled(remark) => Some(self.remark_entry(remark, brief)),
            Held::Posted(remark) => Some(ShownEntry { is_pinned: true, ..self.remark_entry(remark, brief) }),
            Held::Standing(_) => None,
        };
        let mut entries: Vec<ShownEntry> = brief.in_order().into_iter().filter_map(entry).collect();
        entries.extend(self.found_entries(brief, &entries));
        let mut all: Vec<Seq> = entries.iter().map(|entry| entry.seq).collect();
        all.sort_unstable();
        let (dropped, dropped_chars) = memory.dropped_to(self.seat);
        let remarks = memory.remarks(self.seat).iter().enumerate();
        let statements =
            remarks.filter(|(place, remark)| remark.speaker.is_some() && !memory.is_pinned(self.seat, *place));
        let held = (statements.count() as u64).saturating_sub(u64::from(dropped));
        SeatView {
            question: traced.record.question().expect("invariant: a question was answered"),
            seq: traced.record.seq,
            wording,
            shown: given.map(|given| given.shown.clone()).unwrap_or_default(),
            standing: brief.standing.as_ref().map(|told| (told.extent, told.words.to_string())),
            omitted: self.list_omissions(&all, brief, (traced, witnessed)),
            lender: None,
            lent: self.lent_texts(memory),
            entries,
            memory: memory.report(self.seat),
            history: (held, memory.public_chars(self.seat)),
            history_dropped: (u64::from(dropped), dropped_chars),
            rewritings: self.rewritings.clone(),
            refusals: self.refusals.clone(),
            allowance: memory.allowance(self.seat),
            allowance_to_write: memory.allowance_to_write(self.seat),
            rewritten: None,
        }
    }

    /// The looked-up statements that are nowhere else in the brief, the best first.
    fn found_entries(&self, brief: &Brief<'_>, entries: &[ShownEntry]) -> Vec<ShownEntry> {
        let is_new = |remark: &&Remark| !entries.iter().any(|entry| entry.seq == remark.seq);
        let found = found_remarks(brief).filter(is_new).map(|remark| ShownEntry {
            text: self.render_remark((remark, &kept_text(remark)), brief),
            is_found: true,
            ..self.remark_entry(remark, brief)
        });
        found.collect()
    }

    /// The texts heard instead of the group's own statements.
    fn lent_texts(&self, memory: &Memory) -> BTreeMap<Seq, String> {
        let is_spoken = |remark: &&Remark| self.is_lent() && remark.speaker.is_some();
        memory.remarks(self.seat).iter().filter(is_spoken).map(|remark| (remark.seq, remark.text.to_string())).collect()
    }

    fn is_lent(&self) -> bool {
        self.plan.memory.policy.terms().is_lent
    }

    /// The group's own statements before a question that another group's statements replace.
    fn unheard_statements(&self, question: &Record) -> impl Iterator<Item = Seq> {
        let is_now = |record: &Record| {
            let at_once = |phase: &Phase| phase.name == record.at.phase && phase.kind.speaks_at_once();
            let is_same = (&record.at.phase, record.at.round, record.at.step)
                == (&question.at.phase, question.at.round, question.at.step);
            is_same && self.plan.agenda.iter().any(at_once)
        };
        let before = if self.is_lent() { &self.records[..question.seq.0 as usize] } else { &[] };
        let said = move |record: &&Record| matches!(record.reply(), Some(Reply::Statement { .. })) && !is_now(record);
        before.iter().filter(said).map(|record| record.seq)
    }

    /// Tests whether the memory's part of the brief holds a record. A brief for shortening the memory has no other part.
    fn kept_by_memory(&self, traced: &TracedRecord<'_>) -> impl Fn(Seq) -> bool + use<> {
        let is_all = traced.record.at.step == Step::Compression;
        let kept: BTreeSet<Seq> = match is_all {
            true => BTreeSet::new(),
            false => droppable_remarks(&traced.memory.memory_brief(self.seat)).map(|remark| remark.seq).collect(),
        };
        move |seq| is_all || kept.contains(&seq)
    }

    /// What the seat witnessed or answered and is not in `shown`, which must be sorted.
    fn list_omissions(
        &self,
        shown: &[Seq],
        brief: &Brief<'_>,
        (traced, witnessed): (&TracedRecord<'_>, &Witnessed),
    ) -> Vec<Omission> {
        let memory = traced.memory;
        let is_short = brief.standing.as_ref().is_some_and(|told| told.extent == Extent::Short);
        let plan = &self.plan.memory;
        let terms = plan.policy.terms();
        let is_window = matches!(terms.bound, Bound::Window { .. });
        let is_rewritten = traced.record.at.step == Step::Compression;
        let is_shown = |seq: Seq| shown.binary_search(&seq).is_ok();
        let in_hand = if is_window || is_rewritten { in_hand(memory, self.seat) } else { BTreeSet::new() };
        let dropped = memory.dropped_to(self.seat).0 as usize;
        let mut statements = 0;
        let mut omitted = Vec::new();
        let mut note = |(seq, is_lent): (Seq, bool), strategy: Strategy, is_dropped: bool| {
            let why = match self.gone.get(&seq) {
                _ if terms.keeps_nothing() => OmissionReason::Policy,
                Some(why) => *why,
                None if is_rewritten && in_hand.contains(&seq) => OmissionReason::Stays,
                None if is_dropped && plan.history != HistoryInBrief::None => OmissionReason::HistoryLimit,
                None if strategy == Strategy::Skip => OmissionReason::Routing,
                None if is_short => OmissionReason::ShortBrief,
                None if is_window && !in_hand.contains(&seq) => OmissionReason::Window,
                None => OmissionReason::MemoryLimit,
            };
            omitted.push(Omission { seq, why, is_lent });
        };
        for (place, remark) in witnessed.remarks(self.seat).iter().enumerate() {
            // The public history drops its oldest statements first.
            let is_dropped = statements < dropped && remark.speaker.is_some() && !witnessed.is_pinned(self.seat, place);
            statements += usize::from(is_dropped);
            if is_shown(remark.seq) {
                continue;
            }
            let is_lent = self.is_lent() && remark.speaker.is_some();
            note((remark.seq, is_lent), plan.routing.of_floor(remark.event), is_dropped);
        }
        for (seq, kind) in witnessed.own_records(self.seat).filter(|(seq, _)| !is_shown(*seq)) {
            note((seq, false), plan.routing.of_entry(kind), false);
        }
        let own = |seq: Seq, why: OmissionReason| Omission { seq, why, is_lent: false };
        let unremembered =
            self.unremembered.iter().filter(|seq| !is_shown(**seq) && !witnessed.is_own(self.seat, **seq));
        omitted.extend(unremembered.map(|seq| own(*seq, OmissionReason::Unremembered)));
        // The group's own statements are never heard, whether or not their replacements are shown.
        omitted.extend(self.unheard_statements(traced.record).map(|seq| own(seq, OmissionReason::Lent)));
        omitted.sort_by_key(|omitted| omitted.seq);
        omitted
    }

    fn remark_entry(&self, remark: &Remark, brief: &Brief<'_>) -> ShownEntry {
        let kept = shown_text(remark, brief);
        let cut = (kept.len() != remark.text.len()).then(|| (char_count(&kept), char_count(&remark.text)));
        let text = match remark.speaker {
            Some(speaker) if speaker == brief.seat => kept.into_owned(),
            None => announcement_text(remark, self.plan.motion_for(brief.seat).language).into_owned(),
            Some(_) => self.render_remark((remark, &kept), brief),
        };
        ShownEntry { seq: remark.seq, text, is_pinned: false, is_history: false, is_found: false, cut }
    }

    /// A remark as others read it.
    fn render_remark(&self, (remark, text): (&Remark, &str), brief: &Brief<'_>) -> String {
        let name = remark.speaker.map_or("", |seat| &self.public_names[seat.index()]);
        remark_line((remark, text), name, brief.style, self.plan.motion_for(brief.seat))
    }

    fn own_entry(&self, entry: &OwnEntry) -> ShownEntry {
        let record = &self.records[entry.seq.0 as usize];
        let kept = unlabelled_entry(entry);
        let cut = match record.reply() {
            Some(Reply::Note(text)) => {
                let text = if entry.kind == EntryKind::OwnReasoning { join_lines(&text) } else { text.to_string() };
                (text != kept).then(|| (char_count(kept), char_count(&text)))
            }
            _ => None,
        };
        let (seq, text) = (entry.seq, entry.text.clone());
        ShownEntry { seq, text, is_pinned: false, is_history: false, is_found: false, cut }
    }

    /// What a rewrite was to replace, what replaced it, and what stays, by what the seat has in hand after it. Shortening a
    /// memory also replaces remarks. A try that did not count replaces nothing, even if a later one does.
    pub(super) fn build_rewrite(&self, view: &SeatView, witnessed: &Witnessed, after: &Brief<'_>) -> MemoryRewrite {
        let is_all = view.question.at.step == Step::Compression;
        let is_own = |entry: &ShownEntry| {
            let is_summary = self.records[entry.seq.0 as usize].at.step == Step::Compression;
            is_summary || witnessed.is_own(self.seat, entry.seq)
        };
        let at_stake = |entry: &&ShownEntry| !entry.is_pinned && (is_all || is_own(entry));
        let before: Vec<ShownEntry> = view.entries.iter().filter(at_stake).cloned().collect();
        let replaced: BTreeSet<Seq> = before.iter().map(|entry| entry.seq).collect();
        let mut now: Vec<ShownEntry> = after.summaries.iter().map(|entry| self.own_entry(entry)).collect();
        let older = now.len();
        now.extend(droppable_remarks(after).map(|remark| self.remark_entry(remark, after)));
        now.extend(after.own.iter().map(|entry| self.own_entry(entry)));
        now[older..].sort_by_key(|entry| entry.seq);
        let is_new = |entry: &ShownEntry| entry.seq == view.seq || replaced.contains(&entry.seq);
        let (new, rest) = now.into_iter().partition(is_new);
        let after = if self.records[view.seq.0 as usize].event.is_faulted() { before.clone() } else { new };
        MemoryRewrite { before, after, rest }
    }
}

/// The statements that were looked up, the best first.
fn found_remarks<'a>(brief: &Brief<'a>) -> impl Iterator<Item = &'a Remark> + use<'a> {
    let (places, floor) = (brief.found.map_or(&[][..], |found| found.remarks), brief.remarks.floor);
    places.iter().map(|place| &floor[*place as usize])
}

/// The unpinned remarks of a brief, oldest first.
fn droppable_remarks<'a>(brief: &Brief<'a>) -> impl Iterator<Item = &'a Remark> + use<'a> {
    let mut remarks = brief.remarks;
    remarks.pinned = &[];
    remarks.iter()
}

/// The records of everything that a seat's memory holds before limits apply, marked statements included.
fn in_hand(memory: &Memory, seat: SeatId) -> BTreeSet<Seq> {
    let brief = memory.in_hand(seat);
    let heard = droppable_remarks(&brief).map(|remark| remark.seq);
    let marked = brief.pinned.iter().filter(|entry| entry.kind == EntryKind::Marked);
    heard.chain(brief.summaries.iter().chain(brief.own).chain(marked).map(|entry| entry.seq)).collect()
}

/// Whether an answer may be one that nobody hears and no memory keeps. A ballot that waits for its amount is not: the seat keeps
/// both together.
fn may_be_unremembered(record: &Record) -> bool {
    match record.event.faulted() {
        // A seat that does not answer a confirmation declines the vote, and all hear that.
        Some(Faulted { then: Consequence::TriesUsedUp, .. }) => record.at.step != Step::Confirmation,
        Some(_) => true,
        None if record.event.is_inquired() => true,
        None => match (record.at.step, record.reply()) {
            (Step::StrawPoll | Step::Volunteer, reply) => reply.is_some(),
            (Step::VoteCall, reply) => reply == Some(Reply::Assent(false)),
            (_, reply) => reply == Some(Reply::Pass),
        },
    }
}
