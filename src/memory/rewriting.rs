//! How seats rewrite their memories: when it is due, what they are shown for it, and what their text replaces.
//!
//! What is routed `integrated` is remembered at once. When the round or phase ends, all seats with such news are asked together
//! to rewrite their own entries, if the policy integrates; if a seat fails, its entries stay as they are. A memory that is nearly
//! full, or has enough statements for a digest, is shortened then, too: the seat is shown the oldest part that fits, and its text
//! replaces exactly that part. While more is due, the seat is asked for the next part, whose number is the record's `turn`. So no
//! text stands for what its writer did not see, and nothing is digested twice. A seat that failed is not asked again before it
//! hears something new.

use std::ops::Range;

use super::guidance;
use super::hall::Hall;
use super::lapses::Coverage;
use super::notice;
use super::own::OwnMemory;
use super::policy::RewriteEnd;
use super::view::{MemoryViewer, View};
use super::{Memory, RewriteReason, plan};
use crate::domain::{Brief, EntryKind, Language, OwnEntry, PhaseName, Remark, SeatId, Seq, Shown, SparedBecause};
use crate::text;

impl Memory {
    /// From which record on a seat has something to integrate, and how long its new text may be, in characters; `None` when
    /// nothing waits, or where the policy has nothing integrated.
    pub fn integration_due(&self, seat: SeatId) -> Option<(Seq, u64)> {
        let sight = self.seat_viewer(seat);
        let first = sight.own.first_waiting(self.floor(seat).records_to_integrate())?;
        self.plan(seat)
            .policy
            .terms()
            .integrates_events()
            .then(|| (first, room_to_write(&sight, self.floor(seat).language())))
    }

    /// How long a seat's new text may be, in characters, if its memory is to be made shorter now: when it is longer than the
    /// threshold's share of its limit, when enough statements wait for a digest, or when that was demanded. `None` also where
    /// the seat failed to do so and has been given nothing since.
    pub fn compression_due(&self, seat: SeatId) -> Option<u64> {
        let sight = self.seat_viewer(seat);
        sight.is_due().then(|| room_to_write(&sight, self.floor(seat).language()))
    }

    /// How long a text may be, in words; `None` where its characters alone are limited.
    pub fn words_max(&self, seat: SeatId) -> Option<u32> {
        self.plan(seat).policy.terms().rewrites?.words_max
    }

    /// Why a seat would not make its memory shorter if that were demanded; `None` where it would.
    pub fn spared_reason(&self, seat: SeatId) -> Option<SparedBecause> {
        // A demand may have more replaced than the policy does by itself.
        let mut own = self.seats[seat.index()].clone();
        own.demand_rewrite();
        let (sight, now) = (MemoryViewer { own: &own, ..self.seat_viewer(seat) }, self.seat_viewer(seat));
        let Some(replaced) = sight.oldest_view(own.writing_allowance()) else {
            return Some(SparedBecause::NothingToReplace);
        };
        if own.has_failed(sight.floor.len()) {
            return Some(SparedBecause::FailedBefore);
        }
        let is_short = sight.view_chars(&replaced) <= sight.rewrite_target() && !now.is_due();
        is_short.then_some(SparedBecause::ShortAlready)
    }

    /// Has a seat make its memory shorter whatever its policy says, unless it is spared.
    pub fn demand_rewrite(&mut self, seat: SeatId) {
        match self.spared_reason(seat) {
            Some(_) => self.seats[seat.index()].clear_demand(),
            None => self.seats[seat.index()].demand_rewrite(),
        }
    }

    /// Whether that was demanded of a seat and there is anything to make shorter.
    pub fn is_demanded(&self, seat: SeatId) -> bool {
        self.seats[seat.index()].is_demanded() && self.seat_viewer(seat).is_due()
    }

    /// A seat forgets what is not pinned: everything, or what was heard and kept in a phase, with what stands for any of it, and
    /// with the statements of the phase that were marked for it. What a phase brings later is remembered, and the public history
    /// forgets nothing.
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

    /// What a seat is shown to make its memory shorter, and the same as coordinates: of what is to be replaced the oldest that
    /// fits, and all that is pinned. What it is shown otherwise, where nothing is to be replaced.
    pub fn recall_oldest(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        let sight = self.seat_viewer(seat);
        let view = sight.oldest_view(sight.own.writing_allowance());
        self.build_brief(seat, view.unwrap_or_else(|| sight.brief_view()), Vec::new())
    }

    /// The same as [`Memory::halve_brief`], where too much was shown of the oldest.
    pub fn halve_oldest(&mut self, seat: SeatId) {
        let sight = self.seat_viewer(seat);
        let Some(view) = sight.oldest_view(sight.own.writing_allowance()) else { return };
        let chars_max = self.halved_limit(seat, sight.view_chars(&view));
        self.seats[seat.index()].allow_writing(chars_max);
    }

