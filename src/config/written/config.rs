//! What an author may write in a config, key by key. Constant ranges are declared here, and references are checked in lowering.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};

use crate::analysis::measures::ConvergenceProfile;
use crate::chance::Pairing;
use crate::config::written::decision::DecisionConfig;
use crate::config::written::interventions::{ExhibitsConfig, InterventionConfig, TOKEN_LIMIT_MIN};
use crate::config::written::limits::{LIMIT_MIN, REPLICATES_MAX, ROUNDS_MAX, SEED_MAX, STATEMENT_MIN_LENGTH_MAX};
use crate::config::written::minds::MindConfig;
use crate::config::written::nulls::NullConfig;
use crate::config::written::openai::OpenAiConfig;
use crate::config::written::panel::{NotesConfig, PanelConfig};
use crate::config::written::policy::PolicyConfig;
use crate::config::written::primary::PrimaryConfig;
use crate::config::written::scenario::{PhaseConfig, TalkConfig};
use crate::config::written::shapes;
use crate::domain::{MatchUnit, PollTime, RuleKind};
use crate::memory::{EventKind, GuidanceStyle, HistoryInBrief, RENDERED_LIMIT_MIN, Routing};
use crate::plan::{ConvergenceAction, Limits, Lint, OptionOrder, Scalar, SpeakingOrder, VoteCall};

/// How an experiment is run.
//
// This is the config after merging: every default stands in the tree, so no field here has one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The experiment's name. Results go to a folder of this name: letters, digits, `_`, `.` and `-`.
    pub experiment: String,
    /// Notes for readers, such as title, authors and licence. Never read by the program.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, serde_json::Value>")]
    pub about: IndexMap<String, IgnoredAny>,
    /// What is deliberated: the scenario's folder, relative to this file, or `builtin:` and the name of one that is built in.
    pub scenario: String,
    /// Settings of single phases and blocks, by name: `who`, `when` and `repeat`, and those of the phase's kind without the kind, as in
    /// `agenda.talk.rounds`; those of a question stand under its id, as in `agenda.survey.trust.scale.to`.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, IndexMap<String, serde_json::Value>>")]
    pub agenda: IndexMap<String, IndexMap<String, IgnoredAny>>,
    /// Values for the parameters that the scenario declares.
    pub parameters: IndexMap<String, Scalar>,
    /// Everything random follows from this number: the same seed gives the same bytes.
    #[schemars(range(min = 0, max = SEED_MAX))]
    pub seed: u64,
    /// How many sessions each arm has.
    #[schemars(range(min = 1, max = REPLICATES_MAX))]
    pub replicates: u32,
    /// The language of prompts, of the engine's words in them and of replies: a folder under the scenario's `prompts`.
    pub language: String,
    /// What can answer for a seat, by names that seats refer to.
    pub models: IndexMap<String, ModelConfig>,
    /// Variants of the scenario's prompts, by names that `controls.prompts` refers to: each a folder, relative to this file, that
    /// holds a folder for each language with those templates that differ, as in `en/statement.j2`.
    pub prompts: Option<IndexMap<String, String>>,
    /// Files of personas that seats draw theirs from, by names that seats refer to.
    pub personas: IndexMap<String, PersonasConfig>,
    /// Questions, of which each session has one.
    pub items: Option<ItemsConfig>,
    /// How far an amount may be from the right one and still be correct, as a share of it: `0.05` for 5 %, 0 for the right amount
    /// alone. It says what tables call correct, and changes no session.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub correct_within: f64,
    /// What holds for every seat that does not say otherwise.
    pub seat_defaults: SeatDefaults,
    /// Who sits at the table, in order.
    #[schemars(length(min = 1))]
    pub seats: Vec<SeatConfig>,
    /// How the seats talk.
    pub discussion: DiscussionConfig,
    /// How ballots become a decision.
    pub decision: DecisionConfig,
    /// When seats are polled in private, without consequence; a list such as `[before, after]`.
    pub straw_polls: Vec<PollTime>,
    /// What seats see of each other's names, and the order of options.
    pub controls: ControlsConfig,
    /// What is told to seats besides the agenda.
    pub interventions: Vec<InterventionConfig>,
    /// Evidence documents that seats have before them at every question, by name.
    pub exhibits: Option<ExhibitsConfig>,
    /// The ids of facts of the scenario that nobody is told, whoever they are dealt to; a list such as `[F3]`.
    pub withhold: Option<Vec<String>>,
    /// What seats remember.
    pub memory: MemoryConfig,
    /// That the same agents meet in several sessions, one after the other; left out, each session has its own.
    pub panel: Option<PanelConfig>,
    /// The arms of the experiment.
    pub design: DesignConfig,
    /// The one comparison that is announced before the run.
    pub primary: Option<PrimaryConfig>,
    /// What calls to models may take at the most; then the run stops and can go on later.
    pub limits: Option<Limits>,
    /// The warnings of `check` that are not to be printed, by their ids; a list such as `[one-replicate]`.
    pub allow: Option<Vec<Lint>>,
}

