//! Lowers the settings of memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::arms::Arm;
use crate::config::lower::{network, policy, respondent};
use crate::config::problem::{Problem, Problems, SourcePlace};
use crate::config::tree::{Node, Value};
use crate::config::written::config::{Config, RecallConfig, SeatMemoryConfig};
use crate::memory::{EventKinds, HistoryInBrief, MemoryPlan, MemoryPolicy, PolicyTerms, RewriteTrigger, Strategy};
use crate::plan::{OpenAiModel, Origin, Plan, SummaryModel, parts_per_million};

/// The memory plan, and the model that writes summaries.
pub fn lower_memory_with_model(
    config: &Config,
    models: &[OpenAiModel],
    tree: &Node,
    problems: &mut Problems,
) -> Option<(MemoryPlan, SummaryModel)> {
    let mut memory = lower_memory(config, tree, problems);
    let summary_model = respondent::summary_model(config, models, tree, problems);
    // If no seat hears another, memories keep no votes except their own.
    if let Some(memory) = memory.as_mut().filter(|_| network::is_alone(config)) {
        memory.routing = memory.routing.without_group_votes();
    }
    // Only policies that rewrite memories use the model.
    let used = |memory: MemoryPlan, written| if memory.policy.has_rewrites() { written } else { SummaryModel::Seat };
    memory.zip(summary_model).map(|(memory, written)| (memory, used(memory, written)))
}

/// The memory plan; `None` if the policy or a compression share is invalid. The schema has the ranges of numbers.
pub fn lower_memory(config: &Config, tree: &Node, problems: &mut Problems) -> Option<MemoryPlan> {
    let memory = &config.memory;
    let mut lower_share =
        |key: &str, share| problems.ok_or_report_at(tree, &format!("memory.{key}"), parts_per_million(share));
    let threshold = lower_share("memory_compression_threshold", memory.memory_compression_threshold);
    let target = lower_share("memory_compression_target", memory.memory_compression_target);
    let policy = policy::lower_policy(&memory.policy, tree, problems);
    let (policy, threshold, target) = (policy?, threshold?, target?);
    let due = policy.terms().rewrites.map(|rewrites| rewrites.due);
    problems.ok_or_report(check_target("memory", policy, (threshold, target), tree))?;
    if due == Some(RewriteTrigger::EnoughWaits) && memory.routing.statement == Strategy::Skip {
        let message = "the policy digest sums up statements; let memories keep them";
        problems.push(tree.problem("memory.routing.statement", message));
        return None;
    }
    if memory.routing.results == Strategy::Skip {
        let message = "results are never lost: a seat always remembers what it was paid";
        problems.push(tree.problem("memory.routing.results", message).with_advice("write direct or integrated"));
        return None;
    }
    Some(MemoryPlan {
        policy,
        history: memory.history_in_brief.unwrap_or_else(|| HistoryInBrief::for_policy(policy)),
        pin: EventKinds::from_kinds(memory.pin.as_deref().unwrap_or_default()),
        reinject: EventKinds::from_kinds(memory.reinject.as_deref().unwrap_or_default()),
        recall: match memory.recall {
            Some(RecallConfig::Search(search)) => Some(search.top_k),
            Some(RecallConfig::None) | None => None,
        },
        look_up: memory.look_up.unwrap_or(false),
        guidance_style: memory.guidance_style,
        statement_max_length: memory.statement_max_length,
        reasoning_max_length: memory.reasoning_max_length,
        enable_truncation: memory.enable_truncation,
        memory_character_limit: memory.memory_character_limit,
        public_history_max_length: memory.public_history_max_length,
        compression_threshold_ppm: threshold,
        compression_target_ppm: target,
        routing: memory.routing,
    })
}

/// Checks that compression makes memories smaller than the threshold that triggers it; `path` is the section with the target.
///
/// # Errors
/// If the target is not below the applicable threshold.
fn check_target(path: &str, policy: MemoryPolicy, (threshold, target): (u32, u32), tree: &Node) -> Result<(), Problem> {
    let target_path = format!("{path}.memory_compression_target");
    match policy.terms().rewrites.map(|rewrites| rewrites.due) {
        Some(RewriteTrigger::OwnThreshold(threshold)) if target >= threshold => {
            let key = format!("memory.policy.{}.threshold", policy.config_name());
            let message = format!("memory_compression_target must be less than {key}");
            Err(tree.clash(&key, &target_path, message))
        }
        Some(RewriteTrigger::PlanThreshold) if target >= threshold => {
            let message = "memory_compression_target must be less than memory_compression_threshold";
            Err(tree.clash(&target_path, &format!("{path}.memory_compression_threshold"), message))
        }
        // Without a threshold there is nothing to compare the target with.
        Some(RewriteTrigger::PlanThreshold | RewriteTrigger::OwnThreshold(_) | RewriteTrigger::EnoughWaits) | None => {
            Ok(())
        }
    }
}

