//! Practice rounds and the settlement: what is drawn, and what is paid for it.

use std::sync::Arc;

use super::deliberation::Deliberation;
use crate::chance::DrawPurpose;
use crate::domain::{Choice, Event, Moment, PaymentStage, Payoff, QuestionId, SeatId, Situation, Step};
use crate::mechanism::{draw_class, draw_table, multiply_incomes, pay_cents};
use crate::plan::PhaseKind;
use crate::prompt::{CounterfactualFacts, PaymentFacts};

impl Deliberation<'_> {
    /// The situation of a practice round as it is announced. Its multiplier is drawn here and nowhere else.
    pub(super) fn situation_opened(&self, place: usize, round: u32) -> Event {
        let mechanism = self.mechanism();
        let situation = &mechanism.applications[round as usize - 1];
        let at = self.moment(place, round, Step::Situation);
        let multiplier =
            mechanism.drawn.map(|bounds| bounds.draw(&mut self.seed.at_moment(DrawPurpose::Multiplier, &at, 0)));
        Event::SituationOpened { situation: situation.name.clone(), multiplier }
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
            PaymentStage::Settlement => self
                .decided
                .as_ref()
                .map(|decided| Choice { alternative: self.alternative(&decided.alternative), amount: decided.amount }),
        };
        let paid = self.participants().filter(|seat| is_settled || choice(*seat).is_some());
        let payoffs = paid.map(|seat| self.payoff(seat, &at, stage, &situation, choice(seat))).collect();
        Event::Paid { stage, situation: situation.name.clone(), multiplier, payoffs }
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
        let payoff_cents = pay_cents(income, self.rate(stage));
        let named = choice.map(|choice| self.plan.motion.named(choice));
        Payoff {
            seat: question.seat,
            amount: named.as_ref().and_then(|choice| choice.amount),
            alternative: named.map(|choice| choice.alternative),
            table: table as u32 + 1,
            class,
            income,
            payoff_cents,
            balance_cents: self.standing[seat.index()].balance_cents + payoff_cents,
        }
    }

    fn rate(&self, stage: PaymentStage) -> u32 {
        match stage {
            PaymentStage::Application => self.mechanism().application_cents,
            PaymentStage::Settlement => self.mechanism().settlement_cents,
        }
    }

    /// What a seat reads about its pay.
    pub(super) fn payment_text(&self, stage: PaymentStage, situation: &Situation, payoff: &Payoff) -> String {
        let counterfactuals = self.mechanism().counterfactuals(situation, payoff.class);
        let facts = PaymentFacts {
            motion: &self.plan.motion,
            situation,
            stage,
            choice: payoff
                .alternative
                .as_ref()
                .map(|name| Choice { alternative: self.alternative(name), amount: payoff.amount }),
            decided: payoff.alternative.is_some(),
            table: payoff.table,
            class: payoff.class,
            income: payoff.income,
            payoff_cents: payoff.payoff_cents,
            balance_cents: payoff.balance_cents,
            counterfactuals: counterfactuals
                .into_iter()
                .map(|other| CounterfactualFacts {
                    choice: other.choice,
                    table: other.table as u32 + 1,
                    income: other.income,
                    payoff_cents: pay_cents(other.income, self.rate(stage)),
                })
                .collect(),
        };
        self.plan.prompts.payment(&facts).expect("invariant: templates were rehearsed")
    }
}
