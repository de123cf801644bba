//! Questions as forms: one specification of the fields gives the JSON schema for servers, the lines for other models, and what a
//! person types; and it reads all three.
//!
//! Nothing is guessed: an option counts only by its name (a person may type its number), and no number inside prose is an answer.
//! What does not have the form is a fault that names the field.

mod form;
mod json;
mod lines;
mod number;
#[cfg(test)]
pub(crate) mod tests;
mod typed;

pub use form::{AnswerLength, FieldFault, FieldReason, build_extreme_values, check_values};
pub use json::{build_schema, read_json};
pub use lines::{begins_with_anchor, number_lines, read_lines, write_lines};
pub use number::{NumberFault, read_number, write_number};
pub use typed::read_typed;
