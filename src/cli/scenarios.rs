//! `scenarios`: lists the built-in scenarios.

use super::exit::{Ending, Refusal};
use super::output::print_text;
use crate::builtin;
use crate::config::yaml;
use crate::plan::Origin;

/// Prints each built-in scenario's name and title.
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
