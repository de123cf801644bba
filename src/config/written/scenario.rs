//! `scenario.yaml` as it is written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::config::written::case::{DealConfig, FactConfig, SignalsConfig, TruthConfig};
use crate::config::written::config::{NetworkConfig, VoteTime};
use crate::config::written::each::ForConfig;
use crate::config::written::limits::{ROUNDS_MAX, STATEMENT_MIN_LENGTH_MAX};
use crate::config::written::mechanism::MechanismConfig;
use crate::config::written::minds::MindConfig;
use crate::config::written::participants::{RoleConfig, SeatsConfig};
use crate::config::written::shapes;
use crate::config::written::vote::VoteConfig;
use crate::domain::{Holder, Measure, PollTime};
use crate::memory::Strategy;
use crate::plan::{Scalar, SpeakingOrder, VoteCall};

/// The greatest amount that a scenario may name.
pub const AMOUNT_MAX: u32 = 1_000_000_000;

/// Which amounts may be named: whole numbers of a unit.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AmountConfig {
    /// What is counted, in words for prompts and tables; a template over `parameters`.
    pub unit: String,
    /// The least amount.
    #[serde(default)]
    #[schemars(range(max = AMOUNT_MAX))]
    pub min: u32,
    /// The greatest amount.
    #[schemars(range(min = 1, max = AMOUNT_MAX))]
    pub max: u32,
}

/// A scenario's texts in one language.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageConfig {
    /// The values of parameters of the type `text` when the config says nothing; those of the scenario where left out.
    #[serde(default)]
    pub parameters: IndexMap<String, String>,
    /// What is decided, if the scenario says it.
    #[serde(default)]
    pub motion: MotionConfig,
    /// Every alternative, by its name in ballots and tables.
    #[serde(default)]
    pub alternatives: IndexMap<String, SaidConfig>,
    /// The words of each brief that has words of its own, by the phase's name, and of each question of a form, as `PHASE.FIELD`.
    #[serde(default)]
    pub agenda: IndexMap<String, String>,
}

/// An alternative in one language.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaidConfig {
    /// The name by which seats read and write it.
    pub name: String,
    /// The words for a seat; a template over `parameters`.
    pub label: String,
}

/// A parameter: a knob that a config may turn.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParameterConfig {
    /// What kind of value it takes.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// Its value when the config says nothing.
    pub default: Scalar,
    /// The least and the greatest value, for the types `int` and `number`.
    pub range: Option<(f64, f64)>,
    /// The words to choose from, for the type `choice`.
    pub choices: Option<Vec<String>>,
    /// One line for authors of configs.
    #[serde(rename = "help")]
    pub _help: Option<String>,
}

/// What kind of value a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// Any text.
    Text,
    /// A whole number.
    Int,
    /// A number, with or without decimals.
    Number,
    /// `true` or `false`.
    Bool,
    /// One of some words.
    Choice,
}

/// Values by dotted key, by word, by parameter.
pub type PresetsConfig = IndexMap<String, IndexMap<String, IndexMap<String, IgnoredAny>>>;

/// The sections that may stand in a scenario and in a config.
pub const SHARED_SECTIONS: [&str; 6] = ["discussion", "decision", "straw_polls", "controls", "memory", "exhibits"];

/// What is deliberated, and what a group's decision does.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioConfig {
    /// The scenario's name: letters, digits and `_`.
    pub scenario: String,
    /// One line for readers.
    #[serde(rename = "title")]
    pub _title: Option<String>,
    /// The parameters that a config may set, by name.
    #[serde(default)]
    pub parameters: IndexMap<String, ParameterConfig>,
    /// What follows from a parameter's word: for each word the dotted keys and the values that it gives them.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, IndexMap<String, IndexMap<String, Scalar>>>")]
    pub presets: PresetsConfig,
    /// What is decided, if anything.
    #[serde(default)]
    pub motion: MotionConfig,
    /// What may be chosen: none, at least two, or one that takes an amount. Then the amount alone is decided.
    #[serde(default)]
    pub alternatives: Vec<AlternativeConfig>,
    /// Which amounts may be named, where no mechanism says it.
    pub amount: Option<AmountConfig>,
    /// Variables that have a value before they are computed, by name; others need no declaration.
    #[serde(default)]
    pub variables: IndexMap<String, VariableConfig>,
    /// The roles of the seats, by name; left out, a seat is a member or a manipulator.
    #[serde(default)]
    pub roles: IndexMap<String, RoleConfig>,
    /// The phases, in order.
    #[schemars(length(min = 1))]
    pub agenda: Vec<PhaseConfig>,
    /// What turns decisions into pay.
    pub mechanism: Option<MechanismConfig>,
    /// Which answer is right, where the scenario knows; the key of an item takes its place.
    pub truth: Option<TruthConfig>,
    /// What each seat is told alone of the right answer, rightly or wrongly.
    pub signals: Option<SignalsConfig>,
    /// The facts of the case, which seats are told alone.
    #[serde(default)]
    pub facts: Vec<FactConfig>,
    /// Who is told which of them.
    pub deal: Option<DealConfig>,
    /// Its texts in other languages than its own, by `en`, `es` or `zh`.
    #[serde(default)]
    pub languages: IndexMap<String, LanguageConfig>,
    /// The mind of a simulated seat that has none; without it `random`.
    #[serde(rename = "default_mind")]
    pub _default_mind: Option<MindConfig>,
}

