//! What seats remember and hear of answers to forms: the questions in short, whom they are about, and the answers in words.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::trial::{check_every_cut, folded, read, whole, write_own_scenario};
use ekklesia::domain::{EntryKind, SeatId};
use ekklesia::plan::Plan;

fn plan_of(place: &Path, agenda: &str, more: &str) -> Arc<Plan> {
    write_own_scenario(place, "motion", |written| {
        let (before, after) = written.split_once("\nagenda:").unwrap();
        let rest = after.split_once("\n\n").map_or("", |(_, rest)| rest);
        format!("{before}\n{agenda}\n{rest}")
    });
    let config = place.join("config.yaml");
    let seats = "  - { name: Ann }\n  - { name: Ben }\n  - { name: R2 }\n";
    let body = format!(
        "experiment: remembered\nscenario: own\nseed: 5\nreplicates: 1\nseat_defaults: {{ model: sim, mind: {{ random: {{}} }} }}\n\
         models: {{ sim: {{ simulated: {{}} }} }}\nseats:\n{seats}{more}"
    );
    fs::write(&config, body).unwrap();
    Arc::clone(&read(&config).arms[0])
}

/// What a seat remembers of its own answers at the end of a session, and what it hears from the facilitator.
fn remembered(plan: &Arc<Plan>, seat: u32) -> (Vec<String>, Vec<String>) {
    let records = whole(plan, 1);
    check_every_cut(plan, 1, &records);
    let state = folded(plan, 1, &records[..records.len() - 1]);
    let brief = state.memory().in_hand(SeatId(seat));
    let own = brief.own.iter().chain(brief.pinned).filter(|entry| entry.kind == EntryKind::OwnAnswer);
    let announced = state.memory().remarks(SeatId(seat)).iter().filter(|remark| remark.speaker.is_none());
    (own.map(|entry| entry.text.clone()).collect(), announced.map(|remark| remark.text.to_string()).collect())
}

/// A text with `#` for each number.
fn without_numbers(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        match letter.is_ascii_digit() {
            true if shown.ends_with('#') => {}
            true => shown.push('#'),
            false => shown.push(letter),
        }
    }
    let answers = [("» yes", "» #"), ("» no", "» #"), (": yes", ": #"), (": no", ": #")];
    answers.iter().fold(shown.replace("R#", "R2"), |shown, (answer, number)| shown.replace(answer, number))
}

#[test]
fn a_seat_remembers_the_question_whom_it_was_about_and_its_answer() {
    let number = "number: { min: 0, max: 9 }";
    let long = "Which of the many things that we have spoken of this morning, and in the afternoon of the day before yesterday, do you like?";
    for (form, expected) in [
        (
            format!(
                "[ {{ id: sure, {number}, question: How sure are you? }}, {{ id: fair, yes_no: {{}}, question: Is it fair? }} ]"
            ),
            "You answered: «How sure are you?» #; «Is it fair?» #",
        ),
        (
            format!(
                "{{ per: others, form: [ {{ id: d, {number}, question: 'How many points do you deduct from {{{{ target.name }}}}?' }} ] }}"
            ),
            "You answered: «How many points do you deduct from …?» Ben: #, R2: #",
        ),
        (
            format!(
                "{{ per: others, form: [ {{ id: d, {number}, question: 'Points for {{{{ target }}}}?' }}, {{ id: f, yes_no: {{}}, question: Fair? }} ] }}"
            ),
            "You answered: «Points for …?» Ben: #, R2: #; «Fair?» Ben: #, R2: #",
        ),
        (
            format!(
                "[ {{ id: sure, {number}, question: '{{{{ me.name }}}}, in pass {{{{ seat.index }}}}: how sure?' }} ]"
            ),
            "You answered: «Ann, in pass #: how sure?» #",
        ),
        (
            format!("[ {{ id: sure, {number}, question: {long:?} }} ]"),
            "You answered: «Which of the many things that we have spoken of this morning, and in the afternoon of the day...» #",
        ),
    ] {
        let place = tempfile::tempdir().unwrap();
        let agenda =
            format!("agenda:\n  - {{ name: sanction, ask: {form} }}\n  - {{ name: close, discussion: {{}} }}\n");
        let plan = plan_of(place.path(), &agenda, "discussion: { rounds: 1 }\n");
        let (own, _) = remembered(&plan, 0);
        assert_eq!(own.iter().map(|text| without_numbers(text)).collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn statements_that_are_marked_one_by_one_are_told_apart() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - name: marking
    for: { each: [Trees are good, Cars are loud], as: statement, order: fixed }
    phases:
      - { name: mark, ask: [ { id: view, choice: { options: [agree, disagree] }, question: 'Statement: {{ statement }}. Your view?' } ] }
  - { name: close, discussion: {} }
";
    let plan = plan_of(place.path(), agenda, "discussion: { rounds: 1 }\n");
    let (own, _) = remembered(&plan, 0);
    let questions: Vec<&str> = own.iter().map(|text| text.split_once('»').unwrap().0).collect();
    let asked =
        ["Trees are good", "Cars are loud"].map(|words| format!("You answered: «Statement: {words}. Your view?"));
    assert_eq!(questions, asked);
}

#[test]
fn an_answer_that_others_hear_has_its_question_and_its_own_seat_keeps_it_once() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: first, ask: [ { id: secret, number: { min: 700, max: 799 }, question: Your number? } ] }
  - { name: rate, heard_by: [Ann, Ben], ask: { per: others, form: [ { id: t, number: { min: 0, max: 9 }, question: 'You have {{ seat.secret }} points. Trust in {{ target.name }}?' } ] } }
  - { name: close, discussion: {} }
";
    let plan = plan_of(place.path(), agenda, "discussion: { rounds: 1 }\n");
    let line = |name: &str, others: [&str; 2]| {
        let [one, other] = others;
        format!("{name} answered: «You have … points. Trust in …?» {one}: #, {other}: #")
    };
    let announced = [line("Ann", ["Ben", "R2"]), line("Ben", ["Ann", "R2"]), line("R2", ["Ann", "Ben"])];
    for (seat, hears, own_entries) in [(0, true, 1), (1, true, 1), (2, false, 2)] {
        let (own, heard) = remembered(&plan, seat);
        let heard: Vec<String> =
            heard.iter().map(|text| without_numbers(text)).filter(|text| text.contains("answered")).collect();
        assert_eq!(heard, if hears { announced.to_vec() } else { Vec::new() }, "seat {seat}");
        assert_eq!(own.len(), own_entries, "seat {seat}: {own:?}");
    }
    // A seat that is told to keep its own answers keeps them.
    let pinned = plan_of(place.path(), agenda, "discussion: { rounds: 1 }\nmemory: { pin: [own_answer] }\n");
    assert_eq!(remembered(&pinned, 0).0.len(), 2);
}
