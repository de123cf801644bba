//! Logs: what they tell under which names, that they tell no body and no key, and that results are the same without them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;

use crate::fixtures::cli::{self, Told, assert_same, ended, everything, json_lines, text};
use crate::fixtures::faulty::experiment::{KEY, Trial, attempts, questions};
use crate::fixtures::faulty::{self, Asked, Play, completion};
use crate::fixtures::trial;
use serde_json::{Value, json};

/// What the server thinks aloud.
const THOUGHT: &str = "a thought of nobody's business";

/// Words of a persona, of the motion, of replies, of thoughts and of what the server says when it fails.
const MARKS: [&str; 6] = [KEY, "retired teacher", "main street", "I have read", THOUGHT, "overloaded by"];

/// All that is ever logged.
const MESSAGES: [&str; 14] = [
    "session begun",
    "session resumed",
    "session replayed",
    "session completed",
    "session stopped",
    "call begun",
    "call answered",
    "attempt failed",
    "will retry",
    "call given up",
    "server down",
    "server back",
    "budget stop",
    "tables written",
];

/// No byte is of a body or of a key.
#[track_caller]
fn tells_no_body(told: &Told, log: &Path) -> Vec<Value> {
    let bytes = fs::read_to_string(log).unwrap();
    for mark in MARKS {
        assert!(!bytes.contains(mark), "{mark:?} stands in the log");
        assert!(!told.stderr.contains(mark), "{mark:?} stands on stderr: {}", told.stderr);
    }
    let lines = json_lines(log);
    for line in &lines {
        assert!(
            line["timestamp"].is_string()
                && line["level"].is_string()
                && MESSAGES.iter().any(|own| line["message"] == *own),
            "{line}"
        );
    }
    lines
}

/// The same, from trace up, on both.
fn logged(trial: &Trial, name: &str, more: &[&str]) -> (Told, Vec<Value>) {
    let log = trial.place.path().join(format!("{name}.jsonl"));
    let mut command = trial.command(name);
    let told = ended(command.args(["--log", text(&log), "--log", "trace"]).args(more));
    let lines = tells_no_body(&told, &log);
    (told, lines)
}

fn of<'l>(lines: &'l [Value], message: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["message"] == message).collect()
}

/// A server that echoes the key and the prompt wherever it can, refuses one call and is once away.
fn echoes(asked: &Asked) -> Play {
    let key = asked.authorization.clone().unwrap();
    let encoded = base64::engine::general_purpose::STANDARD.encode(&key);
    let echo = format!("overloaded by {key} {encoded} {}", asked.body["messages"]);
    match asked.place {
        2 => {
            let error = json!({ "error": { "message": echo, "type": echo, "code": null } });
            Play::Respond(429, vec![("retry-after", "0".to_owned())], error.to_string())
        }
        9 => Play::Down(Some(Duration::from_millis(300))),
        _ => {
            let mut body = completion(&faulty::words(&asked.body), "stop");
            body["model"] = format!("played\u{1b}[31m-1 {KEY} {}", "x".repeat(200)).into();
            body["choices"][0]["message"]["reasoning_content"] = THOUGHT.into();
            body["choices"][0]["finish_reason"] = format!("it was {echo}").into();
            if asked.lot().is_multiple_of(2) {
                body["choices"][0]["finish_reason"] = "stop".into();
            }
            Play::Respond(200, Vec::new(), body.to_string())
        }
    }
}

