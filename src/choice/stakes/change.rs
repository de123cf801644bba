//! Finds whose ballot alone could have changed the result, and how few ballots could have.

use super::search;
use super::sums::RuleSums;
use crate::choice::Ballots;
use crate::choice::recount::{CountTerms, recount_ballots};
use crate::domain::RuleKind;

/// The fewest ballots that change a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FewestBallots {
    /// Exactly this many.
    Exactly(u64),
    /// More than this; the search ended there. More than 0 says nothing.
    MoreThan(u64),
    /// No change of ballots changes the result.
    Never,
}

/// The stakes of a result under one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stakes {
    /// The fewest ballots that change it.
    pub fewest: FewestBallots,
    /// For each bundle, whether one of its ballots changes it alone; `None` if unknown.
    pub pivotal: Option<Vec<bool>>,
}

/// The stakes of a result, rule by rule in the given order; `None` for rules that cannot be counted or draw a lot.
///
/// Rules that sum are solved in closed form. For others, changed ballots are tried, at most `profiles_max` profiles in all. Under
/// Condorcet-consistent rules, changes that cannot unseat a Condorcet winner are skipped.
pub fn find_stakes(
    ballots: &Ballots,
    rules: &[RuleKind],
    terms: &CountTerms,
    profiles_max: u64,
) -> Vec<Option<Stakes>> {
    let mut found: Vec<Option<Stakes>> = vec![None; rules.len()];
    let mut searched = Vec::new();
    for (place, outcome) in recount_ballots(ballots, rules, terms).into_iter().enumerate() {
        let (rule, Ok(outcome)) = (rules[place], outcome) else { continue };
        match RuleSums::for_rule(rule, ballots, terms) {
            _ if rule == RuleKind::RandomBallot => {}
            Some(sums) => found[place] = Some(stakes_by_sums(&sums, ballots)),
            None => searched.push((place, rule, outcome.decision())),
        }
    }
    for (place, stakes) in search::search_stakes(ballots, searched, terms, profiles_max) {
        found[place] = Some(stakes);
    }
    found
}

fn stakes_by_sums(sums: &RuleSums<'_>, ballots: &Ballots) -> Stakes {
    let pivotal = (0..ballots.bundles().len()).map(|bundle| sums.is_pivotal(bundle)).collect();
    Stakes {
        fewest: sums.fewest_ballots().map_or(FewestBallots::Never, FewestBallots::Exactly),
        pivotal: Some(pivotal),
    }
}
