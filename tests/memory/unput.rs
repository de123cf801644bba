//! A prompt that cannot fit its model's window is not put: `context` says so, and never that the model refused it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::fixtures::cli::{self, Server, ekklesia, text};
use crate::fixtures::trial::write_config;
use serde_json::Value;

#[test]
fn a_prompt_that_could_not_fit_was_not_refused_by_its_model() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start());
    let model = format!("base_url: \"{}\", model: played, max_tokens: 60, context_window: 512", server.base_url());
    let body = format!(
        "
models: {{ sim: {{ simulated: {{}} }}, small: {{ openai: {{ {model} }} }} }}
seat_defaults: {{ model: sim }}
seats: [{{ name: Alice, model: small }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 8, order: fixed, vote: at_end }}
memory: {{ policy: full }}
"
    );
    let (config, out) = (write_config(folder.path(), &body), folder.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let session = out.join("sessions/baseline-r000001");
    let records = cli::json_lines(&session.join("minutes.jsonl"));
    let unput = records.iter().filter(|record| record["event"]["Faulted"]["fault"] == "context_too_long");
    let numbers: Vec<&Value> = unput.map(|record| &record["seq"]).collect();
    assert!(!numbers.is_empty());
    let told = ekklesia(&["context", text(&session), "--seat", "Alice"]);
    told.says(0, &["not put    too long by the estimate, and shown less since: in record", "characters at the most"]);
    assert!(!told.stdout.contains("by its model"), "{}", told.stdout);
    told.says(0, &["(earlier parts are left out):"]);
    let told = ekklesia(&["context", text(&session), "--seat", "Alice", "--json"]);
    let usage = &serde_json::from_str::<Value>(&told.stdout).unwrap()["usage"];
    assert_eq!(usage["estimated_too_long"].as_array().unwrap().iter().collect::<Vec<_>>(), numbers);
    assert_eq!(usage["refused_as_too_long"].as_array().unwrap().len(), 0);
    assert!(usage["memory_chars"].as_u64() <= usage["shown_at_most_chars"].as_u64());
    assert_eq!(usage["memory_limit_chars"], usage["shown_at_most_chars"]);
}
