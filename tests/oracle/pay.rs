//! Cells about pay: what was paid for what, which table was picked, and what other choices would have paid.

use ekklesia::domain::{
    AlternativeId, CLASS_NAMES, Choice, Event, PaidIncome, Payment, PaymentStage, PaymentTables, Record, Situation,
};
use ekklesia::mechanism::{IncomePrinciples, Pick, multiply_incomes};

use super::{Cell, flag, real, share, show};

/// A payment to a seat, and the tables it was paid from.
pub struct PaidSeat<'c> {
    paid: &'c PaidIncome,
    mechanism: &'c IncomePrinciples,
    situation: Situation,
    /// What 10 000 dollars pay, in cents.
    rate: u32,
}

impl<'c> Cell<'c> {
    /// The payment to the row's seat; of a session, the last payment that a decision made.
    fn payoff(&self) -> Option<&'c PaidIncome> {
        let record = self.last()?;
        match &record.event {
            Event::Paid(_) if self.seat().is_some() => self.row.payoff(record)?.income.as_ref(),
            Event::Paid(Payment { payoffs, .. }) => {
                payoffs.iter().filter_map(|payoff| payoff.income.as_ref()).rfind(|paid| paid.alternative.is_some())
            }
            _ => None,
        }
    }

    /// Reads a number or a name of the payment.
    pub(super) fn of_payoff<T: ToString>(&self, read: impl Fn(&PaidIncome) -> Option<T>) -> Option<String> {
        read(self.payoff()?).and_then(show)
    }

    fn payment(&self) -> Option<PaidSeat<'c>> {
        let (paid, mechanism) = (self.payoff()?, self.arm().mechanism.as_deref()?);
        let record = self.last()?;
        let Event::Paid(Payment { tables: Some(tables), .. }) = &record.event else { return None };
        let PaymentTables { stage, situation: name, multiplier } = tables;
        let (base, rate): (&Situation, u32) = match stage {
            PaymentStage::Settlement => (&mechanism.sample, mechanism.settlement_cents),
            // A practice round has the situation of its name, or of its number where a draw has a name of its own.
            PaymentStage::Application => {
                let named = mechanism.applications.iter().find(|situation| situation.name == *name);
                let of_round = || mechanism.applications.get((record.at.round as usize).checked_sub(1)?);
                (named.or_else(of_round)?, mechanism.application_cents)
            }
        };
        let situation =
            multiplier.map_or_else(|| base.clone(), |thousandths| multiply_incomes(base, thousandths, name));
        Some(PaidSeat { paid, mechanism, situation, rate })
    }

    /// What a principle with an amount picks.
    fn pick(&self, payment: &PaidSeat<'_>, principle: &str, amount: Option<u32>) -> Option<Pick> {
        let place = self.arm().alternatives.iter().position(|name| name.as_str() == principle)?;
        let choice = Choice { alternative: AlternativeId(place as u32), amount };
        let takes_amount = payment.mechanism.principles.get(place)?.takes_amount();
        (takes_amount == amount.is_some()).then(|| payment.mechanism.pick_table(choice, &payment.situation))
    }

    /// What the choice behind a payment picks; `None` where a table was drawn by lot.
    pub(super) fn applied_pick(&self) -> Option<Pick> {
        let payment = self.payment()?;
        self.pick(&payment, payment.paid.alternative.as_ref()?.as_str(), payment.paid.amount)
    }

    /// The payment and what the row's principle would have picked.
    pub(super) fn other_pick(&self) -> Option<(PaidSeat<'c>, Pick)> {
        let payment = self.payment()?;
        let pick = self.pick(&payment, self.row.cell_text("principle")?, self.row.cell_number("amount"))?;
        Some((payment, pick))
    }
}

/// Cents, half a cent rounded up.
fn cents(income: u32, rate: u32) -> u64 {
    (u64::from(income) * u64::from(rate) + 5_000) / 10_000
}

/// What was paid for: of an expression nothing else than that it paid.
pub fn read_stage(cell: &Cell<'_>) -> Option<String> {
    match &cell.last()?.event {
        Event::Paid(Payment { tables: None, .. }) => show("pay"),
        Event::Paid(_) => cell.field("event.tables.stage"),
        _ => cell.field("event.stage"),
    }
}

pub fn read_class(cell: &Cell<'_>) -> Option<String> {
    show(CLASS_NAMES.get(usize::from(cell.payoff()?.class))?)
}

pub fn payoff_cents(cell: &Cell<'_>) -> Option<String> {
    let payment = cell.payment()?;
    show(cents(payment.paid.income, payment.rate))
}

pub fn read_multiplier(cell: &Cell<'_>) -> Option<String> {
    match &cell.last()?.event {
        Event::Paid(Payment { tables: Some(tables), .. }) => real(f64::from(tables.multiplier?) / 1000.0),
        _ => None,
    }
}

pub fn other_principle(cell: &Cell<'_>) -> Option<String> {
    cell.other_pick()?;
    show(cell.row.cell_text("principle")?)
}

pub fn other_amount(cell: &Cell<'_>) -> Option<String> {
    cell.other_pick()?;
    show(cell.row.cell_number::<u32>("amount")?)
}

/// The income of the seat's class in the table that another choice would have picked.
pub fn find_other_income(cell: &Cell<'_>) -> Option<(u32, u32)> {
    let (payment, pick) = cell.other_pick()?;
    Some((payment.situation.tables[pick.table][usize::from(payment.paid.class)], payment.rate))
}

pub fn other_cents(cell: &Cell<'_>) -> Option<String> {
    let (income, rate) = find_other_income(cell)?;
    show(cents(income, rate))
}

/// Whether the row's choice is what was applied.
pub fn is_chosen(cell: &Cell<'_>) -> Option<String> {
    let (payment, _) = cell.other_pick()?;
    let principle = payment.paid.alternative.as_ref().map(|name| name.as_str());
    flag(principle == cell.row.cell_text("principle") && payment.paid.amount == cell.row.cell_number("amount"))
}

/// What a seat was paid by the mechanism; `None` where it was not paid.
fn sum_of_seat(records: &[&Record], seat: &str) -> Option<u64> {
    let payoffs = records.iter().filter_map(|record| match &record.event {
        Event::Paid(Payment { tables: Some(_), payoffs, .. }) => Some(payoffs),
        _ => None,
    });
    let own = payoffs.flatten().filter(|payoff| payoff.seat.as_str() == seat);
    own.filter_map(|payoff| u64::try_from(payoff.payoff_cents?).ok()).reduce(|sum, cents| sum + cents)
}

pub fn sum_payoffs(cell: &Cell<'_>) -> Option<String> {
    let seat = cell.seat()?;
    let payoffs = cell.records.iter().filter_map(|record| match &record.event {
        Event::Paid(Payment { payoffs, .. }) => Some(payoffs),
        _ => None,
    });
    let own = payoffs.flatten().filter(|payoff| payoff.seat.as_str() == seat.as_str());
    show(own.filter_map(|payoff| payoff.payoff_cents).reduce(|sum, cents| sum + cents)?)
}

pub fn mean_payoff(cell: &Cell<'_>) -> Option<String> {
    let sums: Vec<u64> = cell.seat_names().into_iter().filter_map(|seat| sum_of_seat(&cell.records, seat)).collect();
    share(sums.iter().sum::<u64>() as usize, sums.len())
}
