//! How seats rewrite their memories: when a rewrite is due, what the writer sees, and what the text replaces.
//!
//! A memory keeps events with the strategy `integrated` at once. At the end of the round or phase, if the policy integrates, all
//! seats with such events rewrite their own entries together; if a seat fails, its entries stay. A memory near its limit, or
//! with enough statements for a digest, is then shortened: the seat sees the oldest part that fits, and its text replaces exactly
//! this part. While a rewrite is still due, the seat rewrites the next part, numbered by the record's `turn`. Therefore no text
//! covers anything that its writer did not see, and nothing is digested twice. A seat that failed is not asked again until
//! something new is added.

use std::ops::Range;

use super::excerpt::View;
use super::guidance;
use super::hall::Hall;
use super::lapses::Coverage;
use super::notice;
use super::own::{OwnMemory, RewriteEnd};
use super::view::MemoryViewer;
use super::{Memory, RewriteReason, plan};
use crate::domain::{Brief, EntryKind, Language, OwnEntry, PhaseName, Remark, SeatId, Seq, Shown, SparedBecause};
use crate::text;

impl Memory {
    /// The first record that a seat must integrate, and the limit of its new text in characters. `None` if nothing waits or the
    /// policy does not integrate.
    pub fn integration_due(&self, seat: SeatId) -> Option<(Seq, u64)> {
        let sight = self.seat_viewer(seat);
        let first = sight.own.first_waiting(&self.floor(seat).news)?;
        self.plan(seat)
            .policy
            .terms()
            .integrates_events()
            .then(|| (first, room_to_write(&sight, self.floor(seat).language)))
    }

    /// The limit of a seat's new text in characters, if its memory must be shortened now: above the threshold, when enough
    /// statements wait for a digest, or on demand. `None` also if the seat failed and nothing was added since.
    pub fn compression_due(&self, seat: SeatId) -> Option<u64> {
        let sight = self.seat_viewer(seat);
        sight.is_due().then(|| room_to_write(&sight, self.floor(seat).language))
    }

    /// The limit of a text in words; `None` if only characters are limited.
    pub fn words_max(&self, seat: SeatId) -> Option<u32> {
        self.plan(seat).policy.terms().rewrites?.words_max
    }

    /// Why a seat would not shorten its memory on demand; `None` if it would.
    pub fn spared_reason(&self, seat: SeatId) -> Option<SparedBecause> {
        // With a demand, a rewrite may replace more than the policy alone would.
        let mut own = self.seats[seat.index()].clone();
        own.is_demanded = true;
        let (sight, now) = (MemoryViewer { own: &own, ..self.seat_viewer(seat) }, self.seat_viewer(seat));
        let Some(replaced) = sight.oldest_view(own.writing_allowance) else {
            return Some(SparedBecause::NothingToReplace);
        };
        if own.has_failed(sight.floor.len()) {
            return Some(SparedBecause::FailedBefore);
        }
        let is_short = sight.view_chars(&replaced) <= sight.rewrite_target() && !now.is_due();
        is_short.then_some(SparedBecause::ShortAlready)
    }

    /// Demands a shorter memory of a seat, regardless of the policy, unless the seat is spared.
    pub fn demand_rewrite(&mut self, seat: SeatId) {
        self.seats[seat.index()].is_demanded = self.spared_reason(seat).is_none();
    }

    /// Whether a shorter memory is demanded of a seat and there is something to shorten.
    pub fn is_demanded(&self, seat: SeatId) -> bool {
        self.seats[seat.index()].is_demanded && self.seat_viewer(seat).is_due()
    }

    /// Makes a seat forget unpinned entries: all, or those of a phase, with the texts that cover them and the phase's marked
    /// statements. The seat remembers later events of the phase, and the public history forgets nothing.
    pub fn forget_unpinned(&mut self, seat: SeatId, phase: Option<&PhaseName>) {
        let (circle, routing) = (self.circles.circle(seat), self.plan(seat).routing);
        let floor = &self.halls[circle].floor;
        let end = floor.len();
        let own = &mut self.seats[seat.index()];
        own.drop_marked(phase);
        match phase {
            Some(phase) => {
                own.forget_phase(floor, phase, routing.statement);
            }
            None => {
                own.replace_until(RewriteEnd { floor: end, own: own.len() });
                own.replace_summaries();
                own.forget_until(end);
            }
        }
        if let Some(forgotten) = self.forgotten_places(seat) {
            let Hall { floor, talks, .. } = &mut self.halls[circle];
            talks.add_version(floor, &forgotten);
        }
    }

