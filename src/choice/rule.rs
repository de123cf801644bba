//! How ballots become a decision, as the plan states it.

use crate::domain::{Base, InvalidBallots, RuleKind, TieBreak};

/// How ballots become a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionRule {
    /// The rule.
    pub rule: RuleKind,
    /// What its shares are shares of.
    pub base: Base,
    /// What follows from an invalid ballot.
    pub invalid: InvalidBallots,
    /// How one is chosen among tied winners.
    pub tie_break: TieBreak,
}

impl DecisionRule {
    /// The least count that wins among a base of `base` ballots; `None` for plurality, which compares counts with each other.
    ///
    /// Unanimity needs the whole base, and at least one ballot: nobody is not unanimous. Majority is the absolute majority, more
    /// than half of the base: ⌊base / 2⌋ + 1. Source: May 1952, "A set of independent necessary and sufficient conditions for
    /// simple majority decision", Econometrica 20(4), for two alternatives; with more, a majority winner need not exist.
    pub fn threshold(&self, base: u32) -> Option<u32> {
        match self.rule {
            RuleKind::Unanimity => Some(base.max(1)),
            RuleKind::Majority => Some(base / 2 + 1),
            RuleKind::Supermajority | RuleKind::Plurality | RuleKind::Imposed => None,
        }
    }
}
