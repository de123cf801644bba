//! What seats remember. A statement is stored once for all seats that hear the same, with running totals of its length, so it
//! costs no more with a thousand seats than with three. Each seat adds entries of its own, and texts that it writes may replace
//! old parts.
//!
//! A brief has two parts: the newest part of the memory that fits its limit, and as much of the public history, which holds
//! statements only, as `history_in_brief` allows. A statement of both parts appears once. Pinned entries, such as exhibits,
//! results and what a seat was told alone, are always shown and leave the rest of the limit to everything else; `none` shows only
//! exhibits.
//!
//! Memory is folded from the minutes and never saved. Limits of a memory apply when a seat is recalled. Nothing here decides who
//! speaks or what follows, asks a model or reads a file. `cargo bench --bench curves` measures how the costs grow.

mod exhibit;
mod floor;
pub mod guidance;
mod hall;
mod kinds;
mod lapses;
pub mod notice;
mod own;
mod plan;
mod policy;
mod proposals;
mod recall;
mod rewriting;
mod standing;
mod stands;
mod talk;
mod view;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use crate::domain::GuidanceStyle;
use crate::domain::{
    Brief, Choice, Circles, EntryKind, Forgotten, Heard, HeardBetween, Marked, MemoryReport, Motion, Number, Opinion,
    OwnEntry, PhaseName, Recollected, Remark, SeatId, Shown, StatementChars,
};
use crate::text;
pub use exhibit::Exhibit;
use floor::Floor;
pub use floor::RemarkHeader;
use hall::{Hall, RenderedRemark};
pub use kinds::{EventKind, EventKinds, FloorEvent};
use own::OwnMemory;
pub use plan::{HistoryInBrief, MemoryPlan, RENDERED_LIMIT_MIN, RewriteReason, Routing, Strategy, entry_tokens};
pub use policy::{
    Bound, CompactPolicy, DigestPolicy, EventRetention, HearingScope, MemoryPolicy, PolicyTerms, RewriteScope,
    RewriteTerms, RewriteTrigger, StandingDisclosure, Window,
};
pub use proposals::{MarkedStatement, Proposal, Proposals};
pub use rewriting::fit_text;
pub use standing::TalkStanding;
pub use talk::HeardTalk;
use talk::TalkVersions;
use view::{MemoryViewer, View};

/// The memories of all seats of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    circles: Circles,
    /// One entry a circle; seats of one circle have the same plan.
    halls: Vec<Hall>,
    seats: Vec<OwnMemory>,
    /// Who was heard last; `None` where that was an announcement.
    speaking: Option<SeatId>,
}

impl Memory {
    /// Empty memories for seats of these names: their own, by which the public history is measured, whatever name each goes by.
    pub fn new(plan: MemoryPlan, motion: &Motion, names: impl IntoIterator<Item = impl Into<Box<str>>>) -> Self {
        let names: Vec<Box<str>> = names.into_iter().map(Into::into).collect();
        let circles = Circles::one(names.len());
        Self::with_circles(&vec![plan; names.len()], motion, (names, circles))
    }

    /// The same of seats that do not all hear each other or remember alike; the plans may differ in their limits only.
    ///
    /// # Panics
    /// When there are no seats, or not as many plans and names as the circles have seats.
    pub fn with_circles(plans: &[MemoryPlan], motion: &Motion, (names, circles): (Vec<Box<str>>, Circles)) -> Self {
        assert!(plans.len() == names.len() && !plans.is_empty(), "invariant: every seat has a name and a plan");
        let seats = vec![OwnMemory::new(motion.alternatives.len()); names.len()];
        let (circles, names) = (circles.split_by(plans), names.into());
        let new_hall = |plan: &MemoryPlan| Hall {
            plan: *plan,
            floor: Floor::new(plan, motion, Arc::clone(&names)),
            talks: TalkVersions::new(plan, motion),
        };
        let mut halls: Vec<Option<Hall>> = vec![None; circles.count()];
        for (seat, plan) in (0..).map(SeatId).zip(plans) {
            halls[circles.circle(seat)].get_or_insert_with(|| new_hall(plan));
        }
        let halls = halls.into_iter().map(|hall| hall.expect("invariant: every circle has a seat")).collect();
        Self { circles, halls, seats, speaking: None }
    }

