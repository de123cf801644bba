//! Payments to seats, the payments for other choices, and takes from a common stock.

use serde::Serialize;

use crate::domain::{Event, PaymentStage, Record};
use crate::report::page::cells::Row;

/// The payments to a seat, in cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Paid {
    /// The sum over practice rounds.
    pub applications: Option<u64>,
    /// The settlement.
    pub settlement: Option<u64>,
    /// The total.
    pub total: Option<u64>,
}

/// The payments that one choice would have given in a stage, over all seats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forgone {
    /// `application` or `settlement`.
    pub stage: String,
    /// The alternative, without its amount.
    pub principle: String,
    /// The number of payments calculated.
    pub n: u64,
    /// Their sum in cents.
    pub cents: u64,
    /// The number of payments whose choice was the one applied.
    pub chosen: u64,
}

/// One month of a common stock.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Month {
    /// The round.
    pub round: u64,
    /// The record.
    pub seq: u64,
    /// The stock before anybody took anything.
    pub stock: u64,
    /// The total taken.
    pub taken: u64,
    /// The remainder.
    pub left: u64,
    /// The stock after the remainder grew back.
    pub grown: u64,
    /// The seats that took more than their share of what can be taken without shrinking the stock.
    pub over: u64,
    /// The take of each seat, in the plan's order.
    pub took: Vec<Took>,
}

/// A seat's take from a common stock in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Took {
    /// The seat.
    pub seat: String,
    /// The amount taken.
    pub got: u64,
    /// Whether that is more than the seat's share of what can be taken without shrinking the stock.
    pub is_over: bool,
}

/// The takes of all seats but one in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OthersTook {
    /// The month.
    pub round: u64,
    /// The record of the month.
    pub seq: u64,
    /// The mean take, to a tenth.
    pub mean: String,
    /// The stock before anybody took anything.
    pub stock: u64,
}

/// The basis of the final payment of all seats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settled {
    /// The record.
    pub seq: u64,
    /// The group's decision, with its amount; empty without one, when each seat is paid by a randomly drawn table.
    pub by: String,
    /// The situation of the tables.
    pub situation: String,
}

impl Settled {
    /// The settlement in these records; `None` without one.
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

/// Reads the payments to a seat.
pub fn read_paid(row: &Row<'_>) -> Paid {
    Paid {
        applications: row.count("payoff_applications_cents"),
        settlement: row.count("payoff_settlement_cents"),
        total: row.count("payoff_total_cents"),
    }
}

/// Sums the payments for every possible choice, by stage and alternative.
pub fn read_forgone(rows: &[Row<'_>]) -> Vec<Forgone> {
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

/// Finds the takes of the others that a seat knew when it last took something before record `at`: those of the month before that
/// take. `None` without such a month, or if the seat was alone in it.
pub fn find_others_took(months: &[Month], seat: &str, at: u64) -> Option<OthersTook> {
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

/// Reads the months, in order.
pub fn read_months(rows: &[Row<'_>]) -> Vec<Month> {
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
        let month = all.last_mut().expect("invariant: every row belongs to a month");
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
    fn the_takes_of_the_others_are_those_of_the_month_before_the_seats_own_last_take() {
        let months = [(1, 10, [8, 9, 12]), (2, 20, [10, 5, 5]), (3, 30, [0, 0, 0])].map(month);
        let found =
            |seat: &str, at: u64| find_others_took(&months, seat, at).map(|took| (took.round, took.seq, took.mean));
        // In the talk of month 2, Ann declares her take of that month, which she chose knowing month 1.
        assert_eq!(found("Ann", 25), Some((1, 10, "10.5".to_owned())));
        assert_eq!(found("Cem", 25), Some((1, 10, "8.5".to_owned())));
        assert_eq!(found("Ann", 31), Some((2, 20, "5".to_owned())));
        // Before her take in month 1, nobody had taken anything.
        assert_eq!(found("Ann", 15), None);
        assert_eq!((found("Ann", 5), found("Dan", 25)), (None, None));
    }
}
