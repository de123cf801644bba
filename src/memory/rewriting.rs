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
use super::lapses::Covers;
use super::notice;
use super::own::OwnMemory;
use super::policy::Until;
use super::view::{Sight, View};
use super::{Memory, Rewriting, plan};
use crate::domain::{Brief, EntryKind, Language, OwnEntry, PhaseName, Remark, SeatId, Seq, Shown, SparedBecause};
use crate::text;

impl Memory {
    /// From which record on a seat has something to integrate, and how long its new text may be, in characters; `None` when
    /// nothing waits, or where the policy has nothing integrated.
    pub fn integration_due(&self, seat: SeatId) -> Option<(Seq, u64)> {
        let sight = self.sight(seat);
        let first = sight.own.first_waiting(self.floor(seat).news())?;
        self.plan(seat).policy.terms().integrates().then(|| (first, room_to_write(&sight, self.floor(seat).language())))
    }

    /// How long a seat's new text may be, in characters, if its memory is to be made shorter now: when it is longer than the
    /// threshold's share of its limit, when enough statements wait for a digest, or when that was demanded. `None` also where
    /// the seat failed to do so and has been given nothing since.
    pub fn compression_due(&self, seat: SeatId) -> Option<u64> {
        let sight = self.sight(seat);
        sight.is_due().then(|| room_to_write(&sight, self.floor(seat).language()))
    }

    /// How long a text may be, in words; `None` where its characters alone are limited.
    pub fn words_max(&self, seat: SeatId) -> Option<u32> {
        self.plan(seat).policy.terms().rewrites?.words_max
    }

    /// Why a seat would not make its memory shorter if that were demanded; `None` where it would.
    pub fn spared(&self, seat: SeatId) -> Option<SparedBecause> {
        // A demand may have more replaced than the policy does by itself.
        let mut own = self.seats[seat.index()].clone();
        own.demand();
        let (sight, now) = (Sight { own: &own, ..self.sight(seat) }, self.sight(seat));
        let Some(replaced) = sight.oldest(own.writing()) else { return Some(SparedBecause::NothingToReplace) };
        if own.has_failed(sight.floor.len()) {
            return Some(SparedBecause::FailedBefore);
        }
        let is_short = sight.chars(&replaced) <= sight.target() && !now.is_due();
        is_short.then_some(SparedBecause::ShortAlready)
    }

    /// Has a seat make its memory shorter whatever its policy says, unless it is spared.
    pub fn demand(&mut self, seat: SeatId) {
        match self.spared(seat) {
            Some(_) => self.seats[seat.index()].relieve(),
            None => self.seats[seat.index()].demand(),
        }
    }

    /// Whether that was demanded of a seat and there is anything to make shorter.
    pub fn is_demanded(&self, seat: SeatId) -> bool {
        self.seats[seat.index()].is_demanded() && self.sight(seat).is_due()
    }

    /// A seat forgets what is not pinned: everything, or what was heard and kept in a phase, with what stands for any of it, and
    /// with the statements of the phase that were marked for it. What a phase brings later is remembered, and the public history
    /// forgets nothing.
    pub fn forget(&mut self, seat: SeatId, phase: Option<&PhaseName>) {
        let (circle, routing) = (self.circles.circle(seat), self.plan(seat).routing);
        let floor = &self.halls[circle].floor;
        let end = floor.len();
        let own = &mut self.seats[seat.index()];
        own.unmark(phase);
        match phase {
            Some(phase) => {
                own.forget_phase(floor, phase, routing.statement);
            }
            None => {
                own.replace(Until { floor: end, own: own.len() });
                own.replace_summaries();
                own.forget(end);
            }
        }
        if let Some(forgotten) = self.forgotten(seat) {
            let Hall { floor, talks, .. } = &mut self.halls[circle];
            talks.forget(floor, &forgotten);
        }
    }

