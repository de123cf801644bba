//! The table of payoffs.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::tables::values::read_decimal;
use crate::domain::{AlternativeName, CLASS_NAMES, Payoff, PhaseName, SeatName};

columns! {
    /// One payment to one seat.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PayoffRow as r {
        /// What was paid, and how it came about.
        pub paid: Payoff,
        /// What every income was multiplied with, in thousandths.
        pub thousandths: Option<u32>,
    }

    /// application: the seat's own choice in a practice round; settlement: the group's decision, or the lot where it reached none; pay: an
    /// expression
    stage: String => Own[Paid], "Paid";
    /// round of the phase, from 1; 0 outside rounds
    round: u32 => Own[Paid], "at.round";
    /// who was paid
    seat: SeatName => Own[Paid], "Paid";
    /// situation whose tables were used
    situation: Option<String> => Own[Paid], "Paid";
    /// alternative that picked the table; empty where the table was drawn by lot
    principle: str = r.paid.income.as_ref()?.alternative.as_ref().map(AlternativeName::as_str) => Own[Paid], "Paid";
    /// amount that belongs to the principle; empty where it takes none
    amount: u32 = r.paid.income.as_ref()?.amount => Own[Paid], "Paid", unit: "dollars a year";
    /// table that was picked or drawn, from 1
    table: u32 = r.paid.income.as_ref()?.table => Own[Paid], "Paid";
    /// income class drawn: high, medium_high, medium, medium_low or low
    class: str = CLASS_NAMES.get(usize::from(r.paid.income.as_ref()?.class)).copied() => Own[Paid], "Paid";
    /// income of that class in that table
    income: u32 = r.paid.income.as_ref()?.income => Own[Paid], "Paid", unit: "dollars a year";
    /// what was paid for it; where an expression pays, in whole cents, and empty where its units are worth no money
    payoff_cents: i64 = r.paid.payoff_cents => Own[Paid], "Paid", unit: "cents",
        formula: "income / 10000 * pay rate, half a cent rounded up; or 100 * (payoff * rate + fee)";
    /// what the seat owned then
    balance_cents: u64 = r.paid.income.as_ref()?.balance_cents => Own[Paid], "Paid", unit: "cents";
    /// 1 if the amount removed at least one table from the choice, 0 if it removed none; empty where the principle takes no amount or none
    /// was chosen
    binding: Option<bool> => Own[Paid], "Paid and the situation's tables; Frohlich and Oppenheimer 1992";
    /// 1 if the highest mean income picks the same table; empty where no principle was chosen
    same_as_average: Option<bool> => Own[Paid], "Paid and the situation's tables";
    /// what every income of the situation was multiplied with; empty where nothing was drawn
    multiplier: f64 = r.thousandths.map(|thousandths| f64::from(thousandths) / 1000.0) => Own[Paid], "Paid",
        formula: "thousandths / 1000";
    /// what an expression paid, in units; empty where a value was missing, and where a mechanism paid
    payoff: f64 = r.paid.payoff.map(read_decimal) => Own[Paid], "Paid";
    /// what the payoff counts; empty where the agenda names no unit
    unit: Option<String> => Own[Paid], "Paid";
    /// phase, by its name in the agenda
    phase: PhaseName => Own[Paid], "at.phase";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Paid], "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Paid], "at.phase";
}

impl CsvRow for PayoffRow {
    const TABLE: &'static str = "payoffs";
    const ABOUT: &'static str =
        "one row a payment to a seat; a seat without a valid choice is not paid for a practice round";
}
