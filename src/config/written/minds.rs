//! Minds as they are written, and the range of each trait.

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::json;

use crate::domain::{Certainty, Step, URGENCY_MAX};
use crate::minds::Scheme;
use crate::plan::Scalar;

/// What is known of a trait: its name, its default and its greatest value; the least is 0.
pub type Term = (&'static str, f64, f64);
/// Each trait of a `justice` mind.
pub const TRAITS: [Term; 4] =
    [("risk_aversion", 1.0, 20.0), ("fairness", 0.0, 1.0), ("precision", 4.0, 1_000.0), ("persuasion", 0.5, 1.0)];

/// The rule by which a simulated seat answers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MindConfig {
    /// Uniform choices and texts.
    Random(RandomConfig),
    /// Copies heard stances.
    Voter(VoterConfig),
    /// Weighs risk, the worst off and what it hears.
    Justice(JusticeConfig),
    /// Takes weighted means of what it hears.
    Degroot(DegrootConfig),
    /// Takes weighted means, and holds on to an anchor.
    FriedkinJohnsen(FriedkinJohnsenConfig),
    /// Takes the mean of those who are near enough.
    HegselmannKrause(HegselmannKrauseConfig),
    /// Meets others, and moves towards those who are near enough.
    Deffuant(DeffuantConfig),
    /// Gives in to so many that agree.
    QVoter(QVoterConfig),
    /// Takes what most of a small group hold.
    Majority(MajorityConfig),
    /// Exchanges arguments with those who are like it.
    ArgumentExchange(ArgumentExchangeConfig),
    /// Votes for what becomes of the first positions.
    SocialDecisionScheme(SocialDecisionSchemeConfig),
    /// Chooses the better the likelier.
    QuantalResponse(QuantalResponseConfig),
    /// Counts answers, and answers as it believes.
    Polya(PolyaConfig),
    /// Holds what its signal points to.
    Juror(JurorConfig),
    /// Says what is written.
    Scripted(ScriptConfig),
    /// Counts the facts of the case that it knows.
    Tallying(TallyingConfig),
    /// Answers fields of forms, by their ids, and votes, by the names of their phases, each by an expression; everything else at random.
    Rule(IndexMap<String, Scalar>),
    /// Never speaks and never chooses.
    Silent(SilentConfig),
}

/// A seat that says nothing has no settings.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SilentConfig {}

/// Counts the facts of the case that it knows.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TallyingConfig {
    /// How many of the facts that it knows it cites each time it speaks.
    #[schemars(range(min = 0), extend("default" = 1))]
    pub cites: u32,
}

/// Uniform choices and texts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomConfig {
    /// The probability of a reply that cannot be read; at most six decimals.
    #[schemars(range(min = 0, max = 1), extend("default" = 0))]
    pub malformed: f64,
    /// The probability of a vote for nothing, where seats may abstain; at most six decimals.
    #[schemars(range(min = 0, max = 1), extend("default" = 0))]
    pub abstain: f64,
}

/// Copies heard stances.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VoterConfig {
    /// The probability of taking over a heard stance; at most six decimals.
    #[schemars(range(min = 0, max = 1))]
    pub copy: f64,
}

/// Weighs risk, the worst off and what it hears.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(&TRAITS))]
pub struct JusticeConfig {
    /// How much it minds bad cases: at 0 only the average counts, at 12 almost only the worst case.
    pub risk_aversion: TraitConfig,
    /// The weight of the low class's income, whoever has it.
    pub fairness: TraitConfig,
    /// How seldom it takes the lesser good; at 0 it chooses by lot.
    pub precision: TraitConfig,
    /// The weight of what it heard others favour.
    pub persuasion: TraitConfig,
}

/// A trait's value: a number, or `uniform: [least, greatest]` for one that is drawn for each seat and session.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TraitConfig {
    /// The same on every seat in every session.
    Fixed(f64),
    /// Drawn for each seat and session.
    Uniform {
        /// The least and the greatest value.
        uniform: (f64, f64),
    },
}

