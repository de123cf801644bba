//! Query and language pack → messages; reply text → reply.

mod messages;
mod pack;
mod parse;
mod schema;

pub use messages::{Message, Role};
pub use pack::{Pack, PromptError, TEMPLATES};
pub use parse::parse;
pub use schema::schema;

/// How a model is asked to phrase its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// As JSON under a schema that the server enforces.
    JsonSchema,
    /// As text with anchored lines (`CHOICE: …`).
    Anchored,
}
