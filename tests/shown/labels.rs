//! What a newcomer reads in the terminal: alternatives, arms and metrics by what they are, with their names beside them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::fixtures::cli::{Told, ekklesia, run, text};
use crate::fixtures::trial::write_config;
use serde_json::Value;

const TWO_FACTORS: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.5 } } }
seats: [{ count: 3, name: \"Member {n}\" }]
straw_polls: [before, after]
discussion: { rounds: 2, vote: at_end }
design:
  factors:
    order: { key: discussion.order, levels: { one_by_one: random, at_once: simultaneous } }
    rule: { key: decision.rule, levels: [unanimity, majority] }
  nulls: [no_talk]
";

/// The words on one line, however they were wrapped.
fn words(told: &Told) -> String {
    told.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_says(told: &Told, expected: &[&str]) {
    let words = words(told);
    expected.iter().for_each(|expected| assert!(words.contains(expected), "{expected:?} is not said: {told:#?}"));
}

#[test]
fn alternatives_arms_and_metrics_are_told_by_what_they_are() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_config(place.path(), TWO_FACTORS), place.path().join("out"));
    let null = "order = one_by_one, rule = majority, null: nobody talks";
    let name = "one_by_one-majority-null_no_talk";
    let summary = run(&config, &out, &[]);
    summary.says(0, &["   against  Against the motion; things stay as they are\n"]);
    assert_says(&summary, &["order = at_once, rule = majority (at_once-majority)", &format!("{null} ({name})")]);
    let metric = "share of sessions in which the group decided by vote (carried)";
    let compared = ekklesia(&["compare", text(&out), "--metric", "carried", "--by", "arm"]);
    let sentence = format!("samples' {} were equal", metric.replacen("share", "shares", 1));
    assert_says(&compared, &[metric, null, &sentence, "under order = one_by_one, rule = unanimity ("]);
    let counted = ekklesia(&["compare", text(&out), "--metric", "result=against", "--by", "order"]);
    let metric = "share of sessions in which the alternative decided for is against (result=against)";
    assert_says(&counted, &[metric, "against: Against the motion; things stay as they are", "under order = at_once"]);
    assert_says(&ekklesia(&["check", text(&config)]), &[null]);
    let session = out.join("sessions").join(format!("{name}-r000001"));
    let shown = ekklesia(&["show", text(&session)]);
    shown.says(0, &["  - against: Against the motion; things stay as they are\n", "null: nobody talks (one"]);
}

#[test]
fn programs_read_names_alone() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_config(place.path(), TWO_FACTORS), place.path().join("out"));
    run(&config, &out, &[]).says(0, &[]);
    let told = ekklesia(&["compare", text(&out), "--metric", "carried", "--by", "arm", "--json"]);
    let json: Value = serde_json::from_str(&told.stdout).unwrap();
    let keys: Vec<&String> = json["metric"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["name", "definition", "unit", "scale"]);
    assert_eq!(json.get("levels"), None);
    let sentence = json["sentences"][0].as_str().unwrap();
    assert!(sentence.contains("mean of carried ") || sentence.contains("means of carried "), "{sentence}");
    assert!(!sentence.contains("rule ="), "{sentence}");
}

#[test]
fn amounts_have_the_unit_that_the_scenario_or_its_mechanism_gives_them() {
    assert_says(&ekklesia(&["check", "configs/justice.yaml"]), &["(amount from 1 to 40 000 dollars a year)"]);
    assert_says(&ekklesia(&["check", "configs/estimation.yaml"]), &["(amount from 0 to 2 400 pounds)"]);
}
