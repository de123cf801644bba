//! The fold of one session's records into rows.
//!
//! Rows become CSV bytes as soon as they are known; no record is kept. A record costs the same whatever came before it,
//! a round costs a pass over its seats.

mod answers;
mod charge;
mod choices;
mod end;
mod harvests;
mod influence;
mod language;
mod marks;
mod memory;
mod opinion;
mod pay;
mod seats;
mod state;
mod talk;
mod test;
mod told;
mod value;
mod votes;

pub use state::{Folded, Misfit, Rows, SessionFold};

use crate::analysis::column::put_row;
use crate::analysis::effort::AnswerStatus;
use crate::analysis::measures;
use crate::analysis::part::Part;
use crate::analysis::purpose::Purpose;
use crate::analysis::tables::{Estimates, OptionCounts};
use crate::domain::{Consequence, Event, Fault, Record, Step};
use choices::Cast;
use memory::Rewrite;
use pay::Payment;
use state::{Answered, misfit};
use talk::Turn;
use test::TestEnd;
use value::value;
use votes::Assent;

impl SessionFold {
    /// Takes the next record, in the order of the minutes.
    ///
    /// # Errors
    /// When it names a phase, seat, alternative, trait or income that the session does not have, or stands where none of its kind can.
    pub fn take(&mut self, record: &Record) -> Result<(), Misfit> {
        self.enter(record)?;
        self.matched.take(record);
        match &record.event {
            Event::SessionConvened { windows, forms, .. } => {
                self.windows.clone_from(windows);
                self.forms.clone_from(forms);
                Ok(())
            }
            Event::Seated { seats } => self.seated(record, seats),
            Event::Networked { hears } => self.networked(record, hears),
            Event::NamesGiven { names } => {
                for given in names {
                    let seat = self.seat(record, &given.seat)?;
                    self.seats[seat].chosen_name = Some(given.name.clone());
                }
                Ok(())
            }
            Event::Dealt { truth, hands } => self.dealt(record, truth.as_ref(), hands),
            Event::Instructed { text, to, by, .. } => self.instructed(record, text, to, *by),
            Event::RoundOpened { order } => self.open_round(record, order),
            Event::Tallied(report) => self.tallied(record, report),
            Event::SituationOpened { .. } => {
                self.needs_row();
                Ok(())
            }
            Event::Paid { stage, situation, multiplier, payoffs } => {
                self.needs_row();
                let payment = Payment { stage: *stage, situation, multiplier: *multiplier };
                self.paid(record, &payment, payoffs)
            }
            Event::Harvested { stock, harvests, left, grown } => {
                self.harvested(record, (*stock, *left, *grown), harvests)
            }
            Event::RoundClosed { memory, convergence, .. } => {
                self.converged(record, *convergence);
                self.closed(record, memory)
            }
            Event::Adjourned { verdict, stop, decided } => {
                self.end = Some((*verdict, *stop, decided.clone()));
                Ok(())
            }
            _ => self.take_answer(record),
        }
    }

    /// Takes a record if a seat answered it.
    fn take_answer(&mut self, record: &Record) -> Result<(), Misfit> {
        let (Some(answered), Some(given)) = (self.answered(record)?, record.event.given()) else {
            return Ok(());
        };
        let lost = match &record.event {
            Event::Faulted { fault, then, .. } => Some((*fault, *then)),
            _ => None,
        };
        let calls = self.calls(answered, record);
        let cost = self.cost(answered, record, calls);
        let fault = lost.map(|(fault, _)| fault);
        let status = match record.event {
            Event::Inquired { .. } => AnswerStatus::Inquiry,
            Event::Abstained { .. } => AnswerStatus::Abstained,
            Event::Integrated { cut_chars: 1.., .. } | Event::Compressed { cut_chars: 1.., .. } => AnswerStatus::Cut,
            _ => AnswerStatus::of(fault),
        };
        self.answer(answered, (calls, given, cost), (status, fault), value(&record.event));
        match lost {
            _ if matches!(record.event, Event::Inquired { .. }) => {
                self.inquired(answered.seat);
                Ok(())
            }
            Some((_, Consequence::AskedAgain)) => Ok(()),
            Some((fault, Consequence::TriesUsedUp)) => {
                self.settle(answered, Some(fault));
                self.lost(record, answered, fault)
            }
            None => {
                self.settle(answered, None);
                self.settled(record, answered)
            }
        }
    }

