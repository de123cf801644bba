//! Everything that was written → the experiment: defaults under scenario under config under command line under arm.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use super::config::Config;
use super::decode::decode;
use super::design::Arm;
use super::lower::{Files, lower};
use super::personas::PersonaFile;
use super::scenario::{SHARED_SECTIONS, Scenario};
use super::tree::{Entry, Node, Value};
use super::{
    Experiment, Problem, Problems, design, identity, interventions, items, minds, personas, presets, primary, print,
    seats,
};
use crate::domain::Digest;

/// What an author who writes nothing gets; YAML.
pub const DEFAULTS: &str = include_str!("defaults.yaml");
/// What a model behind a server gets; YAML.
pub const OPENAI_DEFAULTS: &str = include_str!("openai.yaml");
/// What cannot be changed from the command line or in a fork: the inputs are read before.
const FIXED_BY_THE_CONFIG: [&str; 3] = ["scenario", "about", "personas"];
/// What of the items cannot be changed there either: the number of those that are drawn can.
const ITEMS_SAMPLE: &str = "items.sample";

/// Everything that was written, as trees.
#[derive(Debug, Clone)]
pub struct Sources {
    /// [`DEFAULTS`].
    pub defaults: Node,
    /// [`OPENAI_DEFAULTS`].
    pub openai_defaults: Node,
    /// `scenario.yaml`.
    pub scenario: Node,
    /// The config.
    pub config: Node,
    /// Dotted keys and values from the command line or a fork, in order.
    pub changes: Vec<(String, Node)>,
    /// The prompts: template texts by name, for each language.
    pub prompts: BTreeMap<String, BTreeMap<String, String>>,
    /// The scenario's folder as it is named to the author.
    pub scenario_folder: String,
    /// The files of personas, by the pool's name.
    pub personas: BTreeMap<String, PersonaFile>,
    /// The file of items; `None` where the config names none.
    pub items: Option<PersonaFile>,
}

/// The outcome of resolving.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The arms and their plans.
    pub experiment: Experiment,
    /// The text of `plan.yaml`.
    pub plan_yaml: String,
    /// For each arm its name and the identity of its sessions: dotted keys and value texts.
    pub identities: Vec<(String, BTreeMap<String, String>)>,
    /// The whole design as keys and value texts: arms, replicates, baseline, primary, and what changes no answer.
    pub design: BTreeMap<String, String>,
}

/// Resolves what was written.
///
/// # Errors
/// Every mistake that was found, with its place.
pub fn resolve(sources: Sources) -> Result<Resolved, Problems> {
    let Sources { defaults, openai_defaults, mut scenario, config, changes, prompts, scenario_folder, personas, items } =
        sources;
    let shared: Vec<Entry> = SHARED_SECTIONS.iter().filter_map(|section| scenario.take(section)).collect();
    let mut scenario = Scenario::read(scenario)?;
    let mut tree = merged(defaults, shared, &scenario, config);
    seats::write_out(&mut tree)?;
    for (path, value) in &changes {
        let root = path.split('.').next().unwrap_or_default();
        let of_items = root == "items" && path != ITEMS_SAMPLE;
        if FIXED_BY_THE_CONFIG.contains(&root) || of_items {
            return Err(Problem::at(&value.place, path, "only the config itself can say this").into());
        }
        tree.set(path, value.clone())?;
        seats::write_out(&mut tree)?;
    }
    let filled = filled(&tree, &openai_defaults, &scenario)?;
    let config: Config = decode(&filled, "")?;
    let pools = personas::pools(&config, &personas, &filled)?;
    let items = items::items(&config, items.as_ref(), &scenario, &filled)?;
    scenario.item = items::narrowest(&items).map(|item| item.text.clone());
    let files = Files {
        prompts: &prompts,
        scenario_folder: &scenario_folder,
        personas: &personas,
        pools: &pools,
        items: &items,
    };
    let design = design::design(&filled)?;
    let primary = primary::lower(&config, &design.arms, &scenario, &filled);
    let mut told = Told::default();
    let mut arms = Vec::new();
    let mut identities = Vec::new();
    for mut arm in design.arms {
        let lowered = arm_tree(&tree, &mut arm, &changes)
            .and_then(|tree| self::filled(&tree, &openai_defaults, &scenario))
            .map_err(Problems::from)
            .and_then(|tree| lower(&tree, &arm, &scenario, files).map_err(Problems::from));
        match lowered {
            Ok((plan, identity)) => {
                told.arms += 1;
                identities.push((arm.name.clone(), identity));
                arms.push((arm, Arc::new(plan)));
            }
            Err(problems) => told.add(&arm.name, problems),
        }
    }
    let mut problems = told.problems();
    let primary = primary.unwrap_or_else(|wrong| {
        problems.extend(wrong);
        None
    });
    problems.none()?;
    let plan_yaml = print::plan_yaml(&filled, &arms);
    let experiment = Experiment {
        name: config.experiment.clone(),
        factors: factor_names(&filled),
        replicates: config.replicates,
        items,
        baseline: design.baseline,
        primary,
        arms: arms.into_iter().map(|(_, plan)| plan).collect(),
    };
    let design = identity::design(&filled, &experiment, &identities);
    Ok(Resolved { plan_yaml, experiment, identities, design })
}

