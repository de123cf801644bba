//! `schema`: prints the JSON Schema of configs or scenarios.

use super::arguments::{SchemaArguments, SchemaOf};
use super::exit::{Ending, Refusal};
use super::say::say;
use crate::config::{config_schema, scenario_schema};

/// Prints the JSON Schema of configs or scenarios.
///
/// # Errors
/// When stdout takes no more.
pub fn schema(arguments: &SchemaArguments) -> Result<Ending, Refusal> {
    let schema = match arguments.of {
        SchemaOf::Config => config_schema(),
        SchemaOf::Scenario => scenario_schema(),
    };
    say(&format!("{schema:#}"))?;
    Ok(Ending::Done)
}
