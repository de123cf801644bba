//! What the built-in frame of prompts claims: no more than the design has.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, text};

const ASK: &str = "  - { name: price, ask: [ { id: ask, number: { min: 0, max: 9 }, question: Your price? } ] }\n";

/// A prompt of a scenario that is nothing but its agenda.
fn shown(place: &Path, (head, agenda): (&str, &str), (seats, more): (&str, &str), at: &str) -> String {
    let own = place.join("own");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("scenario.yaml"), format!("scenario: own\n{head}agenda:\n{agenda}")).unwrap();
    let config = place.join("config.yaml");
    let body = format!(
        "experiment: frames\nscenario: own\nseed: 3\nreplicates: 1\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim, mind: {{ random: {{}} }} }}\nseats: [ {seats} ]\n{more}"
    );
    fs::write(&config, body).unwrap();
    let shown = ekklesia(&["check", text(&config), "--show", at]);
    shown.says(0, &[]);
    shown.stdout.clone()
}

#[test]
fn only_a_group_that_decides_is_told_that_it_does() {
    let vote = format!("{ASK}  - {{ name: chair, vote: {{ over: everyone, rule: plurality, tie_break: lot }} }}\n");
    let poll = vote.replace("rule: plurality, tie_break: lot", "binding: false, rule: plurality");
    let motion = "motion: { text: Close the road? }\nalternatives:\n  - { name: for, label: Close it }\n  - { name: against, label: Keep it }\n";
    let decides = "a member of a group that decides together";
    for (head, agenda, is_told) in
        [("", ASK, false), ("", poll.as_str(), false), ("", vote.as_str(), true), (motion, ASK, false)]
    {
        let place = tempfile::tempdir().unwrap();
        let seats = ("{ count: 3, name: \"Seller {n}\" }", "");
        let prompt = shown(place.path(), (head, agenda), seats, "Seller 2:price");
        assert_eq!(prompt.contains(decides), is_told, "{head}{agenda}: {prompt}");
        assert!(prompt.contains(if is_told { "You are Seller 2, a member" } else { "You are Seller 2." }), "{prompt}");
    }
}

#[test]
fn whoever_speaks_without_a_stance_is_told_what_the_options_are() {
    let motion = "motion: { text: Close the road? }\nalternatives:\n  - { name: for, label: Close it }\n  - { name: against, label: Keep it }\n";
    let talk = "  - { name: talk, discussion: { rounds: 1, stance: false } }\n";
    let place = tempfile::tempdir().unwrap();
    let seats = ("{ count: 3, name: \"Seller {n}\" }", "");
    let prompt = shown(place.path(), (motion, talk), seats, "Seller 2:statement");
    assert!(prompt.contains("- for: Close it\n- against: Keep it\n"), "{prompt}");
    assert!(prompt.contains("say what you think, in your own words."), "{prompt}");
}

#[test]
fn a_seat_is_not_told_a_name_that_is_only_its_number() {
    for (seats, told) in [
        ("{ count: 3, name: \"S{n}\" }", "You are Participant 1."),
        ("{ name: Alice }, { name: Bob }, { name: Cem }", "You are Alice, known to the others as Participant 1."),
    ] {
        let place = tempfile::tempdir().unwrap();
        let at = if seats.contains("Alice") { "Alice:price" } else { "S1:price" };
        let prompt = shown(place.path(), ("", ASK), (seats, "controls: { anonymous: true }\n"), at);
        assert!(prompt.contains(told), "{prompt}");
    }
}

#[test]
fn an_option_is_written_once_a_list_without_brackets_and_no_talk_has_no_heading() {
    let seats = ("{ count: 3, name: \"Juror {n}\" }", "discussion: { rounds: 1 }\n");
    let brief = "  - { name: told, brief: { text: 'Here are {{ everyone }}; chosen: {{ nobody }}.' } }\n";
    let vote = "  - { name: foreman, vote: { over: everyone, rule: plurality, tie_break: lot } }\n";
    let quiet = tempfile::tempdir().unwrap();
    let prompt = shown(quiet.path(), ("", &format!("{brief}{vote}")), seats, "Juror 2:foreman");
    assert!(prompt.contains("Here are Juror 1, Juror 2, Juror 3; chosen: none."), "{prompt}");
    assert!(prompt.lines().any(|line| line.trim() == "- Juror 1") && !prompt.contains("Juror 1: Juror 1"), "{prompt}");
    assert!(!prompt.contains("The discussion so far"), "{prompt}");
    let place = tempfile::tempdir().unwrap();
    let agenda = format!("{brief}  - {{ name: talk, discussion: {{}} }}\n{vote}");
    let prompt = shown(place.path(), ("", &agenda), seats, "Juror 2:foreman");
    let (before, after) = prompt.split_once("The discussion so far:").unwrap();
    assert!(before.contains("Here are Juror 1") && after.contains("Juror 1 (#1."), "{prompt}");
}

#[test]
fn rewriting_memories_is_no_part_of_a_vote() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "  - name: again\n    repeat: { times: 5 }\n    phases:\n      - { name: floor, vote: { over: [yes_, no_], rule: majority } }\n";
    let routing = "memory: { routing: { tally_decided: integrated } }\n";
    let seats = ("{ count: 5, name: \"Juror {n}\" }", routing);
    shown(place.path(), ("", agenda), seats, "Juror 1:floor");
    let checked = ekklesia(&["check", text(&place.path().join("config.yaml"))]);
    let line = |name: &str| checked.stdout.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_owned();
    assert!(line("floor: vote").trim_end().ends_with(" 25"), "{}", checked.stdout);
    assert!(line("memory: seats rewrite").contains("0 – "), "{}", checked.stdout);
}