    /// Takes an answer that counts.
    fn settled(&mut self, record: &Record, answered: Answered<'_>) -> Result<(), Misfit> {
        let seat = answered.seat;
        match &record.event {
            Event::Spoke { text, stance, stance_amount, opinion, marks, .. } => {
                let stance = stance.as_ref().map(|name| (name, *stance_amount));
                self.spoke(record, answered, (text, marks), (stance, *opinion))?;
            }
            Event::Passed { .. } => {
                self.turn(answered, Turn::Pass);
            }
            Event::Polled { alternative, amount, opinion, options, raw, .. } => {
                self.polled(record, answered, Cast::of(alternative, *amount, options, raw), *opinion)?;
            }
            Event::Balloted { alternative, amount, options, raw, .. } => {
                self.choice(record, answered, Cast::of(alternative, *amount, options, raw))?;
            }
            Event::Voted { ballot, options, raw, .. } => self.voted(record, answered, ballot, (options, raw))?,
            Event::Abstained { options, raw, .. } => self.abstained(answered, options, raw),
            Event::AmountNamed { amount, raw, .. } => self.amount(record, answered, Ok(*amount), raw)?,
            Event::Ranked { order, certainty, options, raw, .. } => {
                let (certainty, chosen) = (Some(*certainty), None);
                self.ranked(
                    record,
                    answered,
                    order,
                    Cast { chosen, certainty, reasoning: None, options, raw, fault: None },
                )?;
            }
            Event::Applied { alternative, amount, certainty, reasoning, options, raw, .. } => {
                let cast = Cast::of(alternative, *amount, options, raw);
                let cast = Cast { certainty: Some(*certainty), reasoning: Some(reasoning), ..cast };
                self.choice(record, answered, cast)?;
            }
            Event::Tested { correct, passed, .. } => {
                self.own_direct(seat, |routing| routing.own_application);
                self.tested(seat, Some(*correct), if *passed { TestEnd::Passed } else { TestEnd::Failed });
            }
            Event::Reasoned { text, .. } => self.reasoned(answered, text),
            Event::Volunteered { urgency, .. } => self.volunteered(seat, *urgency),
            Event::CallAnswered { calls, .. } => self.called(seat, Assent::from(*calls)),
            Event::Confirmed { agrees, .. } => self.agreed(seat, Assent::from(*agrees)),
            Event::Integrated { .. } => self.rewrote(seat, Rewrite::Integrated),
            Event::Compressed { .. } => self.rewrote(seat, Rewrite::Compressed),
            Event::Recognised { recognised, recognised_as, .. } => {
                let said = (*recognised, recognised_as.clone());
                self.seats[seat].recognised = Some((AnswerStatus::Valid, Some(said)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes an answer whose tries are used up: what is lost depends on what was asked for.
    fn lost(&mut self, record: &Record, answered: Answered<'_>, fault: Fault) -> Result<(), Misfit> {
        let Event::Faulted { options, raw, .. } = &record.event else { return Ok(()) };
        match record.at.step {
            Step::StrawPoll | Step::Ballot | Step::Ranking | Step::Application => {
                let (chosen, certainty, reasoning) = (None, None, None);
                return self.choice(
                    record,
                    answered,
                    Cast { chosen, certainty, reasoning, options, raw, fault: Some(fault) },
                );
            }
            Step::Amount => return self.amount(record, answered, Err(fault), raw),
            Step::Statement => {
                self.forfeits += 1;
                self.turn(answered, Turn::Forfeit);
            }
            Step::Comprehension => self.tested(answered.seat, None, TestEnd::Failed),
            Step::Volunteer => self.volunteered(answered.seat, None),
            Step::VoteCall => self.called(answered.seat, Assent::No),
            Step::Confirmation => self.agreed(answered.seat, Assent::No),
            Step::Recognition => self.seats[answered.seat].recognised = Some((AnswerStatus::of(Some(fault)), None)),
            Step::Integration | Step::Compression => self.rewrote(answered.seat, Rewrite::Failed),
            _ => {}
        }
        Ok(())
    }

    fn answered<'a>(&self, record: &'a Record) -> Result<Option<Answered<'a>>, Misfit> {
        let (Some(name), Some(attempt)) = (&record.seat, record.attempt) else {
            return Ok(None);
        };
        let seat = self.seat(record, name)?;
        let tries_before = record.tries_before().unwrap_or(attempt);
        Ok(Some(Answered { seq: record.seq, at: &record.at, name, seat, put_before: attempt, attempt: tries_before }))
    }

    /// Moves to the record's part and ends a straw poll that the record is no part of.
    fn enter(&mut self, record: &Record) -> Result<(), Misfit> {
        let at = &record.at;
        let same = self.part.as_ref().is_some_and(|part| part.round == at.round && part.phase == at.phase);
        if same {
            return Ok(());
        }
        self.none_pending(record)?;
        self.close_part();
        // What belongs to no phase.
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
            .ok_or_else(|| misfit(record, "phase", at.phase.as_str()))?;
        let counts = self.proposed.counts();
        let part = Part::open(&phases[place], place, at.round, &self.held);
        self.part = Some(part.over(self.seats.len()).with_key(self.key_place(), self.right_amount()).after(counts));
        Ok(())
    }

    fn close_part(&mut self) {
        let Some(mut part) = self.part.take() else { return };
        if let Some(poll) = &part.straw {
            self.straw_tally(&part, poll);
            let share = measures::modal_share(&poll.counts);
            let estimates = Estimates::of(poll, self.right_amount());
            match self.purpose(&part, Step::StrawPoll) {
                Purpose::StrawBefore => {
                    self.before = share;
                    self.option_counts[1] = OptionCounts::of_choices(&poll.counts);
                    self.estimates[0] = estimates;
                    self.poll_opinions.take(0, part.told());
                    self.trivial = share.map(|_| poll.different() == 1);
                }
                Purpose::StrawAfter => {
                    self.after = share;
                    self.option_counts[2] = OptionCounts::of_choices(&poll.counts);
                    self.estimates[1] = estimates;
                    self.poll_opinions.take(1, part.told());
                }
                Purpose::StrawRound | Purpose::Ranking | Purpose::Application | Purpose::Vote => {}
            }
        }
        let arm = &self.facts.arm;
        if part.vote_called() == Some(true) {
            self.votes_called += 1;
            part.direct += u64::from(arm.memory.is_direct(|routing| routing.vote_called));
        }
        if part.worth_a_row {
            let counts = self.proposed.counts();
            let row = part.row(arm, counts);
            if let Some(stances) = row.switches {
                self.switches.join(&stances.stances);
            }
            put_row(&self.key, &row, &mut self.rows.rounds);
            for row in part.seat_rows(arm, counts) {
                put_row(&self.key, &row, &mut self.rows.seat_rounds);
            }
        }
    }

    /// Gives the current part a row, whether or not anybody answers in it.
    fn needs_row(&mut self) {
        if let Some(part) = &mut self.part {
            part.worth_a_row = true;
        }
    }

    /// The place of the right alternative; `None` where nobody knows.
    fn key_place(&self) -> Option<usize> {
        let key = self.right()?;
        self.facts.arm.alternatives.iter().position(|alternative| *alternative == key)
    }
}
