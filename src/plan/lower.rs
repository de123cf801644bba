//! Config and scenario → the plan of one arm: ranges and references are checked here, and nowhere below.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use super::config::{Config, ModelConfig, OpenAiConfig};
use super::decode::decode;
use super::design::Arm;
use super::identity::{digest_of, identity};
use super::items::{self, Item};
use super::minds::MindReader;
use super::names::{check_folder_name, check_name};
use super::personas::PersonaFile;
use super::scenario::Scenario;
use super::tree::Node;
use super::{
    ArmPlan, Controls, OpenAiModel, Plan, Pool, Problem, Seat, SeatRole, agenda, decision, interventions, mechanism,
    memory, parameters, personas, seats,
};
use crate::domain::Motion;
use crate::memory::RENDERED_LIMIT_MIN;
use crate::prompt::{Pack, Setting};

/// A longer least length of statements is taken for a slip.
const STATEMENT_MIN_LENGTH_MAX: u64 = 100_000;
/// More calls at once to one model are taken for a slip.
const CONCURRENCY_MAX: u32 = 1_024;
/// The least context window, in tokens: a question and a short reply.
const CONTEXT_WINDOW_MIN: u32 = 256;
/// The greatest seed: every program reads it as the same number.
const SEED_MAX: u64 = (1 << 53) - 1;
/// The most replicates of an arm.
const REPLICATES_MAX: u32 = 1_000_000;
/// The most rounds of a discussion.
const ROUNDS_MAX: u32 = 1_000_000;
/// The least length a memory limit may have: a character and the marker that says the rest was cut.
const LIMIT_MIN: u64 = 4;
/// A question is put three times at the most.
const TRIES_MAX: u8 = 3;

/// What other files hold than the config and the scenario.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a> {
    /// The prompts: template texts by name, for each language; line ends are LF.
    pub prompts: &'a BTreeMap<String, BTreeMap<String, String>>,
    /// The scenario's folder as it is named to the author.
    pub scenario_folder: &'a str,
    /// The files of personas, by the pool's name.
    pub personas: &'a BTreeMap<String, PersonaFile>,
    /// The pools made of them.
    pub pools: &'a [Pool],
    /// The items, by id; empty without.
    pub items: &'a IndexMap<String, Arc<Item>>,
}

/// Makes the plan of one arm, and its identity as dotted keys and value texts.
///
/// # Errors
/// The first mistake.
pub fn lower(
    tree: &Node,
    arm: &Arm,
    scenario: &Scenario,
    files: Files<'_>,
) -> Result<(Plan, BTreeMap<String, String>), Problem> {
    let config: Config = decode(tree, "")?;
    check_numbers(&config, tree)?;
    check_folder_name(&config.experiment).map_err(|message| tree.problem("experiment", message))?;
    scenario.check_parameters(&config.parameters, tree)?;
    let narrowest = items::narrowest(files.items);
    let mut motion = scenario.motion(&config.parameters)?;
    if let Some(item) = narrowest.filter(|item| !item.options.is_empty()) {
        motion.alternatives = item.alternatives();
    }
    let mechanism = mechanism::lower(&config, &motion, scenario, tree)?;
    motion.amount_max = mechanism.as_ref().map(|lowered| mechanism::amount_max(&lowered.income));
    let models = models(&config, tree)?;
    let income = mechanism.as_ref().map(|lowered| &lowered.income);
    let reader = MindReader { motion: &motion, scenario, mechanism: income, tree };
    let seats = seats::lower(&config, &models, files.pools, &reader)?;
    seats::check_roles(&seats, scenario, tree)?;
    personas::check_enough(files.pools, &seats, tree)?;
    let decision = decision::rule(&config, &motion, tree)?;
    let imposed = decision::imposed(&config, &motion, tree)?;
    let parameters = parameters::in_order(&scenario.written.parameters, &config.parameters);
    let templates = templates(&config.language, files.prompts, tree)?;
    let setting = Setting {
        motion: &motion,
        parameters: &parameters,
        procedure: agenda::procedure(&config, scenario, &decision, tree)?,
        mechanism: income.map(AsRef::as_ref),
        needs: &needs(scenario, &motion, &seats),
    };
    let pack = pack(&config, templates, &setting, files.scenario_folder)?;
    let agenda = agenda::lower(&config, scenario, mechanism.as_ref(), (&pack, &motion), tree)?;
    let practice = income.map_or(0, |income| income.applications.len() as u32);
    let interventions = interventions::lower(&config, scenario, &agenda, &seats, practice, tree)?;
    memory::check_room(&config.memory, &agenda, &interventions, practice, tree)?;
    let shared = ArmPlan {
        experiment: config.experiment.clone(),
        arm: arm.name.clone(),
        levels: arm.levels.clone(),
        seed: config.seed,
        pairing: config.design.pairing,
        language: config.language.clone(),
        questions: None,
        seats,
        decision,
        imposed,
        controls: Controls { anonymous: config.controls.anonymous, option_order: config.controls.option_order },
        memory: memory::lower(&config, tree)?,
        interventions,
        mechanism: mechanism.map(|lowered| lowered.income),
        pools: files.pools.to_vec(),
        parameters,
        tries_max: TRIES_MAX,
        prompts: pack,
        models,
    };
    let mut plan = Plan { item: None, digest: digest_of(&BTreeMap::new()), motion, agenda, shared: Arc::new(shared) };
    let generic = ask(&mut plan, &config, scenario, files, tree)?;
    let identity = identity(tree, &generic, scenario, templates, files.personas);
    plan.digest = digest_of(&identity);
    Ok((plan, identity))
}

