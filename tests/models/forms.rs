//! How replies are asked for where the config leaves it open: found by one question to each server, written down before the session
//! begins, read there ever after.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{Told, assert_same, begun, copy_recorded, ekklesia, json_lines, reached, text};
use crate::fixtures::faulty::{Asked, Faulty, Play, completion};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;
use serde_json::{Value, json};

/// Three sessions of models that talk for a while.
fn body(base_url: &str, more: &str) -> String {
    format!(
        "
replicates: 3
models:
  small:
    openai: {{ base_url: \"{base_url}\", model: played, max_tokens: 300, timeout_s: 20, context_window: 100000, answers: auto{more} }}
seat_defaults: {{ model: small }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 3, order: random, vote: at_end }}
decision: {{ invalid: abstain }}
"
    )
}

/// What a schema lets a model say to the question that shows whether it is enforced; `None` for any other question.
fn only_word(asked: &Asked) -> Option<String> {
    let word = &asked.body["response_format"]["json_schema"]["schema"]["properties"]["word"]["enum"];
    Some(json!({ "word": word.as_array()?.first()? }).to_string())
}

fn says(words: &str, finish_reason: &str) -> Play {
    Play::Respond(200, Vec::new(), completion(words, finish_reason).to_string())
}

/// One that holds replies to schemas.
fn enforces(asked: &Asked) -> Play {
    only_word(asked).map_or(Play::Answer, |only| says(&only, "stop"))
}

/// One that takes schemas and does not look at them.
fn ignores(asked: &Asked) -> Play {
    only_word(asked).map_or(Play::Answer, |_| says("An apple is a fruit.", "stop"))
}

/// One that takes none.
fn refuses(asked: &Asked) -> Play {
    let words = json!({ "error": { "message": "response_format of type json_schema is not supported" } }).to_string();
    if asked.body.get("response_format").is_some() { Play::Respond(400, Vec::new(), words) } else { Play::Answer }
}

/// One whose model thinks for longer than it may speak.
fn thinks(asked: &Asked) -> Play {
    only_word(asked).map_or(Play::Answer, |_| says("", "length"))
}

fn played(script: fn(&Asked) -> Play) -> Faulty {
    let server = Faulty::start();
    server.play(script);
    server
}

/// How many questions were to show something.
fn probes(server: &Faulty) -> usize {
    server.asked().iter().filter(|asked| only_word(asked).is_some()).count()
}

fn run(config: &Path, out: &Path, more: &[&str]) -> Told {
    ekklesia(&[&["run", text(config), "--out", text(out)], more].concat())
}

fn session(out: &Path, replicate: u32, file: &str) -> Vec<Value> {
    json_lines(&out.join(format!("sessions/baseline-r{replicate:06}/{file}")))
}

fn minuted(out: &Path, replicate: u32) -> Value {
    session(out, replicate, "minutes.jsonl")[0]["event"]["Convened"]["forms"].clone()
}

/// The questions that the records of a folder hold beside those of sessions.
fn probed(out: &Path) -> Vec<Value> {
    let lines = (1..=3).flat_map(|replicate| session(out, replicate, "calls.jsonl"));
    lines.filter(|line| line.get("probe").is_some()).collect()
}

type Script = fn(&Asked) -> Play;

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_form_is_found_by_one_question_minuted_kept_to_and_made_again_offline() {
    let place = tempfile::tempdir().unwrap();
    let cases: [(&str, Script, &str, &str, &str); 4] = [
        ("enforces", enforces, "json_schema", "probe", "as JSON under a schema: a question when sessions began showed"),
        ("ignores", ignores, "anchored", "probe", "as anchored lines: a question when sessions began showed"),
        ("refuses", refuses, "anchored", "probe", "as anchored lines: a question when sessions began showed"),
        ("thinks", thinks, "anchored", "unclear_probe", "as anchored lines: the reply to a question"),
    ];
    for (name, script, form, source, words) in sample_cases(cases, 3) {
        let server = played(script);
        let folder = place.path().join(name);
        fs::create_dir(&folder).unwrap();
        let (out, copy) = (folder.join("out"), folder.join("copy"));
        let config = write_config(&folder, &body(&server.base_url(), ""));
        let told = run(&config, &out, &["--jobs", "3"]);
        told.says(0, &[]);
        assert_eq!(told.stderr.contains("cut off or refused"), source == "unclear_probe", "{told:#?}");
        assert_eq!(probes(&server), 1, "{name}: one question for all sessions");
        let asked = server.asked();
        let others = asked.iter().filter(|asked| only_word(asked).is_none());
        assert!(others.clone().count() > 20, "{name}");
        for other in others {
            assert_eq!(other.body.get("response_format").is_some(), form == "json_schema", "{name}: {}", other.body);
        }
        for replicate in 1..=3 {
            assert_eq!(minuted(&out, replicate), json!([{ "model": "small", "form": form, "source": source }]));
        }
        assert_eq!(probed(&out).len(), 1, "{name}: recorded where it was put");
        let methods = fs::read_to_string(out.join("methods.md")).unwrap();
        assert!(methods.contains(words), "{name}: {methods}");
        let answers = fs::read_to_string(out.join("answers.csv")).unwrap();
        assert!(answers.contains("valid"), "{name}");
        copy_recorded(&out, &copy);
        drop(server);
        run(&config, &copy, &["--offline"]).says(0, &[]);
        assert_same(&out, &copy);
        ekklesia(&["replay", text(&out)]).says(0, &[]);
        // An account that is not the one in the first record is found.
        let calls = copy.join("sessions/baseline-r000002/calls.jsonl");
        let other = if form == "anchored" { "json_schema" } else { "anchored" };
        let changed = fs::read_to_string(&calls).unwrap().replacen(&format!("\"{form}\""), &format!("\"{other}\""), 1);
        fs::write(&calls, changed).unwrap();
        ekklesia(&["replay", text(&copy)]).says(3, &["baseline-r000002"]);
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_kind_of_server_that_is_known_is_not_asked() {
    let place = tempfile::tempdir().unwrap();
    for (server_kind, form) in [("vllm", "json_schema"), ("anthropic", "anchored")] {
        // Whatever it would show.
        let server = played(if form == "anchored" { enforces } else { ignores });
        let out = place.path().join(server_kind);
        let config = write_config(place.path(), &body(&server.base_url(), &format!(", server: {server_kind}")));
        let shown = ekklesia(&["check", text(&config), "--show", "Bob:ballot"]);
        assert_eq!(shown.stdout.contains("the reply's JSON schema"), form == "json_schema", "{shown:#?}");
        assert!(!shown.stdout.contains("answers: auto"), "{shown:#?}");
        run(&config, &out, &[]).says(0, &[]);
        assert_eq!(probes(&server), 0);
        assert_eq!(minuted(&out, 2), json!([{ "model": "small", "form": form, "source": "server_kind" }]));
        ekklesia(&["replay", text(&out)]).says(0, &[]);
    }
}

#[test]
fn check_asks_nothing_and_says_what_is_not_known_yet() {
    let place = tempfile::tempdir().unwrap();
    let server = played(ignores);
    let config = write_config(place.path(), &body(&server.base_url(), ""));
    ekklesia(&["check", text(&config), "--show", "Bob:ballot"])
        .says(0, &["answers: auto; shown is json_schema", "the reply's JSON schema"]);
    assert!(server.asked().is_empty());
}

#[test]
fn what_was_found_is_not_asked_again_after_a_kill_whatever_the_server_does_by_then() {
    let place = tempfile::tempdir().unwrap();
    let (out, whole) = (place.path().join("out"), place.path().join("whole"));
    let server = played(ignores);
    let config = write_config(place.path(), &body(&server.base_url(), ""));
    run(&config, &whole, &[]).says(0, &[]);
    let (sender, killed_at) = std::sync::mpsc::channel();
    server.hold();
    server.play(move |asked| match (asked.place, ignores(asked)) {
        (0..12, play) => play,
        _ => {
            sender.send(()).unwrap();
            Play::Hold
        }
    });
    let mut child = begun(&["run", text(&config), "--out", text(&out), "--jobs", "1"]);
    reached(&killed_at, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    server.play(enforces);
    server.let_go();
    run(&config, &out, &[]).says(0, &["3 of 3 sessions"]);
    assert_eq!(probes(&server), 0, "sessions that are begun later are asked in the same form, too");
    assert_same(&whole, &out);
    ekklesia(&["replay", text(&out)]).says(0, &[]);
}

#[test]
fn a_server_that_is_away_is_asked_again_later_and_what_that_cost_is_counted() {
    let place = tempfile::tempdir().unwrap();
    let server = Faulty::start();
    server.play(|asked| if only_word(asked).is_some() { says("", "error") } else { Play::Answer });
    let out = place.path().join("out");
    let config = write_config(place.path(), &body(&server.base_url(), ", retry_for_s: 0"));
    run(&config, &out, &["--jobs", "1"]).says(1, &["answers: auto: ", "the same command again goes on"]);
    let lines = session(&out, 1, "calls.jsonl");
    assert_eq!((&lines[0]["form"], &lines[0]["asked"]), (&Value::Null, &json!("small")), "{lines:#?}");
    assert!(lines[0]["probe"]["attempts"][0]["at_most"]["completion_tokens"].as_u64() == Some(256), "{lines:#?}");
    assert!(!out.join("sessions/baseline-r000001/minutes.jsonl").exists() || minuted_nothing(&out));
    server.play(enforces);
    run(&config, &out, &["--jobs", "1"]).says(0, &[]);
    assert_eq!((probes(&server), minuted(&out, 1)[0]["form"].as_str()), (1, Some("json_schema")));
    ekklesia(&["replay", text(&out)]).says(0, &[]);
}

/// Whether the first session has no record yet.
fn minuted_nothing(out: &Path) -> bool {
    session(out, 1, "minutes.jsonl").is_empty()
}

#[test]
fn the_question_is_within_the_budget_and_counted_in_it() {
    let place = tempfile::tempdir().unwrap();
    let server = played(enforces);
    let config = write_config(place.path(), &body(&server.base_url(), ""));
    let out = place.path().join("out");
    // It may take 256 tokens of reply alone.
    run(&config, &out, &["--budget-tokens", "200"]).says(4, &["the budget of 200 tokens", "the next call may take"]);
    assert!(server.asked().is_empty(), "nothing is asked that may be too much");
    run(&config, &out, &["--budget-tokens", "1000000"]).says(0, &[]);
    let account: Value = serde_json::from_slice(&fs::read(out.join("experiment.json")).unwrap()).unwrap();
    let account = &account["account"];
    let asked = server.asked().len() as u64;
    assert_eq!((probes(&server), account["all"]["calls"].as_u64()), (1, Some(asked)), "{account:#}");
    assert_eq!(account["all"]["prompt_tokens"].as_u64(), Some(90 * asked));
    assert_eq!(account["by_step"][""]["calls"].as_u64(), Some(1), "it is of no step");
    assert_eq!(account["by_model"]["small"]["calls"].as_u64(), Some(asked));
}

#[test]
fn offline_nothing_is_taken_for_known_that_was_not_recorded() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &body("http://127.0.0.1:9/v1", ""));
    let out = place.path().join("out");
    run(&config, &out, &["--offline"])
        .says(4, &["models.small: answers: auto, and the recorded calls do not tell", "without --offline"]);
}

#[test]
fn a_fork_is_asked_in_its_parents_form() {
    let place = tempfile::tempdir().unwrap();
    let server = played(ignores);
    let config = write_config(place.path(), &body(&server.base_url(), ""));
    let out = place.path().join("out");
    run(&config, &out, &[]).says(0, &[]);
    server.play(enforces);
    let change = place.path().join("change.yaml");
    let at = "at: { seat: Bob, phase: discussion, round: 2, step: statement }\nstatement: I am against it.\n";
    fs::write(&change, at).unwrap();
    let (fork, parent) = (place.path().join("fork"), out.join("sessions/baseline-r000001"));
    ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    assert_eq!((probes(&server), minuted(&fork, 1)), (0, minuted(&out, 1)));
    assert!(!server.asked().is_empty());
    let context = ekklesia(&["context", text(&fork.join("sessions/baseline-r000001")), "--seat", "Bob"]);
    context.says(0, &["CHOICE:"]);
    ekklesia(&["replay", text(&fork)]).says(0, &[]);
}
