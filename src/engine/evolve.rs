//! What a record does. The only writer of the state.

use super::asking::{Asked, Held};
use super::deliberation::{Deliberation, Stage};
use crate::domain::{Choice, Consequence, EntryKind, Event, Fault, OwnEntry, Record, SeatId, Step, TallyReport};
use crate::memory::{FloorEvent, Said, guidance};
use crate::plan::{PhaseKind, SpeakingOrder};

impl Deliberation<'_> {
    /// Lets a record take effect. The record was minuted before.
    ///
    /// # Panics
    /// When the record is not one that this session's procedure called for.
    pub fn evolve(&mut self, record: &Record) {
        self.count_record(record);
        match (&record.event, self.stage) {
            (Event::SessionConvened { .. }, Stage::Convening) => self.enter(0),
            (Event::PhaseOpened { .. }, Stage::Opening(place)) => self.opened(place),
            (Event::Instructed { text, .. }, Stage::Briefing(place)) => {
                self.announce(record, text.clone());
                self.enter(place + 1);
            }
            (Event::RoundOpened { order }, Stage::Ordering(place, round)) => {
                self.order = order.iter().map(|name| self.seat_id(name)).collect();
                self.ask_to_speak(place, round, 0);
            }
            (
                Event::Spoke { .. }
                | Event::Passed { .. }
                | Event::Polled { .. }
                | Event::Balloted { .. }
                | Event::Faulted { .. },
                Stage::Asking,
            ) => self.answered(record),
            (Event::Tallied(report), Stage::Counting(place, round)) => self.tallied(record, report, place, round),
            (Event::RoundClosed { .. }, Stage::Closing(place, round)) => {
                if self.decided.is_none() && round < self.discussion(place).rounds.get() {
                    self.stage = Stage::Ordering(place, round + 1);
                } else {
                    self.enter(place + 1);
                }
            }
            (Event::Adjourned { verdict, .. }, Stage::Adjourning) => self.stage = Stage::Adjourned(*verdict),
            (event, stage) => unreachable!("invariant: the stage {stage:?} does not call for {event:?}"),
        }
    }

    /// Goes to a phase, or to the end. Once the group has decided, phases that vote are left out.
    fn enter(&mut self, place: usize) {
        let agenda = &self.plan.agenda[place.min(self.plan.agenda.len())..];
        let votes = |kind: &PhaseKind| match kind {
            PhaseKind::Ballot => true,
            PhaseKind::Discussion(discussion) => discussion.votes_in_rounds(),
            _ => false,
        };
        let needed = |kind: &PhaseKind| self.decided.is_none() || !votes(kind);
        self.stage = match agenda.iter().position(|phase| needed(&phase.kind)) {
            Some(ahead) => Stage::Opening(place + ahead),
            None => Stage::Adjourning,
        };
    }

    fn opened(&mut self, place: usize) {
        match &self.phase(place).kind {
            PhaseKind::Brief { .. } => self.stage = Stage::Briefing(place),
            PhaseKind::Ask { .. } => self.ask_all(place, 0, Step::StrawPoll),
            PhaseKind::Discussion(_) => self.stage = Stage::Ordering(place, 1),
            PhaseKind::Ballot => self.ask_all(place, 0, Step::Ballot),
            _ => unreachable!("invariant: no plan has such a phase yet"),
        }
    }

    fn ask_all(&mut self, phase: usize, round: u32, step: Step) {
        let members = self.all_seats();
        self.asking.begin(Asked { phase, round, turn: 0, step }, members);
        self.stage = Stage::Asking;
    }

    /// Asks the next to speak: one seat, or all of them at once.
    fn ask_to_speak(&mut self, phase: usize, round: u32, spoken: usize) {
        let asked = Asked { phase, round, turn: spoken as u32 + 1, step: Step::Statement };
        let now = match self.discussion(phase).order {
            SpeakingOrder::Simultaneous => self.order.as_slice(),
            _ => &self.order[spoken..=spoken],
        };
        self.asking.begin(asked, now.iter().copied());
        self.stage = Stage::Asking;
    }

    fn answered(&mut self, record: &Record) {
        let name = record.seat.as_ref().expect("invariant: an answer names its seat");
        let seat = self.seat_id(name);
        let given = record.event.given().expect("invariant: an answer tells what was shown");
        self.states[seat.index()].clone_from(&given.state);
        if let Event::Faulted { fault, then, .. } = &record.event {
            if *fault == Fault::ContextTooLong {
                self.memory.halve(seat);
            }
            if *then == Consequence::AskedAgain {
                self.asking.again(seat, *fault);
                return;
            }
        }
        if let Some(held) = self.effect(record, seat) {
            self.asking.held.push(held);
        }
        if self.asking.settle(seat) {
            self.release();
            self.proceed();
        }
    }

    /// What an answer will do to memories.
    fn effect(&self, record: &Record, seat: SeatId) -> Option<Held> {
        let seq = record.seq;
        let find = |name: &crate::domain::AlternativeName| {
            let found = self.plan.motion.find(name.as_str());
            found.expect("invariant: minutes name alternatives of their motion")
        };
        match &record.event {
            Event::Spoke { text, stance, stance_amount, .. } => Some(Held::Statement {
                seq,
                turn: record.at.turn,
                seat,
                text: text.clone(),
                stance: stance.as_ref().map(|name| Choice { alternative: find(name), amount: *stance_amount }),
            }),
            Event::Balloted { alternative, .. } => Some(Held::Ballot { seq, seat, choice: Some(find(alternative)) }),
            Event::Faulted { .. } if record.at.step == Step::Ballot => Some(Held::Ballot { seq, seat, choice: None }),
            _ => None,
        }
    }

    /// Lets everything take effect that was held back.
    fn release(&mut self) {
        let asked = self.asking.what.expect("invariant: an ask says what it asks");
        for held in std::mem::take(&mut self.asking.held) {
            match held {
                Held::Statement { seq, turn, seat, text, stance } => {
                    let said = Said { seq, round: asked.round, turn, speaker: Some(seat) };
                    let public_name = &self.plan.seats[seat.index()].agent.public_name;
                    self.memory.witness(said, FloorEvent::Statement, public_name, text, stance);
                }
                Held::Ballot { seq, seat, choice } => {
                    match choice {
                        Some(choice) => self.cast.0[choice.index()] += 1,
                        None => self.cast.1 += 1,
                    }
                    let choice = choice.map(|choice| self.plan.motion.named(choice.into()));
                    let text = guidance::ballot_line(choice.as_ref());
                    let phase = self.plan.agenda[asked.phase].name.clone();
                    let entry = OwnEntry { seq, phase, round: asked.round, kind: EntryKind::OwnBallot, text };
                    self.memory.keep(seat, entry);
                }
            }
        }
    }

    /// Goes on after an ask: to the next speaker, a poll, a vote, a count, the end of the round or of the phase.
    fn proceed(&mut self) {
        let Asked { phase, round, turn, step } = self.asking.what.expect("invariant: an ask says what it asks");
        if step == Step::Ballot {
            self.stage = Stage::Counting(phase, round);
            return;
        }
        if round == 0 {
            self.enter(phase + 1);
            return;
        }
        let discussion = self.discussion(phase);
        let (poll, vote) = (discussion.poll_each_round, discussion.votes_in_rounds());
        let spoken = (turn as usize).max(self.asking.members.len());
        match step {
            Step::Statement if spoken < self.order.len() => self.ask_to_speak(phase, round, spoken),
            Step::Statement if poll => self.ask_all(phase, round, Step::StrawPoll),
            _ if vote => self.ask_all(phase, round, Step::Ballot),
            _ => self.stage = Stage::Closing(phase, round),
        }
    }

    fn tallied(&mut self, record: &Record, report: &TallyReport, place: usize, round: u32) {
        self.announce(record, guidance::tally_line(report));
        self.cast.0.fill(0);
        self.cast.1 = 0;
        self.votes_held += 1;
        self.decided = report.decided.as_ref().and_then(|name| self.plan.motion.find(name.alternative.as_str()));
        if round == 0 {
            self.enter(place + 1);
        } else {
            self.stage = Stage::Closing(place, round);
        }
    }

    /// The facilitator tells every seat something.
    fn announce(&mut self, record: &Record, text: String) {
        let said = Said { seq: record.seq, round: record.at.round, turn: 0, speaker: None };
        self.memory.witness(said, FloorEvent::Instruction, "", text, None);
    }
}
