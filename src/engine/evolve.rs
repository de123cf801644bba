//! What a record does. The only writer of the state.

use super::ballot_box::HeldVote;
use super::deliberation::Deliberation;
use super::stage::Stage;
use crate::domain::{
    Adjourned, Assigned, Briefing, Computed, ComputedValues, Consequence, Draft, EntryKind, Event, Extent, Fault,
    Faulted, Matter, MemoryAct, OwnEntry, PhaseName, PhaseOpened, Record, Reminded, RoundClosed, RoundOpened, SeatId,
    SeatName, Seq, Spared, Step, TallyReport, Voice,
};
use crate::memory::{FloorEvent, guidance, notice};
use crate::plan::PhaseKind;

impl Deliberation<'_> {
    /// Lets a record take effect. The record was minuted before.
    ///
    /// # Panics
    /// When the record is not one that this session's procedure called for.
    pub fn evolve(&mut self, record: &Record) {
        self.take_effect(record);
        self.find_beat();
        if let Some(departure) = &mut self.departure {
            departure.note_record(record);
        }
    }

    /// Minutes drafts and lets each take effect, where nobody keeps the records.
    ///
    /// # Panics
    /// As [`Self::evolve`].
    pub fn take_drafts(&mut self, drafts: Vec<Draft>) {
        for draft in drafts {
            let record = self.minute(draft);
            self.evolve(&record);
        }
    }

    fn take_effect(&mut self, record: &Record) {
        self.count_record(record);
        self.taken.add(record);
        self.take_beginning(record);
        match (&record.event, self.course.stage) {
            (Event::Convened(_), Stage::Convening) if !self.seated.is_empty() => {
                self.course.stage = Stage::Seating;
            }
            (Event::Convened(_), Stage::Convening) | (Event::Seated { .. }, Stage::Seating) => self.prepare(0),
            (Event::Briefed(briefing), Stage::Preparing(position)) => {
                self.brief_seats(record, briefing);
                self.prepare(position + 1);
            }
            (Event::Seated { seats }, Stage::Naming) => self.give_names(seats),
            (Event::PhaseOpened(PhaseOpened { who, heard_by, .. }), Stage::Opening(place)) => {
                self.admit_seats(place, who, heard_by.as_deref());
                self.mark_visited(place);
                self.begin_part(record);
                self.intervene(place, 0, 0);
            }
            (Event::Reminded(Reminded { to, act, .. }), Stage::Forgetting(_, next)) => {
                self.remind(to, act);
                self.enter(next);
            }
            (_, Stage::Intervening(place, round, position)) => self.intervened(record, (place, round, position)),
            (Event::Briefed(briefing), stage) => self.briefed(record, briefing, stage),
            (Event::RoundOpened(RoundOpened { order, .. }), Stage::Ordering(place, round)) => {
                self.begin_part(record);
                self.course.order = order.iter().map(|name| self.seat_id(name)).collect();
                self.course.converging.begin_round();
                for seat in self.gathered_at(place) {
                    self.standing[seat.index()].statements = None;
                }
                self.intervene(place, round, 0);
            }
            (Event::RoundOpened(RoundOpened { multiplier, .. }), Stage::Situating(place, round)) => {
                self.memory.begin_part(&record.at.phase);
                self.situation = Some((self.situation_of(round, *multiplier), *multiplier));
                for standing in &mut self.standing {
                    standing.applied = None;
                    standing.statements = None;
                }
                self.intervene(place, round, 0);
            }
            (Event::Paid(payment), Stage::Paying(place, round)) => {
                self.paid(record, payment);
                self.finish(place, round);
            }
            (Event::Computed(Computed { values, .. }), Stage::Computing(place, position)) => {
                self.computed(place, position, values);
                self.compute_from(place, position + 1);
            }
            (
                Event::Computed(Computed { values: ComputedValues::Texts(texts), .. }),
                Stage::Keeping(place, position),
            ) => {
                self.kept(place, position, texts);
            }
            (Event::Assigned(Assigned { name, groups, roles }), Stage::Assigning(place, position)) => {
                self.take_assignment((place, position), name, (roles, groups));
            }
            (Event::PhaseSkipped(_), Stage::Skipping(place, next, _)) => {
                self.mark_visited(place);
                self.default_where_left_out(place..next);
                self.enter(next);
            }
            (Event::PhaseSkipped(_), Stage::SkippingForNobody(place)) => {
                self.mark_visited(place);
                self.default_where_left_out(place..place + 1);
                self.enter(place + 1);
            }
            (Event::LoopEnded(_), Stage::EndingLoop(place, block)) => {
                let end = self.plan.blocks[block].end;
                self.default_where_left_out(place + 1..end);
                self.enter(end);
            }
            (event, Stage::Asking) if event.given().is_some() => self.answered(record),
            (Event::Tallied(report), Stage::Counting(place, round)) => self.tallied(record, report, place, round),
            (Event::RoundClosed(RoundClosed { convergence, .. }), Stage::Closing(place, round)) => {
                self.after_round(place, round, *convergence);
            }
            (Event::Adjourned(Adjourned { verdict, .. }), Stage::Adjourning) => {
                self.course.stage = Stage::Adjourned(*verdict)
            }
            (event, stage) => unreachable!("invariant: the stage {stage:?} does not call for {event:?}"),
        }
    }

    fn take_assignment(
        &mut self,
        (place, position): (usize, usize),
        name: &str,
        (roles, groups): (&[String], &[Vec<SeatName>]),
    ) {
        match roles.is_empty() {
            true => self.assigned(name, groups),
            false => self.assign_roles(place, name, (roles, groups)),
        }
        self.assign_from(place, position + 1);
    }

    /// Procedure told seats something.
    fn briefed(&mut self, record: &Record, briefing: &Briefing, stage: Stage) {
        self.brief_seats(record, briefing);
        match stage {
            Stage::Briefing(place) => {
                if let group @ Some(_) = briefing.group() {
                    self.memory.set_opinion(group);
                }
                self.finish(place, 0);
            }
            Stage::BriefingSeat(place, seat) => self.brief_from(place, seat.0 + 1),
            Stage::Manipulating(place, seat) => {
                let Matter::Instruction { pushes, .. } = &briefing.what else {
                    unreachable!("invariant: a manipulator is told what to push")
                };
                self.standing[seat].pushes = pushes.as_ref().map(|name| self.alternative(name));
                self.manipulate(place, seat + 1);
            }
            Stage::CountingDown(place, round) => self.next_turn(place, round, 0),
            Stage::Imposing(place) => {
                self.decided = briefing.decision();
                self.enter(place);
            }
            stage => unreachable!("invariant: the stage {stage:?} tells nobody anything"),
        }
    }

    /// An intervention of the plan was made.
    fn intervened(&mut self, record: &Record, (place, round, position): (usize, u32, usize)) {
        match &record.event {
            Event::Briefed(briefing) => self.brief_seats(record, briefing),
            Event::Marked { to, by, phase, of: Some(of), .. } => self.keep_marked(record, to, *by, (phase, *of)),
            Event::Marked { of: None, .. } => {}
            Event::Reminded(Reminded { to, act, .. }) => {
                self.remind(to, act);
                return self.shorten(place, round, position);
            }
            event => unreachable!("invariant: {event:?} is no intervention"),
        }
        self.intervene(place, round, position + 1);
    }

    fn answered(&mut self, record: &Record) {
        let name = record.seat.as_ref().expect("invariant: an answer names its seat");
        let seat = self.seat_id(name);
        self.switch_to_group_of(seat);
        let given = record.event.given().expect("invariant: an answer tells what was shown");
        self.standing[seat.index()].mind.clone_from(&given.state);
        // What is shown to rewrite a memory, or in a short brief, does not say what a seat can read of the talk.
        let is_rewriting = matches!(record.at.step, Step::Integration | Step::Compression | Step::Notes);
        if !is_rewriting && given.shown.standing != Some(Extent::Short) {
            self.standing[seat.index()].statements = Some(self.memory.count_shown_chars(seat, &given.shown));
        }
        if let Event::Faulted(Faulted { fault, field, then, .. }) = &record.event {
            if *fault == Fault::ContextTooLong {
                match record.at.step {
                    _ if self.is_shown_found(seat) => self.put_away(seat),
                    Step::Compression => self.memory.halve_oldest(seat),
                    step if step.is_small() => self.memory.halve_short(seat),
                    _ => self.memory.halve_brief(seat),
                }
            }
            if *then == Consequence::AskedAgain {
                self.course.asking.again(seat, *fault, field.clone());
                return;
            }
        }
        if let Event::Inquired(_) = record.event {
            self.inquired(record, seat);
            return;
        }
        self.standing[seat.index()].inquired = None;
        self.memory.restore_brief(seat);
        self.course.asking.held.push((seat, record.clone()));
        // Groups wait for each other.
        if self.course.asking.settle(seat) && self.side.is_none() {
            self.release();
            self.proceed();
        }
    }

    /// Seats keep a statement that they heard, quoted as it is remembered.
    fn keep_marked(&mut self, record: &Record, to: &[SeatName], by: Voice, (phase, of): (&PhaseName, Seq)) {
        let (style, motion) = (self.plan.memory.guidance_style, &self.plan.motion);
        for seat in self.addressed(to) {
            let Some(remark) = self.memory.heard_of(seat, of) else { continue };
            let speaker = remark.speaker.expect("invariant: a statement has a speaker");
            let line =
                guidance::remark_line((remark, &guidance::kept_text(remark)), self.public_name(speaker), style, motion);
            let (phase, round, text) = (phase.clone(), remark.round, notice::marked_line(&line, by, motion.language));
            self.memory.keep_entry(seat, OwnEntry { seq: record.seq, phase, round, kind: EntryKind::Marked, text });
        }
    }

    /// The seats named, or all, as far as they take part.
    fn addressed(&self, to: &[SeatName]) -> Vec<SeatId> {
        match to {
            [] => self.present().collect(),
            named => {
                let named = named.iter().map(|name| self.seat_id(name));
                named.filter(|seat| !self.standing[seat.index()].is_excluded).collect()
            }
        }
    }

    /// The seats whose memory would stay as it is though it is to be made shorter.
    pub(super) fn spared(&self, to: &[SeatName], act: &MemoryAct) -> Vec<Spared> {
        let MemoryAct::Compact { .. } = act else { return Vec::new() };
        let spared = |seat: SeatId| {
            let why = self.memory.spared_reason(seat)?;
            Some(Spared { seat: self.seat_name(seat).clone(), why })
        };
        self.addressed(to).into_iter().filter_map(spared).collect()
    }

    /// Seats' memories are to be made shorter, or forget.
    fn remind(&mut self, to: &[SeatName], act: &MemoryAct) {
        for seat in self.addressed(to) {
            match act {
                MemoryAct::Compact { .. } => self.memory.demand_rewrite(seat),
                MemoryAct::Forget { phase } => self.memory.forget_unpinned(seat, phase.as_ref()),
            }
        }
    }

    fn tallied(&mut self, record: &Record, report: &TallyReport, place: usize, round: u32) {
        let (is_announced, decides) = (self.vote_terms(place).is_announced, self.vote_terms(place).decides);
        if is_announced {
            let event = if report.decided.is_some() { FloorEvent::TallyDecided } else { FloorEvent::TallyOpen };
            let text = self.tally_text(report, place);
            self.announce(record.seq, record.at.round, event, text);
        }
        if decides {
            self.votes_held += 1;
            self.is_short = report.quorum_met == Some(false);
            self.decided.clone_from(&report.decided);
            self.is_by_default = report.by_default;
        }
        if report.decided.is_some() && matches!(self.phase(place).kind, PhaseKind::Discussion(_)) {
            self.decided_talk = Some(place);
        }
        let voters = self.list_voters(place);
        self.held_votes
            .insert(place, HeldVote { report: report.clone(), motion: self.course.vote.motion.clone(), voters });
        self.finish(place, round);
    }
}
