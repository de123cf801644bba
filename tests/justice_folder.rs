//! Results folders of the justice experiment as a user finds them, and what is refused before there is one.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cli;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};

use cli::{Told, assert_same, contents, ekklesia, text};
use trial::repository;

fn shipped(config: &str) -> PathBuf {
    repository().join("configs").join(config)
}

fn run(config: &Path, out: &Path, more: &[&str]) -> Told {
    let mut arguments = vec!["run", text(config), "--out", text(out)];
    arguments.extend(more);
    ekklesia(&arguments)
}

#[test]
fn one_job_and_two_leave_the_same_folder_of_four_justice_arms() {
    let place = tempfile::tempdir().unwrap();
    let config = shipped("justice-memory-by-rule.yaml");
    let (one, two) = (place.path().join("one"), place.path().join("two"));
    run(&config, &one, &["--replicates", "2", "--jobs", "1"]).says(0, &[]);
    run(&config, &two, &["--replicates", "2", "--jobs", "2"]).says(0, &[]);
    assert_eq!(fs::read_dir(one.join("sessions")).unwrap().count(), 8);
    assert_same(&one, &two);
    ekklesia(&["replay", text(&one)]).says(0, &["no divergence"]);
}

#[test]
fn one_replicate_with_drawn_personas_extended_to_two_equals_two() {
    let place = tempfile::tempdir().unwrap();
    let config = shipped("justice-rawls.yaml");
    let (grown, whole) = (place.path().join("grown"), place.path().join("whole"));
    run(&config, &grown, &["--replicates", "1"]).says(0, &[]);
    let first = contents(&grown);
    run(&config, &grown, &["--replicates", "2"]).says(0, &[]);
    run(&config, &whole, &["--replicates", "2"]).says(0, &[]);
    assert_same(&grown, &whole);
    let minutes = Path::new("sessions/baseline-r000001/minutes.jsonl");
    assert_eq!(first[minutes], contents(&grown)[minutes], "the first replicate is untouched");
    let seated = |replicate: &str| {
        let records = cli::json_lines(&whole.join("sessions").join(replicate).join("minutes.jsonl"));
        let seated = records.iter().find(|record| record["event"].get("Seated").is_some()).unwrap();
        assert!(seated["event"]["Seated"]["seats"][4]["persona"].is_string());
        seated["event"].clone()
    };
    assert_ne!(seated("baseline-r000001"), seated("baseline-r000002"), "replicates draw their own");
}

#[test]
fn a_deleted_table_of_a_justice_run_is_restored() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let config = shipped("justice.yaml");
    run(&config, &out, &["--replicates", "2"]).says(0, &[]);
    let before = contents(&out);
    for (path, _) in before.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "csv")) {
        fs::remove_file(out.join(path)).unwrap();
    }
    run(&config, &out, &["--replicates", "2"]).says(0, &[]);
    assert_eq!(contents(&out), before);
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    for (path, bytes) in cli::everything(from) {
        let path = to.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

const CONFIG: &str = "experiment: wrong
scenario: scenario
seed: 1
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: {} } }
seats: [{ name: Alice }, { name: Bob }]
";

/// The shipped scenario with every line that begins so, whatever its indent, changed by a rule.
fn changed(line: &str, change: impl Fn(&str) -> String) -> String {
    let written = fs::read_to_string(repository().join("scenarios/justice/scenario.yaml")).unwrap();
    let (mut found, mut lines) = (0, Vec::new());
    for written in written.lines() {
        let is_it = written.trim_start().starts_with(line);
        found += usize::from(is_it);
        lines.push(if is_it { change(written) } else { written.to_owned() });
    }
    assert!(found > 0, "{line} is in the scenario");
    lines.join("\n") + "\n"
}

#[test]
fn a_config_or_scenario_of_justice_that_cannot_be_played_is_refused_with_file_and_path() {
    let imposed = |choice: &str| format!("{CONFIG}decision: {{ rule: imposed, imposed: {{ {choice} }} }}\n");
    let at_first = "weights: { high: 0.05, medium_high: 0.10, medium: 0.50";
    let cases: [(&str, String, Option<String>, &[&str]); 12] = [
        (
            "amount above any income",
            imposed("alternative: average_floor, amount: 40001"),
            None,
            &["config.yaml:7:", "decision.imposed", "40000"],
        ),
        (
            "amount of nothing",
            imposed("alternative: average_range, amount: 0"),
            None,
            &["config.yaml:7:", "decision.imposed"],
        ),
        ("amount missing", imposed("alternative: average_floor"), None, &["config.yaml:7:", "decision.imposed"]),
        (
            "amount uncalled for",
            imposed("alternative: floor, amount: 1000"),
            None,
            &["config.yaml:7:", "decision.imposed"],
        ),
        ("unknown principle", imposed("alternative: flor"), None, &["config.yaml:7:", "decision.imposed", "floor"]),
        (
            "nothing imposed",
            format!("{CONFIG}decision: {{ rule: imposed }}\n"),
            None,
            &["config.yaml:7:", "decision.rule", "imposed"],
        ),
        (
            "four classes",
            CONFIG.to_owned(),
            Some(changed("classes:", |line| line.replace("medium_low, ", ""))),
            &["scenario.yaml:109:", "mechanism.income_principles.classes", "medium_low"],
        ),
        (
            "an income too few",
            CONFIG.to_owned(),
            Some(changed("- [32000", |line| line.replace(", 12000]", "]"))),
            &["scenario.yaml:", "mechanism.income_principles.sample.tables"],
        ),
        (
            "weights too great",
            CONFIG.to_owned(),
            Some(changed(at_first, |line| line.replace("high: 0.05", "high: 0.06"))),
            &["scenario.yaml:", "mechanism.income_principles.sample.weights", "1.010000"],
        ),
        (
            "weights too small by a millionth",
            CONFIG.to_owned(),
            Some(changed("weights: { high: 0.063060", |line| line.replace("0.063060", "0.063059"))),
            &["scenario.yaml:", "mechanism.income_principles.situations.B.weights", "0.999999"],
        ),
        (
            "a weight missing",
            CONFIG.to_owned(),
            Some(changed(at_first, |line| line.replace("medium_high: 0.10, ", ""))),
            &["scenario.yaml:", "mechanism.income_principles.sample.weights", "medium_high"],
        ),
        (
            "weights of a parameter",
            format!("{CONFIG}parameters: {{ sample_weights: 0.2/0.2/0.2/0.2/0.3 }}\n"),
            None,
            &["config.yaml:7:", "parameters.sample_weights"],
        ),
    ];
    for (what, config, scenario, words) in cases {
        let place = tempfile::tempdir().unwrap();
        copy(&repository().join("scenarios/justice"), &place.path().join("scenario"));
        if let Some(scenario) = scenario {
            fs::write(place.path().join("scenario/scenario.yaml"), scenario).unwrap();
        }
        let path = place.path().join("config.yaml");
        fs::write(&path, config).unwrap();
        let out = place.path().join("out");
        run(&path, &out, &[]).says(2, words);
        assert!(!out.exists(), "{what}: nothing is made of what is refused");
    }
    // What was changed above is all that was wrong.
    let place = tempfile::tempdir().unwrap();
    copy(&repository().join("scenarios/justice"), &place.path().join("scenario"));
    fs::write(place.path().join("config.yaml"), CONFIG).unwrap();
    run(&place.path().join("config.yaml"), &place.path().join("out"), &["--replicates", "1"]).says(0, &[]);
}