    /// What a seat is shown to make its memory shorter, and the same as coordinates: of what is to be replaced the oldest that
    /// fits, and all that is pinned. What it is shown otherwise, where nothing is to be replaced.
    pub fn recall_oldest(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        let sight = self.sight(seat);
        let view = sight.oldest(sight.own.writing());
        self.put(seat, view.unwrap_or_else(|| sight.brief()), Vec::new())
    }

    /// The same as [`Memory::halve`], where too much was shown of the oldest.
    pub fn halve_oldest(&mut self, seat: SeatId) {
        let sight = self.sight(seat);
        let Some(view) = sight.oldest(sight.own.writing()) else { return };
        let chars_max = self.half(seat, sight.chars(&view));
        self.seats[seat.index()].allow_writing(chars_max);
    }

    /// Whether a seat would be shown less of the oldest after [`Memory::halve_oldest`].
    pub fn can_halve_oldest(&self, seat: SeatId) -> bool {
        let sight = self.sight(seat);
        let Some(view) = sight.oldest(sight.own.writing()) else { return false };
        let chars = sight.chars(&view);
        let halved = self.half(seat, chars).min(sight.own.writing());
        sight.oldest(halved).is_some_and(|less| sight.chars(&less) < chars)
    }

    /// A seat rewrote its memory: the text, cut to the length that was allowed and marked, takes the place of its entries that
    /// are not pinned; after a compression, of exactly what [`Memory::recall_oldest`] showed. Nothing waits to be integrated any more.
    ///
    /// Where nothing is to be replaced, it is one more entry.
    pub fn rewrite(&mut self, seat: SeatId, mut entry: OwnEntry, why: Rewriting) {
        assert!(entry.kind == EntryKind::Rewritten, "invariant: a rewriting is one");
        let sight = self.sight(seat);
        let (target, replaced) =
            (room_to_write(&sight, self.floor(seat).language()), sight.oldest(sight.own.writing()));
        entry.text = match self.plan(seat).policy.rewrites() {
            true => fit_text(&entry.text, target, self.words_max(seat)).0,
            false => notice::unlabelled(&entry).to_owned(),
        };
        entry.text.insert_str(0, notice::memory(self.floor(seat).language()));
        self.settle(seat);
        match (why, replaced) {
            (Rewriting::Compression, Some(view)) => self.replace(seat, entry, &view),
            (Rewriting::Integration, _) if self.plan(seat).policy.terms().integrates() => {
                let floor = &self.halls[self.circles.circle(seat)].floor;
                self.seats[seat.index()].replace_entries(floor);
                self.keep(seat, entry);
            }
            _ => self.keep(seat, entry),
        }
    }

    /// A seat did not rewrite its memory: it stays as it is, and nothing waits any more.
    pub fn leave(&mut self, seat: SeatId, why: Rewriting) {
        self.settle(seat);
        if why == Rewriting::Compression {
            let remarks = self.floor(seat).len();
            let own = &mut self.seats[seat.index()];
            own.fail(remarks);
            own.relieve();
        }
    }

    /// From which record on each of these summaries counts: that of the first statement it stands for, or where it stands for
    /// none of the last thing.
    pub(super) fn since(&self, seat: SeatId, own: &OwnMemory, summaries: Range<usize>) -> Vec<Seq> {
        let known = own.known_summaries(summaries);
        let since = known.map(|(entry, covers)| {
            let first = covers.floor.parts().find_map(|part| self.floor(seat).first_statement(part));
            let heard = || covers.floor.parts().last().map(|part| self.floor(seat).remark(part.end - 1).0.seq);
            let kept = || covers.own.parts().last().map(|part| own.entry(part.end - 1).seq);
            first.or_else(|| heard().max(kept())).unwrap_or(entry.seq)
        });
        since.collect()
    }

    fn settle(&mut self, seat: SeatId) {
        let news = self.floor(seat).news().len();
        self.seats[seat.index()].settle(news);
    }

