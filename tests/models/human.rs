//! People at the terminal: what they type is recorded, replayed, resumed and made again like any other answer.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "a child is waited for; nothing that is asserted depends on how long")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::fixtures::cli::{Told, assert_same, calls, ekklesia, is_pass, json_lines, program, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{write_config, write_own_scenario};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wiremock::{Mock, MockServer, Request, ResponseTemplate, matchers::method};

/// One person at a table with a rule and a script whose words would clear the screen.
const ONE: &str = r#"
models: { person: { human: { id: P01 } }, sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, model: person }
  - { name: Bob, mind: { voter: { copy: 0.5 } } }
  - name: Carol
    mind: { scripted: { table: [
      { phase: straw_before, round: 0, step: straw_poll, choice: for },
      { phase: discussion, round: 1, step: statement, statement: "Look \e[2J\u202Ehere, \a all of you.", stance: for },
      { phase: discussion, round: 2, step: statement, pass: true },
      { phase: vote, round: 0, step: ballot, choice: for } ] } }
straw_polls: [before]
discussion: { rounds: 2, order: fixed, vote: at_end }
"#;

/// What Alice types there, an answer each; the third cannot be used.
const TYPED: [&str; 5] = [
    "1\n",
    "STANCE: for\nSTATEMENT: It would be quiet.\n.\n",
    "3\nI cannot decide.\n\n",
    "none\nI cannot decide.\n\n",
    "against\n",
];

/// The same as it is recorded.
const RAW: [&str; 5] =
    ["1", "STANCE: for\nSTATEMENT: It would be quiet.", "3\nI cannot decide.", "none\nI cannot decide.", "against"];

/// Two people and nobody else.
const TWO: &str = "
models: { person: { human: {} } }
seat_defaults: { model: person }
seats: [{ name: Alice }, { name: Bob }]
straw_polls: [before]
discussion: { rounds: 1, order: fixed, vote: at_end }
";

