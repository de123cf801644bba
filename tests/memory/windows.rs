//! Context windows that the config does not say: asked for once, written down before the session begins, read there ever after.

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{Server, assert_same, copy_recorded, ekklesia, everything, json_lines, text};
use crate::fixtures::trial::write_config;
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

/// A table of models that talk for a while.
fn body(base_url: &str, model: &str, more: &str) -> String {
    format!(
        "
replicates: 3
models:
  small: {{ openai: {{ base_url: \"{base_url}\", model: {model}, max_tokens: 60, concurrency: 3, timeout_s: 20{more} }} }}
seat_defaults: {{ model: small }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 6, order: random, vote: at_end }}
decision: {{ invalid: abstain }}
"
    )
}

fn told(tokens: u64) -> Option<Value> {
    Some(json!({ "data": [{ "id": "other", "max_model_len": 7 }, { "id": "played", "max_model_len": tokens }] }))
}

fn convened(out: &Path, replicate: u32) -> Value {
    let minutes = out.join(format!("sessions/baseline-r{replicate:06}/minutes.jsonl"));
    json_lines(&minutes)[0]["event"]["Convened"].clone()
}

/// The greatest number of characters that a question had.
fn longest(server: &Server) -> usize {
    let chars = |body: &Value| body["messages"].to_string().chars().count();
    server.bodies().iter().map(chars).max().expect("questions")
}

#[test]
fn a_window_that_the_server_tells_is_asked_for_once_minuted_and_kept_to() {
    let place = tempfile::tempdir().unwrap();
    let [wide, narrow] = [1_000_000, 700].map(|tokens| Server::listing(told(tokens)));
    let mut lengths = Vec::new();
    for (name, server, tokens) in [("wide", &wide, 1_000_000), ("narrow", &narrow, 700)] {
        let folder = place.path().join(name);
        fs::create_dir(&folder).unwrap();
        let config = write_config(&folder, &body(&server.base_url(), "played", ""));
        let out = folder.join("out");
        let run = ekklesia(&["run", text(&config), "--out", text(&out)]);
        run.says(0, &[]);
        assert!(!run.stderr.contains("context window"), "{run:#?}");
        assert_eq!(server.looked_up(), ["/v1/models"], "one question for all sessions");
        for replicate in 1..=3 {
            let windows = &convened(&out, replicate)["windows"];
            assert_eq!(*windows, json!([{ "model": "small", "tokens": tokens, "source": "server" }]));
        }
        let methods = fs::read_to_string(out.join("methods.md")).unwrap();
        let said = format!("a context window of {tokens} tokens, as its server told when a session began");
        assert!(methods.contains(&said), "{methods}");
        lengths.push(longest(server));
        ekklesia(&["replay", text(&out)]).says(0, &[]);
        assert_eq!(server.looked_up().len(), 1, "a replay reads it in the record");
    }
    assert!(lengths[1] < lengths[0], "the narrow window is kept to: {lengths:?}");
}

#[test]
fn what_was_minuted_counts_whatever_a_server_says_later_or_whether_there_is_one() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::listing(told(700));
    let config = write_config(place.path(), &body(&server.base_url(), "played", ""));
    let (out, cut) = (place.path().join("out"), place.path().join("cut"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    // Offline, with what was asked and answered, and nothing that was made of it.
    copy_recorded(&out, &cut);
    drop(server);
    ekklesia(&["run", text(&config), "--offline", "--out", text(&cut)]).says(0, &[]);
    assert_same(&out, &cut);
    // An account that is not the one in the first record is found.
    let calls = cut.join("sessions/baseline-r000002/calls.jsonl");
    let other = fs::read_to_string(&calls).unwrap().replacen("700", "701", 1);
    fs::write(&calls, other).unwrap();
    ekklesia(&["replay", text(&cut)]).says(3, &["baseline-r000002"]);
}

#[test]
fn a_fork_is_held_within_its_parents_window_and_asks_for_none() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::listing(told(700));
    let config = write_config(place.path(), &body(&server.base_url(), "played", ""));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let change = place.path().join("change.yaml");
    fs::write(
        &change,
        "at: { seat: Bob, phase: discussion, round: 2, step: statement }\nstatement: I am against it.\n",
    )
    .unwrap();
    let (fork, session) = (place.path().join("fork"), out.join("sessions/baseline-r000001"));
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    assert_eq!(server.looked_up().len(), 1);
    assert_eq!(convened(&fork, 1)["windows"], convened(&out, 1)["windows"]);
    ekklesia(&["replay", text(&fork)]).says(0, &[]);
}

#[test]
fn a_window_that_only_the_table_knows_is_taken_from_there() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::listing(None);
    let config = write_config(place.path(), &body(&server.base_url(), "gpt-4o-mini", ""));
    let out = place.path().join("out");
    ekklesia(&["check", text(&config)])
        .says(0, &["models.small: no context_window is given", "if it does not tell, 128 000 tokens are taken"]);
    assert_eq!(server.looked_up(), [""; 0], "whatever the server says, this is no mistake");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    assert_eq!(server.looked_up(), ["/v1/models", "/props"]);
    assert_eq!(convened(&out, 2)["windows"], json!([{ "model": "small", "tokens": 128_000, "source": "table" }]));
    ekklesia(&["replay", text(&out)]).says(0, &[]);
}

#[test]
fn a_window_that_nobody_knows_is_a_mistake_in_its_line_before_anything_is_asked() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::listing(None);
    let config = write_config(place.path(), &body(&server.base_url(), "played", ""));
    let out = place.path().join("out");
    let said = [
        "config.yaml:7:3: models.small: nobody knows the context window of \"played\"",
        "its server does not tell it",
        "write its number into models.small.openai, as in context_window: 8192",
        "1 problem in ",
    ];
    ekklesia(&["check", text(&config)]).says(2, &said);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(2, &said);
    assert!(!out.exists() && server.requests() == 0);
    // What is advised is done.
    let advised = "models.small.openai.context_window=8192";
    ekklesia(&["check", text(&config), "--set", advised]).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&out), "--set", advised]).says(0, &[]);
    assert_eq!(convened(&out, 1)["windows"], Value::Null);
    // A model that no seat asks is no matter, and neither is what a prompt looks like.
    let looked = server.looked_up().len();
    let simulated = body(&server.base_url(), "played", "").replace("models:", "models:\n  sim: { simulated: {} }");
    let config = write_config(
        place.path(),
        &simulated.replace("model: small }", "model: sim, mind: { voter: { copy: 0.5 } } }"),
    );
    ekklesia(&["check", text(&config)]).says(0, &[]);
    let config = write_config(place.path(), &body(&server.base_url(), "played", ""));
    ekklesia(&["check", text(&config), "--show", "Bob:ballot"]).says(0, &[]);
    assert_eq!(server.looked_up().len(), looked);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn an_account_of_models_that_comes_spoilt_is_asked_for_again() {
    let place = tempfile::tempdir().unwrap();
    let page = || ResponseTemplate::new(200).set_body_string("<html>Sign in</html>");
    let cut = || ResponseTemplate::new(200).set_body_string("{\"data\": [{\"id\": \"pla");
    let away = || ResponseTemplate::new(502).set_body_string("<html>Bad gateway</html>");
    for (name, spoilt) in [("pages", vec![page(), cut(), page()]), ("away", vec![away(), page(), away(), cut()])] {
        let server = Server::listing(told(700)).spoiling(spoilt);
        let folder = place.path().join(name);
        fs::create_dir(&folder).unwrap();
        let config = write_config(&folder, &body(&server.base_url(), "played", ""));
        let out = folder.join("out");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["3 of 3 sessions"]);
        assert_eq!(convened(&out, 1)["windows"][0]["tokens"], 700, "{name}");
    }
}

