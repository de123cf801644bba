//! `schema`: prints the JSON Schema of configs or scenarios.

use super::arguments::{SchemaArguments, SchemaOf};
use super::exit::{Ending, Refusal};
use super::output::print_text;
use crate::config::{config_schema, scenario_schema};

/// Prints the JSON Schema of configs or scenarios.
pub fn run_schema(arguments: &SchemaArguments) -> Result<Ending, Refusal> {
    let schema = match arguments.of {
        SchemaOf::Config => config_schema(),
        SchemaOf::Scenario => scenario_schema(),
    };
    print_text(&format!("{schema:#}"))?;
    Ok(Ending::Done)
}
