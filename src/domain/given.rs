//! What stands in the record of every answer, whatever was asked. What the answer says is not here.

use serde::{Deserialize, Serialize};

use super::{MindState, Shown, Usage};

/// What every answer's record tells beside the answer: what was shown, what it used, what the mind keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// What the seat was shown.
    pub shown: Shown,
    /// What the call used; absent where no service was called or it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model the service says it used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_served: Option<String>,
    /// The mind's state after the answer.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub state: MindState,
}
