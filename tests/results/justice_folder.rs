//! Results folders of the justice experiment as a user finds them, and what is refused before there is one.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{self, Told, assert_same, contents, ekklesia, run, text};
use crate::fixtures::desk::copy::copy;
use crate::fixtures::minuted::rows;
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{self, repository};
use crate::results::folder::assert_tables_restored;

fn shipped(config: &str) -> PathBuf {
    repository().join("configs").join(config)
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
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
    assert_tables_restored(&config, &out, &["--replicates", "2"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn an_imposed_decision_stands_in_the_tables_and_in_the_transcript_with_and_without_talk() {
    let config = shipped("justice.yaml");
    let imposed = "decision={ rule: imposed, imposed: { alternative: average_floor, amount: 13000 } }";
    for rounds in ["discussion.rounds=0", "discussion.rounds=2"] {
        let place = tempfile::tempdir().unwrap();
        let out = place.path().join("out");
        run(&config, &out, &["--replicates", "2", "--set", imposed, "--set", rounds]).says(0, &[]);
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
        let sessions = fs::read_to_string(out.join("sessions.csv")).unwrap();
        assert_eq!(sessions.lines().filter(|row| row.contains(",imposed,")).count(), 2, "{sessions}");
        let payoffs = fs::read_to_string(out.join("payoffs.csv")).unwrap();
        let settled = |row: &&str| row.contains(",settlement,") && row.contains(",average_floor,13000,");
        assert_eq!(payoffs.lines().filter(settled).count(), 10, "{payoffs}");
        let session = out.join("sessions/baseline-r000001");
        ekklesia(&["show", text(&session)]).says(0, &["imposed: “average\\_floor 13 000”"]);
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

/// Runs a config beside a copy of the scenario, in which its text may be another.
fn run_beside(config: &str, scenario: Option<&str>) -> (Told, bool) {
    let place = tempfile::tempdir().unwrap();
    copy(&repository().join("scenarios/justice"), &place.path().join("scenario"));
    if let Some(scenario) = scenario {
        fs::write(place.path().join("scenario/scenario.yaml"), scenario).unwrap();
    }
    let path = place.path().join("config.yaml");
    fs::write(&path, config).unwrap();
    let out = place.path().join("out");
    let told = run(&path, &out, &["--replicates", "1"]);
    (told, out.exists())
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_config_of_justice_that_cannot_be_played_is_refused_with_file_and_path() {
    let imposed = |choice: &str| format!("decision: {{ rule: imposed, imposed: {{ {choice} }} }}\n");
    let cases: [(String, &[&str]); 7] = [
        (imposed("alternative: average_floor, amount: 40001"), &["decision.imposed.amount", "40001", "40000"]),
        (imposed("alternative: average_range, amount: 0"), &["decision.imposed.amount"]),
        (imposed("alternative: average_floor"), &["decision.imposed", "needs an amount"]),
        (imposed("alternative: floor, amount: 1000"), &["decision.imposed.amount", "takes no amount"]),
        (imposed("alternative: flor"), &["decision.imposed.alternative", "floor"]),
        ("decision: { rule: imposed }\n".to_owned(), &["decision.rule", "imposed"]),
        (
            "parameters: { sample_weights: 0.2/0.2/0.2/0.2/0.3 }\n".to_owned(),
            &["parameters.sample_weights", "1.100000"],
        ),
    ];
    for (line, words) in sample_cases(cases, 3) {
        let (told, is_made) = run_beside(&format!("{CONFIG}{line}"), None);
        told.says(2, &["config.yaml:7:"]).says(2, words);
        assert!(!is_made, "nothing is made of what is refused");
    }
    run_beside(CONFIG, None).0.says(0, &[]);
    run_beside(&format!("{CONFIG}{}", imposed("alternative: average_floor, amount: 40000")), None).0.says(0, &[]);
}

#[test]
fn a_scenario_of_justice_that_cannot_be_played_is_refused_with_file_and_path() {
    let sample = "weights: { high: 0.05, medium_high: 0.10, medium: 0.50";
    let cases: [(String, &str, &str); 5] = [
        (changed("classes:", |line| line.replace("medium_low, ", "")), "classes", "medium_low"),
        (changed("- [32000", |line| line.replace(", 12000]", "]")), "sample.tables.0", "4 incomes"),
        (changed(sample, |line| line.replace("high: 0.05", "high: 0.06")), "sample.weights", "1.010000"),
        (
            changed("weights: { high: 0.063060", |line| line.replace("0.063060", "0.063059")),
            "situations.B.weights",
            "0.999999",
        ),
        (changed(sample, |line| line.replace("medium_high: 0.10, ", "")), "sample.weights", "medium_high"),
    ];
    for (scenario, path, word) in cases {
        let (told, is_made) = run_beside(CONFIG, Some(&scenario));
        told.says(2, &["scenario.yaml:", &format!("mechanism.income_principles.{path}: "), word]);
        assert!(!is_made, "nothing is made of what is refused");
    }
    run_beside(CONFIG, Some(&changed("classes:", str::to_owned))).0.says(0, &[]);
}

/// Quantal response on pay goes by its own name: it is the mind of this scenario without any taste, whatever it is asked.
#[test]
fn quantal_response_on_pay_is_usable_by_its_name_and_decides_as_a_mind_without_taste() {
    let place = tempfile::tempdir().unwrap();
    let (named, plain) = (place.path().join("named"), place.path().join("plain"));
    let run = |mind: &str, out: &Path| {
        let body = format!(
            "replicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim, mind: {mind} }}\nseats: [{{ count: 4 }}]\n"
        );
        let config = trial::write_justice(place.path(), &body);
        ekklesia(&["run", text(&config), "--out", text(out)]).says(0, &["2 of 2 sessions completed"]);
    };
    run("{ quantal_response: { precision: 6 } }", &named);
    run("{ justice: { risk_aversion: 0, fairness: 0, precision: 6, persuasion: 0 } }", &plain);
    assert_eq!(contents(&named)[Path::new("ballots.csv")], contents(&plain)[Path::new("ballots.csv")]);
    assert_eq!(contents(&named)[Path::new("payoffs.csv")], contents(&plain)[Path::new("payoffs.csv")]);
    for seat in rows(&named, "seats") {
        assert_eq!((seat["mind"].as_str(), seat["trait_precision"].as_str()), ("quantal_response", "6.000000"));
        assert!(!seat.contains_key("trait_risk_aversion"));
    }
    let methods = fs::read_to_string(named.join("methods.md")).unwrap();
    assert!(methods.contains("worth what it pays on average"), "{methods}");
    ekklesia(&["replay", text(&named)]).says(0, &["no divergence"]);
    // Where nothing is paid it is told what it lacks, with the names that it needs.
    let body =
        "models: { sim: { simulated: {} } }\nseats: [{ count: 3, model: sim, mind: { quantal_response: {} } }]\n";
    let config = trial::write_config(place.path(), body);
    ekklesia(&["check", text(&config)])
        .says(2, &["nothing says what the alternatives are worth", "{ for: 1, against: 1 }"]);
}