/// What can answer for a seat.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelConfig {
    /// No language model: each seat answers by the rule of its `mind`.
    Simulated(SimulatedConfig),
    /// A language model behind an OpenAI-compatible server.
    Openai(Box<OpenAiConfig>),
    /// A person, who is shown what a model would be shown and types the answers at the terminal.
    Human(HumanConfig),
}

/// Simulated seats have no settings here; their minds have.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimulatedConfig {}

/// A person at the terminal.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HumanConfig {
    /// Who types, as a pseudonym of letters, digits, `_` and `-`, 40 characters at the most; it stands beside each answer in
    /// the record of calls. Left out, nobody is named.
    pub id: Option<String>,
}

/// A CSV file of personas, one a row.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PersonasConfig {
    /// The file, relative to the config.
    pub file: String,
    /// The column that holds each persona's id.
    pub id: String,
    /// The column that holds the words a seat is told about itself.
    pub text: String,
    /// The column that names each persona's stratum; left out, the file is drawn from as a whole. The seats that draw from
    /// the pool are divided among its strata in proportion to their sizes, as near as whole numbers allow.
    pub strata: Option<String>,
}

/// Whether items are asked about in sessions of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemsPer {
    /// Each session is about one item.
    #[default]
    Session,
    /// Each session goes through all items, in a block of the agenda with `for: { each: items }`.
    Loop,
}

/// A file of questions: one a row. Each arm has as many sessions of every item as there are replicates, unless a session goes through all
/// items.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemsConfig {
    /// The CSV file, relative to this one.
    pub file: String,
    /// The column that holds each item's id: letters A-Z a-z, digits and `_`.
    pub id: String,
    /// The column that holds the question; the scenario's texts print it as `{{ item.text }}`.
    pub text: String,
    /// The column that holds what may be chosen, 2 to 26 texts separated by `|`; the alternatives are then called `a`, `b`,
    /// …. Left out, the scenario's alternatives are chosen from. With `per: loop` fields have them that say `options: item.options`.
    pub options: Option<String>,
    /// The column that holds the right answer: one of the options as it is written there, or the name of one of the
    /// scenario's alternatives, or where an amount alone is decided a whole number; empty where nobody knows.
    pub key: Option<String>,
    /// Where an amount alone is decided: the columns of what is counted and of the least and the greatest amount, in the place of
    /// the scenario's `amount`.
    pub amount: Option<ItemAmountConfig>,
    /// Further columns, each of which names one of the item's options as `key` does; a script says it as `{{ item.NAME }}`, with
    /// the column's name. Names are letters, digits and `_`. With `per: loop` they are any texts, which texts and expressions read.
    pub columns: Option<Vec<String>>,
    /// The columns whose texts only the seats of a role are shown, before anything else, by the role's name. With `per: loop` texts of phases
    /// in which that role alone takes part print them.
    pub shown_to: Option<IndexMap<String, Vec<String>>>,
    /// Whether a session is about one item, or goes through all of them in a block.
    #[serde(default)]
    pub per: ItemsPer,
    /// How many items are drawn from the file, by the experiment's seed; from 1 to as many as there are. A greater number
    /// keeps those that a smaller one drew. Left out, all are asked.
    #[schemars(range(min = 1))]
    pub sample: Option<u32>,
}

