//! Null arms in scenarios that do more than talk: forms, amounts, rounds in which nobody speaks.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;

use crate::fixtures::cli::{ekklesia, json_lines, statement_of, text};
use serde_json::Value;

const ESTIMATION: &str = "configs/estimation.yaml";

#[test]
fn a_talk_with_rounds_of_its_own_is_taken_away_too() {
    let place = tempfile::tempdir().unwrap();
    let (folder, config, out) =
        (place.path().join("talks"), place.path().join("config.yaml"), place.path().join("out"));
    fs::create_dir(&folder).unwrap();
    let scenario = "scenario: talks\nmotion: { text: \"Which?\" }\nalternatives: [ { name: a, label: A }, { name: b, label: B } ]\n\
                    agenda: [ { name: talk, discussion: { rounds: 2 } }, { name: again, discussion: {} }, { name: vote, vote: {} } ]\n";
    fs::write(folder.join("scenario.yaml"), scenario).unwrap();
    let body = "experiment: t\nscenario: talks\nseed: 3\nreplicates: 2\nmodels: { sim: { simulated: {} } }\n\
                seat_defaults: { model: sim }\nseats: [ { count: 3 } ]\nagenda: { again: { rounds: 3 } }\ndesign: { nulls: [no_talk] }\n";
    fs::write(&config, body).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["4 of 4"]);
    let spoken = |session: &str| {
        let records = json_lines(&out.join("sessions").join(session).join("minutes.jsonl"));
        records.iter().filter(|record| statement_of(record).is_some()).count()
    };
    assert_eq!((spoken("baseline-r000001"), spoken("baseline-null_no_talk-r000001")), (15, 0));
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
fn a_null_that_a_scenario_does_not_allow_is_told_once_and_to_be_left_out() {
    ekklesia(&["check", ESTIMATION, "--set", "design.nulls=[polya]"])
        .says(2, &["design.nulls: this mind chooses among alternatives", "leave polya out", "1 problem in --set"]);
}

#[test]
fn nulls_need_an_agenda_in_which_seats_hear_of_each_other_by_statements_alone() {
    for (config, nulls, phase) in [
        ("commons", "no_talk", "welcome the brief prints values of the session"),
        ("commons", "shuffled_speech", "welcome the brief prints values of the session"),
        ("nominal_group", "no_talk", "others read the texts that are kept"),
    ] {
        let talks: &[&str] = if config == "commons" { &["--set", "agenda.talk.rounds=1"] } else { &[] };
        let (config, nulls) = (format!("configs/{config}.yaml"), format!("design.nulls=[{nulls}]"));
        let arguments = [&["check", &config, "--set", &nulls], talks].concat();
        let told = ekklesia(&arguments);
        let expected =
            ["design.nulls: a null needs an agenda in which seats hear of each other by statements alone", phase];
        told.says(2, &[&expected[..], &["1 problem"]].concat());
    }
    // What only words and passes print is nobody else's.
    let place = tempfile::tempdir().unwrap();
    let (folder, config) = (place.path().join("words"), place.path().join("config.yaml"));
    fs::create_dir(&folder).unwrap();
    let scenario = "scenario: words\nagenda:\n  - name: topics\n    for: { each: [tax, rent], as: topic }\n    phases:\n\
                    \x20     - { name: told, brief: { text: \"Topic {{ pass.number }} is the {{ topic }}.\" } }\n\
                    \x20     - { name: asked, ask: [ { id: weight, scale: { from: 1, to: 7 }, question: \"How important is the {{ topic }}?\" } ] }\n\
                    \x20     - { name: talk, discussion: { rounds: 1 } }\n";
    fs::write(folder.join("scenario.yaml"), scenario).unwrap();
    let body = "experiment: t\nscenario: words\nseed: 3\nreplicates: 2\nmodels: { sim: { simulated: {} } }\n\
                seat_defaults: { model: sim }\nseats: [ { count: 3 } ]\ndesign: { nulls: [no_talk] }\n";
    fs::write(&config, body).unwrap();
    ekklesia(&["check", text(&config)]).says(0, &["baseline-null_no_talk"]);
    let heard = scenario.replace("name: asked, ", "name: asked, heard_by: everyone, ");
    fs::write(folder.join("scenario.yaml"), heard).unwrap();
    ekklesia(&["check", text(&config)]).says(2, &["in the phase asked@tax others hear the answers"]);
}

#[test]
fn who_hears_another_group_and_is_told_of_its_own_is_warned_of_and_an_arm_in_which_nobody_speaks_has_no_such_null() {
    let nulls = "design.nulls=[shuffled_speech]";
    let told = ekklesia(&["check", ESTIMATION, "--replicates", "2", "--set", nulls]);
    told.says(0, &["chat-null_shuff"]);
    assert!(!told.stdout.contains("delphi-null"), "{}", told.stdout);
    let rounds = "design.factors={ talk: { key: discussion.rounds, levels: { silent: 2, talk: 4 } } }";
    let voted = ["--replicates", "2", "--set", nulls, "--set", "discussion.vote=every_round", "--set", rounds];
    let told = ekklesia(&[&["check", "configs/first.yaml"], &voted[..]].concat());
    let flat = told.says(0, &[]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("seats hear the statements of another group and the votes of their own"), "{flat}");
}

#[test]
fn a_square_of_orders_that_is_not_whole_is_told_of() {
    let flat = |set: &[&str]| {
        let told = ekklesia(&[&["check", "configs/motion-controls.yaml"], set].concat());
        told.says(0, &[]).stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(!flat(&[]).contains("Williams square of"));
    let cut = flat(&["--set", "discussion.rounds=3"]);
    assert!(
        cut.contains("in the arm scenario-williams and 1 more: discussion.order: a Williams square of 4 seats has 4 rows and the talk 3 rounds"),
        "{cut}"
    );
}

#[test]
fn the_shipped_controls_are_balanced_within_each_session() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    ekklesia(&["run", "configs/motion-controls.yaml", "--out", text(&out), "--replicates", "3"]).says(0, &[]);
    for replicate in 1..=3 {
        let session = format!("scenario-williams-r{replicate:06}");
        let records = json_lines(&out.join("sessions").join(&session).join("minutes.jsonl"));
        let orders = records.iter().filter_map(|record| record["event"]["RoundOpened"]["order"].as_array());
        let (mut after, mut at) = (BTreeMap::new(), BTreeMap::new());
        for order in orders {
            let order: Vec<String> = order.iter().map(Value::to_string).collect();
            order.windows(2).for_each(|two| *after.entry(two.to_vec()).or_insert(0) += 1);
            order.into_iter().enumerate().for_each(|place| *at.entry(place).or_insert(0) += 1);
        }
        assert_eq!((after.len(), at.len()), (12, 16), "each of 4 seats after each other, and at each place");
        assert!(after.values().chain(at.values()).all(|times| *times == 1), "{after:?} {at:?}");
    }
    let mut ballots = csv::Reader::from_path(out.join("ballots.csv")).unwrap();
    let header = ballots.headers().unwrap().clone();
    let cell = |row: &csv::StringRecord, name: &str| row[header.iter().position(|one| one == name).unwrap()].to_owned();
    let mut shown: BTreeMap<[String; 4], usize> = BTreeMap::new();
    for row in ballots.records() {
        let row = row.unwrap();
        let key = ["session", "purpose", "round", "options_shown"].map(|name| cell(&row, name));
        *shown.entry(key).or_default() += 1;
    }
    assert!(!shown.is_empty() && shown.values().all(|times| *times == 2), "each order of two options by two of four");
}
