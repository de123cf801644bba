//! Resolves all sources to an experiment. The layers, from lowest to highest: defaults, scenario, config, command line, arm.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::agenda_settings::AGENDA;
use crate::config::arms::{Arm, ArmPlans};
use crate::config::check::decode::decode_node;
use crate::config::check::structure::{StructureCheck, find_dotted_problems};
use crate::config::draft::{ArmDraft, ExhibitFile, Files};
use crate::config::layers::{fill_tree, layer_defaults, merge_config};
use crate::config::lower::design::{DesignDraft, Knowledge};
use crate::config::lower::primary::PrimaryContext;
use crate::config::lower::{
    arm, conditions, decision, design, experiment_checks, items, languages, lender, matching, nulls, numbers, primary,
    seats,
};
use crate::config::overrides::root_of;
use crate::config::pack_cache::PackCache;
use crate::config::personas::PersonaFile;
use crate::config::problem::{Problems, SourcePlace};
use crate::config::scenario::{ItemsGiven, Scenario, Soundness};
use crate::config::tree::{MapEntry, Node};
use crate::config::wording::{Templates, Variant, Wordings};
use crate::config::written::config::{Config, ItemsPer};
use crate::config::written::each::ForConfig;
use crate::config::written::scenario::SHARED_SECTIONS;
use crate::config::{identity, overrides, personas, print};
use crate::domain::{Digest, ImportedNotes, Language};
use crate::plan::{
    CONFORMED, Experiment, FACTOR, FactorSettings, Item, ItemsFile, PersonaPool, Plan, PrimaryComparison, check_apart,
    narrowest_item,
};

/// All sources as trees.
#[derive(Debug, Clone)]
pub struct Sources {
    /// [`DEFAULTS`](crate::config::schema::DEFAULTS).
    pub defaults: Node,
    /// [`OPENAI_DEFAULTS`](crate::config::schema::OPENAI_DEFAULTS).
    pub openai_defaults: Node,
    /// [`SERVERS`](crate::plan::SERVERS).
    pub servers: Node,
    /// `scenario.yaml`; `None` if it was not readable, which is in `problems`.
    pub scenario: Option<Node>,
    /// The config; `None` if it was not readable, which is in `problems`.
    pub config: Option<Node>,
    /// Dotted keys and values from the command line or a fork, in order.
    pub changes: Vec<(String, Node)>,
    /// The prompts: template texts by name, for each language.
    pub prompts: Templates,
    /// The wording variants that the config names.
    pub variants: BTreeMap<String, Variant>,
    /// The scenario's folder as shown to the author.
    pub scenario_folder: String,
    /// Persona files by pool name.
    pub personas: BTreeMap<String, PersonaFile>,
    /// The item file; `None` if the config names none.
    pub items: Option<PersonaFile>,
    /// Exhibit files by exhibit name.
    pub exhibits: BTreeMap<String, ExhibitFile>,
    /// Edge files by stored path.
    pub networks: BTreeMap<String, PersonaFile>,
    /// The notes of another experiment; `None` if the config names none or they could not be read.
    pub imported_notes: Option<ImportedNotes>,
    /// Problems from reading the sources.
    pub problems: Problems,
}

/// The result of resolving all sources.
#[derive(Debug, Clone)]
pub struct ResolvedExperiment {
    /// The arms and their plans.
    pub experiment: Experiment,
    /// The text of `plan.yaml`.
    pub plan_yaml: String,
    /// The name of each arm and the identity of its sessions: dotted keys and values.
    pub identities: Vec<(String, BTreeMap<String, String>)>,
    /// The design as keys and values: arms, replicates, baseline, primary comparison, and settings that change no answer.
    pub design: BTreeMap<String, String>,
    /// The settings of each factor's levels.
    pub factor_settings: Vec<FactorSettings>,
}

/// Resolves the sources.
///
/// # Errors
/// Every error found, with its place.
pub fn resolve_sources(mut sources: Sources) -> Result<ResolvedExperiment, Problems> {
    let mut problems = sources.problems.clone();
    let check = StructureCheck::of_sources(sources.config.as_mut(), sources.scenario.as_mut(), &mut sources.changes);
    let mut of_meaning = Problems::default();
    let resolved = lower_sources(sources, &mut of_meaning);
    problems.extend(check.with_meaning(&of_meaning));
    match resolved {
        Some(resolved) if problems.is_empty() => Ok(resolved),
        _ => Err(problems),
    }
}

