//! What is deliberated, as a scenario's author writes it, and its texts with the parameters filled in.
//!
//! The sections that a config may overrule (`discussion`, `decision`, …) are taken out before: they are merged, not read here.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Deserialize;

use super::decode::decode;
use super::interventions::POLL_PHASES;
use super::mechanism::MechanismConfig;
use super::minds::{self, MindConfig};
use super::names::{check_name, check_word};
use super::parameters::{ParameterConfig, Scalar};
use super::presets::{self, PresetsConfig};
use super::tree::Node;
use super::{Problem, suggest};
use crate::domain::{Alternative, AlternativeName, Motion, PollTime};

/// The sections that may stand in a scenario and in a config.
pub const SHARED_SECTIONS: [&str; 5] = ["discussion", "decision", "straw_polls", "controls", "memory"];
/// The name that the engine gives to the moment outside every phase.
const OUTSIDE: &str = "session";
/// Enough steps for any text, too few to hang.
const TEMPLATE_FUEL: u64 = 100_000;

/// A scenario, checked as far as it can be without a config.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// What was written, for the places of later problems.
    pub tree: Node,
    /// What it says.
    pub written: ScenarioConfig,
    /// What its texts print as `item.text`; `None` in an experiment without items.
    pub item: Option<String>,
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
    /// What follows from a parameter's word: values for other keys.
    #[serde(default)]
    pub presets: PresetsConfig,
    /// What is decided.
    pub motion: MotionConfig,
    /// What may be chosen.
    pub alternatives: Vec<AlternativeConfig>,
    /// The phases in order.
    pub agenda: Vec<PhaseConfig>,
    /// What turns decisions into pay.
    pub mechanism: Option<MechanismConfig>,
    /// The mind of a simulated seat that has none.
    #[serde(rename = "default_mind")]
    pub _default_mind: MindConfig,
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
    /// Whether choosing it means naming an amount, too.
    #[serde(default)]
    pub takes_amount: bool,
}

/// A phase: a name and exactly one of the kinds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseConfig {
    /// Its name.
    pub name: String,
    /// The facilitator says something.
    pub brief: Option<BriefConfig>,
    /// A question to every seat.
    pub ask: Option<AskConfig>,
    /// Talk in rounds.
    pub discussion: Option<EmptyConfig>,
    /// A vote.
    pub ballot: Option<EmptyConfig>,
    /// Pay.
    pub settle: Option<EmptyConfig>,
}

/// What the facilitator says: exactly one of these.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BriefConfig {
    /// The words, a template over `parameters`.
    pub text: Option<String>,
    /// The name of a template in the prompts of each language.
    pub template: Option<String>,
}

/// What every seat is asked: exactly one of these.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
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

/// A kind without settings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmptyConfig {}

impl Scenario {
    /// Reads a scenario from its tree, without the shared sections.
    ///
    /// # Errors
    /// The first mistake.
    pub fn read(mut tree: Node) -> Result<Self, Problem> {
        minds::fill(&mut tree, "default_mind");
        let written: ScenarioConfig = decode(&tree, "")?;
        let scenario = Self { tree, written, item: None };
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
            takes_amount: alternative.takes_amount,
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
        let values = parameters.iter().map(|(name, value)| (name.clone(), value.template_value()));
        let values = minijinja::Value::from_object(values.collect::<BTreeMap<_, _>>());
        // Without items there is an item that has nothing, so that a text can fall back on something else.
        let item = self.item.iter().map(|text| ("text".to_string(), minijinja::Value::from(text.as_str())));
        let item = minijinja::Value::from_object(item.collect::<BTreeMap<_, _>>());
        let known = [("parameters".to_string(), values), ("item".to_string(), item)];
        let context = minijinja::Value::from_object(BTreeMap::from(known));
        let filled = environment.render_str(text.trim_end(), context).map_err(|error| {
            let asks_for_an_item = self.item.is_none() && text.contains("item.");
            let hint = asks_for_an_item.then(|| "the scenario asks about items: give the config `items`".to_string());
            self.tree.problem(path, template_message(&error)).with_hint(hint)
        })?;
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
            if let Some(message) = parameter.mistake(name) {
                return Err(problem(&path, message));
            }
            if let Some(message) = parameter.refuses(&parameter.default) {
                return Err(problem(&format!("{path}.default"), message));
            }
        }
        presets::check(self)?;
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
            if phase.name == OUTSIDE || POLL_PHASES.contains(&phase.name.as_str()) {
                return Err(self.tree.problem(&path, "this name is the engine's own"));
            }
            let kinds = [
                phase.brief.is_some(),
                phase.ask.is_some(),
                phase.discussion.is_some(),
                phase.ballot.is_some(),
                phase.settle.is_some(),
            ];
            if kinds.iter().filter(|given| **given).count() != 1 {
                let message = "a phase is exactly one of brief, ask, discussion, ballot and settle";
                return Err(self.tree.problem(&path, message));
            }
            if phase.brief.as_ref().is_some_and(|brief| brief.text.is_some() == brief.template.is_some()) {
                return Err(self.tree.problem(&format!("{path}.brief"), "a brief is exactly one of text and template"));
            }
            if let Some(ask) = &phase.ask {
                self.check_ask(ask, &format!("{path}.ask"))?;
            }
            let practises = |ask: &AskConfig| ask.comprehension.is_some() || ask.application.is_some();
            let pays = phase.settle.is_some() || phase.ask.as_ref().is_some_and(practises);
            if pays && self.written.mechanism.is_none() {
                return Err(self.tree.problem(&path, "this phase needs a mechanism, and the scenario has none"));
            }
        }
        self.check_settlement()
    }

    fn check_ask(&self, ask: &AskConfig, path: &str) -> Result<(), Problem> {
        let asked = [ask.time.is_some(), ask.ranking.is_some(), ask.comprehension.is_some(), ask.application.is_some()];
        if asked.iter().filter(|given| **given).count() != 1 {
            return Err(self
                .tree
                .problem(path, "an ask is exactly one of time, ranking, comprehension and application"));
        }
        if ask.time == Some(PollTime::EachRound) {
            let message = "a phase polls before or after the talk, not in its rounds";
            return Err(self.tree.problem(&format!("{path}.time"), message));
        }
        Ok(())
    }

    /// Pay comes once, and after all votes.
    fn check_settlement(&self) -> Result<(), Problem> {
        let agenda = &self.written.agenda;
        let Some(first) = agenda.iter().position(|phase| phase.settle.is_some()) else { return Ok(()) };
        for phase in &agenda[first + 1..] {
            let path = format!("agenda.{}", phase.name);
            if phase.settle.is_some() {
                return Err(self.tree.problem(&path, "the decision is paid once"));
            }
            if phase.discussion.is_some() || phase.ballot.is_some() {
                return Err(self.tree.problem(&path, "a decision after it was paid"));
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

fn template_message(error: &minijinja::Error) -> String {
    let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
    format!("the template fails: {}{detail}", error.kind())
}