/// What is decided.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotionConfig {
    /// The question, in words; a template in which `{{ parameters.name }}` stands for a parameter's value.
    pub text: String,
}

/// One thing that may be chosen.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlternativeConfig {
    /// The name used in ballots and tables.
    pub name: String,
    /// The words for a seat; a template in which `{{ parameters.name }}` stands for a parameter's value.
    pub label: String,
    /// The name by which seats read and write it in another language than the scenario's own.
    #[serde(skip)]
    pub said: Option<String>,
    /// Whether it leaves things as they are.
    #[serde(default)]
    pub status_quo: bool,
    /// Whether choosing it means naming an amount, too.
    #[serde(default)]
    pub takes_amount: bool,
}

/// The keys of every phase and block.
const PHASE_KEYS: &[&str] = &["name", "repeat", "for", "when", "who", "heard_by", "forget", "remember", "groups"];

/// A phase: a name, and exactly one of brief, ask, discussion, vote, assign, compute and pay; or a block of phases.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::one_of_all_but(PHASE_KEYS))]
pub struct PhaseConfig {
    /// The phase's name, as tables and records have it.
    pub name: String,
    /// The facilitator says something.
    pub brief: Option<BriefConfig>,
    /// Every seat is asked something.
    pub ask: Option<AskConfig>,
    /// The seats talk in rounds.
    pub discussion: Option<TalkConfig>,
    /// The group votes; `{}` for a vote as the section `decision` has it.
    pub vote: Option<VoteConfig>,
    /// Values of the session (`NAME`) or of each seat (`seat.NAME`), in the order written, each by an expression.
    pub compute: Option<IndexMap<String, Scalar>>,
    /// Seats are paid, by an expression or for what was decided.
    pub pay: Option<PayConfig>,
    /// Phases that belong together, in order: a block.
    pub phases: Option<Vec<PhaseConfig>>,
    /// The things for each of which the phases of the block take place.
    #[serde(rename = "for")]
    pub each: Option<ForConfig>,
    /// How often the phases of the block take place; left out, once.
    pub repeat: Option<RepeatConfig>,
    /// Whether the phase or block takes place: an expression that is looked at when it would open.
    pub when: Option<Scalar>,
    /// The seats that take part: a list of names, a role, or an expression that is true of a `seat`; left out, everyone. That of a
    /// block also holds for its phases. It is fixed when the phase opens.
    pub who: Option<SeatsConfig>,
    /// The seats that hear what is said and counted, and of an `ask` what is answered: a list of names, a role, `group`, `nobody` or an
    /// expression that is true of a `seat`; left out, everyone hears statements and counts, and nobody answers. That of a block holds for
    /// its discussions and votes. It is fixed when the phase opens, and whoever speaks hears herself.
    pub heard_by: Option<SeatsConfig>,
    /// The phases that the seats in `who` forget when this phase opens: what their memories hold of them, but what is never dropped.
    pub forget: Option<Vec<String>>,
    /// How memories take what the phase brings: `direct`, as it comes; `integrated`, by rewriting; or `skip`, not beyond the phase. That of
    /// a block holds for its phases that say nothing. Left out, as `memory.routing` says.
    pub remember: Option<Strategy>,
    /// Seats are put into groups, by the names of assignments.
    pub assign: Option<IndexMap<String, AssignConfig>>,
    /// The name of an assignment: the phase or block takes place in each of its groups, side by side.
    pub groups: Option<String>,
    /// The places of the blocks that hold the phase, the outermost first, once the agenda is flat.
    #[serde(skip)]
    pub within: Vec<usize>,
}