/// The columns that say which amounts may be named.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemAmountConfig {
    /// The column of what is counted, in words for prompts and tables.
    pub unit: String,
    /// The column of the least amount.
    pub min: String,
    /// The column of the greatest.
    pub max: String,
}

impl ItemsConfig {
    /// The columns that scripts may say.
    pub fn script_columns(&self) -> &[String] {
        self.columns.as_deref().unwrap_or_default()
    }
}

/// What holds for every seat that does not say otherwise.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatDefaults {
    /// The name of a model under `models`.
    pub model: Option<String>,
    /// Who sits there, in words that the seat is told about itself.
    pub persona: Option<String>,
    /// The rule of a simulated seat.
    pub mind: Option<MindConfig>,
}

/// One seat, or several of one kind.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::allow_seat_count)]
pub struct SeatConfig {
    /// The seat's name, the same in prompts and tables. Several seats of one kind have `{n}` in it, as in `Member {n}`.
    /// `self_chosen` is short for `naming: self_chosen` with the name `Seat 1`, `Seat 2`, … by its place at the table.
    pub name: String,
    /// Whether the seat chooses the name that the others know it by before the session begins.
    #[schemars(extend("default" = "given"))]
    pub naming: Option<NamingWord>,
    /// The name of its model under `models`.
    pub model: Option<String>,
    /// Who sits there, in words that the seat is told about itself.
    pub persona: Option<String>,
    /// The name of the file under `personas` that its persona is drawn from.
    pub personas: Option<String>,
    /// When its persona is drawn.
    #[schemars(extend("default" = "per_replicate"))]
    pub draw: Option<DrawTime>,
    /// What the seat is there for: one of the scenario's roles; without roles `member` or `manipulator`, who pushes what the others
    /// rank lowest.
    #[schemars(extend("default" = "member"))]
    pub role: String,
    /// Where the scenario declares roles, whether the seat pushes what the others rank lowest.
    pub manipulator: Option<bool>,
    /// The rule of a simulated seat; left out, the scenario's default.
    pub mind: Option<MindConfig>,
    /// The seat's own limits of memory; what is left out is as in `memory`.
    pub memory: Option<SeatMemoryConfig>,
    /// Whether the seat thinks privately before it speaks; left out, as in `discussion`.
    pub private_reasoning: Option<bool>,
    /// The language of the questions that the seat is asked, and of its replies: a folder under the scenario's `prompts`; left out,
    /// that of the session.
    pub language: Option<String>,
}

/// Limits of the memory of one seat.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatMemoryConfig {
    /// The most characters of a statement that the seat's memory keeps.
    #[schemars(range(min = LIMIT_MIN, max = u32::MAX))]
    pub statement_max_length: Option<u32>,
    /// The most characters of the seat's own reasoning that are remembered.
    #[schemars(range(min = LIMIT_MIN, max = u32::MAX))]
    pub reasoning_max_length: Option<u32>,
    /// Whether the seat's memory cuts statements and reasoning.
    pub enable_truncation: Option<bool>,
    /// The most characters that the seat remembers, as shown in its prompt.
    #[schemars(range(min = RENDERED_LIMIT_MIN, max = SEED_MAX))]
    pub memory_character_limit: Option<u64>,
    /// The most characters of what all have heard, as shown in the seat's prompts.
    #[schemars(range(min = RENDERED_LIMIT_MIN, max = SEED_MAX))]
    pub public_history_max_length: Option<u64>,
    /// The share of its limit at which the seat's memory is compressed; more than 0.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
    pub memory_compression_threshold: Option<f64>,
    /// The share of its limit to which the seat's memory is compressed; more than 0 and less than the threshold.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
    pub memory_compression_target: Option<f64>,
}

/// Who names a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NamingWord {
    /// The author.
    Given,
    /// The seat: a model is asked before anything else, and a script that has a line for it. Other minds keep the name of their
    /// seat. In tables and configs the seat's own name stays.
    SelfChosen,
}

