//! What an author writes of memories → their plan.

use super::config::{Config, MemoryConfig, RecallConfig, TOP_K_MAX};
use super::decimal::parts_per_million;
use super::exhibits::{self, Most};
use super::policy::{self, PolicyConfig};
use super::tree::Node;
use super::{Intervention, Origin, Phase, PhaseKind, Problem, Problems};
use crate::memory::{Due, EventKinds, HistoryInBrief, MemoryPlan, MemoryPolicy, RENDERED_LIMIT_MIN, Strategy, Window};
use crate::text;

/// Room for one result with what other choices would have given, in characters as rendered.
const RESULT_CHARS: u64 = 1_500;
/// The same in tokens, by the estimate that errs high.
const RESULT_TOKENS: u64 = 750;

/// What is wrong with a share.
pub fn no_share(share: f64) -> String {
    format!("{share} is no share of the limit: more than 0, at most 1")
}

/// A share, in parts per million, of a key of memory.
///
/// # Errors
/// When it is none.
pub fn share(key: &str, share: f64, tree: &Node) -> Result<u32, Problem> {
    let path = format!("memory.{key}");
    match parts_per_million(share) {
        _ if share <= 0.0 || share > 1.0 => Err(tree.problem(&path, no_share(share))),
        Ok(ppm) => Ok(ppm),
        Err(message) => Err(tree.problem(&path, message)),
    }
}

