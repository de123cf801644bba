//! What is deliberated, as a scenario's author writes it, and its texts with the parameters filled in.
//!
//! The sections that a config may overrule (`discussion`, `decision`, …) are taken out before: they are merged, not read here.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::alternatives::AmountConfig;
use super::case::{DealConfig, FactConfig, SignalsConfig, TruthConfig};
use super::decode::decode;
use super::filling::blamed;
use super::interventions::POLL_PHASES;
use super::languages::LanguageConfig;
use super::minds::{self, MindConfig};
use super::names::{check_alternative, check_apart, check_name, check_word};
use super::parameters::{ParameterConfig, Scalar};
use super::pay::MechanismConfig;
use super::presets::{self, PresetsConfig};
use super::texts::Texts;
use super::tree::Node;
use super::{Problem, Problems, hints, schema, shared_facts, suggest};
use crate::domain::{Alternative, AlternativeName, Language, Motion, PollTime};

/// The sections that may stand in a scenario and in a config.
pub const SHARED_SECTIONS: [&str; 6] = ["discussion", "decision", "straw_polls", "controls", "memory", "exhibits"];
/// The name that the engine gives to the moment outside every phase.
const OUTSIDE: &str = "session";

/// A scenario, checked as far as it can be without a config.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// What was written, for the places of later problems.
    pub tree: Node,
    /// What it says.
    pub written: ScenarioConfig,
    /// The parameters whose declaration is wrong: nothing that reads them is blamed.
    pub broken_parameters: BTreeSet<String>,
    /// Whether the phases can be had as they are written.
    pub agenda: Soundness,
    /// What its texts print as `item.text`; `None` in an experiment without items.
    pub item: Option<String>,
    /// The language whose texts it has beside its own; `None` for its own.
    pub texts_of: Option<Language>,
    /// Its texts with the item printed, as far as they were filled in.
    pub texts: Texts,
}

/// Whether a part can be built upon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soundness {
    /// It can.
    Sound,
    /// Something in it is wrong and was told: what depends on it is left alone.
    Broken,
}

/// What is deliberated, and what a group's decision does.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioConfig {
    /// The scenario's name: letters, digits and `_`.
    pub scenario: String,
    /// One line for readers.
    #[serde(rename = "title")]
    pub _title: String,
    /// The parameters that a config may set, by name.
    #[serde(default)]
    pub parameters: IndexMap<String, ParameterConfig>,
    /// What follows from a parameter's word: for each word the dotted keys and the values that it gives them.
    #[serde(default)]
    #[schemars(with = "IndexMap<String, IndexMap<String, IndexMap<String, Scalar>>>")]
    pub presets: PresetsConfig,
    /// What is decided.
    pub motion: MotionConfig,
    /// What may be chosen: at least two, or one that takes an amount. Then the amount alone is decided.
    #[schemars(length(min = 1))]
    pub alternatives: Vec<AlternativeConfig>,
    /// Which amounts may be named, where no mechanism says it.
    pub amount: Option<AmountConfig>,
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
    /// The mind of a simulated seat that has none.
    #[serde(rename = "default_mind")]
    pub _default_mind: MindConfig,
}

/// What is decided.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
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

/// A phase: a name, and exactly one of brief, ask, discussion, ballot and settle.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = schema::one_of_but_name)]
pub struct PhaseConfig {
    /// The phase's name, as tables and records have it.
    pub name: String,
    /// The facilitator says something.
    pub brief: Option<BriefConfig>,
    /// Every seat is asked something.
    pub ask: Option<AskConfig>,
    /// The seats talk in rounds.
    pub discussion: Option<EmptyConfig>,
    /// The group votes.
    pub ballot: Option<EmptyConfig>,
    /// What was decided is paid.
    pub settle: Option<EmptyConfig>,
}

/// What the facilitator says: exactly one of text and template.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = schema::one_of_but_name)]
pub struct BriefConfig {
    /// The words; a template in which `{{ parameters.name }}` stands for a parameter's value.
    pub text: Option<String>,
    /// The name of a template in the prompts of each language.
    pub template: Option<String>,
}

/// What every seat is asked: exactly one of time, ranking, comprehension and application.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = schema::one_of_but_name)]
pub struct AskConfig {
    /// A straw poll, `before` or `after` the talk.
    pub time: Option<PollTime>,
    /// A ranking of the alternatives.
    pub ranking: Option<EmptyConfig>,
    /// A test of what the alternatives do.
    pub comprehension: Option<EmptyConfig>,
    /// Practice rounds.
    pub application: Option<EmptyConfig>,
}

/// No settings: write `{}`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptyConfig {}