impl Resolved {
    /// The digest of the whole design: of all arms' identities, and what is compared with what. How a server is reached and
    /// what the experiment is about are no part of it.
    pub fn design_digest(&self) -> Digest {
        identity::digest_of_design(&self.design)
    }
}

/// The tree of an arm: its levels' values set, and a fork's change over them.
fn arm_tree(tree: &Node, arm: &mut Arm, changes: &[(String, Node)]) -> Result<Node, Problem> {
    changes.iter().try_for_each(|(path, value)| arm.change(path, value))?;
    let mut tree = tree.clone();
    for (path, value) in &arm.values {
        tree.set(path, value.clone())?;
        seats::write_out(&mut tree)?;
    }
    Ok(tree)
}

/// The problems of all arms, each once, with the arms that have it.
#[derive(Debug, Default)]
struct Told {
    arms: usize,
    problems: IndexMap<String, (Problem, Vec<String>)>,
}

impl Told {
    fn add(&mut self, arm: &str, problems: Problems) {
        self.arms += 1;
        for problem in problems.iter() {
            let (_, arms) = self.problems.entry(problem.to_string()).or_insert_with(|| (problem.clone(), Vec::new()));
            arms.push(arm.to_string());
        }
    }

    /// The problems in the order in which they were found. One that not every arm has names those that have it.
    fn problems(self) -> Problems {
        const NAMED: usize = 3;
        let mut problems = Problems::default();
        for (mut problem, arms) in self.problems.into_values() {
            if arms.len() < self.arms {
                let more = arms.len().saturating_sub(NAMED);
                let named = arms[..arms.len() - more].join(", ");
                let arms = match (arms.len(), more) {
                    (1, _) => format!("in the arm {named}"),
                    (_, 0) => format!("in the arms {named}"),
                    _ => format!("in the arms {named} and {more} more"),
                };
                problem.message = format!("{} ({arms})", problem.message);
            }
            problems.push(problem);
        }
        problems
    }
}

/// Lays config over scenario over defaults. The order of the keys is the config's, then the defaults'.
fn merged(defaults: Node, shared: Vec<Entry>, scenario: &Scenario, config: Node) -> Node {
    let mut lower = defaults;
    for section in shared {
        let mut upper = Node::empty_map(section.place.clone());
        upper.put(section);
        lower.overlay(upper);
    }
    let declared = scenario.tree.get("parameters").map(Node::entries).unwrap_or_default();
    for parameter in declared {
        if let Some(default) = parameter.node.get("default") {
            let path = format!("parameters.{}", parameter.key);
            lower.set(&path, default.clone()).expect("invariant: the defaults hold a mapping of parameters");
        }
    }
    let mut order: Vec<String> = config.entries().iter().map(|entry| entry.key.clone()).collect();
    order.extend(lower.entries().iter().map(|entry| entry.key.clone()));
    lower.overlay(config);
    if let Value::Map(entries) = &mut lower.value {
        entries.sort_by_key(|entry| order.iter().position(|key| key == &entry.key));
    }
    lower
}

/// The tree with what follows from its other parts: presets, settings of models, seats' models and minds, the scenario's
/// name and where personas are kept.
fn filled(tree: &Node, openai_defaults: &Node, scenario: &Scenario) -> Result<Node, Problem> {
    let mut tree = tree.clone();
    presets::lay(&mut tree, scenario)?;
    if let Value::Map(entries) = &mut tree.value {
        for entry in entries.iter_mut() {
            match entry.key.as_str() {
                "models" => fill_models(&mut entry.node, openai_defaults),
                "scenario" => entry.node.value = Value::Text(scenario.written.scenario.clone()),
                "personas" => personas::fill(&mut entry.node),
                "items" => items::fill(&mut entry.node),
                "interventions" => interventions::fill(&mut entry.node),
                "seat_defaults" => minds::fill(&mut entry.node, "mind"),
                _ => {}
            }
        }
    }
    let default_mind = scenario.tree.get("default_mind").expect("invariant: a scenario without one is not read");
    seats::fill(&mut tree, default_mind);
    Ok(tree)
}

fn fill_models(models: &mut Node, openai_defaults: &Node) {
    let Value::Map(models) = &mut models.value else { return };
    for model in models {
        if let Some(mut openai) = model.node.take("openai") {
            if matches!(openai.node.value, Value::Map(_)) {
                openai.node.underlay(openai_defaults);
            }
            model.node.put(openai);
        }
    }
}

fn factor_names(tree: &Node) -> Vec<String> {
    let factors = tree.get("design").and_then(|design| design.get("factors"));
    let factors = factors.map(Node::entries).unwrap_or_default();
    factors.iter().map(|factor| factor.key.clone()).collect()
}
