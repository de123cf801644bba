//! The row whose cell is explained: its cells by column, and the record behind it.

use std::collections::BTreeMap;

use crate::domain::{PaymentTables, Payoff, Record, SeatName, list_reading_places};

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TracedRow {
    table: String,
    cells: BTreeMap<String, String>,
    /// The phase with its pass.
    phase: Option<String>,
}

impl TracedRow {
    /// A row with these cells.
    pub fn new(table: &str, cells: BTreeMap<String, String>) -> Self {
        let text = |column: &str| cells.get(column).filter(|text| !text.is_empty());
        let phase = text("phase").map(|phase| match text("pass") {
            Some(pass) => format!("{phase}@{pass}"),
            None => phase.clone(),
        });
        // In the table of assignments the group is what a seat was put into, and not where that happened.
        let group = text("group").filter(|_| table != "assignments");
        let phase = phase.map(|phase| match group {
            Some(group) => format!("{phase}#{group}"),
            None => phase,
        });
        Self { table: table.to_owned(), cells, phase }
    }

    /// A cell's text; `None` if it is empty or the table has no such column.
    pub fn cell_text(&self, column: &str) -> Option<&str> {
        self.cells.get(column).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// A cell's integer.
    pub fn cell_number<T: std::str::FromStr>(&self, column: &str) -> Option<T> {
        self.cell_text(column)?.parse().ok()
    }

    /// The phase, in a repeated block with the pass.
    pub fn phase(&self) -> Option<&str> {
        self.phase.as_deref()
    }

    /// The round; 0 outside rounds.
    pub fn round(&self) -> Option<u32> {
        self.cell_number("round")
    }

    /// The speaking turn; 0 outside turns.
    pub fn turn(&self) -> Option<u32> {
        self.cell_number("turn")
    }

    /// The seat.
    pub fn seat(&self) -> Option<SeatName> {
        self.cell_text("seat").map(SeatName::new)
    }

    /// The table's name.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The index of the record behind the row; `None` if the row comes from several records.
    pub fn own_record(&self, all: &[Record]) -> Option<usize> {
        if let Some(seq) = self.cell_number::<u64>("seq") {
            return all.iter().position(|record| record.seq.0 == seq);
        }
        if let Some(vote) = self.cell_number::<usize>("vote") {
            let read = list_reading_places(all).into_iter();
            let mut tallies = read.filter(|place| all[*place].event.is_tallied());
            return tallies.nth(vote.checked_sub(1)?);
        }
        self.cell_text("stage")?;
        all.iter().position(|record| self.is_payment(record))
    }

    /// The row seat's payoff in a record; `None` unless the row comes from this record.
    pub fn payoff<'r>(&self, record: &'r Record) -> Option<&'r Payoff> {
        let payment = record.event.paid()?;
        let seat = self.seat()?;
        let payoff = payment.payoffs.iter().find(|payoff| payoff.seat == seat)?;
        // A seat's balance distinguishes payments of equal name and round.
        let (shown, balance) = (self.cell_number("balance_cents"), payoff.income.as_ref()?.balance_cents);
        shown.is_none_or(|shown: u64| shown == balance).then_some(payoff)
    }

    fn is_payment(&self, record: &Record) -> bool {
        let Some(payment) = record.event.paid() else { return false };
        let Some(PaymentTables { stage, situation, .. }) = &payment.tables else {
            return self.phase() == Some(record.at.phase.as_str());
        };
        self.cell_text("stage") == Some(stage.as_str())
            && self.round() == Some(record.at.round)
            && self.cell_text("situation") == Some(situation)
            && self.payoff(record).is_some()
    }
}
