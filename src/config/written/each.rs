//! What a block is repeated for.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::written::participants::SeatsConfig;
use crate::plan::PassOrder;

/// For what a block takes place, one pass for each.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForConfig {
    /// A list of words; the name of kept texts: those that are live when the block begins; or seats, as a role, `everyone` or an
    /// expression that is true of a `seat`: those that it selects when the block begins, in the order of the table.
    pub each: SeatsConfig,
    /// The name of the thing of a pass in expressions and texts.
    #[serde(rename = "as", default = "name_this")]
    #[schemars(default = "name_this")]
    pub name: String,
    /// The order of the passes: as written, by the letters of texts or in the order of the table; by lot; or by the rows of a Latin square.
    #[serde(default)]
    pub order: PassOrder,
}

fn name_this() -> String {
    "this".to_owned()
}