/// Puts into the plan where its texts print an item's question; returns what of it no item changes.
fn ask(plan: &mut Plan, config: &Config, scenario: &Scenario, files: Files<'_>, tree: &Node) -> Result<Plan, Problem> {
    if let Some(questions) = items::questions(plan, config, scenario, tree)? {
        plan.shared = Arc::new(ArmPlan { questions: Some(questions), ..(*plan.shared).clone() });
    }
    if let Some(longest) = items::longest(files.items) {
        let asked = plan.of_item(longest);
        let practice = asked.mechanism.as_ref().map_or(0, |income| income.applications.len() as u32);
        memory::check_room(&config.memory, &asked.agenda, &asked.interventions, practice, tree)?;
    }
    Ok(plan.of_no_item(files.items))
}

fn pack(
    config: &Config,
    templates: &BTreeMap<String, String>,
    setting: &Setting<'_>,
    folder: &str,
) -> Result<Pack, Problem> {
    Pack::compile(templates, setting).map_err(|error| {
        let file = format!("{folder}/prompts/{}/{}.j2", config.language, error.template);
        Problem {
            line: (error.line > 0).then_some(u32::try_from(error.line).unwrap_or(u32::MAX)),
            column: (error.line > 0).then_some(1),
            ..Problem::of_file(&file, error.reason)
        }
    })
}

/// The templates that a scenario needs beside those of every pack.
fn needs<'a>(scenario: &'a Scenario, motion: &Motion, seats: &[Seat]) -> Vec<&'a str> {
    let mut needs: Vec<&str> = Vec::new();
    for phase in &scenario.written.agenda {
        needs.extend(phase.brief.as_ref().and_then(|brief| brief.template.as_deref()));
        if let Some(ask) = &phase.ask {
            needs.extend(ask.ranking.iter().map(|_| "ranking"));
            needs.extend(ask.comprehension.iter().flat_map(|_| ["comprehension", "test_result"]));
            needs.extend(ask.application.iter().flat_map(|_| ["application", "payment"]));
        }
        needs.extend(phase.settle.iter().map(|_| "settlement"));
    }
    if motion.alternatives.iter().any(|alternative| alternative.takes_amount) {
        needs.push("amount");
    }
    if seats.iter().any(|seat| seat.role == SeatRole::Manipulator) {
        needs.push("manipulation");
    }
    needs.sort_unstable();
    needs.dedup();
    needs
}