/// Lowers sources with a valid structure; reports all errors, and returns `None` if no experiment can be made.
fn lower_sources(mut sources: Sources, problems: &mut Problems) -> Option<ResolvedExperiment> {
    // A config may override these sections of a scenario.
    let shared = match &mut sources.scenario {
        Some(scenario) => SHARED_SECTIONS.iter().filter_map(|section| scenario.remove_key(section)).collect(),
        None => Vec::new(),
    };
    let written = sources.config?;
    let scenario = sources.scenario.and_then(|scenario| Scenario::from_tree(scenario, problems));
    let below = layer_defaults(sources.defaults, shared, scenario.as_ref());
    let mut tree = merge_config(below.clone(), written);
    let seats = seats::write_out(&mut tree, problems);
    let seats = seats.max(overrides::apply_changes(&mut tree, &sources.changes, &below, problems));
    let of_models = (&sources.openai_defaults, &sources.servers);
    let filled = fill_tree(tree.clone(), of_models, scenario.as_ref(), problems);
    if let Err(others) = StructureCheck::of_merged(&filled) {
        problems.extend(others);
        return None;
    }
    let config: Config = problems.ok_or_report(decode_node(&filled))?;
    let pools = personas::lower_pools(&config, &sources.personas, &filled, problems);
    let Some(mut scenario) = scenario else {
        check_without_scenario(&config, &filled, pools.as_deref(), problems);
        return None;
    };
    let questions = lower_asked_items(&config, sources.items.as_ref(), &mut scenario, &filled, problems);
    check_columns(&filled, pools.as_deref(), problems);
    let wordings = Wordings::new(&sources.prompts, &sources.variants, &filled, problems);
    let files = Files {
        wording: &wordings.own,
        scenario_folder: &sources.scenario_folder,
        personas: &sources.personas,
        pools: pools.as_deref(),
        packs: &PackCache::default(),
        items: &questions,
        exhibits: &sources.exhibits,
        networks: &sources.networks,
        imported_notes: sources.imported_notes.as_ref(),
    };
    let mut design = design::lower_design(&filled, problems);
    let primary = lower_comparison(&config, &design, Some((&scenario, &questions)), &filled, problems);
    nulls::add_nulls(&mut design, &scenario, &tree, problems);
    overrides::change_arms(&mut design, &sources.changes, problems);
    let ground = ArmContext {
        tree: &without_factors(&tree),
        filled: &without_factors(&filled),
        of_models,
        scenario: &scenario,
        wordings: &wordings,
        files,
        seats,
    };
    let arms = lower_arms(&design, &ground, problems)?;
    let lent = lender::assign_lenders(arms, (design.baseline.as_deref(), config.replicates), &filled, problems)?;
    let matched = matching::match_arms(lent, &config, &filled, problems)?;
    let (plans, identities) = nulls::assign_null_starts(matched, &filled, problems)?;
    experiment_checks::check_used(&filled, &plans, &questions, problems)?;
    let items = (questions, items::items_file(&config, sources.items.as_ref()));
    let experiment = assemble_experiment(&config, &filled, items, (design.baseline, primary), &plans);
    experiment_checks::check_priced(&experiment, &filled, problems)?;
    Some(ResolvedExperiment {
        plan_yaml: print::plan_yaml(&print::with_undeclared_settings(&filled, &scenario), &plans),
        identities,
        design: identity::describe_design(&filled, &experiment),
        factor_settings: design::factor_settings(&filled),
        experiment,
    })
}

struct ArmContext<'a> {
    tree: &'a Node,
    /// The tree with derived values; its structure is valid.
    filled: &'a Node,
    /// The defaults of models behind servers, and the table of servers.
    of_models: (&'a Node, &'a Node),
    scenario: &'a Scenario,
    wordings: &'a Wordings,
    files: Files<'a>,
    seats: Soundness,
}