fn trial() -> Trial {
    Trial::new(", temperature: 0.5, api_key_env: TRIAL_KEY")
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_run_is_told_in_numbers_and_never_in_bodies_or_keys_and_leaves_the_same_folder() {
    let trial = trial();
    trial.server.play(echoes);
    trial.run("silent").says(0, &["2 of 2 sessions"]);
    trial.server.play(echoes);
    let (told, lines) = logged(&trial, "logged", &[]);
    told.says(0, &["2 of 2 sessions", "attempt failed", "session completed"]);
    assert_same(&trial.out("silent"), &trial.out("logged"));
    // What must not be told was there to be told.
    let asked: String = trial.server.asked().iter().map(|asked| asked.body.to_string()).collect();
    let kept: Vec<u8> = everything(&trial.out("logged")).into_values().flatten().collect();
    assert!(asked.contains("retired teacher") && asked.contains("main street"), "{asked}");
    let kept = String::from_utf8_lossy(&kept);
    assert!(["I have read", THOUGHT, "overloaded by"].iter().all(|mark| kept.contains(mark)));

    let (begun, answered, failed) =
        (of(&lines, "call begun"), of(&lines, "call answered"), of(&lines, "attempt failed"));
    assert_eq!(begun.len(), attempts(&trial.out("logged")).len(), "every attempt is told");
    assert_eq!(answered.len() + failed.len(), begun.len());
    assert_eq!(of(&lines, "will retry").len(), failed.len());
    let port: u64 = trial.server.base_url().trim_end_matches("/v1").rsplit_once(':').unwrap().1.parse().unwrap();
    for line in begun.iter().chain(&answered).chain(&failed) {
        assert_eq!(line["gen_ai.operation.name"], "chat");
        assert_eq!(line["gen_ai.provider.name"], "other");
        assert!(["strict", "plain"].contains(&line["gen_ai.request.model"].as_str().unwrap()), "{line}");
        assert!(line["gen_ai.request.max_tokens"].as_u64().unwrap() >= 60, "{line}");
        assert_eq!(line["gen_ai.request.temperature"], 0.5);
        assert_eq!((&line["server.address"], &line["server.port"]), (&json!("127.0.0.1"), &json!(port)));
        assert!(line["ekklesia.attempt"].as_u64().unwrap() >= 1);
    }
    for line in &answered {
        assert_eq!(line["http.response.status_code"], 200);
        assert_eq!((&line["gen_ai.usage.input_tokens"], &line["gen_ai.usage.output_tokens"]), (&json!(90), &json!(8)));
        let model = line["gen_ai.response.model"].as_str().unwrap();
        assert!(model.starts_with("played[31m-1 [key] xx") && model.chars().count() == 100, "{model}");
        assert!(["[\"stop\"]", "[\"other\"]"].contains(&line["gen_ai.response.finish_reasons"].as_str().unwrap()));
    }
    for reason in ["[\"stop\"]", "[\"other\"]"] {
        assert!(answered.iter().any(|line| line["gen_ai.response.finish_reasons"] == reason), "{reason}");
    }
    let asked_by =
        |line: &&Value| (line["span"]["ekklesia.session"].clone(), line["span"]["ekklesia.question"].clone());
    let mut asked: Vec<String> = answered
        .iter()
        .map(asked_by)
        .map(|(session, question)| format!("{} {}", session.as_str().unwrap(), question.as_str().unwrap()))
        .collect();
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), questions(&trial.out("logged")).len(), "each call is told of its own question");

    let refused: Vec<_> = failed.iter().filter(|line| line["http.response.status_code"] == 429).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0]["error.type"], "429");
    let away = failed.iter().filter(|line| line.get("http.response.status_code").is_none());
    assert!(away.clone().count() > 0, "{failed:#?}");
    assert!(away.clone().all(|line| ["no_response", "no_connection"].contains(&line["error.type"].as_str().unwrap())));
    for message in ["session begun", "session completed"] {
        assert_eq!(of(&lines, message).len(), 2, "{message}");
    }
    assert_eq!(of(&lines, "tables written").len(), 1);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn an_outage_is_told_with_its_status_and_so_is_the_return() {
    let trial = trial();
    let down = |asked: &Asked| match asked.place {
        // By then the server has answered. Of two sessions no more than six calls begin at once, so that one fails after the
        // first wait, too.
        12..19 => Play::Respond(503, Vec::new(), format!("overloaded by {KEY}")),
        _ => Play::Answer,
    };
    trial.server.play(down);
    let log = trial.place.path().join("outage.jsonl");
    let told = ended(trial.command("outage").args(["--log", text(&log)]));
    told.says(0, &["answers again"]);
    let lines = json_lines(&log);
    let downs = of(&lines, "server down");
    assert!(!downs.is_empty() && downs.len() == of(&lines, "server back").len(), "{lines:#?}");
    assert!(downs.iter().all(|line| line["http.response.status_code"] == 503 && line["error.type"] == "503"));
    assert!(!fs::read_to_string(&log).unwrap().contains("overloaded"));
    assert!(!told.stderr.contains("call begun"), "a file alone leaves stderr as it is");
    assert_same(&trial.out("whole"), &trial.out("outage"));
}

#[test]
fn stops_are_told_by_their_kind_and_a_level_leaves_out_what_is_below() {
    let trial = trial();
    let (told, lines) = logged(&trial, "short", &["--budget-tokens", "2000"]);
    told.says(4, &["the budget of 2000 tokens"]);
    assert!(of(&lines, "budget stop").iter().all(|line| line["error.type"] == "budget_exhausted"));
    let stopped = of(&lines, "session stopped");
    assert!(!of(&lines, "budget stop").is_empty() && !stopped.is_empty());
    assert!(stopped.iter().any(|line| line["error.type"] == "budget_exhausted"), "{stopped:#?}");

    // The file is appended to.
    let log = trial.place.path().join("short.jsonl");
    ended(trial.command("short").args(["--log", text(&log), "--log", "info"])).says(0, &["2 of 2 sessions"]);
    let later = &json_lines(&log)[lines.len()..];
    assert!(!of(later, "session resumed").is_empty() && of(later, "call answered").is_empty());
    let levels: Vec<&str> = later.iter().map(|line| line["level"].as_str().unwrap()).collect();
    assert!(levels.iter().all(|level| ["INFO", "WARN", "ERROR"].contains(level)), "{levels:?}");

    let out = trial.out("short");
    let replayed = ended(cli::program(&["replay", text(&out)]).args(["--log", "INFO"]));
    replayed.says(0, &["no divergence", "session replayed", "tables made again"]);
}

#[test]
fn what_refuses_every_call_is_told_by_its_status() {
    let trial = trial();
    trial.server.play(|_| Play::Respond(401, Vec::new(), "{\"error\":\"no\"}".to_owned()));
    let (told, lines) = logged(&trial, "refused", &[]);
    told.says(1, &["HTTP 401"]);
    let given_up = of(&lines, "call given up");
    assert!(!given_up.is_empty() && given_up.iter().all(|line| line["error.type"] == "401"), "{lines:#?}");
    assert!(of(&lines, "session stopped").iter().all(|line| line["error.type"] == "unreachable"));
}

#[test]
fn a_log_that_cannot_be_kept_is_refused_before_anything_is_done() {
    let place = tempfile::tempdir().unwrap();
    let config = trial::write_config(place.path(), "seats: [ { count: 3, name: \"S{n}\" } ]");
    let out: PathBuf = place.path().join("out");
    let run = |more: &[&str]| cli::ekklesia(&[&["run", text(&config), "--out", text(&out)], more].concat());
    run(&["--log", "no/such/folder/log.jsonl"]).says(2, &["--log no/such/folder/log.jsonl: "]);
    run(&["--log", text(place.path())]).says(2, &["--log "]);
    run(&["--log", "info", "--log", "debug"]).says(2, &["--log takes one level and one file"]);
    run(&["--log", "a.jsonl", "--log", "b.jsonl"]).says(2, &["--log takes one level and one file"]);
    assert!(!out.exists() && !Path::new("a.jsonl").exists());
}
