//! In whose name something is told. Who hears it is the event's affair.

use serde::{Deserialize, Serialize};

/// In whose name something is told to seats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Voice {
    /// The procedure.
    #[default]
    Facilitator,
    /// A person outside the group.
    Human,
}

impl Voice {
    /// The spelling used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Voice::Facilitator => "facilitator",
            Voice::Human => "human",
        }
    }
}