/// The plans of all arms; `None` after an error.
///
/// If some arms are unknown, only errors that no level could fix are reported.
fn lower_arms(design: &DesignDraft, ground: &ArmContext<'_>, problems: &mut Problems) -> Option<ArmPlans> {
    let (mut plans, mut identities, mut of_arms) = (Vec::new(), Vec::new(), Vec::new());
    // Whether the values of levels are valid, by key and place, because arms share them.
    let mut checked: BTreeMap<(String, Arc<str>, u32, u32), bool> = BTreeMap::new();
    let mut agendas = Agendas::default();
    for mut arm in design.arms.iter().cloned() {
        let mut of_arm = Problems::default();
        if !is_wanted(&arm, &plans) {
            continue;
        }
        arm.values.retain(|MapEntry { key, node, .. }| {
            let SourcePlace { file, line, column, .. } = &node.place;
            let place = (key.clone(), Arc::clone(file), *line, *column);
            *checked.entry(place).or_insert_with(|| find_dotted_problems(key, node).is_empty())
        });
        let mut tree = ground.tree.clone();
        let mut seats = ground.seats;
        let of_null = arm.null.iter().flat_map(|null| &null.values);
        for value in arm.values.iter().chain(of_null) {
            of_arm.ok_or_report(tree.set_at(&value.key, value.node.clone(), &value.place));
            // Counted seats of the lower layers have already been expanded.
            if root_of(&value.key) == "seats" {
                seats = seats.max(seats::write_out(&mut tree, &mut of_arm));
            }
        }
        let tree = fill_tree(tree, ground.of_models, Some(ground.scenario), &mut of_arm);
        let files = Files { wording: ground.wordings.for_arm(&tree, &mut of_arm), ..ground.files };
        let Some(spoken) = agendas.scenarios_of(&tree, ground.scenario, &mut of_arm) else {
            of_arms.push((arm, of_arm));
            continue;
        };
        let scenario = &spoken[&languages::language_of(&tree)];
        let draft = ArmDraft { tree: &tree, arm: &arm, scenario, spoken: &spoken, files, seats };
        if let Err(others) = StructureCheck::of_differing(&tree, ground.filled) {
            of_arm.extend(others);
        } else if let Some((plan, identity)) = arm::lower_arm(&draft, &mut of_arm) {
            identities.push((arm.name.clone(), identity));
            plans.push((arm.clone(), Arc::new(plan)));
        }
        let told = nulls::attribute_to_null(&arm, of_arm);
        of_arms.push((arm, told));
    }
    let mut told = Problems::default();
    told.extend_of_arms(&of_arms);
    match &design.knowledge {
        Knowledge::Whole => {}
        // The arm with the error may be excluded.
        Knowledge::NotWhichAreRun => told.retain(|problem| problem.arm.is_none()),
        Knowledge::NotAllLevels(sections) => told
            .retain(|problem| problem.arm.is_none() && !sections.iter().any(|unread| unread == root_of(&problem.path))),
    }
    problems.extend(told);
    problems.is_empty().then_some(())?;
    nulls::check_made(&design.arms, &plans, ground.filled, problems)?;
    Some((plans, identities))
}

/// Whether an arm is made: a null requires that its arm is valid and that the null applies to it.
fn is_wanted(arm: &Arm, plans: &[(Arm, Arc<Plan>)]) -> bool {
    let Some(null) = &arm.null else { return true };
    plans.iter().any(|(other, plan)| other.name == null.of && nulls::is_null_applicable(null.word, plan))
}

/// Caches the scenario in each language, by the settings of its phases.
#[derive(Default)]
struct Agendas(BTreeMap<String, Option<Rc<BTreeMap<Language, Scenario>>>>);

