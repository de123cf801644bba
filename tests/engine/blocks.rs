//! Blocks of phases: repeated, nested, and in every table with their passes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::law_cases;
use crate::fixtures::trial::{folded, go_on, read, whole, write_own_scenario};
use crate::oracle::check_cells;
use ekklesia::domain::{Event, PhaseName, Record};
use serde_json::{Value, json};

/// Two rounds of guesses, each with talk, and votes within the second block.
const AGENDA: &str = "agenda:
  - { name: welcome, brief: { text: Welcome. } }
  - name: delphi
    repeat: { times: 2 }
    phases:
      - { name: guess, ask: [ { id: share, number: { min: 0, max: 100 }, question: \"Your guess?\" } ] }
      - name: inner
        repeat: { times: 3 }
        phases: [ { name: talk, discussion: {} } ]
  - name: once
    phases:
      - { name: vote, ballot: {} }
      - { name: last, ask: [ { id: sure, yes_no: {}, question: \"Sure?\" } ] }
";

fn write_blocks(place: &Path, agenda: &str, more: &str) -> PathBuf {
    write_own_scenario(place, "motion", |written| {
        let (before, after) = written.split_once("\nagenda:").unwrap();
        let rest = after.split_once("\n\n").map_or("", |(_, rest)| rest);
        format!("{before}\n{agenda}\n{rest}")
    });
    let config = place.join("config.yaml");
    let seats = "  - { name: Alice, mind: { random: { malformed: 0.3 } } }\n  - { name: Bob, mind: { voter: { copy: 0.4 } } }\n";
    let body = format!(
        "experiment: blocks\nscenario: own\nseed: 9\nreplicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim }}\nseats:\n{seats}discussion: {{ rounds: 1 }}\n{more}"
    );
    fs::write(&config, body).unwrap();
    config
}

fn rows(table: &Path) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_path(table).unwrap().deserialize().map(Result::unwrap).collect()
}

fn opened(records: &[Record]) -> Vec<&str> {
    let opened = records.iter().filter(|record| matches!(record.event, Event::PhaseOpened { .. }));
    opened.map(|record| record.at.phase.as_str()).collect()
}

#[test]
fn a_repeated_block_takes_place_pass_by_pass_and_the_tables_name_the_pass() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_blocks(place.path(), AGENDA, ""), place.path().join("out"));
    ekklesia(&["check", text(&config)]).says(0, &["2 × [guess (1 question)", "3 × [talk (1 round)]]"]);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let written = fs::read_to_string(out.join("sessions/baseline-r000001/minutes.jsonl")).unwrap();
    let records: Vec<Record> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = [
        "welcome", "guess@1", "talk@1.1", "talk@1.2", "talk@1.3", "guess@2", "talk@2.1", "talk@2.2", "talk@2.3",
        "vote", "last",
    ];
    assert_eq!(opened(&records), expected);
    let passes = |table: &str, phase: &str| -> Vec<String> {
        let all = rows(&out.join(table)).into_iter();
        let mut passes: Vec<String> = all.filter(|row| row["phase"] == phase).map(|row| row["pass"].clone()).collect();
        passes.dedup();
        passes.sort();
        passes.dedup();
        passes
    };
    assert_eq!(passes("values.csv", "guess"), ["1", "2"]);
    assert_eq!(passes("rounds.csv", "talk"), ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]);
    for (table, phase) in [("values.csv", "last"), ("ballots.csv", "vote"), ("answers.csv", "vote")] {
        assert_eq!(passes(table, phase), [""], "{table}");
    }
    check_cells(&out, 1);
    ekklesia(&["replay", text(&out.join("sessions/baseline-r000002"))]).says(0, &[]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(
        methods.contains("`talk`, in each of the 2 passes of `delphi` and of the 3 passes of `inner`"),
        "{methods}"
    );
}

#[test]
fn a_session_of_blocks_goes_on_after_any_record() {
    let place = tempfile::tempdir().unwrap();
    let plan =
        Arc::clone(&read(&write_blocks(place.path(), AGENDA, "memory: { memory_character_limit: 900 }\n")).arms[0]);
    let records = whole(&plan, 1);
    for cut in 0..records.len() {
        let mut kept = records[..cut].to_vec();
        let mut state = folded(&plan, 1, &kept);
        go_on(&mut state, &plan, &mut kept).unwrap();
        assert_eq!(kept, records, "cut after {cut} records");
    }
}

#[test]
fn scripts_interventions_and_forks_name_a_pass_or_all_of_them() {
    let place = tempfile::tempdir().unwrap();
    let config = write_blocks(
        place.path(),
        AGENDA,
        "interventions: [ { at: { phase: \"talk@2.1\", round: 1 }, text: \"Be brief.\" } ]\n",
    );
    let script = "  - name: Carol\n    mind:\n      scripted:\n        table:\n          \
                  - { phase: guess, round: 0, step: ask, answer: { share: 40 } }\n          \
                  - { phase: guess@2, round: 0, step: ask, answer: { share: 55 } }\n          \
                  - { phase: talk, round: 1, step: statement, pass: true }\n          \
                  - { phase: vote, round: 0, step: ballot, choice: for }\n          \
                  - { phase: last, round: 0, step: ask, answer: { sure: false } }\n";
    let written = fs::read_to_string(&config).unwrap().replace("discussion: {", &format!("{script}discussion: {{"));
    fs::write(&config, written).unwrap();
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let shares = |folder: &Path, session: &str| -> BTreeMap<String, Value> {
        let minutes = fs::read_to_string(folder.join("sessions").join(session).join("minutes.jsonl")).unwrap();
        let records = minutes.lines().map(|line| serde_json::from_str::<Record>(line).unwrap());
        let of_carol = records.filter(|record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == "Carol"));
        of_carol
            .filter_map(|record| match record.event {
                Event::Answered { values, .. } => {
                    Some((record.at.phase.to_string(), serde_json::to_value(values).unwrap()))
                }
                _ => None,
            })
            .collect()
    };
    let said = shares(&out, "baseline-r000001");
    assert_eq!((&said["guess@1"], &said["guess@2"]), (&json!({ "share": 40 }), &json!({ "share": 55 })));
    let told = rows(&out.join("statements.csv")).into_iter().filter(|row| row["kind"] == "intervention");
    let told: Vec<(String, String)> = told.map(|row| (row["phase"].clone(), row["pass"].clone())).collect();
    assert_eq!(told, [("talk".to_owned(), "2.1".to_owned()), ("talk".to_owned(), "2.1".to_owned())]);
    let (change, fork) = (place.path().join("change.yaml"), place.path().join("fork"));
    fs::write(&change, "at: { seat: Carol, phase: guess@2 }\nanswer: { share: 70 }\n").unwrap();
    let parent = out.join("sessions/baseline-r000001");
    ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    let session = fs::read_dir(fork.join("sessions")).unwrap().next().unwrap().unwrap().file_name();
    let forked = shares(&fork, session.to_str().unwrap());
    assert_eq!((&forked["guess@1"], &forked["guess@2"]), (&json!({ "share": 40 }), &json!({ "share": 70 })));
}

#[test]
fn mistakes_in_blocks_are_told_at_once() {
    let place = tempfile::tempdir().unwrap();
    let broken = "agenda:
  - { name: a, repeat: { times: 2 }, brief: { text: Hello. } }
  - { name: b, repeat: { times: 0 }, phases: [ { name: a, ballot: {} } ] }
  - { name: c, phases: [] }
  - name: d
    phases: [ { name: e, ask: [ { id: X, yes_no: {}, question: \"?\" }, { id: y, question: \"?\", scale: { from: 3, to: 3 } } ] } ]
";
    let config = write_blocks(place.path(), broken, "");
    ekklesia(&["check", text(&config)]).says(
        2,
        &[
            "only a block is repeated",
            "outside 1 … 1000",
            "\"a\" is given twice",
            "the block has no phases",
            "\"X\" is no id",
            "is not above the least 3",
        ],
    );
    let much = "agenda:\n  - name: a\n    repeat: { times: 1000 }\n    phases:\n      - { name: b, repeat: { times: 11 }, phases: [ { name: c, ballot: {} } ] }\n";
    let config = write_blocks(place.path(), much, "");
    ekklesia(&["check", text(&config)]).says(2, &["11000 phases", "at most 10000"]);
}

proptest::proptest! {
    #![proptest_config(law_cases(24))]

    /// The name of a phase in passes reads back as its parts.
    #[test]
    fn the_name_of_a_pass_reads_back(name in "[a-z][a-z0-9_-]{0,8}", passes in proptest::collection::vec(1_u32..2_000, 0..4)) {
        let whole = PhaseName::in_passes(&name, passes.iter().copied());
        proptest::prop_assert_eq!(whole.written(), name.as_str());
        let read: Vec<u32> = whole.pass().map_or(Vec::new(), |pass| pass.split('.').map(|number| number.parse().unwrap()).collect());
        proptest::prop_assert_eq!(read, passes);
    }
}
