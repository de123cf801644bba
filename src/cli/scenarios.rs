//! `scenarios`: lists the scenarios that are built in.

use super::exit::{Ending, Refusal};
use super::say::print_text;
use crate::builtin;
use crate::config::yaml;
use crate::plan::Origin;

/// Prints a line for each built-in scenario: its name and its title.
///
/// # Errors
/// A [`Refusal`] when nothing can be printed.
pub fn run_scenarios() -> Result<Ending, Refusal> {
    let names = builtin::scenario_names();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
    for name in names {
        let files = builtin::scenario_files(name).expect("invariant: a listed scenario is built in");
        let scenario = yaml::read_document(files["scenario.yaml"], name, Origin::Scenario)?;
        let title = scenario.get("title").and_then(|title| title.as_text()).unwrap_or_default();
        print_text(&format!("{name:width$}  {title}"))?;
    }
    Ok(Ending::Done)
}
