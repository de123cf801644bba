//! Converts agents and the manipulator to models and seats.

use std::collections::BTreeSet;

use super::digest_number;
use super::reading::{Ledger, RawlsSection, RawlsValue, Sourced, read_truth, read_whole_number};
use super::writing::{YamlDraft, decimal_text, plain_name, quote_yaml, seat_name};
use crate::config::{Problem, Value, suggest_word};
use crate::plan::Server;

const OPENROUTER: (&str, Option<&str>) = ("https://openrouter.ai/api/v1", Some("OPENROUTER_API_KEY"));
const OPENAI: (&str, Option<&str>) = ("https://api.openai.com/v1", Some("OPENAI_API_KEY"));
const GOOGLE: (&str, Option<&str>) =
    ("https://generativelanguage.googleapis.com/v1beta/openai", Some("GEMINI_API_KEY"));
const OLLAMA: (&str, Option<&str>) = ("http://127.0.0.1:11434/v1", None);

/// The manipulator's target that ours shares: the principle that the others rank lowest.
const LEAST_POPULAR: &str = "least_popular_after_round1";
/// The principles in the order of our scenario, which breaks ties.
const OUR_ORDER: [&str; 4] = [
    "maximizing_floor",
    "maximizing_average",
    "maximizing_average_floor_constraint",
    "maximizing_average_range_constraint",
];

/// The smallest limit of a memory and of the public history that this program accepts, in characters.
pub const MEMORY_MIN: i64 = crate::memory::RENDERED_LIMIT_MIN as i64;

/// The seats and their models.
pub struct People {
    models: Vec<RawlsModel>,
    seats: Vec<RawlsSeat>,
    /// Whether most seats reason before they speak.
    pub reasoning: Sourced<bool>,
    /// The memory limit of most seats, in characters.
    pub memory: Sourced<i64>,
}

struct RawlsSeat {
    name: Sourced<String>,
    persona: Sourced<String>,
    model: String,
    role: Option<Sourced<&'static str>>,
    /// These are set if the seat differs from most.
    own_memory: Option<Sourced<i64>>,
    own_reasoning: Option<Sourced<bool>>,
    own_language: Option<Sourced<&'static str>>,
}

struct RawlsModel {
    name: String,
    asked: Sourced<String>,
    temperature: Sourced<f64>,
    base_url: &'static str,
    key: Option<&'static str>,
    at_server: String,
}

struct RawlsAgent<'a> {
    section: RawlsSection<'a>,
    name: RawlsValue<'a>,
    seat: RawlsSeat,
    asked: Sourced<String>,
    temperature: Sourced<f64>,
    memory: Sourced<i64>,
    reasoning: Sourced<bool>,
}

/// Reads `agents` and `manipulator`. If an agent has a list of models, the seed determines which one is drawn for it.
///
/// # Errors
/// The first error.
pub fn read_people(file: &RawlsSection<'_>, seed: i64, ledger: &mut Ledger) -> Result<People, Problem> {
    let given = file.get_required("agents")?;
    let sections = given.to_sections()?;
    if sections.len() < 2 {
        return Err(given.problem("expected a list of at least two agents"));
    }
    let mut agents = Vec::new();
    for section in sections {
        agents.push(read_agent(section, seed, ledger)?);
    }
    check_names(&agents)?;
    let memory = most_common(&agents, |agent| agent.memory.clone());
    let reasoning = most_common(&agents, |agent| agent.reasoning.clone());
    read_manipulator(file, &mut agents, ledger)?;
    let mut models = Vec::new();
    let mut seats = Vec::new();
    for agent in agents {
        let model = assign_model(&agent, &mut models, ledger)?;
        let own_memory = Some(agent.memory).filter(|own| own.value != memory.value);
        let own_reasoning = Some(agent.reasoning).filter(|own| own.value != reasoning.value);
        seats.push(RawlsSeat { model, own_memory, own_reasoning, ..agent.seat });
    }
    Ok(People { models, seats, reasoning, memory })
}