impl PhaseConfig {
    /// The fields of its form; none if it asks none.
    pub fn fields(&self) -> &[FieldConfig] {
        self.ask.as_ref().map(AskConfig::fields).unwrap_or_default()
    }

    /// The question that the program has, if it asks one.
    pub fn built_in_ask(&self) -> Option<&BuiltInAsk> {
        self.ask.as_ref().and_then(AskConfig::built_in)
    }

    /// Whether it asks about each of several seats.
    pub fn asks_about_seats(&self) -> bool {
        self.ask.as_ref().is_some_and(|ask| ask.per().is_some())
    }

    /// Whether the mechanism pays in it for what was decided.
    pub fn pays_decision(&self) -> bool {
        self.pay.as_ref().is_some_and(|pay| pay.mechanism.is_some())
    }
}

/// A discussion's own settings; what is left out is as the section `discussion` has it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TalkConfig {
    /// The most rounds, as any number of a phase also an expression that reads parameters; 0 is no talk.
    #[schemars(range(min = 0, max = ROUNDS_MAX), transform = shapes::or_expression)]
    pub rounds: Option<u32>,
    /// Who speaks when.
    pub order: Option<SpeakingOrder>,
    /// How many seats speak in each round: the first in the order of the round, or the most urgent with `order: volunteer`. Left out,
    /// all do.
    #[schemars(range(min = 1, max = 10_000), transform = shapes::or_expression)]
    pub speakers: Option<u32>,
    /// When the talk ends before its last round: an expression that is looked at after each round, in which `round` is its number.
    pub until: Option<Scalar>,
    /// Whether seats say with a statement which alternative they favour, and how strongly; left out, they do where there are alternatives.
    pub stance: Option<bool>,
    /// The least length of a statement in characters.
    #[schemars(range(min = 0, max = STATEMENT_MIN_LENGTH_MAX), transform = shapes::or_expression)]
    pub statement_min_length: Option<u32>,
    /// Whether seats think privately before they speak.
    pub private_reasoning: Option<bool>,
    /// Whether statements may be marked as proposals, as support of or opposition to one, and as decisions.
    pub proposals: Option<bool>,
    /// Whether all seats hear when two rounds remain.
    pub announce_end: Option<bool>,
    /// Who hears whom in this talk, without `file`; left out, as the config's `discussion.network` says.
    pub network: Option<NetworkConfig>,
    /// When the group votes.
    pub vote: Option<VoteTime>,
    /// How seats are asked whether they call a vote, with `vote: on_call`.
    pub vote_call: Option<VoteCall>,
    /// The first round in which a vote may be called, with `vote: on_call`.
    #[schemars(range(min = 1, max = ROUNDS_MAX), transform = shapes::or_expression)]
    pub rounds_min: Option<u32>,
}

/// An assignment of seats to groups or to roles: exactly one of both.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssignConfig {
    /// How large the groups are.
    pub groups: Option<GroupsConfig>,
    /// The roles that seats have from then on, each with the number of its seats, or `rest` for all that are left.
    #[schemars(transform = shapes::role_seats)]
    pub roles: Option<IndexMap<String, Scalar>>,
    /// Which seats come together: `lot`; `rotation`, the plan's order begun one seat later each time; or an expression about a seat, so
    /// that seats with neighbouring values come together. Roles are filled in this order.
    pub by: Scalar,
    /// An expression about a seat whose values the groups mix as evenly as possible: seats are put in the order of its values, equal ones in
    /// the order of `by`, and dealt to the groups in turn.
    pub mix: Option<Scalar>,
    /// Whether the groups may have different sizes.
    #[serde(default)]
    pub uneven: bool,
}

/// How large groups are: exactly one of size, count and joined.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::one_of_all_but(&[]))]
pub struct GroupsConfig {
    /// The number of seats in each group.
    #[schemars(range(min = 1, max = 10_000), transform = shapes::or_expression)]
    pub size: Option<u32>,
    /// The number of groups.
    #[schemars(range(min = 1, max = 10_000), transform = shapes::or_expression)]
    pub count: Option<u32>,
    /// The number of groups, each with the seats for which `by` has its number: 1 or more. A seat without a number is in none.
    #[schemars(range(min = 1, max = 10_000), transform = shapes::or_expression)]
    pub joined: Option<u32>,
}

/// A variable that has a value before it is computed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VariableConfig {
    /// Whether the session has one value of it, or each seat its own.
    #[serde(default)]
    pub of: Holder,
    /// Its value before it is computed, an expression that reads only parameters and the role and index of seats; left out, it is missing.
    pub start: Option<Scalar>,
}