    /// A phase or a round begins.
    pub fn begin_part(&mut self, phase: &PhaseName) {
        self.halls.iter_mut().for_each(|hall| hall.floor.begin_part(phase));
    }

    /// A statement is heard by all whom the network lets hear it, an announcement by everyone. Where everyone hears everyone this
    /// costs no more with a thousand seats than with three; otherwise once for all who hear the same.
    ///
    /// # Panics
    /// When the speaker or the declared alternative is none of the session's.
    pub fn add_remark(
        &mut self,
        said: RemarkHeader,
        event: FloorEvent,
        public_name: &str,
        text: impl Into<String>,
        stance: Option<Choice>,
    ) {
        if let (Some(speaker), Some(stance)) = (said.speaker, stance) {
            let place = self.floor(speaker).len();
            self.seats[speaker.index()].note_stance(place, stance.alternative);
        }
        let text: Arc<str> = text.into().into();
        let mut rendered: Option<(MemoryPlan, RenderedRemark)> = None;
        for place in self.heard_in(said) {
            let Hall { plan, floor, talks } = &mut self.halls[place];
            talks.add_statement(said, floor.len(), public_name, stance);
            let (_, rendered) = match rendered.take() {
                Some(as_before) if as_before.0 == *plan => rendered.insert(as_before),
                _ => rendered.insert((*plan, floor.render_remark(plan, (said, event), public_name, &text, stance))),
            };
            floor.push(plan, rendered);
        }
        self.speaking = said.speaker;
    }

    /// The newest remark declares this opinion; an announcement that of the group.
    ///
    /// # Panics
    /// When nothing was said.
    pub fn set_opinion(&mut self, opinion: Option<Opinion>) {
        match self.speaking {
            Some(speaker) => {
                self.circles.hearing(speaker).for_each(|circle| self.halls[circle].floor.set_opinion(opinion));
            }
            None => self.halls.iter_mut().for_each(|hall| hall.floor.set_opinion(opinion)),
        }
    }

    /// The newest remark carries these marks; `others` are the seats that take part beside any one.
    ///
    /// # Panics
    /// When nobody has spoken, or the newest remark is no statement.
    pub fn add_marks(&mut self, marks: &[Marked], others: u32) {
        if marks.is_empty() {
            return;
        }
        let seat = self.speaking.expect("invariant: marks belong to a statement");
        for circle in self.circles.hearing(seat) {
            let Hall { plan, floor, talks } = &mut self.halls[circle];
            let newest = floor.remarks().last().expect("invariant: marks belong to a statement");
            let Remark { seq, round, turn, stance, .. } = *newest;
            let stated = MarkedStatement { seq, number: Number { round, turn }, seat, place: floor.len() - 1, stance };
            talks.add_marks(stated, &newest.text, marks, others);
            if plan.pins_statement(marks) {
                floor.pin_newest();
            }
        }
    }

    /// The proposals that a seat has heard so far, and how they stand by what it has heard.
    pub fn proposals(&self, seat: SeatId) -> &Proposals {
        self.talk_versions(seat).full_talk().proposals()
    }

    /// One seat keeps something for itself. Its reasoning is cut to its own limit and labelled as such; of anything else that
    /// is not pinned, only what would be over the memory's limit all alone.
    pub fn keep_entry(&mut self, seat: SeatId, mut entry: OwnEntry) {
        let chars_max = self.plan(seat).entry_limit(entry.kind, self.floor(seat).language());
        let cut = text::truncate_text(&entry.text, u32::try_from(chars_max).unwrap_or(u32::MAX));
        cut.apply(&mut entry.text);
        if entry.kind == EntryKind::OwnReasoning {
            entry.text.insert_str(0, notice::thought_label(self.floor(seat).language()));
        }
        let remarks = self.floor(seat).len();
        let plan = *self.plan(seat);
        self.seats[seat.index()].keep_entry(&plan, remarks, entry);
    }