/// The memories' plan; `None` when the policy is broken, or the shares of compression are no shares, or in the wrong order.
/// Ranges of lengths are checked elsewhere.
pub fn lower(config: &Config, tree: &Node, problems: &mut Problems) -> Option<MemoryPlan> {
    let memory = &config.memory;
    let threshold = share("memory_compression_threshold", memory.memory_compression_threshold, tree);
    let target = share("memory_compression_target", memory.memory_compression_target, tree);
    let policy = policy::lower(&memory.policy, tree, problems);
    let (threshold, target) = (problems.keep(threshold), problems.keep(target));
    let (policy, threshold, target) = (policy?, threshold?, target?);
    let due = policy.terms().rewrites.map(|rewrites| rewrites.due);
    match due {
        Some(Due::OwnThreshold(threshold)) if target >= threshold => {
            let message = "the threshold of compact must be more than memory_compression_target";
            problems.push(tree.clash("memory.policy.compact.threshold", "memory.memory_compression_target", message));
            return None;
        }
        Some(Due::OwnThreshold(_)) => {}
        Some(Due::PlanThreshold | Due::EnoughWaits) | None if target >= threshold => {
            let message = "memory_compression_target must be less than memory_compression_threshold";
            let other = "memory.memory_compression_threshold";
            problems.push(tree.clash("memory.memory_compression_target", other, message));
            return None;
        }
        Some(Due::PlanThreshold | Due::EnoughWaits) | None => {}
    }
    if let Some(RecallConfig::Search(search)) = &memory.recall
        && !(1..=TOP_K_MAX).contains(&search.top_k)
    {
        let message = format!("{} is outside 1 … {TOP_K_MAX}", search.top_k);
        problems.push(tree.problem("memory.recall.search.top_k", message));
        return None;
    }
    if due == Some(Due::EnoughWaits) && memory.routing.statement == Strategy::Skip {
        let message = "the policy digest sums up statements; let memories keep them";
        problems.push(tree.problem("memory.routing.statement", message));
        return None;
    }
    Some(MemoryPlan {
        policy,
        history: memory.history_in_brief.unwrap_or_else(|| HistoryInBrief::of(policy)),
        pin: EventKinds::of(memory.pin.as_deref().unwrap_or_default()),
        reinject: EventKinds::of(memory.reinject.as_deref().unwrap_or_default()),
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

/// Checks that some arm's policy uses each key that the author wrote; `None` when none does.
pub fn check_used<'a>(
    tree: &Node,
    policies: impl Iterator<Item = &'a MemoryPolicy> + Clone,
    problems: &mut Problems,
) -> Option<()> {
    let before = problems.len();
    type Uses = fn(&MemoryPolicy) -> bool;
    for (i, item) in tree.get("interventions").map(Node::items).unwrap_or_default().iter().enumerate() {
        if item.get("compact").is_some() && !policies.clone().any(MemoryPolicy::rewrites) {
            let message = "no arm's memory policy has memories made shorter; selective, compact or digest would";
            problems.push(tree.problem(&format!("interventions.{i}.compact"), message));
        }
    }
    let keys: [(&str, Uses, &str); 5] = [
        ("memory_compression_threshold", |policy| policy.terms().has_plan_threshold(), "selective"),
        ("memory_compression_target", MemoryPolicy::rewrites, "selective, compact or digest"),
        ("summary_model", MemoryPolicy::rewrites, "selective, compact or digest"),
        ("reinject", |policy| policy.terms().puts_back(), "compact"),
        ("pin", |policy| !policy.terms().keeps_nothing(), "any other than none"),
    ];
    for (key, uses, by) in keys {
        let written = tree.get("memory").and_then(|memory| memory.get(key));
        let is_written = written.is_some_and(|node| node.place.origin != Origin::Default);
        if is_written && !policies.clone().any(uses) {
            let message = format!("no arm's memory policy uses this; {by} would");
            problems.push(tree.problem(&format!("memory.{key}"), message));
        }
    }
    (problems.len() == before).then_some(())
}

/// Checks that what is never cut has room: exhibits, the longest text of the facilitator, and a result for each payment.
///
/// # Errors
/// When it has not.
pub fn check_room(
    memory: &MemoryConfig,
    agenda: &[Phase],
    interventions: &[Intervention],
    (practice_rounds, table): (u32, exhibits::Table<'_>),
    tree: &Node,
) -> Result<(), Problem> {
    let payments: u64 = agenda
        .iter()
        .map(|phase| match phase.kind {
            PhaseKind::Applications => u64::from(practice_rounds),
            PhaseKind::Settle => 1,
            _ => 0,
        })
        .sum();
    let briefs = agenda.iter().filter_map(|phase| match &phase.kind {
        PhaseKind::Brief { text } => Some(text),
        _ => None,
    });
    let alone = interventions.iter().filter(|told| !told.to.is_empty()).filter_map(Intervention::text);
    let texts = briefs.chain(interventions.iter().filter_map(Intervention::text));
    let longest = texts.map(|text| text::chars(text)).max().unwrap_or(0);
    let exhibits = &table.most();
    check_exhibits(memory, table, tree)?;
    if let PolicyConfig::Window(Window::Tokens(most)) = memory.policy {
        let needed = exhibits.tokens
            + alone.map(|text| text::tokens_at_most(text)).max().unwrap_or(0)
            + payments * RESULT_TOKENS;
        if needed > most {
            let exhibits = of_exhibits(exhibits.tokens);
            let message = format!(
                "results and what a seat is told alone are always in the window and need up to {needed} tokens, \
                 {exhibits}{RESULT_TOKENS} for each of {payments} payments"
            );
            let hint = format!("write tokens: {}", with_room(needed));
            return Err(tree.problem("memory.policy.window.tokens", message).with_hint(Some(hint)));
        }
    }
    // Half of the memory may be filled with notes, which are never cut either.
    let notes = if memory.notes.is_some() { memory.memory_character_limit.div_ceil(2) } else { 0 };
    let needed = exhibits.chars + longest + payments * RESULT_CHARS + notes;
    let is_limited = !matches!(memory.policy, PolicyConfig::Full | PolicyConfig::None);
    if payments == 0 || !is_limited || needed <= memory.memory_character_limit {
        return Ok(());
    }
    let message = format!(
        "results and instructions are never cut and need up to {needed} characters: {}{longest} for the longest text, \
         {RESULT_CHARS} for each of {payments} payments",
        of_exhibits(exhibits.chars)
    );
    let hint = format!("write memory_character_limit: {}", with_room(needed));
    Err(tree.problem("memory.memory_character_limit", message).with_hint(Some(hint)))
}

/// What exhibits need of a sum.
fn of_exhibits(needed: u64) -> String {
    if needed > 0 { format!("{needed} for exhibits, ") } else { String::new() }
}

/// Checks that the exhibits alone have room.
fn check_exhibits(memory: &MemoryConfig, table: exhibits::Table<'_>, tree: &Node) -> Result<(), Problem> {
    type Needed = fn(&Most) -> u64;
    let most = table.most();
    let (needed, unit, key, limit): (Needed, _, _, _) = match memory.policy {
        PolicyConfig::Window(Window::Tokens(limit)) if most.tokens >= limit => {
            (|most| most.tokens, "tokens", "memory.policy.window.tokens", limit)
        }
        PolicyConfig::Full | PolicyConfig::None => return Ok(()),
        _ => (|most| most.chars, "characters", "memory.memory_character_limit", memory.memory_character_limit),
    };
    if needed(&most) < limit {
        return Ok(());
    }
    let message = format!(
        "exhibits are never cut and need {} {unit} of one seat, which leaves nothing of {key} ({limit})",
        needed(&most)
    );
    let hint = table.shorter(|shorter| needed(&shorter.most()) < limit).unwrap_or_else(|| {
        let enough = with_room(needed(&most));
        format!("write {}: {enough}, or show each seat fewer or shorter ones", key.rsplit('.').next().unwrap_or(key))
    });
    Err(tree.problem(&format!("exhibits.{}", most.longest), message).with_hint(Some(hint)))
}

/// A round limit that leaves room beside what is never cut.
fn with_room(needed: u64) -> u64 {
    (needed + RENDERED_LIMIT_MIN).div_ceil(100) * 100
}
