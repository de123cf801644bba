//! What answers do when the last of an ask is in: to memories, votes, choices and standings.

use std::sync::Arc;

use super::asking::{Asked, Declared};
use super::ballot_box::Cast;
use super::deliberation::Deliberation;
use crate::domain::{
    AlternativeId, AlternativeName, Choice, EntryKind, FieldValue, Measure, NamedChoice, NamedValues, OpenBallots,
    OwnEntry, Record, Reply, SeatId, Seq, Step,
};
use crate::memory::{FloorEvent, RemarkHeader, RewriteReason, guidance, notice};
use crate::plan::{PhaseKind, TEST_TRIES};
use crate::prompt::TestFacts;

impl Deliberation<'_> {
    /// Lets everything take effect that was held back.
    pub(super) fn release(&mut self) {
        for (seat, record) in std::mem::take(&mut self.course.asking.held) {
            self.take_answer(seat, &record);
        }
    }

    /// Lets an answer take effect, or a question that stays unanswered.
    pub(super) fn take_answer(&mut self, seat: SeatId, record: &Record) {
        match record.reply() {
            Some(reply) => self.take_reply(seat, record, reply),
            None => self.take_loss(seat, record),
        }
    }

    /// Lets a valid answer take effect.
    fn take_reply(&mut self, seat: SeatId, record: &Record, reply: Reply<AlternativeName>) {
        let seq = record.seq;
        match reply {
            Reply::Statement { text, stance, opinion } => {
                let stance = stance.map(|choice| self.find_choice(&choice));
                self.spoken((seat, seq, record.at.turn), text, (stance, opinion));
                let others = self.asked_at(Step::Statement).count().saturating_sub(1);
                self.memory.add_marks(record.event.marks(), others as u32);
            }
            Reply::Note(text) if record.at.step == Step::Reasoning => {
                self.keep(seat, seq, EntryKind::OwnReasoning, text.to_string());
            }
            Reply::Note(text) => self.rewritten(seat, seq, Some(text.to_string())),
            Reply::Choice(choice) | Reply::Opined(choice, _) if record.at.step == Step::StrawPoll => {
                let motion = &self.plan.motion;
                if let (Some(_), Some(amount)) = (motion.only(), choice.amount) {
                    let text = notice::estimate_line(amount, motion.unit.as_deref(), motion.language);
                    self.keep(seat, seq, EntryKind::OwnAnswer, text);
                }
            }
            Reply::Choice(choice) | Reply::Opined(choice, _) => {
                let alternative = self.voted_option(&choice.alternative);
                self.ballot(seat, seq, Cast::For(Choice { alternative, amount: choice.amount }));
            }
            Reply::Ballot(ballot) => {
                let ballot = ballot.map(|name| self.voted_option(name));
                self.ballot(seat, seq, Cast::Over(ballot));
            }
            Reply::Abstention => self.ballot(seat, seq, Cast::Abstained),
            Reply::Reasoned { ballot, .. } => self.take_reply(seat, record, *ballot),
            Reply::Amount(amount) => self.amount(seat, seq, Some(amount)),
            Reply::Ranking { order, certainty } => {
                let text = notice::ranking_line(&Vec::from_iter(&order), certainty, self.plan.motion.tongue());
                let order = order.iter().map(|name| self.alternative(name)).collect();
                self.standing[seat.index()].ranking = Some(order);
                self.keep(seat, seq, EntryKind::OwnRanking, text);
            }
            Reply::Application { choice, certainty, .. } => {
                let (situation, _) = self.situation.as_ref().expect("invariant: a practice round has a situation");
                let text = notice::application_line(&situation.name, &choice, certainty, self.plan.motion.tongue());
                self.standing[seat.index()].applied = Some(self.find_choice(&choice));
                self.keep(seat, seq, EntryKind::OwnApplication, text);
            }
            Reply::Test(_) => self.tested(seat, seq, record.test_result()),
            Reply::Urgency(urgency) => self.standing[seat.index()].urgency = urgency,
            Reply::Assent(calls) if record.at.step == Step::VoteCall => {
                if calls {
                    self.called(seat, seq);
                }
            }
            Reply::Assent(true) => self.agreed(seat, seq),
            Reply::Assent(false) => self.declined(seat, seq),
            Reply::Form(_) => self.take_values(seat, record),
            Reply::Name(name) => self.naming.offered.push((seat, name.to_string())),
            Reply::Notes(note) => self.note(seat, &note),
            Reply::Pass | Reply::Recognition { .. } | Reply::Inquiry(_) => {}
        }
    }

    /// Lets a question that stays unanswered take effect.
    fn take_loss(&mut self, seat: SeatId, record: &Record) {
        let seq = record.seq;
        match record.at.step {
            Step::Ballot => self.ballot(seat, seq, Cast::Invalid),
            Step::Amount => self.amount(seat, seq, None),
            Step::Comprehension => self.tested(seat, seq, None),
            Step::Volunteer => self.standing[seat.index()].urgency = None,
            Step::Confirmation => self.declined(seat, seq),
            Step::Integration | Step::Compression => self.rewritten(seat, seq, None),
            _ => {}
        }
    }

    fn agreed(&mut self, seat: SeatId, seq: Seq) {
        let line = notice::agreed_line(self.public_name(seat), self.plan.motion.language);
        self.announce(seq, self.asked().round, FloorEvent::VoteAnswered, line);
    }

    fn declined(&mut self, seat: SeatId, seq: Seq) {
        self.course.vote.is_declined = true;
        let line = notice::declined_line(self.public_name(seat), self.plan.motion.language);
        self.announce(seq, self.asked().round, FloorEvent::VoteAnswered, line);
    }

    /// A seat answered a form of the scenario.
    fn take_values(&mut self, seat: SeatId, record: &Record) {
        let (place, seq) = (self.asked().phase, record.seq);
        let values = record.form_values().expect("invariant: a form is answered by values");
        let phase = &self.plan.agenda[place];
        let own = self.own_answers_line(seat, place, values);
        let heard = phase.heard_by.is_some().then(|| self.heard_answers_line(seat, place, values));
        if let Some(order) = self.find_measured_order(place, values) {
            self.standing[seat.index()].ranking = Some(order);
        }
        let standing = &mut self.standing[seat.index()];
        match &phase.kind {
            PhaseKind::Form(form) if form.per.is_some() => {
                standing.about.insert(place, values.clone());
            }
            _ => {
                standing.answers.insert(place, values.iter().map(|(_, value)| value.cloned()).collect());
            }
        }
        self.keep(seat, seq, EntryKind::OwnAnswer, own);
        if let Some(heard) = heard {
            self.announce_answer(seat, seq, FloorEvent::Answer, heard);
        }
    }

    /// The order of the alternatives that the form of a phase measures; `None` if it measures none.
    fn find_measured_order(&self, place: usize, values: &NamedValues) -> Option<Vec<AlternativeId>> {
        let form = self.phase(place).kind.as_form()?;
        match values.find(form.find_measure(Measure::Ranking)?)?? {
            FieldValue::Ranks(levels) => levels.iter().flatten().map(|name| self.plan.motion.find(name)).collect(),
            _ => None,
        }
    }

    /// A seat's answers to the form of a phase, with the questions as it was asked them.
    fn own_answers_line(&self, seat: SeatId, place: usize, values: &NamedValues) -> String {
        let (form, motion) = (self.plan.form_for(seat, place), self.plan.motion_for(seat));
        let question = |field: usize, target: Option<SeatId>| {
            let fixed = form.fixed_question(field, motion.unit.as_deref());
            fixed.unwrap_or_else(|| self.short_question((seat, place), form, field, target))
        };
        let answers = form.list_answers(values, question, |target| self.public_name(target).to_owned());
        notice::answers_line(&answers, motion.language)
    }

    /// A seat's answers to the form of a phase, as others hear them.
    fn heard_answers_line(&self, seat: SeatId, place: usize, values: &NamedValues) -> String {
        let form = self.phase(place).kind.as_form().expect("invariant: a form belongs to its phase");
        let answers = self.plan.list_heard_answers(form, values, |target| self.public_name(target).to_owned());
        notice::heard_answers_line(self.public_name(seat), &answers, self.plan.motion.language)
    }

    /// Everyone hears a statement, or what is heard in its place.
    fn spoken(&mut self, (seat, seq, turn): (SeatId, Seq, u32), text: Arc<str>, declared: Declared) {
        let Asked { phase, round, .. } = self.asked();
        if self.discussion(phase).convergence.is_some() {
            self.course.converging.add_statement(seat, &text);
        }
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
            self.announce_answer(seat, seq, FloorEvent::VoteAnswered, heard);
        }
    }

    fn called(&mut self, seat: SeatId, seq: Seq) {
        self.course.vote.callers[seat.index()] = true;
        // All may have been asked at once; the first in the seeded order is the caller.
        let place = |caller: SeatId| self.course.vote.uncalled.iter().position(|other| *other == caller);
        if self.course.vote.caller.is_none_or(|caller| place(seat) > place(caller)) {
            self.course.vote.caller = Some(seat);
        }
        let line = notice::call_line(self.public_name(seat), self.plan.motion.language);
        self.announce(seq, self.asked().round, FloorEvent::VoteCalled, line);
    }

    fn tested(&mut self, seat: SeatId, seq: Seq, result: Option<(u32, bool)>) {
        self.standing[seat.index()].passed = Some(result.is_some_and(|(_, passed)| passed));
        let Some((correct, passed)) = result else { return };
        let of = self.comprehension_test(self.asked().phase).questions.len() as u32;
        let last_try = self.asked().round >= TEST_TRIES;
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

    /// The facilitator tells the other seats what a seat answered or voted; the seat remembers it as its own.
    fn announce_answer(&mut self, seat: SeatId, seq: Seq, event: FloorEvent, text: String) {
        let said = RemarkHeader { seq, round: self.asked().round, turn: 0, speaker: None };
        self.memory.add_answer(said, event, seat, text);
    }

    /// The option of a name on a ballot, in the vote under way.
    fn voted_option(&self, name: &AlternativeName) -> AlternativeId {
        let option = self.asked_terms().motion.find(name.as_str());
        option.expect("invariant: ballots name options of their vote")
    }

    /// The choice that the minutes name.
    pub(super) fn find_choice(&self, choice: &NamedChoice) -> Choice {
        Choice { alternative: self.alternative(&choice.alternative), amount: choice.amount }
    }

    /// The alternative of a name in the minutes.
    pub(super) fn alternative(&self, name: &AlternativeName) -> AlternativeId {
        self.plan.motion.find(name.as_str()).expect("invariant: minutes name alternatives of their motion")
    }
}