    /// What a seat is shown now, borrowed, and the same as coordinates.
    pub fn recall_brief(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        let view = self.seat_viewer(seat).brief_view();
        let recalled = self.recalled_statements(seat, &view);
        self.build_brief(seat, view, recalled)
    }

    /// The same for a small question: beside what is pinned only the decisions and the open proposals, where there are any and
    /// where a policy tells them; what is shown otherwise, where not.
    pub fn recall_short(&self, seat: SeatId) -> (Brief<'_>, Shown) {
        match self.seat_viewer(seat).short_view() {
            Some(view) => self.build_brief(seat, view, Vec::new()),
            None => self.recall_brief(seat),
        }
    }

    /// Of the older statements that a seat is not shown, those that answer best what the talk is about now, in their order: as
    /// many as the plan says, as far as they have room within the memory's limit once more, and beside all else within what the
    /// seat's model takes.
    fn recalled_statements(&self, seat: SeatId, view: &View) -> Vec<u32> {
        // Under the policy `none` a seat is shown who it is and the question.
        let recall = self.plan(seat).recall.filter(|_| !self.plan(seat).policy.terms().keeps_nothing());
        let Some((most, index)) = recall.zip(self.floor(seat).statement_index()) else { return Vec::new() };
        let sight = self.seat_viewer(seat);
        let within = sight.own.forgotten_until()..view.statements.start;
        let mut shown_or_forgotten = Cow::Borrowed(&sight.own.lapses().floor);
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

    /// The statements that a seat has heard and that answer a text best, as positions on the floor, the best first.
    pub fn look_up(&self, seat: SeatId, text: &str) -> Vec<u32> {
        /// How many are shown at the most.
        const MOST: usize = 5;
        let own = &self.seats[seat.index()];
        let within = own.forgotten_until()..self.floor(seat).len();
        self.floor(seat)
            .statement_index()
            .map_or_else(Vec::new, |index| index.find_best(text, within, &own.lapses().floor, MOST))
    }

    /// How long what a seat is shown is, without what is pinned.
    fn shown_chars(&self, seat: SeatId) -> u64 {
        let sight = self.seat_viewer(seat);
        let view = sight.brief_view();
        sight.view_chars(&view) + self.chars_of(seat, &self.recalled_statements(seat, &view))
    }

    /// How long statements at these positions are.
    fn chars_of(&self, seat: SeatId, places: &[u32]) -> u64 {
        places.iter().map(|place| self.floor(seat).chars_at(*place as usize)).sum()
    }

    /// The memory's part of the same: without what only the public history holds.
    pub fn memory_brief(&self, seat: SeatId) -> Brief<'_> {
        self.build_brief(seat, self.seat_viewer(seat).memory_view(), Vec::new()).0
    }

