//! What a block is repeated for.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::written::participants::SeatsConfig;
use crate::plan::{PassOrder, Scalar};

/// For what a block takes place, one pass for each.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForConfig {
    /// A list of words; `items`: the items of the config, with `items.per: loop`; the name of kept texts: those that are live when the block begins; or seats, as a role, `everyone` or an
    /// expression that is true of a `seat`: those that it selects when the block begins, in the order of the table.
    pub each: SeatsConfig,
    /// The name of the thing of a pass in expressions and texts; left out `this`, and `item` of items.
    #[serde(rename = "as")]
    name: Option<String>,
    /// The order of the passes: as written, by the letters of texts or in the order of the table; by lot; or by the rows of a Latin square.
    #[serde(default)]
    pub order: PassOrder,
}

impl ForConfig {
    /// Whether a block takes place for the items of the config.
    pub fn is_for_items(&self) -> bool {
        matches!(&self.each, SeatsConfig::Expression(Scalar::Text(text)) if text.trim() == "items")
    }

    /// The name of the thing of a pass.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(if self.is_for_items() { "item" } else { "this" })
    }
}
