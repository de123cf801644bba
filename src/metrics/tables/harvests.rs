//! What was taken from a common stock: seat by seat and round by round, and what sessions and seats come to.

use crate::domain::{Harvest, PhaseName, Seq};
use crate::metrics::column::{Column, Row};
use crate::metrics::effort::origin;
use crate::metrics::tables::{SeatRow, SessionRow};
use crate::metrics::why::{Asked, HarvestCell, Of, Plain, Reach, Working};

/// A column of this table.
type Col = Column<HarvestRow>;
/// A column of `sessions`.
type SessionCol = Column<SessionRow>;
/// A column of `seats`.
type SeatCol = Column<SeatRow>;

/// What one seat took in a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HarvestRow {
    /// The record.
    pub seq: Seq,
    /// The phase.
    pub phase: PhaseName,
    /// The round.
    pub round: u32,
    /// What there was.
    pub stock: u32,
    /// Who asked for how much, and got how much.
    pub harvest: Harvest,
    /// How often it had been asked before the answer that settled how much.
    pub tries_before: u32,
    /// Whether that is more than its part of what could be taken for ever.
    pub is_over: bool,
    /// What it took up to this round.
    pub gain: u64,
    /// What all left.
    pub left: u32,
    /// What that grew to.
    pub grown: u32,
}

/// What the harvests of a session come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HarvestTotals {
    /// Rounds in which there was a harvest.
    pub survival_time: u64,
    /// Whether the stock is gone.
    pub is_collapsed: bool,
    /// What all took together.
    pub total_gain: u64,
    /// How much of what could have been taken for ever was taken, from 0 to 1; `None` where nothing could. Source: Piatti et al.
    /// 2024, eq. 1: u = 1 − max(0, T f(0) − Σₜ Rᵗ) / (T f(0)).
    pub efficiency: Option<f64>,
    /// One less the Gini coefficient of what seats took, from 1/n to 1; `None` where nobody took anything. Source: Piatti et al.
    /// 2024, eq. 2: e = 1 − Σᵢ Σⱼ |Rᵢ − Rⱼ| / (2 n Σ R).
    pub equality: Option<f64>,
    /// The share of single harvests above an equal part of what could be taken for ever, f(t) / n. Our own: eq. 3 of Piatti et al.
    /// 2024 counts single harvests above the whole of f(t), which at five seats hardly one can be.
    pub over_usage: f64,
}

const SOURCE: &str = "Harvested; Piatti et al. 2024";
const ENTER: &[Of] = &[Of::Harvested];

impl Row for HarvestRow {
    const TABLE: &'static str = "harvests";
    const ABOUT: &'static str =
        "one row a seat and round in which a common stock was harvested, where the scenario has the mechanism commons";
    const COLUMNS: &'static [&'static [Column<Self>]] = &[&[
        Col::count("seq", "number of the record of the harvest, the same for all seats", |r| Some(r.seq.0))
            .why(Reach::Own, ENTER, Working::Plain(Plain::Field("seq")))
            .source("seq"),
        Col::text("phase", "phase, by its name in the agenda", |r| Some(r.phase.as_str()))
            .why(Reach::Own, ENTER, Working::Plain(Plain::Field("at.phase")))
            .source("at.phase"),
        Col::count("round", "round of the phase, from 1", |r| Some(u64::from(r.round)))
            .why(Reach::Own, ENTER, Working::Plain(Plain::Field("at.round")))
            .source("at.round"),
        Col::text("seat", "who took", |r| Some(r.harvest.seat.as_str()))
            .why(Reach::Own, ENTER, Working::Harvest(HarvestCell::Seat))
            .source("Harvested"),
        Col::count("stock", "what there was before anybody took anything", |r| Some(u64::from(r.stock)))
            .why(Reach::Own, ENTER, Working::Plain(Plain::Field("event.stock")))
            .unit("units of the scenario")
            .source("Harvested"),
        Col::count("asked", "what the seat asked for; empty where it gave no admissible answer", |r| r.harvest.asked.map(u64::from))
            .why(Reach::Own, ENTER, Working::Harvest(HarvestCell::Asked))
            .unit("units of the scenario")
            .source("Harvested"),
        Col::text("origin", "first_try, or reasked when the seat had been asked again for how much", |r| Some(origin(r.tries_before)))
            .why(Reach::SeatPart, &[Of::HarvestAnswered], Working::Asked(Asked::Origin))
            .source("attempt"),
        Col::count("got", "what it got: less than it asked for where all asked for more than there was", |r| Some(u64::from(r.harvest.got)))
            .why(Reach::Own, ENTER, Working::Harvest(HarvestCell::Got))
            .unit("units of the scenario")
            .source("Harvested"),
        Col::flag("over_use", "1 if that is more than its part of the most that all could take so that the stock is no smaller next round", |r| Some(r.is_over))
            .why(Reach::Own, ENTER, Working::Harvest(HarvestCell::OverUse))
            .formula("got > f(t) / n, f(t) = stock - max(ceil(stock / growth), collapse_below), n seats")
            .source("Harvested; f(t) of Piatti et al. 2024, without its collapse"),
        Col::count("gain", "what the seat took up to this round, with it", |r| Some(r.gain))
            .why(Reach::SeatSoFar, ENTER, Working::Harvest(HarvestCell::Gain))
            .unit("units of the scenario")
            .source("Harvested"),
        Col::count("left", "what all left", |r| Some(u64::from(r.left)))
            .why(Reach::Own, ENTER, Working::Plain(Plain::Field("event.left")))
            .unit("units of the scenario")
            .source("Harvested"),
        Col::count("grown", "what that grew to for the next round; 0 where nothing grows back", |r| Some(u64::from(r.grown)))
            .why(Reach::Own, ENTER, Working::Plain(Plain::Field("event.grown")))
            .unit("units of the scenario")
            .source("Harvested"),
    ]];
}

