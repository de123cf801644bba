//! Questions by file: whatever the order, the number and the gaps of the files of answers, the folder is that of a live run.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::fixtures::cli::{Told, assert_same, begun, contents, ekklesia, everything, json_lines, text};
use crate::fixtures::faulty::experiment::Trial;
use crate::fixtures::faulty::{completion, words};
use crate::fixtures::trial::write_config;

/// An experiment by file, beside the same run live.
struct ByFile {
    trial: Trial,
}

impl ByFile {
    fn new() -> Self {
        let trial = Trial::new("");
        trial.server.play(|asked| panic!("a deferred run calls no server: {}", asked.place));
        Self { trial }
    }

    fn out(&self) -> PathBuf {
        self.trial.out("by-file")
    }

    fn questions(&self) -> PathBuf {
        self.trial.place.path().join("questions")
    }

    fn run(&self, answers: &[&Path]) -> Told {
        let (out, questions) = (self.out(), self.questions());
        let mut arguments = vec!["run", text(&self.trial.config), "--out", text(&out), "--defer", text(&questions)];
        arguments.extend(answers.iter().flat_map(|file| ["--answers", text(file)]));
        ekklesia(&arguments)
    }

    fn answers(&self, lines: &[Value]) -> PathBuf {
        let file = self.trial.place.path().join("answers.jsonl");
        fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        file
    }

    /// All questions of all files, in their order.
    fn asked(&self) -> Vec<Value> {
        (1..).map_while(|number| self.file(number)).flatten().collect()
    }

    /// Where questions that nobody has answered are listed.
    fn lists(&self) -> Vec<PathBuf> {
        (1..99).map(|number| self.questions().join(format!("unanswered-{number:04}.jsonl"))).collect()
    }

    fn file(&self, number: u32) -> Option<Vec<Value>> {
        let file = self.questions().join(format!("questions-{number:04}.jsonl"));
        file.exists().then(|| json_lines(&file))
    }
}

fn is_of_questions(file: &Path) -> bool {
    text(file).starts_with("questions-")
}

fn id(question: &Value) -> &str {
    question["custom_id"].as_str().unwrap()
}

/// What a batch service says to a question that the server of live runs answers in the same words.
fn answered(question: &Value) -> Value {
    batch_reply(question, &words(&question["body"]))
}

/// The same with words that the question's form allows.
fn answered_at_once(question: &Value) -> Value {
    let schema = &question["body"]["response_format"]["json_schema"]["schema"]["properties"];
    batch_reply(question, if schema["choice"].is_null() { "CHOICE: for" } else { "{\"choice\": \"for\"}" })
}

fn batch_reply(question: &Value, words: &str) -> Value {
    let body = completion(words, "stop");
    let response = json!({ "status_code": 200, "request_id": "r", "body": body });
    json!({ "id": "batch_req", "custom_id": id(question), "response": response, "error": null })
}

