//! What a straw poll of a round came to, told to all without names; and rounds in which nobody speaks.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, json_lines, statement_of, text, values_at};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, read, whole, write_config, write_own_scenario};
use crate::oracle::check_cells;
use serde_json::Value;

fn body(discussion: &str, polls: &str) -> String {
    format!(
        "
replicates: 3
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.5 }} }} }}
seats: [ {{ count: 5, name: \"Member {{n}}\" }} ]
straw_polls: {polls}
discussion: {{ rounds: 4, vote: at_end, {discussion} }}
decision: {{ rule: plurality, invalid: abstain, tie_break: lot }}
"
    )
}

/// The minutes of each replicate.
fn run(body: &str, place: &Path) -> Vec<Vec<Value>> {
    let (config, out) = (write_config(place, body), place.join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    (1..=3).map(|r| json_lines(&out.join(format!("sessions/baseline-r{r:06}/minutes.jsonl")))).collect()
}

fn of_round<'r>(records: &'r [Value], round: u64, step: &'r str) -> impl Iterator<Item = &'r Value> {
    records.iter().filter(move |record| {
        record["at"]["phase"] == "discussion" && record["at"]["round"] == round && record["at"]["step"] == step
    })
}

#[test]
fn all_are_told_how_many_chose_what_and_how_many_gave_no_valid_answer() {
    let place = tempfile::tempdir().expect("a folder");
    let mut with_invalid = 0;
    for records in run(&body("order: nobody, poll_told: true", "[each_round]"), place.path()) {
        assert!(!records.iter().any(|record| statement_of(record).is_some()), "nobody speaks");
        for round in 1..=4 {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for polled in of_round(&records, round, "straw_poll").filter_map(|record| values_at(record, "straw_poll")) {
                *counts.entry(polled["choice"].as_str().expect("a name")).or_default() += 1;
            }
            let of = |name: &str| counts.get(name).copied().unwrap_or(0);
            let invalid = 5 - of("for") - of("against");
            with_invalid += usize::from(invalid > 0);
            let invalid = if invalid == 0 { String::new() } else { format!(", no valid answer {invalid}") };
            let expected =
                format!("The private poll of this round: for {}, against {}{invalid}.", of("for"), of("against"));
            let told: Vec<&str> = of_round(&records, round, "brief")
                .filter_map(|record| record["event"]["Instructed"]["text"].as_str())
                .filter(|text| text.contains("poll"))
                .collect();
            assert_eq!(told, [expected.as_str()], "round {round}");
        }
    }
    assert!(with_invalid > 0, "some answers never became valid");
}

#[test]
fn nobody_is_told_of_a_poll_unless_the_author_wants_it() {
    let place = tempfile::tempdir().expect("a folder");
    for records in run(&body("order: random", "[each_round]"), place.path()) {
        assert!(records.iter().any(|record| statement_of(record).is_some()));
        let told = records.iter().filter_map(|record| record["event"]["Instructed"]["text"].as_str());
        assert_eq!(told.filter(|text| text.contains("poll")).count(), 0);
    }
}

#[test]
fn what_is_told_reaches_the_next_question() {
    let place = tempfile::tempdir().expect("a folder");
    let records = run(&body("order: nobody, poll_told: true", "[each_round]"), place.path()).remove(0);
    let told = of_round(&records, 1, "brief").filter_map(|record| record["event"]["Instructed"]["text"].as_str());
    let told = told.last().expect("the poll was told").to_owned();
    let session = place.path().join("out/sessions/baseline-r000001");
    ekklesia(&["context", text(&session), "--seat", "Member 2"]).says(0, &[&told]);
}

#[test]
fn a_poll_that_is_not_taken_cannot_be_told() {
    let place = tempfile::tempdir().expect("a folder");
    let config = write_config(place.path(), &body("order: fixed, poll_told: true", "[before]"));
    ekklesia(&["check", text(&config)]).says(2, &["discussion.poll_told", "each_round"]);
}

/// Talks in groups, in passes of a block.
const IN_GROUPS: &str = "agenda:
  - { name: split, assign: { table: { groups: { size: 3 }, by: lot } } }
  - name: small
    groups: table
    repeat: { times: 2 }
    phases:
      - { name: talk, discussion: { rounds: 2 } }
  - { name: final, vote: {} }
";

#[test]
fn groups_are_polled_in_their_rounds_and_all_are_polled_around_them() {
    let place = tempfile::tempdir().expect("a folder");
    write_own_scenario(place.path(), "motion", |written| {
        let (before, after) = written.split_once("\nagenda:").expect("an agenda");
        let rest = after.split_once("\n\n").map_or("", |(_, rest)| rest);
        format!("{before}\n{IN_GROUPS}\n{rest}")
    });
    let seats: String = (1..=6).map(|n| format!("  - {{ name: Seat {n} }}\n")).collect();
    let config = place.path().join("config.yaml");
    let body = format!(
        "experiment: polled\nscenario: own\nseed: 5\nreplicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.4 }} }} }}\nseats:\n{seats}\
         straw_polls: [before, each_round, after]\ndiscussion: {{ poll_told: true }}\ndecision: {{ invalid: abstain }}\n"
    );
    std::fs::write(&config, body).expect("a config");
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    check_cells(&out, 1);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let (ballots, assignments) = (rows(&out, "ballots"), rows(&out, "assignments"));
    for session in ["baseline-r000001", "baseline-r000002"] {
        let own = |purpose: &str| -> Vec<&BTreeMap<String, String>> {
            ballots.iter().filter(|row| row["session"] == session && row["purpose"] == purpose).collect()
        };
        for purpose in ["straw_before", "straw_after"] {
            let seats: Vec<&String> = own(purpose).iter().map(|row| &row["seat"]).collect();
            assert_eq!(seats.len(), 6, "{purpose}: each seat once, whatever the groups and passes");
            assert!(own(purpose).iter().all(|row| row["phase"] == purpose && row["group"].is_empty()));
        }
        assert_eq!(own("straw_round").len(), 2 * 2 * 6, "passes, rounds and seats");
        let minutes = json_lines(&out.join(format!("sessions/{session}/minutes.jsonl")));
        for group in ["1", "2"] {
            let of_group = |row: &&BTreeMap<String, String>| row["session"] == session && row["group"] == group;
            let members: Vec<&String> = assignments.iter().filter(of_group).map(|row| &row["seat"]).collect();
            for (pass, round) in [("1", 1), ("1", 2), ("2", 1), ("2", 2)] {
                let polled = own("straw_round")
                    .into_iter()
                    .filter(|row| row["group"] == group && row["pass"] == pass && row["round"] == round.to_string());
                let polled: Vec<&BTreeMap<String, String>> = polled.collect();
                let mut seats: Vec<&String> = polled.iter().map(|row| &row["seat"]).collect();
                seats.sort();
                assert_eq!(seats, members);
                let count = |name: &str| polled.iter().filter(|row| row["alternative"] == name).count();
                let invalid = polled.iter().filter(|row| row["status"] != "valid").count();
                let invalid = if invalid == 0 { String::new() } else { format!(", no valid answer {invalid}") };
                let expected = format!(
                    "The private poll of this round: for {}, against {}{invalid}.",
                    count("for"),
                    count("against")
                );
                let told: Vec<&str> = minutes
                    .iter()
                    .filter(|record| {
                        record["at"]["phase"] == format!("talk@{pass}#{group}") && record["at"]["round"] == round
                    })
                    .filter_map(|record| record["event"]["Instructed"]["text"].as_str())
                    .filter(|text| text.contains("poll"))
                    .collect();
                assert_eq!(told, [expected.as_str()], "group {group}, pass {pass}, round {round}");
            }
        }
    }
    let order: Vec<&str> = plan.agenda.iter().map(|phase| phase.name.written()).collect();
    let of = |name: &str| order.iter().position(|own| *own == name).expect("a phase");
    assert!(of("split") < of("straw_before") && of("straw_before") + 1 == of("talk"));
    assert_eq!(of("straw_after") + 1, of("final"));
}
