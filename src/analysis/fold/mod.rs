//! Folds one session's records into rows.
//!
//! Rows become CSV bytes as soon as they are known, and no record is kept. A record takes constant time, a round one pass over
//! its seats.

mod answers;
mod case_facts;
mod charge;
mod choices;
mod comprehension;
mod end;
mod influence;
mod language;
mod marks;
mod memory;
mod opinion;
mod pay;
mod seats;
mod state;
mod talk;
mod value;
mod values;
mod votes;

pub use state::{FoldedSession, ForeignRecord, Rows, SessionFold};

use crate::analysis::column::put_row;
use crate::analysis::effort::AnswerStatus;
use crate::analysis::measures;
use crate::analysis::part::PhasePart;
use crate::analysis::purpose::ChoicePurpose;
use crate::analysis::tables::{Estimates, OptionCounts};
use crate::domain::{
    Adjourned, AlternativeName, Assigned, Computed, Consequence, Convened, Event, Fault, Faulted, PhaseOpened, Record,
    Reply, RoundClosed, RoundOpened, Step, Truth,
};
use choices::ChoiceAnswer;
use comprehension::TestEnd;
use memory::Rewrite;
use state::{AnswerCoordinates, foreign_record};
use talk::FloorTurn;
use value::answer_value;
use votes::Assent;

impl SessionFold {
    /// Folds the next record, in the order of the minutes.
    ///
    /// # Errors
    /// If it names a phase, seat, alternative, trait or income that the session does not have, or if its kind cannot occur here.
    pub fn fold_record(&mut self, record: &Record) -> Result<(), ForeignRecord> {
        let region = self.facts.arm.regions.get(&record.at.phase).copied();
        if self.side_by_side.region != region {
            let mut groups = std::mem::take(&mut self.side_by_side.records);
            groups.sort_by_key(|record| record.at.phase.group().and_then(|number| number.parse::<u32>().ok()));
            for record in &groups {
                self.fold_next(record)?;
            }
            self.side_by_side.region = region;
        }
        match region {
            Some(_) => self.side_by_side.records.push(record.clone()),
            None => self.fold_next(record)?,
        }
        Ok(())
    }

    /// Folds the next record of a course: of the session, or of one group.
    fn fold_next(&mut self, record: &Record) -> Result<(), ForeignRecord> {
        self.enter_part(record)?;
        self.matched.read_record(record);
        match &record.event {
            Event::Convened(Convened { replicate, windows, forms, truth, .. }) => {
                if *replicate != self.facts.drawn_replicate {
                    return Err(foreign_record(record, "replicate", &replicate.to_string()));
                }
                self.case.truth = truth.as_ref().and_then(Truth::alternative).cloned();
                self.case.amount = truth.as_ref().and_then(Truth::amount);
                self.windows.clone_from(windows);
                self.forms.clone_from(forms);
                Ok(())
            }
            Event::Seated { seats } => self.fold_seats(record, seats),
            Event::PhaseOpened(PhaseOpened { who, heard_by, hears, thing, .. }) => {
                if let Some(thing) = thing {
                    self.things.insert(record.at.phase.clone(), thing.clone());
                }
                self.hearers.clone_from(heard_by);
                self.linked.clone_from(hears);
                for (place, facts) in self.facts.arm.seats.iter().enumerate() {
                    let takes_part = who.is_empty() || who.contains(&facts.name);
                    let seat = &mut self.seats[place];
                    (seat.takes_part, seat.speaks) = (takes_part, takes_part && facts.speaks);
                    if let Some(part) = &mut self.part {
                        part.seats[place].is_there = takes_part;
                    }
                }
                Ok(())
            }
            Event::Briefed(briefing) => self.fold_briefing(record, briefing),
            Event::RoundOpened(RoundOpened { situation: Some(_), .. }) => {
                self.needs_row();
                Ok(())
            }
            Event::RoundOpened(RoundOpened { order, .. }) => self.open_round(record, order),
            Event::Tallied(report) => self.fold_tally(record, report),
            Event::Paid(payment) => {
                self.needs_row();
                self.fold_payment(record, payment)
            }
            Event::Computed(Computed { name, values }) => self.fold_computed(record, name, values),
            Event::Assigned(Assigned { name, groups, roles }) => self.fold_groups(record, name, groups, roles),
            Event::RoundClosed(RoundClosed { memory, convergence, .. }) => {
                self.fold_convergence(record, *convergence);
                self.fold_memories(record, memory)
            }
            Event::Adjourned(Adjourned { verdict, stop, decided }) => {
                self.end = Some((*verdict, *stop, decided.clone()));
                Ok(())
            }
            _ => self.fold_answer(record),
        }
    }

