//! The words in which seats learn what they were paid.

use super::Plan;
use crate::domain::{Choice, PaidIncome, Payment, PaymentStage, PaymentTables, Payoff, SeatId, Situation};
use crate::mechanism::{IncomePrinciples, multiply_incomes, pay_cents};
use crate::memory::notice;
use crate::prompt::{CounterfactualFacts, PaymentFacts};

impl IncomePrinciples {
    /// What 10 000 dollars of income pay at a stage, in cents.
    pub fn rate_cents(&self, stage: PaymentStage) -> u32 {
        match stage {
            PaymentStage::Application => self.application_cents,
            PaymentStage::Settlement => self.settlement_cents,
        }
    }
}

impl Plan {
    /// The words in which a seat is told its pay; `None` if it was paid nothing. `practised` is the situation of a practice round
    /// with the incomes drawn for it.
    pub fn payment_text(
        &self,
        payment: &Payment,
        practised: Option<&Situation>,
        (seat, payoff): (SeatId, &Payoff),
    ) -> Option<String> {
        let Some(tables) = &payment.tables else {
            return Some(notice::payoff_line(payoff.payoff?, payment.unit.as_deref(), self.motion_for(seat).language));
        };
        let sample = &self.income_principles()?.sample;
        let settled = tables.multiplier.map(|thousandths| multiply_incomes(sample, thousandths, &sample.name));
        let situation = match tables.stage {
            PaymentStage::Application => practised?,
            PaymentStage::Settlement => settled.as_ref()?,
        };
        self.income_text(tables, situation, payoff)
    }

    fn income_text(&self, tables: &PaymentTables, situation: &Situation, payoff: &Payoff) -> Option<String> {
        let (mechanism, stage) = (self.income_principles()?, tables.stage);
        let rate = mechanism.rate_cents(stage);
        let PaidIncome { alternative, amount, table, class, income, balance_cents } = payoff.income.as_ref()?;
        let chosen = alternative.as_ref().and_then(|name| self.motion.find(name.as_str()));
        let others = mechanism.counterfactuals(situation, *class).into_iter();
        let facts = PaymentFacts {
            motion: &self.motion,
            situation,
            stage,
            choice: chosen.map(|alternative| Choice { alternative, amount: *amount }),
            decided: alternative.is_some(),
            table: *table,
            class: *class,
            income: *income,
            payoff_cents: payoff.payoff_cents?.unsigned_abs(),
            balance_cents: *balance_cents,
            counterfactuals: others
                .map(|other| CounterfactualFacts {
                    choice: other.choice,
                    table: other.table as u32 + 1,
                    income: other.income,
                    payoff_cents: pay_cents(other.income, rate),
                })
                .collect(),
        };
        self.prompts.payment(&facts).ok()
    }
}