/// What a phase pays.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PayConfig {
    /// The scenario's mechanism, which pays for what was decided; without any other key.
    pub mechanism: Option<MechanismWord>,
    /// What a seat gets: an expression about the seat.
    pub seat: Option<Scalar>,
    /// What is counted, in words for seats and tables.
    pub unit: Option<String>,
    /// What a unit is worth in money: an expression; left out, units are not paid out.
    pub rate: Option<Scalar>,
    /// What each seat is paid besides, in money: an expression.
    pub fee: Option<Scalar>,
}

/// A mechanism that pays for what was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MechanismWord {
    /// Each alternative is a principle that picks one of some income tables.
    IncomePrinciples,
}

/// How often a block takes place.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepeatConfig {
    /// The number of passes; 0 leaves the block out. With `max`, an expression that may read values of the session and is looked at when
    /// the block begins.
    #[schemars(with = "Option<u32>", range(min = 0, max = 1_000), transform = shapes::or_expression)]
    pub times: Option<Scalar>,
    /// When the block ends: an expression that is looked at after each of its phases.
    pub until: Option<Scalar>,
    /// The most passes, with `until`, or with `times` that reads values of the session.
    #[schemars(range(min = 1, max = 1_000), transform = shapes::or_expression)]
    pub max: Option<u32>,
}

impl RepeatConfig {
    /// The most passes.
    pub fn passes_max(&self) -> u32 {
        match (&self.times, self.max) {
            (Some(Scalar::Int(times)), _) => u32::try_from(*times).unwrap_or(u32::MAX),
            (_, max) => max.unwrap_or(1),
        }
    }

    /// The number of passes that is known only when the block begins; `None` if it is known before.
    pub fn live_times(&self) -> Option<&Scalar> {
        self.times.as_ref().filter(|times| matches!(times, Scalar::Text(_)))
    }
}

/// What the facilitator says: exactly one of text and template.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::text_or_template)]
pub struct BriefConfig {
    /// The words; a template in which `{{ parameters.name }}` stands for a parameter's value.
    pub text: Option<String>,
    /// The name of a template in the prompts of each language.
    pub template: Option<String>,
    /// Where the group stands, as models of opinions hear it: an amount where an amount alone is decided, else how far the first of two
    /// alternatives is favoured, from 0 to 1. An expression.
    pub opinion: Option<Scalar>,
}

/// What every seat is asked: the fields of a form, or a question that the program has.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged)]
pub enum AskConfig {
    /// The fields of a form, asked and answered together.
    Form(Vec<FieldConfig>),
    /// Exactly one of time, ranking, comprehension and application.
    BuiltIn(BuiltInAsk),
}

impl<'de> Deserialize<'de> for AskConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AskVisitor;

        impl<'de> Visitor<'de> for AskVisitor {
            type Value = AskConfig;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of fields, or a question that the program has")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, fields: A) -> Result<AskConfig, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(fields)).map(AskConfig::Form)
            }

            fn visit_map<A: MapAccess<'de>>(self, ask: A) -> Result<AskConfig, A::Error> {
                BuiltInAsk::deserialize(MapAccessDeserializer::new(ask)).map(AskConfig::BuiltIn)
            }
        }

        deserializer.deserialize_any(AskVisitor)
    }
}

impl AskConfig {
    /// The question that the program has; `None` for a form.
    pub fn built_in(&self) -> Option<&BuiltInAsk> {
        if let AskConfig::BuiltIn(ask) = self { Some(ask).filter(|ask| ask.form.is_none()) } else { None }
    }

    /// The seats about each of which a form is asked; `None` for one that is about nobody else.
    pub fn per(&self) -> Option<&SeatsConfig> {
        if let AskConfig::BuiltIn(ask) = self { ask.per.as_ref() } else { None }
    }

    /// The fields of a form, to be changed.
    pub fn fields_mut(&mut self) -> &mut [FieldConfig] {
        match self {
            AskConfig::Form(fields) => fields,
            AskConfig::BuiltIn(ask) => ask.form.as_deref_mut().unwrap_or_default(),
        }
    }

    /// The fields of a form; none for a question that the program has.
    pub fn fields(&self) -> &[FieldConfig] {
        match self {
            AskConfig::Form(fields) => fields,
            AskConfig::BuiltIn(ask) => ask.form.as_deref().unwrap_or_default(),
        }
    }
}

