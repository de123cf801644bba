//! The vocabulary of a decision: rule, base, tie-break, verdict. How ballots are counted is `choice`'s affair.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// When seats hear each other's ballots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum OpenBallots {
    /// Never: the vote is secret.
    Never,
    /// When the ballots are counted.
    Announced,
    /// At once: seats vote one after the other, in their order, and each hears the ballots before hers.
    InTurn,
}

/// How ballots become a decision.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RuleKind {
    /// All of the base choose the same alternative.
    Unanimity,
    /// One alternative has more than half of the base.
    Majority,
    /// One alternative has at least a stated share of the base.
    Supermajority,
    /// The alternative with the most ballots.
    Plurality,
    /// The alternative that the most ballots approve of.
    Approval,
    /// The alternative with the greatest sum of scores.
    Score,
    /// The alternative with the most points by place in rankings.
    Borda,
    /// The alternative that beats the most others, one against one.
    Copeland,
    /// The alternative whose greatest defeat is the least.
    Minimax,
    /// The alternative with the strongest paths of wins (beatpath).
    Schulze,
    /// Wins are locked in, the strongest first, as long as they make no circle (Tideman).
    RankedPairs,
    /// The first of the order with which the rankings agree most, pair by pair.
    KemenyYoung,
    /// The alternatives with the fewest first places are dropped until one is left (Hare).
    InstantRunoff,
    /// The two with the most first places stand against each other, unless one has more than half.
    TwoRound,
    /// Several winners by transferred votes; a session decides for one.
    Stv,
    /// One ballot is drawn, and its first place wins.
    RandomBallot,
    /// One alternative against the next, in the scenario's order.
    AmendmentAgenda,
    /// The decision is given; nobody votes.
    Imposed,
    /// The mean of the amounts.
    Mean,
    /// The median of the amounts.
    Median,
}

impl RuleKind {
    /// All of them.
    pub const ALL: [RuleKind; 20] = *RuleKind::VARIANTS.as_array().expect("invariant: there are so many rules");
}

/// What a seat is asked for when it votes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum BallotForm {
    /// One alternative. The amount that belongs to it is asked for afterwards.
    #[default]
    Choice,
    /// The amount of the one alternative that there is.
    Amount,
    /// All alternatives that are approved of; it may be none.
    Approval,
    /// The alternatives in order, the best first.
    Ranking {
        /// Whether alternatives may share a place.
        ties: bool,
        /// Whether some may be left out, which then stand below all others, tied.
        truncated: bool,
        /// How many may be ranked at most; `None` if all may.
        #[serde(skip_serializing_if = "Option::is_none")]
        top: Option<u32>,
    },
    /// A score for each alternative.
    Score {
        /// The greatest score; the least is 0.
        max: u32,
    },
    /// Points shared among the alternatives, as scores that add up.
    Allocation {
        /// How many there are to share.
        points: u32,
    },
}

impl BallotForm {
    /// Whether a ballot says more than one alternative or amount.
    pub fn says_more(self) -> bool {
        match self {
            BallotForm::Choice | BallotForm::Amount => false,
            BallotForm::Approval
            | BallotForm::Ranking { .. }
            | BallotForm::Score { .. }
            | BallotForm::Allocation { .. } => true,
        }
    }
}

/// What the shares of a rule are shares of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TieBreak {
    /// By seeded lot.
    Lot,
    /// The first in the scenario's order.
    AgendaOrder,
    /// The status quo if it is among the tied; else no decision.
    StatusQuo,
    /// Ties decide nothing.
    NoDecision,
    /// The chair's own ballot decides among the tied, and where it tells none apart the lot.
    Chair,
    /// Ballots are drawn by lot, one after the other, until they leave one.
    RandomBallot,
}

/// How a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Verdict {
    /// The group decided for one alternative.
    Carried,
    /// No vote decided, and the alternative was decided for that stands for this case.
    ByDefault,
    /// The decision was imposed.
    Imposed,
    /// The procedure ended without a decision.
    NoDecision,
    /// It ended without a decision, and in its last vote too few ballots were valid.
    NoQuorum,
    /// No vote gives the result, or the common stock was gone before it; or every seat was excluded.
    NotApplicable,
}

impl Verdict {
    /// Whether the group decided for an alternative by vote; `None` where it held none.
    pub fn is_carried(self) -> Option<bool> {
        self.is_voted().then_some(self == Verdict::Carried)
    }

    /// Whether the group voted, to a decision or to none.
    pub fn is_voted(self) -> bool {
        match self {
            Verdict::Carried | Verdict::ByDefault | Verdict::NoDecision | Verdict::NoQuorum => true,
            Verdict::Imposed | Verdict::NotApplicable => false,
        }
    }
}

spelled!(RuleKind, BallotForm, Base, TieBreak, Verdict);