/// Traits that are left out unless they are written.
const OPTIONAL: [(&str, Option<f64>, f64); 2] = [("opinion", None, 1.0), ("indifference", None, 1.0)];

/// Gives each trait its default and its range; those that may be left out their range.
pub fn bound_by(terms: &'static [Term]) -> impl FnMut(&mut Schema) {
    move |schema| {
        let bounds = |(name, default, greatest): &Term| (*name, Some(*default), *greatest);
        for (name, default, greatest) in terms.iter().map(bounds).chain(OPTIONAL) {
            let property =
                schema.pointer_mut(&format!("/properties/{name}")).and_then(|property| property.as_object_mut());
            let Some(property) = property else { continue };
            let number = json!({ "type": "number", "minimum": 0, "maximum": greatest });
            let drawn = json!({
                "type": "object",
                "properties": { "uniform": {
                    "description": "The least and the greatest value; each between is as probable.",
                    "type": "array",
                    "prefixItems": [number.clone(), number.clone()],
                    "minItems": 2,
                    "maxItems": 2,
                } },
                "required": ["uniform"],
                "additionalProperties": false,
            });
            property.remove("$ref");
            property.insert("anyOf".to_string(), json!([number, drawn]));
            property.extend(default.map(|default| ("default".to_string(), json!(default))));
        }
    }
}

/// The traits of each kind of mind.
pub const DEGROOT: &[Term] = &[("self_weight", 0.5, 1.0)];
pub const FRIEDKIN_JOHNSEN: &[Term] =
    &[("stubbornness", 0.5, 1.0), ("self_weight", 0.5, 1.0), ("attractor", 0.5, 1.0), ("pull", 0.0, 1.0)];
pub const HEGSELMANN_KRAUSE: &[Term] = &[("confidence", 0.2, 1.0)];
pub const Q_VOTER: &[Term] = &[("noise", 0.0, 1.0)];
pub const DEFFUANT: &[Term] = &[("confidence", 0.2, 1.0), ("convergence", 0.5, 0.5)];
pub const ARGUMENT_EXCHANGE: &[Term] = &[("homophily", 1.0, 100.0)];
pub const POLYA: &[Term] = &[("concentration", 2.0, 1000.0)];
pub const QUANTAL_RESPONSE: &[Term] = &[("precision", 4.0, 1000.0)];
/// The traits of each kind of mind that has any.
pub const TERMS: [(&str, &[Term]); 9] = [
    ("justice", &TRAITS),
    ("degroot", DEGROOT),
    ("friedkin_johnsen", FRIEDKIN_JOHNSEN),
    ("hegselmann_krause", HEGSELMANN_KRAUSE),
    ("q_voter", Q_VOTER),
    ("deffuant", DEFFUANT),
    ("argument_exchange", ARGUMENT_EXCHANGE),
    ("quantal_response", QUANTAL_RESPONSE),
    ("polya", POLYA),
];

/// Weighted means of what is heard.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(DEGROOT))]
pub struct DegrootConfig {
    /// The weight of the own opinion.
    pub self_weight: TraitConfig,
    /// The weight of each other seat by name, 1 in sum with `self_weight`; left out, the network's file says them, or all heard weigh alike.
    pub weights: Option<IndexMap<String, f64>>,
    /// Where it stands at first; left out, drawn from 0 to 1.
    pub opinion: Option<TraitConfig>,
    /// It abstains, where it may, if the two alternatives that it favours most are nearer to each other than this; left out, it always
    /// votes.
    pub indifference: Option<TraitConfig>,
}