#[test]
fn a_key_that_is_refused_is_told_at_once_and_is_no_account_of_models() {
    let place = tempfile::tempdir().unwrap();
    // Cargo sets this variable for tests; the words around it are so long that its end is cut off.
    let key = env!("CARGO_PKG_DESCRIPTION");
    let refused = json!({ "error": { "message": format!("{}{key}", "x ".repeat(130)), "code": "invalid_api_key" } });
    let refused = || ResponseTemplate::new(401).set_body_json(&refused);
    let server = Server::start().spoiling(vec![refused(), refused(), refused()]);
    let config =
        write_config(place.path(), &body(&server.base_url(), "played", ", api_key_env: CARGO_PKG_DESCRIPTION"));
    let out = place.path().join("out");
    let told = ekklesia(&["run", text(&config), "--out", text(&out)]);
    told.says(1, &["context windows: ", "HTTP 401", "check the key in the environment variable CARGO_PKG_DESCRIPTION"]);
    assert_eq!((server.looked_up().len(), server.requests()), (2, 0), "before the run, and by one session");
    let written = everything(place.path()).into_values().chain([told.stderr.into_bytes()]).collect::<Vec<_>>().concat();
    let half = &key.as_bytes()[..key.len() / 2];
    assert!(!written.windows(half.len()).any(|part| part == half), "no half of it either");
}

#[test]
fn windows_that_turn_out_to_be_known_to_nobody_are_all_named_and_no_question_is_put() {
    let place = tempfile::tempdir().unwrap();
    // Away while it is asked before the run, and there without an account by the time sessions begin.
    let away = || ResponseTemplate::new(502);
    let server = Server::listing(None).spoiling(vec![away(), away()]);
    let two = body(&server.base_url(), "played", "").replace("{ name: Alice }", "{ name: Alice, model: other }");
    let other =
        format!("  other: {{ openai: {{ base_url: \"{}\", model: another }} }}\nseat_defaults", server.base_url());
    let config = write_config(place.path(), &two.replace("seat_defaults", &other));
    let out = place.path().join("out");
    let run = ekklesia(&["run", text(&config), "--out", text(&out)]);
    run.says(
        1,
        &[
            "models.small: nobody knows the context window of \"played\"",
            "write its number into models.small.openai",
            "models.other: nobody knows the context window of \"another\"",
            "write its number into models.other.openai",
        ],
    );
    assert_eq!(run.stderr.matches("nobody knows").count(), 2, "told once for all sessions: {run:#?}");
    assert_eq!(server.requests(), 0);
}

