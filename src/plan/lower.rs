//! Config and scenario → the plan of one arm: ranges and references are checked here, and nowhere below.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use super::config::{Config, MemoryConfig, ModelConfig, OpenAiConfig, Scalar, VoteTime};
use super::decode::decode;
use super::design::Arm;
use super::identity::{digest_of, identity};
use super::names::{check_folder_name, check_name};
use super::scenario::{PhaseConfig, Scenario};
use super::tree::Node;
use super::{Controls, Discussion, OpenAiModel, Phase, PhaseKind, Plan, Problem, RoundVotes, seats};
use crate::choice::DecisionRule;
use crate::domain::{Motion, PhaseName, PollTime, TieBreak};
use crate::memory::{GuidanceStyle, MemoryPlan, MemoryPolicy, RENDERED_LIMIT_MIN, Routing, Strategy};
use crate::prompt::{Pack, Parameter, Procedure, Setting, Votes};

/// A longer least length of statements is taken for a slip.
const STATEMENT_MIN_LENGTH_MAX: u64 = 100_000;
/// More calls at once to one model are taken for a slip.
const CONCURRENCY_MAX: u32 = 1_024;
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

/// The prompts of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct Prompts<'a> {
    /// Template texts by name, for each language; line ends are LF.
    pub by_language: &'a BTreeMap<String, BTreeMap<String, String>>,
    /// The scenario's folder as it is named to the author.
    pub folder: &'a str,
}

/// Makes the plan of one arm, and its identity as dotted keys and value texts.
///
/// # Errors
/// The first mistake.
pub fn lower(
    tree: &Node,
    arm: &Arm,
    scenario: &Scenario,
    prompts: Prompts<'_>,
) -> Result<(Plan, BTreeMap<String, String>), Problem> {
    let config: Config = decode(tree, "")?;
    check_numbers(&config, tree)?;
    check_folder_name(&config.experiment).map_err(|message| tree.problem("experiment", message))?;
    scenario.check_parameters(&config.parameters, tree)?;
    let motion = scenario.motion(&config.parameters)?;
    let models = models(&config, tree)?;
    let seats = seats::lower(&config, &models, &motion, scenario, tree)?;
    check_tie_break(&config, &motion, tree)?;
    let agenda = agenda(&config, scenario, tree)?;
    let templates = templates(&config.language, prompts, tree)?;
    let parameters: Vec<(String, Parameter)> =
        config.parameters.iter().map(|(name, value)| (name.clone(), parameter(value))).collect();
    let setting = Setting {
        motion: &motion,
        parameters: &parameters,
        procedure: procedure(&config, &agenda, seats.len()),
        mechanism: None,
        needs: &[],
    };
    let pack = Pack::compile(templates, &setting).map_err(|error| {
        let file = format!("{}/prompts/{}/{}.j2", prompts.folder, config.language, error.template);
        Problem {
            line: (error.line > 0).then_some(u32::try_from(error.line).unwrap_or(u32::MAX)),
            column: (error.line > 0).then_some(1),
            ..Problem::of_file(&file, error.reason)
        }
    })?;
    let mut plan = Plan {
        experiment: config.experiment.clone(),
        arm: arm.name.clone(),
        levels: arm.levels.clone(),
        digest: digest_of(&BTreeMap::new()),
        seed: config.seed,
        pairing: config.design.pairing,
        language: config.language.clone(),
        motion,
        seats,
        agenda,
        decision: DecisionRule {
            rule: config.decision.rule,
            base: config.decision.of,
            invalid: config.decision.invalid,
            tie_break: config.decision.tie_break,
            threshold: None,
            amount_tolerance: 0,
        },
        controls: Controls { anonymous: config.controls.anonymous, option_order: config.controls.option_order },
        memory: limits(&config.memory),
        imposed: None,
        interventions: Vec::new(),
        mechanism: None,
        pools: Vec::new(),
        parameters: Vec::new(),
        tries_max: TRIES_MAX,
        prompts: pack,
        models,
    };
    let identity = identity(tree, &plan, scenario, templates);
    plan.digest = digest_of(&identity);
    Ok((plan, identity))
}

fn parameter(value: &Scalar) -> Parameter {
    match value {
        Scalar::Bool(truth) => Parameter::Bool(*truth),
        Scalar::Int(number) => Parameter::Int(*number),
        Scalar::Text(text) => Parameter::Text(text.clone()),
    }
}

/// How the group talks and decides, as far as prompts tell it.
fn procedure(config: &Config, agenda: &[Phase], seats: usize) -> Procedure {
    let talks = agenda.iter().filter_map(|phase| match &phase.kind {
        PhaseKind::Discussion(discussion) => Some(discussion),
        _ => None,
    });
    let has_ballot = agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Ballot));
    let in_rounds = talks.clone().map(|talk| talk.votes).find(|votes| *votes != RoundVotes::Never);
    let seats = u32::try_from(seats).unwrap_or(u32::MAX);
    let rule = DecisionRule {
        rule: config.decision.rule,
        base: config.decision.of,
        invalid: config.decision.invalid,
        tie_break: config.decision.tie_break,
    };
    Procedure {
        seats,
        rounds: talks.map(|talk| talk.rounds.get()).max().unwrap_or(0),
        votes: match in_rounds {
            Some(RoundVotes::EveryRound) => Votes::EveryRound,
            Some(RoundVotes::OnCall { rounds_min, .. }) => Votes::OnCall { rounds_min },
            Some(RoundVotes::Never) | None if has_ballot => Votes::AtEnd,
            Some(RoundVotes::Never) | None => Votes::Never,
        },
        rule: rule.rule,
        ballots_needed: rule.threshold(seats),
        tolerance: 0,
    }
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
    within("memory.memory_character_limit", memory.memory_character_limit, RENDERED_LIMIT_MIN, SEED_MAX)?;
    within("memory.public_history_max_length", memory.public_history_max_length, RENDERED_LIMIT_MIN, SEED_MAX)
}