/// When a persona is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrawTime {
    /// For each replicate anew; the same in every arm whose seats draw from the same files.
    PerReplicate,
}

/// How the seats talk.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscussionConfig {
    /// The most rounds; 0 is no talk.
    #[schemars(range(min = 0, max = ROUNDS_MAX))]
    pub rounds: u32,
    /// Who speaks when.
    pub order: SpeakingOrder,
    /// When the group votes.
    pub vote: VoteTime,
    /// The least length of a statement in characters.
    #[schemars(range(min = 0, max = STATEMENT_MIN_LENGTH_MAX))]
    pub statement_min_length: u32,
    /// Whether seats think privately before they speak.
    pub private_reasoning: bool,
    /// Whether statements may be marked as proposals, as support of or opposition to one, and as decisions; left out, they
    /// may not.
    #[schemars(extend("default" = false))]
    pub proposals: Option<bool>,
    /// Whether models and people tell with each statement and straw poll where they stand, as a number from 0 to 100; only where
    /// there are two alternatives. Left out, they are not asked.
    #[schemars(extend("default" = false))]
    pub opinion: Option<bool>,
    /// What follows when statements have become alike; left out, nothing does, and nothing is minuted of it.
    pub convergence: Option<ConvergenceConfig>,
    /// Whether all seats are told when two rounds remain; left out, they are.
    #[schemars(extend("default" = true))]
    pub announce_end: Option<bool>,
    /// Who hears whom; left out, everyone hears everyone. What the facilitator says and what is counted all hear.
    #[schemars(extend("default" = "complete"))]
    pub network: Option<NetworkConfig>,
    /// How seats are asked whether they call a vote, with `vote: on_call`.
    pub vote_call: VoteCall,
    /// The first round in which a vote may be called, with `vote: on_call`.
    #[schemars(range(min = 1))]
    pub rounds_min: u32,
}

impl Config {
    /// Whether votes are held in the rounds of a phase.
    pub fn votes_in_rounds(&self, phase: &PhaseConfig) -> bool {
        let talk = phase.discussion.as_ref().map(|own| self.discussion.of_talk(own));
        talk.is_some_and(|talk| self.decision.rule != RuleKind::Imposed && talk.vote != VoteTime::AtEnd)
    }
}

impl DiscussionConfig {
    /// The settings of one discussion.
    #[must_use]
    pub fn of_talk(&self, own: &TalkConfig) -> Self {
        Self {
            rounds: own.rounds.unwrap_or(self.rounds),
            order: own.order.unwrap_or(self.order),
            statement_min_length: own.statement_min_length.unwrap_or(self.statement_min_length),
            private_reasoning: own.private_reasoning.unwrap_or(self.private_reasoning),
            proposals: own.proposals.or(self.proposals),
            announce_end: own.announce_end.or(self.announce_end),
            network: own.network.clone().or_else(|| self.network.clone()),
            vote: own.vote.unwrap_or(self.vote),
            vote_call: own.vote_call.unwrap_or(self.vote_call),
            rounds_min: own.rounds_min.unwrap_or(self.rounds_min),
            ..self.clone()
        }
    }
}

/// What follows when the statements of a round have become alike in words and form.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvergenceConfig {
    /// How content, structure, sentences, length and punctuation weigh; left out, `balanced`.
    #[schemars(extend("default" = "balanced"))]
    pub profile: Option<ConvergenceProfile>,
    /// From which convergence of a round on something follows, more than 0; left out, 0.8.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0, "default" = 0.8))]
    pub threshold: Option<f64>,
    /// What follows; left out, `warn`.
    #[schemars(extend("default" = "warn"))]
    pub action: Option<ConvergenceAction>,
}

/// When the group votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VoteTime {
    /// In the agenda's ballot.
    AtEnd,
    /// At the end of each round, until a decision.
    EveryRound,
    /// In a round in which a seat calls for it and all others agree.
    OnCall,
}

