//! Cells about pay: what was paid for what, which table was picked, and what other choices would have paid.

use ekklesia::domain::{AlternativeId, CLASS_NAMES, Choice, Event, PaymentStage, Payoff, Record, Situation};
use ekklesia::mechanism::{Average, IncomePrinciples, low, mean_dollars_rounded, pay_cents, range};
use ekklesia::metrics::fold::paid_tables;
use super::{Picked, Worked, absent, named, real, worked};

/// A cell about pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pay {
    /// The mean over seats that were paid.
    Mean,
    /// What the row's seat was paid in all.
    Sum,
    /// Who was paid.
    Seat,
    /// The alternative that picked the table.
    Principle,
    /// Its amount.
    Amount,
    /// The table.
    Table,
    /// The class drawn.
    Class,
    /// Its income.
    Income,
    /// What was paid.
    Cents,
    /// What the seat owned then.
    Balance,
    /// Whether the amount removed a table.
    Binding,
    /// Whether the highest mean picks the same.
    SameAsAverage,
    /// What incomes were multiplied with.
    Multiplier,
    /// Another choice's cell.
    Other(Other),
}

/// A cell of what another choice would have paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// The alternative.
    Principle,
    /// Its amount.
    Amount,
    /// The table it picks.
    Table,
    /// The income of the seat's class there.
    Income,
    /// What it would have paid.
    Cents,
    /// Whether it is what was applied.
    Chosen,
}

impl Pay {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        match self {
            Pay::Mean => mean(picked),
            Pay::Sum => sum(picked),
            Pay::Other(other) => other.work(picked),
            Pay::Multiplier => match picked.last().map(|record| &record.event) {
                Some(Event::Paid { multiplier: Some(thousandths), .. }) => {
                    let value = f64::from(*thousandths) / 1000.0;
                    real(Some(value), "")
                }
                _ => absent("incomes were paid as they stand: no multiplier was drawn"),
            },
            _ => self.payment(picked),
        }
    }

    /// A cell about one payment; of a session, about that of the seat paid last by the decision.
    fn payment(self, picked: &Picked<'_>) -> Worked {
        let Some(record) = picked.last() else { return absent("nothing was paid here") };
        let Some(payoff) = payoff(picked, record) else {
            return absent(match (picked.case.scope.seat(), &record.event) {
                (Some(_), _) => "the seat was not paid here",
                (None, Event::Paid { payoffs, .. }) if !payoffs.is_empty() => {
                    "the group decided for nothing, so the table of every seat was drawn by lot"
                }
                (None, _) => "nobody was paid here",
            });
        };
        let Payoff { alternative, amount, table, class, income, payoff_cents, balance_cents, .. } = payoff;
        let class_name = CLASS_NAMES.get(usize::from(*class)).copied().unwrap_or("unknown");
        let by = alternative.as_ref().map_or("drawn by lot".to_owned(), |name| format!("picked by {name}"));
        let missing = |why: &str| Err(why.to_owned());
        match self {
            Pay::Seat => worked(&payoff.seat),
            Pay::Principle => match alternative {
                Some(name) => worked(name),
                None => missing("the table was drawn by lot"),
            },
            Pay::Amount => match amount {
                Some(amount) => worked(amount),
                None => missing("the principle takes no amount, or the table was drawn by lot"),
            },
            Pay::Table => worked(table),
            Pay::Class => worked(class_name),
            Pay::Income => worked(income),
            Pay::Balance => worked(balance_cents),
            Pay::Cents => {
                let rate = rate(picked, record);
                let words = rate.map_or(format!("paid: {payoff_cents}"), |rate| cents(*income, rate));
                worked(payoff_cents)
            }
            _ => self.picks(picked, record, payoff),
        }
    }

    /// Whether an amount bound, or the highest mean would have picked the same table.
    fn picks(self, picked: &Picked<'_>, record: &Record, payoff: &Payoff) -> Worked {
        let Some((mechanism, situation, choice)) = applied(picked, record, payoff) else {
            return Err("no principle was chosen: the table was drawn by lot".to_owned());
        };
        let pick = mechanism.pick(choice, &situation);
        match (self, pick.binding) {
            (Pay::SameAsAverage, _) => {
                worked(u8::from(pick.same_as_average))
            }
            (_, Some(binding)) => {
                worked(u8::from(binding))
            }
            (_, None) => Err("the principle takes no amount".to_owned()),
        }
    }
}

/// The payment to the row's seat; of a row without one, the last payment that a decision made.
fn payoff<'r>(picked: &Picked<'_>, record: &'r Record) -> Option<&'r Payoff> {
    if picked.case.scope.seat().is_some() {
        return picked.case.scope.payoff(record);
    }
    let Event::Paid { payoffs, .. } = &record.event else { return None };
    payoffs.iter().rfind(|payoff| payoff.alternative.is_some())
}

/// What 10 000 dollars pay in a payment's stage, in cents.
fn rate(picked: &Picked<'_>, record: &Record) -> Option<u32> {
    let mechanism = picked.arm().mechanism.as_ref()?;
    match record.event {
        Event::Paid { stage: PaymentStage::Application, .. } => Some(mechanism.application_cents),
        Event::Paid { .. } => Some(mechanism.settlement_cents),
        _ => None,
    }
}