fn read_agent<'a>(section: RawlsSection<'a>, seed: i64, ledger: &mut Ledger) -> Result<RawlsAgent<'a>, Problem> {
    let name = section.get_required("name")?;
    let persona = section.get_required("personality")?;
    let seat = RawlsSeat {
        name: ledger.account_used(&name, seat_name(name.as_text()?)),
        persona: ledger.account_used(&persona, persona.as_text()?.to_string()),
        model: String::new(),
        role: None,
        own_memory: None,
        own_reasoning: None,
        own_language: None,
    };
    if seat.name.value != name.as_text()? {
        let reason =
            format!("the seat is {:?}: names of seats hold letters, digits, spaces, `_`, `-`, `'`", seat.name.value);
        ledger.in_part(&name, reason);
    }
    let asked = match section.get("model", ledger) {
        Some(given) => draw_model(&given, &seat.name.value, seed, ledger)?,
        None => Sourced::default_of("o3-mini".to_string()),
    };
    let temperature = match section.get("temperature", ledger) {
        Some(given) => ledger.account_used(&given, given.as_number(0.0, 2.0)?),
        None => Sourced::default_of(0.7),
    };
    let memory = read_whole_number(Some(&section), "memory_character_limit", MEMORY_MIN, i64::MAX, ledger)?
        .unwrap_or(Sourced::default_of(50_000));
    let reasoning = read_truth(Some(&section), "reasoning_enabled", ledger)?.unwrap_or(Sourced::default_of(true));
    Ok(RawlsAgent { section, name, seat, asked, temperature, memory, reasoning })
}

/// An agent's model. The framework draws one from a list when it generates a file; here, the file's seed and the seat's name
/// determine the draw. A model that is listed twice has twice the chance.
fn draw_model(given: &RawlsValue<'_>, seat: &str, seed: i64, ledger: &mut Ledger) -> Result<Sourced<String>, Problem> {
    if !matches!(given.node.value, Value::List(_)) {
        return Ok(ledger.account_used(given, given.as_text()?.to_string()));
    }
    let models = given.to_texts()?;
    if models.is_empty() {
        return Err(given.problem("the list of models is empty"));
    }
    let number = digest_number(&format!("{seed} {seat}"), 12);
    let drawn = models[(number % models.len() as u64) as usize];
    let reason = format!(
        "{drawn:?} was drawn from the list by the file's seed and the seat's name; for one arm per model, make \
         `seat_defaults.model` a factor"
    );
    ledger.in_part(given, reason);
    Ok(ledger.account_used(given, drawn.to_string()))
}

