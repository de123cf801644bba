//! Seats: expands `count`, fills in defaults, and checks names and references.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::config::lower::mind_reader::MindReader;
use crate::config::lower::respondent::find_model;
use crate::config::lower::{languages, memory, minds, roles};
use crate::config::problem::{Problem, Problems, SourcePlace, suggest_word};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::{MapEntry, Node, Value};
use crate::config::written::config::{Config, DrawTime, ModelConfig, NamingWord, SeatConfig};
use crate::config::written::limits::{COUNTED_NAME, SEATS_MAX};
use crate::config::written::scenario::AskConfig;
use crate::domain::{Agent, Language, Measure, SeatName};
use crate::memory::MemoryPlan;
use crate::plan::{DeclaredRole, OpenAiModel, Person, Seat, SeatRole, Sitter, check_seat_name};

/// The name that lets seats choose their own, and the value of `naming` for a seat with a name.
const SELF_CHOSEN: &str = "self_chosen";

/// Expands every `{ count, name: "Member {n}", … }` to that many seats; `{n}` counts from 1, on
/// through all seats with the same words around it. If the count or name is invalid, the
/// error is reported, the seat stays single, and the result is broken: the names are unknown.
pub fn write_out(tree: &mut Node, problems: &mut Problems) -> Soundness {
    let Some(Value::List(seats)) = tree.get("seats").map(|seats| seats.value.clone()) else {
        return Soundness::Sound;
    };
    let mut soundness = Soundness::Sound;
    let (mut written, mut counted) = (Vec::new(), BTreeMap::new());
    for (position, mut seat) in seats.into_iter().enumerate() {
        let path = format!("seats.{}", seat.segment(position));
        let is_self_named = seat.text_at("name") == Some(SELF_CHOSEN);
        let Some(count) = seat.remove_key("count") else {
            match is_self_named {
                true => self_named(&seat, 1, &mut written),
                false => written.push(seat),
            }
            continue;
        };
        let number = problems.ok_or_report(number_of(&count.node, written.len(), &path));
        if let (Some(number), true) = (number, is_self_named) {
            self_named(&seat, number, &mut written);
            continue;
        }
        let pattern = problems.ok_or_report(pattern_of(&seat, &path));
        match (number, pattern) {
            (Some(number), Some(pattern)) => {
                let counted = counted.entry(pattern.as_text().unwrap_or_default().to_string()).or_default();
                expand_counted(&seat, (number, counted), &pattern, &mut written);
            }
            _ => {
                soundness = Soundness::Broken;
                written.push(seat);
            }
        }
    }
    if let Some(seats) = tree.child_mut("seats") {
        seats.value = Value::List(written);
    }
    soundness
}

fn number_of(count: &Node, before: usize, path: &str) -> Result<usize, Problem> {
    let path = format!("{path}.count");
    let Value::Int(number @ 1..) = count.value else {
        return Err(Problem::at_place(&count.place, path, "expected a whole number from 1"));
    };
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    match number > SEATS_MAX || before + number > SEATS_MAX {
        true => Err(Problem::at_place(&count.place, path, format!("more than {SEATS_MAX} seats"))),
        false => Ok(number),
    }
}

/// The name pattern of counted seats, which contains `{n}`.
fn pattern_of(seat: &Node, path: &str) -> Result<Node, Problem> {
    let name = seat.get("name").cloned().unwrap_or_else(|| Node::from_text(COUNTED_NAME, seat.place.clone()));
    match name.as_text().is_some_and(|pattern| pattern.contains("{n}")) {
        true => Ok(name),
        false => {
            let message = "the name of counted seats holds {n}, as in \"Member {n}\"";
            Err(Problem::at_place(&name.place, format!("{path}.name"), message))
        }
    }
}

/// Adds seats that choose their own names. Until they do, and always in tables, their names are their positions.
fn self_named(seat: &Node, number: usize, written: &mut Vec<Node>) {
    let place = seat.get("name").map_or_else(|| seat.place.clone(), |name| name.place.clone());
    for _ in 0..number {
        let mut one = seat.clone();
        let name = format!("Seat {}", written.len() + 1);
        for (key, word) in [("name", name.as_str()), ("naming", SELF_CHOSEN)] {
            one.insert_entry(MapEntry::new(key, Node::from_text(word, place.clone())));
        }
        written.push(one);
    }
}

/// Adds counted seats. `counted` is how many have the same words around their numbers.
fn expand_counted(seat: &Node, (number, counted): (usize, &mut usize), name: &Node, written: &mut Vec<Node>) {
    let pattern = name.as_text().unwrap_or_default();
    for _ in 0..number {
        *counted += 1;
        let mut one = seat.clone();
        let name = Node::from_text(&pattern.replace("{n}", &counted.to_string()), name.place.clone());
        one.insert_entry(MapEntry::new("name", name));
        written.push(one);
    }
}

