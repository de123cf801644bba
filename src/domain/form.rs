//! How replies are asked for, and how that is learnt where the config leaves it open. Nothing is asked or parsed here.

use serde::{Deserialize, Serialize};

/// How a model behind a server may be asked to phrase its replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyForm {
    /// As JSON under a schema that the server enforces.
    JsonSchema,
    /// As text with anchored lines (`CHOICE: …`).
    Anchored,
}

/// How a model is asked to phrase its replies, as it was learnt when a session began.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearntForm {
    /// The model, by its name in the config.
    pub model: String,
    /// The form.
    pub form: ReplyForm,
    /// What it follows from.
    pub source: FormSource,
}

/// What a learnt form follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormSource {
    /// The kind of server that the config names.
    ServerKind,
    /// A question whose answer shows whether the server enforces schemas.
    Probe,
    /// Such a question, whose answer was cut off or refused and shows nothing.
    UnclearProbe,
}