/// Runs the program while these words are typed, which then end.
fn typing(words: &str, arguments: &[&str]) -> Told {
    let mut child = waiting(arguments);
    // A program that has read enough no longer listens; what it came to is asserted.
    let _ = child.stdin.take().expect("piped").write_all(words.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Told { code: output.status.code(), stdout: words(&output.stdout), stderr: words(&output.stderr) }
}

/// The program, which waits for what is typed.
fn waiting(arguments: &[&str]) -> Child {
    let mut command = program(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program was built")
}

fn config(folder: &Path, body: &str) -> PathBuf {
    write_config(folder, body)
}

fn record(out: &Path) -> PathBuf {
    out.join("sessions/baseline-r000001/calls.jsonl")
}

fn raws(out: &Path) -> Vec<String> {
    calls(&record(out)).iter().map(|line| line["raw"].as_str().expect("words").to_owned()).collect()
}

/// A whole session of `ONE`.
fn whole(place: &Path) -> (PathBuf, PathBuf, Told) {
    let (config, out) = (config(place, ONE), place.join("whole"));
    let told = typing(&TYPED.concat(), &["run", text(&config), "--out", text(&out)]);
    told.tells(&[
        "human seats: 1 · some seats are simulated minds",
        "recorded: same bytes from the recorded answers",
        "1 re-asked",
    ]);
    (config, out, told)
}

#[test]
fn what_a_person_types_is_recorded_as_it_was_typed_and_makes_the_session_again() {
    let place = tempfile::tempdir().unwrap();
    let (config, out, told) = whole(place.path());
    assert_eq!(raws(&out), RAW);
    for line in calls(&record(&out)) {
        assert_eq!((&line["asked"], &line["by"], &line["model"]), (&json!("person"), &json!("P01"), &Value::Null));
    }
    let table = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert!(table("methods.md").contains("People answered for 1 of them"), "{}", table("methods.md"));
    assert!(table("statements.csv").contains("I cannot decide."));
    assert!(table("sessions.csv").contains(",recorded,"));
    let seats = table("seats.csv");
    let mut rows = csv::Reader::from_reader(seats.as_bytes());
    let column =
        |name: &str, rows: &mut csv::Reader<&[u8]>| rows.headers().unwrap().iter().position(|h| h == name).unwrap();
    let (model, served, refused) =
        (column("model", &mut rows), column("model_served", &mut rows), column("n_invalid", &mut rows));
    let alice = rows.records().next().unwrap().unwrap();
    assert_eq!((&alice[model], &alice[served], &alice[refused]), ("person", "", "0"));
    assert!(told.stdout.contains("0 model calls"), "{told:#?}");

    ekklesia(&["replay", text(&out)]).says(0, &["no divergence", "5 from the record"]);
    let copy = place.path().join("copy");
    for kept in ["inputs", "plan.yaml", "sessions/baseline-r000001/calls.jsonl"] {
        let (from, to) = (out.join(kept), copy.join(kept));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        assert!(Command::new("cp").arg("-r").args([from, to]).status().unwrap().success());
    }
    ekklesia(&["run", text(&config), "--offline", "--out", text(&copy)]).says(0, &[]);
    assert_same(&out, &copy);
    ekklesia(&["run", text(&config), "--offline", "--out", text(&place.path().join("new"))])
        .says(4, &["straw_poll of Alice", "no recorded answer"]);
    // Another person may go on: who types is no part of the session.
    fs::write(&config, fs::read_to_string(&config).unwrap().replace("P01", "P02")).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 session complete already"]);
}

#[test]
fn how_to_type_is_told_in_lines_that_fit_the_terminal() {
    let place = tempfile::tempdir().unwrap();
    write_own_scenario(place.path(), "motion", |written| {
        written.replace("For the motion", &format!("For the motion{}", ", and for each of its seven parts".repeat(4)))
    });
    let body = ONE.replace("discussion:", "scenario: own\ndiscussion:");
    let config = config(place.path(), &body);
    let written = fs::read_to_string(&config).unwrap();
    let own = written.lines().filter(|line| !line.contains("scenarios/motion")).collect::<Vec<_>>().join("\n");
    fs::write(&config, own).unwrap();
    let told = typing(&TYPED.concat(), &["run", text(&config), "--out", text(&place.path().join("out"))]);
    told.says(0, &["  1  for  For the motion, and for each"]);
    let wide: Vec<&str> = told.stderr.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn a_fork_asks_a_person_only_what_is_another_question_than_before() {
    let place = tempfile::tempdir().unwrap();
    let (_, out, _) = whole(place.path());
    let change = place.path().join("change.yaml");
    let silent = "at: { seat: Bob, phase: discussion, round: 1, step: statement }\nsilent: true\n";
    fs::write(&change, silent).unwrap();
    let (session, fork) = (out.join("sessions/baseline-r000001"), place.path().join("fork"));
    let arguments = ["fork", text(&session), "--change", text(&change), "--out", text(&fork)];
    let told = typing("none\nNow that Bob is silent.\n\nagainst\n", &arguments);
    told.says(0, &["2 calls made, 2 answers from the record"]);
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn input_that_ends_stops_the_session_and_what_was_answered_is_not_asked_again() {
    let place = tempfile::tempdir().unwrap();
    let (config, whole, _) = whole(place.path());
    for answered in sample_cases(0..TYPED.len(), 3) {
        let out = place.path().join(format!("cut-{answered}"));
        let arguments = ["run", text(&config), "--out", text(&out)];
        // The last answer is cut off before its end, which is none.
        let cut_off = TYPED[answered].trim_end_matches(['\n', '.']);
        let told = typing(&(TYPED[..answered].concat() + cut_off), &arguments);
        told.says(4, &["Alice has not answered: the input ended", "the same command again goes on"]);
        if answered > 0 {
            assert_eq!(raws(&out), RAW[..answered]);
        }
        typing(&TYPED[answered..].concat(), &arguments).says(0, &[]);
        assert_eq!(raws(&out), RAW);
        assert_same(&whole, &out);
    }
}

/// Reads what the program says until it waits for an answer for the nth time.
fn until_asked(child: &mut Child, times: usize) -> String {
    let mut said = String::new();
    let stderr = child.stderr.as_mut().expect("piped");
    let mut byte = [0];
    while said.matches("\n> ").count() < times {
        stderr.read_exact(&mut byte).unwrap_or_else(|error| panic!("{error}: {said}"));
        said.push(char::from(byte[0]));
    }
    said
}

fn typed(child: &mut Child, words: &str) {
    let stdin: &mut ChildStdin = child.stdin.as_mut().expect("piped");
    stdin.write_all(words.as_bytes()).expect("it listens");
    stdin.flush().expect("it listens");
}

#[test]
fn a_run_that_is_interrupted_or_killed_while_it_waits_goes_on_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let (config, whole, _) = whole(place.path());
    for (signal, code) in [("-INT", Some(130)), ("-KILL", None)] {
        let out = place.path().join(signal);
        let arguments = ["run", text(&config), "--out", text(&out)];
        let mut child = waiting(&arguments);
        let first = until_asked(&mut child, 1);
        assert!(first.contains("1  for  For the motion"), "{first}");
        typed(&mut child, TYPED[0]);
        until_asked(&mut child, 1);
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        // Its input stays open: it must not wait for a line.
        let mut said = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_to_string(&mut said).unwrap();
        while child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        assert_eq!(child.wait().unwrap().code(), code, "{said}");
        assert_eq!(raws(&out), RAW[..1]);
        typing(&TYPED[1..].concat(), &arguments).says(0, &[]);
        assert_same(&whole, &out);
    }
}

#[test]
fn words_of_others_cannot_act_on_the_terminal() {
    let place = tempfile::tempdir().unwrap();
    let (_, out, told) = whole(place.path());
    let said = fs::read_to_string(out.join("sessions/baseline-r000001/minutes.jsonl")).unwrap();
    assert!(said.contains("\\u001b[2J"), "the record keeps what was said");
    assert!(told.stderr.contains("Look \\u{1b}[2J\\u{202e}here, \\u{7} all of you."), "{}", told.stderr);
    assert!(!told.stderr.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{}", told.stderr);
    assert!(told.stderr.contains("Your last reply named something that is not an option."), "{}", told.stderr);
}

#[test]
fn several_people_are_called_one_after_the_other_and_a_line_too_early_is_no_answer() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (config(place.path(), TWO), place.path().join("out"));
    let turns = [
        "\n1\n",                        // Alice's poll
        "against\n\n2\n",               // Bob's, after a line nobody asked for
        "\n1\nIt would be quiet.\n.\n", // Alice speaks
        "\npass\n",
        "\n1\n",
        "\n.\n1\n", // an empty answer, and one that counts
    ];
    let told = typing(&turns.concat(), &["run", text(&config), "--out", text(&out)]);
    told.says(0, &["human seats: 2\n", "counts for nothing. Press Enter."]);
    assert_eq!(raws(&out), ["1", "2", "1\nIt would be quiet.", "pass", "1", "", "1"]);
    let called: Vec<&str> = told.stderr.lines().filter(|line| line.contains("it is your turn")).collect();
    let names: Vec<&str> = called.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(names, ["Alice", "Bob", "Alice", "Bob", "Alice", "Bob"]);
    assert!(!told.stderr.contains("Bob said: \"against\""), "{}", told.stderr);
    let kinds: Vec<Value> = json_lines(&out.join("sessions/baseline-r000001/minutes.jsonl"));
    assert!(kinds.iter().any(is_pass));
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
fn people_are_called_to_the_terminal_in_the_sessions_language() {
    let place = tempfile::tempdir().unwrap();
    let config = config(place.path(), TWO);
    for (language, turn, early) in
        [("es", "Alice: es su turno", "esa línea no cuenta"), ("zh", "Alice: 轮到你了", "这一行不算")]
    {
        let (out, set) = (place.path().join(language), format!("language={language}"));
        let told = typing("for\n", &["run", text(&config), "--out", text(&out), "--set", &set]);
        told.says(4, &[turn, early]);
    }
}

/// What a model in Alice's place says to each kind of question, in the anchored form.
fn scripted(request: &Request) -> ResponseTemplate {
    let body: Value = serde_json::from_slice(&request.body).expect("a request is JSON");
    let prompt = body["messages"].as_array().expect("messages").last().expect("a question")["content"].to_string();
    let words = match () {
        () if prompt.contains("STATEMENT:") && prompt.contains("Your last reply") => {
            "STANCE: for\nSTATEMENT: It would be quiet, at last."
        }
        () if prompt.contains("STATEMENT:") => "STANCE: perhaps\nSTATEMENT: It would be quiet.",
        () if prompt.contains("RECOGNISED:") => "RECOGNISED: yes\nWHICH: Asch, 1956,\nor one like it",
        () if prompt.contains("RANKING:") => "RANKING: for > against\nCERTAINTY: sure",
        () if prompt.contains("LOOK_UP:") => "LOOK_UP: quiet",
        () => "CHOICE: for",
    };
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": words } }],
        "model": "played-1",
    }))
}

/// Minutes without what names a model, and what it came to.
fn unnamed(mut record: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                ["model_served", "usage", "plan_digest", "plan"].iter().for_each(|key| drop(fields.remove(*key)));
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut record);
    record
}

