//! The identity of a session: its resolved plan as dotted keys and values, and their digest.
//!
//! It excludes what changes no answer: numbers of replicates and arms, how a server is reached, and, if arms share draws, the
//! arm's name.

use std::collections::BTreeMap;

use crate::analysis::statistics::Unit;
use crate::chance::Pairing;
use crate::config::draft::Files;
use crate::config::lower::panel::NOTES_FROM;
use crate::config::lower::{items, weighed};
use crate::config::scenario::Scenario;
use crate::config::tree::{Node, Value};
use crate::domain::{Digest, Language};
use crate::plan::{
    AROUND, CORRECT_WITHIN, Correction, Experiment, FormPlan, LengthLimit, Phase, PhaseKind, Plan, REPLICATES, Sitter,
    SummaryModel, digest_of, is_around,
};

/// The sections of a config that determine a session.
const SECTIONS: [&str; 13] = [
    "experiment",
    "parameters",
    "seed",
    "language",
    "seats",
    "discussion",
    "decision",
    "straw_polls",
    "controls",
    "interventions",
    "exhibits",
    "withhold",
    "memory",
];
/// The settings of a model that change no answer.
const REACHING_A_SERVER: [&str; 10] = [
    "server",
    "base_url",
    "api_key_env",
    "concurrency",
    "timeout_s",
    "retry_for_s",
    "requests_per_minute",
    "tokens_per_minute",
    "price",
    "id",
];

/// Describes an experiment beyond its sessions: which sessions there are, what is compared, and settings that change no answer.
/// The last are under [`AROUND`] and not part of the design's digest.
pub fn describe_design(tree: &Node, experiment: &Experiment) -> BTreeMap<String, String> {
    let mut design = BTreeMap::new();
    let names: Vec<&str> = experiment.arms.iter().map(|plan| plan.arm.as_str()).collect();
    design.insert("arms".to_string(), names.join(", "));
    for plan in &experiment.arms {
        design.insert(format!("arms.{}", plan.arm), plan.digest.to_string());
    }
    design.insert(REPLICATES.to_string(), experiment.replicates.to_string());
    if let Some(waves) = experiment.waves {
        design.insert("panel.waves".to_string(), waves.to_string());
    }
    items::describe_items(&experiment.items, &mut design);
    if let Some(plan) = experiment.arms.iter().find(|plan| plan.correct_within_ppm > 0) {
        let share = f64::from(plan.correct_within_ppm) / 1e6;
        design.insert(CORRECT_WITHIN.to_string(), share.to_string());
    }
    if let Some(baseline) = &experiment.baseline {
        design.insert("baseline".to_string(), baseline.clone());
    }
    if let Some(primary) = &experiment.primary {
        design.insert("primary.metric".to_string(), primary.metrics.join(", "));
        design.extend(primary.contrast.iter().map(|contrast| ("primary.contrast".to_string(), contrast.clone())));
        let correction = match primary.correction {
            Correction::Holm => "holm",
            Correction::None => "none",
        };
        design.insert("primary.correction".to_string(), correction.to_string());
        if primary.unit != Unit::default() {
            design.insert("primary.unit".to_string(), primary.unit.as_str().to_string());
        }
        if let Some(replicates) = primary.replicates {
            design.insert("primary.replicates".to_string(), replicates.to_string());
        }
    }
    if let Some(about) = tree.get("about") {
        flatten_node(about, AROUND[0], &mut design);
    }
    if let Some(limits) = tree.get("limits") {
        flatten_node(limits, AROUND[1], &mut design);
    }
    for model in tree.entries_at("models") {
        for kind in model.node.entries() {
            for setting in kind.node.entries().iter().filter(|entry| REACHING_A_SERVER.contains(&entry.key.as_str())) {
                let path = format!("{}.{}.{}.{}", AROUND[2], model.key, kind.key, setting.key);
                flatten_node(&setting.node, &path, &mut design);
            }
        }
    }
    design
}

/// The digest of a design, without settings that change no answer.
pub fn digest_of_design(design: &BTreeMap<String, String>) -> Digest {
    let counted = design.iter().filter(|(key, _)| !is_around(key));
    digest_of(&counted.collect::<BTreeMap<_, _>>())
}

