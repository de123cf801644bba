//! What seats were paid.

use crate::domain::{AlternativeName, CLASS_NAMES, PaymentStage, Payoff};
use crate::metrics::column::{Column, Row};
use crate::metrics::why::{Of, Pay, Plain, Reach, Working};

/// A column of this table.
type Col = Column<PayoffRow>;

/// One payment to one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayoffRow {
    /// What for.
    pub stage: PaymentStage,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The situation whose tables were used.
    pub situation: String,
    /// What every income was multiplied with, in thousandths.
    pub multiplier: Option<u32>,
    /// What was paid, and how it came about.
    pub payoff: Payoff,
    /// Whether the amount removed at least one table; `None` where nothing with an amount was chosen.
    pub binding: Option<bool>,
    /// Whether the highest mean income picks the same table; `None` where nothing was chosen.
    pub same_as_average: Option<bool>,
}

impl Row for PayoffRow {
    const TABLE: &'static str = "payoffs";
    const ABOUT: &'static str =
        "one row a payment to a seat; a seat without a valid choice is not paid for a practice round";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::text("stage", "application: the seat's own choice in a practice round; settlement: the group's decision, or the lot where it reached none", |r| {
            Some(r.stage.as_str())
        })
.why(Reach::Own, &[Of::Paid], Working::Plain(Plain::Field("event.stage")))
        .source("Paid"),
        Col::count("round", "round of the phase, from 1; 0 outside rounds", |r| Some(u64::from(r.round)))
.why(Reach::Own, &[Of::Paid], Working::Plain(Plain::Field("at.round")))
            .source("at.round"),
        Col::text("seat", "who was paid", |r| Some(r.payoff.seat.as_str()))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Seat)).source("Paid"),
        Col::text("situation", "situation whose tables were used", |r| Some(&r.situation))
.why(Reach::Own, &[Of::Paid], Working::Plain(Plain::Field("event.situation"))).source("Paid"),
        Col::text("principle", "alternative that picked the table; empty where the table was drawn by lot", |r| {
            r.payoff.alternative.as_ref().map(AlternativeName::as_str)
        })
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Principle))
        .source("Paid"),
        Col::count("amount", "amount that belongs to the principle; empty where it takes none", |r| {
            r.payoff.amount.map(u64::from)
        })
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Amount))
        .unit("dollars a year")
        .source("Paid"),
        Col::count("table", "table that was picked or drawn, from 1", |r| Some(u64::from(r.payoff.table)))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Table)).source("Paid"),
        Col::text("class", "income class drawn: high, medium_high, medium, medium_low or low", |r| {
            CLASS_NAMES.get(usize::from(r.payoff.class)).copied()
        })
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Class))
        .source("Paid"),
        Col::count("income", "income of that class in that table", |r| Some(u64::from(r.payoff.income)))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Income))
            .unit("dollars a year")
            .source("Paid"),
        Col::count("payoff_cents", "what was paid for it", |r| Some(r.payoff.payoff_cents))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Cents))
            .unit("cents")
            .formula("income / 10000 * pay rate, half a cent rounded up")
            .source("Paid"),
        Col::count("balance_cents", "what the seat owned then", |r| Some(r.payoff.balance_cents))
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Balance)).unit("cents").source("Paid"),
        Col::flag(
            "binding",
            "1 if the amount removed at least one table from the choice, 0 if it removed none; empty where the principle takes no amount or none was chosen",
            |r| r.binding,
        )
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Binding))
        .source("Paid and the situation's tables; Frohlich and Oppenheimer 1992"),
        Col::flag(
            "same_as_average",
            "1 if the highest mean income picks the same table; empty where no principle was chosen",
            |r| r.same_as_average,
        )
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::SameAsAverage))
        .source("Paid and the situation's tables"),
        Col::real("multiplier", "what every income of the situation was multiplied with; empty where nothing was drawn", |r| {
            r.multiplier.map(|thousandths| f64::from(thousandths) / 1000.0)
        })
.why(Reach::Own, &[Of::Paid], Working::Pay(Pay::Multiplier))
        .formula("thousandths / 1000")
        .source("Paid"),
    ]];
}