impl Scenario {
    /// Reads a scenario from its tree, without the shared sections; `None` when it has not the shape of one.
    pub fn read(mut tree: Node, problems: &mut Problems) -> Option<Self> {
        minds::fill(&mut tree, "default_mind");
        let written: ScenarioConfig = problems.keep(decode(&tree))?;
        let (broken_parameters, agenda) = (BTreeSet::new(), Soundness::Sound);
        let mut scenario =
            Self { tree, written, broken_parameters, agenda, item: None, texts_of: None, texts: Texts::default() };
        scenario.check(problems);
        Some(scenario)
    }

    /// The phases' names, in order.
    pub fn phase_names(&self) -> impl Iterator<Item = &str> {
        self.written.agenda.iter().map(|phase| phase.name.as_str())
    }

    /// The values of the parameters, which stand in `config` under `parameters`. A value that is wrong is told, and what
    /// the scenario would have said stands in its place; the names of all that are wrong come with the values.
    pub fn values(
        &self,
        written: &IndexMap<String, Scalar>,
        config: &Node,
        problems: &mut Problems,
    ) -> (IndexMap<String, Scalar>, BTreeSet<String>) {
        let mut values = IndexMap::new();
        let mut broken = self.broken_parameters.clone();
        for (name, value) in written {
            let path = format!("parameters.{name}");
            let Some(declared) = self.written.parameters.get(name) else {
                let known = self.written.parameters.keys().map(String::as_str);
                let message = "the scenario declares no such parameter";
                let problem = Problem::at(config.key_place_of(&path), &path, message);
                problems.push(problem.with_hint(suggest(name, known)));
                continue;
            };
            let refused = declared.refuses(value).filter(|_| !self.broken_parameters.contains(name));
            if let Some(message) = refused {
                let node = config.find(&path);
                let found =
                    node.filter(|_| message.starts_with("expected ")).map(|node| hints::describe_value(&node.value));
                let message = found.map_or_else(|| message.clone(), |found| format!("{message}, found {found}"));
                let hint = node.and_then(|node| declared.meant(node, &path));
                problems.push(config.problem(&path, message).with_hint(hint));
                broken.insert(name.clone());
            }
            let value = if broken.contains(name) { &declared.default } else { value };
            values.insert(name.clone(), value.clone());
        }
        (values, broken)
    }

    /// The motion with the parameters filled in. A text that is no template over them, or empty, is told and stands as it
    /// was written.
    pub fn motion(&self, parameters: &IndexMap<String, Scalar>, config: &Node, problems: &mut Problems) -> Motion {
        let mut keep = |filled: Result<String, Problem>, text: &str| {
            problems.keep(filled.map_err(|problem| blamed(problem, text, config))).unwrap_or_else(|| text.to_owned())
        };
        let mut label = |alternative: &AlternativeConfig| {
            let path = format!("alternatives.{}.label", alternative.name);
            keep(self.printed_of(&alternative.label, &self.path_of(&path), parameters), &alternative.label)
        };
        let alternatives = self.written.alternatives.iter().map(|alternative| Alternative {
            name: AlternativeName::new(&alternative.name),
            label: label(alternative),
            status_quo: alternative.status_quo,
            takes_amount: alternative.takes_amount,
            said: alternative.said.as_deref().map(AlternativeName::new),
        });
        let alternatives = alternatives.collect();
        let text = &self.written.motion.text;
        let text = keep(self.fill(text, "motion.text", parameters), text);
        let unit = self.written.amount.as_ref().map(|amount| &amount.unit);
        let unit = unit.map(|unit| keep(self.printed_of(unit, "amount.unit", parameters), unit));
        Motion {
            text,
            alternatives,
            amount_max: self.written.amount.as_ref().map(|amount| amount.max),
            amount_min: self.written.amount.as_ref().map_or(1, |amount| amount.min),
            unit,
            language: Default::default(),
        }
    }

    /// A short text at a path with the parameters filled in; one without a brace of a template, as most are, stands as it is.
    ///
    /// # Errors
    /// When it is no template over the parameters, or prints nothing.
    pub(super) fn printed_of(
        &self,
        text: &str,
        path: &str,
        parameters: &IndexMap<String, Scalar>,
    ) -> Result<String, Problem> {
        match ["{{", "{%", "{#"].iter().any(|open| text.contains(open)) {
            false => Ok(text.to_owned()),
            true => self.texts.own((text, path), parameters, || self.filled((text, path), parameters, &[])),
        }
    }

    /// A text with the parameters filled in.
    ///
    /// # Errors
    /// When it is no template over the parameters, or empty.
    pub fn fill(&self, text: &str, path: &str, parameters: &IndexMap<String, Scalar>) -> Result<String, Problem> {
        let path = &*self.path_of(path);
        self.texts.own((text, path), parameters, || self.filled((text, path), parameters, &[]))
    }