/// Fills in `seat_defaults` for every seat, and the scenario's mind for every simulated seat without one.
pub fn fill_seat_defaults(tree: &mut Node, default_mind: Option<&Node>) {
    let defaults = tree.get("seat_defaults").cloned();
    let simulated = tree.entries_at("models").iter().filter(|model| model.node.get("simulated").is_some());
    let simulated: Vec<String> = simulated.map(|model| model.key.clone()).collect();
    for seat in tree.find_mut("seats").map(Node::items_mut).unwrap_or_default() {
        let draws = seat.get("personas").is_some();
        for key in ["model", "persona", "mind"] {
            let from = defaults.as_ref().and_then(|defaults| defaults.get(key));
            // A seat that draws its persona does not take the default persona.
            if let (None, Some(node), false) = (seat.get(key), from, draws && key == "persona") {
                seat.insert_entry(MapEntry::new(key, node.clone()));
            }
        }
        if draws {
            seat.insert_default("draw", Value::Text("per_replicate".to_string()));
        }
        seat.insert_default("role", Value::Text(roles::MEMBER.to_string()));
        let model = seat.text_at("model").unwrap_or_default();
        if let (None, Some(default), true) =
            (seat.get("mind"), default_mind, simulated.iter().any(|name| name == model))
        {
            seat.insert_entry(MapEntry::new("mind", default.clone()));
        }
        minds::fill_mind_defaults(seat, "mind");
    }
}

/// The context in which seats are lowered.
pub struct SeatContext<'a> {
    /// The models behind servers.
    pub models: &'a [OpenAiModel],
    /// Lowers minds; it also has the config's tree.
    pub reader: &'a MindReader<'a>,
    /// The roles that the scenario declares.
    pub roles: &'a [Arc<DeclaredRole>],
    /// The memory plan of seats without limits of their own; `None` if it has a reported error.
    pub memory: Option<MemoryPlan>,
}

/// Lowers the seats; `None` if one has an invalid name, model or mind.
pub fn lower_seats(config: &Config, table: &SeatContext<'_>, problems: &mut Problems) -> Option<Vec<Seat>> {
    let tree = table.reader.tree;
    if config.seats.is_empty() {
        problems.push(tree.problem("seats", "a table has at least one seat"));
        return None;
    }
    // A default model that seats use is checked with them.
    if let Some(default) = tree.text_at("seat_defaults.model")
        && !config.seats.iter().any(|seat| seat.model.as_deref() == Some(default))
    {
        problems.ok_or_report(find_model(default, "seat_defaults.model", config, tree));
    }
    let mut names = BTreeSet::new();
    let mut misnamed = BTreeSet::new();
    let position_of = |place: &SourcePlace| (place.line, place.column);
    let mut seats = Vec::new();
    // Found by position: a path cannot contain an empty name or one with a dot.
    let nodes = tree.items_at("seats");
    let name_places: Vec<(u32, u32)> =
        nodes.iter().filter_map(|seat| Some(position_of(&seat.get("name")?.place))).collect();
    for (position, seat) in config.seats.iter().enumerate() {
        let path = format!("seats.{}", seat.name);
        // Counted seats share the place of their name, so an error in it is reported once.
        let name_path = format!("{path}.name");
        let written = nodes.get(position).and_then(|seat| seat.get("name"));
        let place = written.map_or_else(|| tree.place_of(&name_path), |name| &name.place);
        if let Err(message) = check_seat_name(&seat.name)
            && misnamed.insert(position_of(place))
        {
            let hint = seat_name_near(&seat.name).map(|name| format!("write {name}"));
            problems.push(Problem::at_place(place, name_path, message).with_hint(hint));
        }
        if !names.insert(&seat.name) {
            let place = &nodes.get(position).unwrap_or(tree).place;
            let first = config.seats.iter().position(|first| first.name == seat.name);
            let first = first.and_then(|first| nodes.get(first)).map_or(0, |first| first.place.line);
            let hint = (first > 0 && first != place.line).then(|| format!("it stands in line {first}"));
            problems.push(Problem::at_place(place, path, "an earlier seat has this name").with_hint(hint));
            // Its path would refer to the earlier seat.
            continue;
        }
        let sitter = lower_sitter(seat, &path, config, table, problems);
        let pool = problems.ok_or_report(find_pool(seat, config, &path, tree));
        let public_name = public_name(config, position, languages::language_of(tree));
        // A name that a seat has by its number alone says nothing beside the one that the others know it by.
        let of_place = |other: &&(u32, u32)| written.is_some_and(|name| position_of(&name.place) == **other);
        let is_counted = name_places.iter().filter(of_place).count() > 1;
        let name = if is_counted { public_name.clone() } else { seat.name.clone() };
        let memory_path = format!("{path}.memory");
        let memory = table.memory.map(|memory| memory::limit_seat(memory, seat.memory.as_ref(), &memory_path, tree));
        let memory = memory.and_then(|memory| problems.ok_or_report(memory));
        let (Some((model, sitter)), Some(pool), Some(memory)) = (sitter, pool, memory) else { continue };
        seats.push(Seat {
            name: SeatName::new(&seat.name),
            is_self_named: seat.naming == Some(NamingWord::SelfChosen),
            agent: Agent { name, public_name, persona: seat.persona.clone() },
            pool,
            role: roles::seat_role(seat, &table.reader.scenario.written.roles),
            part: table.roles.iter().find(|role| role.name == seat.role).cloned(),
            model,
            sitter,
            memory,
            private_reasoning: seat.private_reasoning,
            language: seat.language.clone().filter(|own| *own != config.language),
        });
    }
    (seats.len() == config.seats.len()).then_some(seats)
}

