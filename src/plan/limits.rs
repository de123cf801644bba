//! What calls may take, and what their tokens cost. Nothing is counted here.

/// What the calls of an experiment may take at the most. No part of a session's identity.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Dollars; every model that is called needs a price.
    #[schemars(range(min = 0))]
    pub usd: Option<f64>,
    /// Tokens of prompts and replies.
    #[schemars(range(min = 1))]
    pub tokens: Option<u64>,
}

/// What a model's tokens cost.
#[derive(Debug, Clone, Copy, PartialEq, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Dollars for a million tokens of prompt; 0 or more.
    #[schemars(range(min = 0))]
    pub input_per_mtok: f64,
    /// Dollars for a million tokens of reply; 0 or more.
    #[schemars(range(min = 0))]
    pub output_per_mtok: f64,
}