    fn check(&mut self, problems: &mut Problems) {
        problems.note(&self.tree, "scenario", check_word(&self.written.scenario));
        let mut names: Vec<&str> = Vec::new();
        let mut broken = BTreeSet::new();
        for (name, parameter) in &self.written.parameters {
            let path = format!("parameters.{name}");
            let before = problems.len();
            for message in parameter.mistakes(name) {
                problems.push(self.tree.problem(&path, message));
            }
            problems.note_key(&self.tree, "parameters", name, check_apart(name, &names));
            names.push(name);
            if problems.len() == before
                && let Some(message) = parameter.refuses(&parameter.default)
            {
                problems.push(self.tree.problem(&format!("{path}.default"), message));
            }
            if problems.len() > before {
                broken.insert(name.clone());
            }
        }
        presets::check(self, problems);
        self.check_alternatives(problems);
        self.check_languages(problems);
        let before = problems.len();
        self.check_agenda(problems);
        let is_sound = problems.len() == before;
        self.broken_parameters = broken;
        self.agenda = if is_sound { Soundness::Sound } else { Soundness::Broken };
        shared_facts::check_defaults(self, problems);
    }

    fn check_agenda(&self, problems: &mut Problems) {
        self.check_names("agenda", self.phase_names(), problems);
        if self.written.agenda.is_empty() {
            problems.push(self.tree.problem("agenda", "an agenda has at least one phase"));
        }
        for (i, phase) in self.written.agenda.iter().enumerate() {
            self.check_phase(i, phase, problems);
        }
        self.check_settlement(problems);
    }

    fn check_phase(&self, position: usize, phase: &PhaseConfig, problems: &mut Problems) {
        let path = format!("agenda.{}", phase.name);
        // By position: two phases may have one name, and each is told of its own mistakes.
        let item = self.item("agenda", position).unwrap_or(&self.tree);
        let mut tell = |key: &str, message: &str| {
            let path = if key.is_empty() { path.clone() } else { format!("{path}.{key}") };
            problems.push(Problem::at(item.place_of(key), path, message));
        };
        if phase.name == OUTSIDE || POLL_PHASES.contains(&phase.name.as_str()) {
            tell("", "this name is the engine's own");
        }
        let kinds = [
            phase.brief.is_some(),
            phase.ask.is_some(),
            phase.discussion.is_some(),
            phase.ballot.is_some(),
            phase.settle.is_some(),
        ];
        if kinds.iter().filter(|given| **given).count() != 1 {
            tell("", "a phase is exactly one of brief, ask, discussion, ballot and settle");
        }
        if phase.brief.as_ref().is_some_and(|brief| brief.text.is_some() == brief.template.is_some()) {
            tell("brief", "a brief is exactly one of text and template");
        }
        if let Some(ask) = &phase.ask {
            let asked =
                [ask.time.is_some(), ask.ranking.is_some(), ask.comprehension.is_some(), ask.application.is_some()];
            if asked.iter().filter(|given| **given).count() != 1 {
                tell("ask", "an ask is exactly one of time, ranking, comprehension and application");
            }
            if ask.time == Some(PollTime::EachRound) {
                tell("ask.time", "a phase polls before or after the talk, not in its rounds");
            }
        }
        let practises = |ask: &AskConfig| ask.comprehension.is_some() || ask.application.is_some();
        let pays = phase.settle.is_some() || phase.ask.as_ref().is_some_and(practises);
        if pays && self.written.mechanism.is_none() {
            tell("", "this phase needs a mechanism, and the scenario has none");
        }
    }

    /// Pay comes once, and after all votes.
    fn check_settlement(&self, problems: &mut Problems) {
        let agenda = &self.written.agenda;
        let Some(first) = agenda.iter().position(|phase| phase.settle.is_some()) else { return };
        for phase in &agenda[first + 1..] {
            let path = format!("agenda.{}", phase.name);
            if phase.settle.is_some() {
                problems.push(self.tree.problem(&path, "the decision is paid once"));
            }
            if phase.discussion.is_some() || phase.ballot.is_some() {
                problems.push(self.tree.problem(&path, "a decision after it was paid"));
            }
        }
    }

    pub(super) fn check_names<'a>(&self, section: &str, names: impl Iterator<Item = &'a str>, problems: &mut Problems) {
        let mut seen: Vec<&str> = Vec::new();
        for (position, name) in names.enumerate() {
            let path = format!("{section}.{name}.name");
            let written = self.item(section, position).and_then(|item| item.get("name"));
            let place = written.map_or(&self.tree.place, |name| &name.place);
            let mut tell = |message: String| problems.push(Problem::at(place, &path, message));
            let check = if section == "alternatives" { check_alternative } else { check_name };
            if let Err(message) = check(name) {
                tell(message);
            }
            if seen.contains(&name) {
                tell(format!("the name \"{name}\" is given twice"));
            } else if let Err(message) = check_apart(name, &seen) {
                tell(message);
            }
            seen.push(name);
        }
    }

    pub(super) fn item(&self, section: &str, position: usize) -> Option<&Node> {
        self.tree.get(section).and_then(|section| section.items().get(position))
    }
}