    /// Puts a text in the place of what its writer was shown, and after it what is to stay in its own words.
    fn replace(&mut self, seat: SeatId, entry: OwnEntry, view: &View) {
        let stays = self.staying(seat, view, &entry);
        let adds_texts = self.plan(seat).policy.terms().adds_texts();
        let own = &mut self.seats[seat.index()];
        let covers = own.covered(view.summaries.clone(), (view.notices.clone(), view.own.clone()));
        if !adds_texts {
            own.replace_summaries();
        }
        own.replace(Until { floor: view.notices.end, own: view.own.end });
        own.sum_up(entry, covers);
        stays.into_iter().for_each(|(stays, covers)| own.sum_up(stays, covers));
        let sight = self.sight(seat);
        if sight.oldest(sight.own.writing()).is_none() {
            self.seats[seat.index()].relieve();
        }
    }

    /// Of what is replaced, what is put back: of the kinds that the plan names, the newest for as long as the memory stays
    /// below the threshold.
    fn staying(&self, seat: SeatId, view: &View, summary: &OwnEntry) -> Vec<(OwnEntry, Covers)> {
        let sight = self.sight(seat);
        let plan = self.plan(seat);
        let (kinds, terms) = (plan.reinject, plan.policy.terms());
        let threshold = terms.rewrites.and_then(|rewrites| rewrites.threshold_ppm(plan.compression_threshold_ppm));
        let Some(threshold) = threshold.filter(|_| terms.puts_back() && !kinds.is_empty()) else { return Vec::new() };
        let entries = sight.own.known_entries(view.own.clone()).filter(|(_, entry)| kinds.hold_entry(entry.kind));
        let places = self.floor(seat).shown(sight.own.lapses(), (&(0..0), 0), &view.notices, 0).notices.iter();
        let heard = places.map(|place| (*place as usize, self.floor(seat).remark(*place as usize)));
        let heard = heard.filter(|(_, (_, event))| kinds.hold_remark(*event));
        let mut news: Vec<(OwnEntry, Covers)> =
            entries.map(|(place, entry)| (entry.clone(), Covers::of_entry(place))).collect();
        news.extend(heard.map(|(place, (remark, _))| {
            (put_back(remark, summary, self.floor(seat).language()), Covers::of_remark(place))
        }));
        news.sort_by_key(|(entry, _)| entry.seq);
        let before = sight.own.known_summaries(view.summaries.clone());
        let stayed = before.filter(|(entry, _)| entry.kind != EntryKind::Rewritten);
        let mut all: Vec<_> = stayed.map(|(entry, covers)| (entry.clone(), covers.clone())).collect();
        all.append(&mut news);
        let pinned = sight.own.pinned_chars() + self.floor(seat).pinned_chars();
        let share = plan::share(sight.limit(), threshold);
        let mut left = share.saturating_sub(pinned + text::chars(&summary.text));
        let mut newest = all.len();
        while let Some((entry, _)) = newest.checked_sub(1).map(|before| &all[before]) {
            let Some(less) = left.checked_sub(text::chars(&entry.text)) else { break };
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
    let by_chars = text::abridge(&text, chars_max);
    kept = kept.min(by_chars.kept_bytes);
    by_chars.apply(&mut text);
    let is_cut = by_chars.is_cut || by_words.is_some_and(|cut| cut.is_cut);
    let cut_chars = if is_cut { text::chars(&written[kept..]) } else { 0 };
    (text, cut_chars)
}

/// How long a text may be that a seat writes, in characters, at least one: the mark that will stand before it counts, too.
fn room_to_write(sight: &Sight<'_>, language: Language) -> u64 {
    sight.target().saturating_sub(text::chars(notice::memory(language))).max(1)
}

/// An announcement as an entry of a seat that puts it back, in the very words in which it was shown.
fn put_back(remark: &Remark, summary: &OwnEntry, language: Language) -> OwnEntry {
    let (seq, round, phase) = (remark.seq, remark.round, summary.phase.clone());
    OwnEntry { seq, phase, round, kind: EntryKind::PutBack, text: guidance::announced(remark, language).into_owned() }
}
