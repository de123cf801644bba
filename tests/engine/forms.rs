//! Forms that a scenario asks: every kind of field, answered by minds, scripts and models.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{assert_same, ekklesia, text};
use crate::fixtures::faulty::{Faulty, Play, completion};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, folded, read, whole, write_motion_agenda};
use crate::oracle::check_cells;
use ekklesia::domain::{Answered, Consequence, EntryKind, Event, Faulted, Record, SeatId, Step};
use ekklesia::plan::Plan;
use serde_json::{Value, json};

/// A form of every kind of field before the talk, and another after the vote.
const AGENDA: &str = "agenda:
  - name: first-look
    ask:
      - { id: agree, scale: { from: 1, to: 7, labels: { 1: not at all, 7: fully } }, question: \"How far do you agree?\" }
      - { id: why, text: { chars: [2, 200] }, question: \"Why?\", optional: true }
  - { name: discussion, discussion: {} }
  - { name: vote, vote: {} }
  - name: after
    ask:
      - { id: trust, number: { min: -2.5, max: 2.5, decimals: 1, unit: points }, question: \"How far do you trust them?\" }
      - { id: pick, choice: { options: [one, two, three of them] }, question: \"Which?\" }
      - { id: liked, approval: { options: [a, b, c] }, question: \"Which do you like?\" }
      - { id: order, ranking: { options: [x, y, z] }, question: \"Rank these.\", help: \"All of them.\" }
      - { id: points, score: { options: [x, y], max: 10 }, question: \"Score these.\" }
      - { id: share, allocation: { options: [a, b, c], points: 10 }, question: \"Share ten points.\" }
      - { id: again, yes_no: {}, question: \"Again?\" }
";

/// Answers to both forms in a script.
const TABLE: &str = "scripted: { table: [
      { phase: first-look, round: 0, step: ask, answer: { agree: 6 } },
      { phase: discussion, round: 1, step: statement, statement: \"I favour it.\", stance: for },
      { phase: discussion, round: 2, step: statement, pass: true },
      { phase: vote, round: 0, step: ballot, choice: for },
      { phase: after, round: 0, step: ask, answer: { trust: -0.5, pick: three of them, liked: [], order: [z, x, y],
        points: { x: 3, y: 10 }, share: { a: 1, b: 9, c: 0 }, again: true } } ] }";

fn write_survey(place: &Path, seats: &str, more: &str) -> PathBuf {
    let body = format!(
        "experiment: survey\nscenario: own\nseed: 5\nreplicates: 3\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim }}\nseats:\n{seats}discussion: {{ rounds: 2 }}\n{more}"
    );
    write_motion_agenda(place, AGENDA, &body)
}

fn simulated_seats() -> String {
    format!(
        "  - {{ name: Alice, mind: {{ voter: {{ copy: 0.5 }} }} }}\n  - {{ name: Bob, mind: {{ random: {{ malformed: 0.6 }} }} }}\n  \
         - name: Carol\n    mind:\n      {TABLE}\n  - {{ name: Dora, mind: {{ silent: {{}} }} }}\n"
    )
}

fn survey_plan(place: &Path, more: &str) -> Arc<Plan> {
    Arc::clone(&read(&write_survey(place, &simulated_seats(), more)).arms[0])
}

#[test]
fn every_field_is_in_the_tables_as_the_minutes_have_it() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_survey(place.path(), &simulated_seats(), ""), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let seen = check_cells(&out, 1);
    for column in ["values:value", "values:value_n", "values:status", "values:field", "seats:ans_first_look_agree"] {
        assert!(seen.contains(column), "{column} of {seen:?}");
    }
    let values = rows(&out, "values");
    assert_eq!(values.len(), 3 * 4 * 9, "a row for each session, seat and field");
    let of = |seat: &str, field: &str, column: &str| {
        let row = values.iter().find(|row| row["seat"] == seat && row["field"] == field).unwrap();
        row[column].clone()
    };
    let said = [
        ("agree", "6", "6.000000"),
        ("why", "", ""),
        ("trust", "-0.5", "-0.500000"),
        ("pick", "three of them", ""),
        ("liked", "none", ""),
        ("order", "z > x > y", ""),
        ("points", "x = 3, y = 10", ""),
        ("share", "a = 1, b = 9, c = 0", ""),
        ("again", "yes", "1.000000"),
    ];
    for (field, value, number) in said {
        assert_eq!((of("Carol", field, "value").as_str(), of("Carol", field, "value_n").as_str()), (value, number));
        assert_eq!((of("Dora", field, "value").as_str(), of("Dora", field, "status").as_str()), ("", "invalid"));
    }
    let replayed = ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]);
    replayed.says(0, &["no seat was shown anything that it had not witnessed"]);
}

#[test]
fn a_session_with_forms_goes_on_after_any_record_and_its_seats_remember_their_answers() {
    let place = tempfile::tempdir().unwrap();
    for memory in ["", "memory: { policy: full, pin: [own_answer] }\n", "memory: { memory_character_limit: 500 }\n"] {
        let plan = survey_plan(place.path(), memory);
        let records = whole(&plan, 1);
        check_every_cut(&plan, 1, &records);
        let state = folded(&plan, 1, &records);
        let brief = state.memory().in_hand(SeatId(2));
        let own = brief.own.iter().chain(brief.pinned).filter(|entry| entry.kind == EntryKind::OwnAnswer);
        let own: Vec<&str> = own.map(|entry| entry.text.as_str()).collect();
        if !memory.contains("limit") {
            assert_eq!(own[0], "You answered: «How far do you agree? (1: not at all, 7: fully)» 6; «Why?» none");
            let start = "You answered: «How far do you trust them? (points)» -0.5; «Which?» three of them; «Which do you like?» none";
            assert!(own[1].starts_with(start), "{}", own[1]);
        }
    }
}

fn values_of(records: &[Record], phase: &str) -> BTreeMap<String, Value> {
    let values = records.iter().filter(|record| record.at.phase.as_str() == phase).filter_map(|record| {
        let Event::Answered(Answered { values, .. }) = &record.event else { return None };
        Some((record.seat.as_ref().unwrap().to_string(), serde_json::to_value(values).unwrap()))
    });
    values.collect()
}

/// The last message of a request.
fn question(body: &Value) -> String {
    let last = body["messages"].as_array().and_then(|messages| messages.last());
    last.and_then(|last| last["content"].as_str()).unwrap_or_default().to_owned()
}

fn minutes(session: &Path) -> Vec<Record> {
    let written = fs::read_to_string(session.join("minutes.jsonl")).unwrap();
    written.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_model_answers_in_both_forms_and_is_told_which_field_was_wrong() {
    for answers in ["json_schema", "anchored"] {
        let place = tempfile::tempdir().unwrap();
        let server = Faulty::start();
        let is_json = answers == "json_schema";
        server.play(move |asked| {
            let last = question(&asked.body);
            let reply = match (
                last.contains("Your last reply did not count"),
                last.contains("\nHow far do you agree?")
                    || last.starts_with("How far")
                    || last.contains("1. How far do you agree?"),
                is_json,
            ) {
                (false, true, true) => json!({ "agree": 8, "why": null }).to_string(),
                (true, true, true) => json!({ "agree": 7, "why": "It is fair." }).to_string(),
                (false, true, false) => "AGREE: seven\nWHY: none".to_owned(),
                (true, true, false) => "AGREE: 7\nWHY: It is fair.".to_owned(),
                (_, false, true) if last.contains("Share ten points") => json!({
                    "trust": 1.5, "pick": "two", "liked": ["a"], "order": ["y", "x", "z"], "points": { "x": 0, "y": 1 },
                    "share": { "a": 10, "b": 0, "c": 0 }, "again": "no" })
                .to_string(),
                (_, false, false) if last.contains("Share ten points") => {
                    "TRUST: 1.5\nPICK: two\nLIKED: a\nORDER: y > x > z\n\
                    POINTS: x = 0, y = 1\nSHARE: a = 10, b = 0, c = 0\nAGAIN: no"
                        .to_owned()
                }
                (_, _, true) if last.contains("\"statement\"") => {
                    json!({ "statement": "I favour closing it.", "stance": "for" }).to_string()
                }
                (_, _, false) if last.contains("STATEMENT:") => {
                    "STANCE: for\nSTATEMENT: I favour closing it.".to_owned()
                }
                (_, _, true) => json!({ "choice": "for" }).to_string(),
                (_, _, false) => "CHOICE: for".to_owned(),
            };
            Play::Respond(200, Vec::new(), completion(&reply, "stop").to_string())
        });
        let seats = "  - { name: Alice, model: any }\n  - { name: Bob, mind: { random: {} } }\n";
        let model = format!(
            "replicates: 1\nmodels: {{ sim: {{ simulated: {{}} }}, any: {{ openai: {{ base_url: \"{}\", model: any, answers: {answers} }} }} }}\n",
            server.base_url()
        );
        let config = write_survey(place.path(), seats, "");
        let written = fs::read_to_string(&config).unwrap();
        let written = written.replace("replicates: 3\nmodels: { sim: { simulated: {} } }\n", &model);
        fs::write(&config, written).unwrap();
        let out = place.path().join("out");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        let records = minutes(&out.join("sessions/baseline-r000001"));
        let faults: Vec<_> = records
            .iter()
            .filter_map(|record| match &record.event {
                Event::Faulted(Faulted { fault, field, then: Consequence::AskedAgain, .. })
                    if record.at.step == Step::Ask =>
                {
                    Some((fault.as_str(), field.clone()))
                }
                _ => None,
            })
            .collect();
        let fault = if is_json { "out_of_range" } else { "unreadable" };
        assert_eq!(faults, [(fault, Some("agree".to_owned()))], "{answers}");
        assert_eq!(values_of(&records, "first-look")["Alice"], json!({ "agree": 7, "why": "It is fair." }));
        let expected = json!({ "trust": 1.5, "pick": "two", "liked": ["a"], "order": [["y"], ["x"], ["z"]],
            "points": { "x": 0, "y": 1 }, "share": { "a": 10, "b": 0, "c": 0 }, "again": false });
        assert_eq!(values_of(&records, "after")["Alice"], expected, "{answers}");
        let named =
            if is_json { "agree: a number is out of range" } else { "AGREE: it does not have the form asked for" };
        let asked = server.asked();
        assert!(asked.iter().any(|asked| question(&asked.body).contains(named)), "{named}");
        ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
        check_cells(&out, 1);
    }
}

#[test]
fn a_fork_answers_a_form_otherwise_and_nothing_before_it_changes() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_survey(place.path(), &simulated_seats(), ""), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let change = place.path().join("change.yaml");
    fs::write(&change, "at: { seat: Alice, phase: first-look }\nanswer: { agree: 2, why: \"It is dear.\" }\n").unwrap();
    let (parent, fork) = (out.join("sessions/baseline-r000002"), place.path().join("fork"));
    ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    let session = fs::read_dir(fork.join("sessions")).unwrap().next().unwrap().unwrap().path();
    let (before, after) = (minutes(&parent), minutes(&session));
    assert_eq!(values_of(&after, "first-look")["Alice"], json!({ "agree": 2, "why": "It is dear." }));
    assert_eq!(values_of(&before, "first-look")["Carol"], values_of(&after, "first-look")["Carol"]);
    for (answer, mistake) in [("{ agree: 9 }", "agree"), ("{ agreed: 2 }", "agreed"), ("{ why: no }", "agree")] {
        fs::write(&change, format!("at: {{ seat: Alice, phase: first-look }}\nanswer: {answer}\n")).unwrap();
        ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&place.path().join("none"))])
            .says(2, &[mistake]);
    }
}

#[test]
fn seats_that_read_another_language_are_asked_in_it_and_answer_in_its_words() {
    let place = tempfile::tempdir().unwrap();
    let config = write_survey(place.path(), "  - { name: Alice, mind: { random: {} } }\n", "language: es\n");
    let scenario = place.path().join("own/scenario.yaml");
    let texts = "\nlanguages:\n  es:\n    motion: { text: \"¿Cerrar la calle?\" }\n    alternatives:\n      for: { name: sí_cerrar, label: \"Cerrarla\" }\n      \
                 against: { name: dejar, label: \"Dejarla\" }\n    agenda:\n      first-look.agree: \"¿Hasta qué punto está de acuerdo?\"\n";
    let fields = ["trust", "pick", "liked", "order", "points", "share"]
        .map(|field| format!("      after.{field}: \"Sobre {field}\"\n"));
    let whole = format!(
        "{}{texts}      first-look.why: \"¿Por qué?\"\n{}",
        fs::read_to_string(&scenario).unwrap(),
        fields.concat()
    );
    fs::write(&scenario, &whole).unwrap();
    ekklesia(&["check", text(&config)]).says(2, &["the words of the question \"after.again\" are missing"]);
    fs::write(&scenario, whole + "      after.again: \"¿Otra vez?\"\n").unwrap();
    let shown = ekklesia(&["check", text(&config), "--show", "Alice:after"]);
    shown.says(0, &["¿Otra vez?", "sí o no", "10 puntos en total", "un número de -2,5 a 2,5"]);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let raw = minutes(&out.join("sessions/baseline-r000001")).into_iter().find_map(|record| match record.event {
        Event::Answered(Answered { raw, .. }) if record.at.phase.as_str() == "after" => Some(raw),
        _ => None,
    });
    assert!(raw.as_ref().unwrap().contains("AGAIN: "), "{raw:?}");
    let again = place.path().join("again");
    ekklesia(&["run", text(&config), "--out", text(&again)]).says(0, &[]);
    assert_same(&out, &again);
}

#[test]
fn a_question_of_a_form_prints_the_session_s_own_item() {
    let place = tempfile::tempdir().unwrap();
    let config = write_survey(place.path(), "  - { name: Alice, mind: { random: {} } }\n", "");
    let scenario = place.path().join("own/scenario.yaml");
    let written =
        fs::read_to_string(&scenario).unwrap().replace("How far do you agree?", "Do you agree: {{ item.text }}");
    fs::write(&scenario, written).unwrap();
    fs::write(place.path().join("items.csv"), "id,text\na,Cats are good.\nb,Dogs are better.\n").unwrap();
    let items = "items: { file: items.csv, id: id, text: text }\n";
    fs::write(&config, fs::read_to_string(&config).unwrap() + items).unwrap();
    for (item, own, other) in
        [("a", "Do you agree: Cats are good.", "Dogs"), ("b", "Do you agree: Dogs are better.", "Cats")]
    {
        let shown = ekklesia(&["check", text(&config), "--item", item, "--show", "Alice:first-look"]);
        shown.says(0, &[own]);
        assert!(!shown.stdout.contains(other), "{}", shown.stdout);
    }
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 3);
}

#[test]
fn a_single_point_is_not_called_points() {
    for (phase, expected) in [
        (
            "ask: [ { id: s, allocation: { options: [a, b], points: 1 }, question: Share. } ]",
            "1 point in all, shared among a, b",
        ),
        (
            "ask: [ { id: s, allocation: { options: [a, b], points: 2 }, question: Share. } ]",
            "2 points in all, shared among a, b",
        ),
        (
            "vote: { over: [a, b], question: Which?, ballot: allocation, points: 1, rule: score, tie_break: lot }",
            "Share 1 point among the options, all of them (a, b).",
        ),
    ] {
        let place = tempfile::tempdir().unwrap();
        let body = "experiment: points\nscenario: own\nseed: 5\nreplicates: 1\nmodels: { sim: { simulated: {} } }\n\
                    seat_defaults: { model: sim }\nseats: [ { name: Ann }, { name: Ben } ]\n";
        let config = write_motion_agenda(place.path(), &format!("agenda:\n  - {{ name: share, {phase} }}\n"), body);
        ekklesia(&["check", text(&config), "--show", "Ann:share"]).says(0, &[expected]);
    }
}

#[test]
fn a_tab_in_a_question_is_shown_as_a_tab() {
    let place = tempfile::tempdir().unwrap();
    let body = "experiment: tabs\nscenario: own\nseed: 5\nreplicates: 1\nmodels: { sim: { simulated: {} } }\n\
                seat_defaults: { model: sim }\nseats: [ { name: Ann }, { name: Ben } ]\n";
    let agenda = "agenda:\n  - { name: say, ask: [ { id: s, yes_no: {}, question: \"one\\ttwo\\a\" } ] }\n";
    let config = write_motion_agenda(place.path(), agenda, body);
    ekklesia(&["check", text(&config), "--show", "Ann:say"]).says(0, &["one\ttwo\\u{7}"]);
}
