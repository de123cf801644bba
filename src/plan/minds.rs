//! Minds: what an author writes of them, and what it means. Their lines refer to phases and alternatives by name.

use serde::Deserialize;

use super::decimal::parts_per_million;
use super::interventions::POLL_PHASES;
use super::scenario::Scenario;
use super::tree::{Entry, Node, Value};
use super::{Origin, Place, Problem, suggest};
use crate::domain::{AlternativeId, Motion, PhaseName, Step};
use crate::minds::{Line, Mind, Script};

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

/// Gives every `random` mind its `malformed`.
pub fn fill(holder: &mut Node) {
    let Some(mut mind) = holder.take("mind") else { return };
    if let Some(mut random) = mind.node.take("random") {
        if matches!(random.node.value, Value::Map(_)) && random.node.get("malformed").is_none() {
            let place = Place::file(Origin::Default, "defaults");
            let node = Node { value: Value::Int(0), place: place.clone() };
            random.node.put(Entry { key: "malformed".to_string(), place, node });
        }
        mind.node.put(random);
    }
    holder.put(mind);
}

/// Makes minds of what was written, with what their lines refer to.
pub struct MindReader<'a> {
    /// What a line may choose.
    pub motion: &'a Motion,
    /// Whose phases a line may name.
    pub scenario: &'a Scenario,
    /// Where all stands.
    pub tree: &'a Node,
}

/// What a line says, whichever form of script it stands in.
struct Said<'a> {
    statement: Option<&'a String>,
    stance: Option<&'a String>,
    pass: Option<bool>,
    choice: Option<&'a String>,
    raw: Option<&'a String>,
}

impl MindReader<'_> {
    /// Makes a mind of what was written under a path.
    ///
    /// # Errors
    /// The first probability, phase, alternative or line that is wrong.
    pub fn mind(&self, mind: &MindConfig, path: &str) -> Result<Mind, Problem> {
        match mind {
            MindConfig::Random(random) => {
                Ok(Mind::Random { malformed_ppm: self.ppm(random.malformed, &format!("{path}.random.malformed"))? })
            }
            MindConfig::Voter(voter) => {
                Ok(Mind::Voter { copy_ppm: self.ppm(voter.copy, &format!("{path}.voter.copy"))? })
            }
            MindConfig::Scripted(ScriptConfig::List(lines)) => {
                let lines = lines.iter().enumerate();
                let lines = lines.map(|(i, line)| self.line(&line.into(), &format!("{path}.scripted.list.{i}")));
                Ok(Mind::Scripted(Script::List(lines.collect::<Result<_, _>>()?)))
            }
            MindConfig::Scripted(ScriptConfig::Table(lines)) => self.table(lines, &format!("{path}.scripted.table")),
        }
    }

    fn ppm(&self, probability: f64, path: &str) -> Result<u32, Problem> {
        parts_per_million(probability).map_err(|message| self.tree.problem(path, message))
    }

    fn table(&self, lines: &[TableLineConfig], path: &str) -> Result<Mind, Problem> {
        let mut table: Vec<(PhaseName, u32, Step, Line)> = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            let path = format!("{path}.{i}");
            let known = || self.scenario.phase_names().chain(POLL_PHASES);
            if !known().any(|name| name == line.phase) {
                let problem =
                    self.tree.problem(&format!("{path}.phase"), format!("no phase is named \"{}\"", line.phase));
                return Err(problem.with_hint(suggest(&line.phase, known())));
            }
            let phase = PhaseName::new(&line.phase);
            if table.iter().any(|(p, r, s, _)| (p, *r, *s) == (&phase, line.round, line.step)) {
                return Err(self.tree.problem(&path, "an earlier line has the same phase, round and step"));
            }
            table.push((phase, line.round, line.step, self.line(&line.into(), &path)?));
        }
        Ok(Mind::Scripted(Script::Table(table)))
    }

    fn line(&self, said: &Said<'_>, path: &str) -> Result<Line, Problem> {
        let given = [said.statement.is_some(), said.pass.is_some(), said.choice.is_some(), said.raw.is_some()];
        if given.iter().filter(|given| **given).count() != 1 {
            return Err(self.tree.problem(path, "a line is exactly one of statement, pass, choice and raw"));
        }
        if said.stance.is_some() && said.statement.is_none() {
            return Err(self.tree.problem(&format!("{path}.stance"), "only a statement declares a stance"));
        }
        if said.pass == Some(false) {
            return Err(self.tree.problem(&format!("{path}.pass"), "`pass` is true or left out"));
        }
        Ok(match (said.statement, said.choice, said.raw) {
            (Some(text), _, _) => Line::Statement {
                text: text.clone(),
                stance: said.stance.map(|name| self.alternative(name, &format!("{path}.stance"))).transpose()?,
            },
            (None, Some(name), _) => Line::Choice(self.alternative(name, &format!("{path}.choice"))?),
            (None, None, Some(raw)) => Line::Malformed(raw.clone()),
            (None, None, None) => Line::Pass,
        })
    }

    fn alternative(&self, name: &str, path: &str) -> Result<AlternativeId, Problem> {
        self.motion.find(name).ok_or_else(|| {
            let known = self.motion.alternatives.iter().map(|alternative| alternative.name.as_str());
            let problem = self.tree.problem(path, format!("no alternative is named \"{name}\""));
            problem.with_hint(suggest(name, known))
        })
    }
}

impl<'a> From<&'a LineConfig> for Said<'a> {
    fn from(line: &'a LineConfig) -> Self {
        Self {
            statement: line.statement.as_ref(),
            stance: line.stance.as_ref(),
            pass: line.pass,
            choice: line.choice.as_ref(),
            raw: line.raw.as_ref(),
        }
    }
}

impl<'a> From<&'a TableLineConfig> for Said<'a> {
    fn from(line: &'a TableLineConfig) -> Self {
        Self {
            statement: line.statement.as_ref(),
            stance: line.stance.as_ref(),
            pass: line.pass,
            choice: line.choice.as_ref(),
            raw: line.raw.as_ref(),
        }
    }
}
