//! Whose ballot alone could have changed the result, and how few ballots could have.

use super::search;
use super::sums::RuleSums;
use crate::choice::Ballots;
use crate::choice::recount::{CountTerms, recount_ballots};
use crate::domain::RuleKind;

/// How few ballots change a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FewestBallots {
    /// So many, and no fewer.
    Exactly(u64),
    /// More than so many: what was looked at ends there. More than 0 says nothing.
    MoreThan(u64),
    /// The result is the same whatever the ballots.
    Never,
}

/// What a result under one rule hangs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stakes {
    /// The fewest ballots that change it.
    pub fewest: FewestBallots,
    /// For each bundle, whether one of its ballots changes it alone; `None` where that was not worked out.
    pub pivotal: Option<Vec<bool>>,
}

/// What the result of ballots hangs on, rule by rule in the order told; `None` for rules that cannot be counted or draw a lot.
///
/// Rules that sum are worked out in closed form, others by looking at changed ballots, at most so many profiles in all. Under
/// rules that a Condorcet winner wins, what cannot take that away is not looked at.
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
