//! Query and language pack → messages; reply text → reply; what happened → the words a seat remembers it by.

mod abstention;
mod amount;
mod anchors;
mod asked;
mod facts;
mod form;
mod forms;
mod inquiry;
mod line_cache;
mod live;
mod marks;
mod members;
mod message;
mod messages;
mod names;
mod numbers;
mod occasion;
mod opinion;
mod pack;
mod parse;
mod reasons;
mod rehearsal;
mod schema;
mod setting;
mod telling;
mod templates;
mod text_reads;
mod typing;
mod voting;

pub use amount::{check_choice, read_amount};
pub use form::find_held_text;
pub use inquiry::{offered, read};
pub use line_cache::{LineCache, TextShown};
pub use live::{Attribute, Disclosure, GAP, LiveText, PUBLIC, Scene};
pub use marks::MARKS_MAX;
pub use message::{Message, Role};
pub use numbers::write_value;
pub use occasion::is_read_by_briefs;
pub use pack::Pack;
pub use parse::{UnfitAnswer, UnfitReply, parse, parse_ballot, read_fields};
pub use schema::schema;
pub use setting::{Parameter, Procedure, Setting, Votes};
pub use telling::{CounterfactualFacts, PaymentFacts, PickFacts, TestFacts};
pub use templates::{OPTIONAL, PromptError, TEMPLATES};
pub use typing::{END_MARK, Ends, Typing, ends, how_to_type};

/// How a model is asked to phrase its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// As JSON under a schema that the server enforces.
    JsonSchema,
    /// As text with anchored lines (`CHOICE: …`).
    Anchored,
    /// As a person types: asked for like anchored lines, read from these or from what stands for them.
    Typed,
}
