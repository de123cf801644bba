//! Scenarios that are built in: a config names one, `scenarios` lists them, and `init` copies one with all that its config names.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, ended, program, text};

/// The folders of the repository that hold a scenario.
fn shipped() -> BTreeSet<String> {
    let folders = fs::read_dir("scenarios").unwrap().map(|entry| entry.unwrap().path());
    let scenarios = folders.filter(|folder| folder.join("scenario.yaml").is_file());
    scenarios.map(|folder| folder.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_shipped_scenario_is_listed_in_a_line_with_its_title() {
    let told = ekklesia(&["scenarios"]);
    let justice = "A group chooses a principle of distributive justice behind a veil of ignorance";
    assert!(told.stdout.lines().any(|line| line.starts_with("justice ") && line.ends_with(justice)), "{told:#?}");
    let listed: BTreeSet<String> = told.stdout.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(listed, shipped());
    // Two scenarios have no title.
    let is_untitled =
        |line: &str| ["public_goods", "nominal_group", "group_statement"].iter().any(|name| line.starts_with(name));
    let is_told = |line: &str| line.split_whitespace().count() > 2 || is_untitled(line);
    assert!(told.stdout.lines().all(is_told), "{}", told.stdout);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_copy_of_every_scenario_is_the_shipped_one_and_runs_where_it_is() {
    for name in shipped() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("mine");
        ekklesia(&["init", "--scenario", &name, text(&folder)]).says(0, &["run     ekklesia run experiment.yaml"]);
        let config = fs::read_to_string(folder.join("experiment.yaml")).unwrap();
        assert!(!config.contains("scenarios/") && !config.contains("configs/"), "{name}: {config}");
        for file in ["scenario.yaml", "README.md"] {
            let own = fs::read(folder.join("scenario").join(file)).unwrap();
            assert_eq!(own, fs::read(Path::new("scenarios").join(&name).join(file)).unwrap(), "{name} {file}");
        }
        let run = ["run", "experiment.yaml", "--replicates", "1", "--out", "out"];
        ended(program(&run).current_dir(&folder)).says(0, &[]);
        ended(program(&["replay", "out"]).current_dir(&folder)).says(0, &["no divergence"]);
    }
}

#[test]
fn a_config_anywhere_names_a_built_in_scenario_and_its_results_hold_the_files() {
    let place = tempfile::tempdir().unwrap();
    let config = |scenario: &str| {
        let path = place.path().join("mine.yaml");
        let body = format!(
            "experiment: mine\nscenario: {scenario}\nseed: 1\nmodels: {{ m: {{ simulated: {{}} }} }}\n\
             seat_defaults: {{ model: m }}\nseats: [{{ count: 3 }}]\n"
        );
        fs::write(&path, body).unwrap();
        path
    };
    let out = place.path().join("out");
    let arguments =
        ["run", text(&config("builtin:justice")), "--replicates", "1", "--out", text(&out)].map(str::to_owned);
    ekklesia(&arguments.each_ref().map(String::as_str)).says(0, &[]);
    for file in ["scenario.yaml", "prompts/en/ballot.j2"] {
        let kept = fs::read(out.join("inputs/scenario").join(file)).unwrap();
        assert_eq!(kept, fs::read(Path::new("scenarios/justice").join(file)).unwrap(), "{file}");
    }
    let kept = fs::read(out.join("inputs/scenario/prompts/es/naming.j2")).unwrap();
    assert_eq!(kept, fs::read("src/prompt/templates/es/naming.j2").unwrap());
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let message = "there is no built-in scenario \"justise\" (there are: beauty_contest, ";
    ekklesia(&["check", text(&config("builtin:justise"))]).says(2, &[message, "= write scenario: builtin:justice"]);
    ekklesia(&["check", text(&config("scenarios/justice"))]).says(2, &["did you mean \"builtin:justice\"?"]);
    let refused = ekklesia(&["init", "--scenario", "jutice", text(&place.path().join("new"))]);
    refused.says(2, &["there is no scenario \"jutice\"", "did you mean justice?"]);
}
