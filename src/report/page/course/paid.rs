//! Payments to seats, and the payments for other choices.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Serialize;

use super::choices::with_amount;
use crate::domain::{PaymentStage, Record};
use crate::report::page::cells::Row;

/// The payments to a seat, in cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Paid {
    /// The sum over practice rounds.
    pub applications: Option<i64>,
    /// The settlement.
    pub settlement: Option<i64>,
    /// The total.
    pub total: Option<i64>,
}

/// The payments of a session that expressions of the agenda compute, in one unit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ComputedPay {
    /// The sum of the payments to each seat.
    pub seats: BTreeMap<String, f64>,
    /// The payments without a value.
    pub missing: u64,
    /// Whether the units are worth money, which the sums leave out, as they do the fee.
    pub is_worth_money: bool,
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

impl Forgone {
    /// The sum over no payment.
    pub fn new(stage: &str, principle: &str) -> Self {
        Self { stage: stage.to_owned(), principle: principle.to_owned(), n: 0, cents: 0, chosen: 0 }
    }
}

impl Settled {
    /// The settlement in these records; `None` without one.
    pub fn of(records: &[Record]) -> Option<Self> {
        records.iter().find_map(|record| {
            let payment = record.event.paid()?;
            let tables = payment.tables.as_ref().filter(|tables| tables.stage == PaymentStage::Settlement)?;
            let mut paid = payment.payoffs.iter().filter_map(|one| one.income.as_ref());
            let by = paid.find_map(|income| {
                let name = income.alternative.as_ref()?.to_string();
                Some(with_amount(name, income.amount.map(u64::from)))
            });
            Some(Self { seq: record.seq.0, by: by.unwrap_or_default(), situation: tables.situation.clone() })
        })
    }
}

/// Reads the payments to a seat.
pub fn read_paid(row: &Row<'_>) -> Paid {
    Paid {
        applications: row.integer("payoff_applications_cents"),
        settlement: row.integer("payoff_settlement_cents"),
        total: row.integer("payoff_total_cents"),
    }
}

/// Sums the payments that expressions of the agenda compute, by unit; the unit is empty where the agenda names none.
pub fn read_computed_pay(rows: &[Row<'_>]) -> IndexMap<String, ComputedPay> {
    let mut all: IndexMap<String, ComputedPay> = IndexMap::new();
    for row in rows.iter().filter(|row| row.text("stage") == Some("pay")) {
        let sum = all.entry(row.owned("unit").unwrap_or_default()).or_default();
        sum.is_worth_money |= row.integer("payoff_cents").is_some();
        match row.number("payoff") {
            Some(payoff) => *sum.seats.entry(row.owned("seat").unwrap_or_default()).or_default() += payoff,
            None => sum.missing += 1,
        }
    }
    all
}

/// Sums the payments for every possible choice, by stage and alternative.
pub fn read_forgone(rows: &[Row<'_>]) -> Vec<Forgone> {
    let mut all: IndexMap<[&str; 2], Forgone> = IndexMap::new();
    for row in rows {
        let [stage, principle] = ["stage", "principle"].map(|column| row.text(column).unwrap_or_default());
        let sum = all.entry([stage, principle]).or_insert_with(|| Forgone::new(stage, principle));
        sum.n += 1;
        sum.cents = sum.cents.saturating_add(row.count("payoff_cents").unwrap_or(0));
        sum.chosen += u64::from(row.flag("chosen") == Some(true));
    }
    all.into_values().collect()
}