/// The fields of a scenario's forms, with their phases.
pub fn fields_of(agenda: &[PhaseConfig]) -> impl Iterator<Item = (&PhaseConfig, &FieldConfig)> {
    agenda.iter().flat_map(|phase| phase.fields().iter().map(move |field| (phase, field)))
}

/// Whether a field, or a phase that asks, has this name.
pub fn is_answer(agenda: &[PhaseConfig], name: &str) -> bool {
    let is_asked = |phase: &PhaseConfig| phase.name == name || phase.fields().iter().any(|field| field.id == name);
    agenda.iter().any(|phase| phase.ask.is_some() && is_asked(phase))
}

/// A form about each of several seats, or a question that the program has: exactly one of form, time, ranking, comprehension and
/// application.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::one_of_all_but(&["per"]))]
pub struct BuiltInAsk {
    /// A straw poll, `before` or `after` the talk.
    pub time: Option<PollTime>,
    /// A ranking of the alternatives.
    pub ranking: Option<EmptyConfig>,
    /// A test of what the alternatives do.
    pub comprehension: Option<EmptyConfig>,
    /// Practice rounds.
    pub application: Option<EmptyConfig>,
    /// The seats about each of which the form is asked: `others`, a list of names, or an expression that is true of a `seat`, where `me`
    /// is the seat that is asked.
    pub per: Option<SeatsConfig>,
    /// The fields that are asked about each of these seats, all in one question.
    pub form: Option<Vec<FieldConfig>>,
}

/// The right answer: one value, or a list of options.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum KeyConfig {
    /// A number, yes or no, or one option.
    One(Scalar),
    /// Options: those to approve of, or all in order.
    Several(Vec<String>),
}

/// A field of a form: an id, its question, and exactly one kind of answer.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::one_of_all_but(&["id", "question", "help", "optional", "key", "keep_as", "measures"]))]
pub struct FieldConfig {
    /// Its id in replies and tables: small letters, digits and `_`, beginning with a letter.
    pub id: String,
    /// The words that ask for it; a template in which `{{ parameters.name }}` stands for a parameter's value.
    pub question: String,
    /// Words beneath the question.
    pub help: Option<String>,
    /// Whether a seat may leave it unanswered.
    #[serde(default)]
    pub optional: bool,
    /// The right answer, which no seat is told: tables say which answers equal it.
    pub key: Option<KeyConfig>,
    /// What it measures about the motion: `stance`, a choice among the alternatives; `opinion`, how far the first of two alternatives is
    /// favoured, or the amount where an amount alone is decided; `ranking`, all alternatives from best to worst; or `certainty`, how certain
    /// the seat is of a stance or ranking in its form. Before the first talk and after the last one it counts like a straw poll.
    pub measures: Option<Measure>,
    /// One option.
    pub choice: Option<OptionsConfig>,
    /// Any number of options, or none.
    pub approval: Option<OptionsConfig>,
    /// All options, the best first.
    pub ranking: Option<OptionsConfig>,
    /// A score for each option.
    pub score: Option<ScoreConfig>,
    /// A whole number on a scale.
    pub scale: Option<ScaleConfig>,
    /// A number.
    pub number: Option<NumberConfig>,
    /// Points shared among options.
    pub allocation: Option<AllocationConfig>,
    /// Yes or no.
    pub yes_no: Option<EmptyConfig>,
    /// Words.
    pub text: Option<TextConfig>,
    /// The name under which the texts of all authors are kept, with letters given by lot: a list in expressions, in texts of the agenda,
    /// and `over` in votes.
    pub keep_as: Option<String>,
}

impl FieldConfig {
    /// The kinds of answer that a field may have.
    pub const KINDS: [&'static str; 9] =
        ["choice", "approval", "ranking", "score", "scale", "number", "allocation", "yes_no", "text"];

    /// The kinds of answer that it has.
    pub fn list_kinds(&self) -> Vec<&'static str> {
        let given = [
            self.choice.is_some(),
            self.approval.is_some(),
            self.ranking.is_some(),
            self.score.is_some(),
            self.scale.is_some(),
            self.number.is_some(),
            self.allocation.is_some(),
            self.yes_no.is_some(),
            self.text.is_some(),
        ];
        Self::KINDS.into_iter().zip(given).filter(|(_, given)| *given).map(|(kind, _)| kind).collect()
    }

