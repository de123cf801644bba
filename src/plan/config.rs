//! What an author may write in a config, key by key. Ranges and references are checked in lowering, not here.

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, Visitor};

use super::{OptionOrder, SpeakingOrder};
use crate::chance::Pairing;
use crate::domain::{Base, InvalidBallots, PollTime, RuleKind, Step, TieBreak};
use crate::prompt::AnswerForm;

/// A config after merging: every default stands in the tree, so no field here has one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The experiment's name; its results folder is named after it.
    pub experiment: String,
    /// Title, authors, licence; never read by the engine.
    #[serde(default, rename = "about")]
    pub _about: IndexMap<String, IgnoredAny>,
    /// The scenario's name.
    #[serde(rename = "scenario")]
    pub _scenario: String,
    /// Values for the scenario's parameters.
    pub parameters: IndexMap<String, Scalar>,
    /// 0 … 2⁵³−1.
    pub seed: u64,
    /// 1 … 1 000 000.
    pub replicates: u32,
    /// The language of the prompts.
    pub language: String,
    /// What can answer.
    pub models: IndexMap<String, ModelConfig>,
    /// What holds for every seat that does not say otherwise; already merged into the seats.
    #[serde(rename = "seat_defaults")]
    pub _seat_defaults: SeatDefaults,
    /// Who sits at the table.
    pub seats: Vec<SeatConfig>,
    /// How the seats talk.
    pub discussion: DiscussionConfig,
    /// How ballots become a decision.
    pub decision: DecisionConfig,
    /// When private polls are taken.
    pub straw_polls: Vec<PollTime>,
    /// Names and the order of options.
    pub controls: ControlsConfig,
    /// What memories hold.
    pub memory: MemoryConfig,
    /// The arms.
    pub design: DesignConfig,
}

/// A single value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
}

/// What can answer for a seat.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelConfig {
    /// The seats' minds.
    Simulated(SimulatedConfig),
    /// An OpenAI-compatible server.
    Openai(OpenAiConfig),
}

/// `simulated` has no settings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulatedConfig {}

/// A model behind an OpenAI-compatible server.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenAiConfig {
    /// The server's base URL.
    pub base_url: String,
    /// The model's name at the server.
    pub model: String,
    /// Sampling temperature, 0 … 2.
    pub temperature: Option<f64>,
    /// Tokens of a reply at the most.
    pub max_tokens: u32,
    /// How replies are asked for.
    #[serde(deserialize_with = "answer_form")]
    pub answers: AnswerForm,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// Calls under way at once at the most.
    pub concurrency: u32,
    /// Seconds that a call may take.
    pub timeout_s: u32,
}

/// What holds for every seat that does not say otherwise.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatDefaults {
    /// The name of a model.
    #[serde(rename = "model")]
    pub _model: Option<String>,
    /// Who sits there, in words.
    #[serde(rename = "persona")]
    pub _persona: Option<String>,
    /// The rule of a simulated seat.
    #[serde(rename = "mind")]
    pub _mind: Option<MindConfig>,
}

/// One seat.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatConfig {
    /// Its name.
    pub name: String,
    /// The name of its model.
    pub model: Option<String>,
    /// Who sits there, in words.
    pub persona: Option<String>,
    /// The rule of a simulated seat.
    pub mind: Option<MindConfig>,
}

/// The rule by which a simulated seat answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MindConfig {
    /// Uniform choices and texts.
    Random(RandomConfig),
    /// Copies heard stances.
    Voter(VoterConfig),
    /// Says what is written.
    Scripted(ScriptConfig),
}

/// Uniform choices and texts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomConfig {
    /// The probability of a reply that cannot be read.
    pub malformed: f64,
}

/// Copies heard stances.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoterConfig {
    /// The probability of taking over a heard stance.
    pub copy: f64,
}

/// What a scripted seat says.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScriptConfig {
    /// One line a question, in order.
    List(Vec<LineConfig>),
    /// One line a coordinate.
    Table(Vec<TableLineConfig>),
}