#[test]
fn a_run_by_file_ends_as_the_live_run_with_the_same_replies() {
    let by_file = ByFile::new();
    let told = by_file.run(&[]);
    told.says(4, &["new questions to", "continue with the same command and --answers FILE", "incomplete"]);
    let mut steps = 0;
    let mut given = BTreeSet::new();
    loop {
        // Everything that is open and was not answered, the last first, and every third only the next time.
        let open: Vec<Value> = by_file.asked().into_iter().filter(|question| !given.contains(id(question))).collect();
        let now: Vec<&Value> =
            open.iter().rev().enumerate().filter(|(place, _)| (place + steps) % 3 > 0).map(|(_, one)| one).collect();
        given.extend(now.iter().map(|question| id(question).to_owned()));
        let answers = by_file.answers(&now.iter().map(|question| answered(question)).collect::<Vec<_>>());
        let before = everything(&by_file.questions());
        let told = by_file.run(&[&answers]);
        steps += 1;
        let again = everything(&by_file.questions());
        for (file, bytes) in before.iter().filter(|(file, _)| is_of_questions(file)) {
            assert!(again[file] == *bytes, "{} was changed", file.display());
        }
        if told.code == Some(0) {
            break;
        }
        told.says(4, &[" used"]);
        // A kill before the file was written leaves the record, and the questions are written again.
        if let Some(file) = again.keys().rfind(|file| is_of_questions(file) && !before.contains_key(*file)) {
            fs::remove_file(by_file.questions().join(file)).unwrap();
            by_file.run(&[]).says(4, &["new question"]);
            assert!(fs::read(by_file.questions().join(file)).unwrap() == again[file]);
        }
        assert!(steps < 200, "{told:#?}");
    }
    assert_same(&by_file.out(), &by_file.trial.out("whole"));
    let asked = by_file.asked();
    let ids: BTreeSet<&str> = asked.iter().map(id).collect();
    assert_eq!((ids.len(), asked.len()), (by_file.trial.questions.len(), by_file.trial.questions.len()));
    assert!(asked.iter().any(|question| id(question).rsplit(':').nth(1) == Some("1")), "somebody was asked again");
    assert!(!by_file.lists().iter().any(|list| list.exists()));
    ekklesia(&["replay", text(&by_file.out())]).says(0, &["no divergence"]);
    by_file.run(&[]).says(0, &[]);
}

#[test]
fn replies_that_are_no_answers_are_reported_and_nothing_else_is_lost() {
    let by_file = ByFile::new();
    by_file.run(&[]).says(4, &[]);
    let asked = by_file.asked();
    assert!(asked.len() >= 6, "{}", asked.len());
    let line = |place: usize, response: Value, error: Value| json!({ "custom_id": id(&asked[place]), "response": response, "error": error });
    let overflow = json!({ "error": { "message": "too many tokens", "code": "context_length_exceeded" } });
    let other = completion("{\"choice\": \"other words\"}", "stop");
    let lines = [
        answered(&asked[0]),
        line(0, json!({ "status_code": 200, "body": other }), Value::Null),
        line(1, json!({ "status_code": 500, "body": { "error": { "message": "it fell over" } } }), Value::Null),
        line(2, Value::Null, json!({ "code": "batch_expired", "message": "it was too late" })),
        line(3, Value::Null, Value::Null),
        line(4, json!({ "status_code": 400, "body": overflow }), Value::Null),
        line(5, Value::Null, json!("first a fault")),
        answered(&asked[5]),
        json!({ "custom_id": "stranger", "response": { "status_code": 200, "body": other } }),
        json!("no object"),
    ];
    let answers = by_file.answers(&lines);
    by_file.run(&[&answers]).says(
        4,
        &[
            "answers.jsonl:2: a second reply to",
            &format!("no answer to {}: HTTP 500: it fell over", id(&asked[1])),
            &format!("no answer to {}: ", id(&asked[2])),
            "it was too late",
            &format!("no answer to {}: it holds neither", id(&asked[3])),
            "answers.jsonl:7: no answer to",
            "answers.jsonl:8 has one",
            "answers.jsonl:9: this run asked no question stranger",
            "answers.jsonl:10: this is no reply of a batch",
            "3 of 7 answers used",
        ],
    );
    let lists = by_file.lists();
    let unanswered: Vec<Value> = lists.iter().filter(|list| list.exists()).flat_map(|list| json_lines(list)).collect();
    assert_eq!(unanswered, [&asked[1..4], &asked[6..]].concat());
    // The same answers once more change nothing.
    let before = contents(&by_file.out());
    by_file.run(&[&answers]).says(4, &["3 skipped: their questions are already answered"]);
    assert!(contents(&by_file.out()) == before);
    let faults: Vec<Value> = fs::read_dir(by_file.out().join("sessions"))
        .unwrap()
        .flat_map(|session| json_lines(&session.unwrap().path().join("calls.jsonl")))
        .filter(|line| line.get("fault").is_some())
        .collect();
    assert_eq!(faults.len(), 1);
    assert_eq!((&faults[0]["fault"], &faults[0]["raw"]), (&"context_too_long".into(), &"too many tokens".into()));
}