    /// Everything that a seat's memory has in hand, before any limit is applied.
    pub fn in_hand(&self, seat: SeatId) -> Brief<'_> {
        self.build_brief(seat, self.seat_viewer(seat).full_view(), Vec::new()).0
    }

    /// From now on a seat is shown, beside what is pinned, half of what it would be shown now: its model said that it was too
    /// much. Where that would leave it less than [`RENDERED_LIMIT_MIN`] it is shown what is pinned and nothing else, until it has
    /// answered.
    pub fn halve_brief(&mut self, seat: SeatId) {
        // Where the talk stands gives way to the last of what else is shown.
        let is_much =
            self.shown_chars(seat) > RENDERED_LIMIT_MIN || self.seat_viewer(seat).brief_view().standing.is_some();
        let chars_max = self.halved_limit(seat, self.shown_chars(seat));
        let own = &mut self.seats[seat.index()];
        if is_much { own.limit_allowance(chars_max) } else { own.set_bare() }
    }

    /// Whether a seat would be shown less after [`Memory::halve_brief`] than it would be shown now.
    pub fn can_halve(&self, seat: SeatId) -> bool {
        self.shown_chars(seat) > 0
    }

    /// The same as [`Memory::halve_brief`], where a small question was too much.
    pub fn halve_short(&mut self, seat: SeatId) {
        if self.seat_viewer(seat).short_view().is_none() {
            return self.halve_brief(seat);
        }
        let chars = self.short_chars(seat);
        let chars_max = self.halved_limit(seat, chars);
        let own = &mut self.seats[seat.index()];
        if chars > RENDERED_LIMIT_MIN { own.limit_allowance(chars_max) } else { own.set_bare() }
    }

    /// Whether a seat would be shown less with a small question after [`Memory::halve_short`].
    pub fn can_halve_short(&self, seat: SeatId) -> bool {
        self.short_chars(seat) > 0
    }

    /// A seat has answered, or lost its turn: it is shown as much as its model takes again.
    pub fn restore_brief(&mut self, seat: SeatId) {
        self.seats[seat.index()].clear_bare();
    }

    fn short_chars(&self, seat: SeatId) -> u64 {
        let sight = self.seat_viewer(seat);
        sight.short_view().map_or_else(|| self.shown_chars(seat), |view| sight.view_chars(&view))
    }

    /// How long what a seat is shown may be because its model refused more, in characters, what is pinned counted; `None` where it
    /// refused nothing.
    pub fn allowance(&self, seat: SeatId) -> Option<u64> {
        let own = &self.seats[seat.index()];
        match own.is_bare() {
            true => Some(own.pinned_chars() + self.floor(seat).pinned_chars()),
            false => Some(own.allowance()).filter(|allowance| *allowance < u64::MAX),
        }
    }

    /// The same of what it is shown to make its memory shorter.
    pub fn allowance_to_write(&self, seat: SeatId) -> Option<u64> {
        Some(self.seats[seat.index()].writing_allowance()).filter(|allowance| *allowance < u64::MAX)
    }

    /// What a seat's memory holds.
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

    /// How much of the statements that a seat could hear it was shown with a question.
    pub fn count_shown_chars(&self, seat: SeatId, shown: &Shown) -> StatementChars {
        self.floor(seat).count_shown_chars(shown)
    }

    /// The length of the public history of what a seat hears, in characters as it is measured: in the narrative style and with
    /// the seats' true names.
    pub fn public_chars(&self, seat: SeatId) -> u64 {
        self.floor(seat).public_chars()
    }

    /// Whether the remark at a position on a seat's floor is never dropped.
    pub fn is_pinned(&self, seat: SeatId, place: usize) -> bool {
        self.floor(seat).is_pinned(place)
    }

    /// What the remark at a position on a seat's floor is.
    ///
    /// # Panics
    /// When there is none.
    pub fn floor_event(&self, seat: SeatId, place: usize) -> FloorEvent {
        self.floor(seat).remark(place).1
    }

    fn seat_viewer(&self, seat: SeatId) -> MemoryViewer<'_> {
        let (own, standing) = (&self.seats[seat.index()], self.standing_chars(seat));
        MemoryViewer { plan: self.plan(seat), floor: self.floor(seat), own, standing }
    }

    /// Half of a length, as what a seat is shown at the most.
    fn halved_limit(&self, seat: SeatId, chars: u64) -> u64 {
        let pinned = self.seats[seat.index()].pinned_chars() + self.floor(seat).pinned_chars();
        pinned.saturating_add((chars / 2).max(RENDERED_LIMIT_MIN))
    }

    /// A view as a brief, and as coordinates.
    fn build_brief(&self, seat: SeatId, view: View, recalled: Vec<u32>) -> (Brief<'_>, Shown) {
        let own = &self.seats[seat.index()];
        let omitted = (self.seat_viewer(seat).omitted_count(&view) - recalled.len()) as u32;
        let is_cut = self.seat_viewer(seat).is_cut(&view);
        let heard = self.build_heard(seat, &view, &recalled);
        let View { summaries, statements, notices, own: entries, history, pinned, standing } = view;
        let lapses = own.lapses();
        let brief = Brief {
            seat,
            style: self.plan(seat).guidance_style,
            remarks: self.floor(seat).shown_remarks(lapses, (&statements, history), &notices, pinned.0),
            summaries: own.summaries(summaries.clone()),
            since: self.summary_starts(seat, own, summaries.clone()),
            standing: standing.map(|extent| self.standing_words(seat, extent)),
            pinned: &own.pinned_entries()[..pinned.1],
            own: own.entries(entries.clone()),
            heard,
            recalled: recalled.clone(),
            found: None,
            signal: None,
            facts: &[],
            case: &[],
            is_cut,
            full_from: self.floor(seat).remarks().get(history).map(|remark| remark.seq),
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

    /// What others are heard to favour in a view, and what they propose.
    fn build_heard(&self, seat: SeatId, view: &View, recalled: &[u32]) -> Heard<'_> {
        let (own, end) = (&self.seats[seat.index()], view.statements.end);
        let (start, lapses) = (view.statements.start, own.lapses());
        let is_newest = end == self.floor(seat).len() && start < end;
        let between = |part: std::ops::Range<usize>| HeardBetween {
            all: (self.floor(seat).stances_before(part.end), self.floor(seat).stances_before(part.start)),
            own: (own.stances_before(part.end), own.stances_before(part.start)),
        };
        let is_shown = |place: usize| place >= start && (place >= view.history || !lapses.floor.holds(place));
        let HeardBetween { all, own: of_own } = between(start..end);
        // The public history forgets nothing; who reads all of it is told no less of what was marked.
        let talk = match (view.standing, self.plan(seat).history) {
            (None, HistoryInBrief::Full) => self.talk_versions(seat).full_talk(),
            _ => self.talk(seat),
        };
        let proposals = talk.proposals();
        Heard {
            all,
            own: of_own,
            forgotten: lapses.floor.within(start..end.min(view.history)).map(between).collect(),
            amounts: if is_newest { self.floor(seat).last_amounts(lapses, view.history) } else { Cow::Borrowed(&[]) },
            from: start as u32,
            round_from: self.floor(seat).round_from() as u32,
            proposal: match view.standing {
                Some(_) => proposals.to_answer(seat, |_| true),
                None => {
                    let is_told =
                        |place: usize| is_shown(place) || view.pinned.0 > 0 && self.floor(seat).is_pinned(place);
                    proposals.to_answer(seat, is_told).filter(|_| is_newest)
                }
            },
            own_proposal: proposals.newest_own(seat),
            own_open: proposals.own_open(seat, |place| {
                is_shown(place) && place < end || recalled.binary_search(&(place as u32)).is_ok()
            }),
            backed: proposals.last_backed(seat),
            recalled: self.recollected_stances(seat, recalled, view, is_shown),
        }
    }

    /// What was declared in these older statements, in those that are pinned, and in those of which it is told though they are not
    /// among the ones shown.
    fn recollected_stances(
        &self,
        seat: SeatId,
        recalled: &[u32],
        view: &View,
        is_shown: impl Fn(usize) -> bool,
    ) -> Vec<Recollected> {
        let mut places: BTreeSet<usize> = recalled.iter().map(|place| *place as usize).collect();
        places.extend(self.floor(seat).pinned_statements(view.pinned.0));
        places.extend(view.standing.into_iter().flat_map(|extent| self.standing_stance_places(seat, extent)));
        let declared = places.into_iter().filter(|place| !is_shown(*place)).filter_map(|place| {
            let (remark, _) = self.floor(seat).remark(place);
            Some(Recollected { is_own: remark.speaker == Some(seat), stance: remark.stance? })
        });
        declared.collect()
    }
}