/// The identity of the sessions of one plan; `tree` is the arm's resolved config.
pub fn session_identity(
    tree: &Node,
    plan: &Plan,
    scenario: &Scenario,
    templates: &BTreeMap<String, Digest>,
    files: &Files<'_>,
) -> BTreeMap<String, String> {
    let mut identity = BTreeMap::new();
    for section in SECTIONS {
        if let Some(node) = tree.get(section) {
            flatten_node(node, section, &mut identity);
        }
    }
    for seat in &plan.seats {
        if let Sitter::Model(_) | Sitter::Person(_) = seat.sitter {
            leave_out(&format!("seats.{}.mind", seat.name), &mut identity);
        }
    }
    flatten_models(tree, plan, &mut identity);
    for (place, pool) in plan.pools.iter().enumerate() {
        let path = format!("personas.{}", pool.name);
        let is_used = plan.seats.iter().any(|seat| seat.pool == Some(place));
        let written = tree.get("personas").and_then(|personas| personas.get(&pool.name));
        if let (true, Some(written), Some(file)) = (is_used, written, files.personas.get(&pool.name)) {
            flatten_node(written, &path, &mut identity);
            identity.insert(format!("{path}.file"), file.digest.to_string());
        }
    }
    for (name, file) in files.exhibits {
        // The digest of the text replaces the path.
        if identity.remove(&format!("exhibits.{name}.file")).is_some() {
            identity.insert(format!("exhibits.{name}.file"), Digest::of_text(&file.text).to_string());
        }
    }
    if let Some(shown) = tree.find("items.shown_to") {
        flatten_node(shown, "items.shown_to", &mut identity);
    }
    if let Some(notes) = plan.notes.as_ref().and_then(|notes| notes.imported.as_ref()) {
        leave_out(NOTES_FROM, &mut identity);
        let notes = serde_json::to_vec(notes).expect("invariant: texts have a JSON form");
        identity.insert(NOTES_FROM.to_string(), Digest::of(&notes).to_string());
    }
    if let Some(file) = identity.remove("discussion.network.file").and_then(|kept| files.networks.get(&kept)) {
        identity.insert("discussion.network.file".to_string(), file.digest.to_string());
    }
    if plan.seats.iter().any(weighed::goes_by_edges) {
        // Separates these sessions from recordings made with the file before minds used its weights.
        identity.insert("discussion.network.weights".to_string(), "weigh".to_string());
    }
    flatten_scenario(plan, scenario, &mut identity);
    let is_used = |name: &str| match name {
        "naming" => plan.seats.iter().any(|seat| seat.is_self_named),
        "notes" => plan.takes_notes(),
        "recognition" => plan.controls.recognition_probe,
        _ => true,
    };
    for (name, digest) in templates.iter().filter(|(name, _)| is_used(name)) {
        identity.insert(format!("prompts.{name}"), digest.to_string());
    }
    let pairing = match plan.pairing {
        Pairing::CommonRandomNumbers => "common_random_numbers",
        Pairing::Independent => {
            // Arms that share no draws key their draws by the arm's name, so the name is part of the session.
            identity.insert("arm".to_string(), plan.drawn_as().to_string());
            "independent"
        }
    };
    identity.insert("pairing".to_string(), pairing.to_string());
    identity.insert("tries_max".to_string(), plan.tries_max.to_string());
    identity
}

