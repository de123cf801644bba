//! The memories of seats, and the briefs that prompts show of them.
//!
//! Seats that hear the same share one copy of each statement, with running totals of its length. The cost of a statement
//! therefore does not grow with the number of seats. Each seat adds its own entries, and texts that it writes may replace old
//! parts.
//!
//! A brief has two parts: the newest part of the memory that fits its limit, and as much of the public history, which contains
//! only statements, as `history_in_brief` allows. A statement in both parts appears once. Pinned entries, such as exhibits,
//! results and private instructions, always appear and count towards the limit first. The policy `none` pins only exhibits.
//!
//! Memory is folded from the minutes and never saved. Limits apply when a seat recalls. `cargo bench --bench curves` measures
//! how the costs grow.

mod excerpt;
mod exhibit;
mod floor;
pub mod guidance;
mod hall;
mod heard;
mod kinds;
mod lapses;
mod listeners;
pub mod notice;
mod own;
mod plan;
mod policy;
mod proposals;
mod recall;
mod remark;
mod rewriting;
mod summary_wording;
mod talk;
mod talk_summary;
mod view;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use crate::domain::GuidanceStyle;
use crate::domain::{
    Brief, Choice, Circles, EntryKind, Forgotten, Links, Marked, MemoryReport, Motion, Opinion, OwnEntry, PhaseName,
    SeatId, Shown, StatementChars,
};
use crate::text;
use excerpt::View;
pub use exhibit::Exhibit;
use hall::Hall;
pub use kinds::{EventKind, EventKinds, FloorEvent};
use own::OwnMemory;
pub use plan::{MemoryPlan, RENDERED_LIMIT_MIN, RewriteReason, Routing, Strategy, entry_tokens};
pub use policy::{
    Bound, CompactPolicy, DigestPolicy, EventRetention, HistoryInBrief, MemoryPolicy, PolicyTerms, RewriteScope,
    RewriteTerms, RewriteTrigger, Window,
};
pub use proposals::{MarkedStatement, Proposal, Proposals};
pub use remark::RemarkHeader;
use remark::RenderedRemark;
pub use rewriting::fit_text;
pub use talk::HeardTalk;
pub use talk_summary::TalkStanding;
use view::MemoryViewer;

/// The memories of all seats of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    circles: Circles,
    /// One per circle; seats of one circle have equal plans.
    halls: Vec<Hall>,
    seats: Vec<OwnMemory>,
    /// The last speaker; `None` after an announcement.
    speaking: Option<SeatId>,
    /// The halls that hear what is said and counted, beside the speaker's; `None` if all do.
    listening: Option<BTreeSet<usize>>,
    /// Who hears whom now, if that is not as in the whole session.
    linked: Option<Links>,
    /// How what is said and kept now enters memories; `None` for as the routing says.
    remember: Option<Strategy>,
    /// The halls that heard the last remark.
    newest_in: Vec<usize>,
    /// The phase of what is said and counted now, where other phases go on side by side; `None` for the phase that began last.
    part: Option<PhaseName>,
}

impl Memory {
    /// Empty memories for seats with these true names, which are used to measure the public history.
    pub fn new(plan: MemoryPlan, motion: &Motion, names: impl IntoIterator<Item = impl Into<Box<str>>>) -> Self {
        let names: Vec<Box<str>> = names.into_iter().map(Into::into).collect();
        let circles = Circles::one(names.len());
        Self::with_circles(&vec![plan; names.len()], motion, (names, circles))
    }