#[test]
fn answers_of_another_experiment_are_not_taken() {
    let by_file = ByFile::new();
    by_file.run(&[]).says(4, &[]);
    let answers = by_file.answers(&by_file.asked().iter().map(answered).collect::<Vec<_>>());
    let (out, questions) = (by_file.trial.out("other"), by_file.trial.place.path().join("elsewhere"));
    let run = |more: &[&str]| {
        let config = text(&by_file.trial.config);
        ekklesia(&[&["run", config, "--seed", "99", "--out", text(&out), "--defer"], more].concat())
    };
    // The first prompts of both may be the same; an answer counts in one of them.
    run(&[text(&questions)]).says(4, &[]);
    run(&[text(&questions), "--answers", text(&answers)]).says(4, &["0 of", "this run asked no question"]);
    // Files of another experiment in the same folder are left as they are.
    let before = everything(&by_file.questions());
    run(&[text(&by_file.questions())]).says(4, &["questions-0003.jsonl"]);
    let after = everything(&by_file.questions());
    assert!(before.iter().all(|(file, bytes)| after[file] == *bytes));
}

#[test]
fn a_run_by_file_goes_on_live_and_one_that_was_live_goes_on_by_file() {
    let by_file = ByFile::new();
    by_file.run(&[]).says(4, &[]);
    by_file.trial.server.play(|_| crate::fixtures::faulty::Play::Answer);
    let answers = by_file.answers(&by_file.asked().iter().take(3).map(answered).collect::<Vec<_>>());
    by_file.trial.run("by-file").says(0, &[]);
    assert_same(&by_file.out(), &by_file.trial.out("whole"));
    let out = by_file.trial.out("mixed");
    let config = text(&by_file.trial.config);
    let questions = by_file.trial.place.path().join("mixed-questions");
    ekklesia(&["run", config, "--out", text(&out), "--defer", text(&questions)]).says(4, &[]);
    ekklesia(&["run", config, "--out", text(&out), "--answers", text(&answers)]).says(0, &["3 of 3 answers used"]);
    assert_same(&out, &by_file.trial.out("whole"));
}

#[test]
fn sessions_that_wait_for_others_wait_for_their_answers() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(
        place.path(),
        "models: { m: { openai: { base_url: \"http://127.0.0.1:9/v1\", model: played, max_tokens: 60, context_window: 9000 } } }\n\
         seat_defaults: { model: m }\nseats: [{ name: Alice }, { name: Bob }]\npanel: { waves: 2 }\nmemory: { notes: {} }\n\
         discussion: { rounds: 1, vote: at_end }\n",
    );
    let (out, questions) = (place.path().join("out"), place.path().join("questions"));
    let run = |more: &[&str]| {
        let told =
            ekklesia(&[&["run", text(&config), "--out", text(&out), "--defer", text(&questions)], more].concat());
        assert!(!told.stderr.contains("needs the minutes"), "{told:#?}");
        told
    };
    let mut told = run(&["--json"]);
    let (mut number, answers) = (0, place.path().join("answers.jsonl"));
    while told.code == Some(4) {
        number += 1;
        let summary: Value = serde_json::from_str(&told.stdout).unwrap();
        let file = questions.join(format!("questions-{number:04}.jsonl"));
        assert_eq!(summary["questions"]["written"][0]["file"], text(&file));
        let lines: Vec<Value> = json_lines(&file).iter().map(answered).collect();
        assert_eq!(summary["questions"]["open"], lines.len());
        fs::write(&answers, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        told = run(&["--json", "--answers", text(&answers)]);
        assert!(number < 60);
    }
    told.says(0, &[]);
}

