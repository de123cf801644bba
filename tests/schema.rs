//! The schemas of configs and scenarios: what is shipped is what the program prints.

use std::fs;

use ekklesia::plan::{config_schema, scenario_schema};

#[test]
fn the_shipped_schemas_are_what_the_program_prints() {
    let shipped = [
        ("configs/config.schema.json", "config", config_schema()),
        ("scenarios/scenario.schema.json", "scenario", scenario_schema()),
    ];
    for (file, of, schema) in shipped {
        let found = fs::read_to_string(file).unwrap_or_default();
        assert!(found == format!("{schema:#}\n"), "refresh it: ekklesia schema {of} > {file}");
    }
}
