//! Seats that answer forms by expressions.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_every_cut, read, whole, write_file};

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
          - { id: split, allocation: { options: [a, b], points: 10 }, question: How do you share? }
      - { name: mean, compute: { seat.others_mean: mean(others.c) } }
";

/// A free rider, a conditional cooperator with bias (Fischbacher, Gächter and Fehr 2001), and one that trembles.
const SEATS: &str = "seats:
  - { name: Free, mind: { rule: { c: 0, mood: '\"good\"', sure: true } } }
  - { name: Cond, mind: { rule: { c: \"10 if pass.first else 0.8 * seat.others_mean\", first: '[\"b\", \"a\"]', split: '[4, 6]' } } }
  - { name: Shaky, mind: { rule: { c: \"5 + draw_integer(-2, 2)\" } } }
";

fn write(folder: &Path, seats: &str) -> PathBuf {
    write_file(folder, "own/scenario.yaml", GAME);
    let head = "experiment: game\nscenario: own\nseed: 8\nreplicates: 20\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n";
    write_file(folder, "config.yaml", format!("{head}{seats}"))
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
            ("Cond", "split") => assert_eq!(value, "a = 4, b = 6"),
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
        ("{ mood: \"'abstain'\" }", "\"abstain\" is no option, only: good, bad"),
        (
            "{ c: \"mean(others.c)\" }",
            "of other seats a rule reads only what a brief tells them all, and answers outside groups",
        ),
        ("{ c: \"others[0].others_mean\" }", "of other seats a rule reads only what a brief tells them all"),
        ("{ c: \"1 +\" }", "at the end of"),
        ("{ split: 10 }", "the answer is a list of numbers, one for each option"),
    ] {
        let config = write(place.path(), &format!("seats: [ {{ count: 3, mind: {{ rule: {rule} }} }} ]\n"));
        ekklesia(&["check", text(&config)]).says(2, &[expected, "rule"]);
    }
    let config = write(place.path(), "seats: [ { count: 3, mind: { rule: { c: 21 } } } ]\n");
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "1"]).says(0, &["0 first try"]);
}

/// A vote by every form of ballot. Everyone hears the answers to the first form, and nobody those to the second.
const VOTES: &str = "scenario: votes
motion: { text: Which? }
alternatives: [ { name: north, label: North }, { name: south, label: South }, { name: west, label: West } ]
roles: { judge: { seats: 1 }, citizen: { seats: 2 } }
decision: { rule: plurality, tie_break: lot }
agenda:
  - name: write
    heard_by: everyone
    ask:
      - { id: c, number: { min: 0, max: 100 }, question: How many? }
      - { id: draft, text: { chars: [1, 30] }, keep_as: draft, question: What? }
  - { name: alone, ask: [ { id: d, number: { min: 0, max: 100 }, question: How many? } ] }
  - { name: give, ask: { per: others, form: [ { id: p, number: { min: 0, max: 10 }, question: How many? } ] } }
  - { name: one, vote: { over: [a, b, c], rule: plurality, tie_break: lot, question: Which?, binding: false } }
  - { name: like, vote: { over: [a, b, c], rule: approval, tie_break: lot, reasons: true, question: Which?, binding: false } }
  - { name: order, vote: { over: [a, b, c], rule: borda, tie_break: lot, question: Which?, binding: false } }
  - { name: rate, vote: { over: [a, b, c], rule: score, score_max: 5, tie_break: lot, question: Which?, binding: false } }
  - { name: part, vote: { over: [a, b, c], rule: score, ballot: allocation, points: 10, tie_break: lot, question: Which?, binding: false } }
  - { name: elect, vote: { over: others, ballot: choice, rule: plurality, tie_break: lot, question: Who?, binding: false } }
  - { name: texts, vote: { over: draft, rule: borda, tie_break: lot, binding: false } }
  - { name: again, vote: { over: draft, ballot: choice, rule: plurality, tie_break: lot, abstain: true, binding: false } }
  - { name: talk, discussion: { rounds: 2, vote: every_round } }
";

fn write_votes(folder: &Path, rule: &str) -> PathBuf {
    write_file(folder, "own/scenario.yaml", VOTES);
    let head = "experiment: votes\nscenario: own\nseed: 8\nreplicates: 4\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n";
    let seats = format!("seats: [ {{ count: 3, name: \"S{{n}}\", mind: {{ rule: {rule} }} }} ]\n");
    write_file(folder, "config.yaml", format!("{head}{seats}"))
}

#[test]
fn rules_vote_by_every_form_of_ballot() {
    let place = tempfile::tempdir().unwrap();
    let rule = "{ c: 10 * seat.index, one: '\"b\"', \
                like: '[\"a\", \"c\"] if seat.index > 1 else []', order: '[\"b\", \"a\", \"c\"]', rate: '[1, 0, 5]', \
                part: '[2, 3, 5]', elect: 'others[-1]', texts: 'top(draft, 3)', \
                again: 'texts.winner.name if seat.index == 1 and max(everyone.c) == 30 else \"abstain\"', \
                talk: '\"west\" if draw_integer(0, 1) == 1 else \"north\"' }";
    let (config, out) = (write_votes(place.path(), rule), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let mut said: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for row in csv::Reader::from_path(out.join("ballots.csv")).unwrap().into_deserialize().map(Result::unwrap) {
        let row: BTreeMap<String, String> = row;
        said.entry((row["phase"].clone(), row["seat"].clone())).or_default().push(row["raw"].clone());
    }
    for (phase, seat, expected) in [
        ("one", "S1", r#"{"choice":"b"}"#),
        ("like", "S1", r#"{"approves":[]}"#),
        ("like", "S2", r#"{"approves":["a","c"]}"#),
        ("order", "S1", r#"{"ranking":[["b"],["a"],["c"]]}"#),
        ("rate", "S1", r#"{"scores":{"a":1,"b":0,"c":5}}"#),
        ("part", "S1", r#"{"points":{"a":2,"b":3,"c":5}}"#),
        ("elect", "S1", r#"{"choice":"S3"}"#),
        ("elect", "S3", r#"{"choice":"S2"}"#),
        ("texts", "S1", r#"{"ranking":[["A"],["B"],["C"]]}"#),
        ("again", "S1", r#"{"choice":"A"}"#),
        ("again", "S2", r#"{"choice":"abstain"}"#),
    ] {
        let said = &said[&(phase.to_owned(), seat.to_owned())];
        assert!(said.len() >= 4 && said.iter().all(|raw| raw == expected), "{phase} {seat}: {said:?}");
    }
    let mut talk: Vec<&String> =
        said.iter().filter(|((phase, _), _)| phase == "talk").flat_map(|(_, raw)| raw).collect();
    talk.sort();
    talk.dedup();
    assert_eq!(talk, [r#"{"choice":"north"}"#, r#"{"choice":"west"}"#]);
}

#[test]
fn a_rule_that_cannot_vote_or_reads_what_its_seat_was_not_shown_is_a_mistake() {
    let place = tempfile::tempdir().unwrap();
    for (rule, expected) in [
        ("{ one: 3 }", "the ballot is one option: its name in quotes, a seat or a text, and this is a number"),
        ("{ elect: others }", "the ballot is one option"),
        ("{ like: '\"a\"' }", "the ballot is a list of options, and this is a text"),
        ("{ order: '[1, 2]' }", "the ballot is a list of options, the best first, and this is a list of numbers"),
        (
            "{ rate: '[\"a\"]' }",
            "the ballot is a list of numbers, one for each option in the order in which they are written",
        ),
        ("{ part: 3 }", "the ballot is a list of numbers"),
        ("{ talk: 3 }", "the ballot is one option"),
        ("{ ones: 3 }", "no form asks for \"ones\", and no vote is called that"),
        ("{ one: \"'abstain'\" }", "\"abstain\" is no option, only: a, b, c"),
        ("{ one: '[\"a\", \"abstain\"][seat.index - 1]' }", "\"abstain\" is no option, only: a, b, c"),
        ("{ talk: \"'abstain'\" }", "\"abstain\" is no option, only: north, south, west"),
        ("{ elect: '\"abstain\"' }", "\"abstain\" is no option: seats may not abstain in this vote"),
        ("{ one: judge.d }", "of other seats a rule reads only what a brief tells them all"),
        ("{ d: received(p) }", "of other seats a rule reads only what a brief tells them all"),
        ("{ one: 'elect.options[0].voters[0].name' }", "a question may not depend on who voted for what"),
        ("{ one: 'draft[0].author.name' }", "a question may not depend on who wrote a text"),
    ] {
        ekklesia(&["check", text(&write_votes(place.path(), rule))]).says(2, &[expected, "rule"]);
    }
}
