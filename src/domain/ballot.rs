//! The vocabulary of a decision: rule, base, tie-break, verdict. How ballots are counted is `choice`'s affair.

use serde::{Deserialize, Serialize};

/// How ballots become a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleKind {
    /// All of the base choose the same alternative.
    Unanimity,
    /// One alternative has more than half of the base.
    Majority,
    /// One alternative has at least a stated share of the base.
    Supermajority,
    /// The alternative with the most ballots.
    Plurality,
    /// The decision is given; nobody votes.
    Imposed,
}

/// What the shares of a rule are shares of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    /// Every seat that may vote.
    Members,
    /// Every valid ballot.
    Valid,
}

/// What follows from a ballot that stays invalid after its last try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InvalidBallots {
    /// This vote decides nothing.
    VoidRound,
    /// It counts as an abstention.
    Abstain,
    /// The seat is taken out of members and votes for this ballot.
    Exclude,
}

/// How one is chosen among tied winners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// By seeded lot.
    Lot,
    /// The first in the scenario's order.
    AgendaOrder,
    /// The status quo if it is among the tied; else no decision.
    StatusQuo,
    /// Ties decide nothing.
    NoDecision,
}

/// How a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The group decided for one alternative.
    Carried,
    /// The decision was imposed.
    Imposed,
    /// The procedure ended without a decision.
    NoDecision,
    /// The agenda holds no vote.
    NotApplicable,
}
