//! The last vote of each session under other rules, thresholds and quorums, for a reader to choose among. Everything is counted
//! beforehand; the page only shows what is chosen.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use serde::Serialize;

use super::course::strip_amount;
use super::gathered::Gathered;
use super::labels::NO_DECISION;

/// The shares of seats with a valid ballot below which a vote decides nothing, in words and as a fraction.
const QUORUMS: [(&str, u64, u64); 5] =
    [("none", 0, 1), ("half of the seats", 1, 2), ("two thirds", 2, 3), ("three quarters", 3, 4), ("all seats", 1, 1)];

/// What one rule makes of the last vote of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleResult {
    /// The arm.
    pub arm: String,
    /// The rule in words, with its threshold.
    pub rule: String,
    /// The winners; empty if there is none, several for a tie.
    pub winners: Vec<String>,
    /// What is decided where nobody wins, or no quorum is reached; `None` if nothing is.
    pub otherwise: Option<String>,
    /// The weight of the valid ballots.
    pub valid: u64,
    /// The weight of all seats.
    pub eligible: u64,
}

/// The results for the page: rules, quorums, and a count for each arm and outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherRules {
    arms: Vec<String>,
    outcomes: Vec<String>,
    rules: Vec<String>,
    quorums: Vec<&'static str>,
    /// Sessions by rule, quorum, arm and outcome.
    counts: Vec<Vec<Vec<Vec<u64>>>>,
}

impl OtherRules {
    /// Counts the results; `None` if there is no vote to count.
    pub fn count(results: &[RuleResult], gathered: &Gathered<'_>) -> Option<Self> {
        let mut rules: IndexSet<&str> = IndexSet::new();
        let mut counts: BTreeMap<(usize, usize, &str, String), u64> = BTreeMap::new();
        for result in results {
            let (rule, _) = rules.insert_full(&result.rule);
            for (quorum, (_, numerator, denominator)) in QUORUMS.iter().enumerate() {
                let is_reached = result.valid * denominator >= result.eligible * numerator;
                let outcome = match result.winners.as_slice() {
                    [winner] if is_reached => gathered.labels.option(strip_amount(winner)),
                    [_, _, ..] if is_reached => "tie".to_owned(),
                    _ => match &result.otherwise {
                        Some(default) => gathered.labels.option(default),
                        None => NO_DECISION.to_owned(),
                    },
                };
                *counts.entry((rule, quorum, result.arm.as_str(), outcome)).or_default() += 1;
            }
        }
        let arms = gathered.arms();
        let mut outcomes: Vec<String> = gathered.labels.options().map(|name| gathered.labels.option(name)).collect();
        let is_last = |outcome: &str| ["tie", NO_DECISION].contains(&outcome);
        for (_, _, _, outcome) in counts.keys() {
            if !outcomes.contains(outcome) && !is_last(outcome) {
                outcomes.push(outcome.clone());
            }
        }
        outcomes.extend(["tie".to_owned(), NO_DECISION.to_owned()]);
        outcomes.retain(|name| counts.keys().any(|(_, _, _, outcome)| outcome == name));
        let cell = |rule: usize, quorum: usize, arm: &str, outcome: &String| {
            counts.get(&(rule, quorum, arm, outcome.clone())).copied().unwrap_or(0)
        };
        let table = |rule: usize, quorum: usize| -> Vec<Vec<u64>> {
            arms.iter().map(|arm| outcomes.iter().map(|outcome| cell(rule, quorum, arm, outcome)).collect()).collect()
        };
        let counts: Vec<Vec<Vec<Vec<u64>>>> =
            (0..rules.len()).map(|rule| (0..QUORUMS.len()).map(|quorum| table(rule, quorum)).collect()).collect();
        (!rules.is_empty()).then(|| Self {
            arms: arms.iter().map(|arm| gathered.labels.arm(arm).to_owned()).collect(),
            outcomes,
            rules: rules.into_iter().map(str::to_owned).collect(),
            quorums: QUORUMS.iter().map(|(words, ..)| *words).collect(),
            counts,
        })
    }
}
