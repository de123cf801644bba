//! Folds payments: rows of payoffs and of their counterfactuals.

use std::sync::Arc;

use crate::analysis::column::put_row;
use crate::analysis::fold::state::{ForeignRecord, SessionFold, foreign_record};
use crate::analysis::tables::{CounterfactualRow, PayoffRow};
use crate::domain::{Choice, PaymentStage, Payoff, Record, Situation, UnitPayoff};
use crate::mechanism::{Counterfactual, IncomePrinciples, multiply_incomes, pay_cents};

/// A payment, without its seats.
pub(super) struct Payment<'a> {
    pub stage: PaymentStage,
    pub situation: &'a str,
    pub multiplier: Option<u32>,
}

impl SessionFold {
    pub(super) fn fold_payment(
        &mut self,
        record: &Record,
        payment: &Payment<'_>,
        payoffs: &[Payoff],
    ) -> Result<(), ForeignRecord> {
        let arm = Arc::clone(&self.facts.arm);
        let Some(mechanism) = &arm.mechanism else {
            return Err(foreign_record(record, "a payment of", payment.situation));
        };
        let situation = payment_tables(mechanism, record, payment)?;
        for payoff in payoffs {
            let seat = self.find_seat(record, &payoff.seat)?;
            self.own_direct(seat, |routing| routing.results);
            if let Some(part) = &mut self.part {
                part.seats[seat].took_part = true;
            }
            let state = &mut self.seats[seat];
            let paid = &mut state.paid_cents[payment.stage as usize];
            *paid = Some(paid.unwrap_or(0).saturating_add(payoff.payoff_cents));
            if payment.stage == PaymentStage::Settlement {
                state.settled = Some((payoff.class, payoff.income));
            }
            self.write_payoff(record, payment, payoff, (mechanism, &situation))?;
        }
        Ok(())
    }

    /// Folds a payment by an expression.
    pub(super) fn fold_pay_out(
        &mut self,
        record: &Record,
        unit: Option<&String>,
        payoffs: &[UnitPayoff],
    ) -> Result<(), ForeignRecord> {
        for payoff in payoffs {
            let seat = self.find_seat(record, &payoff.seat)?;
            if payoff.payoff.is_some() {
                self.own_direct(seat, |routing| routing.results);
            }
            let row = PayoffRow {
                stage: "pay".to_owned(),
                round: record.at.round,
                seat: payoff.seat.clone(),
                situation: None,
                thousandths: None,
                mechanism: None,
                paid: Some(payoff.clone()),
                unit: unit.cloned(),
                phase: record.at.phase.clone(),
                binding: None,
                same_as_average: None,
            };
            put_row(&self.key, &row, &mut self.rows.payoffs);
        }
        Ok(())
    }

    /// Writes one seat's payoff and the payoffs that other choices would have given.
    fn write_payoff(
        &mut self,
        record: &Record,
        payment: &Payment<'_>,
        payoff: &Payoff,
        (mechanism, situation): (&IncomePrinciples, &Situation),
    ) -> Result<(), ForeignRecord> {
        let income = (payoff.table as usize)
            .checked_sub(1)
            .and_then(|place| situation.tables.get(place)?.get(usize::from(payoff.class)).copied());
        if income != Some(payoff.income) {
            return Err(foreign_record(record, "an income of", &payoff.income.to_string()));
        }
        let choice = match &payoff.alternative {
            Some(name) => Some(self.check_payable(
                record,
                self.find_choice(record, &Choice { alternative: name.clone(), amount: payoff.amount })?,
                mechanism,
            )?),
            None => None,
        };
        let pick = choice.map(|choice| mechanism.pick_table(choice, situation));
        if payment.stage == PaymentStage::Settlement
            && let Some(pick) = pick
        {
            self.settlement = Some((pick.binding, pick.same_as_average));
        }
        let row = PayoffRow {
            stage: payment.stage.as_str().to_owned(),
            round: record.at.round,
            seat: payoff.seat.clone(),
            situation: Some(payment.situation.to_owned()),
            thousandths: payment.multiplier,
            mechanism: Some(payoff.clone()),
            paid: None,
            unit: None,
            phase: record.at.phase.clone(),
            binding: pick.and_then(|pick| pick.binding),
            same_as_average: pick.map(|pick| pick.same_as_average),
        };
        put_row(&self.key, &row, &mut self.rows.payoffs);
        let rate = match payment.stage {
            PaymentStage::Application => mechanism.application_cents,
            PaymentStage::Settlement => mechanism.settlement_cents,
        };
        let mut others = mechanism.counterfactuals(situation, payoff.class);
        if let (Some(choice), Some(pick)) = (choice, pick)
            && others.iter().all(|other| other.choice != choice)
        {
            // The chosen amount has the effect of another amount, so it is not among the counterfactuals. It still gets a row.
            others.push(Counterfactual { choice, table: pick.table, income: payoff.income });
        }
        for other in others {
            let row = CounterfactualRow {
                stage: payment.stage,
                round: record.at.round,
                seat: payoff.seat.clone(),
                situation: payment.situation.to_owned(),
                principle: self.facts.arm.alternatives[other.choice.alternative.index()].clone(),
                amount: other.choice.amount,
                table: other.table as u32 + 1,
                income: other.income,
                payoff_cents: pay_cents(other.income, rate),
                chosen: choice == Some(other.choice),
            };
            put_row(&self.key, &row, &mut self.rows.counterfactuals);
        }
        Ok(())
    }

    /// Checks that the mechanism can apply a choice.
    fn check_payable(
        &self,
        record: &Record,
        choice: Choice,
        mechanism: &IncomePrinciples,
    ) -> Result<Choice, ForeignRecord> {
        let principle = mechanism.principles.get(choice.alternative.index());
        match principle {
            Some(principle) if principle.takes_amount() == choice.amount.is_some() => Ok(choice),
            _ => {
                let name = &self.facts.arm.alternatives[choice.alternative.index()];
                Err(foreign_record(record, "a payment by", name.as_str()))
            }
        }
    }
}

/// The tables that a payment used: in the settlement the sample; in a practice round the situation of that name or, if none has
/// it (a drawn situation), the one with the round's number.
fn payment_tables(
    mechanism: &IncomePrinciples,
    record: &Record,
    payment: &Payment<'_>,
) -> Result<Situation, ForeignRecord> {
    let named = |name: &str| mechanism.applications.iter().find(|situation| situation.name == name);
    let of_round = || mechanism.applications.get((record.at.round as usize).checked_sub(1)?);
    let base = match payment.stage {
        PaymentStage::Settlement => Some(&mechanism.sample),
        PaymentStage::Application => named(payment.situation).or_else(of_round),
    };
    let base = base.ok_or_else(|| foreign_record(record, "situation", payment.situation))?;
    let Some(thousandths) = payment.multiplier else { return Ok(Situation::clone(base)) };
    let most = u64::from(base.income_max()) * u64::from(thousandths) / 1_000;
    if most > u64::from(u32::MAX) {
        return Err(foreign_record(record, "a multiplier of thousandths:", &thousandths.to_string()));
    }
    Ok(multiply_incomes(base, thousandths, payment.situation))
}
