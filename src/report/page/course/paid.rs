//! What seats were paid, what other choices would have paid them, and what they took from a common stock.

use serde::Serialize;

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
