//! What an author may write in a config, key by key. Ranges and references are checked in lowering, not here.

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};

use super::interventions::InterventionConfig;
use super::minds::MindConfig;
use super::parameters::Scalar;
use super::{Correction, OptionOrder, Price, SeatRole, SpeakingOrder, VoteCall};
use crate::chance::Pairing;
use crate::domain::{Base, InvalidBallots, PollTime, RuleKind, TieBreak};
use crate::memory::{GuidanceStyle, MemoryPolicy, Routing};
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
    /// Files of personas that seats are drawn from.
    pub personas: IndexMap<String, PersonasConfig>,
    /// Questions, of which each session has one.
    pub items: Option<ItemsConfig>,
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
    /// What is told to seats besides the agenda.
    pub interventions: Vec<InterventionConfig>,
    /// What memories hold.
    pub memory: MemoryConfig,
    /// The arms.
    pub design: DesignConfig,
    /// The one comparison that is announced before the run.
    pub primary: Option<PrimaryConfig>,
}

/// The one comparison that is announced before the run; every other one is exploratory. No part of a session's identity.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrimaryConfig {
    /// What is compared: a column of sessions.csv that holds numbers, or `column=value`, the share of sessions in which a
    /// column of text has this value, as in `result=average_floor`.
    pub metric: String,
    /// The factor whose levels are compared with the baseline's; left out, every arm is compared with the baseline.
    pub contrast: Option<String>,
    /// How several comparisons are corrected for: `holm`, the default, or `none`.
    #[serde(default)]
    pub correction: Correction,
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
    /// The model's context window, in tokens, from 256.
    pub context_window: Option<u32>,
    /// What its tokens cost.
    pub price: Option<Price>,
}

/// A file of personas: one a row.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonasConfig {
    /// Where the file is; by now the name under which it is kept.
    #[serde(rename = "file")]
    pub _file: String,
    /// The column that holds each persona's id.
    pub id: String,
    /// The column that holds the words.
    pub text: String,
    /// The column that names each persona's stratum; left out, the file is drawn from as a whole. The seats that draw from
    /// the pool are divided among its strata in proportion to their sizes, as near as whole numbers allow.
    pub strata: Option<String>,
}

/// A file of questions: one a row. Each arm has as many sessions of every item as there are replicates.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemsConfig {
    /// Where the file is; by now the name under which it is kept.
    #[serde(rename = "file")]
    pub _file: String,
    /// The column that holds each item's id: letters A-Z a-z, digits and `_`.
    pub id: String,
    /// The column that holds the question; the scenario's texts print it as `{{ item.text }}`.
    pub text: String,
    /// The column that holds what may be chosen, 2 to 26 texts separated by `|`; the alternatives are then called `a`, `b`,
    /// …. Left out, the scenario's alternatives are chosen from.
    pub options: Option<String>,
    /// The column that holds the right answer: one of the options as it is written there, or the name of one of the
    /// scenario's alternatives; empty where nobody knows.
    pub key: Option<String>,
    /// How many items are drawn from the file, by the experiment's seed; from 1 to as many as there are. A greater number
    /// keeps those that a smaller one drew. Left out, all are asked.
    pub sample: Option<u32>,
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
    /// The pool that its persona is drawn from.
    pub personas: Option<String>,
    /// When it is drawn.
    pub draw: Option<DrawTime>,
    /// What the seat is there for.
    pub role: SeatRole,
    /// The rule of a simulated seat.
    pub mind: Option<MindConfig>,
}

/// When a persona is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawTime {
    /// For each replicate anew; the same in every arm.
    PerReplicate,
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
    /// Whether seats think privately before they speak.
    pub private_reasoning: bool,
    /// How seats are asked whether they call a vote.
    pub vote_call: VoteCall,
    /// The first round in which a vote may be called.
    pub rounds_min: u32,
}

/// When the group votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoteTime {
    /// In the agenda's ballot.
    AtEnd,
    /// At the end of each round, until a decision.
    EveryRound,
    /// In a round in which a seat calls for it and all others agree.
    OnCall,
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
    /// The share that a supermajority needs: `a/b`, or a decimal.
    pub threshold: Option<Scalar>,
    /// By how much amounts may differ and still count as the same.
    pub amount_tolerance: u32,
    /// What is decided without a vote.
    pub imposed: Option<ImposedConfig>,
}

/// What is decided without a vote.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImposedConfig {
    /// The alternative.
    pub alternative: String,
    /// Its amount, where it takes one.
    pub amount: Option<u32>,
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

/// What memories hold, and how; lengths in characters.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryConfig {
    /// What is kept at all.
    pub policy: MemoryPolicy,
    /// How a statement reads.
    pub guidance_style: GuidanceStyle,
    /// A statement's kept length.
    pub statement_max_length: u32,
    /// The kept length of a seat's own reasoning.
    pub reasoning_max_length: u32,
    /// Whether statements and reasoning are cut at all.
    pub enable_truncation: bool,
    /// What one seat's brief holds at the most.
    pub memory_character_limit: u64,
    /// What the public history holds at the most.
    pub public_history_max_length: u64,
    /// From which share of its limit on a memory is compressed.
    pub memory_compression_threshold: f64,
    /// To which share of its limit it is compressed.
    pub memory_compression_target: f64,
    /// What becomes of each kind of event.
    pub routing: Routing,
}

/// The arms; levels are read from the tree, where they keep their places.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesignConfig {
    /// By name.
    #[serde(rename = "factors")]
    pub _factors: IndexMap<String, FactorConfig>,
    /// The arm that the others are compared with: one level's label for each factor. No part of a session's identity.
    #[serde(rename = "baseline")]
    pub _baseline: Option<IndexMap<String, Scalar>>,
    /// Combinations of levels that are not run, each as labels by factor; one that names some factors only excludes every
    /// arm with these levels.
    #[serde(rename = "exclude")]
    pub _exclude: Option<Vec<IndexMap<String, Scalar>>>,
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
