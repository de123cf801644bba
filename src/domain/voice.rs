//! In whose name something is told. Who hears it is the event's affair.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

/// In whose name something is told to seats.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Voice {
    /// The procedure.
    #[default]
    Facilitator,
    /// A person outside the group.
    Human,
}

spelled!(Voice);
