//! How far rankings agree.

use super::Col;
use crate::metrics::measures;
use crate::metrics::why::{Of, Rankings as Orders, Reach, Working};

/// The rankings of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rankings {
    /// How many there are.
    pub n: u64,
    /// Kendall's W.
    pub kendall_w: Option<f64>,
    /// The mean of Kendall's tau over pairs.
    pub mean_kendall_tau: Option<f64>,
}

impl Rankings {
    /// What rankings come to; `None` without one.
    pub fn of(rankings: &[Vec<u32>]) -> Option<Self> {
        let ranks: Vec<&[u32]> = rankings.iter().map(Vec::as_slice).collect();
        (!ranks.is_empty()).then(|| Self {
            n: ranks.len() as u64,
            kendall_w: measures::kendall_w(&ranks),
            mean_kendall_tau: measures::mean_kendall_tau(&ranks),
        })
    }
}

pub(super) static RANKINGS: &[Col] = &[
    Col::count("ranking_n", "strict and complete rankings given in this part, ballots of this form included; those with ties or gaps are left out; empty without one", |r| r.rankings.map(|rankings| rankings.n))
        .why(Reach::Part, &[Of::Ranked, Of::Ballot], Working::Rankings(Orders::N))
        .unit("rankings")
        .source("Ranked, Voted"),
    Col::real("kendall_w", "how far the rankings agree; 0 not at all, 1 all the same; empty below two rankings", |r| {
        r.rankings?.kendall_w
    })
    .why(Reach::Part, &[Of::Ranked, Of::Ballot], Working::Rankings(Orders::W))
    .formula("12 S / (m^2 (K^3 - K)), S the sum of squared distances of the alternatives' rank sums from their mean, m rankings of K alternatives")
    .source("Ranked, Voted; Kendall and Babington Smith 1939"),
    Col::real("mean_kendall_tau", "Kendall's tau, mean over pairs of rankings; -1 reversed, 1 the same; empty below two rankings", |r| {
        r.rankings?.mean_kendall_tau
    })
    .why(Reach::Part, &[Of::Ranked, Of::Ballot], Working::Rankings(Orders::Tau))
    .formula("mean over pairs of (pairs of alternatives in the same order - in the other) / (K (K - 1) / 2)")
    .source("Ranked, Voted; Kendall 1938"),
];