    /// The brief for shortening a memory, and its coordinates: the oldest replaceable part that fits, and pinned entries. The
    /// normal brief if there is nothing to replace.
    pub fn recall_oldest(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        let sight = self.seat_viewer(seat);
        let view = sight.oldest_view(sight.own.writing_allowance);
        self.build_brief(seat, view.unwrap_or_else(|| sight.brief_view()), Vec::new())
    }

    /// Halves the brief for shortening a memory, as [`Memory::halve_brief`] does.
    pub fn halve_oldest(&mut self, seat: SeatId) {
        let sight = self.seat_viewer(seat);
        let Some(view) = sight.oldest_view(sight.own.writing_allowance) else { return };
        let chars_max = self.halved_limit(seat, sight.view_chars(&view));
        self.seats[seat.index()].allow_writing(chars_max);
    }

    /// Whether [`Memory::halve_oldest`] would shorten the brief for shortening a memory.
    pub fn can_halve_oldest(&self, seat: SeatId) -> bool {
        let sight = self.seat_viewer(seat);
        let Some(view) = sight.oldest_view(sight.own.writing_allowance) else { return false };
        let chars = sight.view_chars(&view);
        let halved = self.halved_limit(seat, chars).min(sight.own.writing_allowance);
        sight.oldest_view(halved).is_some_and(|less| sight.view_chars(&less) < chars)
    }

    /// Applies a rewrite: the text, marked and cut to its limit, replaces the seat's unpinned entries. After a compression it
    /// replaces exactly the part that [`Memory::recall_oldest`] showed. Nothing waits to be integrated afterwards.
    ///
    /// If there is nothing to replace, the text is a further entry.
    pub fn apply_rewrite(&mut self, seat: SeatId, mut entry: OwnEntry, why: RewriteReason) {
        assert!(entry.kind == EntryKind::Rewritten, "invariant: a rewriting is one");
        let sight = self.seat_viewer(seat);
        let (target, replaced) =
            (room_to_write(&sight, self.floor(seat).language), sight.oldest_view(sight.own.writing_allowance));
        entry.text = match self.plan(seat).policy.has_rewrites() {
            true => fit_text(&entry.text, target, self.words_max(seat)).0,
            false => notice::unlabelled_entry(&entry).to_owned(),
        };
        entry.text.insert_str(0, notice::memory_mark(self.floor(seat).language));
        self.clear_waiting(seat);
        match (why, replaced) {
            (RewriteReason::Compression, Some(view)) => self.replace_shown(seat, entry, &view),
            (RewriteReason::Integration, _) if self.plan(seat).policy.terms().integrates_events() => {
                let floor = &self.halls[self.circles.circle(seat)].floor;
                self.seats[seat.index()].replace_entries(floor);
                self.keep_entry(seat, entry);
            }
            _ => self.keep_entry(seat, entry),
        }
    }

    /// Records that a seat did not rewrite its memory. The memory stays, and nothing waits to be integrated.
    pub fn skip_rewrite(&mut self, seat: SeatId, why: RewriteReason) {
        self.clear_waiting(seat);
        if why == RewriteReason::Compression {
            let remarks = self.floor(seat).len();
            let own = &mut self.seats[seat.index()];
            own.note_failure(remarks);
            own.is_demanded = false;
        }
    }

    /// The record at which each of these summaries begins: its first statement's, or without a statement that of its last entry.
    pub(super) fn summary_starts(&self, seat: SeatId, own: &OwnMemory, summaries: Range<usize>) -> Vec<Seq> {
        let known = own.known_summaries(summaries);
        let since = known.map(|(entry, covers)| {
            let first = covers.floor.parts().find_map(|part| self.floor(seat).first_statement(part));
            let heard = || covers.floor.parts().last().map(|part| self.floor(seat).remark(part.end - 1).0.seq);
            let kept = || covers.own.parts().last().map(|part| own.entry(part.end - 1).seq);
            first.or_else(|| heard().max(kept())).unwrap_or(entry.seq)
        });
        since.collect()
    }

    fn clear_waiting(&mut self, seat: SeatId) {
        let news = self.floor(seat).news.len();
        self.seats[seat.index()].clear_waiting(news);
    }

