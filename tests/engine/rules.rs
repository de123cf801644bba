//! Seats that answer forms by expressions.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_every_cut, read, whole};

/// A public-goods game in which the mean of the others is computed, so that a seat may answer to it.
const GAME: &str = "scenario: game
agenda:
  - name: period
    repeat: { times: 5 }
    phases:
      - name: contribute
        ask:
          - { id: c, number: { min: 0, max: 20 }, question: How many? }
          - { id: mood, choice: { options: [good, bad] }, question: How are you? }
          - { id: sure, yes_no: {}, question: Are you sure? }
          - { id: first, ranking: { options: [a, b] }, question: In which order? }
      - { name: mean, compute: { seat.others_mean: mean(others.c) } }
";

/// A free rider, a conditional cooperator with bias (Fischbacher, Gächter and Fehr 2001), and one that trembles.
const SEATS: &str = "seats:
  - { name: Free, mind: { rule: { c: 0, mood: '\"good\"', sure: true } } }
  - { name: Cond, mind: { rule: { c: \"10 if pass.first else 0.8 * seat.others_mean\", first: '[\"b\", \"a\"]' } } }
  - { name: Shaky, mind: { rule: { c: \"5 + draw_integer(-2, 2)\" } } }
";

fn write(folder: &Path, seats: &str) -> PathBuf {
    fs::create_dir_all(folder.join("own")).unwrap();
    fs::write(folder.join("own/scenario.yaml"), GAME).unwrap();
    let config = folder.join("config.yaml");
    let head = "experiment: game\nscenario: own\nseed: 8\nreplicates: 20\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n";
    fs::write(&config, format!("{head}{seats}")).unwrap();
    config
}

/// Half to even, of a number of tenths.
fn rounded(tenths: i64) -> i64 {
    let (whole, rest) = (tenths.div_euclid(10), tenths.rem_euclid(10));
    whole + i64::from(rest > 5 || rest == 5 && whole % 2 == 1)
}

#[test]
fn answers_follow_the_rules_and_what_has_no_rule_is_drawn() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write(place.path(), SEATS), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let rows = csv::Reader::from_path(out.join("values.csv")).unwrap().into_deserialize().map(Result::unwrap);
    let mut answers: BTreeMap<(String, u32, String, String), String> = BTreeMap::new();
    for row in rows {
        let row: BTreeMap<String, String> = row;
        let key = (row["session"].clone(), row["pass"].parse().unwrap(), row["seat"].clone(), row["field"].clone());
        answers.insert(key, row["value"].clone());
    }
    let mut trembles = [0u32; 5];
    let mut moods = BTreeMap::new();
    for ((session, pass, seat, field), value) in &answers {
        let of = |pass: u32, seat: &str| -> i64 {
            answers[&(session.clone(), pass, seat.to_owned(), "c".to_owned())].parse().unwrap()
        };
        match (seat.as_str(), field.as_str()) {
            ("Free", "c") => assert_eq!(value, "0"),
            ("Free", "mood") => assert_eq!(value, "good"),
            ("Free", "sure") => assert_eq!(value, "yes"),
            ("Cond", "first") => assert_eq!(value, "b > a"),
            // Four fifths of the mean of two are four tenths of their sum.
            ("Cond", "c") if *pass > 1 => {
                let sum = of(pass - 1, "Free") + of(pass - 1, "Shaky");
                assert_eq!(value.parse::<i64>().unwrap(), rounded(4 * sum), "{session} {pass}");
            }
            ("Cond", "c") => assert_eq!(value, "10"),
            ("Shaky", "c") => trembles[usize::try_from(value.parse::<i64>().unwrap() - 3).unwrap()] += 1,
            ("Shaky", "mood") => *moods.entry(value.as_str()).or_insert(0) += 1,
            _ => {}
        }
    }
    // A hundred draws: each of five values, and each of two words.
    assert!(trembles.iter().all(|count| *count > 5), "{trembles:?}");
    assert!(moods.len() == 2 && moods.values().all(|count| *count > 25), "{moods:?}");
}

#[test]
fn a_session_of_rules_can_be_cut_anywhere() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write(place.path(), SEATS)).arms[0]);
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
}

#[test]
fn rules_that_cannot_answer_are_mistakes_with_a_remedy() {
    let place = tempfile::tempdir().unwrap();
    for (rule, expected) in [
        ("{ d: 1 }", "no form asks for \"d\""),
        ("{ moood: 1 }", "did you mean \"mood\"?"),
        ("{ c: true }", "the answer is a number, and this is yes or no"),
        ("{ c: \"mean(others.c)\" }", "a question may not depend on what other seats said"),
        ("{ c: \"1 +\" }", "at the end of"),
    ] {
        let config = write(place.path(), &format!("seats: [ {{ count: 3, mind: {{ rule: {rule} }} }} ]\n"));
        ekklesia(&["check", text(&config)]).says(2, &[expected, "rule"]);
    }
    let config = write(place.path(), "seats: [ { count: 3, mind: { rule: { c: 21 } } } ]\n");
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "1"]).says(0, &["0 first try"]);
}