/// Weighted means with an anchor.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(FRIEDKIN_JOHNSEN))]
pub struct FriedkinJohnsenConfig {
    /// How far it holds on to its anchor: 0 goes with the mean, 1 stays where it is.
    pub stubbornness: TraitConfig,
    /// The weight of the own opinion in the mean.
    pub self_weight: TraitConfig,
    /// The weight of each other seat by name, 1 in sum with `self_weight`; left out, the network's file says them, or all heard weigh alike.
    pub weights: Option<IndexMap<String, f64>>,
    /// What it is drawn to whatever is said; with two alternatives 1 is the first.
    pub attractor: TraitConfig,
    /// How much of the anchor that is: at 0 the anchor is where it stood at first.
    pub pull: TraitConfig,
    /// Where it stands at first; left out, drawn from 0 to 1.
    pub opinion: Option<TraitConfig>,
    /// It abstains, where it may, if the two alternatives that it favours most are nearer to each other than this; left out, it always
    /// votes.
    pub indifference: Option<TraitConfig>,
}

/// The mean of those who are near enough.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(HEGSELMANN_KRAUSE))]
pub struct HegselmannKrauseConfig {
    /// How far away an opinion may be and still count.
    pub confidence: TraitConfig,
    /// Where it stands at first; left out, drawn from 0 to 1.
    pub opinion: Option<TraitConfig>,
    /// It abstains, where it may, if the two alternatives that it favours most are nearer to each other than this; left out, it always
    /// votes.
    pub indifference: Option<TraitConfig>,
}

/// Meetings of two who are near enough.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(DEFFUANT))]
pub struct DeffuantConfig {
    /// How near an opinion must be to count.
    pub confidence: TraitConfig,
    /// The part of the distance by which it moves.
    pub convergence: TraitConfig,
    /// Where it stands at first; left out, drawn from 0 to 1.
    pub opinion: Option<TraitConfig>,
    /// It abstains, where it may, if the two alternatives that it favours most are nearer to each other than this; left out, it always
    /// votes.
    pub indifference: Option<TraitConfig>,
}

/// Gives in to so many that agree.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(Q_VOTER))]
pub struct QVoterConfig {
    /// How many others are looked at.
    #[schemars(range(min = 1, max = 10_000), extend("default" = 2))]
    pub q: u32,
    /// The probability of a change of mind where these disagree.
    pub noise: TraitConfig,
    /// Above one half it holds the first of two alternatives at first, below the second; left out, drawn from 0 to 1.
    pub opinion: Option<TraitConfig>,
}

/// Takes what most of a small group hold.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(&[]))]
pub struct MajorityConfig {
    /// The size of a group.
    #[schemars(range(min = 1, max = 10_000), extend("default" = 3))]
    pub group: u32,
    /// Above one half it holds the first of two alternatives at first, below the second; left out, drawn from 0 to 1.
    pub opinion: Option<TraitConfig>,
}

/// Exchange of arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(ARGUMENT_EXCHANGE))]
pub struct ArgumentExchangeConfig {
    /// How many arguments it has in mind; of facts at the most.
    #[schemars(range(min = 1, max = 10_000), extend("default" = 6))]
    pub arguments: u32,
    /// How many there are for each alternative.
    #[schemars(range(min = 1, max = 10_000), extend("default" = 20))]
    pub pool: u32,
    /// Whether its arguments are the facts of the case that it was told, which it cites by their ids; then there is no pool.
    #[schemars(extend("default" = false))]
    pub facts: Option<bool>,
    /// Where it stands at first: the share of its arguments that speak for the first of two alternatives, or for a greater amount; left
    /// out, its arguments are drawn from all.
    pub opinion: Option<TraitConfig>,
    /// How much it prefers to listen to those who are like it; at 0 to everybody alike.
    pub homophily: TraitConfig,
}

/// Votes for what becomes of the first positions.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(&[]))]
pub struct SocialDecisionSchemeConfig {
    /// The scheme.
    pub scheme: Scheme,
    /// Above one half it favours the first of two alternatives, below the second; left out, drawn from 0 to 1.
    pub opinion: Option<TraitConfig>,
}

/// Counts answers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(POLYA))]
pub struct PolyaConfig {
    /// How many answers its first belief counts for.
    pub concentration: TraitConfig,
    /// The mean of its first belief; left out, drawn from 0 to 1.
    pub opinion: Option<TraitConfig>,
}