/// Names and the order of options.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlsConfig {
    /// Whether seats see each other as `Participant 1`, `Participant 2`, … instead of by name.
    pub anonymous: bool,
    /// In which order the alternatives are shown.
    pub option_order: OptionOrder,
    /// Whether each seat is asked in private, after everything else, if it recognises what it took part in as a known study,
    /// experiment, benchmark or game; nothing depends on what it says. Left out, none is.
    #[schemars(extend("default" = false))]
    pub recognition_probe: Option<bool>,
    /// Which prompts are used: the name of a variant under `prompts`, or `scenario` for the scenario's own.
    #[schemars(extend("default" = "scenario"))]
    pub prompts: Option<String>,
}

/// What memories hold, and how; lengths in characters.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryConfig {
    /// What is remembered at all.
    pub policy: PolicyConfig,
    /// How much of the public history a prompt holds beside the memory, with statements in full; left out, all with the policy
    /// `selective`, nothing with any other.
    pub history_in_brief: Option<HistoryInBrief>,
    /// How a remembered statement reads.
    pub guidance_style: GuidanceStyle,
    /// The most characters of a statement that a seat's own memory keeps.
    #[schemars(range(min = LIMIT_MIN, max = u32::MAX))]
    pub statement_max_length: u32,
    /// The most characters of a seat's own reasoning that are remembered.
    #[schemars(range(min = LIMIT_MIN, max = u32::MAX))]
    pub reasoning_max_length: u32,
    /// Whether a seat's own memory cuts statements and reasoning.
    pub enable_truncation: bool,
    /// The most characters that one seat remembers, as shown in its prompt.
    #[schemars(range(min = RENDERED_LIMIT_MIN, max = SEED_MAX))]
    pub memory_character_limit: u64,
    /// The most characters of what all have heard, as shown in a prompt.
    #[schemars(range(min = RENDERED_LIMIT_MIN, max = SEED_MAX))]
    pub public_history_max_length: u64,
    /// From which share of its limit on a memory is compressed; more than 0.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
    pub memory_compression_threshold: f64,
    /// To which share of its limit a memory is compressed; more than 0 and less than the threshold.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
    pub memory_compression_target: f64,
    /// The share of a model's context window that prompt and reply may fill, more than 0: tokens are estimated. A model with a
    /// `tokenizer` may fill all of it, unless this is written.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
    pub context_margin: f64,
    /// What writes the texts that replace seats' memories: `seat`, each seat's own model, or the name of a model under
    /// `models`, which need be no seat's; of a simulated one, the rule by which simulated seats write theirs.
    #[schemars(extend("default" = "seat"))]
    pub summary_model: Option<String>,
    /// What becomes of each kind of event in a memory.
    pub routing: Routing,
    /// Kinds of events that are never cut, dropped or replaced, whatever the limits; results and what a seat is told alone are
    /// such anyway.
    pub pin: Option<Vec<EventKind>>,
    /// Kinds of events that are put back in their own words after a memory was made shorter, with the policy `compact`.
    pub reinject: Option<Vec<EventKind>>,
    /// Older statements beside the memory; left out, none.
    pub recall: Option<RecallConfig>,
    /// Whether a seat may, once a turn, look up what it has heard before it answers.
    #[schemars(extend("default" = false))]
    pub look_up: Option<bool>,
    /// Up to how many tokens, by an estimate that errs high, an exhibit is shown whole; a longer one is shown by its first and
    /// last lines, and by pages.
    #[schemars(range(min = TOKEN_LIMIT_MIN), extend("default" = 20000))]
    pub exhibit_token_limit: Option<u32>,
    /// That seats take notes when a session of a panel ends, and have them in the next, or begin with notes of another experiment;
    /// left out, nothing is carried over.
    pub notes: Option<NotesConfig>,
}

/// The most older statements that are shown beside a memory.
pub const TOP_K_MAX: u32 = 100;

/// Older statements beside a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecallConfig {
    /// None.
    None,
    /// Those that answer the motion and the newest statement best, among all that the seat has heard and is not shown otherwise.
    Search(RecallSearch),
}

/// How many older statements are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecallSearch {
    /// How many, at the most.
    #[schemars(range(min = 1, max = TOP_K_MAX))]
    pub top_k: u32,
}

