//! What other choices would have given to the same income class.

use crate::domain::{AlternativeName, PaymentStage, SeatName};
use crate::metrics::column::{Column, Row};
use crate::metrics::why::{Of, Other, Pay, Plain, Reach, Working};

/// A column of this table.
type Col = Column<CounterfactualRow>;

/// One other choice for one payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterfactualRow {
    /// What was paid for.
    pub stage: PaymentStage,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// Who was paid.
    pub seat: SeatName,
    /// The situation whose tables were used.
    pub situation: String,
    /// The principle.
    pub principle: AlternativeName,
    /// Its amount.
    pub amount: Option<u32>,
    /// The table it picks, from 1.
    pub table: u32,
    /// The income of the seat's class in that table.
    pub income: u32,
    /// What would have been paid for it.
    pub payoff_cents: u64,
    /// Whether it is what was applied.
    pub chosen: bool,
}

impl Row for CounterfactualRow {
    const TABLE: &'static str = "counterfactuals";
    const ABOUT: &'static str = "one row a payment and a choice that could have been applied to it, the income class staying as it was drawn: \
each principle without an amount, average_floor at each distinct low income and average_range at each distinct range of the tables used";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::text("stage", "application or settlement, as in payoffs", |r| Some(r.stage.as_str()))
.why(Reach::Own, &[Of::Paid], Working::Plain(Plain::Field("event.stage"))).source("Paid"),
        Col::count("round", "round of the phase, from 1; 0 outside rounds", |r| Some(u64::from(r.round)))
.why(Reach::Own, &[Of::Paid], Working::Plain(Plain::Field("at.round")))
            .source("at.round"),
        Col::text("seat", "who was paid", |r| Some(r.seat.as_str()))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Seat)).source("Paid"),
        Col::text("situation", "situation whose tables were used", |r| Some(&r.situation))
.why(Reach::Own, &[Of::Paid], Working::Plain(Plain::Field("event.situation"))).source("Paid"),
        Col::text("principle", "alternative that could have been applied", |r| Some(r.principle.as_str()))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Other(Other::Principle)))
            .source("plan"),
        Col::count("amount", "its amount; empty where it takes none", |r| r.amount.map(u64::from))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Other(Other::Amount)))
            .unit("dollars a year")
            .formula("each distinct low income for a floor, each distinct high - low for a range")
            .source("the situation's tables"),
        Col::count("table", "table it picks, from 1", |r| Some(u64::from(r.table)))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Other(Other::Table)))
            .source("the situation's tables; Frohlich and Oppenheimer 1992"),
        Col::count("income", "income of the class that was drawn for the seat, in that table", |r| {
            Some(u64::from(r.income))
        })
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Other(Other::Income)))
        .unit("dollars a year")
        .source("the situation's tables and Paid"),
        Col::count("payoff_cents", "what would have been paid for it", |r| Some(r.payoff_cents))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Other(Other::Cents)))
            .unit("cents")
            .formula("income / 10000 * pay rate, half a cent rounded up")
            .source("plan"),
        Col::flag("chosen", "1 if principle and amount are those that were applied, else 0; what was applied always has a row, also with an amount between those that make a difference; a seat whose table was drawn by lot has none", |r| Some(r.chosen))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Other(Other::Chosen)))
            .source("Paid"),
    ]];
}