/// A juror has no settings: how often its signal is right is the scenario's to say.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JurorConfig {}

/// Chooses the better the likelier.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(QUANTAL_RESPONSE))]
pub struct QuantalResponseConfig {
    /// How seldom it takes what is worth less; at 0 it chooses by lot.
    pub precision: TraitConfig,
    /// What each alternative is worth to it, from 0, with at most six decimals; left out, what the mechanism pays for it on average,
    /// moved and scaled to 0 … 1.
    pub utilities: Option<IndexMap<String, f64>>,
}

/// What a scripted seat says.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScriptConfig {
    /// One line for each question, in order.
    List(Vec<LineConfig>),
    /// One line for each phase, round and step.
    Table(Vec<LineConfig>),
}

/// One line: its coordinate, in a table, and exactly one kind of reply with what belongs to it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineConfig {
    /// The phase's name; in a table only.
    pub phase: Option<String>,
    /// The round, 0 outside rounds; in a table only.
    pub round: Option<u32>,
    /// What is asked; in a table only.
    pub step: Option<Step>,
    /// The words of a statement.
    pub statement: Option<String>,
    /// The alternative that the statement favours.
    pub stance: Option<String>,
    /// What the statement is marked as, each with the number of a statement where it names one, as in `support 3.2`.
    pub marks: Option<Vec<String>>,
    /// `true`: the seat passes.
    pub pass: Option<bool>,
    /// The alternative chosen.
    pub choice: Option<String>,
    /// `true`: the seat votes for nothing, where it may abstain.
    pub abstains: Option<bool>,
    /// The amount of the stance or choice; alone, the answer to the question for it.
    pub amount: Option<u32>,
    /// The opinion told with a statement or with a choice in a poll.
    #[schemars(range(min = 0, max = 1))]
    pub opinion: Option<f64>,
    /// Why, with a choice in a practice round.
    pub reasoning: Option<String>,
    /// All alternatives, the best first.
    pub ranking: Option<Vec<String>>,
    /// The ballot where seats vote by more than one choice, as one text: `a > b = c` where they rank, `a, b` or `none` where they
    /// approve, `a = 5, b = 0` where they score.
    pub ballot: Option<String>,
    /// How certain the seat is, with a ranking or a choice in a practice round.
    pub certainty: Option<Certainty>,
    /// The answers to a comprehension test: numbers of tables, from 1.
    pub answers: Option<Vec<u32>>,
    /// Whether the seat calls a vote, agrees to one or recognises something it cannot name; `false` also: that it does not want to
    /// speak.
    pub assent: Option<bool>,
    /// How urgently the seat wants to speak, where seats volunteer.
    #[schemars(range(max = URGENCY_MAX))]
    pub urgency: Option<u32>,
    /// A thought before speaking, or a rewritten memory.
    pub note: Option<String>,
    /// The name that it chooses, with `name: self_chosen`; in a table the phase is `session`, the round 0 and the step `naming`.
    pub called: Option<String>,
    /// What it adds to its notes, in a table; the phase is `session`, the round 0 and the step `notes`.
    pub append: Option<String>,
    /// What it replaces in its notes, in a table.
    pub replace: Option<ReplacementConfig>,
    /// What it says it recognises, in a table; the phase is `session`, the round 0 and the step `recognition`.
    #[schemars(length(min = 1))]
    pub recognises: Option<String>,
    /// What the seat answers to any question, field by field; a field that is left out stays unanswered.
    pub answer: Option<IndexMap<String, serde_json::Value>>,
    /// A reply as it comes.
    pub raw: Option<String>,
    /// What the seat looks up first, where it may, before it says the rest of the line.
    pub look_up: Option<String>,
    /// The page of an exhibit that it asks for first, where it may.
    pub page: Option<String>,
}

/// A text in notes that is replaced by another.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplacementConfig {
    /// What is replaced; it stands exactly once in the notes.
    pub old: String,
    /// What takes its place; `""` for nothing.
    pub new: String,
}