/// How others see the seat at a position, unless it chooses a name.
pub fn public_name(config: &Config, position: usize, language: Language) -> String {
    match (config.controls.anonymous, language) {
        (false, _) => config.seats[position].name.clone(),
        (true, Language::En) => format!("Participant {}", position + 1),
        (true, Language::Es) => format!("Participante {}", position + 1),
        (true, Language::Zh) => format!("参与者{}", position + 1),
    }
}

/// The name without invalid characters; `None` if that is not a valid name, or nothing changes.
fn seat_name_near(name: &str) -> Option<String> {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || "_-'".contains(c) { c } else { ' ' }).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    (plain != name && check_seat_name(&plain).is_ok()).then_some(plain)
}

/// The index of the pool from which a seat draws its persona.
fn find_pool(seat: &SeatConfig, config: &Config, path: &str, tree: &Node) -> Result<Option<usize>, Problem> {
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
    // Pools have the same order in the plan and the config.
    config.personas.get_index_of(name).map(Some).ok_or_else(|| {
        let problem = tree.problem(&format!("{path}.personas"), format!("no personas are named \"{name}\""));
        problem.with_hint(suggest_word(name, config.personas.keys().map(String::as_str)))
    })
}

/// Checks that a manipulator has a member and rankings to act on.
pub fn check_roles(config: &Config, scenario: &Scenario, tree: &Node, problems: &mut Problems) {
    roles::check_seat_roles(config, scenario, tree, problems);
    let is_of = |seat: &&SeatConfig, role| roles::seat_role(seat, &scenario.written.roles) == role;
    let Some(seat) = config.seats.iter().find(|seat| is_of(seat, SeatRole::Manipulator)) else { return };
    let path = roles::manipulator_path(seat, scenario);
    if !config.seats.iter().any(|seat| is_of(&seat, SeatRole::Member)) {
        problems.push(tree.problem(&path, "a manipulator needs at least one seat that is a member"));
        return;
    }
    let agenda = &scenario.written.agenda;
    let mut before_talk = agenda.iter().take_while(|phase| phase.discussion.is_none());
    let ranks = |ask: &AskConfig| {
        let is_measured = ask.fields().iter().any(|field| field.measures == Some(Measure::Ranking));
        is_measured || ask.built_in().is_some_and(|ask| ask.ranking.is_some())
    };
    if !before_talk.any(|phase| phase.ask.as_ref().is_some_and(ranks)) {
        let message =
            "a manipulator pushes what the others rank lowest: the agenda has no ranking before the discussion";
        problems.push(tree.problem(&path, message));
    }
}

fn lower_sitter(
    seat: &SeatConfig,
    path: &str,
    config: &Config,
    table: &SeatContext<'_>,
    problems: &mut Problems,
) -> Option<(String, Sitter)> {
    let reader = table.reader;
    let mind = seat.mind.as_ref().map(|mind| reader.read_mind(mind, &format!("{path}.mind"), problems));
    let Some(model) = &seat.model else {
        let problem = reader.tree.problem(path, "the seat names no model");
        problems.push(problem.with_advice("give it `model`, or give `seat_defaults` one"));
        return None;
    };
    let sitter = match problems.ok_or_report(find_model(model, &format!("{path}.model"), config, reader.tree))? {
        ModelConfig::Simulated(_) => {
            Sitter::Mind(mind.expect("invariant: a simulated seat without a mind was given the scenario's")?)
        }
        _ if mind == Some(None) => return None,
        ModelConfig::Human(human) => Sitter::Person(Person { name: model.clone(), id: human.id.clone() }),
        // An invalid model has been reported.
        ModelConfig::Openai(_) => Sitter::Model(table.models.iter().position(|candidate| &candidate.name == model)?),
    };
    Some((model.clone(), sitter))
}