fn check_names(agents: &[RawlsAgent<'_>]) -> Result<(), Problem> {
    let mut names = BTreeSet::new();
    for agent in agents {
        if !names.insert(&agent.seat.name.value) {
            let message = format!("an earlier agent has the name {:?}", agent.seat.name.value);
            return Err(agent.name.problem(message));
        }
    }
    Ok(())
}

/// The most common value, or the first of several. It applies to all seats; the other seats override it.
fn most_common<T: Copy + PartialEq>(
    agents: &[RawlsAgent<'_>],
    value_of: impl Fn(&RawlsAgent<'_>) -> Sourced<T>,
) -> Sourced<T> {
    let values: Vec<Sourced<T>> = agents.iter().map(value_of).collect();
    let count_equal = |value: &T| values.iter().filter(|other| other.value == *value).count();
    let most = values.iter().map(|value| count_equal(&value.value)).max().unwrap_or_default();
    let common = values.iter().find(|value| count_equal(&value.value) == most);
    let common = common.expect("invariant: a file has at least two agents").value;
    let from = values.iter().filter(|value| value.value == common).flat_map(|value| value.from.clone()).collect();
    Sourced { value: common, from }
}

/// Gives the manipulator its role. Apart from the target and the order of ties, its settings have no counterpart.
fn read_manipulator(
    file: &RawlsSection<'_>,
    agents: &mut [RawlsAgent<'_>],
    ledger: &mut Ledger,
) -> Result<(), Problem> {
    let Some(section) = file.section("manipulator", ledger)? else { return Ok(()) };
    let enabled = section.get("enabled", ledger);
    let is_off = match &enabled {
        Some(given) => !given.as_truth()?,
        None => false,
    };
    let Some(name) = section.get("name", ledger).filter(|_| !is_off) else {
        let reason = if is_off { "the manipulator is switched off" } else { "the manipulator has no name" };
        section.values().for_each(|given| ledger.not_carried_yet(&given, reason));
        return Ok(());
    };
    let text = name.as_text()?;
    let known: Vec<String> = agents.iter().filter_map(|agent| agent.name.as_text().ok().map(str::to_string)).collect();
    let Some(position) = known.iter().position(|known| known == text) else {
        let hint = suggest_word(text, known.iter().map(String::as_str));
        return Err(name.problem(format!("no agent is named {text:?}")).with_hint(hint));
    };
    agents[position].seat.role = Some(ledger.account_used(&name, "manipulator"));
    if let Some(given) = enabled {
        ledger.account_same(&given, "a seat with the role is a manipulator");
    }
    read_target(&section, ledger)?;
    for given in section.values() {
        ledger.not_carried_yet(&given, "the role `manipulator` has no such setting");
    }
    Ok(())
}

fn read_target(section: &RawlsSection<'_>, ledger: &mut Ledger) -> Result<(), Problem> {
    match section.get("target_strategy", ledger) {
        Some(given) if given.as_text()? == LEAST_POPULAR => {
            ledger.account_same(&given, "the role `manipulator` pushes what the others rank lowest, by Borda's count");
        }
        Some(given) => ledger.not_carried(&given, "the role `manipulator` pushes what the others rank lowest"),
        None => ledger.add_own_default(
            "seats.*.role",
            "the file names no target; a manipulator pushes what the others rank lowest",
        ),
    }
    let Some(given) = section.get("tiebreak_order", ledger) else { return Ok(()) };
    match given.to_texts()? == OUR_ORDER {
        true => ledger.account_same(&given, "ties go by the scenario's order, which is this one"),
        false => {
            ledger.not_carried(&given, "ties go by the scenario's order: floor, average, average_floor, average_range")
        }
    }
    Ok(())
}

/// The name of an agent's model. Agents with equal models and temperatures share one.
fn assign_model(agent: &RawlsAgent<'_>, models: &mut Vec<RawlsModel>, ledger: &mut Ledger) -> Result<String, Problem> {
    let same = |model: &&mut RawlsModel| {
        model.asked.value == agent.asked.value && model.temperature.value == agent.temperature.value
    };
    if let Some(model) = models.iter_mut().find(same) {
        model.asked.from.extend(agent.asked.from.clone());
        model.temperature.from.extend(agent.temperature.from.clone());
        return Ok(model.name.clone());
    }
    let (base_url, key, at_server) = find_route(agent, ledger)?;
    let plain = model_name(&at_server);
    let warm = format!("{plain}-t{}", agent.temperature.value.to_string().replace('.', "-"));
    let numbered = (2..).map(|n| format!("{warm}-{n}"));
    let mut free = [plain.clone(), warm.clone()].into_iter().chain(numbered);
    let name = free.find(|name| models.iter().all(|model| &model.name != name));
    let name = name.expect("invariant: there are more numbers than models");
    let (asked, temperature) = (agent.asked.clone(), agent.temperature.clone());
    models.push(RawlsModel { name: name.clone(), asked, temperature, base_url, key, at_server });
    Ok(name)
}

/// A model's name here: the last part of its name at the server, as a key that YAML reads as text.
fn model_name(at_server: &str) -> String {
    let plain = plain_name(at_server.rsplit('/').next().unwrap_or(at_server), "model");
    let is_text = plain.starts_with(|c: char| c.is_ascii_alphabetic())
        && !["true", "false", "null"].contains(&plain.to_lowercase().as_str());
    if is_text { plain } else { format!("model-{plain}") }
}

type Route = (&'static str, Option<&'static str>, String);

/// Where the framework sends requests for a model of this name: URL, key variable, and model name.
fn find_route(agent: &RawlsAgent<'_>, ledger: &mut Ledger) -> Result<Route, Problem> {
    let asked = agent.asked.value.as_str();
    let lower = asked.to_lowercase();
    let (to, at_server) = match asked.split_once('/') {
        Some((_, rest)) if lower.starts_with("ollama/") => (OLLAMA, rest.trim().to_string()),
        Some(_) => (OPENROUTER, asked.to_string()),
        None if lower.starts_with("gemma") => (OPENROUTER, format!("google/{asked}")),
        None if lower.starts_with("gemini") => (GOOGLE, asked.to_string()),
        None => (OPENAI, asked.to_string()),
    };
    if at_server.trim().is_empty() {
        return Err(agent.name.problem("the agent's model has no name"));
    }
    let mut tell = |reason: &str| ledger.in_part_or_default(&agent.section, "model", asked.into(), reason);
    if to == OPENROUTER && lower.contains("gemini") && asked.contains('/') {
        tell("asked of OpenRouter, as its `/` says; late versions of the framework ask Google for every gemini model");
    }
    if to == OPENAI && !["gpt", "o1", "o3"].iter().any(|known| lower.starts_with(known)) {
        tell("the framework knows no provider for this name; it is taken for one of OpenAI's");
    }
    if to == OPENAI && ["gpt-5", "o1", "o3"].iter().any(|known| lower.starts_with(known)) {
        tell(
            "the framework tries whether the model takes a temperature; it is left out here where it is known to be refused",
        );
    }
    Ok((to.0, to.1, at_server))
}

impl People {
    /// Removes the seats' own settings for reasoning, because the discussion has none.
    pub fn silence_reasoning(&mut self) {
        self.seats.iter_mut().for_each(|seat| seat.own_reasoning = None);
    }

    /// Sets the language of an agent that differs from the session's.
    pub fn set_language(&mut self, place: usize, language: Sourced<&'static str>) {
        self.seats[place].own_language = Some(language);
    }

    /// Writes `models` and `seats`.
    pub fn write(&self, draft: &mut YamlDraft) {
        draft.open_section(0, "models");
        for model in &self.models {
            draft.open_section(1, &model.name);
            draft.open_section(2, "openai");
            draft.write_line(
                3,
                "base_url",
                &quote_yaml(model.base_url),
                "# where the framework asks for a model of this name",
            );
            draft.write_line(3, "model", &quote_yaml(&model.at_server), &model.asked.origin());
            if Server::takes_temperature(model.base_url, &model.at_server) {
                draft.write_line(3, "temperature", &decimal_text(model.temperature.value), &model.temperature.origin());
            }
            if let Some(key) = model.key {
                draft.write_line(3, "api_key_env", key, "");
            }
        }
        draft.open_section(0, "seats");
        for seat in &self.seats {
            draft.write_line(1, "- name", &quote_yaml(&seat.name.value), &seat.name.origin());
            draft.write_line(2, "persona", &quote_yaml(&seat.persona.value), &seat.persona.origin());
            draft.write_line(2, "model", &seat.model, "");
            if let Some(role) = &seat.role {
                draft.write_sourced(2, "role", role);
            }
            if let Some(language) = &seat.own_language {
                draft.write_sourced(2, "language", language);
            }
            if let Some(reasoning) = &seat.own_reasoning {
                draft.write_sourced(2, "private_reasoning", reasoning);
            }
            if let Some(limit) = &seat.own_memory {
                draft.open_section(2, "memory");
                draft.write_sourced(3, "memory_character_limit", limit);
            }
        }
    }
}
