//! Votes whose ballots others hear: what seats are told before they vote, and what transcripts say of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{folded, read, whole, write_motion_agenda};
use ekklesia::domain::Step;
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
