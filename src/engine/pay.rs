//! Practice rounds and the settlement: what is drawn, and what is paid for it.

use std::sync::Arc;

use super::deliberation::Deliberation;
use crate::chance::DrawPurpose;
use crate::domain::{
    Choice, EntryKind, Event, Moment, OwnEntry, PaidIncome, Payment, PaymentStage, PaymentTables, Payoff, QuestionId,
    Record, RoundOpened, SeatId, Situation, Step,
};
use crate::mechanism::{draw_class, draw_table, multiply_incomes, pay_cents};
use crate::plan::PhaseKind;

impl Deliberation<'_> {
    /// The situation of a practice round as it is announced. Its multiplier is drawn here and nowhere else.
    pub(super) fn situation_opened(&self, place: usize, round: u32) -> Event {
        let mechanism = self.mechanism();
        let situation = &mechanism.applications[round as usize - 1];
        let at = self.moment(place, round, Step::Situation);
        let multiplier =
            mechanism.drawn.map(|bounds| bounds.draw(&mut self.seed.at_moment(DrawPurpose::Multiplier, &at, 0)));
        Event::RoundOpened(RoundOpened { order: Vec::new(), situation: Some(situation.name.clone()), multiplier })
    }

    /// The tables that a round's situation becomes.
    pub(super) fn situation_of(&self, round: u32, multiplier: Option<u32>) -> Arc<Situation> {
        let situation = &self.mechanism().applications[round as usize - 1];
        match multiplier {
            Some(thousandths) => Arc::new(multiply_incomes(situation, thousandths, &situation.name)),
            None => Arc::clone(situation),
        }
    }

    /// What a practice round or the settlement pays. Classes are drawn for each seat by itself, and so are tables where the
    /// group decided nothing.
    pub(super) fn payment(&self, place: usize, round: u32) -> Event {
        let at = self.moment(place, round, Step::Payment);
        let is_settled = matches!(self.phase(place).kind, PhaseKind::Settle);
        let (stage, situation, multiplier) = if is_settled {
            let multiplier = self.mechanism().settlement;
            let drawn = multiplier.draw(&mut self.seed.at_moment(DrawPurpose::Multiplier, &at, 0));
            (PaymentStage::Settlement, self.settlement_tables(drawn), Some(drawn))
        } else {
            let (situation, multiplier) = self.situation.clone().expect("invariant: a practice round has a situation");
            (PaymentStage::Application, situation, multiplier)
        };
        let choice = |seat: SeatId| match stage {
            PaymentStage::Application => self.standing[seat.index()].applied,
            PaymentStage::Settlement => self.decided.as_ref().map(|decided| self.find_choice(decided)),
        };
        let paid = self.participants().filter(|seat| is_settled || choice(*seat).is_some());
        let payoffs = paid.map(|seat| self.payoff(seat, &at, stage, &situation, choice(seat))).collect();
        let tables = Some(PaymentTables { stage, situation: situation.name.clone(), multiplier });
        Event::Paid(Payment { tables, unit: None, payoffs })
    }

    /// The sample's tables with every income multiplied.
    pub(super) fn settlement_tables(&self, thousandths: u32) -> Arc<Situation> {
        let sample = &self.mechanism().sample;
        Arc::new(multiply_incomes(sample, thousandths, &sample.name))
    }

    fn payoff(
        &self,
        seat: SeatId,
        at: &Moment,
        stage: PaymentStage,
        situation: &Situation,
        choice: Option<Choice>,
    ) -> Payoff {
        let mechanism = self.mechanism();
        let question = QuestionId { at: at.clone(), seat: self.seat_name(seat).clone(), attempt: 0 };
        let table = match choice {
            Some(choice) => mechanism.pick_table(choice, situation).table,
            None => draw_table(situation, &mut self.seed.at_question(DrawPurpose::Table, &question, 0)),
        };
        let class = draw_class(situation, &mut self.seed.at_question(DrawPurpose::Class, &question, 0));
        let income = situation.tables[table][usize::from(class)];
        let payoff_cents = pay_cents(income, mechanism.rate_cents(stage));
        let named = choice.map(|choice| self.plan.motion.named(choice));
        let income = PaidIncome {
            amount: named.as_ref().and_then(|choice| choice.amount),
            alternative: named.map(|choice| choice.alternative),
            table: table as u32 + 1,
            class,
            income,
            balance_cents: self.standing[seat.index()].balance_cents + payoff_cents,
        };
        Payoff { seat: question.seat, payoff: None, payoff_cents: Some(payoff_cents as i64), income: Some(income) }
    }

    /// Each seat learns what it was paid.
    pub(super) fn paid(&mut self, record: &Record, payment: &Payment) {
        for payoff in &payment.payoffs {
            let seat = self.seat_id(&payoff.seat);
            if let Some(income) = &payoff.income {
                self.standing[seat.index()].balance_cents = income.balance_cents;
            }
            let practised = self.situation.as_ref().map(|(situation, _)| &**situation);
            let Some(text) = self.plan.payment_text(payment, practised, (seat, payoff)) else { continue };
            let (phase, round) = (record.at.phase.clone(), record.at.round);
            self.memory.keep_entry(seat, OwnEntry { seq: record.seq, phase, round, kind: EntryKind::Results, text });
        }
    }
}
