//! A count of ballots as it is minuted. Nothing is counted here.

use serde::{Deserialize, Serialize};

use super::{AlternativeName, Base, NamedChoice, RuleKind, SeatName, TieBreak};

/// How many ballots an alternative got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyCount {
    /// The alternative.
    pub alternative: AlternativeName,
    /// The amount, where ballots name one; absent with a count of 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u32>,
    /// Its ballots; of ballots that say more, those that put it at the top, alone or with others, or approve of it.
    pub count: u32,
    /// What the rule gives it; absent where it gives nothing beside the ballots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Ratio>,
}

/// A number of points, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// Parts of a point.
    pub of: i64,
    /// How many of them are one point, from 1.
    pub unit: u64,
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.unit {
            1 => write!(f, "{}", self.of),
            unit => write!(f, "{}/{unit}", self.of),
        }
    }
}

/// Independent votes, which were taken until they took as much as what they are matched to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampledVotes {
    /// How often every seat voted.
    pub samples: u32,
    /// How much of the unit the session took by then; absent where an answer did not tell it, so that no more votes were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<u64>,
}

/// A count of ballots and what follows from it. Each ballot counts as often as its seat weighs, in every number here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyReport {
    /// The decision rule.
    pub rule: RuleKind,
    /// What the rule's shares are shares of.
    pub base: Base,
    /// Seats that could vote, after exclusions.
    pub eligible: u32,
    /// Valid ballots.
    pub valid: u32,
    /// Invalid ballots, whatever follows from them.
    pub invalid: u32,
    /// Abstentions, with those that invalid ballots became.
    pub abstained: u32,
    /// Those of them that are so by choice; absent where there are none.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub by_choice: u32,
    /// The least count that wins; absent where a rule has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<u32>,
    /// Whether enough ballots were valid; absent where any number will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quorum_met: Option<bool>,
    /// The alternative that beats every other, one against one; absent where none does, and where ballots are no rankings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condorcet_winner: Option<AlternativeName>,
    /// Why the rule could not be counted, so that nobody wins; absent where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<String>,
    /// Ballots per alternative, in the scenario's order; an alternative that takes an amount has an entry for each.
    pub counts: Vec<TallyCount>,
    /// The winners by the rule alone; more than one is a tie, none is no decision.
    pub winners: Vec<NamedChoice>,
    /// The tie-break that decided, or `no_decision`; absent where none was needed. `lot` where ballots that were to decide left
    /// several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie_break: Option<TieBreak>,
    /// Whose ballots were looked at to break the tie, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tie_ballots: Vec<SeatName>,
    /// What was decided for; absent for no decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<NamedChoice>,
    /// Whether that was decided by default, because the count reached no decision; absent where ballots decided, or nothing was.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub by_default: bool,
    /// Whether the vote decides nothing whatever its count is; absent where it is binding.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub non_binding: bool,
    /// How often every seat voted, where independent votes were taken; absent where seats vote once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampled: Option<SampledVotes>,
    /// Whether several options win together, so that more than one winner is no tie.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub elects_several: bool,
}

impl TallyReport {
    /// Whether this was decided for, alone or as one of several winners.
    pub fn decides_for(&self, choice: &NamedChoice) -> bool {
        let is_among = || self.has_several_elected() && self.winners.contains(choice);
        self.decided.as_ref() == Some(choice) || is_among()
    }

    /// Whether several winners were decided for together.
    pub fn has_several_elected(&self) -> bool {
        self.winners.len() > 1 && self.decided == Some(self.join_winners())
    }

    /// The winners as one result, in the order of the options, so that the same winners are the same result in whichever order they won.
    pub fn join_winners(&self) -> NamedChoice {
        let options =
            self.counts.iter().map(|count| NamedChoice { alternative: count.alternative.clone(), amount: None });
        join_choices(&options.filter(|option| self.winners.contains(option)).collect::<Vec<NamedChoice>>())
    }

    /// Whether an invalid ballot voided the vote. Then invalid ballots are among the eligible and are no abstentions, which is so under
    /// no other treatment of them.
    pub fn is_void(&self) -> bool {
        let told = [self.valid, self.by_choice, self.invalid].map(u64::from).iter().sum::<u64>();
        self.invalid > 0 && self.abstained == self.by_choice && u64::from(self.eligible) == told
    }
}

/// Several winners as one result, joined by `+`.
pub fn join_choices(winners: &[NamedChoice]) -> NamedChoice {
    let names: Vec<&str> = winners.iter().map(|choice| choice.alternative.as_str()).collect();
    NamedChoice { alternative: AlternativeName::new(&names.join("+")), amount: None }
}
