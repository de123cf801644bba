//! Selects the part of a memory that a brief shows: the newest part that fits, or the oldest part to rewrite.
//!
//! A seat's memory is four lists with running totals: summaries, the floor's statements, the floor's announcements, and the
//! seat's own entries. The last three are parallel in time. Pinned entries are separate and always shown.

use std::ops::Range;

use super::excerpt::{View, ViewStart, first_true};
use super::floor::Floor;
use super::lapses::Lapses;
use super::own::{OwnMemory, RewriteEnd};
use super::{EventRetention, HistoryInBrief, MemoryPlan, PolicyTerms, RENDERED_LIMIT_MIN, RewriteTrigger, plan};
use crate::domain::{EntryKind, Extent};

/// One seat's memory, read-only.
#[derive(Clone, Copy)]
pub struct MemoryViewer<'m> {
    pub plan: &'m MemoryPlan,
    pub floor: &'m Floor,
    pub own: &'m OwnMemory,
    /// The length of the summary of the talk by extent; 0 if there is none.
    pub standing: [u64; 2],
}

impl MemoryViewer<'_> {
    /// The brief: the memory within its limit and the public history, together within the model's allowance.
    pub fn brief_view(&self) -> View {
        self.view_from(self.cut_of_brief())
    }

    /// The memory's part of the brief.
    pub fn memory_view(&self) -> View {
        self.view_from(self.cut_of_memory().intersect_with(self.cut_of_brief()))
    }

    /// Everything that the policy retains, regardless of limits.
    pub fn full_view(&self) -> View {
        self.view_from(self.in_hand())
    }

    /// The part for a seat to rewrite, within the allowance of the model that writes: the oldest that fits beside pinned
    /// entries, and at least one item. `None` if there is nothing to rewrite.
    ///
    /// A digest covers only entries that no other digest covers, and its writer sees nothing else. Under other policies the
    /// text also replaces the earlier summary.
    pub fn oldest_view(&self, allowance: u64) -> Option<View> {
        let until = self.plan.policy.rewrite_end(self.floor, self.own)?;
        let start = (self.own.floor_from, self.own.entries_from);
        if self.remarks_within(start.0..until.floor) == 0 && self.own.entry_count(start.1..until.own) == 0 {
            return None;
        }
        let all = self.own.summaries_len();
        let summaries = if self.policy_terms().adds_texts() { all..all } else { self.own.summaries_from..all };
        let room = self
            .room_beside_pinned(self.plan.character_limit().min(allowance))
            .saturating_sub(self.own.summary_chars(summaries.clone()));
        let end = self.oldest_until(until, room);
        let floor = start.0..end.floor;
        let statements = if self.plan.keeps_statements() { floor.clone() } else { end.floor..end.floor };
        let (own, history, pinned) = (start.1..end.own, self.floor.len(), self.pinned_counts());
        Some(View { summaries, statements, notices: floor, own, history, pinned, standing: None })
    }

    /// The brief for a short question: pinned entries, decisions and open proposals. `None` if there are none or they do not fit.
    pub fn short_view(&self) -> Option<View> {
        let (end, own, all) = (self.floor.len(), self.own.len(), self.own.summaries_len());
        let chars = self.standing[Extent::Short as usize];
        (!self.own.is_bare && chars > 0 && chars <= self.room_beside_pinned(self.limit())).then(|| View {
            summaries: all..all,
            statements: end..end,
            notices: end..end,
            own: own..own,
            history: end,
            pinned: self.pinned_counts(),
            standing: Some(Extent::Short),
        })
    }

    /// Rendered characters of a view, without what memories keep of pinned entries. The rest of a pinned statement counts if the
    /// public history shows it.
    pub fn view_chars(&self, view: &View) -> u64 {
        let lapses = &self.own.lapses;
        self.own.summary_chars(view.summaries.clone())
            + self.floor.statement_chars_known(lapses, view.statements.clone(), view.history)
            + self.floor.notice_chars(lapses, view.notices.clone())
            + self.own.entry_chars(view.own.clone())
            + self.standing_chars(view)
    }

    /// Rendered characters of the shown summary of the talk.
    pub fn standing_chars(&self, view: &View) -> u64 {
        view.standing.map_or(0, |extent| self.standing[extent as usize])
    }

    /// The number of remarks, entries and summaries shown.
    pub fn entry_count(&self, view: &View) -> usize {
        let summaries = self.own.lapses.summaries.count_rest(view.summaries.clone());
        self.remark_count(view) + summaries + self.own.entry_count(view.own.clone()) + view.pinned.1
    }

    /// The number of remarks and entries that the seat witnessed and the view omits.
    pub fn omitted_count(&self, view: &View) -> usize {
        let own = self.own.pinned.len() + self.own.len() + self.own.skipped;
        self.floor.len() + own - self.remark_count(view) - self.own.entry_count(view.own.clone()) - view.pinned.1
    }

    /// Whether the view omits something earlier that the memory keeps, no text covers and the seat has not forgotten. False
    /// for the policy `none`, which keeps nothing.
    pub fn is_cut(&self, view: &View) -> bool {
        if self.plan.policy.terms().keeps_nothing() {
            return false;
        }
        let (lapses, floor, own) = (&self.own.lapses, self.own.floor_from, self.own.entries_from);
        let until = |start: usize, from: usize| from..start.max(from);
        let statements = until(view.statements.start, floor);
        let texts = until(view.summaries.start, self.own.summaries_from);
        self.plan.keeps_statements() && self.floor.statements_known(lapses, statements, self.floor.len()) > 0
            || self.floor.notices_within(lapses, until(view.notices.start, floor)) > 0
            || self.own.entry_count(until(view.own.start, own)) > 0
            || lapses.summaries.count_rest(texts) > 0
    }

    /// Rendered characters of the shown pinned entries.
    pub fn pinned_chars(&self, view: &View) -> u64 {
        match view.pinned {
            (0, 0) => 0,
            _ if self.policy_terms().keeps_nothing() => self.floor.exhibit_totals().1 + self.own.exhibits.1,
            _ => self.floor.pinned_chars() + self.own.pinned_chars,
        }
    }

    /// Tokens of a view by the fixed estimate, pinned entries included.
    pub fn view_tokens(&self, view: &View) -> u64 {
        let pinned = match view.pinned {
            (0, 0) => 0,
            _ if self.policy_terms().keeps_nothing() => self.floor.exhibit_tokens() + self.own.exhibit_tokens,
            _ => self.floor.pinned_tokens() + self.own.pinned_tokens,
        };
        let lapses = &self.own.lapses;
        self.floor.tokens_known(lapses, view.statements.clone(), view.history, view.notices.clone())
            + self.own.tokens_within(view.summaries.clone(), view.own.clone())
            + pinned
    }

    /// The number of shown texts from rewrites.
    pub fn rewritten_count(&self, view: &View) -> usize {
        if !self.plan.policy.has_rewrites() {
            return 0;
        }
        let texts = self.own.summaries(view.summaries.clone()).iter().chain(self.own.entries(view.own.clone()));
        texts.filter(|entry| entry.kind == EntryKind::Rewritten).count()
    }

    /// The limit of a brief, pinned entries included: the plan's or the model's, whichever is less. A lower limit of the model
    /// also makes the seat rewrite its memory earlier and shorter.
    pub fn limit(&self) -> u64 {
        self.plan.character_limit().min(self.own.allowance)
    }

    /// The limit of a rewritten memory: the target's share of the limit, less pinned entries and the summary of the talk. If a
    /// shorter memory is demanded, the target is at most that share of the replaced text, so that a short memory also shrinks.
    pub fn rewrite_target(&self) -> u64 {
        let share_of = |chars: u64| plan::share_of_limit(chars, self.plan.compression_target_ppm);
        let standing = self.standing_extent().map_or(0, |extent| self.standing[extent as usize]);
        let (share, least) = (share_of(self.limit()), share_of(RENDERED_LIMIT_MIN));
        let target = share.saturating_sub(self.own.pinned_chars + self.floor.pinned_chars() + standing).max(least);
        let replaced = self.own.is_demanded.then(|| self.oldest_view(self.own.writing_allowance)).flatten();
        replaced.map_or(target, |view| target.min(share_of(self.view_chars(&view))).max(least))
    }

    /// Whether the seat must shorten its memory now.
    pub fn is_due(&self) -> bool {
        if self.own.has_failed(self.floor.len()) || self.oldest_view(self.own.writing_allowance).is_none() {
            return false;
        }
        let held = self.view_chars(&self.view_from(self.in_hand()));
        let share_held = u128::from(held + self.own.pinned_chars + self.floor.pinned_chars()) * 1_000_000;
        let is_over = |ppm: u32| share_held > u128::from(self.limit()) * u128::from(ppm);
        match self.policy_terms().rewrites.map(|rewrites| rewrites.due) {
            _ if self.own.is_demanded => true,
            Some(RewriteTrigger::PlanThreshold) => {
                is_over(self.plan.compression_threshold_ppm) && held > self.rewrite_target()
            }
            Some(RewriteTrigger::OwnThreshold(ppm)) => is_over(ppm),
            Some(RewriteTrigger::EnoughWaits) => true,
            None => false,
        }
    }

    /// Room for recalled statements beside a view: as much as the memory's, within the model's allowance.
    pub fn room_to_recall(&self, view: &View) -> u64 {
        if self.own.is_bare {
            return 0;
        }
        let once_more = self.room_beside_pinned(self.plan.character_limit());
        match self.own.allowance {
            u64::MAX => once_more,
            allowance => once_more.min(self.room_beside_pinned(allowance).saturating_sub(self.view_chars(view))),
        }
    }

    /// Room beside pinned entries.
    fn room_beside_pinned(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.own.pinned_chars + self.floor.pinned_chars()).max(RENDERED_LIMIT_MIN)
    }

    fn pinned_counts(&self) -> (usize, usize) {
        // Exhibits remain available under every policy.
        match self.policy_terms().keeps {
            EventRetention::Nothing => (self.floor.exhibit_totals().0, self.own.exhibits.0),
            EventRetention::AsItComes | EventRetention::Routed => {
                (self.floor.places.pinned.len(), self.own.pinned.len())
            }
        }
    }

    fn policy_terms(&self) -> PolicyTerms {
        self.plan.policy.terms()
    }

    /// The part that the policy retains and the routing keeps.
    fn in_hand(&self) -> ViewStart {
        let cut = ViewStart { history: self.floor.len(), ..self.plan.policy.in_hand(self.floor, self.own) };
        if self.plan.keeps_statements() { cut } else { ViewStart { statements: self.floor.len(), ..cut } }
    }

    fn cut_of_memory(&self) -> ViewStart {
        self.newest_fitting(self.in_hand(), self.room_beside_pinned(self.limit()))
    }

    /// The first position of the public history beside the memory.
    fn history_from(&self) -> usize {
        match self.plan.history {
            HistoryInBrief::Full => self.floor.history_start(),
            HistoryInBrief::CurrentRound => self.floor.history_start().max(self.floor.round_from),
            HistoryInBrief::None => self.floor.len(),
        }
    }

    fn cut_of_brief(&self) -> ViewStart {
        let (memory, history) = (self.cut_of_memory(), self.history_from());
        if self.own.is_bare {
            let (end, own) = (self.floor.len(), self.own.len());
            return ViewStart { summaries: self.own.summaries_len(), history: end, ..ViewStart::from_places(end, own) };
        }
        // A smaller allowance first shortens the public history, from its oldest statement.
        let shown = |history: usize| ViewStart { statements: memory.statements.min(history), history, ..memory };
        match self.own.allowance {
            u64::MAX => shown(history),
            allowance => {
                let room = self.room_beside_pinned(allowance);
                let fits = |history: usize| self.view_chars(&self.view_from(shown(history))) <= room;
                shown(first_true(history, self.floor.len(), fits))
            }
        }
    }

    fn view_from(&self, cut: ViewStart) -> View {
        let end = self.floor.len();
        View {
            summaries: cut.summaries..self.own.summaries_len(),
            statements: cut.statements..end,
            notices: cut.notices..end,
            own: cut.own..self.own.len(),
            history: cut.history,
            pinned: self.pinned_counts(),
            standing: self.standing_extent(),
        }
    }

    /// The summary of the talk is shown if it leaves room for other entries; it is the first unpinned text to be dropped.
    fn standing_extent(&self) -> Option<Extent> {
        let chars = self.standing[Extent::Whole as usize];
        (!self.own.is_bare && chars > 0 && chars + RENDERED_LIMIT_MIN <= self.room_beside_pinned(self.limit()))
            .then_some(Extent::Whole)
    }

    fn remark_count(&self, view: &View) -> usize {
        let lapses = &self.own.lapses;
        let statements = self.floor.statements_known(lapses, view.statements.clone(), view.history);
        let notices = self.floor.notices_within(lapses, view.notices.clone());
        (statements + notices) as usize + view.pinned.0
    }

    /// The number of kept remarks between two positions that the seat has not forgotten.
    pub fn remarks_within(&self, range: Range<usize>) -> u32 {
        let lapses = &self.own.lapses;
        let statements = match self.plan.keeps_statements() {
            true => self.floor.statements_known(lapses, range.clone(), range.end),
            false => 0,
        };
        statements + self.floor.notices_within(lapses, range)
    }

    /// The part from these positions that fits: first the newest statement with everything after it, then the summaries, then the
    /// newest of the rest. Single statements therefore never displace the summaries, except for the newest.
    fn newest_fitting(&self, from: ViewStart, room: u64) -> ViewStart {
        let chars = |cut: ViewStart| self.view_chars(&self.view_from(cut));
        if chars(from) <= room {
            return from;
        }
        let all = self.own.summaries_len();
        let without = ViewStart { summaries: all, ..from };
        let nothing = chars(ViewStart {
            statements: self.floor.len(),
            notices: self.floor.len(),
            own: self.own.len(),
            ..without
        });
        let share = plan::share_of_limit(room.saturating_sub(nothing), self.plan.compression_target_ppm);
        let left = match self.newest_statement(from) {
            Some(place) => {
                let turn = self.newest_rest(
                    without.intersect_with(ViewStart::from_places(place, self.own.entries_before(place))),
                    room,
                );
                room.saturating_sub(chars(turn))
            }
            None => share,
        };
        let summaries = self.newest_summaries(from.summaries, left, share);
        let rest = self.newest_rest(without, room - self.own.summary_chars(summaries..all));
        ViewStart { summaries, ..rest }
    }

    /// The position of the newest statement from these positions.
    fn newest_statement(&self, from: ViewStart) -> Option<usize> {
        let lapses = &self.own.lapses;
        let known = |place: &usize| *place >= from.history || !lapses.floor.holds(*place);
        let newest = self
            .floor
            .start_of_newest(&Lapses::default(), 1)
            .filter(known)
            .or_else(|| self.floor.start_of_newest(lapses, 1));
        newest.filter(|place| (from.statements..self.floor.len()).contains(place))
    }

    /// The first of the newest summaries that fit. Consecutive digests get only a share of the room, but the newest may exceed
    /// the share.
    fn newest_summaries(&self, from: usize, room: u64, share: u64) -> usize {
        let all = self.own.summaries_len();
        let chars = |summary: usize| self.own.summary_chars(summary..all);
        let within = |room: u64| first_true(from, all, |summary| chars(summary) <= room);
        if !self.policy_terms().adds_texts() {
            return within(room);
        }
        let some = within(room.min(share));
        let newest = first_true(from, all, |summary| chars(summary) == 0);
        match newest.checked_sub(1).filter(|newest| *newest >= from && chars(some) == 0 && chars(*newest) <= room) {
            Some(newest) => newest,
            None => some,
        }
    }

    /// The newest remarks and own entries from these positions that fit; the oldest of all lists is omitted first.
    ///
    /// Own entries divide the floor into stretches. A binary search finds the stretch and a second one the remark within it, so
    /// that no step searches one list for a position in the other.
    fn newest_rest(&self, from: ViewStart, room: u64) -> ViewStart {
        let chars = |cut: ViewStart| self.view_chars(&self.view_from(cut));
        if chars(from) <= room {
            return from;
        }
        let (start, end) = (from.statements.min(from.notices), self.floor.len());
        let cut = |place: usize, own: usize| from.intersect_with(ViewStart::from_places(place, own));
        let place = |entry: usize| self.own.floor_place(entry).map_or(end, |place| place.max(start));
        let own = first_true(from.own, self.own.len(), |entry| chars(cut(place(entry), entry)) <= room);
        let oldest = if own > from.own { place(own - 1) } else { start };
        cut(first_true(oldest, place(own), |remark| chars(cut(remark, own)) <= room), own)
    }

    /// The oldest entries up to these positions that fit, and at least one.
    fn oldest_until(&self, until: RewriteEnd, room: u64) -> RewriteEnd {
        let (start, live, lapses) = (self.own.floor_from, self.own.entries_from, &self.own.lapses);
        let chars = |floor: usize, own: usize| {
            let statements = match self.plan.keeps_statements() {
                true => self.floor.statement_chars_known(lapses, start..floor, floor),
                false => 0,
            };
            statements + self.floor.notice_chars(lapses, start..floor) + self.own.entry_chars(live..own)
        };
        let place =
            |entry: usize| self.own.floor_place(entry).map_or(until.floor, |place| place.clamp(start, until.floor));
        let before = |own: usize| if own > live { place(own - 1) } else { start };
        let own = first_true(live + 1, until.own + 1, |own| chars(before(own), own) > room) - 1;
        let stop = if own < until.own { place(own) } else { until.floor };
        let floor = first_true(before(own) + 1, stop + 1, |floor| chars(floor, own) > room) - 1;
        if self.own.entry_count(live..own) > 0 || self.remarks_within(start..floor) > 0 {
            return RewriteEnd { floor, own };
        }
        // Nothing fits, so the view shows the oldest entry alone.
        let remark = first_true(start + 1, until.floor + 1, |floor| self.remarks_within(start..floor) > 0);
        let entry = first_true(live, until.own, |own| self.own.entry_count(live..own + 1) > 0);
        match entry < until.own && place(entry) < remark {
            true => RewriteEnd { floor: place(entry), own: entry + 1 },
            false => RewriteEnd { floor: remark, own: live },
        }
    }
}
