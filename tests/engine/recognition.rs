//! The question after everything else, whether a seat recognises what it took part in: it changes nothing, and every answer is kept.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{assert_same, calls, copy_recorded, ekklesia, everything, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{write_config, write_justice};
use ekklesia::domain::{Event, Record, Step};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

const PROBE: &str = "controls: { recognition_probe: true }\n";

/// Words with everything that a table could spoil.
const WORDS: &str = "It's \"12 Angry Men\", I think;\nor Asch (1956), the  lines.";

/// Seats of every kind, polls, thoughts, votes, memories that are rewritten, notes that are taken, meetings that follow.
fn crowded() -> String {
    let line = "{ phase: session, round: 0, step: recognition,";
    let said = serde_json::to_string(WORDS).unwrap();
    let table = |rest: &str| {
        let of_round = |round: u32| {
            format!(
                "{{ phase: discussion, round: {round}, step: reasoning, note: \"Quiet.\" }}, \
                 {{ phase: discussion, round: {round}, step: statement, statement: \"I favour it.\", stance: for }}, \
                 {{ phase: discussion, round: {round}, step: straw_poll, choice: for }}, "
            )
        };
        format!(
            "scripted: {{ table: [{}{}{{ phase: straw_before, round: 0, step: straw_poll, choice: for }}, \
             {{ phase: straw_after, round: 0, step: straw_poll, choice: for }}, \
             {{ phase: vote, round: 0, step: ballot, choice: for }}{rest}] }}",
            of_round(1),
            of_round(2)
        )
    };
    let seats = [
        ("Alice", "voter: { copy: 0.6 }".to_owned()),
        ("Bob", "random: { malformed: 0.3 }".to_owned()),
        ("Carol", table(&format!(", {line} recognises: {said} }}"))),
        ("Dora", table(&format!(", {line} raw: \"Hm.\" }}"))),
        ("Emil", table(&format!(", {line} assent: true }}"))),
        ("Fay", "silent: {}".to_owned()),
        ("Gus", table("")),
    ];
    let seats = seats.iter().map(|(name, mind)| format!("  - {{ name: {name}, mind: {{ {mind} }} }}\n"));
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{}\
         straw_polls: [before, each_round, after]\nreplicates: 3\npanel: {{ waves: 2 }}\n\
         discussion: {{ rounds: 2, order: random, vote: at_end, private_reasoning: true }}\n\
         memory: {{ notes: {{ max_lines: 4 }}, memory_character_limit: 1100, statement_max_length: 120 }}\n",
        seats.collect::<String>()
    )
}

fn run(place: &Path, out: &str, config: &Path) -> PathBuf {
    let out = place.join(out);
    ekklesia(&["run", text(config), "--out", text(&out)]).says(0, &[]);
    out
}

