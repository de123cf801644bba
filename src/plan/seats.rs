//! Seats: `count` patterns written out, defaults laid under, names and references checked.

use super::config::{Config, DrawTime, ModelConfig, SeatConfig};
use super::minds::{self, MindReader};
use super::names::check_seat_name;
use super::scenario::Scenario;
use super::tree::{Entry, Node, Value};
use super::{OpenAiModel, Origin, Place, Pool, Problem, Seat, SeatRole, Sitter, suggest};
use crate::domain::{Agent, SeatName};

/// More seats than this are taken for a slip.
pub const SEATS_MAX: usize = 100_000;
/// The name pattern of counted seats that do not give one.
pub const COUNTED_NAME: &str = "Member {n}";

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
        let draws = seat.get("personas").is_some();
        for key in ["model", "persona", "mind"] {
            let from = defaults.as_ref().and_then(|defaults| defaults.get(key));
            // A seat that draws its persona needs none of the defaults.
            if let (None, Some(node), false) = (seat.get(key), from, draws && key == "persona") {
                lay_under(seat, key, node.clone());
            }
        }
        let place = Place::file(Origin::Default, "defaults");
        for (key, word, is_used) in [("draw", "per_replicate", draws), ("role", "member", true)] {
            if is_used && seat.get(key).is_none() {
                lay_under(seat, key, Node::text(word, place.clone()));
            }
        }
        let model = seat.get("model").and_then(Node::as_text).unwrap_or_default();
        if seat.get("mind").is_none() && simulated.iter().any(|name| name == model) {
            lay_under(seat, "mind", default_mind.clone());
        }
        minds::fill(seat, "mind");
    }
}

fn lay_under(seat: &mut Node, key: &str, node: Node) {
    seat.put(Entry { key: key.to_string(), place: node.place.clone(), node });
}

/// Makes the plan's seats.
///
/// # Errors
/// The first seat whose name, model or mind is wrong.
pub fn lower(
    config: &Config,
    models: &[OpenAiModel],
    pools: &[Pool],
    reader: &MindReader<'_>,
) -> Result<Vec<Seat>, Problem> {
    let tree = reader.tree;
    if config.seats.is_empty() {
        return Err(tree.problem("seats", "a table has at least one seat"));
    }
    let mut names = std::collections::BTreeSet::new();
    let mut seats = Vec::new();
    for (position, seat) in config.seats.iter().enumerate() {
        let path = format!("seats.{}", seat.name);
        check_seat_name(&seat.name).map_err(|message| tree.problem(&format!("{path}.name"), message))?;
        if !names.insert(&seat.name) {
            let second = tree.get("seats").and_then(|seats| seats.items().get(position));
            let place = second.map_or(&tree.place, |seat| &seat.place);
            return Err(Problem::at(place, path, "an earlier seat has this name"));
        }
        let (model, sitter) = sitter(seat, &path, config, models, reader)?;
        let public_name = match config.controls.anonymous {
            true => format!("Participant {}", position + 1),
            false => seat.name.clone(),
        };
        seats.push(Seat {
            name: SeatName::new(&seat.name),
            agent: Agent { name: seat.name.clone(), public_name, persona: seat.persona.clone() },
            pool: pool(seat, pools, &path, tree)?,
            role: seat.role,
            model,
            sitter,
        });
    }
    Ok(seats)
}

/// The pool that a seat draws its persona from, as a position.
fn pool(seat: &SeatConfig, pools: &[Pool], path: &str, tree: &Node) -> Result<Option<usize>, Problem> {
    let Some(name) = &seat.personas else {
        return match seat.draw {
            Some(DrawTime::PerReplicate) => {
                Err(tree.problem(&format!("{path}.draw"), "the seat names no `personas` to draw from"))
            }
            None => Ok(None),
        };
    };
    if seat.persona.is_some() {
        return Err(tree.problem(&format!("{path}.persona"), "a seat has a `persona`, or draws one from `personas`"));
    }
    let place = pools.iter().position(|pool| &pool.name == name);
    place.map(Some).ok_or_else(|| {
        let problem = tree.problem(&format!("{path}.personas"), format!("no personas are named \"{name}\""));
        problem.with_hint(suggest(name, pools.iter().map(|pool| pool.name.as_str())))
    })
}

/// Checks that a manipulator has rankings to act on, and somebody to act on.
///
/// # Errors
/// The first manipulator that has not.
pub fn check_roles(seats: &[Seat], scenario: &Scenario, tree: &Node) -> Result<(), Problem> {
    let Some(seat) = seats.iter().find(|seat| seat.role == SeatRole::Manipulator) else { return Ok(()) };
    let path = format!("seats.{}.role", seat.name);
    if !seats.iter().any(|seat| seat.role == SeatRole::Member) {
        return Err(tree.problem(&path, "a manipulator needs at least one seat that is a member"));
    }
    let agenda = &scenario.written.agenda;
    let mut before_talk = agenda.iter().take_while(|phase| phase.discussion.is_none());
    if !before_talk.any(|phase| phase.ask.as_ref().is_some_and(|ask| ask.ranking.is_some())) {
        let message =
            "a manipulator pushes what the others rank lowest: the agenda has no ranking before the discussion";
        return Err(tree.problem(&path, message));
    }
    Ok(())
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