/// Adds the settings of the models that seats or summaries use.
fn flatten_models(tree: &Node, plan: &Plan, identity: &mut BTreeMap<String, String>) {
    let writes = match plan.summary_model {
        SummaryModel::Model(place) => Some(&plan.models[place].name),
        SummaryModel::Seat | SummaryModel::Rule => None,
    };
    for name in plan.seats.iter().map(|seat| &seat.model).chain(writes) {
        let model = tree.get("models").and_then(|models| models.get(name));
        let path = format!("models.{name}");
        if let Some(model) = model.filter(|_| !identity.contains_key(&path)) {
            for kind in model.entries() {
                identity.insert(path.clone(), kind.key.clone());
                let settings = kind.node.entries().iter();
                for setting in settings.filter(|entry| !REACHING_A_SERVER.contains(&entry.key.as_str())) {
                    flatten_node(&setting.node, &format!("{path}.{}.{}", kind.key, setting.key), identity);
                }
            }
            // For counted prompts, the margin depends on whether the author wrote it, which the tree does not show.
            let model = plan.models.iter().find(|model| model.name == *name);
            let counted = model.filter(|model| model.tokenizer.is_some());
            identity.extend(counted.map(|model| (format!("{path}.used_ppm"), model.context_margin_ppm.to_string())));
            // The key of the length limit is part of the request. The default is omitted, because it predates the setting.
            let limit = model.map(|model| model.server.facts().length_limit);
            let limit = limit.filter(|limit| *limit != LengthLimit::MaxTokens);
            identity.extend(limit.map(|limit| (format!("{path}.openai.length_limit"), limit.as_str().to_string())));
        }
    }
}

/// Removes a key and everything below it.
fn leave_out(path: &str, identity: &mut BTreeMap<String, String>) {
    let below = format!("{path}.");
    identity.retain(|key, _| key != path && !key.starts_with(&below));
}

/// What says when a phase takes place, who takes part, who hears it, and in which groups.
fn flatten_gates(phase: &Phase, identity: &mut BTreeMap<String, String>) {
    let gates = [
        ("when", phase.when.as_ref().map(|when| &when.formula.text)),
        ("who", phase.who.as_ref().map(|who| &who.text)),
        ("groups", phase.group.as_ref().map(|group| &group.assignment)),
        ("heard_by", phase.heard_by.as_ref().map(|set| &set.text)),
    ];
    if let Some(way) = phase.remember {
        identity.insert(format!("agenda.{}.remember", phase.name.written()), format!("{way:?}").to_lowercase());
    }
    for (key, text) in gates.into_iter().filter_map(|(key, text)| Some((key, text?))) {
        identity.insert(format!("agenda.{}.{key}", phase.name.written()), text.clone());
    }
}

fn describe_form(form: &FormPlan) -> String {
    let written = serde_json::to_string(&form.asked).expect("invariant: a form is JSON");
    let bounds = form.bounds.iter().map(|bound| format!(", {}", bound.formula.text));
    let per = form.per.as_ref().map(|per| format!(", per {}", per.text)).unwrap_or_default();
    let seats = form.options.iter().map(|options| format!(", options {}", options.seats.text));
    let kept = form.kept.iter().map(|kept| format!(", kept as {}", kept.name));
    let keys = form.keys.iter().map(|(field, key)| format!(", {field} is {}", key.told(Language::En)));
    let keys = keys.chain(form.item_keys.iter().map(|(field, _)| format!(", {field} is the key of the item")));
    let rest: String = bounds.chain(seats).chain(kept).chain(keys).collect();
    format!("form {}{per}{rest}", Digest::of_text(&written))
}

fn flatten_blocks(plan: &Plan, identity: &mut BTreeMap<String, String>) {
    for pass in plan.agenda.iter().flat_map(|phase| &phase.passes) {
        identity.insert(format!("agenda.{}.repeat", pass.block), format!("{} times", pass.of));
        if let Some(thing) = &pass.thing {
            let written = serde_json::to_string(thing).expect("invariant: a thing is JSON");
            identity.insert(format!("agenda.{}.for", pass.block), written);
        }
    }
    for block in &plan.blocks {
        if let Some(who) = &block.who {
            identity.insert(format!("agenda.{}.who", block.name), who.text.clone());
        }
        for (key, condition) in [("when", &block.when), ("until", &block.until)] {
            if let Some(condition) = condition {
                identity.insert(format!("agenda.{}.{key}", block.name), condition.formula.text.clone());
            }
        }
    }
}

