//! Profile → tally → winners, and tie-breaking apart. Integers only.

use crate::domain::{AlternativeId, Base, InvalidBallots, Motion, RuleKind, TieBreak};

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

/// What was cast in one vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Valid ballots per alternative, in the scenario's order.
    pub counts: Vec<u32>,
    /// Ballots that stayed invalid.
    pub invalid: u32,
}

/// The count of a vote and its winners, ties kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Seats that could vote, after exclusions.
    pub eligible: u32,
    /// Valid ballots.
    pub valid: u32,
    /// Abstentions: the invalid ballots when they count as such.
    pub abstained: u32,
    /// The least count that wins; `None` for plurality.
    pub threshold: Option<u32>,
    /// The winners by the rule alone, in the scenario's order.
    pub winners: Vec<AlternativeId>,
}

/// Counts a profile under a rule.
pub fn tally(_rule: &DecisionRule, _profile: &Profile) -> Tally {
    Tally {
        eligible: 0,
        valid: 0,
        abstained: 0,
        threshold: None,
        winners: Vec::new(),
    }
}

/// Chooses one among tied winners; `lot` returns a number below the one given. `None` when the tie stands.
pub fn break_tie(
    _tie_break: TieBreak,
    _winners: &[AlternativeId],
    _motion: &Motion,
    _lot: impl FnOnce(u64) -> u64,
) -> Option<AlternativeId> {
    None
}