impl Agendas {
    /// The scenario with the settings that an arm's tree has; `None` after an error, which is reported.
    fn scenarios_of(
        &mut self,
        tree: &Node,
        scenario: &Scenario,
        problems: &mut Problems,
    ) -> Option<Rc<BTreeMap<Language, Scenario>>> {
        let settings = tree.get(AGENDA).filter(|settings| !settings.entries().is_empty());
        let has_expressions = settings.is_some() || numbers::has_expressions(&scenario.source);
        let written = tree.get("parameters").filter(|_| has_expressions);
        let key =
            [settings, written].map(|node| node.map(|node| node.to_json().to_string()).unwrap_or_default()).concat();
        // An error is reported in each arm that has it.
        self.0.get(&key).cloned().filter(Option::is_some).unwrap_or_else(|| {
            let written = written.and_then(|written| decode_node(written).ok()).unwrap_or_default();
            // Invalid values are reported elsewhere.
            let (parameters, _) = scenario.parameter_values(&written, tree, &mut Problems::default());
            let empty = Node::empty_map(tree.place.clone());
            let changed = match has_expressions {
                true => scenario.with_settings(settings.unwrap_or(&empty), &parameters, problems),
                false => Some(scenario.clone()),
            };
            let in_each = |scenario: Scenario| Language::ALL.map(|language| (language, scenario.in_language(language)));
            let all = changed.map(|scenario| Rc::new(BTreeMap::from(in_each(scenario))));
            self.0.insert(key, all.clone());
            all
        })
    }
}

type ItemsById = IndexMap<String, Arc<Item>>;

/// The items, for checks of metrics that need a right answer; `None` if they are unknown, or if there are none and the scenario's
/// truth provides the right answer. Metrics about misleading options always need items.
fn items_with_keys<'a>(config: &Config, scenario: &Scenario, questions: &'a ItemsById) -> Option<&'a ItemsById> {
    let metrics = config.primary.iter().flat_map(|announced| announced.metric.names());
    let is_of_scripts = metrics.into_iter().any(|metric| metric == CONFORMED);
    match config.items {
        Some(_) => (!questions.is_empty()).then_some(questions),
        None => (is_of_scripts || scenario.written.truth.is_none()).then_some(questions),
    }
}

/// The primary comparison, with the alternatives of the scenario or its items; `None` if there is none, or it has an error.
fn lower_comparison(
    config: &Config,
    design: &DesignDraft,
    asked: Option<(&Scenario, &ItemsById)>,
    tree: &Node,
    problems: &mut Problems,
) -> Option<PrimaryComparison> {
    let alternatives = asked.and_then(|(scenario, items)| alternative_names(config, scenario, items));
    let own_columns = asked.map(|(scenario, _)| primary::list_own_columns(scenario));
    let without_numbers = asked.map(|(scenario, _)| primary::list_columns_without_numbers(scenario));
    let context = PrimaryContext {
        arms: (design.knowledge == Knowledge::Whole).then_some(design.arms.as_slice()),
        pairing: config.design.pairing,
        factors: &factor_names(tree),
        alternatives: alternatives.as_deref(),
        items: asked.and_then(|(scenario, items)| items_with_keys(config, scenario, items)),
        own_columns: own_columns.as_deref(),
        without_numbers: &without_numbers.unwrap_or_default(),
    };
    primary::lower_primary(config, &context, tree, problems)
}

/// The items; empty after a reported error. The scenario's texts then print a placeholder.
fn lower_asked_items(
    config: &Config,
    file: Option<&PersonaFile>,
    scenario: &mut Scenario,
    tree: &Node,
    problems: &mut Problems,
) -> IndexMap<String, Arc<Item>> {
    scenario.items.are_known = true;
    if config.items.as_ref().is_some_and(|items| items.per == ItemsPer::Loop) {
        scenario.items.columns = items::list_loop_columns(config);
        let read = items::lower_loop_items(config, file, scenario, tree);
        scenario.items.of_loops = read.map_err(|wrong| problems.extend(wrong)).unwrap_or_else(|()| Arc::new([]));
        // Only now is it known which columns expressions find.
        if problems.is_empty() {
            conditions::check_expressions(scenario, problems);
        }
        return IndexMap::new();
    }
    if let Some(block) = scenario.blocks.iter().find(|block| block.each.as_ref().is_some_and(ForConfig::is_for_items)) {
        let message = "the block takes place for each item of the config, and a session goes through none";
        let problem = scenario.tree.problem(&format!("agenda.{}.for.each", block.name), message);
        problems.push(problem.with_advice("give the config items: { file: …, per: loop }"));
    }
    // An unreadable file has been reported.
    let is_read = config.items.is_none() || file.is_some();
    let items = is_read.then(|| items::lower_items(config, file, scenario, tree));
    let items = items.and_then(|items| items.map_err(|wrong| problems.extend(wrong)).ok());
    let text = match &items {
        Some(items) => narrowest_item(items).map(|item| item.text.clone()),
        None => Some("item".to_string()),
    };
    scenario.take_items(ItemsGiven { text, ..scenario.items.clone() });
    // Only now is it known whether expressions find an item.
    if problems.is_empty() {
        conditions::check_expressions(scenario, problems);
    }
    items.unwrap_or_default()
}

