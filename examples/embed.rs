//! A session in memory: scenario and config are strings, prompts are those of a shipped scenario, and the ballots are printed as a table.
//! No folder is written, and neither the network nor the command line is built.
//!
//! ```console
//! cargo run --no-default-features --example embed
//! ```

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::error::Error;

use ekklesia::builtin::scenario_files;
use ekklesia::session::run_simulated;
use ekklesia::store::{fold::fold_records, inputs::Inputs, tables::table_of};

const SCENARIO: &str = "
scenario: garden
title: A garden in the place of the school's car park
motion: { text: The school should turn its car park into a garden. }
alternatives: [ { name: for, label: A garden }, { name: against, label: The car park stays, status_quo: true } ]
agenda: [ { name: discussion, discussion: {} }, { name: vote, vote: {} } ]
default_mind: { voter: { copy: 0.5 } }
";

const CONFIG: &str = "
experiment: embedded
scenario: garden
seed: 42
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { count: 5, name: 'Member {n}' } ]
discussion: { rounds: 2, vote: at_end }
decision: { rule: majority }
";

fn main() -> Result<(), Box<dyn Error>> {
    let shipped = scenario_files("motion").ok_or("no such scenario")?;
    let mut scenario: BTreeMap<String, Vec<u8>> =
        shipped.into_iter().map(|(path, bytes)| (path, bytes.into())).collect();
    scenario.insert("scenario.yaml".to_owned(), SCENARIO.into());
    let experiment = Inputs::of_texts(CONFIG, scenario)?.resolve()?.experiment;
    let records = run_simulated(&experiment.arms[0], 1)?;
    let session = fold_records(&experiment.arms[0], 1, &records)?;
    println!("{}", table_of(&session, "ballots").ok_or("no such table")?);
    Ok(())
}
