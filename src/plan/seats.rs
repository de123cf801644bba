//! Seats: `count` patterns written out, defaults laid under, names and references checked, minds made.

use super::config::{Config, LineConfig, MindConfig, ModelConfig, ScriptConfig, SeatConfig, TableLineConfig};
use super::names::check_seat_name;
use super::probability::parts_per_million;
use super::scenario::Scenario;
use super::tree::{Entry, Node, Value};
use super::{OpenAiModel, Origin, Place, Problem, Seat, Sitter, suggest};
use crate::domain::{Agent, AlternativeId, Motion, PhaseName, SeatName};
use crate::minds::{Line, Mind, Script};

/// More seats than this are taken for a slip.
const SEATS_MAX: usize = 100_000;
/// The name pattern of counted seats that do not give one.
const COUNTED_NAME: &str = "Member {n}";

/// Writes out every `{ count, name: "Member {n}", … }` as that many seats; `{n}` counts from 1.
///
/// # Errors
/// When a count is no whole number in range, or its name has no `{n}`.
pub fn write_out(tree: &mut Node) -> Result<(), Problem> {
    let Some(Value::List(seats)) = tree.get("seats").map(|seats| seats.value.clone()) else {
        return Ok(());
    };
    let mut written = Vec::new();
    for (position, seat) in seats.into_iter().enumerate() {
        let path = format!("seats.{}", seat.segment(position));
        let Some(count) = seat.get("count") else {
            written.push(seat);
            continue;
        };
        let Value::Int(number @ 1..) = count.value else {
            return Err(Problem::at(&count.place, format!("{path}.count"), "expected a whole number from 1"));
        };
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        if number > SEATS_MAX || written.len() + number > SEATS_MAX {
            return Err(Problem::at(&count.place, format!("{path}.count"), format!("more than {SEATS_MAX} seats")));
        }
        counted(seat, number, &path, &mut written)?;
    }
    if let Some(seats) = tree.child_mut("seats") {
        seats.value = Value::List(written);
    }
    Ok(())
}

fn counted(mut seat: Node, number: usize, path: &str, written: &mut Vec<Node>) -> Result<(), Problem> {
    seat.take("count");
    let name = seat.get("name").cloned().unwrap_or_else(|| Node::text(COUNTED_NAME, seat.place.clone()));
    let pattern = name.as_text().filter(|pattern| pattern.contains("{n}"));
    let pattern = pattern.ok_or_else(|| {
        Problem::at(&name.place, format!("{path}.name"), "the name of counted seats holds {n}, as in \"Member {n}\"")
    })?;
    for n in 1..=number {
        let mut one = seat.clone();
        one.put(Entry {
            key: "name".to_string(),
            place: name.place.clone(),
            node: Node::text(&pattern.replace("{n}", &n.to_string()), name.place.clone()),
        });
        written.push(one);
    }
    Ok(())
}

/// Lays `seat_defaults` under every seat, and the scenario's mind under every simulated seat that has none.
pub fn fill(tree: &mut Node, default_mind: &Node) {
    let defaults = tree.get("seat_defaults").cloned();
    let simulated: Vec<String> = tree
        .get("models")
        .map(Node::entries)
        .unwrap_or_default()
        .iter()
        .filter(|model| model.node.get("simulated").is_some())
        .map(|model| model.key.clone())
        .collect();
    let Some(Value::List(seats)) = tree.child_mut("seats").map(|seats| &mut seats.value) else {
        return;
    };
    for seat in seats {
        for key in ["model", "persona", "mind"] {
            let from = defaults.as_ref().and_then(|defaults| defaults.get(key));
            if let (None, Some(node)) = (seat.get(key), from) {
                lay_under(seat, key, node.clone());
            }
        }
        let model = seat.get("model").and_then(Node::as_text).unwrap_or_default();
        if seat.get("mind").is_none() && simulated.iter().any(|name| name == model) {
            lay_under(seat, "mind", default_mind.clone());
        }
        fill_mind(seat);
    }
}

fn lay_under(seat: &mut Node, key: &str, node: Node) {
    seat.put(Entry { key: key.to_string(), place: node.place.clone(), node });
}

