//! What answers do when the last of an ask is in: to memories, votes, choices and standings.

use super::asking::{Asked, Declared, Effect, Held};
use super::deliberation::{Cast, Deliberation};
use crate::domain::{
    AlternativeId, AlternativeName, Choice, Consequence, EntryKind, Event, OwnEntry, Record, SeatId, Seq, Step,
};
use crate::memory::{FloorEvent, RemarkHeader, RewriteReason, guidance, notice};
use crate::plan::{OpenBallots, PhaseKind};
use crate::prompt::TestFacts;

impl Deliberation<'_> {
    /// What an answer will do; `None` for nothing.
    pub(super) fn effect(&self, record: &Record, seat: SeatId) -> Option<Held> {
        let effect = match &record.event {
            Event::Spoke { text, stance, stance_amount, opinion, marks, .. } => {
                let stance = stance.as_ref();
                let stance = stance.map(|name| Choice { alternative: self.alternative(name), amount: *stance_amount });
                Effect::Statement(text.clone(), (stance, *opinion), marks.clone())
            }
            Event::Reasoned { text, .. } => Effect::Reasoning(text.clone()),
            Event::Polled { alternative, amount, .. } => {
                Effect::Poll(Choice { alternative: self.alternative(alternative), amount: *amount })
            }
            Event::Balloted { alternative, amount, .. } => {
                let choice = Choice { alternative: self.voted_option(alternative), amount: *amount };
                Effect::Ballot(Cast::For(choice))
            }
            Event::Voted { ballot, .. } => Effect::Ballot(Cast::Over(ballot.map(|name| self.voted_option(name)))),
            Event::Abstained { .. } => Effect::Ballot(Cast::Abstained),
            Event::AmountNamed { amount, .. } => Effect::Amount(Some(*amount)),
            Event::Ranked { order, certainty, .. } => {
                Effect::Ranking(order.iter().map(|name| self.alternative(name)).collect(), *certainty)
            }
            Event::Applied { alternative, amount, certainty, .. } => {
                let choice = Choice { alternative: self.alternative(alternative), amount: *amount };
                Effect::Application(choice, *certainty)
            }
            Event::Tested { correct, passed, .. } => Effect::Test(Some((*correct, *passed))),
            Event::Volunteered { urgency, .. } => Effect::Urgency(*urgency),
            Event::CallAnswered { calls, .. } => Effect::Call(*calls),
            Event::Confirmed { agrees, .. } => Effect::Confirmation(*agrees),
            Event::Integrated { text, .. } | Event::Compressed { text, .. } => Effect::Rewriting(Some(text.clone())),
            Event::Answered { values, .. } => Effect::Values(values.clone()),
            Event::Named { name, .. } => Effect::Name(name.clone()),
            Event::Noted { note, .. } => Effect::Notes(note.clone()),
            Event::Faulted { then: Consequence::TriesUsedUp, .. } => match record.at.step {
                Step::Ballot => Effect::Ballot(Cast::Invalid),
                Step::Amount => Effect::Amount(None),
                Step::Comprehension => Effect::Test(None),
                Step::Volunteer => Effect::Urgency(None),
                Step::Confirmation => Effect::Confirmation(false),
                Step::Integration | Step::Compression => Effect::Rewriting(None),
                _ => return None,
            },
            _ => return None,
        };
        Some(Held { seq: record.seq, turn: record.at.turn, seat, effect })
    }

    /// Lets everything take effect that was held back.
    pub(super) fn release(&mut self) {
        for held in std::mem::take(&mut self.asking.held) {
            let Held { seq, turn, seat, effect } = held;
            match effect {
                Effect::Statement(text, declared, marks) => {
                    self.spoken((seat, seq, turn), text, declared);
                    let others = self.asked_at(Step::Statement).count().saturating_sub(1);
                    self.memory.add_marks(&marks, others as u32);
                }
                Effect::Reasoning(text) => self.keep(seat, seq, EntryKind::OwnReasoning, text),
                Effect::Poll(choice) => {
                    self.standing[seat.index()].polled = Some(choice);
                    let motion = &self.plan.motion;
                    if let (Some(_), Some(amount)) = (motion.only(), choice.amount) {
                        let text = notice::estimate_line(amount, motion.unit.as_deref(), motion.language);
                        self.keep(seat, seq, EntryKind::OwnAnswer, text);
                    }
                }
                Effect::Ballot(cast) => self.ballot(seat, seq, cast),
                Effect::Amount(amount) => self.amount(seat, seq, amount),
                Effect::Ranking(order, certainty) => {
                    let motion = &self.plan.motion;
                    let names: Vec<&AlternativeName> = order.iter().map(|id| motion.name(*id)).collect();
                    let text = notice::ranking_line(&names, certainty, motion.tongue());
                    self.standing[seat.index()].ranking = Some(order);
                    self.keep(seat, seq, EntryKind::OwnRanking, text);
                }
                Effect::Application(choice, certainty) => {
                    let (situation, _) = self.situation.as_ref().expect("invariant: a practice round has a situation");
                    let named = self.plan.motion.named(choice);
                    let text = notice::application_line(&situation.name, &named, certainty, self.plan.motion.tongue());
                    self.standing[seat.index()].applied = Some(choice);
                    self.keep(seat, seq, EntryKind::OwnApplication, text);
                }
                Effect::Test(result) => self.tested(seat, seq, result),
                Effect::Urgency(urgency) => self.standing[seat.index()].urgency = urgency,
                Effect::Call(true) => self.called(seat, seq),
                Effect::Call(false) => {}
                Effect::Confirmation(agrees) => {
                    self.vote.is_declined |= !agrees;
                    let name = self.public_name(seat);
                    let language = self.plan.motion.language;
                    let line = match agrees {
                        true => notice::agreed_line(name, language),
                        false => notice::declined_line(name, language),
                    };
                    self.announce(seq, self.asked().round, FloorEvent::VoteAnswered, line);
                }
                Effect::Rewriting(text) => self.rewritten(seat, seq, text),
                Effect::Values(values) => {
                    let place = self.asked().phase;
                    let standing = &mut self.standing[seat.index()];
                    match &self.plan.agenda[place].kind {
                        PhaseKind::Form(form) if form.per.is_some() => {
                            standing.about.insert(place, values.clone());
                        }
                        _ => {
                            standing.answers.insert(place, values.values().cloned().collect());
                        }
                    }
                    let phase = &self.plan.agenda[self.asked().phase].name;
                    let text = notice::answers_line(phase, &values, self.plan.motion_for(seat).language);
                    let name = self.public_name(seat);
                    let heard = (self.plan.agenda[place].heard_by.is_some())
                        .then(|| notice::heard_answers_line(name, phase, &values, self.plan.motion.language));
                    self.keep(seat, seq, EntryKind::OwnAnswer, text);
                    if let Some(heard) = heard {
                        self.announce(seq, self.asked().round, FloorEvent::Answer, heard);
                    }
                }
                Effect::Name(name) => self.naming.offered.push((seat, name)),
                Effect::Notes(note) => self.note(seat, &note),
            }
        }
    }

    /// Everyone hears a statement, or what is heard in its place.
    fn spoken(&mut self, (seat, seq, turn): (SeatId, Seq, u32), text: String, declared: Declared) {
        let Asked { phase, round, .. } = self.asked();
        self.compare(phase, seat, &text);
        let heard = match &mut self.lending {
            None => Some((text, declared)),
            Some(lending) => lending.heard((&self.plan.agenda[phase].name, round, turn), &text, &self.plan.motion),
        };
        let Some((text, (stance, opinion))) = heard else { return };
        let said = RemarkHeader { seq, round, turn, speaker: Some(seat) };
        let public_name = self.public_name(seat).to_owned();
        self.memory.add_remark(said, FloorEvent::Statement, &public_name, text, stance);
        self.memory.set_opinion(opinion);
    }

    fn ballot(&mut self, seat: SeatId, seq: Seq, cast: Cast) {
        let is_complete = match &cast {
            Cast::For(choice) => choice.amount.is_some() || !self.takes_amount(choice.alternative),
            Cast::Nothing | Cast::Invalid | Cast::Over(_) | Cast::Abstained => true,
        };
        self.standing[seat.index()].cast = cast;
        if is_complete {
            self.keep_ballot(seat, seq);
        }
    }

    fn amount(&mut self, seat: SeatId, seq: Seq, amount: Option<u32>) {
        let cast = &mut self.standing[seat.index()].cast;
        *cast = match (&*cast, amount) {
            (Cast::For(choice), Some(amount)) => Cast::For(Choice { amount: Some(amount), ..*choice }),
            _ => Cast::Invalid,
        };
        self.keep_ballot(seat, seq);
    }

    /// A seat remembers its own ballot, once it is complete.
    ///
    /// Where the vote is taken again and again, it does not: the next ballot would not be independent of it.
    fn keep_ballot(&mut self, seat: SeatId, seq: Seq) {
        if self.plan.matched.is_some() {
            return;
        }
        let terms = self.asked_terms();
        let (open, invalid, tongue) = (terms.open, terms.decision.invalid, terms.motion.tongue());
        let voted = self.voted(&self.standing[seat.index()].cast, terms.motion);
        let line = guidance::ballot_line(voted.as_ref(), tongue);
        let heard = guidance::roll_line(self.public_name(seat), voted.as_ref(), invalid, tongue);
        self.keep(seat, seq, EntryKind::OwnBallot, line);
        if open == OpenBallots::InTurn {
            self.announce(seq, self.asked().round, FloorEvent::VoteAnswered, heard);
        }
    }

    fn called(&mut self, seat: SeatId, seq: Seq) {
        self.vote.callers[seat.index()] = true;
        // All may have been asked at once; the first in the seeded order is the caller.
        let place = |caller: SeatId| self.vote.uncalled.iter().position(|other| *other == caller);
        if self.vote.caller.is_none_or(|caller| place(seat) > place(caller)) {
            self.vote.caller = Some(seat);
        }
        let line = notice::call_line(self.public_name(seat), self.plan.motion.language);
        self.announce(seq, self.asked().round, FloorEvent::VoteCalled, line);
    }

    fn tested(&mut self, seat: SeatId, seq: Seq, result: Option<(u32, bool)>) {
        self.standing[seat.index()].passed = Some(result.is_some_and(|(_, passed)| passed));
        let Some((correct, passed)) = result else { return };
        let of = match &self.phase(self.asked().phase).kind {
            crate::plan::PhaseKind::Comprehension(test) => test.questions.len() as u32,
            _ => unreachable!("invariant: tests belong to their phase"),
        };
        let last_try = self.asked().round >= crate::plan::TEST_TRIES;
        let text = self.plan.prompts.test_result(&TestFacts { correct, of, passed, last_try });
        self.keep(seat, seq, EntryKind::OwnTest, text.expect("invariant: templates were rehearsed"));
    }

    fn rewritten(&mut self, seat: SeatId, seq: Seq, text: Option<String>) {
        let why = match self.asked().step {
            Step::Integration => RewriteReason::Integration,
            _ => RewriteReason::Compression,
        };
        let Some(text) = text else {
            self.memory.skip_rewrite(seat, why);
            return;
        };
        let entry = self.entry(seq, EntryKind::Rewritten, text);
        self.memory.apply_rewrite(seat, entry, why);
    }

    /// A seat keeps something of the ask under way.
    fn keep(&mut self, seat: SeatId, seq: Seq, kind: EntryKind, text: String) {
        let entry = self.entry(seq, kind, text);
        self.memory.keep_entry(seat, entry);
    }

    fn entry(&self, seq: Seq, kind: EntryKind, text: String) -> OwnEntry {
        let asked = self.asked();
        OwnEntry { seq, phase: self.phase_name(asked.phase), round: asked.round, kind, text }
    }

    /// The facilitator tells every seat something.
    pub(super) fn announce(&mut self, seq: Seq, round: u32, event: FloorEvent, text: String) {
        let said = RemarkHeader { seq, round, turn: 0, speaker: None };
        self.memory.add_remark(said, event, "", text, None);
    }

    /// The option of a name on a ballot, in the vote under way.
    fn voted_option(&self, name: &AlternativeName) -> AlternativeId {
        let option = self.asked_terms().motion.find(name.as_str());
        option.expect("invariant: ballots name options of their vote")
    }

    /// The alternative of a name in the minutes.
    pub(super) fn alternative(&self, name: &AlternativeName) -> AlternativeId {
        self.plan.motion.find(name.as_str()).expect("invariant: minutes name alternatives of their motion")
    }
}
