//! Memory policies as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::written::shapes;
use crate::memory::Window;

/// What is remembered at all.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = shapes::also_words(&["selective"]))]
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
    pub focus: Option<String>,
}

/// When a memory is made shorter, and what stays.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompactConfig {
    /// From which share of `memory_character_limit` on; more than 0 and more than `memory_compression_target`.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0, "default" = 0.9))]
    pub threshold: f64,
    /// How many of the newest statements stay as they are, with what happened since the first of them.
    #[schemars(range(min = 1), extend("default" = 1))]
    pub keep: u32,
    /// What the seat's text is to keep above all; told to the seat.
    pub focus: Option<String>,
}

/// When a digest is written, and how long it is.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DigestConfig {
    /// From how many statements on that are neither digested nor kept.
    #[schemars(range(min = 1), extend("default" = 12))]
    pub every: u32,
    /// The length of a digest in words, at the most.
    #[schemars(range(min = 1), extend("default" = 200))]
    pub words: u32,
    /// How many of the newest statements are never digested.
    #[schemars(range(min = 1), extend("default" = 3))]
    pub keep: u32,
    /// What a digest is to keep above all; told to the seat.
    pub focus: Option<String>,
}