fn cents(income: u32, rate: u32) -> String {
    format!("{income} / 10000 * {rate} cents, half a cent rounded up = {}", pay_cents(income, rate))
}

/// The mechanism, the tables and the choice behind a payment; `None` where nothing was chosen.
fn applied<'p>(
    picked: &Picked<'p>,
    record: &Record,
    payoff: &Payoff,
) -> Option<(&'p IncomePrinciples, Situation, Choice)> {
    let arm = picked.arm();
    let mechanism = arm.mechanism.as_deref()?;
    let situation = paid_tables(mechanism, record)?;
    let name = payoff.alternative.as_ref()?;
    let place = arm.alternatives.iter().position(|known| known == name)?;
    Some((mechanism, situation, Choice { alternative: AlternativeId(place as u32), amount: payoff.amount }))
}

/// The tables in words: what each principle looks at.
fn tables(mechanism: &IncomePrinciples, situation: &Situation) -> Vec<String> {
    let mean = |table| mean_dollars_rounded(table, &situation.weights_ppm, mechanism.average);
    let word = match mechanism.average {
        Average::Weighted => "weighted mean",
        Average::Unweighted => "mean",
    };
    let tables = situation.tables.iter().zip(1..);
    tables
        .map(|(table, number)| {
            let incomes: Vec<String> = table.iter().map(u32::to_string).collect();
            format!(
                "table {number}: {} (high to low); low {}, range {}, {word} {}",
                incomes.join(" "),
                low(table),
                range(table),
                mean(table)
            )
        })
        .collect()
}

/// Payments by seat, of the records picked: whose, the sum, and the sum worked out.
fn by_seat<'p>(picked: &'p Picked<'_>) -> Vec<(&'p str, u64, String)> {
    let mut seats = Vec::new();
    for name in picked.seat_names() {
        let mut paid: Vec<u64> = Vec::new();
        for record in &picked.records {
            let Event::Paid { payoffs, .. } = &record.event else { continue };
            paid.extend(payoffs.iter().filter(|payoff| payoff.seat.as_str() == name).map(|payoff| payoff.payoff_cents));
        }
        if !paid.is_empty() {
            let terms: Vec<String> = paid.iter().map(u64::to_string).collect();
            let sum: u64 = paid.iter().sum();
            let terms = terms.join(" + ");
            seats.push((name, sum, if paid.len() == 1 { terms } else { format!("{terms} = {sum}") }));
        }
    }
    seats
}

fn mean(picked: &Picked<'_>) -> Worked {
    let seats = by_seat(picked);
    if seats.is_empty() {
        return absent("no seat was paid for this");
    }
    let sum: u64 = seats.iter().map(|(_, sum, _)| sum).sum();
    let mean = sum as f64 / seats.len() as f64;
    real(Some(mean), "")
}

fn sum(picked: &Picked<'_>) -> Worked {
    let seat = picked.case.scope.seat();
    let own = by_seat(picked).into_iter().find(|(name, ..)| seat.as_ref().is_some_and(|seat| seat.as_str() == *name));
    match own {
        Some((_, sum, terms)) => worked(sum),
        None => absent("the seat was not paid for this"),
    }
}

impl Other {
    fn work(self, picked: &Picked<'_>) -> Worked {
        let Some(record) = picked.last() else { return absent("nothing was paid here") };
        let Some(payoff) = payoff(picked, record) else { return absent("the seat was not paid here") };
        let (arm, scope) = (picked.arm(), picked.case.scope);
        let place = arm.alternatives.iter().position(|name| scope.text("principle") == Some(name.as_str()));
        let amount: Option<u32> = scope.number("amount");
        let tables_of =
            arm.mechanism.as_deref().and_then(|mechanism| Some((mechanism, paid_tables(mechanism, record)?)));
        let (Some(place), Some((mechanism, situation))) = (place, tables_of) else {
            return absent("the plan pays for no such principle");
        };
        let choice = Choice { alternative: AlternativeId(place as u32), amount };
        let name = &arm.alternatives[place];
        let with = amount.map_or(String::new(), |amount| format!(" {amount}"));
        if mechanism.principles[place].takes_amount() != amount.is_some() {
            return absent("the principle and its amount do not belong together");
        }
        let pick = mechanism.pick(choice, &situation);
        let income = situation.tables[pick.table][usize::from(payoff.class)];
        let class = CLASS_NAMES.get(usize::from(payoff.class)).copied().unwrap_or("unknown");
        match self {
            Other::Principle => worked(name),
            Other::Amount => match amount {
                Some(amount) => worked(amount),
                None => Err(format!("{name} takes no amount")),
            },
            Other::Table => worked(pick.table + 1),
            Other::Income => worked(income),
            Other::Cents => {
                let Some(rate) = rate(picked, record) else { return absent("nothing was paid here") };
                worked(pay_cents(income, rate))
            }
            Other::Chosen => {
                let chosen = payoff.alternative.as_ref() == Some(name) && payoff.amount == amount;
                let by = payoff.alternative.as_ref().map_or("a table drawn by lot".to_owned(), |name| name.to_string());
                worked(u8::from(chosen))
            }
        }
    }
}