#[test]
fn a_person_who_types_what_a_model_says_leaves_the_same_minutes() {
    let place = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(async {
        let server = MockServer::start().await;
        Mock::given(method("POST")).respond_with(scripted).mount(&server).await;
        server
    });
    let model = format!(
        "{{ openai: {{ base_url: \"{}/v1\", model: m, answers: anchored, context_window: 60000 }} }}",
        server.uri()
    );
    for memory in ["{}", "{ look_up: true }"] {
        let body = |answers: &str| {
            let alone = ONE.replace("{ human: { id: P01 } }", answers);
            format!("{alone}memory: {memory}\ncontrols: {{ recognition_probe: true }}\n")
        };
        let (called, asked) = (place.path().join("called"), place.path().join("asked"));
        let with_model = config(place.path(), &body(&model));
        ekklesia(&["run", text(&with_model), "--out", text(&called)]).says(0, &[]);
        let said = calls(&record(&called));
        let words: Vec<String> = said
            .iter()
            .map(|line| {
                let words = line["raw"].as_str().unwrap();
                format!("{words}\n{}", if words.contains('\n') { ".\n" } else { "" })
            })
            .collect();
        let with_person = config(place.path(), &body("{ human: {} }"));
        typing(&words.concat(), &["run", text(&with_person), "--out", text(&asked)]).says(0, &[]);
        let minutes = |out: &Path| -> Vec<Value> {
            let lines = json_lines(&out.join("sessions/baseline-r000001/minutes.jsonl"));
            lines.into_iter().map(unnamed).collect()
        };
        assert_eq!(minutes(&called), minutes(&asked));
        assert!(minutes(&asked).len() > 20);
        let seats = fs::read_to_string(asked.join("seats.csv")).unwrap();
        assert!(seats.contains("yes,\"Asch, 1956,\nor one like it\",valid"), "{seats}");
        assert_eq!(raws(&called), raws(&asked));
        assert!(calls(&record(&asked)).iter().all(|line| line.get("by").is_none()), "nobody is named who is not");
        fs::remove_dir_all(called).unwrap();
        fs::remove_dir_all(asked).unwrap();
    }
}