fn check_numbers(config: &Config, tree: &Node) -> Result<(), Problem> {
    let within = |path: &str, value: u64, least: u64, greatest: u64| {
        let outside = !(least..=greatest).contains(&value);
        match outside {
            true => Err(tree.problem(path, format!("{value} is outside {least} … {greatest}"))),
            false => Ok(()),
        }
    };
    within("seed", config.seed, 0, SEED_MAX)?;
    within("replicates", config.replicates.into(), 1, REPLICATES_MAX.into())?;
    within("discussion.rounds", config.discussion.rounds.into(), 0, ROUNDS_MAX.into())?;
    let least = config.discussion.statement_min_length;
    within("discussion.statement_min_length", least.into(), 0, STATEMENT_MIN_LENGTH_MAX)?;
    let memory = &config.memory;
    within("memory.statement_max_length", memory.statement_max_length.into(), LIMIT_MIN, u32::MAX.into())?;
    within("memory.reasoning_max_length", memory.reasoning_max_length.into(), LIMIT_MIN, u32::MAX.into())?;
    within("memory.memory_character_limit", memory.memory_character_limit, RENDERED_LIMIT_MIN, SEED_MAX)?;
    within("memory.public_history_max_length", memory.public_history_max_length, RENDERED_LIMIT_MIN, SEED_MAX)
}

fn models(config: &Config, tree: &Node) -> Result<Vec<OpenAiModel>, Problem> {
    let mut models = Vec::new();
    for (name, model) in &config.models {
        let path = format!("models.{name}");
        check_name(name).map_err(|message| tree.problem(&path, message))?;
        if let ModelConfig::Openai(openai) = model {
            check_openai(openai, &format!("{path}.openai"), tree)?;
            models.push(OpenAiModel {
                name: name.clone(),
                base_url: openai.base_url.clone(),
                model: openai.model.clone(),
                temperature: openai.temperature,
                max_tokens: openai.max_tokens,
                answers: openai.answers,
                api_key_env: openai.api_key_env.clone(),
                timeout_s: openai.timeout_s.into(),
                concurrency: usize::try_from(openai.concurrency).unwrap_or(usize::MAX),
                context_window: openai.context_window,
                price: openai.price,
            });
        }
    }
    Ok(models)
}

fn check_openai(openai: &OpenAiConfig, path: &str, tree: &Node) -> Result<(), Problem> {
    let problem = |key: &str, message: &str| Err(tree.problem(&format!("{path}.{key}"), message));
    let is_http = openai.base_url.starts_with("http://") || openai.base_url.starts_with("https://");
    if !is_http {
        return problem("base_url", "a base URL begins with http:// or https://");
    }
    if openai.base_url.contains(['@', '?']) {
        return problem(
            "base_url",
            "a base URL holds no user, password or query: configs are kept in results; name a variable in api_key_env",
        );
    }
    let is_variable = |name: &String| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if openai.api_key_env.as_ref().is_some_and(|name| !is_variable(name)) {
        return problem("api_key_env", "this is the name of an environment variable, never the key itself");
    }
    if openai.model.is_empty() {
        return problem("model", "the model's name is empty");
    }
    if openai.temperature.is_some_and(|temperature| !(0.0..=2.0).contains(&temperature)) {
        return problem("temperature", "a temperature is from 0 to 2");
    }
    for (key, value) in
        [("max_tokens", openai.max_tokens), ("concurrency", openai.concurrency), ("timeout_s", openai.timeout_s)]
    {
        if value == 0 {
            return problem(key, "must be at least 1");
        }
        if key == "concurrency" && value > CONCURRENCY_MAX {
            return problem(key, &format!("{value} is more than {CONCURRENCY_MAX}"));
        }
    }
    if openai.context_window.is_some_and(|window| window < CONTEXT_WINDOW_MIN) {
        return problem("context_window", &format!("must be at least {CONTEXT_WINDOW_MIN}"));
    }
    Ok(())
}

fn templates<'a>(
    language: &str,
    prompts: &'a BTreeMap<String, BTreeMap<String, String>>,
    tree: &Node,
) -> Result<&'a BTreeMap<String, String>, Problem> {
    prompts.get(language).ok_or_else(|| {
        let known: Vec<&str> = prompts.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
        let message = format!("the scenario has no prompts in \"{language}\" (it has: {known})");
        tree.problem("language", message)
    })
}
