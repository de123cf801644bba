//! The table of counterfactuals: payoffs of other choices for the drawn income class.

use crate::analysis::column::{CsvRow, columns};
use crate::domain::{AlternativeName, PaymentStage, SeatName};

columns! {
    /// One other choice for one payment.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CounterfactualRow as r {}

    /// application or settlement, as in payoffs
    stage: PaymentStage => Own[Paid], "Paid";
    /// round of the phase, from 1; 0 outside rounds
    round: u32 => Own[Paid], "at.round";
    /// who was paid
    seat: SeatName => Own[Paid], "Paid";
    /// situation whose tables were used
    situation: String => Own[Paid], "Paid";
    /// alternative that could have been applied
    principle: AlternativeName => Own[Paid], "plan";
    /// its amount; empty where it takes none
    amount: Option<u32> => Own[Paid], "the situation's tables", unit: "dollars a year",
        formula: "each distinct low income for a floor, each distinct high - low for a range";
    /// table it picks, from 1
    table: u32 => Own[Paid], "the situation's tables; Frohlich and Oppenheimer 1992";
    /// income of the class that was drawn for the seat, in that table
    income: u32 => Own[Paid], "the situation's tables and Paid", unit: "dollars a year";
    /// what would have been paid for it
    payoff_cents: u64 => Own[Paid], "plan", unit: "cents", formula: "income / 10000 * pay rate, half a cent rounded up";
    /// 1 if principle and amount are those that were applied, else 0; what was applied always has a row, also with an amount between
    /// those that make a difference; a seat whose table was drawn by lot has none
    chosen: bool => Own[Paid], "Paid";
}

impl CsvRow for CounterfactualRow {
    const TABLE: &'static str = "counterfactuals";
    const ABOUT: &'static str = "one row a payment and a choice that could have been applied to it, the income class staying as it was drawn: \
each principle without an amount, average_floor at each distinct low income and average_range at each distinct range of the tables used";
}
