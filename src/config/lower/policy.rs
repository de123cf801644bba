//! Lowers a memory policy.

use std::sync::Arc;

use crate::config::problem::Problems;
use crate::config::tree::{Node, Value};
use crate::config::written::policy::{CompactConfig, DigestConfig, PolicyConfig};
use crate::memory::{CompactPolicy, DigestPolicy, MemoryPolicy};
use crate::plan::parts_per_million;

const DEFAULTS: [(&str, &[(&str, f64)]); 2] = [
    ("compact", &[("threshold", 0.9), ("keep", 1.0)]),
    ("digest", &[("every", 12.0), ("words", 200.0), ("keep", 3.0)]),
];
/// The policies that have a focus.
pub const FOCUSED: [&str; 3] = ["selective", "compact", "digest"];

/// Fills in the defaults of a policy.
pub fn fill_policy_defaults(memory: &mut Node) {
    let Some(policy) = memory.child_mut("policy") else { return };
    for (kind, defaults) in DEFAULTS {
        let Some(settings) = policy.child_mut(kind) else { continue };
        for (key, default) in defaults {
            let value = if default.fract() == 0.0 { Value::Int(*default as i64) } else { Value::Real(*default) };
            settings.insert_default(key, value);
        }
    }
}

impl PolicyConfig {
    /// What summaries should preserve, if the author gives a focus.
    pub fn focus(&self) -> Option<Arc<str>> {
        let focus = match self {
            PolicyConfig::Selective(selective) => selective.as_ref()?.focus.as_ref()?,
            PolicyConfig::Compact(compact) => compact.focus.as_ref()?,
            PolicyConfig::Digest(digest) => digest.focus.as_ref()?,
            PolicyConfig::Full | PolicyConfig::None | PolicyConfig::Window(_) | PolicyConfig::Shuffled => return None,
        };
        Some(focus.trim().into())
    }
}

/// The policy; `None` if a share has too many decimals or the focus is empty.
pub fn lower_policy(policy: &PolicyConfig, tree: &Node, problems: &mut Problems) -> Option<MemoryPolicy> {
    let before = problems.len();
    let lowered = match policy {
        PolicyConfig::Selective(_) => MemoryPolicy::Selective,
        PolicyConfig::Full => MemoryPolicy::Full,
        PolicyConfig::None => MemoryPolicy::None,
        PolicyConfig::Shuffled => MemoryPolicy::Shuffled,
        PolicyConfig::Window(window) => MemoryPolicy::Window(*window),
        PolicyConfig::Digest(DigestConfig { every, words, keep, .. }) => {
            MemoryPolicy::Digest(DigestPolicy { every: *every, words: *words, keep: *keep })
        }
        PolicyConfig::Compact(CompactConfig { threshold, keep, .. }) => {
            let path = "memory.policy.compact.threshold";
            let threshold_ppm = problems.ok_or_report_at(tree, path, parts_per_million(*threshold)).unwrap_or_default();
            MemoryPolicy::Compact(CompactPolicy { threshold_ppm, keep: *keep })
        }
    };
    if policy.focus().as_deref() == Some("") {
        problems.push(tree.problem(&format!("memory.policy.{}.focus", lowered.config_name()), "the text is empty"));
    }
    (problems.len() == before).then_some(lowered)
}
