//! Services that fail in every way they are known to: time is lost, and nothing else.
//!
//! Each fault is played to the program as a user runs it. What a fault costs in time is not looked at: no test waits for a clock.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::fixtures::cli::{Told, assert_same, ekklesia, everything, text};
use crate::fixtures::faulty::experiment::{KEY, Trial, attempts, failed, questions, records};
use crate::fixtures::faulty::{self, Asked, Faulty, Play, completion, response};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;
use serde_json::{Value, json};

/// The key as servers repeat it: as it is, escaped as in an address, and in base64, alone and in the header that it came in.
fn forms_of_key() -> Vec<String> {
    let header = format!("Bearer {KEY}");
    let escaped = KEY.replace('/', "%2F").replace('+', "%2b");
    let encoded =
        [STANDARD.encode(KEY), STANDARD.encode(&header), URL_SAFE.encode(KEY), URL_SAFE_NO_PAD.encode(&header)];
    [vec![KEY.to_owned(), escaped], encoded.to_vec()].concat()
}

/// No byte of what the program wrote is of the key, in whatever form.
#[track_caller]
fn tells_no_key(told: &Told, out: &Path) {
    for form in forms_of_key() {
        // The ends in base64 depend on what stands beside the key.
        let middle = &form[form.len() / 3..form.len() - 4];
        assert!(!told.stdout.contains(middle) && !told.stderr.contains(middle), "{told:#?}");
        for (path, bytes) in everything(out) {
            let found = bytes.windows(middle.len()).any(|window| window == middle.as_bytes());
            assert!(!found, "the key stands in {}", path.display());
        }
    }
}