fn totals(row: &SessionRow) -> Option<HarvestTotals> {
    row.totals.as_ref()?.harvests
}

/// Of `sessions`.
pub(super) static OF_SESSION: &[SessionCol] = &[
    SessionCol::count(
        "survival_time",
        "rounds in which a common stock was harvested, the one in which it was gone among them; empty where there is none",
        |r| Some(totals(r)?.survival_time),
    )
    .why(Reach::Session, ENTER, Working::Harvest(HarvestCell::SurvivalTime))
    .unit("rounds")
    .source(SOURCE),
    SessionCol::flag("collapsed", "1 if so little of the stock was left that nothing grew back, else 0; empty as survival_time is", |r| {
        Some(totals(r)?.is_collapsed)
    })
    .why(Reach::Session, ENTER, Working::Harvest(HarvestCell::Collapsed))
    .source(SOURCE),
    SessionCol::count("total_gain", "amount that all seats took together; empty as survival_time is", |r| Some(totals(r)?.total_gain))
        .why(Reach::Session, ENTER, Working::Harvest(HarvestCell::TotalGain))
        .unit("units of the scenario")
        .source(SOURCE),
    SessionCol::real(
        "efficiency",
        "part that was taken of the most that could be taken in all rounds of the first stock without making it smaller; empty as survival_time is, and where nothing could",
        |r| totals(r)?.efficiency,
    )
    .why(Reach::Session, ENTER, Working::Harvest(HarvestCell::Efficiency))
    .formula("1 - max(0, T f(0) - total_gain) / (T f(0)), T = rounds_max")
    .source("Harvested; Piatti et al. 2024, eq. 1"),
    SessionCol::real("equality", "one less the Gini coefficient of what seats took; empty as survival_time is, and where nobody took anything", |r| {
        totals(r)?.equality
    })
    .why(Reach::Session, ENTER, Working::Harvest(HarvestCell::Equality))
    .formula("1 - sum_ij |R_i - R_j| / (2 n sum R)")
    .source("Harvested; Piatti et al. 2024, eq. 2"),
    SessionCol::real("over_usage", "share of single harvests that are over-use (over_use 1): above an equal part of f(t), where eq. 3 of Piatti et al. 2024 counts those above the whole of it; empty as survival_time is", |r| Some(totals(r)?.over_usage))
        .why(Reach::Session, ENTER, Working::Harvest(HarvestCell::OverUsage))
        .formula("sum of over_use / rows of harvests")
        .source("Harvested"),
];

/// Of `seats`.
pub(super) static OF_SEAT: &[SeatCol] =
    &[SeatCol::count("gain", "what the seat took from the common stock; empty where there is none", |r| r.gain)
        .why(Reach::Seat, ENTER, Working::Harvest(HarvestCell::Gain))
        .unit("units of the scenario")
        .source("Harvested")];
