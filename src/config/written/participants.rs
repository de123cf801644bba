//! Who takes part, as it is written.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::written::limits::SEATS_MAX;
use crate::plan::Scalar;

/// A role: what its seats may do, and what they are told.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleConfig {
    /// The number of its seats.
    #[schemars(range(min = 1, max = SEATS_MAX))]
    pub seats: u32,
    /// Whether its seats are asked for ballots and in straw polls.
    #[serde(default = "yes")]
    pub votes: bool,
    /// Whether its seats are asked to speak, to think before they speak, to volunteer and to call a vote.
    #[serde(default = "yes")]
    pub speaks: bool,
    /// Instructions for its seats, added after their own persona; a template in which `{{ parameters.name }}` stands for a
    /// parameter's value.
    pub instructions: Option<String>,
    /// The model of its seats that name none.
    pub model: Option<String>,
    /// The language of its seats that name none.
    pub language: Option<String>,
}

fn yes() -> bool {
    true
}

/// Seats: a list of their names, or a role, `everyone` or an expression that is true of a `seat`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SeatsConfig {
    /// The names of seats.
    Names(Vec<String>),
    /// A role, `everyone`, or an expression.
    Expression(Scalar),
}