#[test]
fn people_are_foreseen_and_what_cannot_be_is_told() {
    let place = tempfile::tempdir().unwrap();
    let many = config(place.path(), &format!("{ONE}replicates: 40\n"));
    ekklesia(&["check", text(&many)]).says(0, &["1 × person (a person)", "asked of people at the terminal: 160"]);
    let told = ekklesia(&["check", text(&many), "--json"]);
    let design: Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(design["forecast"]["people"]["high"], 160);
    assert_eq!(design["forecast"]["models"]["calls_at_most"], 0, "{}", design["forecast"]);
    let shown = ekklesia(&["check", text(&many), "--show", "Alice:ballot"]);
    assert!(
        !shown.says(0, &["models.person · a person"]).stdout.contains("CHOICE:"),
        "that is a model's form: {shown:?}"
    );
    // What people type is no call of a model, in an outlook neither.
    let pilot = place.path().join("pilot");
    typing(&TYPED.concat(), &["run", text(&many), "--pilot", "1", "--out", text(&pilot)])
        .says(0, &["model calls         about 0 (0 – 0 a session)"]);
    let named = config(place.path(), &ONE.replace("P01", "Ann Author"));
    ekklesia(&["check", text(&named)]).says(2, &["models.person.human.id", "no pseudonym", "P01"]);
    let written = config(place.path(), &format!("{ONE}memory: {{ summary_model: person }}\n"));
    ekklesia(&["check", text(&written)]).says(2, &["memory.summary_model", "is a person"]);
    let priced = config(place.path(), &ONE.replace("id: P01", "price: 3"));
    ekklesia(&["check", text(&priced)]).says(2, &["price"]);
    // Nobody is there: nothing is made up.
    let out = place.path().join("nobody");
    let one = config(place.path(), ONE);
    ekklesia(&["run", text(&one), "--out", text(&out)]).says(4, &["the input ended"]);
    let lines = BufReader::new(fs::File::open(out.join("sessions/baseline-r000001/minutes.jsonl")).unwrap()).lines();
    assert!(lines.map(Result::unwrap).all(|line| !line.contains("Faulted")));
}