#[test]
fn designs_that_cannot_be_put_by_file_are_refused_with_the_reason() {
    let place = tempfile::tempdir().unwrap();
    let questions = place.path().join("questions");
    let model = |more: &str| {
        format!(
            "models: {{ m: {{ openai: {{ base_url: \"http://127.0.0.1:9/v1\", model: played{more} }} }}, p: {{ human: {{}} }} }}\n"
        )
    };
    let seats = |second: &str| format!("seats: [{{ name: Alice, model: m }}, {{ name: Bob, model: {second} }}]\n");
    for (body, words) in [
        (model("") + &seats("m"), "nobody knows the context window of \"played\""),
        (model(", context_window: 9000, stateful: true") + &seats("m"), "models.m is stateful"),
        (model(", context_window: 9000") + &seats("p"), "a person answers at this terminal"),
        (
            model(", context_window: 9000, answers: auto") + &seats("m"),
            "write answers: json_schema or answers: anchored",
        ),
    ] {
        let config = write_config(place.path(), &body);
        let out = place.path().join("out");
        ekklesia(&["run", text(&config), "--out", text(&out), "--defer", text(&questions)]).says(2, &[words]);
        assert!(!questions.exists() && !out.exists());
    }
}

#[test]
fn questions_whose_answers_may_cost_more_than_the_limit_are_not_written() {
    let trial = Trial::new(", price: { input_per_mtok: 1, output_per_mtok: 2 }");
    let questions = trial.place.path().join("questions");
    let run = |limit: &str| {
        let (config, out) = (text(&trial.config), trial.out("by-file"));
        ekklesia(&["run", config, "--out", text(&out), "--defer", text(&questions), "--budget-usd", limit])
    };
    run("0.0001")
        .says(4, &["no question was written: the answers to open questions may take $0.00", "raise the limit"]);
    assert!(!questions.exists());
    run("1").says(4, &["new questions to strict", "new questions to plain", "tokens, $0.0"]);
    assert_eq!(fs::read_dir(&questions).unwrap().count(), 2, "a file for each model");
    // What is open counts, even if nobody has answered it yet: half of it is, and then there is one new question.
    let told = run("1").stderr;
    let all: Vec<Value> =
        (1..=2).flat_map(|n| json_lines(&questions.join(format!("questions-{n:04}.jsonl")))).collect();
    let (first, others): (Vec<&Value>, Vec<&Value>) = all.iter().partition(|question| id(question).contains("r000001"));
    assert_eq!((first.len(), others.len()), (3, 3), "{told}");
    let answers = trial.place.path().join("answers.jsonl");
    let lines = first.iter().map(|question| format!("{}\n", answered_at_once(question))).collect::<String>();
    fs::write(&answers, lines).unwrap();
    let (out, spent) = (trial.out("by-file"), 3 * 98);
    let run = |tokens: u64| {
        let tokens = tokens.to_string();
        let by_file = ["--defer", text(&questions), "--answers", text(&answers), "--budget-tokens", &tokens, "--json"];
        ekklesia(&[&["run", text(&trial.config), "--out", text(&out)][..], &by_file].concat())
    };
    let least = (spent..9_000).step_by(100).find(|tokens| !run(*tokens).stderr.contains("no question was written"));
    let least = least.expect("with enough tokens it is written");
    let held = serde_json::to_string(&others).unwrap().len() as u64 / 8;
    assert!(
        least > spent + held,
        "{least} tokens suffice for a new question beside three open ones of {held} at least"
    );
    let told = run(spent + 100);
    told.says(4, &[]);
    assert!(told.stdout.contains("\"completed\":0"), "the summary is printed all the same: {told:#?}");
}

/// A reply that the question's schema allows.
fn allowed(question: &Value) -> Value {
    let fields = &question["body"]["response_format"]["json_schema"]["schema"]["properties"];
    let lot = blake3::hash(id(question).as_bytes()).as_bytes()[0];
    let value = |field: &Value| {
        let field = field["anyOf"].get(0).unwrap_or(field);
        match (field["enum"].as_array(), field["type"].as_str()) {
            (Some(values), _) => values[usize::from(lot) % values.len()].clone(),
            (None, Some("integer")) => field["minimum"].clone(),
            (None, Some("array")) => field["items"]["enum"].clone(),
            _ => json!("I have read it and thought about it for a while, and here is what I think."),
        }
    };
    let reply: serde_json::Map<String, Value> =
        fields.as_object().unwrap().iter().map(|(name, field)| (name.clone(), value(field))).collect();
    let body = completion(&Value::Object(reply).to_string(), "stop");
    json!({ "custom_id": id(question), "response": { "status_code": 200, "body": body } })
}

