//! Folds payments: rows of payoffs and of their counterfactuals.

use std::sync::Arc;

use crate::analysis::column::put_row;
use crate::analysis::fold::state::{ForeignRecord, SessionFold, foreign_record};
use crate::analysis::tables::{CounterfactualRow, PayoffRow};
use crate::domain::{Choice, PaidIncome, Payment, PaymentStage, PaymentTables, Payoff, Record, Situation};
use crate::mechanism::{Counterfactual, IncomePrinciples, Pick, multiply_incomes, pay_cents};

impl SessionFold {
    /// Folds a payment.
    pub(super) fn fold_payment(&mut self, record: &Record, payment: &Payment) -> Result<(), ForeignRecord> {
        for payoff in &payment.payoffs {
            let seat = self.find_seat(record, &payoff.seat)?;
            if let Some(cents) = payoff.payoff_cents {
                let total = &mut self.seats[seat].paid_total_cents;
                *total = Some(total.unwrap_or(0).saturating_add(cents));
            }
            if payment.pays(&payoff.seat) {
                self.own_direct(seat, |routing| routing.results);
            }
            match (&payment.tables, &payoff.income) {
                (Some(tables), Some(income)) => self.fold_income(record, payment, (seat, payoff), (tables, income))?,
                _ => self.write_payoff(record, payment, payoff, None),
            }
        }
        Ok(())
    }

    /// Folds an income that a seat was paid, and the incomes that other choices would have given.
    fn fold_income(
        &mut self,
        record: &Record,
        payment: &Payment,
        (seat, payoff): (usize, &Payoff),
        (tables, paid): (&PaymentTables, &PaidIncome),
    ) -> Result<(), ForeignRecord> {
        let arm = Arc::clone(&self.facts.arm);
        let Some(mechanism) = &arm.mechanism else {
            return Err(foreign_record(record, "a payment of", &tables.situation));
        };
        let situation = payment_tables(mechanism, record, tables)?;
        self.change_part(|part| part.seats[seat].took_part = true);
        let state = &mut self.seats[seat];
        let cents = &mut state.paid_cents[tables.stage as usize];
        *cents = Some(cents.unwrap_or(0).saturating_add(payoff.payoff_cents.unwrap_or(0).unsigned_abs()));
        if tables.stage == PaymentStage::Settlement {
            state.settled = Some((paid.class, paid.income));
        }
        let income = (paid.table as usize)
            .checked_sub(1)
            .and_then(|place| situation.tables.get(place)?.get(usize::from(paid.class)).copied());
        if income != Some(paid.income) {
            return Err(foreign_record(record, "an income of", &paid.income.to_string()));
        }
        let choice = match &paid.alternative {
            Some(name) => Some(self.check_payable(
                record,
                self.find_choice(record, &Choice { alternative: name.clone(), amount: paid.amount })?,
                mechanism,
            )?),
            None => None,
        };
        let pick = choice.map(|choice| mechanism.pick_table(choice, &situation));
        if tables.stage == PaymentStage::Settlement
            && let Some(pick) = pick
        {
            self.settlement = Some((pick.binding, pick.same_as_average));
        }
        self.write_payoff(record, payment, payoff, pick);
        let rate = match tables.stage {
            PaymentStage::Application => mechanism.application_cents,
            PaymentStage::Settlement => mechanism.settlement_cents,
        };
        let mut others = mechanism.counterfactuals(&situation, paid.class);
        if let (Some(choice), Some(pick)) = (choice, pick)
            && others.iter().all(|other| other.choice != choice)
        {
            // The chosen amount has the effect of another amount, so it is not among the counterfactuals. It still gets a row.
            others.push(Counterfactual { choice, table: pick.table, income: paid.income });
        }
        for other in others {
            let row = CounterfactualRow {
                stage: tables.stage,
                round: record.at.round,
                seat: payoff.seat.clone(),
                situation: tables.situation.clone(),
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

    /// Writes one seat's payoff.
    fn write_payoff(&mut self, record: &Record, payment: &Payment, payoff: &Payoff, pick: Option<Pick>) {
        let tables = payment.tables.as_ref();
        let row = PayoffRow {
            stage: tables.map_or("pay", |tables| tables.stage.as_str()).to_owned(),
            round: record.at.round,
            seat: payoff.seat.clone(),
            situation: tables.map(|tables| tables.situation.clone()),
            thousandths: tables.and_then(|tables| tables.multiplier),
            paid: payoff.clone(),
            unit: payment.unit.clone(),
            phase: record.at.phase.clone(),
            binding: pick.and_then(|pick| pick.binding),
            same_as_average: pick.map(|pick| pick.same_as_average),
        };
        put_row(&self.key, &row, &mut self.rows.payoffs);
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
    payment: &PaymentTables,
) -> Result<Situation, ForeignRecord> {
    let named = |name: &str| mechanism.applications.iter().find(|situation| situation.name == name);
    let of_round = || mechanism.applications.get((record.at.round as usize).checked_sub(1)?);
    let base = match payment.stage {
        PaymentStage::Settlement => Some(&mechanism.sample),
        PaymentStage::Application => named(&payment.situation).or_else(of_round),
    };
    let base = base.ok_or_else(|| foreign_record(record, "situation", &payment.situation))?;
    let Some(thousandths) = payment.multiplier else { return Ok(Situation::clone(base)) };
    let most = u64::from(base.income_max()) * u64::from(thousandths) / 1_000;
    if most > u64::from(u32::MAX) {
        return Err(foreign_record(record, "a multiplier of thousandths:", &thousandths.to_string()));
    }
    Ok(multiply_incomes(base, thousandths, &payment.situation))
}