#[test]
fn check_asks_the_server_and_weighs_prompts_against_what_it_tells() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::listing(told(700));
    let config = write_config(place.path(), &body(&server.base_url(), "played", ""));
    let told = ekklesia(&["check", text(&config)]);
    told.says(
        0,
        &["models.small: no context_window is given; the server reports 700 tokens", "more than the 560 used of"],
    );
    assert_eq!((server.looked_up(), server.requests()), (vec!["/v1/models".to_owned()], 0));
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_server_that_is_not_there_or_does_not_answer_tells_nothing_and_check_goes_on_at_once() {
    let place = tempfile::tempdir().unwrap();
    // It takes connections and never says a word.
    let dumb = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let dumb = format!("http://{}/v1", dumb.local_addr().unwrap());
    let keyless = ", api_key_env: A_KEY_THAT_IS_NOT_SET_ANYWHERE";
    let cases = [
        ("http://127.0.0.1:9/v1", "", "start the model server"),
        (dumb.as_str(), "", "no answer in 3 s"),
        ("http://127.0.0.1:9/v1", keyless, "holds no key"),
    ];
    for (url, more, words) in cases {
        let config = write_config(place.path(), &body(url, "played", more));
        ekklesia(&["check", text(&config)])
            .says(0, &["models.small: nobody knows the context window", words, "context_window: 8192"]);
        let config = write_config(place.path(), &body(url, "gpt-4o", more));
        ekklesia(&["check", text(&config)]).says(0, &[]);
    }
}

#[test]
fn what_was_begun_goes_on_with_its_own_window_and_nothing_new_is_begun_without_one() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::listing(told(700));
    let config = write_config(place.path(), &body(&server.base_url(), "played", ""));
    let (out, whole) = (place.path().join("out"), place.path().join("whole"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    for (path, bytes) in everything(&out) {
        fs::create_dir_all(whole.join(&path).parent().unwrap()).unwrap();
        fs::write(whole.join(path), bytes).unwrap();
    }
    let session = out.join("sessions/baseline-r000002");
    fs::remove_file(session.join("run.json")).unwrap();
    let minutes = fs::read_to_string(session.join("minutes.jsonl")).unwrap();
    let part: String = minutes.split_inclusive('\n').take(9).collect();
    fs::write(session.join("minutes.jsonl"), part).unwrap();
    drop(server);
    // Another server, where the same model is reached and which tells nothing.
    let silent = Server::listing(None);
    let config = write_config(place.path(), &body(&silent.base_url(), "played", ""));
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "4"])
        .says(2, &["nobody knows the context window"]);
    assert_eq!(fs::read(whole.join("inputs/config.yaml")).unwrap(), fs::read(out.join("inputs/config.yaml")).unwrap());
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    assert_eq!(fs::read_to_string(session.join("minutes.jsonl")).unwrap(), minutes);
    ekklesia(&["replay", text(&out)]).says(0, &[]);
}

#[test]
fn a_fork_that_takes_the_window_away_asks_for_it_and_stops_where_nobody_knows() {
    let place = tempfile::tempdir().unwrap();
    for (listed, code, said) in [(told(700), 0, "calls made"), (None, 1, "context_window: 8192")] {
        let server = Server::listing(listed);
        let config = write_config(place.path(), &body(&server.base_url(), "played", ", context_window: 8192"));
        let (out, fork) = (place.path().join(format!("out{code}")), place.path().join(format!("fork{code}")));
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        let asked = server.requests();
        let change = place.path().join("change.yaml");
        fs::write(&change, "set: { models.small.openai.context_window: null }\n").unwrap();
        let session = out.join("sessions/baseline-r000001");
        ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]).says(code, &[said]);
        match code {
            0 => assert_eq!(convened(&fork, 1)["windows"][0]["tokens"], 700),
            _ => assert_eq!(server.requests(), asked, "nobody is asked anything without a window"),
        }
    }
}

#[test]
fn a_window_of_the_config_is_not_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::listing(told(700));
    let config = write_config(place.path(), &body(&server.base_url(), "played", ", context_window: 8192"));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    assert_eq!(server.looked_up(), [""; 0]);
    assert_eq!(convened(&out, 1)["windows"], Value::Null);
}

#[test]
fn a_server_that_is_not_there_stops_a_run_that_goes_on_later() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &body("http://127.0.0.1:9/v1", "played", ""));
    let out = place.path().join("out");
    let run = ekklesia(&["run", text(&config), "--out", text(&out)]);
    run.says(1, &["context windows: ", "127.0.0.1:9", "the same command again goes on"]);
}
