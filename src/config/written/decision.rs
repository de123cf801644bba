//! What an author may write on how a group decides, key by key. Constant ranges are declared here, and references are checked in lowering.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::written::shapes;
use crate::domain::{Base, InvalidBallots, RuleKind, TieBreak, spelled};
use crate::plan::Scalar;

/// How ballots become a decision.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionConfig {
    /// The decision rule.
    pub rule: RuleKind,
    /// What the rule's shares are shares of.
    pub of: Base,
    /// What follows from an invalid ballot.
    pub invalid: InvalidBallots,
    /// How one is chosen among tied winners.
    pub tie_break: TieBreak,
    /// The share that a supermajority needs, more than one half: a ratio as in `2/3`, or a decimal.
    #[schemars(schema_with = "shapes::ratio_schema")]
    pub threshold: Option<Scalar>,
    /// By how much amounts may differ and still count as the same.
    pub amount_tolerance: u32,
    /// Whether everyone hears, when ballots are counted, who voted for what.
    #[schemars(extend("default" = false))]
    pub roll_call: Option<bool>,
    /// What a seat votes by: one alternative, all that it approves of, an order, or a score for each; left out, what the rule
    /// needs.
    pub ballot: Option<BallotWord>,
    /// The greatest score, with ballots of the form `score`; the least is 0.
    #[schemars(range(min = 1, max = SCORE_GREATEST), extend("default" = SCORE_MAX))]
    pub score_max: Option<u32>,
    /// How many points a ballot shares, with ballots of the form `allocation`; left out 10.
    #[schemars(range(min = 1, max = SCORE_GREATEST))]
    pub points: Option<u32>,
    /// Whether a ranking may put alternatives on the same place.
    #[schemars(extend("default" = false))]
    pub ties: Option<bool>,
    /// Whether a ranking may leave alternatives out, which then stand below all others, tied.
    #[schemars(extend("default" = false))]
    pub truncated: Option<bool>,
    /// Whether a seat may abstain: vote for nothing, by choice.
    #[schemars(extend("default" = false))]
    pub abstain: Option<bool>,
    /// Whether a ballot asks for a short reason, too. Nobody hears it.
    #[schemars(extend("default" = false))]
    pub reasons: Option<bool>,
    /// How strong the win of one alternative over another is, with the rules minimax, schulze and ranked_pairs.
    #[schemars(extend("default" = "margins"))]
    pub strength: Option<StrengthWord>,
    /// The share of members whose ballots have to be valid for a vote to decide anything: a ratio as in `1/2`, or a decimal. An
    /// abstention does not count.
    #[schemars(schema_with = "shapes::ratio_schema")]
    pub quorum: Option<Scalar>,
    /// How many ballots a seat's ballot counts for, by the name of the seat; the others count once.
    #[schemars(schema_with = "shapes::weights_schema")]
    pub weights: Option<IndexMap<String, u32>>,
    /// The name of the seat whose own ballot decides a tie, with `tie_break: chair`.
    pub chair: Option<String>,
    /// In which order alternatives are put against each other, with `rule: amendment_agenda`: all their names. Left out, in the
    /// scenario's.
    pub agenda: Option<Vec<String>>,
    /// The name of the alternative that is decided by default, if the last count reaches no decision: no option meets the rule, a tie is
    /// not broken, or too few ballots are valid.
    pub otherwise: Option<String>,
    /// What is decided without a vote, with `rule: imposed`.
    pub imposed: Option<ImposedConfig>,
}

/// What is decided without a vote.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImposedConfig {
    /// The name of the alternative.
    pub alternative: String,
    /// Its amount, where it takes one.
    pub amount: Option<u32>,
}

/// What a seat votes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum BallotWord {
    /// One alternative.
    Choice,
    /// All alternatives that it approves of.
    Approval,
    /// The alternatives in order, the best first.
    Ranking,
    /// A score for each alternative.
    Score,
    /// Points shared among the alternatives.
    Allocation,
}

/// How strong the win of one alternative over another is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StrengthWord {
    /// By how many more prefer the one than the other.
    #[default]
    Margins,
    /// How many prefer the one.
    WinningVotes,
}

spelled!(BallotWord);

/// The greatest weight of a seat. All seats that there may be weigh less than 2³² together.
pub const WEIGHT_GREATEST: u32 = 10_000;

/// How many points a ballot shares where the author does not say.
pub const POINTS: u32 = 10;
/// The greatest score where the author does not say.
pub const SCORE_MAX: u32 = 5;
/// The greatest that an author may say.
pub const SCORE_GREATEST: u32 = 1_000;