fn flatten_scenario(plan: &Plan, scenario: &Scenario, identity: &mut BTreeMap<String, String>) {
    identity.insert("scenario".to_string(), scenario.written.scenario.clone());
    identity.insert("motion".to_string(), Digest::of_text(&plan.motion.text).to_string());
    let mut names = Vec::new();
    for alternative in &plan.motion.alternatives {
        let path = format!("alternatives.{}", alternative.name);
        identity.insert(format!("{path}.label"), alternative.label.clone());
        if let Some(said) = &alternative.said {
            identity.insert(format!("{path}.said"), said.to_string());
        }
        identity.insert(format!("{path}.status_quo"), alternative.status_quo.to_string());
        identity.insert(format!("{path}.takes_amount"), alternative.takes_amount.to_string());
        names.push(alternative.name.as_str());
    }
    identity.insert("alternatives".to_string(), names.join(", "));
    if let Some(amount) = scenario.tree.get("amount") {
        flatten_node(amount, "amount", identity);
    }
    let mut names = Vec::new();
    flatten_blocks(plan, identity);
    for phase in plan.agenda.iter().filter(|phase| phase.is_first_pass()) {
        let said = match &phase.kind {
            PhaseKind::Brief { text, opinion, .. } => {
                let opinion = opinion.as_ref().map(|formula| format!(", opinion {}", formula.text)).unwrap_or_default();
                format!("brief {}{opinion}", Digest::of_text(text))
            }
            PhaseKind::Ask { time } => format!("ask {time:?}").to_lowercase(),
            PhaseKind::Form(asked) => describe_form(asked),
            PhaseKind::Ranking => "ranking".to_string(),
            PhaseKind::Comprehension(_) => "comprehension".to_string(),
            PhaseKind::Applications => "applications".to_string(),
            PhaseKind::Settle => "settle".to_string(),
            PhaseKind::Discussion(_) => "discussion".to_string(),
            PhaseKind::Vote(_) => "vote".to_string(),
            PhaseKind::Compute(assignments) => {
                let set = assignments.iter().map(|set| format!("{} = {}", set.written, set.formula.text));
                format!("compute {}", set.collect::<Vec<_>>().join("; "))
            }
            PhaseKind::Assign(rules) => {
                format!("assign {}", serde_json::to_string(rules).expect("invariant: an assignment is JSON"))
            }
            PhaseKind::Pay(rule) => {
                format!("pay {}", serde_json::to_string(rule).expect("invariant: a payment is JSON"))
            }
        };
        flatten_gates(phase, identity);
        if !phase.within.is_empty() {
            let blocks: Vec<&str> = phase.within.iter().map(|block| plan.blocks[*block].name.as_str()).collect();
            identity.insert(format!("agenda.{}.in", phase.name.written()), blocks.join(", "));
        }
        let kind = match &phase.kind {
            PhaseKind::Vote(_) => Some("vote"),
            PhaseKind::Discussion(_) => Some("discussion"),
            _ => None,
        };
        if let Some(kind) = kind {
            let position = scenario.phase_names().position(|name| name == phase.name.written());
            let node = position.and_then(|position| scenario.phase_nodes()[position].get(kind));
            for entry in node.map(Node::entries).unwrap_or_default() {
                flatten_node(&entry.node, &format!("agenda.{}.{kind}.{}", phase.name.written(), entry.key), identity);
            }
        }
        identity.insert(format!("agenda.{}", phase.name.written()), said);
        names.push(phase.name.written());
    }
    identity.insert("agenda".to_string(), names.join(", "));
    // Texts are derived from these sections and the parameters.
    for section in ["roles", "variables", "mechanism", "truth", "signals", "facts", "deal"] {
        if let Some(written) = scenario.tree.get(section) {
            flatten_node(written, section, identity);
        }
    }
}

fn flatten_node(node: &Node, path: &str, identity: &mut BTreeMap<String, String>) {
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => {
            for entry in entries {
                flatten_node(&entry.node, &format!("{path}.{}", entry.key), identity);
            }
        }
        Value::List(items) if !items.is_empty() => {
            let names: Vec<String> = items.iter().enumerate().map(|(i, item)| item.segment(i)).collect();
            for (item, name) in items.iter().zip(&names) {
                flatten_node(item, &format!("{path}.{name}"), identity);
            }
            if items.iter().any(|item| item.get("name").is_some()) {
                identity.insert(path.to_string(), names.join(", "));
            }
        }
        Value::Text(text) => {
            identity.insert(path.to_string(), text.replace("\r\n", "\n"));
        }
        _ => {
            identity.insert(path.to_string(), node.to_json().to_string());
        }
    }
}