    /// Empty memories for seats that hear or remember differently; their plans may differ only in limits.
    ///
    /// # Panics
    /// If there are no seats, or if the numbers of plans, names and seats differ.
    pub fn with_circles(plans: &[MemoryPlan], motion: &Motion, (names, circles): (Vec<Box<str>>, Circles)) -> Self {
        assert!(plans.len() == names.len() && !plans.is_empty(), "invariant: every seat has a name and a plan");
        let seats = vec![OwnMemory::new(motion.alternatives.len()); names.len()];
        let (circles, names) = (circles.split_by(plans), names.into());
        let new_hall = |plan: &MemoryPlan| Hall::new(plan, motion, Arc::clone(&names));
        let mut halls: Vec<Option<Hall>> = vec![None; circles.count()];
        for (seat, plan) in (0..).map(SeatId).zip(plans) {
            halls[circles.circle(seat)].get_or_insert_with(|| new_hall(plan));
        }
        let halls = halls.into_iter().map(|hall| hall.expect("invariant: every circle has a seat")).collect();
        Self {
            circles,
            halls,
            seats,
            speaking: None,
            listening: None,
            linked: None,
            remember: None,
            newest_in: Vec::new(),
            part: None,
        }
    }

    /// Has what is said and kept from now on enter memories in this way; `None` for as the routing says.
    pub fn remember_as(&mut self, remember: Option<Strategy>) {
        self.remember = remember;
    }

    /// Has what is said and counted from now on belong to a phase that has begun, where other phases go on side by side; `None` for the
    /// phase that began last.
    pub fn enter_part(&mut self, phase: Option<&PhaseName>) {
        self.part = phase.cloned();
    }

    /// Begins a phase or a round.
    pub fn begin_part(&mut self, phase: &PhaseName) {
        self.halls.iter_mut().for_each(|hall| hall.floor.begin_part(phase));
    }

    /// Begins a phase or a round for these seats, or for all.
    pub fn begin_part_for(&mut self, phase: &PhaseName, seats: Option<&[SeatId]>) {
        let Some(seats) = seats else { return self.begin_part(phase) };
        let halls: BTreeSet<usize> = seats.iter().map(|seat| self.circles.circle(*seat)).collect();
        halls.into_iter().for_each(|hall| self.halls[hall].floor.begin_part(phase));
    }

    /// Adds a statement for all who hear the speaker, or an announcement for everyone. The cost grows with the number of circles,
    /// not of seats.
    ///
    /// # Panics
    /// If the speaker or the declared alternative does not belong to the session.
    pub fn add_remark(
        &mut self,
        said: RemarkHeader,
        event: FloorEvent,
        public_name: &str,
        text: impl Into<Arc<str>>,
        stance: Option<Choice>,
    ) {
        if let (Some(speaker), Some(stance)) = (said.speaker, stance) {
            let place = self.floor(speaker).len();
            self.seats[speaker.index()].note_stance(place, stance.alternative);
        }
        self.newest_in = self.heard_in(said, event);
        self.push_remark((said, event), public_name, &text.into(), stance);
    }

    /// Adds a seat's answer or ballot, as it is announced, for all who hear it but the seat, which keeps an entry of its own instead. The
    /// seat shares its circle with no other.
    pub fn add_answer(&mut self, said: RemarkHeader, event: FloorEvent, author: SeatId, text: impl Into<Arc<str>>) {
        self.newest_in = self.heard_in(said, event);
        let own = self.circles.circle(author);
        self.newest_in.retain(|hall| *hall != own);
        self.push_remark((said, event), "", &text.into(), None);
    }

    /// Adds a remark in the halls of `newest_in`.
    fn push_remark(
        &mut self,
        (said, event): (RemarkHeader, FloorEvent),
        public_name: &str,
        text: &Arc<str>,
        stance: Option<Choice>,
    ) {
        let mut rendered: Option<(MemoryPlan, RenderedRemark)> = None;
        for place in self.newest_in.iter().copied() {
            let Hall { plan, floor, talks } = &mut self.halls[place];
            let plan = &MemoryPlan { routing: plan.routing.in_phase(self.remember), ..*plan };
            talks.add_statement(said, floor.len(), public_name, stance);
            let (_, rendered) = match rendered.take() {
                Some(as_before) if as_before.0 == *plan => rendered.insert(as_before),
                _ => rendered.insert((*plan, floor.render_remark(plan, (said, event), public_name, text, stance))),
            };
            self.part.iter().for_each(|phase| floor.enter_part(phase));
            floor.push(plan, rendered);
        }
        self.speaking = said.speaker;
    }

