//! What an author may write on one vote of the agenda.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::written::decision::{BallotWord, SCORE_GREATEST, StrengthWord};
use crate::config::written::shapes;
use crate::domain::{Base, InvalidBallots, OpenBallots, RuleKind, TieBreak};
use crate::plan::{BudgetMethod, Scalar};

/// What stands for the scenario's alternatives.
const ALTERNATIVES: &str = "alternatives";

/// A vote: what it is about, who hears of it, what follows, and how ballots become a decision. What is left out of the last is as in
/// the section `decision`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::may_leave_out_all)]
pub struct VoteConfig {
    /// What is voted on: `alternatives`; the name of kept texts; what won another vote, as in `pick.winners`; seats, as a role, `everyone`, `others` or an expression that is true of a
    /// `seat`, where `me` is the voter; or a list of names of the vote's own, each a name or `{ name, label }`. Left out, the alternatives.
    #[schemars(extend("default" = ALTERNATIVES))]
    pub over: Option<OverConfig>,
    /// The question, in words; a template in which `{{ parameters.name }}` stands for a parameter's value. Left out, that of the motion.
    pub question: Option<String>,
    /// Whether it is binding. A vote that is not decides nothing.
    #[schemars(extend("default" = true))]
    pub binding: Option<bool>,
    /// Whether the result of the session comes from it; at most one vote has this. Left out, it comes from the last binding one that does not say `false`.
    pub decides: Option<bool>,
    /// What a decision ends; left out, nothing but the vote.
    pub ends: Option<EndsWord>,
    /// Whether all seats hear the result.
    #[schemars(extend("default" = true))]
    pub announce: Option<bool>,
    /// When seats hear each other's ballots: `never`, `announced` when they are counted, or `in_turn`: one seat votes after the other,
    /// and each hears the ballots before hers. Left out, as `decision.roll_call` says.
    pub open: Option<OpenBallots>,
    /// How many options a ranking names at most; more than there are is all of them.
    #[schemars(range(min = 1, max = 1_000), transform = shapes::or_expression)]
    pub top: Option<u32>,
    /// How many options win; more than there are is all of them. The result joins their names by `+`.
    #[schemars(range(min = 1, max = 1_000), transform = shapes::or_expression)]
    pub winners: Option<u32>,
    /// A budget, in the place of `winners`: as many options win as it pays for. A whole number, or an expression that reads parameters.
    pub budget: Option<Scalar>,
    /// What each option costs, by its name; only with a budget.
    pub costs: Option<IndexMap<String, Scalar>>,
    /// How the budget is spent: `greedy`, the option with the most points first, or `equal_shares`.
    #[schemars(extend("default" = "greedy"))]
    pub method: Option<BudgetMethod>,
    /// The decision rule.
    pub rule: Option<RuleKind>,
    /// What the rule's shares are shares of.
    pub of: Option<Base>,
    /// What follows from an invalid ballot.
    pub invalid: Option<InvalidBallots>,
    /// How one is chosen among tied winners.
    pub tie_break: Option<TieBreak>,
    /// The share that a supermajority needs, more than one half: a ratio as in `2/3`, or a decimal.
    #[schemars(schema_with = "shapes::share_or_expression")]
    pub threshold: Option<Scalar>,
    /// By how much amounts may differ and still count as the same.
    #[schemars(transform = shapes::or_expression)]
    pub amount_tolerance: Option<u32>,
    /// What a seat votes by.
    pub ballot: Option<BallotWord>,
    /// The greatest score, with ballots of the form `score`; the least is 0.
    #[schemars(range(min = 1, max = SCORE_GREATEST), transform = shapes::or_expression)]
    pub score_max: Option<u32>,
    /// How many points a ballot shares, with ballots of the form `allocation`.
    #[schemars(range(min = 1, max = SCORE_GREATEST), transform = shapes::or_expression)]
    pub points: Option<u32>,
    /// Whether a ranking may put options on the same place.
    pub ties: Option<bool>,
    /// Whether a ranking may leave options out, which then stand below all others, tied.
    pub truncated: Option<bool>,
    /// Whether a seat may abstain.
    pub abstain: Option<bool>,
    /// Whether a ballot asks for a short reason, too. Nobody hears it.
    pub reasons: Option<bool>,
    /// How strong the win of one option over another is, with the rules minimax, schulze and ranked_pairs.
    pub strength: Option<StrengthWord>,
    /// The share of members whose ballots have to be valid for the vote to decide anything: a ratio as in `1/2`, or a decimal.
    #[schemars(schema_with = "shapes::share_or_expression")]
    pub quorum: Option<Scalar>,
    /// How many ballots a seat's ballot counts for, by the name of the seat; the others count once.
    #[schemars(schema_with = "shapes::weights_or_expressions")]
    pub weights: Option<IndexMap<String, u32>>,
    /// The name of the seat whose own ballot decides a tie, with `tie_break: chair`.
    pub chair: Option<String>,
    /// In which order options are put against each other, with `rule: amendment_agenda`: all their names.
    pub agenda: Option<Vec<String>>,
    /// The name of the option that is decided by default, if the last count reaches no decision: no option meets the rule, a tie is not
    /// broken, or too few ballots are valid.
    pub otherwise: Option<String>,
}

/// What a decision ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndsWord {
    /// The innermost block that holds the vote.
    Block,
    /// The agenda.
    Session,
}

/// What is voted on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OverConfig {
    /// `alternatives`, the name of kept texts, or an expression that selects seats.
    Word(String),
    /// Options of the vote's own.
    Own(Vec<OptionConfig>),
}

impl OverConfig {
    /// The options of the vote's own; `None` if it is over the alternatives.
    ///
    /// # Errors
    /// The word, if it is another than `alternatives`: the name of texts, or an expression that selects seats.
    pub fn own_options(&self) -> Result<Option<&[OptionConfig]>, &str> {
        match self {
            OverConfig::Word(word) if word == ALTERNATIVES => Ok(None),
            OverConfig::Word(word) => Err(word),
            OverConfig::Own(options) => Ok(Some(options)),
        }
    }
}

/// An option of a vote: its name, alone or with words.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OptionConfig {
    /// A name.
    Name(String),
    /// A name with the words that describe it.
    Labelled(LabelledOption),
}

/// A name with the words that describe it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelledOption {
    /// The name used in ballots and tables.
    pub name: String,
    /// The words for a seat; a template in which `{{ parameters.name }}` stands for a parameter's value.
    pub label: String,
}

impl OptionConfig {
    /// The name.
    pub fn name(&self) -> &str {
        match self {
            OptionConfig::Name(name) => name,
            OptionConfig::Labelled(option) => &option.name,
        }
    }

    /// The words that describe it; the name if there are none.
    pub fn label(&self) -> &str {
        match self {
            OptionConfig::Name(name) => name,
            OptionConfig::Labelled(option) => &option.label,
        }
    }
}