    /// Whether a seat would be shown less of the oldest after [`Memory::halve_oldest`].
    pub fn can_halve_oldest(&self, seat: SeatId) -> bool {
        let sight = self.seat_viewer(seat);
        let Some(view) = sight.oldest_view(sight.own.writing_allowance()) else { return false };
        let chars = sight.view_chars(&view);
        let halved = self.halved_limit(seat, chars).min(sight.own.writing_allowance());
        sight.oldest_view(halved).is_some_and(|less| sight.view_chars(&less) < chars)
    }

    /// A seat rewrote its memory: the text, cut to the length that was allowed and marked, takes the place of its entries that
    /// are not pinned; after a compression, of exactly what [`Memory::recall_oldest`] showed. Nothing waits to be integrated any more.
    ///
    /// Where nothing is to be replaced, it is one more entry.
    pub fn apply_rewrite(&mut self, seat: SeatId, mut entry: OwnEntry, why: RewriteReason) {
        assert!(entry.kind == EntryKind::Rewritten, "invariant: a rewriting is one");
        let sight = self.seat_viewer(seat);
        let (target, replaced) =
            (room_to_write(&sight, self.floor(seat).language()), sight.oldest_view(sight.own.writing_allowance()));
        entry.text = match self.plan(seat).policy.has_rewrites() {
            true => fit_text(&entry.text, target, self.words_max(seat)).0,
            false => notice::unlabelled_entry(&entry).to_owned(),
        };
        entry.text.insert_str(0, notice::memory_mark(self.floor(seat).language()));
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

    /// A seat did not rewrite its memory: it stays as it is, and nothing waits any more.
    pub fn skip_rewrite(&mut self, seat: SeatId, why: RewriteReason) {
        self.clear_waiting(seat);
        if why == RewriteReason::Compression {
            let remarks = self.floor(seat).len();
            let own = &mut self.seats[seat.index()];
            own.note_failure(remarks);
            own.clear_demand();
        }
    }

    /// From which record on each of these summaries counts: that of the first statement it stands for, or where it stands for
    /// none of the last thing.
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
        let news = self.floor(seat).records_to_integrate().len();
        self.seats[seat.index()].clear_waiting(news);
    }

    /// Puts a text in the place of what its writer was shown, and after it what is to stay in its own words.
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
        if sight.oldest_view(sight.own.writing_allowance()).is_none() {
            self.seats[seat.index()].clear_demand();
        }
    }

    /// Of what is replaced, what is put back: of the kinds that the plan names, the newest for as long as the memory stays
    /// below the threshold.
    fn entries_put_back(&self, seat: SeatId, view: &View, summary: &OwnEntry) -> Vec<(OwnEntry, Coverage)> {
        let sight = self.seat_viewer(seat);
        let plan = self.plan(seat);
        let (kinds, terms) = (plan.reinject, plan.policy.terms());
        let threshold = terms.rewrites.and_then(|rewrites| rewrites.threshold_ppm(plan.compression_threshold_ppm));
        let Some(threshold) = threshold.filter(|_| terms.puts_entries_back() && !kinds.is_empty()) else {
            return Vec::new();
        };
        let entries = sight.own.known_entries(view.own.clone()).filter(|(_, entry)| kinds.hold_entry(entry.kind));
        let places = self.floor(seat).shown_remarks(sight.own.lapses(), (&(0..0), 0), &view.notices, 0).notices.iter();
        let heard = places.map(|place| (*place as usize, self.floor(seat).remark(*place as usize)));
        let heard = heard.filter(|(_, (_, event))| kinds.hold_remark(*event));
        let mut news: Vec<(OwnEntry, Coverage)> =
            entries.map(|(place, entry)| (entry.clone(), Coverage::of_entry(place))).collect();
        news.extend(heard.map(|(place, (remark, _))| {
            (announcement_entry(remark, summary, self.floor(seat).language()), Coverage::of_remark(place))
        }));
        news.sort_by_key(|(entry, _)| entry.seq);
        let before = sight.own.known_summaries(view.summaries.clone());
        let stayed = before.filter(|(entry, _)| entry.kind != EntryKind::Rewritten);
        let mut all: Vec<_> = stayed.map(|(entry, covers)| (entry.clone(), covers.clone())).collect();
        all.append(&mut news);
        let pinned = sight.own.pinned_chars() + self.floor(seat).pinned_chars();
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

/// What a memory takes over of a text that a seat wrote, within so many characters and words, and how many characters at its end it
/// does not. A writer that was shown the mark of such a text may repeat it: the mark does not count.
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

/// How long a text may be that a seat writes, in characters, at least one: the mark that will stand before it counts, too.
fn room_to_write(sight: &MemoryViewer<'_>, language: Language) -> u64 {
    sight.rewrite_target().saturating_sub(text::char_count(notice::memory_mark(language))).max(1)
}

/// An announcement as an entry of a seat that puts it back, in the very words in which it was shown.
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
