//! What is deliberated, as a scenario's author writes it, and its texts with the parameters filled in.
//!
//! The sections that a config may overrule (`discussion`, `decision`, …) are taken out before: they are merged, not read here.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Deserialize;

use super::config::{MindConfig, Scalar};
use super::decode::decode;
use super::names::{check_name, check_word};
use super::tree::Node;
use super::{Problem, suggest};
use crate::domain::{Alternative, AlternativeName, Motion, PollTime};

/// The sections that may stand in a scenario and in a config.
pub const SHARED_SECTIONS: [&str; 5] = ["discussion", "decision", "straw_polls", "controls", "memory"];
/// The names that the engine gives to phases itself.
const RESERVED_PHASES: [&str; 3] = ["session", "straw_before", "straw_after"];
/// Enough steps for any text, too few to hang.
const TEMPLATE_FUEL: u64 = 100_000;

/// A scenario, checked as far as it can be without a config.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// What was written, for the places of later problems.
    pub tree: Node,
    /// What it says.
    pub written: ScenarioConfig,
}

/// What a scenario's author writes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioConfig {
    /// The scenario's name.
    pub scenario: String,
    /// One line for readers.
    #[serde(rename = "title")]
    pub _title: String,
    /// The knobs a config may turn.
    #[serde(default)]
    pub parameters: IndexMap<String, ParameterConfig>,
    /// What is decided.
    pub motion: MotionConfig,
    /// What may be chosen.
    pub alternatives: Vec<AlternativeConfig>,
    /// The phases in order.
    pub agenda: Vec<PhaseConfig>,
    /// The mind of a simulated seat that has none.
    #[serde(rename = "default_mind")]
    pub _default_mind: MindConfig,
}

/// A knob.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterConfig {
    /// What kind of value it takes.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// Its value when the config says nothing.
    #[serde(rename = "default")]
    pub _default: Scalar,
    /// The least and the greatest value, for `int`.
    pub range: Option<(i64, i64)>,
    /// The words to choose from, for `choice`.
    pub choices: Option<Vec<String>>,
    /// One line for authors of configs.
    #[serde(rename = "help")]
    pub _help: String,
}

/// What kind of value a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// Any text.
    Text,
    /// A whole number.
    Int,
    /// `true` or `false`.
    Bool,
    /// One of some words.
    Choice,
}

/// What is decided.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionConfig {
    /// The question, a template over `parameters`.
    pub text: String,
}

/// One thing that may be chosen.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlternativeConfig {
    /// The name used in ballots and tables.
    pub name: String,
    /// The words for a seat.
    pub label: String,
    /// Whether it leaves things as they are.
    #[serde(default)]
    pub status_quo: bool,
}

/// A phase: a name and exactly one of the kinds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseConfig {
    /// Its name.
    pub name: String,
    /// The facilitator says something.
    pub brief: Option<BriefConfig>,
    /// A straw poll.
    pub ask: Option<AskConfig>,
    /// Talk in rounds.
    pub discussion: Option<EmptyConfig>,
    /// A vote.
    pub ballot: Option<EmptyConfig>,
}

/// What the facilitator says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BriefConfig {
    /// The words, a template over `parameters`.
    pub text: String,
}

/// A straw poll as a phase of its own.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskConfig {
    /// `before` or `after` the talk.
    pub time: PollTime,
}

/// A kind without settings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmptyConfig {}

impl Scenario {
    /// Reads a scenario from its tree, without the shared sections.
    ///
    /// # Errors
    /// The first mistake.
    pub fn read(tree: Node) -> Result<Self, Problem> {
        let written: ScenarioConfig = decode(&tree, "")?;
        let scenario = Self { tree, written };
        scenario.check()?;
        Ok(scenario)
    }

    /// The phases' names, in order.
    pub fn phase_names(&self) -> impl Iterator<Item = &str> {
        self.written.agenda.iter().map(|phase| phase.name.as_str())
    }

    /// Checks the values of the parameters, which stand in `config` under `parameters`.
    ///
    /// # Errors
    /// A value that the scenario does not declare or allow.
    pub fn check_parameters(&self, values: &IndexMap<String, Scalar>, config: &Node) -> Result<(), Problem> {
        for (name, value) in values {
            let path = format!("parameters.{name}");
            let Some(declared) = self.written.parameters.get(name) else {
                let known = self.written.parameters.keys().map(String::as_str);
                let problem = config.problem(&path, "the scenario declares no such parameter");
                return Err(problem.with_hint(suggest(name, known)));
            };
            if let Some(message) = declared.refuses(value) {
                return Err(config.problem(&path, message));
            }
        }
        Ok(())
    }

    /// The motion with the parameters filled in.
    ///
    /// # Errors
    /// When its text is no template over the parameters, or empty.
    pub fn motion(&self, parameters: &IndexMap<String, Scalar>) -> Result<Motion, Problem> {
        let alternatives = self.written.alternatives.iter().map(|alternative| Alternative {
            name: AlternativeName::new(&alternative.name),
            label: alternative.label.clone(),
            status_quo: alternative.status_quo,
            takes_amount: false,
        });
        Ok(Motion {
            text: self.fill(&self.written.motion.text, "motion.text", parameters)?,
            alternatives: alternatives.collect(),
            amount_max: None,
        })
    }

