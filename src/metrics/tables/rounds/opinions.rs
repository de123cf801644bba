//! Where opinions stand between 0 and 1, how they moved and how far they are polarised.

use super::{Col, joined};
use crate::domain::Opinion;
use crate::metrics::measures;
use crate::metrics::part::Held;
use crate::metrics::why::{Of, Opinions as Scale, Reach, Working};

/// The bins over which van der Eijk's agreement is taken.
const BINS: u64 = 7;

/// The places that tables tell apart between 0 and 1: opinions are printed with six decimals.
const PLACES: u32 = 1_000_000;

/// The place at which tables print an opinion, half up. Opinions that are printed alike are in one group: nobody chose what lies
/// beyond the digits shown, which rounding left.
fn printed_place(held: &Held) -> u32 {
    let (step, half) = (Opinion::ONE / PLACES, Opinion::ONE / PLACES / 2);
    (held.billionths + half) / step
}

/// The opinions of a part.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinions {
    /// Where they stand, seat by seat.
    held: Vec<Held>,
    /// What they come from, joined by `|`.
    sources: Option<String>,
}

impl Opinions {
    /// What opinions come to; `None` without one.
    pub fn of(held: impl Iterator<Item = Held>) -> Option<Self> {
        let held: Vec<Held> = held.collect();
        let sources = sources(&held);
        (!held.is_empty()).then_some(Self { held, sources })
    }

    fn numbers(&self) -> Vec<f64> {
        self.held.iter().map(|held| f64::from(held.billionths) / f64::from(Opinion::ONE)).collect()
    }

    fn variance(&self) -> Option<f64> {
        measures::variance(&self.numbers())
    }

    /// How far each seat moved that had an opinion before.
    fn shifts(&self) -> Vec<f64> {
        let moved =
            |held: &Held| Some((f64::from(held.billionths) - f64::from(held.before?)) / f64::from(Opinion::ONE));
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

/// What opinions come from, each once, joined by `|`.
fn sources(held: &[Held]) -> Option<String> {
    let mut from: Vec<_> = held.iter().map(|held| held.from).collect();
    from.sort_unstable();
    from.dedup();
    joined(from.into_iter().map(|from| from.as_str()))
}

pub(super) static OPINIONS: &[Col] = &[
    Col::count("opinion_n", "seats with an opinion: in a round of talk told in a statement, elsewhere in a straw poll; the denominator of the columns on opinions; empty without one, and where there are more than two alternatives, of which opinions are not of one scale", |r| {
        r.opinions.as_ref().map(|opinions| opinions.held.len() as u64)
    })
    .why(Reach::Part, &[Of::Position], Working::Opinions(Scale::N))
    .unit("seats")
    .source("Spoke, Polled"),
    Col::text("opinion_source", "what the opinions come from, joined by |: opinion, a number that was declared; amount, one that was named, as (amount - least) / (greatest - least); stance, one of two alternatives, 1 for the first and 0 for the second; empty without one", |r| {
        r.opinions.as_ref()?.sources.as_deref()
    })
    .why(Reach::Part, &[Of::Position], Working::Opinions(Scale::Source))
    .source("Spoke, Polled"),
    Col::real("opinion_mean", "mean opinion, from 0 to 1; empty without one", |r| {
        measures::mean_of(&r.opinions.as_ref()?.numbers())
    })
    .why(Reach::Part, &[Of::Position], Working::Opinions(Scale::Mean))
    .formula("sum x / opinion_n")
    .source("Spoke, Polled"),
    Col::real("opinion_sd", "standard deviation of the opinions, from 0 to 0.5; empty without one", |r| {
        r.opinions.as_ref()?.variance().map(libm::sqrt)
    })
    .why(Reach::Part, &[Of::Position], Working::Opinions(Scale::Sd))
    .formula("sqrt(sum (x - mean)^2 / opinion_n)")
    .source("Spoke, Polled"),
    Col::real("opinion_var", "variance of the opinions, from 0 to 0.25; empty without one", |r| r.opinions.as_ref()?.variance())
        .why(Reach::Part, &[Of::Position], Working::Opinions(Scale::Variance))
        .formula("sum (x - mean)^2 / opinion_n")
        .source("Spoke, Polled"),
    Col::count("opinion_shift_n", "seats with an opinion that had told one before, in a statement or in a poll likewise: the denominator of opinion_shift_abs and opinion_shift_net; empty without an opinion", |r| {
        r.opinions.as_ref().map(|opinions| opinions.shifts().len() as u64)
    })
    .why(Reach::SoFar, &[Of::Position], Working::Opinions(Scale::ShiftN))
    .unit("seats")
    .source("Spoke, Polled"),
    Col::real("opinion_shift_abs", "how far opinions moved since each seat told its own last, whichever way, from 0 to 1; empty when opinion_shift_n is 0", |r| {
        measures::mean_of(&r.opinions.as_ref()?.shifts().into_iter().map(f64::abs).collect::<Vec<f64>>())
    })
    .why(Reach::SoFar, &[Of::Position], Working::Opinions(Scale::ShiftAbs))
    .formula("sum |x - x before| / opinion_shift_n")
    .source("Spoke, Polled"),
    Col::real("opinion_shift_net", "how far they moved towards 1, or where negative towards 0; empty when opinion_shift_n is 0", |r| {
        measures::mean_of(&r.opinions.as_ref()?.shifts())
    })
    .why(Reach::SoFar, &[Of::Position], Working::Opinions(Scale::ShiftNet))
    .formula("sum (x - x before) / opinion_shift_n")
    .source("Spoke, Polled"),
    Col::real("vdeijk_a", "van der Eijk's agreement of the opinions, rounded to the six decimals that are printed, in seven equal bins; 1 all in one, 0 evenly over all, -1 half in each of the outer ones; empty without one", |r| {
        measures::vdeijk_a(&r.opinions.as_ref()?.bins())
    })
    .why(Reach::Part, &[Of::Position], Working::Opinions(Scale::VanDerEijk))
    .formula("mean over layers of U (1 - (S - 1) / (K - 1)), weighted by their size; S of K = 7 bins in a layer, U its unimodality")
    .source("Spoke, Polled; van der Eijk 2001"),
    Col::real("esteban_ray", "polarisation of the opinions, rounded to the six decimals that are printed: few large groups far apart; 0 all at one place, 0.203063 half at each end; empty without one", |r| {
        r.opinions.as_ref()?.polarisation(1.3)
    })
    .why(Reach::Part, &[Of::Position], Working::Opinions(Scale::Polarisation))
    .formula("sum_i sum_j p_i^2.3 p_j |x_i - x_j|, p_i the share of the seats at x_i")
    .source("Spoke, Polled; Esteban and Ray 1994, alpha 1.3"),
    Col::real("esteban_ray_1", "esteban_ray with alpha 1: 0.25 half at each end; empty without one", |r| r.opinions.as_ref()?.polarisation(1.0))
        .why(Reach::Part, &[Of::Position], Working::Opinions(Scale::PolarisationOne))
        .formula("sum_i sum_j p_i^2 p_j |x_i - x_j|")
        .source("Spoke, Polled; Esteban and Ray 1994, alpha 1"),
];
