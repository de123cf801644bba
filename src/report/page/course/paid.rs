//! What seats were paid, what other choices would have paid them, and what they took from a common stock.

use serde::Serialize;

use crate::domain::{Event, PaymentStage, Record};
use crate::report::page::cells::Row;

/// What a seat was paid, in cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Paid {
    /// In practice rounds.
    pub applications: Option<u64>,
    /// In the settlement.
    pub settlement: Option<u64>,
    /// In all.
    pub total: Option<u64>,
}

/// What one choice would have paid in a stage, over the seats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forgone {
    /// `application` or `settlement`.
    pub stage: String,
    /// The alternative, without its amount.
    pub principle: String,
    /// Payments worked out.
    pub n: u64,
    /// Their sum in cents.
    pub cents: u64,
    /// How many of them are of what was applied.
    pub chosen: u64,
}

/// One month of a common stock.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Month {
    /// The round.
    pub round: u64,
    /// The record.
    pub seq: u64,
    /// What there was before anybody took anything.
    pub stock: u64,
    /// What all took.
    pub taken: u64,
    /// What was left.
    pub left: u64,
    /// What that grew to.
    pub grown: u64,
    /// Seats that took more than their part of what can be taken without making the stock smaller.
    pub over: u64,
    /// What each seat took, in the plan's order.
    pub took: Vec<Took>,
}

/// What a seat took from a common stock in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Took {
    /// Who.
    pub seat: String,
    /// How much.
    pub got: u64,
    /// Whether that is more than its part of what can be taken without making the stock smaller.
    pub is_over: bool,
}

/// What the others took from a common stock in a month, beside one seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OthersTook {
    /// The month.
    pub round: u64,
    /// Its record.
    pub seq: u64,
    /// The mean of what each of them took, to a tenth.
    pub mean: String,
    /// What there was.
    pub stock: u64,
}

/// By what all seats were paid in the settlement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settled {
    /// The record.
    pub seq: u64,
    /// What the group had decided for, with its amount; empty where each seat's table was drawn by lot.
    pub by: String,
    /// Of which situation the tables are.
    pub situation: String,
}

impl Settled {
    /// What these records say of it; `None` where nothing was settled.
    pub fn of(records: &[Record]) -> Option<Self> {
        records.iter().find_map(|record| match &record.event {
            Event::Paid { stage: PaymentStage::Settlement, situation, payoffs, .. } => Some(Self {
                seq: record.seq.0,
                by: payoffs
                    .iter()
                    .find_map(|one| Some((one.alternative.as_ref()?, one.amount)))
                    .map_or(String::new(), |(name, amount)| {
                        super::with_amount(name.to_string(), amount.map(u64::from))
                    }),
                situation: situation.clone(),
            }),
            _ => None,
        })
    }
}

/// What a seat was paid.
pub fn paid(row: &Row<'_>) -> Paid {
    Paid {
        applications: row.count("payoff_applications_cents"),
        settlement: row.count("payoff_settlement_cents"),
        total: row.count("payoff_total_cents"),
    }
}

/// What each choice would have paid, by stage and alternative.
pub fn forgone(rows: &[Row<'_>]) -> Vec<Forgone> {
    let mut all: Vec<Forgone> = Vec::new();
    for row in rows {
        let [stage, principle] = ["stage", "principle"].map(|column| row.owned(column).unwrap_or_default());
        let is_this = |known: &Forgone| known.stage == stage && known.principle == principle;
        let place = all.iter().position(is_this).unwrap_or_else(|| {
            all.push(Forgone { stage, principle, n: 0, cents: 0, chosen: 0 });
            all.len() - 1
        });
        let known = &mut all[place];
        known.n += 1;
        known.cents = known.cents.saturating_add(row.count("payoff_cents").unwrap_or(0));
        known.chosen += u64::from(row.flag("chosen") == Some(true));
    }
    all
}

/// What the others took in the month before the one in which a seat took last, at a record: what it knew of when it was asked. `None`
/// where there was no such month, and where it was there alone.
pub fn others_took(months: &[Month], seat: &str, at: u64) -> Option<OthersTook> {
    let is_in = |month: &Month| month.took.iter().any(|took| took.seat == seat);
    let last = months.iter().rposition(|month| month.seq < at && is_in(month))?;
    let known = months[..last].last().filter(|month| is_in(month))?;
    let others = known.took.iter().filter(|took| took.seat != seat);
    let count = others.clone().count();
    let all = others.fold(0, |sum: u64, took| sum.saturating_add(took.got));
    let mean = (count > 0).then(|| format!("{:.1}", all as f64 / count as f64))?;
    let mean = mean.strip_suffix(".0").map_or(mean.clone(), str::to_owned);
    Some(OthersTook { round: known.round, seq: known.seq, mean, stock: known.stock })
}

/// The months, in order.
pub fn months(rows: &[Row<'_>]) -> Vec<Month> {
    let mut all: Vec<Month> = Vec::new();
    for row in rows {
        let count = |column: &str| row.count(column).unwrap_or(0);
        if all.last().is_none_or(|month| month.seq != count("seq")) {
            all.push(Month {
                round: count("round"),
                seq: count("seq"),
                stock: count("stock"),
                left: count("left"),
                grown: count("grown"),
                ..Month::default()
            });
        }
        let month = all.last_mut().expect("invariant: a row is of a month");
        month.taken = month.taken.saturating_add(count("got"));
        let is_over = row.flag("over_use") == Some(true);
        month.over += u64::from(is_over);
        month.took.push(Took { seat: row.owned("seat").unwrap_or_default(), got: count("got"), is_over });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month((round, seq, got): (u64, u64, [u64; 3])) -> Month {
        let took = ["Ann", "Bob", "Cem"].iter().zip(got);
        let took = took.map(|(seat, got)| Took { seat: (*seat).to_owned(), got, is_over: false }).collect();
        Month { round, seq, stock: 100, took, ..Month::default() }
    }

    #[test]
    fn what_the_others_took_is_of_the_month_before_the_one_whose_take_is_declared() {
        let months = [(1, 10, [8, 9, 12]), (2, 20, [10, 5, 5]), (3, 30, [0, 0, 0])].map(month);
        let told = |seat: &str, at: u64| others_took(&months, seat, at).map(|took| (took.round, took.seq, took.mean));
        // In the talk of month 2 Ann declares what she took there, knowing month 1.
        assert_eq!(told("Ann", 25), Some((1, 10, "10.5".to_owned())));
        assert_eq!(told("Cem", 25), Some((1, 10, "8.5".to_owned())));
        assert_eq!(told("Ann", 31), Some((2, 20, "5".to_owned())));
        // In that of month 1 nobody had taken anything when she was asked.
        assert_eq!(told("Ann", 15), None);
        assert_eq!((told("Ann", 5), told("Dan", 25)), (None, None));
    }
}
