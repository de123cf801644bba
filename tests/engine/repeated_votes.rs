//! A vote in a repeated block: its last pass gives the result, and what is said of it is of that pass.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::write_agenda;
use crate::oracle::check_cells;

#[test]
fn first_ballots_are_those_of_the_pass_that_gave_the_result_and_readers_hear_that_it_was_the_last_of_several() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:\n  - name: match\n    repeat: { times: 3 }\n    phases:\n      - { name: v, vote: { rule: plurality, tie_break: no_decision } }\n";
    let seat = "mind: { rule: { v: \"'for' if pass.number == 1 else 'against'\" } }";
    let seats: String = ["Ann", "Bob", "Cleo"].iter().map(|name| format!("  - {{ name: {name}, {seat} }}\n")).collect();
    let config =
        write_agenda(place.path(), agenda, &format!("models: {{ sim: {{ simulated: {{}} }} }}\nseats:\n{seats}"));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["the last of 3 votes"]);
    check_cells(&out, 1);
    for row in rows(&out, "sessions") {
        let cells =
            ["result", "first_ballot_majority", "fbm_matches_final", "votes_held"].map(|name| row[name].as_str());
        assert_eq!(cells, ["against", "against", "1", "3"]);
    }
    let sessions = out.join("sessions.csv");
    let why = |column: &str| ekklesia(&["why", &format!("{}:1:{column}", text(&sessions))]);
    let plain = |told: &str| told.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = why("result");
    told.says(0, &[]);
    assert!(plain(&told.stdout).contains("the last of 3 votes"), "{}", told.stdout);
    why("fbm_matches_final").says(0, &[]);
    let page = place.path().join("page.html");
    ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &[]);
    assert!(fs::read_to_string(&page).unwrap().contains("the last of 3 votes"));
}

#[test]
fn one_vote_is_not_the_last_of_several() {
    let place = tempfile::tempdir().unwrap();
    let config = write_agenda(place.path(), "agenda: [ { name: v, vote: {} } ]", "");
    let out = place.path().join("out");
    let told = ekklesia(&["run", text(&config), "--out", text(&out)]);
    told.says(0, &[]);
    assert!(!told.stdout.contains("the last of"), "{}", told.stdout);
}