    /// Folds a record if a seat answered it.
    fn fold_answer(&mut self, record: &Record) -> Result<(), ForeignRecord> {
        let (Some(answered), Some(given)) = (self.answer_coordinates(record)?, record.event.given()) else {
            return Ok(());
        };
        let lost = match &record.event {
            Event::Faulted(Faulted { fault, then, .. }) => Some((*fault, *then)),
            _ => None,
        };
        let calls = self.count_calls(answered, record);
        let cost = self.answer_cost(answered, record, calls);
        let fault = lost.map(|(fault, _)| fault);
        let reply = record.reply();
        let status = match reply {
            None if record.event.is_inquired() => AnswerStatus::Inquiry,
            Some(Reply::Abstention) => AnswerStatus::Abstained,
            Some(Reply::Note(_)) if record.cut_chars() > 0 => AnswerStatus::Cut,
            _ => AnswerStatus::from_fault(fault),
        };
        self.write_answer(answered, (calls, given, cost), (status, fault), answer_value(record, reply.as_ref()));
        match lost {
            _ if record.event.is_inquired() => {
                self.change_part(|part| part.seats[answered.seat].inquiries += 1);
                Ok(())
            }
            Some((_, Consequence::AskedAgain)) => Ok(()),
            Some((fault, Consequence::TriesUsedUp)) => {
                self.settle_question(answered, Some(fault));
                self.fold_lost_answer(record, answered, fault)
            }
            None => {
                self.settle_question(answered, None);
                reply.map_or(Ok(()), |reply| self.fold_reply(record, answered, reply))
            }
        }
    }

    /// Folds a valid answer.
    fn fold_reply(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        reply: Reply<AlternativeName>,
    ) -> Result<(), ForeignRecord> {
        let (seat, step) = (answered.seat, record.at.step);
        if record.is_own_answer() {
            self.own_direct(seat, |routing| routing.own_answer);
        }
        let cast = ChoiceAnswer::of_record(record);
        match reply {
            Reply::Statement { text, stance, opinion } => {
                self.fold_statement(record, answered, (&text, record.event.marks()), (stance, opinion))?;
            }
            Reply::Pass => {
                self.write_turn(answered, FloorTurn::Pass);
            }
            Reply::Choice(choice) if step == Step::StrawPoll => {
                self.fold_poll(record, answered, cast.choosing(choice), None)?;
            }
            Reply::Opined(choice, opinion) => {
                self.fold_poll(record, answered, cast.choosing(choice), Some(opinion))?;
            }
            Reply::Choice(choice) => self.fold_choice(record, answered, cast.choosing(choice))?,
            Reply::Ballot(ballot) => self.fold_ballot(record, answered, &ballot)?,
            Reply::Abstention => self.fold_abstention(record, answered),
            Reply::Reasoned { ballot, .. } => self.fold_reply(record, answered, *ballot)?,
            Reply::Amount(amount) if step == Step::Amount => self.fold_amount(record, answered, Ok(amount))?,
            Reply::Ranking { order, certainty } => {
                let cast = ChoiceAnswer { certainty: Some(certainty), ..cast };
                self.own_direct(seat, |routing| routing.own_ranking);
                self.count_ranking(record, answered, &order, cast)?;
            }
            Reply::Application { choice, certainty, reasoning } => {
                let cast = ChoiceAnswer { certainty: Some(certainty), reasoning: Some(reasoning.to_string()), ..cast };
                self.fold_choice(record, answered, cast.choosing(choice))?;
            }
            Reply::Test(_) => {
                self.own_direct(seat, |routing| routing.own_application);
                if let Some((correct, passed)) = record.test_result() {
                    self.fold_test(seat, Some(correct), if passed { TestEnd::Passed } else { TestEnd::Failed });
                }
            }
            Reply::Form(_) => {
                if let Some(values) = record.form_values() {
                    self.fold_values(record, answered, values)?;
                }
            }
            Reply::Note(text) => match step {
                Step::Integration => self.count_rewrite(seat, Rewrite::Integrated),
                Step::Compression => self.count_rewrite(seat, Rewrite::Compressed),
                _ => self.fold_thought(answered, &text),
            },
            Reply::Urgency(urgency) => self.fold_volunteer(seat, urgency),
            Reply::Assent(calls) if step == Step::VoteCall => self.fold_vote_call(seat, Assent::from(calls)),
            Reply::Assent(agrees) => self.fold_vote_agreement(seat, Assent::from(agrees)),
            Reply::Recognition { recognised, recognised_as } => {
                self.seats[seat].recognised =
                    Some((AnswerStatus::Valid, Some((recognised, recognised_as.as_deref().map(str::to_owned)))));
            }
            Reply::Amount(_) | Reply::Name(_) | Reply::Notes(_) | Reply::Inquiry(_) => {}
        }
        Ok(())
    }

