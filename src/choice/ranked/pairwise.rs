//! Pairwise comparisons of alternatives, the Condorcet winner and the Smith set.

use super::Preferences;
use crate::domain::spelled;

/// The measure of a defeat's strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DefeatStrength {
    /// Voters for, minus voters against.
    #[default]
    Margins,
    /// Voters for.
    WinningVotes,
}

/// For each pair of alternatives, the weight of the ballots that put one above the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairwise {
    alternatives: usize,
    above: Vec<u64>,
}

impl Pairwise {
    /// Counts every pair. A ballot that ties two, or ranks neither, counts for neither.
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

    /// The number of alternatives.
    pub fn alternative_count(&self) -> usize {
        self.alternatives
    }

    /// The weight of the ballots that put one alternative above another.
    pub fn weight_above(&self, one: usize, other: usize) -> u64 {
        self.above[one * self.alternatives + other]
    }

    /// The weight of the ballots that put it above, minus that of those that put it below.
    pub fn margin(&self, one: usize, other: usize) -> i128 {
        i128::from(self.weight_above(one, other)) - i128::from(self.weight_above(other, one))
    }

    /// How strongly one alternative beats another; `None` if it does not.
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

    /// The Smith set, in the order of the alternatives: the smallest set of which every member beats everybody outside. It holds
    /// only the Condorcet winner if there is one, else the leading cycle or tie. Source: Smith 1973, "Aggregation of preferences
    /// with variable electorate", Econometrica 41(6).
    pub fn smith_set(&self) -> Vec<usize> {
        let all = 0..self.alternatives;
        let wins = |one: usize| all.clone().map(|other| self.margin(one, other).signum()).sum::<i128>();
        // The winner of the most pairs is in the set; so is everybody whom a member does not beat.
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
