//! Null arms in scenarios that do more than talk: a stock that is harvested, amounts, rounds in which nobody speaks.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use crate::fixtures::cli::{ekklesia, json_lines, statement_of, text};
use serde_json::Value;

const COMMONS: &str = "configs/commons.yaml";
const ESTIMATION: &str = "configs/estimation.yaml";
const POLLS: &str = "straw_polls=[before, after]";

#[test]
fn where_a_stock_is_harvested_nobody_speaks_and_all_harvest_as_often_as_in_the_arm() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let nulls = "design.nulls=[no_talk]";
    ekklesia(&["run", COMMONS, "--out", text(&out), "--replicates", "2", "--set", nulls]).says(0, &["20 of 20"]);
    let harvests = |session: &str| {
        let records = json_lines(&out.join("sessions").join(session).join("minutes.jsonl"));
        let count = |kind: &str| records.iter().filter(|record| record["event"].get(kind).is_some()).count();
        (count("Harvested"), records.iter().filter(|record| statement_of(record).is_some()).count())
    };
    for arm in ["tenth", "conditional", "selfish"] {
        let (own, said) = harvests(&format!("{arm}-r000001"));
        let (of_null, said_in_null) = harvests(&format!("{arm}-null_no_talk-r000001"));
        assert!(own > 0 && said > 0 && said_in_null == 0, "{arm}: {own} {said} {said_in_null}");
        assert_eq!(own, of_null, "{arm}: what is taken follows no talk");
    }
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    // Where nobody speaks anyway, there is nothing to take away.
    let silent = ["check", COMMONS, "--set", "discussion.order=nobody", "--set", nulls];
    ekklesia(&silent).says(2, &["nobody talks in any arm"]);
}

#[test]
fn a_null_that_a_scenario_does_not_allow_is_told_once_and_to_be_left_out() {
    let told = |nulls: &str, words: &[&str]| {
        ekklesia(&["check", COMMONS, "--set", POLLS, "--set", nulls]).says(2, words);
    };
    told(
        "design.nulls=[polya]",
        &["design.nulls: this mind chooses among alternatives", "leave polya out", "1 problem in --set"],
    );
    told(
        "design.nulls=[self_revision]",
        &["design.nulls: who hears nobody would still be told", "leave self_revision out", "1 problem in --set"],
    );
}

#[test]
fn who_hears_another_group_and_is_told_of_its_own_is_warned_of_and_an_arm_in_which_nobody_speaks_has_no_such_null() {
    let nulls = "design.nulls=[shuffled_speech]";
    let told = ekklesia(&["check", ESTIMATION, "--replicates", "2", "--set", nulls]);
    told.says(0, &["chat-null_shuff"]);
    assert!(!told.stdout.contains("delphi-null"), "{}", told.stdout);
    let told = ekklesia(&["check", COMMONS, "--set", nulls]);
    let flat = told.says(0, &[]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains(
            "in the arm tenth-null_shuffled_speech and 4 more: seats hear the statements of another group and the harvests of their own"
        ),
        "{flat}"
    );
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