    /// A text with the parameters filled in.
    ///
    /// # Errors
    /// When it is no template over the parameters, or empty.
    pub fn fill(&self, text: &str, path: &str, parameters: &IndexMap<String, Scalar>) -> Result<String, Problem> {
        let mut environment = minijinja::Environment::new();
        environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
        environment.set_fuel(Some(TEMPLATE_FUEL));
        let values = parameters.iter().map(|(name, value)| (name.clone(), template_value(value)));
        let values = minijinja::Value::from_object(values.collect::<BTreeMap<_, _>>());
        let context = minijinja::Value::from_object(BTreeMap::from([("parameters".to_string(), values)]));
        let filled = environment
            .render_str(text.trim_end(), context)
            .map_err(|error| self.tree.problem(path, template_message(&error)))?;
        if filled.trim().is_empty() {
            return Err(self.tree.problem(path, "the text is empty"));
        }
        Ok(filled)
    }

    fn check(&self) -> Result<(), Problem> {
        let problem = |path: &str, message: String| self.tree.problem(path, message);
        check_word(&self.written.scenario).map_err(|message| problem("scenario", message))?;
        for (name, parameter) in &self.written.parameters {
            let path = format!("parameters.{name}");
            check_word(name).map_err(|message| problem(&path, message))?;
            let wants_choices = parameter.kind == ParameterKind::Choice;
            if wants_choices != parameter.choices.is_some() {
                return Err(problem(&path, "`choices` belongs to the type choice, and only to it".to_string()));
            }
            if parameter.range.is_some() && parameter.kind != ParameterKind::Int {
                return Err(problem(&path, "`range` belongs to the type int".to_string()));
            }
        }
        self.check_alternatives()?;
        self.check_agenda()
    }

    fn check_alternatives(&self) -> Result<(), Problem> {
        let alternatives = &self.written.alternatives;
        if alternatives.len() < 2 {
            return Err(self.tree.problem("alternatives", "a motion has at least two alternatives"));
        }
        if alternatives.iter().filter(|alternative| alternative.status_quo).count() > 1 {
            return Err(self.tree.problem("alternatives", "at most one alternative is the status quo"));
        }
        self.check_names("alternatives", alternatives.iter().map(|alternative| alternative.name.as_str()))
    }

    fn check_agenda(&self) -> Result<(), Problem> {
        self.check_names("agenda", self.phase_names())?;
        if self.written.agenda.is_empty() {
            return Err(self.tree.problem("agenda", "an agenda has at least one phase"));
        }
        for phase in &self.written.agenda {
            let path = format!("agenda.{}", phase.name);
            if RESERVED_PHASES.contains(&phase.name.as_str()) {
                return Err(self.tree.problem(&path, "this name is the engine's own"));
            }
            let kinds =
                [phase.brief.is_some(), phase.ask.is_some(), phase.discussion.is_some(), phase.ballot.is_some()];
            if kinds.iter().filter(|given| **given).count() != 1 {
                let message = "a phase is exactly one of brief, ask, discussion and ballot";
                return Err(self.tree.problem(&path, message));
            }
            if phase.ask.as_ref().is_some_and(|ask| ask.time == PollTime::EachRound) {
                let path = format!("{path}.ask.time");
                return Err(self.tree.problem(&path, "a phase polls before or after the talk, not in its rounds"));
            }
        }
        Ok(())
    }

    fn check_names<'a>(&self, section: &str, names: impl Iterator<Item = &'a str>) -> Result<(), Problem> {
        let mut seen = Vec::new();
        for name in names {
            let path = format!("{section}.{name}.name");
            check_name(name).map_err(|message| self.tree.problem(&path, message))?;
            if seen.contains(&name) {
                return Err(self.tree.problem(section, format!("the name \"{name}\" is given twice")));
            }
            seen.push(name);
        }
        Ok(())
    }
}

impl ParameterConfig {
    /// Why a value is not allowed; `None` when it is.
    fn refuses(&self, value: &Scalar) -> Option<String> {
        match (self.kind, value) {
            (ParameterKind::Text, Scalar::Text(_)) | (ParameterKind::Bool, Scalar::Bool(_)) => None,
            (ParameterKind::Int, Scalar::Int(number)) => {
                let (least, greatest) = self.range?;
                let outside = !(least..=greatest).contains(number);
                outside.then(|| format!("{number} is outside {least} … {greatest}"))
            }
            (ParameterKind::Choice, Scalar::Text(word)) => {
                let choices = self.choices.as_deref().unwrap_or_default();
                let known = choices.iter().any(|choice| choice == word);
                (!known).then(|| format!("\"{word}\" is not one of {}", choices.join(", ")))
            }
            (ParameterKind::Text, _) => Some("expected text".to_string()),
            (ParameterKind::Bool, _) => Some("expected true or false".to_string()),
            (ParameterKind::Int, _) => Some("expected a whole number".to_string()),
            (ParameterKind::Choice, _) => Some("expected one of the words that the scenario lists".to_string()),
        }
    }
}

fn template_value(value: &Scalar) -> minijinja::Value {
    match value {
        Scalar::Bool(truth) => minijinja::Value::from(*truth),
        Scalar::Int(number) => minijinja::Value::from(*number),
        Scalar::Text(text) => minijinja::Value::from(text.as_str()),
    }
}

fn template_message(error: &minijinja::Error) -> String {
    let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
    format!("the template fails: {}{detail}", error.kind())
}