    /// Replaces the part that the writer saw by its text, followed by the entries put back.
    fn replace_shown(&mut self, seat: SeatId, entry: OwnEntry, view: &View) {
        let stays = self.entries_put_back(seat, view, &entry);
        let adds_texts = self.plan(seat).policy.terms().adds_texts();
        let own = &mut self.seats[seat.index()];
        let covers = own.combined_coverage(view.summaries.clone(), (view.notices.clone(), view.own.clone()));
        if !adds_texts {
            own.replace_summaries();
        }
        own.replace_until(RewriteEnd { floor: view.notices.end, own: view.own.end });
        own.sum_up(entry, covers);
        stays.into_iter().for_each(|(stays, covers)| own.sum_up(stays, covers));
        let sight = self.seat_viewer(seat);
        if sight.oldest_view(sight.own.writing_allowance).is_none() {
            self.seats[seat.index()].is_demanded = false;
        }
    }

    /// The entries to put back after a rewrite: the newest of the plan's kinds for which the memory stays below the threshold.
    fn entries_put_back(&self, seat: SeatId, view: &View, summary: &OwnEntry) -> Vec<(OwnEntry, Coverage)> {
        let sight = self.seat_viewer(seat);
        let plan = self.plan(seat);
        let (kinds, terms) = (plan.reinject, plan.policy.terms());
        let threshold = terms.rewrites.and_then(|rewrites| rewrites.threshold_ppm(plan.compression_threshold_ppm));
        let Some(threshold) = threshold.filter(|_| terms.puts_entries_back() && !kinds.is_empty()) else {
            return Vec::new();
        };
        let entries = sight.own.known_entries(view.own.clone()).filter(|(_, entry)| kinds.hold_entry(entry.kind));
        let places = self.floor(seat).shown_remarks(&sight.own.lapses, (&(0..0), 0), &view.notices, 0).notices.iter();
        let heard = places.map(|place| (*place as usize, self.floor(seat).remark(*place as usize)));
        let heard = heard.filter(|(_, (_, event))| kinds.hold_remark(*event));
        let mut news: Vec<(OwnEntry, Coverage)> =
            entries.map(|(place, entry)| (entry.clone(), Coverage::of_entry(place))).collect();
        news.extend(heard.map(|(place, (remark, _))| {
            (announcement_entry(remark, summary, self.floor(seat).language), Coverage::of_remark(place))
        }));
        news.sort_by_key(|(entry, _)| entry.seq);
        let before = sight.own.known_summaries(view.summaries.clone());
        let stayed = before.filter(|(entry, _)| entry.kind != EntryKind::Rewritten);
        let mut all: Vec<_> = stayed.map(|(entry, covers)| (entry.clone(), covers.clone())).collect();
        all.append(&mut news);
        let pinned = sight.own.pinned_chars + self.floor(seat).pinned_chars();
        let share = plan::share_of_limit(sight.limit(), threshold);
        let mut left = share.saturating_sub(pinned + text::char_count(&summary.text));
        let mut newest = all.len();
        while let Some((entry, _)) = newest.checked_sub(1).map(|before| &all[before]) {
            let Some(less) = left.checked_sub(text::char_count(&entry.text)) else { break };
            (left, newest) = (less, newest - 1);
        }
        all.split_off(newest)
    }
}

/// Cuts a written text to a memory's limits. Returns the text and the number of characters cut from its end. The mark of a
/// rewritten memory, which a writer may repeat, does not count.
pub fn fit_text(written: &str, chars_max: u64, words_max: Option<u32>) -> (String, u64) {
    let written = notice::unlabelled_text(EntryKind::Rewritten, written);
    let mut text = written.to_owned();
    let mut kept = written.len();
    let by_words = words_max.map(|words_max| text::first_words(&text, words_max));
    if let Some(cut) = by_words {
        kept = cut.kept_bytes;
        cut.apply(&mut text);
    }
    let by_chars = text::abridge_text(&text, chars_max);
    kept = kept.min(by_chars.kept_bytes);
    by_chars.apply(&mut text);
    let is_cut = by_chars.is_cut || by_words.is_some_and(|cut| cut.is_cut);
    let cut_chars = if is_cut { text::char_count(&written[kept..]) } else { 0 };
    (text, cut_chars)
}

/// The limit of a written text in characters, at least 1, less the mark before it.
fn room_to_write(sight: &MemoryViewer<'_>, language: Language) -> u64 {
    sight.rewrite_target().saturating_sub(text::char_count(notice::memory_mark(language))).max(1)
}

/// An announcement as an entry to put back, in the words that were shown.
fn announcement_entry(remark: &Remark, summary: &OwnEntry, language: Language) -> OwnEntry {
    let (seq, round, phase) = (remark.seq, remark.round, summary.phase.clone());
    OwnEntry {
        seq,
        phase,
        round,
        kind: EntryKind::PutBack,
        text: guidance::announcement_text(remark, language).into_owned(),
    }
}