fn respond(status: u16, headers: &[(&'static str, &str)], body: &str) -> Play {
    let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Play::Respond(status, headers, body.to_owned())
}

fn fault_of(message: &str) -> String {
    json!({ "error": { "message": message, "type": "server_error", "code": null } }).to_string()
}

/// Plays a fault at some of the requests, in the order in which they come, and checks that it leaves no trace but in the calls.
#[track_caller]
fn survives(trial: &Trial, name: &str, places: &'static [usize], fault: &Play, status: Option<u64>) {
    let play = fault.clone();
    trial.server.play(move |asked| if places.contains(&asked.place) { play.clone() } else { Play::Answer });
    trial.run(name).says(0, &["2 of 2 sessions"]);
    trial.is_whole(name);
    assert_eq!(trial.server.answered(), trial.questions, "{name}: what was answered is not asked again");
    let failed = failed(&trial.out(name));
    assert_eq!(failed.len(), places.len(), "{name}: {failed:#?}");
    assert_eq!(attempts(&trial.out(name)).len(), trial.server.asked().len(), "{name}: every attempt is recorded");
    for attempt in &failed {
        assert_eq!(attempt["status"].as_u64(), status, "{name}: {attempt}");
        assert!(attempt["failure"].as_str().is_some_and(|words| !words.is_empty() && words.len() < 1500), "{attempt}");
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn statuses_that_may_pass_leave_the_folder_of_a_run_without_them() {
    let trial = Trial::new("");
    let past = "Sun, 06 Nov 1994 08:49:37 GMT";
    let statuses = [
        ("429", respond(429, &[], &fault_of("slow down")), 429),
        ("429 in seconds", respond(429, &[("Retry-After", "0")], "slow down"), 429),
        ("429 by a date", respond(429, &[("retry-after", past)], ""), 429),
        ("500", respond(500, &[], &fault_of("oh")), 500),
        ("502 as a page", respond(502, &[], "<html><h1>Bad Gateway</h1></html>"), 502),
        ("503 in seconds", respond(503, &[("retry-after", "0")], &fault_of("loading")), 503),
        ("503", respond(503, &[], ""), 503),
        ("408", respond(408, &[], "{\"error\":\"late\"}"), 408),
    ];
    for (name, play, status) in sample_cases(statuses, 3) {
        survives(&trial, name, &[2, 11], &play, Some(status));
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn responses_that_are_no_answers_leave_the_folder_of_a_run_without_them() {
    let trial = Trial::new("");
    let whole = completion("CHOICE: for", "stop").to_string();
    let cut = &whole[..whole.len() / 2];
    let page = "<!doctype html><title>Sign in</title>";
    let choiceless = json!({ "choices": [], "model": "played-1" }).to_string();
    let chunked =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"cho\r\n";
    let short = String::from_utf8(response(200, &[], &whole)).unwrap().replace(&whole, cut);
    let responses = [
        ("a page", respond(200, &[], page), Some(200)),
        ("nothing", respond(200, &[], ""), Some(200)),
        ("half", respond(200, &[], cut), Some(200)),
        ("no choice", respond(200, &[], &choiceless), Some(200)),
        ("an error in a 200", respond(200, &[], &fault_of("overloaded")), Some(200)),
        ("a body that is shorter than it says", Play::Raw(short.clone().into()), None),
        ("a chunk and no end", Play::Raw(chunked.into()), None),
        ("a reset in the body", Play::Reset(short.into()), None),
        ("a reset at once", Play::Reset(Vec::new()), None),
        ("no response", Play::Raw(Vec::new()), None),
    ];
    for (name, play, status) in sample_cases(responses, 3) {
        survives(&trial, name, &[1, 12], &play, status);
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_server_that_stalls_or_goes_and_comes_back_leaves_the_folder_of_a_run_without_it() {
    let trial = Trial::new(", timeout_s: 2");
    survives(&trial, "a stall", &[4], &Play::Stall, None);
    for (name, wait_ms) in [("away for a moment", 1), ("away", 700)] {
        let down = Play::Down(Some(Duration::from_millis(wait_ms)));
        trial.server.play(move |asked| if [3, 14].contains(&asked.place) { down.clone() } else { Play::Answer });
        trial.run(name).says(0, &["2 of 2 sessions"]);
        trial.is_whole(name);
        assert!(!failed(&trial.out(name)).is_empty());
    }
}

/// The statuses in the table of answers.
fn statuses(out: &Path) -> Vec<String> {
    let mut table = csv::Reader::from_path(out.join("answers.csv")).unwrap();
    let place = table.headers().unwrap().iter().position(|name| name == "fault").unwrap();
    table.records().map(|row| row.unwrap()[place].to_owned()).collect()
}

/// The folder that follows from the recorded calls alone.
fn offline(trial: &Trial, name: &str) -> PathBuf {
    let (live, copy) = (trial.out(name), trial.out(&format!("{name} offline")));
    for file in records(&live) {
        let there = copy.join(file.strip_prefix(&live).unwrap());
        fs::create_dir_all(there.parent().unwrap()).unwrap();
        fs::copy(&file, there).unwrap();
    }
    ekklesia(&["run", text(&trial.config), "--offline", "--out", text(&copy)]).says(0, &["2 of 2 sessions"]);
    copy
}

type Script = Box<dyn Fn(&Asked) -> Play + Send + Sync>;

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_a_seat_does_wrong_is_an_event_and_the_same_offline() {
    let trial = Trial::new("");
    let length = |asked: &Asked| asked.body["messages"].to_string().len();
    let most = trial.server.asked().iter().map(length).max().unwrap() * 9 / 10;
    let overflow = |body: Value| {
        move |asked: &Asked| match length(asked) <= most {
            true => Play::Answer,
            false => Play::Respond(400, Vec::new(), body.to_string()),
        }
    };
    let told = "the request exceeds the available context size";
    let openai = json!({ "error": { "message": told, "type": "invalid_request_error", "param": "messages",
                         "code": "context_length_exceeded" } });
    let llama = json!({ "error": { "code": 400, "message": told, "type": "exceed_context_size_error", "n_prompt_tokens": 9000 } });
    let odd = |play: Value| {
        move |asked: &Asked| match asked.lot() % 3 {
            0 => Play::Respond(200, Vec::new(), play.to_string()),
            _ => Play::Answer,
        }
    };
    let mut silent = completion("", "stop");
    silent["choices"][0]["message"]["content"] = Value::Null;
    let mut refusing = silent.clone();
    refusing["choices"][0]["message"]["refusal"] = "I cannot help with that.".into();
    let scripts: [(&str, &str, Script); 6] = [
        ("null", "empty", Box::new(odd(silent))),
        ("cut", "cut_by_length", Box::new(odd(completion("I would say that the", "length")))),
        ("refused", "refused", Box::new(odd(refusing))),
        ("filtered", "refused", Box::new(odd(completion("", "content_filter")))),
        ("overflow as of OpenAI", "context_too_long", Box::new(overflow(openai))),
        ("overflow as of llama.cpp", "context_too_long", Box::new(overflow(llama))),
    ];
    for (name, fault, script) in sample_cases(scripts, 2) {
        trial.server.play(script);
        trial.run(name).says(0, &["2 of 2 sessions"]);
        let out = trial.out(name);
        let told = statuses(&out);
        assert!(told.iter().any(|status| status == fault), "{name}: {told:?}");
        assert!(told.iter().any(String::is_empty), "{name}: something is answered all the same");
        let asked = trial.server.asked().len();
        assert_eq!(questions(&out).len(), asked, "{name}: each is asked once by the service and again by the engine");
        assert_same(&out, &offline(&trial, name));
        assert_eq!(trial.server.asked().len(), asked, "{name}: nobody is asked offline");
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_service_that_cannot_be_used_stops_the_run_at_once_and_the_same_command_ends_it() {
    let trial = Trial::new(", concurrency: 1, api_key_env: TRIAL_KEY, retry_for_s: 0");
    let echo = format!("Incorrect API key provided: {KEY}");
    let refused = json!({ "error": { "message": echo, "type": "invalid_request_error", "code": "invalid_api_key" } });
    let unknown = json!({ "error": { "message": format!("The model `strict` does not exist, {KEY}"), "code": "model_not_found" } });
    let failures = [
        (
            "key",
            respond(401, &[("x-echo", KEY)], &refused.to_string().replace('/', "\\u002f")),
            "HTTP 401: Incorrect API key provided: [key]; check the key in the environment variable TRIAL_KEY",
        ),
        (
            "model",
            respond(404, &[], &unknown.to_string()),
            "HTTP 404: The model `strict` does not exist, [key]; check base_url and the model's name",
        ),
        ("page", respond(403, &[], &format!("<p>{KEY}</p>")), "HTTP 403: <p>[key]</p>"),
        (
            "encoded",
            respond(403, &[], &format!("<p>{}</p>", forms_of_key()[1..].join(" "))),
            "HTTP 403: <p>[key] [key] QmVhcmVyI[key] [key] QmVhcmVyI[key]</p>",
        ),
        ("failing", respond(500, &[], &format!("\"{KEY}")), "HTTP 500: \"[key]"),
        ("no completion", respond(200, &[], &format!("{{\"choices\": \"{KEY}\"}}")), "not a chat completion"),
        ("gone", Play::Down(Some(Duration::from_millis(1))), "127.0.0.1"),
    ];
    for (name, play, words) in sample_cases(failures, 2) {
        // The first calls are answered, so that the server is known to be there.
        trial.server.play(move |asked| if asked.place < 7 { Play::Answer } else { play.clone() });
        let told = trial.run(name);
        told.says(1, &[words, "the same command again goes on"]);
        let (asked, models) = (trial.server.asked().len(), 2);
        assert!(asked <= 7 + models, "{name}: {asked} requests, though a model is asked one thing at a time");
        if name != "gone" {
            assert_eq!(told.stderr.matches(words).count(), 1, "{name}: told once: {told:#?}");
        }
        tells_no_key(&told, &trial.out(name));
        let paid = trial.server.answered();
        assert_eq!(paid.len(), 7);
        trial.server.play(|_| Play::Answer);
        let told = trial.run(name);
        told.says(0, &["2 of 2 sessions"]);
        trial.is_whole(name);
        let mut all = [trial.server.answered(), paid].concat();
        all.sort();
        assert_eq!(all, trial.questions, "{name}: what was answered is not asked again");
        tells_no_key(&told, &trial.out(name));
    }
    trial.server.play(respond_echoing);
    let told = trial.run("echo");
    told.says(0, &[]);
    tells_no_key(&told, &trial.out("echo"));
    let sent = trial.server.asked().iter().all(|asked| asked.authorization == Some(format!("Bearer {KEY}")));
    assert!(sent);
}

/// An answer with the key in every text of it.
fn respond_echoing(asked: &Asked) -> Play {
    let forms = forms_of_key().join(" ");
    let mut body = completion(&format!("{} {forms}", faulty::words(&asked.body)), "stop");
    body["model"] = forms.as_str().into();
    body["system_fingerprint"] = forms.as_str().into();
    body["choices"][0]["message"]["reasoning_content"] = format!("My key is {forms}.").into();
    Play::Respond(200, Vec::new(), body.to_string())
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_server_that_was_never_there_is_given_up_after_a_few_attempts() {
    let trial = Trial::new("");
    trial.server.play(|_| Play::Down(None));
    let told = trial.run("never");
    told.says(1, &["start the model server", "the same command again goes on"]);
    assert_eq!(told.stderr.matches("no connection").count(), 1, "told once: {told:#?}");
    assert!(questions(&trial.out("never")).is_empty());
}

/// Two servers, each with an arm and a group of models of its own.
fn two_servers(good: &Faulty, bad: &Faulty) -> String {
    let model = |server: &Faulty, more: &str| {
        let url = server.base_url();
        format!(
            "{{ openai: {{ base_url: \"{url}\", model: m, max_tokens: 60, context_window: 9000, concurrency: 2{more} }} }}"
        )
    };
    format!(
        "
replicates: 5
models: {{ good: {}, bad: {} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
seat_defaults: {{ model: good }}
discussion: {{ rounds: 1, vote: at_end }}
design: {{ factors: {{ model: {{ key: seat_defaults.model, levels: [bad, good] }} }}, baseline: {{ model: good }} }}
",
        model(good, ""),
        model(bad, ", retry_for_s: 1")
    )
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn sessions_of_other_servers_end_while_one_is_away_and_that_is_told_once() {
    let (place, good, bad) = (tempfile::tempdir().unwrap(), Faulty::start(), Faulty::start());
    let config = write_config(place.path(), &two_servers(&good, &bad));
    let (whole, out) = (place.path().join("whole"), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &["10 of 10 sessions"]);
    // Five answers are fewer than a session asks for, so that none of this server's ends, however they are interleaved.
    bad.play(|asked| if asked.place < 5 { Play::Answer } else { respond(503, &[], "out of order") });
    let arguments = ["run", text(&config), "--jobs", "3", "--out", text(&out)];
    let told = ekklesia(&arguments);
    told.says(1, &["not begun", "the same command again goes on", "5 of 10 sessions"]);
    let news = told.stderr.matches("no call begins until it answers").count();
    let reasons = told.stderr.matches("out of order").count();
    // Patience may end with the first wait; and what was answered already may arrive after the first failure, so that it is
    // away a second time.
    assert!(news <= 2, "once when it lasts: {told:#?}");
    assert_eq!(reasons, news + 1, "and once as a reason to stop: {told:#?}");
    let (answered, asked) = (good.answered(), bad.asked().len());
    bad.play(|_| Play::Answer);
    good.play(|_| Play::Answer);
    ekklesia(&arguments).says(0, &["10 of 10 sessions"]);
    assert!(good.asked().is_empty() && !answered.is_empty() && asked < 30, "{asked}");
    assert_same(&whole, &out);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_question_that_its_server_never_answers_stops_its_own_session_alone() {
    let trial = Trial::new(", retry_for_s: 0");
    let poison = trial.server.asked().into_iter().rev().find(|asked| {
        let digest = asked.digest();
        trial.questions.iter().filter(|question| **question == digest).count() == 1
    });
    let poison = poison.unwrap().digest();
    let bad = poison.clone();
    let body = fault_of("the prompt was refused");
    trial.server.play(move |asked| if asked.digest() == bad { respond(400, &[], &body) } else { Play::Answer });
    let told = trial.run("poison");
    told.says(1, &["1 of 2 sessions", "HTTP 400: the prompt was refused", "the same command again goes on"]);
    let times = trial.server.asked().iter().filter(|asked| asked.digest() == poison).count();
    assert_eq!(times, 1);
    trial.server.play(|_| Play::Answer);
    trial.run("poison").says(0, &[]);
    trial.is_whole("poison");
}