    /// Folds an answer whose tries are used up. The step determines what is lost.
    fn fold_lost_answer(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        fault: Fault,
    ) -> Result<(), ForeignRecord> {
        match record.at.step {
            Step::StrawPoll | Step::Ballot | Step::Ranking | Step::Application => {
                return self.fold_choice(record, answered, ChoiceAnswer::of_record(record));
            }
            Step::Amount => return self.fold_amount(record, answered, Err(fault)),
            Step::Statement => {
                self.forfeits += 1;
                self.write_turn(answered, FloorTurn::Forfeit);
            }
            Step::Comprehension => self.fold_test(answered.seat, None, TestEnd::Failed),
            Step::Ask => {
                self.fold_lost_form(answered, fault);
                let arm = self.facts.arm.clone();
                let phase = self.current_phase().filter(|phase| phase.poll.is_some());
                if phase.is_some_and(|phase| phase.measures_choice(arm.alternatives.len())) {
                    let cast = ChoiceAnswer { options: &arm.alternatives, ..ChoiceAnswer::of_record(record) };
                    return self.fold_choice(record, answered, cast);
                }
            }
            Step::Volunteer => self.fold_volunteer(answered.seat, None),
            Step::VoteCall => self.fold_vote_call(answered.seat, Assent::No),
            Step::Confirmation => self.fold_vote_agreement(answered.seat, Assent::No),
            Step::Recognition => {
                self.seats[answered.seat].recognised = Some((AnswerStatus::from_fault(Some(fault)), None))
            }
            Step::Integration | Step::Compression => self.count_rewrite(answered.seat, Rewrite::Failed),
            _ => {}
        }
        Ok(())
    }

