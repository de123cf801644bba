//! Who is preferred to whom, and by how many. No winner is named here but Condorcet's.

use super::Preferences;
use crate::domain::spelled;

/// How strong a defeat is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DefeatStrength {
    /// Voters for, less voters against.
    #[default]
    Margins,
    /// Voters for.
    WinningVotes,
}

/// For each pair of alternatives, the weight of the ballots that put the one above the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairwise {
    alternatives: usize,
    above: Vec<u64>,
}

impl Pairwise {
    /// Counts every pair on every ballot. A ballot that ties two, or ranks neither, counts for neither.
    pub fn from_preferences(preferences: &Preferences) -> Self {
        let alternatives = preferences.alternative_count();
        let mut above = vec![0; alternatives * alternatives];
        for (ballot, weight) in preferences.ballots() {
            for one in 0..alternatives {
                for other in 0..alternatives {
                    if ballot.prefers(one, other) {
                        above[one * alternatives + other] += weight;
                    }
                }
            }
        }
        Self { alternatives, above }
    }

    /// How many alternatives there are.
    pub fn alternative_count(&self) -> usize {
        self.alternatives
    }

    /// The weight of the ballots that put one alternative above another.
    pub fn weight_above(&self, one: usize, other: usize) -> u64 {
        self.above[one * self.alternatives + other]
    }

    /// That weight less the weight of those that put it below.
    pub fn margin(&self, one: usize, other: usize) -> i128 {
        i128::from(self.weight_above(one, other)) - i128::from(self.weight_above(other, one))
    }

    /// How strongly one alternative beats another; `None` where it does not beat it.
    pub fn strength(&self, one: usize, other: usize, by: DefeatStrength) -> Option<u64> {
        let margin = u64::try_from(self.margin(one, other)).ok().filter(|margin| *margin > 0)?;
        Some(match by {
            DefeatStrength::Margins => margin,
            DefeatStrength::WinningVotes => self.weight_above(one, other),
        })
    }

    /// The alternative that beats every other, if one does. Source: Condorcet 1785, "Essai sur l'application de l'analyse à la
    /// probabilité des décisions rendues à la pluralité des voix".
    pub fn condorcet_winner(&self) -> Option<usize> {
        let all = 0..self.alternatives;
        all.clone().find(|one| all.clone().all(|other| other == *one || self.margin(*one, other) > 0))
    }

    /// Smith's set, in the order of the alternatives: the least one of which every member beats everybody outside. It is the
    /// Condorcet winner alone where there is one; else what leads is a cycle or a tie, and these are in it. Source: Smith 1973,
    /// "Aggregation of preferences with variable electorate", Econometrica 41(6).
    pub fn smith_set(&self) -> Vec<usize> {
        let all = 0..self.alternatives;
        let wins = |one: usize| all.clone().map(|other| self.margin(one, other).signum()).sum::<i128>();
        // Who wins the most pairs is in the set; with a member, everybody is in it whom the member does not beat.
        let most = all.clone().map(wins).max();
        let mut is_in: Vec<bool> = all.clone().map(|one| Some(wins(one)) == most).collect();
        let mut open: Vec<usize> = all.clone().filter(|one| is_in[*one]).collect();
        while let Some(member) = open.pop() {
            for other in all.clone() {
                if !is_in[other] && self.margin(member, other) <= 0 {
                    is_in[other] = true;
                    open.push(other);
                }
            }
        }
        all.filter(|one| is_in[*one]).collect()
    }
}

spelled!(DefeatStrength);
