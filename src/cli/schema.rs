//! `schema`: prints the JSON Schema of configs or scenarios.

use super::arguments::SchemaArguments;
use super::exit::{Ending, Refusal};

/// Prints the JSON Schema of configs or scenarios.
///
/// # Errors
/// A [`Refusal`] with the reason.
pub fn schema(arguments: &SchemaArguments) -> Result<Ending, Refusal> {
    Err(Refusal::failed(format!("schema is not built yet: {arguments:?}")))
}
