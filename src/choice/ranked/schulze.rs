//! Schulze's rule.

use super::count::VoteCount;
use super::{DefeatStrength, Pairwise};

/// Schulze's rule: nobody has a stronger path to a winner than the winner has to them; a path is as strong as its weakest defeat.
/// Source: Schulze 2011, "A new monotonic, clone-independent, reversal symmetric, and Condorcet-consistent single-winner election
/// method", Social Choice and Welfare 36.
pub fn schulze(pairwise: &Pairwise, by: DefeatStrength) -> VoteCount {
    let (all, paths) = (0..pairwise.alternative_count(), strongest_paths(pairwise, by));
    let wins = |one: &usize| all.clone().all(|other| paths[*one][other] >= paths[other][*one]);
    VoteCount { winners: all.clone().filter(wins).collect(), points: None }
}

/// The strength of the strongest path from each alternative to each other, 0 if there is none.
pub(super) fn strongest_paths(pairwise: &Pairwise, by: DefeatStrength) -> Vec<Vec<u64>> {
    let all = 0..pairwise.alternative_count();
    let direct = |one: usize| all.clone().map(|other| pairwise.strength(one, other, by).unwrap_or(0)).collect();
    let mut paths: Vec<Vec<u64>> = all.clone().map(direct).collect();
    for through in all.clone() {
        for from in all.clone() {
            for to in all.clone().filter(|to| *to != from) {
                let by_way = paths[from][through].min(paths[through][to]);
                paths[from][to] = paths[from][to].max(by_way);
            }
        }
    }
    paths
}
