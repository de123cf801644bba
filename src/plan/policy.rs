//! What an author writes of a memory policy → the policy.

use std::sync::Arc;

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::json;

use super::decimal::parts_per_million;
use super::tree::{Entry, Node, Value};
use super::{Place, Problems};
use crate::memory::{Compact, Digest, MemoryPolicy, Window};

/// The settings of policies that an author may leave out.
const DEFAULTS: [(&str, &[(&str, f64)]); 2] = [
    ("compact", &[("threshold", 0.9), ("keep", 1.0)]),
    ("digest", &[("every", 12.0), ("words", 200.0), ("keep", 3.0)]),
];

/// What is remembered at all.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = also_a_word)]
pub enum PolicyConfig {
    /// What the routing says, within the limits.
    Selective(Option<SelectiveConfig>),
    /// Everything, in full.
    Full,
    /// Nothing: a seat is shown its identity and the question.
    None,
    /// The newest turns.
    Window(Window),
    /// Everything; when that is nearly full, the seat's own text takes the place of all but the newest turns.
    Compact(CompactConfig),
    /// The seat's own digests of what is older, one after the other, and the newest statements.
    Digest(DigestConfig),
    /// Everything within the limits, but in the place of the group's statements those that stand at the same round and turn in
    /// the baseline arm's session of the partner replicate (1 and 2, 3 and 4, …), cut or repeated to the same length.
    Shuffled,
}

/// What a memory keeps when it is made shorter.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectiveConfig {
    /// What the seat's text is to keep above all; told to the seat.
    focus: Option<String>,
}

/// When a memory is made shorter, and what stays.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompactConfig {
    /// From which share of `memory_character_limit` on; more than 0 and more than `memory_compression_target`.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0, "default" = 0.9))]
    threshold: f64,
    /// How many of the newest statements stay as they are, with what happened since the first of them.
    #[schemars(range(min = 1), extend("default" = 1))]
    keep: u32,
    /// What the seat's text is to keep above all; told to the seat.
    focus: Option<String>,
}

/// When a digest is written, and how long it is.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DigestConfig {
    /// From how many statements on that are neither digested nor kept.
    #[schemars(range(min = 1), extend("default" = 12))]
    every: u32,
    /// The length of a digest in words, at the most.
    #[schemars(range(min = 1), extend("default" = 200))]
    words: u32,
    /// How many of the newest statements are never digested.
    #[schemars(range(min = 1), extend("default" = 3))]
    keep: u32,
    /// What a digest is to keep above all; told to the seat.
    focus: Option<String>,
}

/// The policies that have a focus.
pub(super) const FOCUSED: [&str; 3] = ["selective", "compact", "digest"];

/// A policy whose settings may be left out is a word, too.
fn also_a_word(schema: &mut Schema) {
    let kinds = schema
        .get_mut("oneOf")
        .and_then(serde_json::Value::as_array_mut)
        .expect("invariant: a policy is one of several");
    let settings = &mut kinds[0]["properties"]["selective"];
    *settings = settings["anyOf"][0].take();
    let word = json!({ "type": "string", "const": "selective", "description": kinds[0]["description"] });
    kinds.insert(0, word);
}

/// Fills in what an author may leave out of a policy.
pub fn fill(memory: &mut Node) {
    let Some(policy) = memory.child_mut("policy") else { return };
    let place = Place::of_default();
    for (kind, defaults) in DEFAULTS {
        let Some(settings) = policy.child_mut(kind) else { continue };
        if !matches!(settings.value, Value::Map(_)) {
            continue;
        }
        for (key, default) in defaults {
            if settings.get(key).is_none() {
                let value = if default.fract() == 0.0 { Value::Int(*default as i64) } else { Value::Real(*default) };
                let node = Node { value, place: place.clone() };
                settings.put(Entry { key: (*key).to_string(), place: place.clone(), node });
            }
        }
    }
}

impl PolicyConfig {
    /// What a shorter memory is to keep above all, where the author says.
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

/// The policy; `None` when a number in it is out of range, or its focus says nothing.
pub fn lower(policy: &PolicyConfig, tree: &Node, problems: &mut Problems) -> Option<MemoryPolicy> {
    let before = problems.len();
    let mut at_least_one = |path: &str, number: u64| {
        if number == 0 {
            problems.push(tree.problem(&format!("memory.policy.{path}"), "this is at least 1"));
        }
    };
    let lowered = match policy {
        PolicyConfig::Selective(_) => MemoryPolicy::Selective,
        PolicyConfig::Full => MemoryPolicy::Full,
        PolicyConfig::None => MemoryPolicy::None,
        PolicyConfig::Shuffled => MemoryPolicy::Shuffled,
        PolicyConfig::Window(window) => {
            match window {
                Window::Statements(most) => at_least_one("window.statements", (*most).into()),
                Window::Tokens(most) => at_least_one("window.tokens", *most),
            }
            MemoryPolicy::Window(*window)
        }
        PolicyConfig::Digest(DigestConfig { every, words, keep, .. }) => {
            at_least_one("digest.every", (*every).into());
            at_least_one("digest.words", (*words).into());
            at_least_one("digest.keep", (*keep).into());
            MemoryPolicy::Digest(Digest { every: *every, words: *words, keep: *keep })
        }
        PolicyConfig::Compact(CompactConfig { threshold, keep, .. }) => {
            at_least_one("compact.keep", (*keep).into());
            let path = "memory.policy.compact.threshold";
            let threshold_ppm = match parts_per_million(*threshold) {
                _ if *threshold <= 0.0 || *threshold > 1.0 => {
                    problems.push(tree.problem(path, super::memory::no_share(*threshold)));
                    0
                }
                Ok(ppm) => ppm,
                Err(message) => {
                    problems.push(tree.problem(path, message));
                    0
                }
            };
            MemoryPolicy::Compact(Compact { threshold_ppm, keep: *keep })
        }
    };
    if policy.focus().as_deref() == Some("") {
        problems.push(tree.problem(&format!("memory.policy.{}.focus", lowered.word()), "the text is empty"));
    }
    (problems.len() == before).then_some(lowered)
}