fn limits(memory: &MemoryConfig) -> MemoryPlan {
    let (direct, integrated) = (Strategy::Direct, Strategy::Integrated);
    MemoryPlan {
        policy: MemoryPolicy::Selective,
        guidance_style: GuidanceStyle::Narrative,
        reasoning_max_length: 200,
        compression_threshold_ppm: 800_000,
        compression_target_ppm: 600_000,
        routing: Routing {
            statement: direct,
            own_reasoning: direct,
            vote_called: direct,
            vote_answered: direct,
            own_ballot: direct,
            tally_open: direct,
            tally_decided: integrated,
            results: integrated,
            instruction: direct,
            own_ranking: integrated,
            own_application: integrated,
        },
        statement_max_length: memory.statement_max_length,
        enable_truncation: memory.enable_truncation,
        memory_character_limit: memory.memory_character_limit,
        public_history_max_length: memory.public_history_max_length,
    }
}

fn check_tie_break(config: &Config, motion: &Motion, tree: &Node) -> Result<(), Problem> {
    let has_status_quo = motion.alternatives.iter().any(|alternative| alternative.status_quo);
    if config.decision.tie_break == TieBreak::StatusQuo && !has_status_quo {
        return Err(tree.problem("decision.tie_break", "the scenario has no status quo alternative"));
    }
    Ok(())
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
                context_window: None,
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
    Ok(())
}

fn templates<'a>(language: &str, prompts: Prompts<'a>, tree: &Node) -> Result<&'a BTreeMap<String, String>, Problem> {
    prompts.by_language.get(language).ok_or_else(|| {
        let known: Vec<&str> = prompts.by_language.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
        let message = format!("the scenario has no prompts in \"{language}\" (it has: {known})");
        tree.problem("language", message)
    })
}

/// The phases: the scenario's agenda with straw polls around the first discussion, without what the config leaves out.
fn agenda(config: &Config, scenario: &Scenario, tree: &Node) -> Result<Vec<Phase>, Problem> {
    let written = &scenario.written.agenda;
    let talk = written.iter().position(|phase| phase.discussion.is_some());
    let polls = &config.straw_polls;
    if let Some(twice) = (1..polls.len()).find(|i| polls[..*i].contains(&polls[*i])) {
        return Err(tree.problem(&format!("straw_polls.{twice}"), "this poll is listed twice"));
    }
    if !polls.is_empty() && talk.is_none() {
        return Err(tree.problem("straw_polls", "the scenario has no discussion to put polls around"));
    }
    let votes_in_rounds = config.discussion.vote == VoteTime::EveryRound;
    if votes_in_rounds && (talk.is_none() || config.discussion.rounds == 0) {
        return Err(tree.problem("discussion.vote", "a vote in every round needs at least one round"));
    }
    let mut agenda = Vec::new();
    for (position, phase) in written.iter().enumerate() {
        let is_first_talk = talk == Some(position);
        if is_first_talk && polls.contains(&PollTime::Before) {
            agenda.push(poll("straw_before", PollTime::Before));
        }
        if let Some(kind) = phase_kind(phase, config, scenario)? {
            let name = PhaseName::new(&phase.name);
            agenda.push(Phase { name, kind });
        }
        if is_first_talk && polls.contains(&PollTime::After) {
            agenda.push(poll("straw_after", PollTime::After));
        }
    }
    Ok(agenda)
}

fn poll(name: &str, time: PollTime) -> Phase {
    Phase { name: PhaseName::new(name), kind: PhaseKind::Ask { time } }
}

fn phase_kind(phase: &PhaseConfig, config: &Config, scenario: &Scenario) -> Result<Option<PhaseKind>, Problem> {
    let votes_in_rounds = config.discussion.vote == VoteTime::EveryRound;
    if let Some(brief) = &phase.brief {
        let path = format!("agenda.{}.brief.text", phase.name);
        let text = scenario.fill(&brief.text, &path, &config.parameters)?;
        return Ok(Some(PhaseKind::Brief { text }));
    }
    if let Some(ask) = &phase.ask {
        return Ok(Some(PhaseKind::Ask { time: ask.time }));
    }
    if phase.ballot.is_some() {
        return Ok((!votes_in_rounds).then_some(PhaseKind::Ballot));
    }
    let rounds = NonZeroU32::new(config.discussion.rounds);
    Ok(rounds.map(|rounds| {
        PhaseKind::Discussion(Discussion {
            rounds,
            order: config.discussion.order,
            statement_min_length: config.discussion.statement_min_length,
            poll_each_round: config.straw_polls.contains(&PollTime::EachRound),
            private_reasoning: false,
            votes: if votes_in_rounds { RoundVotes::EveryRound } else { RoundVotes::Never },
        })
    }))
}
