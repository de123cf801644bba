//! What an author writes of memories → their plan.

use super::config::{Config, MemoryConfig};
use super::decimal::parts_per_million;
use super::tree::Node;
use super::{Intervention, Phase, PhaseKind, Problem, Problems};
use crate::memory::{MemoryPlan, MemoryPolicy};
use crate::text;

/// Room for one result with what other choices would have given, in characters as rendered.
const RESULT_CHARS: u64 = 1_500;

/// The memories' plan; `None` when the shares of compression are no shares, or in the wrong order. Ranges of lengths are
/// checked elsewhere.
pub fn lower(config: &Config, tree: &Node, problems: &mut Problems) -> Option<MemoryPlan> {
    let memory = &config.memory;
    let share = |key: &str, share: f64| {
        let path = format!("memory.{key}");
        match parts_per_million(share) {
            _ if share <= 0.0 || share > 1.0 => {
                Err(tree.problem(&path, format!("{share} is no share of the limit: more than 0, at most 1")))
            }
            Ok(ppm) => Ok(ppm),
            Err(message) => Err(tree.problem(&path, message)),
        }
    };
    let threshold = share("memory_compression_threshold", memory.memory_compression_threshold);
    let target = share("memory_compression_target", memory.memory_compression_target);
    let (threshold, target) = (problems.keep(threshold), problems.keep(target));
    let (threshold, target) = (threshold?, target?);
    if target >= threshold {
        let message = "the target is less than memory_compression_threshold";
        problems.push(tree.problem("memory.memory_compression_target", message));
        return None;
    }
    Some(MemoryPlan {
        policy: memory.policy,
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

/// Checks that what is never cut has room: the longest text of the facilitator, and a result for each payment.
///
/// # Errors
/// When it has not.
pub fn check_room(
    memory: &MemoryConfig,
    agenda: &[Phase],
    interventions: &[Intervention],
    practice_rounds: u32,
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
    let texts = briefs.chain(interventions.iter().map(|intervention| &intervention.text));
    let longest = texts.map(|text| text::chars(text)).max().unwrap_or(0);
    let needed = longest + payments * RESULT_CHARS;
    if payments == 0 || memory.policy != MemoryPolicy::Selective || needed <= memory.memory_character_limit {
        return Ok(());
    }
    let message = format!(
        "results and instructions are never cut and need up to {needed} characters: {longest} for the longest text, \
         {RESULT_CHARS} for each of {payments} payments"
    );
    Err(tree.problem("memory.memory_character_limit", message))
}
