//! How much a model can be shown at once, where the config does not say.

use serde::{Deserialize, Serialize};

/// The context window of a model as it was learnt when a session began.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextWindow {
    /// The model, by its name in the config.
    pub model: String,
    /// Tokens of prompt and reply together.
    pub tokens: u32,
    /// Who says so.
    pub source: WindowSource,
}

/// Where the size of a window comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowSource {
    /// The model's server.
    Server,
    /// The table of known models.
    Table,
}
