//! Query and language pack → messages; reply text → reply.

mod pack;
mod parse;

pub use pack::{Message, Pack, PromptError, Role};
pub use parse::{parse, schema};

/// How a model is asked to phrase its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// As JSON under a schema that the server enforces.
    JsonSchema,
    /// As text with anchored lines (`CHOICE: …`).
    Anchored,
}
