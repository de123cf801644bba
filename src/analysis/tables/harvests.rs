//! The table of harvests of a common stock, per seat and round, and their totals per session.

use crate::analysis::column::{CsvRow, columns};
use crate::analysis::effort::answer_origin;
use crate::domain::{PhaseName, SeatName, Seq};

columns! {
    /// What one seat took in a round.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct HarvestRow as r {
        /// How often it had been asked before the answer that settled how much.
        pub tries_before: u32,
    }

    /// number of the record of the harvest, the same for all seats
    seq: Seq => Own[Harvested], "seq";
    /// phase, by its name in the agenda
    phase: PhaseName => Own[Harvested], "at.phase";
    /// round of the phase, from 1
    round: u32 => Own[Harvested], "at.round";
    /// who took
    seat: SeatName => Own[Harvested], "Harvested";
    /// what there was before anybody took anything
    stock: u32 => Own[Harvested], "Harvested", unit: "units of the scenario";
    /// what the seat asked for; empty where it gave no admissible answer
    asked: Option<u32> => Own[Harvested], "Harvested", unit: "units of the scenario";
    /// first_try, or reasked when the seat had been asked again for how much
    origin: str = answer_origin(r.tries_before) => SeatPart[HarvestAnswered], "attempt";
    /// what it got: less than it asked for where all asked for more than there was
    got: u32 => Own[Harvested], "Harvested", unit: "units of the scenario";
    /// 1 if that is more than its part of the most that all could take so that the stock is no smaller next round
    over_use: bool => Own[Harvested], "Harvested; f(t) of Piatti et al. 2024, without its collapse",
        formula: "got > f(t) / n, f(t) = stock - max(ceil(stock / growth), collapse_below), n seats";
    /// what the seat took up to this round, with it
    gain: u64 => SeatSoFar[Harvested], "Harvested", unit: "units of the scenario";
    /// what all left
    left: u32 => Own[Harvested], "Harvested", unit: "units of the scenario";
    /// what that grew to for the next round; 0 where nothing grows back
    grown: u32 => Own[Harvested], "Harvested", unit: "units of the scenario";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Harvested], "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Harvested], "at.phase";
}

impl CsvRow for HarvestRow {
    const TABLE: &'static str = "harvests";
    const ABOUT: &'static str =
        "one row a seat and round in which a common stock was harvested, where the scenario has the mechanism commons";
}

columns! {
    /// What the harvests of a session come to. Source of the measures: Piatti et al. 2024; of the share of over-use our own: their eq. 3
    /// counts single harvests above the whole of f(t), which at five seats hardly one can be.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct HarvestTotals as r {}

    /// rounds in which a common stock was harvested, the one in which it was gone among them; empty where there is none
    survival_time: u64 => Session[Harvested], "Harvested; Piatti et al. 2024", unit: "rounds";
    /// 1 if so little of the stock was left that nothing grew back, else 0; empty as survival_time is
    collapsed: bool => Session[Harvested], "Harvested; Piatti et al. 2024";
    /// amount that all seats took together; empty as survival_time is
    total_gain: u64 => Session[Harvested], "Harvested; Piatti et al. 2024", unit: "units of the scenario";
    /// part that was taken of the most that could be taken in all rounds of the first stock without making it smaller; empty as
    /// survival_time is, and where nothing could
    efficiency: Option<f64> => Session[Harvested], "Harvested; Piatti et al. 2024, eq. 1",
        formula: "1 - max(0, T f(0) - total_gain) / (T f(0)), T = rounds_max";
    /// one less the Gini coefficient of what seats took; empty as survival_time is, and where nobody took anything
    equality: Option<f64> => Session[Harvested], "Harvested; Piatti et al. 2024, eq. 2",
        formula: "1 - sum_ij |R_i - R_j| / (2 n sum R)";
    /// share of single harvests that are over-use (over_use 1): above an equal part of f(t), where eq. 3 of Piatti et al. 2024 counts those
    /// above the whole of it; empty as survival_time is
    over_usage: f64 => Session[Harvested], "Harvested", formula: "sum of over_use / rows of harvests";
}
