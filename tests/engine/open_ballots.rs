//! Votes whose ballots others hear: what seats are told before they vote, and what transcripts say of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, folded, read, whole, write_motion_agenda};
use crate::oracle::check_cells;
use ekklesia::domain::{EntryKind, SeatId, Step};
use ekklesia::engine::Next;
use ekklesia::session::QuestionWording;

fn write_vote(place: &Path, vote: &str, more: &str) -> PathBuf {
    let seats = "  - { name: Ann }\n  - { name: Ben }\n  - { name: Cem }\n";
    let body = format!(
        "experiment: open\nscenario: own\nseed: 5\nreplicates: 1\nseat_defaults: {{ model: sim, mind: {{ random: {{}} }} }}\n\
         models: {{ sim: {{ simulated: {{}} }} }}\nseats:\n{seats}{more}"
    );
    write_motion_agenda(place, &format!("agenda:\n  - {vote}"), &body)
}

/// The question of the first ballot, in its last paragraph.
fn ballot_question(vote: &str, more: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_vote(place.path(), vote, more)).arms[0]);
    let records = whole(&plan, 1);
    let asked = records.iter().position(|record| record.at.step == Step::Ballot).unwrap();
    let state = folded(&plan, 1, &records[..asked]);
    let Next::Ask(queries) = state.next() else { panic!("a seat is asked") };
    let agents: Vec<_> = plan.seats.iter().map(|seat| seat.agent.clone()).collect();
    let wording = QuestionWording::for_person(&plan, &agents, &queries[0]).unwrap();
    let words = wording.messages.last().unwrap().content();
    words.rsplit("\n\n").next().unwrap().to_owned()
}

#[test]
fn a_seat_is_told_before_it_votes_who_hears_its_ballot() {
    let counted = "When the ballots are counted, ";
    let cast = "The members vote one after the other, and ";
    for (vote, expected) in [
        ("open: never", None),
        ("open: announced", Some(format!("{counted}everyone hears who voted for what."))),
        ("open: announced, announce: false", None),
        (
            "open: in_turn",
            Some(format!("{cast}everyone hears your ballot, with your name, as soon as you have cast it.")),
        ),
        (
            "open: in_turn, reasons: true",
            Some(format!(
                "{cast}everyone hears your ballot, with your name, as soon as you have cast it. Nobody hears your reason."
            )),
        ),
        ("ballot: ranking, rule: borda, open: announced", Some(format!("{counted}everyone hears who voted for what."))),
    ] {
        let question = ballot_question(&format!("{{ name: verdict, vote: {{ {vote} }} }}"), "");
        assert!(question.starts_with("The group votes now. "), "{question}");
        match expected {
            Some(words) => assert_eq!(question.matches(&words).count(), 1, "{vote}: {question}"),
            None => assert!(!question.contains("hear"), "{vote}: {question}"),
        }
        let both = question.matches(counted).count() + question.matches(cast).count();
        assert!(both <= 1, "{vote}: {question}");
    }
}

#[test]
fn a_seat_is_told_which_members_alone_hear_its_ballot() {
    for (open, heard_by, expected) in [
        ("announced", "[Ben]", "When the ballots are counted, these members hear who voted for what: Ben."),
        (
            "in_turn",
            "[Ben]",
            "The members vote one after the other, and these members hear your ballot, with your name, as soon as you have cast it: Ben.",
        ),
    ] {
        let vote = format!("{{ name: verdict, heard_by: {heard_by}, vote: {{ open: {open} }} }}");
        let question = ballot_question(&vote, "");
        assert!(question.contains(expected) && !question.contains("everyone hears"), "{question}");
    }
    let nobody = ballot_question("{ name: verdict, heard_by: nobody, vote: { open: in_turn } }", "");
    assert!(!nobody.contains("hear"), "{nobody}");
    // A vote that is secret is so where others are open.
    let secret = ballot_question("{ name: verdict, vote: { open: never } }", "decision: { roll_call: true }\n");
    assert!(!secret.contains("hear"), "{secret}");
}