#[test]
fn a_session_needs_as_many_batches_as_check_tells() {
    for settings in [
        "discussion: { rounds: 2, order: simultaneous, vote: at_end }",
        "discussion: { rounds: 2, order: random, vote: at_end }\nstraw_polls: [before, each_round]",
        "discussion: { rounds: 3, order: fixed, vote: on_call, private_reasoning: true }\ndecision: { rule: unanimity }",
        "discussion: { rounds: 2, order: volunteer, vote: every_round }\nmemory: { policy: { compact: {} } }",
    ] {
        let place = tempfile::tempdir().unwrap();
        let config = write_config(
            place.path(),
            &format!(
                "models: {{ m: {{ openai: {{ base_url: \"http://127.0.0.1:9/v1\", model: played, context_window: 32000 }} }} }}\n\
                 seat_defaults: {{ model: m }}\nseats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Cem }}]\n{settings}\n"
            ),
        );
        let checked = ekklesia(&["check", text(&config), "--json"]);
        let told: Value = serde_json::from_str(&checked.stdout).unwrap_or_else(|_| panic!("{checked:#?}"));
        let [low, high] = ["low", "high"].map(|end| told["forecast"]["batches"][end].as_u64().unwrap());
        let (out, questions, answers) =
            (place.path().join("out"), place.path().join("questions"), place.path().join("answers.jsonl"));
        fs::write(&answers, "").unwrap();
        let mut batches = 0;
        loop {
            let by_file = ["--defer", text(&questions), "--answers", text(&answers)];
            let told = ekklesia(&[&["run", text(&config), "--out", text(&out)][..], &by_file].concat());
            if told.code == Some(0) {
                break;
            }
            told.says(4, &["new question"]);
            batches += 1;
            let file = questions.join(format!("questions-{batches:04}.jsonl"));
            let lines = json_lines(&file).iter().map(|question| format!("{}\n", allowed(question))).collect::<String>();
            fs::write(&answers, lines).unwrap();
        }
        assert!((low..=high).contains(&batches), "{settings}: {batches} batches, told were {low} to {high}");
    }
}

/// The bytes of all records of calls.
fn recorded(out: &Path) -> u64 {
    let sessions = fs::read_dir(out.join("sessions")).into_iter().flatten();
    sessions.filter_map(|session| Some(fs::metadata(session.ok()?.path().join("calls.jsonl")).ok()?.len())).sum()
}

#[test]
fn wherever_a_run_by_file_is_killed_it_ends_as_the_live_run() {
    let by_file = ByFile::new();
    let (out, questions) = (by_file.out(), by_file.questions());
    by_file.run(&[]).says(4, &[]);
    let mut kills = 0;
    for step in 0.. {
        assert!(step < 200);
        let answers = by_file.answers(&by_file.asked().iter().map(answered).collect::<Vec<_>>());
        // Killed as soon as so many more bytes are recorded, or when it has ended by itself.
        let before = recorded(&out);
        let by = ["--defer", text(&questions), "--answers", text(&answers)];
        let mut child = begun(&[&["run", text(&by_file.trial.config), "--out", text(&out)][..], &by].concat());
        while recorded(&out) < before + 1 + step * 97 && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
        let told = by_file.run(&[&answers]);
        if told.code == Some(0) {
            break;
        }
        told.says(4, &[]);
    }
    assert!(kills > 0, "no run was killed");
    assert_same(&out, &by_file.trial.out("whole"));
    let asked = by_file.asked();
    assert_eq!(asked.iter().map(id).collect::<BTreeSet<_>>().len(), asked.len(), "no question is written twice");
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}