    /// The keys of bounds, which may be expressions about the session.
    pub const BOUNDS: [&'static str; 4] = ["number.min", "number.max", "score.max", "allocation.points"];

    /// The bounds that are written, with their keys.
    pub fn list_bounds(&self) -> Vec<(&'static str, &Scalar)> {
        let number = self.number.as_ref();
        let written = [
            number.and_then(|number| number.min.as_ref()),
            number.and_then(|number| number.max.as_ref()),
            self.score.as_ref().map(|score| &score.max),
            self.allocation.as_ref().map(|allocation| &allocation.points),
        ];
        Self::BOUNDS.into_iter().zip(written).filter_map(|(key, bound)| Some((key, bound?))).collect()
    }

    /// The key of its options; `None` if it has none.
    pub fn options_key(&self) -> Option<String> {
        self.written_options()?;
        self.list_kinds().first().map(|kind| format!("{kind}.options"))
    }

    /// The options; `None` if it has none.
    pub fn written_options(&self) -> Option<&SeatsConfig> {
        let plain = [&self.choice, &self.approval, &self.ranking].into_iter().flatten().map(|kind| &kind.options);
        let scored = self.score.iter().map(|kind| &kind.options);
        plain.chain(scored).chain(self.allocation.iter().map(|kind| &kind.options)).next()
    }

    /// The seats that are the options, as they are written; `None` if the options are words, or there are none.
    pub fn seat_options(&self) -> Option<&SeatsConfig> {
        let written = self.written_options().filter(|_| !self.has_item_options());
        written.filter(|options| matches!(options, SeatsConfig::Expression(_)))
    }

    /// Whether the options are those of the item that the pass takes place for.
    pub fn has_item_options(&self) -> bool {
        let written = self.written_options();
        matches!(written, Some(SeatsConfig::Expression(Scalar::Text(text))) if text.trim() == "item.options")
    }
}

/// The options of a field.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionsConfig {
    /// The options, as seats read and name them: a list; `item.options`, those of the item of the pass; or seats, as a role, `everyone`,
    /// `others` or an expression that is true of a `seat`, where `me` is the seat that answers.
    pub options: SeatsConfig,
}

/// Options that get scores.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScoreConfig {
    /// The options, as seats read and name them: a list; or seats, as a role, `everyone`, `others` or an expression that is true of a
    /// `seat`, where `me` is the seat that answers.
    pub options: SeatsConfig,
    /// The greatest score: a number, or an expression about the seat that is asked; the least is 0.
    #[schemars(with = "u32", range(min = 1, max = 1_000_000), transform = shapes::or_expression)]
    pub max: Scalar,
}

/// A scale of whole numbers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScaleConfig {
    /// The least number.
    #[schemars(range(min = -1_000_000, max = 1_000_000), transform = shapes::or_expression)]
    pub from: i64,
    /// The greatest number.
    #[schemars(range(min = -1_000_000, max = 1_000_000), transform = shapes::or_expression)]
    pub to: i64,
    /// What numbers of the scale mean.
    #[serde(default)]
    pub labels: IndexMap<String, String>,
}

/// A number between two bounds.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NumberConfig {
    /// The least: a number, or an expression about the seat that is asked. In a field that measures the amount that alone is decided it
    /// may be left out: the bound and the unit are those of the amount, with items those of the item.
    pub min: Option<Scalar>,
    /// The greatest, likewise.
    pub max: Option<Scalar>,
    /// The most decimal places.
    #[serde(default)]
    #[schemars(range(max = 6), transform = shapes::or_expression)]
    pub decimals: u8,
    /// What is counted, as seats read it.
    pub unit: Option<String>,
}

/// Points shared among options.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllocationConfig {
    /// The options, as seats read and name them: a list; or seats, as a role, `everyone`, `others` or an expression that is true of a
    /// `seat`, where `me` is the seat that answers.
    pub options: SeatsConfig,
    /// What the points of a seat add up to: a number, or an expression about the seat that is asked.
    #[schemars(with = "u32", range(min = 1, max = 1_000_000), transform = shapes::or_expression)]
    pub points: Scalar,
}

/// Words.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextConfig {
    /// The least and the greatest number of characters.
    #[serde(default = "text_chars")]
    #[schemars(default = "text_chars", transform = shapes::pair_or_expressions)]
    pub chars: (u32, u32),
    /// The least and the greatest number of texts, each of one line; left out, it is one text.
    #[schemars(transform = shapes::pair_or_expressions)]
    pub count: Option<(u32, u32)>,
}

fn text_chars() -> (u32, u32) {
    (1, 2_000)
}

/// No settings: write `{}`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptyConfig {}