#[test]
fn transcripts_say_who_hears_a_ballot() {
    for (vote, expected) in [
        ("{ name: verdict, vote: { open: never } }", "*private* **Ann** votes for"),
        (
            "{ name: verdict, vote: { open: announced } }",
            "*private until the count, then heard by all* **Ann** votes for",
        ),
        (
            "{ name: verdict, heard_by: [Ben], vote: { open: announced } }",
            "*private until the count, then to Ben only* **Ann** votes for",
        ),
        ("{ name: verdict, vote: { open: in_turn } }", "\n**Ann** votes for"),
        ("{ name: verdict, heard_by: [Ann, Ben], vote: { open: in_turn } }", "*to Ann, Ben only* **Ann** votes for"),
        (
            "{ name: say, who: [Ann], heard_by: everyone, ask: [ { id: blue, yes_no: {}, question: \"Blue?\" } ] }",
            "\n**Ann** answers blue",
        ),
    ] {
        let place = tempfile::tempdir().unwrap();
        let (config, out) = (write_vote(place.path(), vote, ""), place.path().join("out"));
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]).says(0, &[expected]);
    }
}

/// The settings of a phase that votes in turn, and which of Ann, Ben and Cem hear the ballots of which.
const IN_TURN: [(&str, [&[&str]; 3]); 5] = [
    ("", [&["Ben", "Cem"], &["Ann", "Cem"], &["Ann", "Ben"]]),
    ("heard_by: [Ann, Ben], ", [&["Ben", "Cem"], &["Ann", "Cem"], &[]]),
    ("heard_by: nobody, ", [&[], &[], &[]]),
    ("who: [Ann, Ben], ", [&["Ben"], &["Ann"], &["Ann", "Ben"]]),
    ("who: seat.index >= 2, ", [&["Ben", "Cem"], &["Cem"], &["Ben"]]),
];

#[test]
fn a_seat_that_votes_in_turn_hears_the_ballots_of_others_and_keeps_its_own_once() {
    for (settings, expected) in IN_TURN {
        let place = tempfile::tempdir().unwrap();
        let vote = format!("{{ name: verdict, {settings}vote: {{ open: in_turn }} }}");
        let config = write_vote(place.path(), &vote, "");
        let plan = Arc::clone(&read(&config).arms[0]);
        let records = whole(&plan, 1);
        check_every_cut(&plan, 1, &records);
        let state = folded(&plan, 1, &records[..records.len() - 1]);
        for (seat, others) in (0..).map(SeatId).zip(expected) {
            let remarks = state.memory().remarks(seat).iter();
            let heard: Vec<&str> = remarks.filter_map(|remark| Some(remark.text.split_once(" voted: ")?.0)).collect();
            assert_eq!(heard, others, "{settings}{seat:?}");
            let brief = state.memory().in_hand(seat);
            let own = brief.own.iter().chain(brief.pinned).filter(|entry| entry.kind == EntryKind::OwnBallot);
            let name = plan.seats[seat.index()].name.as_str();
            let cast = records.iter().filter(|record| {
                record.at.step == Step::Ballot && record.seat.as_ref().is_some_and(|voter| voter.as_str() == name)
            });
            assert_eq!(own.count(), cast.count(), "{settings}{name}");
        }
        let out = place.path().join("out");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        check_cells(&out, 1);
        ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
    }
}

#[test]
fn a_ballot_of_others_that_is_heard_in_turn_counts_among_the_calls_saved_and_the_own_one_once() {
    let place = tempfile::tempdir().unwrap();
    let saved = |open: &str| -> Vec<String> {
        let out = place.path().join(open);
        let vote = format!("{{ name: verdict, vote: {{ open: {open} }} }}");
        let config = write_vote(place.path(), &vote, "");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        rows(&out, "seat_rounds").iter().map(|row| row["model_calls_saved"].clone()).collect()
    };
    let number = |text: &String| text.parse::<u64>().unwrap();
    let (apart, in_turn) = (saved("never"), saved("in_turn"));
    assert_eq!(apart.len(), 3, "{apart:?}");
    let more: Vec<u64> = in_turn.iter().zip(&apart).map(|(more, less)| number(more) - number(less)).collect();
    assert_eq!(more, [2; 3], "the ballots of the two others");
}

#[test]
fn check_says_which_votes_are_in_turn() {
    for (vote, expected) in [
        ("open: never", "verdict: vote "),
        ("open: announced", "verdict: vote "),
        ("open: in_turn", "verdict: vote, in turn "),
        ("over: others, rule: plurality, tie_break: lot, open: in_turn", "verdict: vote on others, in turn "),
    ] {
        let place = tempfile::tempdir().unwrap();
        let config = write_vote(place.path(), &format!("{{ name: verdict, vote: {{ {vote} }} }}"), "");
        ekklesia(&["check", text(&config)]).says(0, &[expected]);
    }
}