fn records(session: &Path) -> Vec<Record> {
    let minutes = fs::read_to_string(session.join("minutes.jsonl")).unwrap();
    minutes.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn sessions(out: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(out.join("sessions")).unwrap().map(|one| one.unwrap().path()).collect();
    all.sort();
    all
}

/// Digests of what was asked or written.
const DIGESTS: [&str; 2] = ["plan_digest", "minutes_digest"];

#[test]
fn it_comes_last_and_nothing_before_it_and_in_no_table_is_another() {
    let place = tempfile::tempdir().unwrap();
    let without = run(place.path(), "without", &write_config(place.path(), &crowded()));
    let with = run(place.path(), "with", &write_config(place.path(), &(crowded() + PROBE)));
    assert_eq!(sessions(&with).len(), 6);
    for (without, with) in sessions(&without).iter().zip(sessions(&with)) {
        let (plain, probed) = (records(without), records(&with));
        let asked = |record: &&Record| record.at.step == Step::Recognition;
        let last = plain.len() - 1;
        assert!(probed[1..last].iter().zip(&plain[1..last]).all(|(one, other)| one == other));
        let between = &probed[last..probed.len() - 1];
        assert!(!between.is_empty() && between.iter().all(|record| asked(&record)), "asked once all else is over");
        assert!(!probed[..last].iter().any(|record| asked(&record)));
        assert_eq!(probed.last().unwrap().event, plain[last].event);
        // The beginning says which plan, and which minutes came before; who notes what is handed on alike.
        let notes = |session: &Path| fs::read(session.join("notes.json")).ok();
        let lines = |session: &Path| {
            notes(session).map(|bytes| serde_json::from_slice::<Value>(&bytes).unwrap()["seats"].clone())
        };
        assert_eq!(lines(without), lines(&with));
    }
    let mut tables = 0;
    for path in everything(&without).keys().filter(|path| path.extension().is_some_and(|ending| ending == "csv")) {
        if path.starts_with("inputs") || path.ends_with("codebook.csv") {
            continue;
        }
        let strip = |out: &Path| {
            let mut rows = rows(out, path.file_stem().unwrap().to_str().unwrap());
            rows.retain(|row| row.get("step").is_none_or(|step| step != "recognition"));
            for row in &mut rows {
                row.retain(|column, _| !DIGESTS.contains(&column.as_str()) && !column.starts_with("recognised"));
                // Records that stand behind the question count on.
                if path.ends_with("tallies.csv") {
                    row.remove("seq");
                }
            }
            rows
        };
        assert!(strip(&without) == strip(&with), "{}", path.display());
        tables += 1;
    }
    assert!(tables >= 10, "{tables}");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn each_seat_has_yes_or_no_its_words_as_it_wrote_them_or_why_there_are_none() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), "out", &write_config(place.path(), &(crowded() + PROBE)));
    let (mut of_random, mut cells) = (0, Vec::new());
    for (line, row) in rows(&out, "seats").iter().enumerate() {
        let told = ["recognised", "recognised_as", "recognised_status"].map(|column| row[column].as_str());
        let expected = match row["seat"].as_str() {
            "Carol" => ["yes", WORDS, "valid"],
            "Dora" => ["", "", "invalid"],
            "Emil" => ["yes", "", "valid"],
            "Bob" => {
                of_random += usize::from(told[2] == "valid");
                if told[2] == "valid" { ["no", "", "valid"] } else { ["", "", "invalid"] }
            }
            _ => ["no", "", "valid"],
        };
        assert_eq!(told, expected, "{}", row["seat"]);
        for column in ["recognised", "recognised_as", "recognised_status"] {
            if line < 7 {
                cells.push(format!("{}:{}:{column}", text(&out.join("seats.csv")), line + 2));
            }
        }
    }
    for cell in sample_cases(cells, 4) {
        ekklesia(&["why", &cell]).says(0, &[]);
    }
    assert!(of_random > 0, "a random mind recognises nothing, and now and then says nothing that can be read");
    let session = &sessions(&out)[0];
    let shown = ekklesia(&["show", text(session)]);
    shown.says(0, &["recognises what it took part in", "12 Angry Men", "recognises nothing"]);
    ekklesia(&["search", text(session), "Angry"]).says(0, &["12 Angry Men"]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("whether it recognised"), "{methods}");

    let plain = run(place.path(), "plain", &write_config(place.path(), &crowded()));
    for row in rows(&plain, "seats") {
        assert_eq!(["recognised", "recognised_as", "recognised_status"].map(|column| row[column].as_str()), [""; 3]);
    }
    // What nobody said, a changed byte would say.
    let minutes = session.join("minutes.jsonl");
    let words = fs::read_to_string(&minutes).unwrap();
    fs::write(&minutes, words.replacen("\"recognised\":false", "\"recognised\":true", 1)).unwrap();
    ekklesia(&["replay", text(session)]).says(3, &["recognition"]);
}