    /// Sets the opinion that the newest remark declares; an announcement declares the group's.
    ///
    /// # Panics
    /// If nothing was said.
    pub fn set_opinion(&mut self, opinion: Option<Opinion>) {
        for hall in self.newest_in.iter().copied() {
            self.halls[hall].floor.set_opinion(opinion);
        }
    }

    /// Adds marks to the newest remark; `others` is the number of participating seats less one.
    ///
    /// # Panics
    /// If nobody has spoken, or the newest remark is an announcement.
    pub fn add_marks(&mut self, marks: &[Marked], others: u32) {
        if marks.is_empty() {
            return;
        }
        let seat = self.speaking.expect("invariant: marks belong to a statement");
        for hall in self.newest_in.iter().copied() {
            self.halls[hall].add_marks(seat, marks, others);
        }
    }

    /// The proposals that a seat has heard, and their state according to the marks that it has heard.
    pub fn proposals(&self, seat: SeatId) -> &Proposals {
        &self.talk_versions(seat).whole.proposals
    }

    /// Keeps an entry for one seat. Reasoning is put into one line, cut to its own limit and labelled. Another unpinned entry is cut only if it
    /// alone exceeds the memory's limit.
    pub fn keep_entry(&mut self, seat: SeatId, mut entry: OwnEntry) {
        let chars_max = self.plan(seat).entry_limit(entry.kind, self.floor(seat).language);
        if entry.kind == EntryKind::OwnReasoning {
            entry.text = text::join_lines(&entry.text);
        }
        let cut = text::truncate_text(&entry.text, u32::try_from(chars_max).unwrap_or(u32::MAX));
        cut.apply(&mut entry.text);
        if entry.kind == EntryKind::OwnReasoning {
            entry.text.insert_str(0, notice::thought_label(self.floor(seat).language));
        }
        let remarks = self.floor(seat).len();
        let usual = *self.plan(seat);
        let plan = MemoryPlan { routing: usual.routing.in_phase(self.remember), ..usual };
        self.seats[seat.index()].keep_entry(&plan, remarks, entry);
    }

    /// The current brief of a seat, and its coordinates.
    pub fn recall_brief(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        let view = self.seat_viewer(seat).brief_view();
        let recalled = self.recalled_statements(seat, &view);
        self.build_brief(seat, view, recalled)
    }

    /// The brief for a short question: pinned entries, decisions and open proposals. If there are none or the policy does not
    /// disclose them, the normal brief.
    pub fn recall_short(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        match self.seat_viewer(seat).short_view() {
            Some(view) => self.build_brief(seat, view, Vec::new()),
            None => self.recall_brief(seat),
        }
    }

    /// The older statements outside the brief that best match the current topic, in order. The plan sets their number. They have
    /// room as large as the memory's limit, within the model's allowance.
    fn recalled_statements(&self, seat: SeatId, view: &View) -> Vec<u32> {
        // The policy `none` shows a seat only its identity and the question.
        let recall = self.plan(seat).recall.filter(|_| !self.plan(seat).policy.terms().keeps_nothing());
        let Some((most, index)) = recall.zip(self.floor(seat).index.as_ref()) else { return Vec::new() };
        let sight = self.seat_viewer(seat);
        let within = sight.own.forgotten_until..view.statements.start;
        let mut shown_or_forgotten = Cow::Borrowed(&sight.own.lapses.floor);
        self.floor(seat)
            .pinned_statements(view.pinned.0)
            .for_each(|place| shown_or_forgotten.to_mut().add(place..place + 1));
        let mut places = index.find_related(within, &shown_or_forgotten, most as usize);
        let mut room = sight.room_to_recall(view);
        let fits =
            places.iter().take_while(|place| match room.checked_sub(self.floor(seat).chars_at(**place as usize)) {
                Some(left) => {
                    room = left;
                    true
                }
                None => false,
            });
        places.truncate(fits.count());
        places.sort_unstable();
        places
    }

    /// The statements heard by a seat that best match a text, as positions on the floor, best first.
    pub fn look_up(&self, seat: SeatId, text: &str) -> Vec<u32> {
        /// The maximal number of results.
        const MOST: usize = 5;
        let own = &self.seats[seat.index()];
        let within = own.forgotten_until..self.floor(seat).len();
        self.floor(seat)
            .index
            .as_ref()
            .map_or_else(Vec::new, |index| index.find_best(text, within, &own.lapses.floor, MOST))
    }