    fn answer_coordinates<'a>(&self, record: &'a Record) -> Result<Option<AnswerCoordinates<'a>>, ForeignRecord> {
        let (Some(name), Some(attempt)) = (&record.seat, record.attempt) else {
            return Ok(None);
        };
        let seat = self.find_seat(record, name)?;
        let tries_before = record.tries_before().unwrap_or(attempt);
        Ok(Some(AnswerCoordinates {
            seq: record.seq,
            at: &record.at,
            name,
            seat,
            put_before: attempt,
            attempt: tries_before,
        }))
    }

    /// Opens the record's part, and closes the previous one if the record is not in it.
    fn enter_part(&mut self, record: &Record) -> Result<(), ForeignRecord> {
        let at = &record.at;
        let same = self.part.as_ref().is_some_and(|part| part.round == at.round && part.phase == at.phase);
        if same {
            return Ok(());
        }
        self.none_pending(record)?;
        self.close_part();
        // Steps outside any phase.
        if matches!(
            at.step,
            Step::Convening | Step::Naming | Step::Notes | Step::Recognition | Step::Imposition | Step::Adjournment
        ) {
            return Ok(());
        }
        let phases = &self.facts.arm.phases;
        let place = phases
            .iter()
            .position(|phase| phase.name == at.phase)
            .ok_or_else(|| foreign_record(record, "phase", at.phase.as_str()))?;
        let seats = self.seats.iter().map(|seat| (seat.takes_part, seat.speaks));
        self.part = Some(PhasePart {
            key: self.key_place(),
            right: self.right_amount(),
            marks_before: self.proposed.mark_counts(),
            ..PhasePart::open((&phases[place], place), at.round, &self.held, seats)
        });
        Ok(())
    }

    fn close_part(&mut self) {
        let Some(mut part) = self.part.take() else { return };
        let place = match self.choice_purpose(&part, Step::StrawPoll) {
            ChoicePurpose::StrawBefore => Some(0),
            ChoicePurpose::StrawAfter => Some(1),
            _ => None,
        };
        let has_opinions = || part.seats.iter().any(|seat| seat.straw_opinion.is_some());
        if let Some(place) = place.filter(|_| part.straw.is_some() || has_opinions()) {
            self.poll_opinions.add_poll(place, part.seat_opinions());
        }
        if let Some(poll) = &part.straw {
            self.straw_tally(&part, poll);
            let offers_choice = self.facts.arm.offers_choice();
            let share = measures::modal_share(&poll.counts).filter(|_| offers_choice);
            let counts = if offers_choice { OptionCounts::of_choices(&poll.counts) } else { OptionCounts::default() };
            let estimates = Estimates::from_count(poll, self.right_amount());
            match self.choice_purpose(&part, Step::StrawPoll) {
                ChoicePurpose::StrawBefore => {
                    self.before = share;
                    self.option_counts[1] = counts;
                    self.estimates[0] = estimates;
                    self.trivial = (poll.distinct_choices() > 0).then(|| poll.distinct_choices() == 1);
                }
                ChoicePurpose::StrawAfter => {
                    self.after = share;
                    self.option_counts[2] = counts;
                    self.estimates[1] = estimates;
                }
                ChoicePurpose::StrawRound
                | ChoicePurpose::Ranking
                | ChoicePurpose::Application
                | ChoicePurpose::Vote => {}
            }
        }
        let arm = &self.facts.arm;
        if part.vote_called() == Some(true) {
            self.votes_called += 1;
            part.direct +=
                u64::from(arm.memory.is_direct(arm.phases[part.place].remember, |routing| routing.vote_called));
        }
        if part.worth_a_row {
            let counts = self.proposed.mark_counts();
            let row = part.round_row(arm, counts);
            if let Some(stances) = row.switches {
                self.switches.add_counts(&stances.stances);
            }
            put_row(&self.key, &row, &mut self.rows.rounds);
            for row in part.seat_rows(arm, counts) {
                put_row(&self.key, &row, &mut self.rows.seat_rounds);
            }
        }
    }

    /// Changes the current part, if there is one.
    fn change_part(&mut self, change: impl FnOnce(&mut PhasePart)) {
        if let Some(part) = &mut self.part {
            change(part);
        }
    }

    /// Gives the current part a row even if nobody answers in it.
    pub(super) fn needs_row(&mut self) {
        self.change_part(|part| part.worth_a_row = true);
    }

    /// The index of the right alternative; `None` if unknown.
    fn key_place(&self) -> Option<usize> {
        let key = self.right_alternative()?;
        self.facts.arm.alternatives.iter().position(|alternative| *alternative == key)
    }
}