/// One line of a scripted list: exactly one of statement, pass, choice and raw.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineConfig {
    /// The words of a statement.
    pub statement: Option<String>,
    /// The alternative that the statement favours.
    pub stance: Option<String>,
    /// `true`: the seat passes.
    pub pass: Option<bool>,
    /// The alternative chosen in a poll or ballot.
    pub choice: Option<String>,
    /// A reply as it comes.
    pub raw: Option<String>,
}

/// One line of a scripted table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableLineConfig {
    /// The phase's name.
    pub phase: String,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// What is asked.
    pub step: Step,
    /// The words of a statement.
    pub statement: Option<String>,
    /// The alternative that the statement favours.
    pub stance: Option<String>,
    /// `true`: the seat passes.
    pub pass: Option<bool>,
    /// The alternative chosen in a poll or ballot.
    pub choice: Option<String>,
    /// A reply as it comes.
    pub raw: Option<String>,
}

/// How the seats talk.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscussionConfig {
    /// Rounds at the most; 0 is no talk.
    pub rounds: u32,
    /// Who speaks when.
    pub order: SpeakingOrder,
    /// When the group votes.
    pub vote: VoteTime,
    /// The least length of a statement in characters.
    pub statement_min_length: u32,
}

/// When the group votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoteTime {
    /// In the agenda's ballot.
    AtEnd,
    /// At the end of each round, until a decision.
    EveryRound,
}

/// How ballots become a decision.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionConfig {
    /// The rule.
    pub rule: RuleKind,
    /// What its shares are shares of.
    pub of: Base,
    /// What follows from an invalid ballot.
    pub invalid: InvalidBallots,
    /// How one is chosen among tied winners.
    pub tie_break: TieBreak,
}

/// Names and the order of options.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControlsConfig {
    /// Whether seats see each other as `Participant 1`, ….
    pub anonymous: bool,
    /// In which order options are shown.
    pub option_order: OptionOrder,
}

/// What memories hold, in characters.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryConfig {
    /// A statement's kept length.
    pub statement_max_length: u32,
    /// Whether statements are cut at all.
    pub enable_truncation: bool,
    /// What one seat's brief holds at the most.
    pub memory_character_limit: u64,
    /// What the public history holds at the most.
    pub public_history_max_length: u64,
}

/// The arms; levels are read from the tree, where they keep their places.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesignConfig {
    /// By name.
    #[serde(rename = "factors")]
    pub _factors: IndexMap<String, FactorConfig>,
    /// Whether arms share their draws.
    #[serde(deserialize_with = "pairing")]
    pub pairing: Pairing,
}

/// One factor: `key` and `levels`, or `set`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactorConfig {
    /// The dotted key whose value differs.
    #[serde(rename = "key")]
    pub _key: Option<String>,
    /// The values.
    #[serde(rename = "levels")]
    pub _levels: Option<IgnoredAny>,
    /// Several keys for each label.
    #[serde(rename = "set")]
    pub _set: Option<IndexMap<String, IndexMap<String, IgnoredAny>>>,
}

fn answer_form<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AnswerForm, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Word {
        JsonSchema,
        Anchored,
    }
    Ok(match Word::deserialize(deserializer)? {
        Word::JsonSchema => AnswerForm::JsonSchema,
        Word::Anchored => AnswerForm::Anchored,
    })
}

fn pairing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pairing, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Word {
        CommonRandomNumbers,
        Independent,
    }
    Ok(match Word::deserialize(deserializer)? {
        Word::CommonRandomNumbers => Pairing::CommonRandomNumbers,
        Word::Independent => Pairing::Independent,
    })
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScalarVisitor;

        impl Visitor<'_> for ScalarVisitor {
            type Value = Scalar;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text, a whole number, true or false")
            }

            fn visit_bool<E>(self, truth: bool) -> Result<Scalar, E> {
                Ok(Scalar::Bool(truth))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Scalar, E> {
                Ok(Scalar::Int(number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(text.to_string()))
            }
        }

        deserializer.deserialize_any(ScalarVisitor)
    }
}