/// The arms of the experiment: every combination of the factors' levels.
//
// Levels are read from the tree, where they keep their places.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DesignConfig {
    /// The factors by name; the last one changes fastest.
    pub factors: IndexMap<String, FactorConfig>,
    /// The arm that the others are compared with: one level's label for each factor. No part of a session's identity.
    pub baseline: Option<IndexMap<String, Scalar>>,
    /// Combinations of levels that are not run, each as labels by factor; one that names some factors only excludes every
    /// arm with these levels.
    pub exclude: Option<Vec<IndexMap<String, Scalar>>>,
    /// An arm whose independent votes take as much as another arm's sessions of the same item and replicate.
    #[serde(rename = "match")]
    pub matched: Option<MatchConfig>,
    /// Null arms: each arm in which somebody talks has one of each of these beside it, `<arm>-null_<name>`, with the same draws.
    pub nulls: Option<Vec<NullConfig>>,
    /// Whether arms share their draws.
    #[serde(deserialize_with = "deserialize_pairing")]
    #[schemars(with = "PairingWord")]
    pub pairing: Pairing,
}

/// Which votes are taken again and again, and until when.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchConfig {
    /// The arms that vote, as labels by factor: every arm with these levels. They have no talk.
    pub arm: IndexMap<String, Scalar>,
    /// Labels of the same factors: an arm is matched to the one that has these and is the same in all other factors.
    pub to: IndexMap<String, Scalar>,
    /// What is made equal.
    pub unit: MatchUnit,
}

/// One factor: either `key` and `levels`, or `set`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::key_or_set)]
pub struct FactorConfig {
    /// The dotted key of the config whose value differs between levels, as in `decision.rule`.
    pub key: Option<String>,
    /// The values: a list, or labels with their values, as in `{ silent: 0, talk: 4 }`.
    #[schemars(schema_with = "shapes::levels_schema")]
    pub levels: Option<IgnoredAny>,
    /// Several keys at once: for each label the dotted keys and their values.
    #[schemars(with = "IndexMap<String, IndexMap<String, serde_json::Value>>")]
    pub set: Option<IndexMap<String, IndexMap<String, IgnoredAny>>>,
}

/// Whether the arms of a design share their draws.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PairingWord {
    /// The same replicate has the same lots, traits and noise in every arm, so that arms compare pair by pair.
    CommonRandomNumbers,
    /// Every arm draws its own.
    Independent,
}

fn deserialize_pairing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pairing, D::Error> {
    Ok(match PairingWord::deserialize(deserializer)? {
        PairingWord::CommonRandomNumbers => Pairing::CommonRandomNumbers,
        PairingWord::Independent => Pairing::Independent,
    })
}

/// Who hears whom in the discussion.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = shapes::also_words(&["star"]))]
pub enum NetworkConfig {
    /// Every seat hears every other.
    Complete,
    /// Every seat hears itself alone.
    #[serde(rename = "self")]
    Alone,
    /// Every seat hears the one before it and the one after it; the last and the first are neighbours.
    Ring,
    /// One seat hears all and is heard by all; the others hear nobody else.
    Star(Option<StarConfig>),
    /// A ring in which seats hear several neighbours, and some of these links lead to a seat drawn by lot instead (Watts and
    /// Strogatz 1998); drawn for each replicate, the same in every arm.
    SmallWorld(SmallWorldConfig),
    /// What a file says: CSV with the columns `from` and `to`, names of seats, and `weight` if there is one. The seat under `to`
    /// hears the seat under `from`; minds that take weighted means weigh it so, unless they have weights of their own.
    #[serde(rename = "file")]
    Edges(String),
}

/// Whom all hear.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StarConfig {
    /// The seat that hears all and is heard by all; left out, the first.
    pub hub: Option<String>,
}

/// How small the world is.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmallWorldConfig {
    /// How many neighbours each seat hears before any link is moved, half of them on either side: an even number, less than there
    /// are seats.
    #[schemars(range(min = 2))]
    pub neighbours: u32,
    /// With which probability a link is moved.
    #[schemars(range(min = 0, max = 1))]
    pub rewired: f64,
}
