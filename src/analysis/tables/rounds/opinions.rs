//! Opinions between 0 and 1: mean, shift and polarisation.

use crate::analysis::column::{columns, join_names};
use crate::analysis::counts::SeatOpinion;
use crate::analysis::measures::{self, mean_of};
use crate::domain::Opinion;

/// The bins of van der Eijk's agreement.
const BINS: u64 = 7;

/// The distinct values between 0 and 1 in tables, which print six decimals.
const PLACES: u32 = 1_000_000;

/// The printed value of an opinion, rounded half up. Equal printed opinions form one group, since further digits come from
/// rounding.
fn printed_place(held: &SeatOpinion) -> u32 {
    let (step, half) = (Opinion::ONE / PLACES, Opinion::ONE / PLACES / 2);
    (held.billionths + half) / step
}

columns! {
    /// The opinions of a part.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Opinions as r {
        /// Where they stand, seat by seat.
        held: Vec<SeatOpinion>,
    }

    /// seats with an opinion: in a round of talk told in a statement, elsewhere in a straw poll; the denominator of the columns on
    /// opinions; empty without one, and where there are more than two alternatives, of which opinions are not of one scale
    opinion_n: u64 = r.held.len() as u64 => Part[Position], "statement, straw_poll", unit: "seats";
    /// what the opinions come from, joined by |: opinion, a number that was declared; amount, one that was named, as (amount - least) /
    /// (greatest - least); stance, one of two alternatives, 1 for the first and 0 for the second; empty without one
    opinion_source: Option<String> => Part[Position], "statement, straw_poll";
    /// mean opinion, from 0 to 1; empty without one
    opinion_mean: f64 = mean_of(&r.numbers()) => Part[Position], "statement, straw_poll", formula: "sum x / opinion_n";
    /// standard deviation of the opinions, from 0 to 0.5; empty without one
    opinion_sd: f64 = r.variance().map(libm::sqrt) => Part[Position], "statement, straw_poll", formula: "sqrt(sum (x - mean)^2 / opinion_n)";
    /// variance of the opinions, from 0 to 0.25; empty without one
    opinion_var: f64 = r.variance() => Part[Position], "statement, straw_poll", formula: "sum (x - mean)^2 / opinion_n";
    /// seats with an opinion that had told one before, in a statement or in a poll likewise: the denominator of opinion_shift_abs and
    /// opinion_shift_net; empty without an opinion
    opinion_shift_n: u64 = r.shifts().len() as u64 => SoFar[Position], "statement, straw_poll", unit: "seats";
    /// how far opinions moved since each seat told its own last, whichever way, from 0 to 1; empty when opinion_shift_n is 0
    opinion_shift_abs: f64 = mean_of(&r.shifts().into_iter().map(f64::abs).collect::<Vec<f64>>())
        => SoFar[Position], "statement, straw_poll", formula: "sum |x - x before| / opinion_shift_n";
    /// how far they moved towards 1, or where negative towards 0; empty when opinion_shift_n is 0
    opinion_shift_net: f64 = mean_of(&r.shifts()) => SoFar[Position], "statement, straw_poll",
        formula: "sum (x - x before) / opinion_shift_n";
    /// van der Eijk's agreement of the opinions, rounded to the six decimals that are printed, in seven equal bins; 1 all in one, 0 evenly
    /// over all, -1 half in each of the outer ones; empty without one
    vdeijk_a: f64 = measures::vdeijk_a(&r.bins()) => Part[Position], "statement, straw_poll; van der Eijk 2001",
        formula: "mean over layers of U (1 - (S - 1) / (K - 1)), weighted by their size; S of K = 7 bins in a layer, U its unimodality";
    /// polarisation of the opinions, rounded to the six decimals that are printed: few large groups far apart; 0 all at one place, 0.203063
    /// half at each end; empty without one
    esteban_ray: f64 = r.polarisation(1.3) => Part[Position], "statement, straw_poll; Esteban and Ray 1994, alpha 1.3",
        formula: "sum_i sum_j p_i^2.3 p_j |x_i - x_j|, p_i the share of the seats at x_i";
    /// esteban_ray with alpha 1: 0.25 half at each end; empty without one
    esteban_ray_1: f64 = r.polarisation(1.0) => Part[Position], "statement, straw_poll; Esteban and Ray 1994, alpha 1",
        formula: "sum_i sum_j p_i^2 p_j |x_i - x_j|";
}

impl Opinions {
    /// `None` without an opinion.
    pub fn from_opinions(held: impl Iterator<Item = SeatOpinion>) -> Option<Self> {
        let held: Vec<SeatOpinion> = held.collect();
        let opinion_source = join_sources(&held);
        (!held.is_empty()).then_some(Self { held, opinion_source })
    }

    fn numbers(&self) -> Vec<f64> {
        self.held.iter().map(|held| f64::from(held.billionths) / f64::from(Opinion::ONE)).collect()
    }

    fn variance(&self) -> Option<f64> {
        measures::variance(&self.numbers())
    }

    /// The shift of each seat that had an opinion before.
    fn shifts(&self) -> Vec<f64> {
        let moved =
            |held: &SeatOpinion| Some((f64::from(held.billionths) - f64::from(held.before?)) / f64::from(Opinion::ONE));
        self.held.iter().filter_map(moved).collect()
    }

    fn bins(&self) -> Vec<u32> {
        let mut bins = vec![0; BINS as usize];
        for held in &self.held {
            bins[(u64::from(printed_place(held)) * BINS / u64::from(PLACES)).min(BINS - 1) as usize] += 1;
        }
        bins
    }

    fn polarisation(&self, alpha: f64) -> Option<f64> {
        let places: Vec<u32> = self.held.iter().map(printed_place).collect();
        measures::esteban_ray(&places, PLACES, alpha)
    }
}

/// The distinct sources of the opinions, joined by `|`.
fn join_sources(held: &[SeatOpinion]) -> Option<String> {
    let mut from: Vec<_> = held.iter().map(|held| held.from).collect();
    from.sort_unstable();
    from.dedup();
    join_names(from.into_iter().map(|from| from.as_str()))
}
