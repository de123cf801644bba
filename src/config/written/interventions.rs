//! Interventions and exhibits as they are written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::domain::Voice;

/// The least such limit: room for a page.
pub const TOKEN_LIMIT_MIN: u32 = 100;

/// An evidence document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExhibitConfig {
    /// The text file: in a scenario relative to its folder, in a config relative to the config.
    pub file: Option<String>,
    /// The names of the seats that are shown it; left out, every seat is, and an empty list shows it to none.
    pub to: Option<Vec<String>>,
}

/// The exhibits by their names, in the author's order.
pub type ExhibitsConfig = IndexMap<String, ExhibitConfig>;

/// The polls that a config puts around the first discussion.
pub const POLL_PHASES: [&str; 2] = ["straw_before", "straw_after"];

/// Something told to seats at a moment that the author chose.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterventionConfig {
    /// When it is told.
    pub at: AtConfig,
    /// The names of the seats that are told; left out, everyone is.
    #[schemars(length(min = 1))]
    pub to: Option<Vec<String>>,
    /// In whose name it is told.
    #[serde(rename = "as")]
    #[schemars(extend("default" = "facilitator"))]
    pub by: Voice,
    /// The words that are told.
    pub text: Option<String>,
    /// Memories are made shorter instead, as far as their policy lets them: `selective`, `compact` and `digest` do.
    pub compact: Option<DemandConfig>,
    /// Memories forget instead what is not pinned: `all`, or the name of a phase for what that phase has brought so far. The
    /// public history forgets nothing.
    pub forget: Option<String>,
    /// Memories keep a statement instead, whatever becomes of the rest: its public number, as in `"#2.3"`, turn 3 of round 2.
    pub mark: Option<String>,
    /// The phase in which the marked statement is made; left out, the phase of `at`.
    pub phase: Option<String>,
}

/// How memories are made shorter when an intervention has it done.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DemandConfig {
    /// What the seat's text is to keep above all; told to the seat.
    pub focus: Option<String>,
}

/// A phase, and a round in it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AtConfig {
    /// The phase's name: one of the scenario's, or `straw_before` or `straw_after`.
    pub phase: String,
    /// The round; 0 is the phase's opening.
    #[schemars(extend("default" = 0))]
    pub round: u32,
}