    /// Characters of the brief without pinned entries.
    fn shown_chars(&self, seat: SeatId) -> u64 {
        let sight = self.seat_viewer(seat);
        let view = sight.brief_view();
        sight.view_chars(&view) + self.chars_of(seat, &self.recalled_statements(seat, &view))
    }

    /// Characters of the statements at these positions.
    fn chars_of(&self, seat: SeatId, places: &[u32]) -> u64 {
        places.iter().map(|place| self.floor(seat).chars_at(*place as usize)).sum()
    }

    /// The memory's part of the brief, without statements that only the public history shows.
    pub fn memory_brief(&self, seat: SeatId) -> Brief<'_> {
        self.build_brief(seat, self.seat_viewer(seat).memory_view(), Vec::new()).0
    }

    /// Everything that a seat's policy retains, before limits apply.
    pub fn in_hand(&self, seat: SeatId) -> Brief<'_> {
        self.build_brief(seat, self.seat_viewer(seat).full_view(), Vec::new()).0
    }

    /// Limits a seat's brief, beside pinned entries, to half of its length, because its model rejected the brief as too long. The
    /// limit is at least [`RENDERED_LIMIT_MIN`]. A brief no longer than this shows only pinned entries until the seat answers.
    pub fn halve_brief(&mut self, seat: SeatId) {
        // The summary of the talk is dropped before the brief shows only pinned entries.
        let is_much =
            self.shown_chars(seat) > RENDERED_LIMIT_MIN || self.seat_viewer(seat).brief_view().standing.is_some();
        let chars_max = self.halved_limit(seat, self.shown_chars(seat));
        let own = &mut self.seats[seat.index()];
        if is_much { own.limit_allowance(chars_max) } else { own.is_bare = true }
    }

    /// Whether [`Memory::halve_brief`] would shorten the brief.
    pub fn can_halve(&self, seat: SeatId) -> bool {
        self.shown_chars(seat) > 0
    }

    /// Halves the brief for a short question, as [`Memory::halve_brief`] does.
    pub fn halve_short(&mut self, seat: SeatId) {
        if self.seat_viewer(seat).short_view().is_none() {
            return self.halve_brief(seat);
        }
        let chars = self.short_chars(seat);
        let chars_max = self.halved_limit(seat, chars);
        let own = &mut self.seats[seat.index()];
        if chars > RENDERED_LIMIT_MIN { own.limit_allowance(chars_max) } else { own.is_bare = true }
    }

    /// Whether [`Memory::halve_short`] would shorten the brief for a short question.
    pub fn can_halve_short(&self, seat: SeatId) -> bool {
        self.short_chars(seat) > 0
    }

    /// Lifts the restriction to pinned entries after a seat has answered or lost its turn.
    pub fn restore_brief(&mut self, seat: SeatId) {
        self.seats[seat.index()].is_bare = false;
    }

    fn short_chars(&self, seat: SeatId) -> u64 {
        let sight = self.seat_viewer(seat);
        sight.short_view().map_or_else(|| self.shown_chars(seat), |view| sight.view_chars(&view))
    }

    /// The limit of a seat's brief in characters, pinned entries included, after its model rejected a longer one; `None` if it
    /// rejected none.
    pub fn allowance(&self, seat: SeatId) -> Option<u64> {
        let own = &self.seats[seat.index()];
        match own.is_bare {
            true => Some(own.pinned_chars + self.floor(seat).pinned_chars()),
            false => Some(own.allowance).filter(|allowance| *allowance < u64::MAX),
        }
    }

    /// The limit of a brief for rewriting the memory, see `allowance`.
    pub fn allowance_to_write(&self, seat: SeatId) -> Option<u64> {
        Some(self.seats[seat.index()].writing_allowance).filter(|allowance| *allowance < u64::MAX)
    }

    /// The size of a seat's memory.
    pub fn report(&self, seat: SeatId) -> MemoryReport {
        let sight = self.seat_viewer(seat);
        let (memory, brief) = (sight.memory_view(), sight.brief_view());
        let recalled = self.recalled_statements(seat, &brief);
        MemoryReport {
            entries: sight.entry_count(&memory) as u32,
            chars: sight.view_chars(&memory) + sight.pinned_chars(&memory),
            dropped_entries: (sight.omitted_count(&brief) - recalled.len()) as u32,
            tokens: sight.view_tokens(&memory)
                + memory.standing.map_or(0, |extent| plan::entry_tokens(&self.standing_words(seat, extent).words)),
            summaries: sight.rewritten_count(&memory) as u64,
            statements: None,
        }
    }

    /// Counts the part of all statements heard by a seat that a question showed.
    pub fn count_shown_chars(&self, seat: SeatId, shown: &Shown) -> StatementChars {
        self.floor(seat).count_shown_chars(shown)
    }

    /// The length of a seat's public history in characters, in the narrative style and with the seats' true names.
    pub fn public_chars(&self, seat: SeatId) -> u64 {
        self.floor(seat).public_chars()
    }

    /// Whether the remark at a position on a seat's floor is pinned.
    pub fn is_pinned(&self, seat: SeatId, place: usize) -> bool {
        self.floor(seat).is_pinned(place)
    }

    fn seat_viewer(&self, seat: SeatId) -> MemoryViewer<'_> {
        let (own, standing) = (&self.seats[seat.index()], self.standing_chars(seat));
        MemoryViewer { plan: self.plan(seat), floor: self.floor(seat), own, standing }
    }

    /// Half of a length plus the pinned entries, as the limit of a brief.
    fn halved_limit(&self, seat: SeatId, chars: u64) -> u64 {
        let pinned = self.seats[seat.index()].pinned_chars + self.floor(seat).pinned_chars();
        pinned.saturating_add((chars / 2).max(RENDERED_LIMIT_MIN))
    }

    /// Converts a view to a brief and to coordinates.
    fn build_brief(&self, seat: SeatId, view: View, recalled: Vec<u32>) -> (Brief<'_>, Shown) {
        let own = &self.seats[seat.index()];
        let omitted = (self.seat_viewer(seat).omitted_count(&view) - recalled.len()) as u32;
        let is_cut = self.seat_viewer(seat).is_cut(&view);
        let heard = self.build_heard(seat, &view, &recalled);
        let View { summaries, statements, notices, own: entries, history, pinned, standing } = view;
        let lapses = &own.lapses;
        let brief = Brief {
            seat,
            style: self.plan(seat).guidance_style,
            remarks: self.floor(seat).shown_remarks(lapses, (&statements, history), &notices, pinned.0),
            summaries: own.summaries(summaries.clone()),
            since: self.summary_starts(seat, own, summaries.clone()),
            standing: standing.map(|extent| self.standing_words(seat, extent)),
            pinned: &own.pinned[..pinned.1],
            own: own.entries(entries.clone()),
            heard,
            recalled: recalled.clone(),
            found: None,
            signal: None,
            facts: &[],
            case: &[],
            is_cut,
            full_from: self.floor(seat).remarks.get(history).map(|remark| remark.seq),
        };
        let places = |range: std::ops::Range<usize>| range.start as u32..range.end as u32;
        let forgotten = Forgotten {
            statements: lapses.floor.told(statements.start..statements.end.min(history)),
            notices: lapses.floor.told(notices.clone()),
            summaries: lapses.summaries.told(summaries.clone()),
            own: lapses.own.told(entries.clone()),
        };
        let shown = Shown {
            floor: places(statements.clone()),
            history: (history < statements.end).then_some(history as u32),
            notices: (notices != statements).then(|| places(notices)),
            pinned_remarks: pinned.0 as u32,
            summaries: if summaries.is_empty() { 0..0 } else { places(summaries) },
            standing,
            pinned: pinned.1 as u32,
            own: places(entries),
            forgotten,
            omitted,
            recalled,
            ..Shown::default()
        };
        (brief, shown)
    }
}
