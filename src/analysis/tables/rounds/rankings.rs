//! The agreement of rankings.

use crate::analysis::column::columns;
use crate::analysis::measures;

columns! {
    /// The rankings of a part.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Rankings as r {}

    /// strict and complete rankings given in this part, ballots of this form included; those with ties or gaps are left out; empty without
    /// one
    ranking_n: u64 => Part[Ranked, AlternativesBallot], "ranking, ballot", unit: "rankings";
    /// how far the rankings agree; 0 not at all, 1 all the same; empty below two rankings
    kendall_w: Option<f64> => Part[Ranked, AlternativesBallot], "ranking, ballot; Kendall and Babington Smith 1939",
        formula: "12 S / (m^2 (K^3 - K)), S the sum of squared distances of the alternatives' rank sums from their mean, m rankings of K alternatives";
    /// Kendall's tau, mean over pairs of rankings; -1 reversed, 1 the same; empty below two rankings
    mean_kendall_tau: Option<f64> => Part[Ranked, AlternativesBallot], "ranking, ballot; Kendall 1938",
        formula: "mean over pairs of (pairs of alternatives in the same order - in the other) / (K (K - 1) / 2)";
}

impl Rankings {
    /// `None` without a ranking.
    pub fn from_rankings(rankings: &[Vec<u32>]) -> Option<Self> {
        let ranks: Vec<&[u32]> = rankings.iter().map(Vec::as_slice).collect();
        (!ranks.is_empty()).then(|| Self {
            ranking_n: ranks.len() as u64,
            kendall_w: measures::kendall_w(&ranks),
            mean_kendall_tau: measures::mean_kendall_tau(&ranks),
        })
    }
}