/// Gives every `random` mind its `malformed`.
pub fn fill_mind(holder: &mut Node) {
    let Some(mut mind) = holder.take("mind") else { return };
    if let Some(mut random) = mind.node.take("random") {
        if matches!(random.node.value, Value::Map(_)) && random.node.get("malformed").is_none() {
            let place = Place::file(Origin::Default, "defaults");
            lay_under(&mut random.node, "malformed", Node { value: Value::Int(0), place });
        }
        mind.node.put(random);
    }
    holder.put(mind);
}

/// Makes the plan's seats.
///
/// # Errors
/// The first seat whose name, model or mind is wrong.
pub fn lower(
    config: &Config,
    models: &[OpenAiModel],
    motion: &Motion,
    scenario: &Scenario,
    tree: &Node,
) -> Result<Vec<Seat>, Problem> {
    if config.seats.is_empty() {
        return Err(tree.problem("seats", "a table has at least one seat"));
    }
    let mut names = std::collections::BTreeSet::new();
    let mut seats = Vec::new();
    for (position, seat) in config.seats.iter().enumerate() {
        let path = format!("seats.{}", seat.name);
        let reader = MindReader { motion, scenario, tree };
        check_seat_name(&seat.name).map_err(|message| tree.problem(&format!("{path}.name"), message))?;
        if !names.insert(&seat.name) {
            let second = tree.get("seats").and_then(|seats| seats.items().get(position));
            let place = second.map_or(&tree.place, |seat| &seat.place);
            return Err(Problem::at(place, path, "an earlier seat has this name"));
        }
        let (model, sitter) = sitter(seat, &path, config, models, &reader)?;
        let public_name = match config.controls.anonymous {
            true => format!("Participant {}", position + 1),
            false => seat.name.clone(),
        };
        seats.push(Seat {
            name: SeatName::new(&seat.name),
            agent: Agent { name: seat.name.clone(), public_name, persona: seat.persona.clone() },
            pool: None,
            role: super::SeatRole::Member,
            model,
            sitter,
        });
    }
    Ok(seats)
}

fn sitter(
    seat: &SeatConfig,
    path: &str,
    config: &Config,
    models: &[OpenAiModel],
    reader: &MindReader<'_>,
) -> Result<(String, Sitter), Problem> {
    let known = || config.models.keys().map(String::as_str);
    let Some(model) = &seat.model else {
        let problem = reader.tree.problem(path, "the seat names no model");
        return Err(problem.with_hint(Some("give it `model`, or give `seat_defaults` one".to_string())));
    };
    let mind = seat.mind.as_ref().map(|mind| reader.mind(mind, &format!("{path}.mind"))).transpose()?;
    let sitter = match config.models.get(model) {
        None => {
            let problem = reader.tree.problem(&format!("{path}.model"), format!("no model is named \"{model}\""));
            return Err(problem.with_hint(suggest(model, known())));
        }
        Some(ModelConfig::Simulated(_)) => {
            Sitter::Mind(mind.expect("invariant: a simulated seat without a mind was given the scenario's"))
        }
        Some(ModelConfig::Openai(_)) => {
            let place = models.iter().position(|candidate| &candidate.name == model);
            Sitter::Model(place.expect("invariant: every model of the config that is not simulated was lowered"))
        }
    };
    Ok((model.clone(), sitter))
}

/// Makes minds of what was written, with what their lines refer to.
struct MindReader<'a> {
    motion: &'a Motion,
    scenario: &'a Scenario,
    tree: &'a Node,
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
    fn mind(&self, mind: &MindConfig, path: &str) -> Result<Mind, Problem> {
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
        let mut table: Vec<(PhaseName, u32, crate::domain::Step, Line)> = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            let path = format!("{path}.{i}");
            let known = || self.scenario.phase_names().chain(["straw_before", "straw_after"]);
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
                stance: said
                    .stance
                    .map(|name| self.alternative(name, &format!("{path}.stance")))
                    .transpose()?
                    .map(Into::into),
            },
            (None, Some(name), _) => Line::Choice(self.alternative(name, &format!("{path}.choice"))?.into()),
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