impl ResolvedExperiment {
    /// The digest of the design: the identities of all arms, and the comparisons; without settings that change no answer.
    pub fn design_digest(&self) -> Digest {
        identity::digest_of_design(&self.design)
    }
}

/// The names of possible decisions: the scenario's alternatives, or the letters of options; `None` if the items are invalid.
fn alternative_names(config: &Config, scenario: &Scenario, items: &IndexMap<String, Arc<Item>>) -> Option<Vec<String>> {
    if config.items.as_ref().is_none_or(|items| items.options.is_none()) {
        return Some(scenario.written.alternatives.iter().map(|other| other.name.clone()).collect());
    }
    let widest = items.values().max_by_key(|item| item.options.len())?;
    Some(widest.alternatives().iter().map(|option| option.name.to_string()).collect())
}

/// Checks that no two factors, and no two attributes of personas, become columns that differ only in case.
fn check_columns(tree: &Node, pools: Option<&[PersonaPool]>, problems: &mut Problems) {
    let names = factor_names(tree);
    let mut earlier: Vec<&str> = Vec::new();
    for name in &names {
        problems.note_key(tree, "design.factors", name, check_apart(name, &earlier));
        earlier.push(name);
    }
    let mut attributes: Vec<&str> = Vec::new();
    for pool in pools.unwrap_or_default() {
        for name in &pool.attributes {
            problems.ok_or_report_at(tree, &format!("personas.{}.file", pool.name), check_apart(name, &attributes));
            attributes.push(name);
        }
    }
}

fn assemble_experiment(
    config: &Config,
    tree: &Node,
    (items, items_file): (IndexMap<String, Arc<Item>>, Option<ItemsFile>),
    (baseline, primary): (Option<String>, Option<PrimaryComparison>),
    plans: &[(Arm, Arc<Plan>)],
) -> Experiment {
    let nulls = plans.iter().any(|(arm, _)| arm.null.is_some()).then(|| FACTOR.to_string());
    Experiment {
        name: config.experiment.clone(),
        factors: factor_names(tree).into_iter().chain(nulls).collect(),
        replicates: config.replicates,
        waves: config.panel.map(|panel| panel.waves),
        items_file,
        items,
        baseline,
        primary,
        limits: config.limits.unwrap_or_default(),
        allow: config.allow.clone().unwrap_or_default(),
        arms: plans.iter().map(|(_, plan)| Arc::clone(plan)).collect(),
    }
}

/// Checks a config whose scenario cannot be read.
fn check_without_scenario(config: &Config, tree: &Node, pools: Option<&[PersonaPool]>, problems: &mut Problems) {
    arm::check_alone(tree, problems);
    let design = design::lower_design(tree, problems);
    lower_comparison(config, &design, None, tree, problems);
    check_columns(tree, pools, problems);
}

/// The tree that every arm copies, without the factors and exclusions. If arms differ in the rule, one factor says so, for hints.
fn without_factors(tree: &Node) -> Node {
    let differs_by_arm = decision::differs_by_arm(tree);
    let mut tree = tree.clone();
    let Some(design) = tree.child_mut("design") else { return tree };
    design.remove_key("exclude");
    if let Some(factors) = design.child_mut("factors") {
        *factors = Node::empty_map(factors.place.clone());
        if differs_by_arm {
            let mut factor = factors.clone();
            factor.insert_entry(MapEntry::new("key", Node::from_text("decision.rule", factor.place.clone())));
            factors.insert_entry(MapEntry::new("rule", factor));
        }
    }
    tree
}

fn factor_names(tree: &Node) -> Vec<String> {
    tree.entries_at("design.factors").iter().map(|factor| factor.key.clone()).collect()
}
