//! Who writes the texts that replace memories: each seat's own, one model for all, or the rule of simulated seats.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{self, Server, ekklesia, json_lines, statement_of, text};
use crate::fixtures::trial::{read, write_config};
use ekklesia::session::forecast_session;
use serde_json::Value;

/// Simulated seats whose digests are written by what `summary_model` names.
fn table(folder: &Path, base_url: &str, summary_model: &str) -> PathBuf {
    let body = format!(
        "
models:
  sim: {{ simulated: {{}} }}
  scribe: {{ openai: {{ base_url: \"{base_url}\", model: neutral, max_tokens: 60, price: {{ input_per_mtok: 1, output_per_mtok: 1 }} }} }}
seat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.5 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 4 }}
memory: {{ policy: {{ digest: {{ every: 3, words: 40, keep: 1 }} }}{summary_model} }}
"
    );
    write_config(folder, &body)
}

fn minutes(root: &Path) -> Vec<Value> {
    json_lines(&root.join("sessions/baseline-r000001/minutes.jsonl"))
}

fn is_text(record: &Value) -> bool {
    ["integration", "compression"].contains(&record["at"]["step"].as_str().unwrap())
}

#[test]
fn a_neutral_model_writes_for_all_seats_and_is_asked_nothing_else() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start());
    let (config, out) =
        (table(folder.path(), &server.base_url(), ", summary_model: scribe"), folder.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["recorded"]);
    let calls = cli::calls(&out.join("sessions/baseline-r000001/calls.jsonl"));
    assert!(!calls.is_empty());
    for call in &calls {
        assert_eq!((&call["asked"], &call["model"]), (&Value::from("scribe"), &Value::from("played-1")));
        assert_eq!(call["question"]["at"]["step"], "compression");
    }
    let records = minutes(&out);
    let served =
        |record: &Value| record["event"].as_object().unwrap().values().next().unwrap()["given"]["model_served"].clone();
    assert!(records.iter().any(|record| is_text(record) && served(record) == "played-1"));
    assert!(records.iter().filter(|record| !is_text(record)).all(|record| served(record) == Value::Null));
    let spoken: Vec<&Value> = records.iter().filter(|record| statement_of(record).is_some()).collect();
    assert!(spoken.iter().all(|record| !record["event"]["Answered"]["given"]["state"].as_array().unwrap().is_empty()));
    // What was asked was foreseen, and is counted where it was asked.
    let forecast = forecast_session(&read(&config).arms[0]).unwrap();
    let load = forecast.models[0];
    assert!(load.questions.high > 0 && calls.len() as u64 <= load.calls_at_most, "{load:?}");
    assert_eq!(sum_of(&out, "calls"), calls.len());
    assert!(fs::read_to_string(out.join("methods.md")).unwrap().contains("that was done by language model `neutral`"));
    let asked = server.requests();
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence", "no seat was shown anything"]);
    assert_eq!(server.requests(), asked, "replay asks nobody");
}

/// The only session's value in a column of numbers.
fn sum_of(root: &Path, column: &str) -> usize {
    let table = fs::read_to_string(root.join("sessions.csv")).unwrap();
    let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let place = rows.next().unwrap().iter().position(|name| *name == column).unwrap();
    rows.map(|row| row[place].parse::<usize>().unwrap()).sum()
}

#[test]
fn minds_go_on_with_their_state_after_a_model_wrote_for_them() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start());
    let run = |name: &str, written: &str| {
        let out = folder.path().join(name);
        let config = table(folder.path(), &server.base_url(), written);
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        let said = minutes(&out).into_iter().filter(|record| statement_of(record).is_some());
        said.map(|record| record["event"]["Answered"]["values"]["stance"].clone()).collect::<Vec<_>>()
    };
    // A voter reads no digests, whoever writes them.
    assert_eq!(run("model", ", summary_model: scribe"), run("own", ""));
}

#[test]
fn the_rule_writes_what_simulated_seats_would_write() {
    let folder = tempfile::tempdir().unwrap();
    let texts = |name: &str, written: &str| {
        let out = folder.path().join(name);
        let config = table(folder.path(), "http://127.0.0.1:1/v1", written);
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["recomputed"]);
        minutes(&out).into_iter().filter(is_text).map(|record| record["event"].clone()).collect::<Vec<_>>()
    };
    let by_rule = texts("rule", ", summary_model: sim");
    assert!(!by_rule.is_empty());
    assert_eq!(by_rule, texts("own", ", summary_model: seat"));
}

#[test]
fn who_writes_is_part_of_what_a_session_is() {
    let folder = tempfile::tempdir().unwrap();
    let digest = |written: &str| read(&table(folder.path(), "http://127.0.0.1:1/v1", written)).arms[0].digest.clone();
    let digests = ["", ", summary_model: sim", ", summary_model: scribe"].map(digest);
    assert!(digests[0] != digests[1] && digests[1] != digests[2] && digests[0] != digests[2]);
}