/// The memory plan of one seat, with its own limits.
///
/// # Errors
/// If a share is invalid, or the target of compression is not below its threshold.
pub fn limit_seat(
    memory: MemoryPlan,
    own: Option<&SeatMemoryConfig>,
    path: &str,
    tree: &Node,
) -> Result<MemoryPlan, Problem> {
    let Some(own) = own else { return Ok(memory) };
    let share_at = |key: &str, own: Option<f64>, of_all: u32| {
        let lowered = own.map_or(Ok(of_all), parts_per_million);
        lowered.map_err(|message| tree.problem(&format!("{path}.{key}"), message))
    };
    let threshold =
        share_at("memory_compression_threshold", own.memory_compression_threshold, memory.compression_threshold_ppm)?;
    let target = share_at("memory_compression_target", own.memory_compression_target, memory.compression_target_ppm)?;
    check_target(path, memory.policy, (threshold, target), tree)?;
    Ok(MemoryPlan {
        statement_max_length: own.statement_max_length.unwrap_or(memory.statement_max_length),
        reasoning_max_length: own.reasoning_max_length.unwrap_or(memory.reasoning_max_length),
        enable_truncation: own.enable_truncation.unwrap_or(memory.enable_truncation),
        memory_character_limit: own.memory_character_limit.unwrap_or(memory.memory_character_limit),
        public_history_max_length: own.public_history_max_length.unwrap_or(memory.public_history_max_length),
        compression_threshold_ppm: threshold,
        compression_target_ppm: target,
        ..memory
    })
}

/// A key of `memory`, a test of whether a policy uses it, and the names of those policies.
type PolicyUse = (&'static str, fn(&PolicyTerms) -> bool, &'static str);
/// The keys that only some policies use.
const USED: [PolicyUse; 5] = [
    ("memory_compression_threshold", PolicyTerms::has_plan_threshold, "selective"),
    ("memory_compression_target", |terms| terms.rewrites.is_some(), "selective, compact or digest"),
    ("summary_model", |terms| terms.rewrites.is_some(), "selective, compact or digest"),
    ("reinject", PolicyTerms::puts_entries_back, "compact"),
    ("pin", |terms| !terms.keeps_nothing(), "any other than none"),
];
/// Routing that requires a policy that integrates events.
const INTEGRATED: PolicyUse = ("routing", PolicyTerms::integrates_events, "selective");

/// Checks that some arm's policy uses each key of the author, and each level's keys at that level; `None` otherwise.
pub fn check_used(tree: &Node, arms: &[(Arm, Arc<Plan>)], problems: &mut Problems) -> Option<()> {
    let before = problems.len();
    let terms: Vec<PolicyTerms> = arms.iter().map(|(_, plan)| plan.memory.policy.terms()).collect();
    for (i, item) in tree.items_at("interventions").iter().enumerate() {
        if item.get("compact").is_some() && terms.iter().all(|terms| terms.rewrites.is_none()) {
            let message = "no arm's memory policy has memories made shorter; selective, compact or digest would";
            problems.push(tree.problem(&format!("interventions.{i}.compact"), message));
        }
    }
    let written = tree.get("memory").map(|memory| policy_uses("memory", memory)).unwrap_or_default();
    for (path, node, (_, uses, by)) in written {
        if node.place.origin != Origin::Default && !terms.iter().any(uses) {
            problems.push(Problem::at_place(
                &node.place,
                path,
                format!("no arm's memory policy uses this; {by} would"),
            ));
        }
    }
    // Settings of levels by place, because all arms at a level share them.
    let mut set: BTreeMap<(u32, u32, String), (&SourcePlace, PolicyUse, bool)> = BTreeMap::new();
    for ((arm, _), terms) in arms.iter().zip(&terms) {
        for entry in &arm.values {
            for (path, node, used) in policy_uses(&entry.key, &entry.node) {
                let SourcePlace { line, column, .. } = node.place;
                let known = set.entry((line, column, path)).or_insert((&node.place, used, false));
                known.2 |= used.1(terms);
            }
        }
    }
    for ((.., path), (place, (_, _, by), _)) in set.into_iter().filter(|(_, (_, _, is_used))| !is_used) {
        let message = format!("the memory policy of no arm at this level uses this; {by} would");
        problems.push(Problem::at_place(place, path, message));
    }
    (problems.len() == before).then_some(())
}

/// The nodes at and below a dotted key that need a certain policy, with their dotted keys.
fn policy_uses<'t>(key: &str, node: &'t Node) -> Vec<(String, &'t Node, PolicyUse)> {
    let used = match key.rsplit_once('.') {
        _ if matches!(key, "memory" | "memory.routing") => {
            let below = node.entries().iter().map(|entry| policy_uses(&format!("{key}.{}", entry.key), &entry.node));
            return below.flatten().collect();
        }
        Some(("memory.routing", _)) if node.as_text() == Some("integrated") => Some(INTEGRATED),
        Some(("memory", name)) if !matches!(node.value, Value::Null) => {
            USED.into_iter().find(|(used, ..)| *used == name)
        }
        _ => None,
    };
    used.map(|used| (key.to_owned(), node, used)).into_iter().collect()
}