#[test]
fn it_is_asked_after_payment_and_of_no_seat_that_was_sent_away() {
    let place = tempfile::tempdir().unwrap();
    let body = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nreplicates: 2\n\
                seats: [{ count: 3, name: \"Member {n}\" }]\nstraw_polls: [after]\ndiscussion: { rounds: 3 }\n";
    let out = run(place.path(), "out", &write_justice(place.path(), &(body.to_owned() + PROBE)));
    for session in sessions(&out) {
        let records = records(&session);
        let asked: Vec<usize> = (0..records.len()).filter(|at| records[*at].at.step == Step::Recognition).collect();
        assert_eq!(asked, (records.len() - 4..records.len() - 1).collect::<Vec<_>>());
        let paid = records.iter().rposition(|record| matches!(record.event, Event::Paid(_))).unwrap();
        assert!(paid < asked[0]);
    }
}

/// A model that recognises what it took part in, declines to say, or says what cannot be read, by who it is.
fn model(request: &Request) -> ResponseTemplate {
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let prompt = body["messages"].to_string();
    let properties = &body["response_format"]["json_schema"]["schema"]["properties"];
    let is_of = |name: &str| prompt.contains(&format!("You are {name}"));
    let probed = properties.get("recognised").is_some();
    let content = match () {
        () if probed && is_of("Alice") => json!({ "recognised": "yes", "which": WORDS }).to_string(),
        () if probed && is_of("Carol") => "It is hard to say.".to_owned(),
        () if probed => json!({ "recognised": "no", "which": null }).to_string(),
        () if properties.get("choice").is_some() => json!({ "choice": "for" }).to_string(),
        () => json!({ "statement": "It would be quiet.", "stance": "for" }).to_string(),
    };
    let (content, refusal) = if probed && is_of("Bob") {
        (Value::Null, json!("I would rather not say."))
    } else {
        (json!(content), Value::Null)
    };
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "index": 0, "finish_reason": "stop",
                      "message": { "role": "assistant", "content": content, "refusal": refusal } }],
        "model": "played-1",
        "usage": { "prompt_tokens": 90, "completion_tokens": 8 },
    }))
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn models_are_asked_offline_gives_the_same_and_a_finished_session_can_be_asked_in_a_fork() {
    let place = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(async {
        let server = MockServer::start().await;
        Mock::given(method("POST")).respond_with(model).mount(&server).await;
        server
    });
    let asked = || runtime.block_on(server.received_requests()).unwrap().len();
    let body = format!(
        "models: {{ small: {{ openai: {{ base_url: \"{}/v1\", model: m, context_window: 60000 }} }} }}\n\
         seat_defaults: {{ model: small }}\nseats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}, {{ name: Dora }}]\n\
         discussion: {{ rounds: 1, order: fixed, vote: at_end }}\n",
        server.uri()
    );
    let plain = run(place.path(), "plain", &write_config(place.path(), &body));
    let before = asked();
    let change = place.path().join("change.yaml");
    fs::write(&change, "set: { controls.recognition_probe: true }\n").unwrap();
    let fork = place.path().join("fork");
    let parent = plain.join("sessions/baseline-r000001");
    ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    // One question each, and two more tries for each of the two that gave no valid answer.
    assert_eq!(asked() - before, 8, "what was answered before is not asked again");

    let with_probe = write_config(place.path(), &(body.clone() + PROBE));
    let live = run(place.path(), "live", &with_probe);
    for out in [&live, &fork] {
        let seats = rows(out, "seats");
        let told = |column: &str| seats.iter().map(|row| row[column].clone()).collect::<Vec<_>>();
        assert_eq!(told("recognised"), ["yes", "", "", "no"]);
        assert_eq!(told("recognised_as"), [WORDS, "", "", ""]);
        assert_eq!(told("recognised_status"), ["valid", "refused", "invalid", "valid"]);
        let steps = |row: &&BTreeMap<String, String>| row["step"] == "recognition";
        let answers = rows(out, "answers");
        assert_eq!(answers.iter().filter(steps).count(), 8);
        // Neither who declined it nor who said nothing that could be read spoils the session's other answers; each call was paid for.
        let without = &rows(&plain, "sessions")[0];
        for session in rows(out, "sessions") {
            for column in ["answers", "n_first_try", "n_reasked", "n_invalid", "n_refused", "n_forfeit"] {
                assert_eq!(session[column], without[column], "{column}");
            }
            let calls = |row: &BTreeMap<String, String>| row["calls"].parse::<usize>().unwrap();
            assert_eq!(calls(&session), calls(without) + 8);
        }
        assert!(seats.iter().all(|row| (row["n_invalid"].as_str(), row["n_refused"].as_str()) == ("0", "0")));
        for (table, column) in [("sessions", "answers"), ("sessions", "n_invalid"), ("seats", "n_refused")] {
            ekklesia(&["why", &format!("{}:1:{column}", text(&out.join(format!("{table}.csv"))))]).says(0, &[]);
        }
        ekklesia(&["replay", text(out)]).says(0, &["no divergence"]);
    }
    let probing: Vec<Value> = calls(&live.join("sessions/baseline-r000001/calls.jsonl"))
        .into_iter()
        .filter(|line| line["question"]["at"]["step"] == "recognition")
        .collect();
    assert_eq!(probing.len(), 8);

    let copy = place.path().join("copy");
    copy_recorded(&live, &copy);
    let before = asked();
    ekklesia(&["run", text(&with_probe), "--offline", "--out", text(&copy)]).says(0, &[]);
    assert_same(&live, &copy);
    assert_eq!(asked(), before);
}
