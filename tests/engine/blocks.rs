//! Blocks of phases: repeated, nested, and in every table with their passes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::sample::law_cases;
use crate::fixtures::trial::{check_every_cut, read, whole, write_motion_agenda};
use crate::oracle::check_cells;
use ekklesia::domain::{Answered, Event, LoopEnded, MemoryAct, PhaseName, PhaseSkipped, Record, Reminded};
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
      - { name: vote, vote: {} }
      - { name: last, ask: [ { id: sure, yes_no: {}, question: \"Sure?\" } ] }
";

fn write_blocks(place: &Path, agenda: &str, more: &str) -> PathBuf {
    let seats = "  - { name: Alice, mind: { random: { malformed: 0.3 } } }\n  - { name: Bob, mind: { voter: { copy: 0.4 } } }\n";
    let body = format!(
        "experiment: blocks\nscenario: own\nseed: 9\nreplicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim }}\nseats:\n{seats}discussion: {{ rounds: 1 }}\n{more}"
    );
    write_motion_agenda(place, agenda, &body)
}

fn opened(records: &[Record]) -> Vec<&str> {
    let opened = records.iter().filter(|record| record.event.is_phase_opened());
    opened.map(|record| record.at.phase.as_str()).collect()
}

#[test]
fn a_transcript_of_a_block_has_the_phases_inside_it() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_blocks(place.path(), AGENDA, ""), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let session = out.join("sessions/baseline-r000001");
    for (phase, expected) in [
        ("delphi@1", vec!["guess@1", "talk@1.1", "talk@1.2", "talk@1.3"]),
        ("inner@2.3", vec!["talk@2.3"]),
        ("inner", vec!["talk@1.1", "talk@1.2", "talk@1.3", "talk@2.1", "talk@2.2", "talk@2.3"]),
        ("once", vec!["vote", "last"]),
        ("guess", vec!["guess@1", "guess@2"]),
        ("guess@2", vec!["guess@2"]),
    ] {
        let shown = ekklesia(&["show", text(&session), "--phase", phase]);
        shown.says(0, &[]);
        let headings = shown.stdout.lines().filter_map(|line| line.strip_prefix("## ")?.split([' ', '·']).next());
        let phases: Vec<&str> = headings.filter(|name| *name != "Outcome:").collect();
        assert_eq!(phases, expected, "{phase}: {}", shown.stdout);
    }
    ekklesia(&["show", text(&session), "--phase", "delphi@3"])
        .says(2, &["no phase \"delphi@3\"", "delphi, inner, once"]);
}

#[test]
fn a_repeated_block_takes_place_pass_by_pass_and_the_tables_name_the_pass() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_blocks(place.path(), AGENDA, ""), place.path().join("out"));
    ekklesia(&["check", text(&config)])
        .says(0, &["delphi: 2 passes", "guess: asks share", "inner: 3 passes", "talk: talk, 1 round"]);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let written = fs::read_to_string(out.join("sessions/baseline-r000001/minutes.jsonl")).unwrap();
    let records: Vec<Record> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = [
        "welcome", "guess@1", "talk@1.1", "talk@1.2", "talk@1.3", "guess@2", "talk@2.1", "talk@2.2", "talk@2.3",
        "vote", "last",
    ];
    assert_eq!(opened(&records), expected);
    let passes = |table: &str, phase: &str| -> Vec<String> {
        let all = rows(&out, table).into_iter();
        let mut passes: Vec<String> = all.filter(|row| row["phase"] == phase).map(|row| row["pass"].clone()).collect();
        passes.dedup();
        passes.sort();
        passes.dedup();
        passes
    };
    assert_eq!(passes("values", "guess"), ["1", "2"]);
    assert_eq!(passes("rounds", "talk"), ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]);
    for (table, phase) in [("values", "last"), ("ballots", "vote"), ("answers", "vote")] {
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
    check_every_cut(&plan, 1, &records);
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
                Event::Answered(Answered { values, .. }) => {
                    Some((record.at.phase.to_string(), serde_json::to_value(values).unwrap()))
                }
                _ => None,
            })
            .collect()
    };
    let said = shares(&out, "baseline-r000001");
    assert_eq!((&said["guess@1"], &said["guess@2"]), (&json!({ "share": 40 }), &json!({ "share": 55 })));
    let told = rows(&out, "statements").into_iter().filter(|row| row["kind"] == "intervention");
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
  - { name: b, repeat: { times: 1001 }, phases: [ { name: a, vote: {} } ] }
  - { name: c, phases: [] }
  - name: d
    phases: [ { name: e, ask: [ { id: X, yes_no: {}, question: \"?\" }, { id: y, question: \"?\", scale: { from: 3, to: 3 } } ] } ]
";
    let config = write_blocks(place.path(), broken, "");
    ekklesia(&["check", text(&config)]).refuses(&[
        "only a block is repeated",
        "outside 0 … 1000",
        "\"a\" is given twice",
        "the block has no phases",
        "\"X\" is no id",
        "is not above the least 3",
    ]);
    let much = "agenda:\n  - name: a\n    repeat: { times: 1000 }\n    phases:\n      - { name: b, repeat: { times: 11 }, phases: [ { name: c, vote: {} } ] }\n";
    let config = write_blocks(place.path(), much, "");
    ekklesia(&["check", text(&config)]).says(2, &["11000 phases", "at most 10000"]);
}

proptest::proptest! {
    #![proptest_config(law_cases(24))]

    #[test]
    fn the_name_of_a_pass_reads_back(name in "[a-z][a-z0-9_-]{0,8}", passes in proptest::collection::vec(1_u32..2_000, 0..4)) {
        let whole = PhaseName::in_passes(&name, passes.iter().map(u32::to_string));
        proptest::prop_assert_eq!(whole.written(), name.as_str());
        let read: Vec<u32> = whole.pass().map_or(Vec::new(), |pass| pass.split('.').map(|number| number.parse().unwrap()).collect());
        proptest::prop_assert_eq!(read, passes);
    }
}

/// A Delphi that ends when the guesses are close, with a phase for one arm of the parameter.
const CONDITIONS: &str = "agenda:
  - name: delphi
    repeat: { until: sd(everyone.share) <= 4, max: 3 }
    phases:
      - { name: guess, ask: [ { id: share, number: { min: 0, max: 100 }, question: \"Your guess?\" } ] }
      - { name: talk, when: not pass.first, discussion: {} }
  - name: extra
    when: count(1 for s in everyone if s.share > 50) >= 2
    phases:
      - { name: more, ask: [ { id: why, text: {}, question: \"Why?\" } ] }
      - { name: most, when: 'everyone[0].why == \"because\"', ask: [ { id: again, yes_no: {}, question: \"Again?\" } ] }
  - { name: vote, vote: {} }
";

/// Seats that say these numbers, pass by pass.
fn guessing(guesses: &[[u32; 3]], why: &str) -> String {
    let seat = |place: usize| {
        let lines = guesses.iter().zip(1..).map(|(shares, pass)| {
            format!("{{ phase: guess@{pass}, round: 0, step: ask, answer: {{ share: {} }} }}", shares[place])
        });
        format!(
            "  - name: Seat{place}\n    mind: {{ scripted: {{ table: [ {},\n      {{ phase: talk, round: 1, step: statement, pass: true }}, \
             {{ phase: more, round: 0, step: ask, answer: {{ why: \"{why}\" }} }}, {{ phase: most, round: 0, step: ask, answer: {{ again: true }} }}, \
             {{ phase: vote, round: 0, step: ballot, choice: for }} ] }} }}\n",
            lines.collect::<Vec<_>>().join(", ")
        )
    };
    (0..3).map(seat).collect()
}

fn conditional(place: &Path, guesses: &[[u32; 3]], why: &str) -> PathBuf {
    let config = write_blocks(place, CONDITIONS, "");
    let written = fs::read_to_string(&config).unwrap();
    let (before, after) = (written.split("seats:\n").next().unwrap(), written.split("discussion: {").last().unwrap());
    fs::write(&config, format!("{before}seats:\n{}discussion: {{{after}", guessing(guesses, why))).unwrap();
    config
}

/// The phases that open, and what was skipped or ended.
fn course(records: &[Record]) -> Vec<String> {
    let word = |record: &Record| match &record.event {
        Event::PhaseOpened(_) => Some(record.at.phase.to_string()),
        Event::PhaseSkipped(PhaseSkipped { block: None, .. }) => Some(format!("-{}", record.at.phase)),
        Event::PhaseSkipped(PhaseSkipped { block: Some(block), .. }) => Some(format!("-[{block}]")),
        Event::LoopEnded(LoopEnded { block }) => Some(format!("]{block}")),
        _ => None,
    };
    records.iter().filter_map(word).collect()
}

#[test]
fn conditions_decide_what_takes_place_and_every_cut_decides_alike() {
    // Standard deviations of the guesses: (10, 20, 90) far apart, (40, 44, 48) exactly 4, (60, 61, 62) one.
    type Case<'c> = (&'c [[u32; 3]], &'c str, &'c [&'c str]);
    let cases: [Case<'_>; 4] = [
        (&[[60, 61, 62]], "because", &["guess@1", "]delphi", "more", "most", "vote"]),
        (&[[60, 61, 62]], "or not", &["guess@1", "]delphi", "more", "-most", "vote"]),
        (&[[10, 20, 90], [40, 44, 48]], "", &["guess@1", "-talk@1", "guess@2", "]delphi", "-[extra]", "vote"]),
        (
            &[[10, 20, 90], [10, 20, 90], [10, 20, 90]],
            "",
            &["guess@1", "-talk@1", "guess@2", "talk@2", "guess@3", "talk@3", "-[extra]", "vote"],
        ),
    ];
    for (guesses, why, expected) in cases {
        let place = tempfile::tempdir().unwrap();
        let plan =
            Arc::clone(&read(&conditional(place.path(), guesses, if why.is_empty() { "x" } else { why })).arms[0]);
        let records = whole(&plan, 1);
        assert_eq!(course(&records), expected);
        check_every_cut(&plan, 1, &records);
    }
}

#[test]
fn conditions_are_in_check_methods_tables_and_replay_and_the_forecast_bounds_them() {
    let place = tempfile::tempdir().unwrap();
    let config = conditional(place.path(), &[[10, 20, 90], [40, 44, 48]], "x");
    let out = place.path().join("out");
    let told = ekklesia(&["check", text(&config)]);
    told.says(
        0,
        &["at most 3 passes, until sd(everyone.share) <= 4", "talk: talk, 1 round · if ", "share                 "],
    );
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
    ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))])
        .says(0, &["the block delphi ends", "the block extra is left out"]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("ends as soon as `sd(everyone.share) <= 4`"), "{methods}");
    let design: Value = serde_json::from_str(&ekklesia(&["check", text(&config), "--json"]).stdout).unwrap();
    let forecast = design["arms"][0]["forecast"].to_string();
    let answers: usize = rows(&out, "answers").len() / 2;
    assert!(forecast.contains("questions") || !forecast.is_empty(), "{forecast}");
    assert!((6 + 1..=9 + 9 + 6 + 3).contains(&answers), "{answers} of {forecast}");
}

#[test]
fn a_condition_without_a_value_stops_the_session_and_names_its_part() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: guess, ask: [ { id: share, number: { min: 0, max: 0 }, question: \"Your guess?\" } ] }
  - { name: vote, when: 1 / sum(everyone.share) > 0, vote: {} }
";
    let config = write_blocks(place.path(), agenda, "");
    let written = fs::read_to_string(&config).unwrap().replace("random: { malformed: 0.3 }", "random: {}");
    fs::write(&config, written).unwrap();
    let out = place.path().join("out");
    let told = ekklesia(&["run", text(&config), "--out", text(&out)]);
    told.says(1, &["division by zero in `1 / sum(everyone.share)`"]);
    let sessions = rows(&out, "sessions");
    assert!(sessions.iter().all(|row| row["status"] == "failed" && row["fault"] == "undefined"), "{sessions:?}");
}

#[test]
fn mistakes_in_conditions_are_told_at_once() {
    let place = tempfile::tempdir().unwrap();
    let broken = "agenda:
  - name: b
    repeat: { until: pass.last, max: 2 }
    when: pass.first
    phases:
      - { name: guess, ask: [ { id: share, number: { min: 0, max: 9 }, question: \"?\" }, { id: pts, allocation: { options: [x, y], points: 3 }, question: \"?\" } ] }
      - { name: t, when: everyone.shar > 3, discussion: {} }
      - { name: u, when: sum(everyone.share), vote: {} }
      - { name: v, when: \"(1 +\", vote: {} }
      - { name: w, when: mean(everyone.pts) > 1, vote: {} }
      - { name: x, when: \"draw_integer(1, 2) == 1\", vote: {} }
      - { name: y, when: 'parameters.motio == \"x\"', vote: {} }
  - { name: c, repeat: { times: 2, until: true }, phases: [ { name: z, vote: {} } ] }
";
    let config = write_blocks(place.path(), broken, "");
    ekklesia(&["check", text(&config)]).refuses(&[
        "is not known before",
        "there is no pass outside a repeated block",
        "did you mean `share`?",
        "a condition is yes or no, and this is a number",
        "agenda.v.when",
        "`mean` needs numbers, and this is a list of points of options",
        "nothing is drawn in a condition",
        "did you mean `motion`?",
        "a block is repeated by times, or by until with max",
    ]);
}

/// What a phase has the seats in `who` forget, of all passes so far.
#[test]
fn a_phase_has_those_who_take_part_forget_phases() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: intro, discussion: {} }
  - name: rounds
    repeat: { times: 2 }
    phases:
      - { name: guess, ask: [ { id: share, number: { min: 0, max: 100 }, question: \"Your guess?\" } ] }
      - { name: talk, discussion: {} }
      - { name: again, who: [Bob], forget: [guess, talk, intro], ask: [ { id: sure, yes_no: {}, question: \"Sure?\" } ] }
";
    let config = write_blocks(place.path(), agenda, "");
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    let forgotten: Vec<String> = records
        .iter()
        .filter_map(|record| match &record.event {
            Event::Reminded(Reminded { to, act: MemoryAct::Forget { phase: Some(phase) }, .. }) => {
                let to: Vec<&str> = to.iter().map(|seat| seat.as_str()).collect();
                Some(format!("{}: {} {phase}", record.at.phase, to.join(",")))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        forgotten,
        [
            "again@1: Bob guess",
            "again@1: Bob talk",
            "again@1: Bob intro",
            "again@2: Bob guess",
            "again@2: Bob talk",
            "again@2: Bob intro"
        ]
    );
    check_every_cut(&plan, 1, &records);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("had the seats that took part forget what they remembered of `talk`"), "{methods}");
    let broken = agenda.replace("[guess, talk, intro]", "[gues]");
    let config = write_blocks(place.path(), &broken, "");
    ekklesia(&["check", text(&config)]).says(2, &["agenda.again.forget.0: no phase is named \"gues\"", "guess"]);
    let broken = agenda.replace("    repeat:", "    forget: [intro]\n    repeat:");
    let config = write_blocks(place.path(), &broken, "");
    ekklesia(&["check", text(&config)]).says(2, &["agenda.rounds.forget: a phase has seats forget, not a block"]);
}
