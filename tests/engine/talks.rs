//! Settings of single discussions: how many speak, whether they take a stance, when the talk ends, and votes in its rounds.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_every_cut, read, whole, write_agenda};
use crate::oracle::check_cells;
use crate::plan::forecast::assert_foreseen;
use ekklesia::domain::{Event, Record, Reply, RoundOpened};
use ekklesia::minds::Mind;
use ekklesia::plan::Plan;

fn arm(agenda: &str, more: &str) -> Arc<Plan> {
    let place = tempfile::tempdir().unwrap();
    Arc::clone(&read(&write_agenda(place.path(), agenda, more)).arms[0])
}

/// Of each round of a talk the order of its seats.
fn orders(records: &[Record], phase: &str) -> Vec<Vec<String>> {
    let own = records.iter().filter(|record| record.at.phase.as_str() == phase);
    let order = own.filter_map(|record| match &record.event {
        Event::RoundOpened(RoundOpened { order, situation: None, .. }) => {
            Some(order.iter().map(|seat| seat.to_string()).collect())
        }
        _ => None,
    });
    order.collect()
}

fn stances(records: &[Record], phase: &str) -> Vec<bool> {
    let own = records.iter().filter(|record| record.at.phase.as_str() == phase);
    let spoken = own.filter_map(|record| match record.reply()? {
        Reply::Statement { stance, opinion, .. } => Some(stance.is_some() || opinion.is_some()),
        _ => None,
    });
    spoken.collect()
}

#[test]
fn only_the_first_of_a_round_speak_and_all_come_to_it_in_a_rotating_order() {
    let agenda = "agenda:
  - { name: rotating, discussion: { rounds: 3, order: rotating, speakers: 1 } }
  - { name: drawn, discussion: { rounds: 3, order: random, speakers: 2 } }
  - { name: urgent, discussion: { rounds: 4, order: volunteer, speakers: 1 } }
";
    let plan = arm(agenda, "");
    let mut first = BTreeSet::new();
    for replicate in 1..=6 {
        let records = whole(&plan, replicate);
        assert_eq!(orders(&records, "rotating"), [["Ann"], ["Bob"], ["Cleo"]]);
        let drawn = orders(&records, "drawn");
        assert!(drawn.iter().all(|order| order.len() == 2), "{drawn:?}");
        first.insert(drawn[0].clone());
        let urgencies: BTreeMap<(u32, String), Option<u32>> = records
            .iter()
            .filter_map(|record| match record.reply()? {
                Reply::Urgency(urgency) => {
                    Some(((record.at.round, record.seat.as_ref().unwrap().to_string()), urgency))
                }
                _ => None,
            })
            .collect();
        for (round, order) in (1..).zip(orders(&records, "urgent")) {
            let of_round = urgencies.iter().filter(|((at, _), _)| *at == round);
            let most = of_round.filter_map(|(_, urgency)| *urgency).max();
            assert_eq!(order.len(), usize::from(most.is_some()));
            assert!(order.iter().all(|seat| urgencies[&(round, seat.clone())] == most));
        }
    }
    assert!(first.len() > 2, "who speaks is drawn: {first:?}");
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_agenda(place.path(), agenda, ""), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    let methods = std::fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("In each 2 seats spoke once, the first in its order"), "{methods}");
    ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
    check_every_cut(&plan, 1, &whole(&plan, 1));
}

#[test]
fn a_talk_without_stances_asks_for_none_and_the_tables_add_up() {
    let agenda = "agenda:
  - { name: silent, discussion: { rounds: 2, stance: false } }
  - { name: open, discussion: { rounds: 2 } }
  - { name: vote, vote: {} }
";
    let place = tempfile::tempdir().unwrap();
    let config = write_agenda(place.path(), agenda, "");
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    let silent = stances(&records, "silent");
    assert!(silent.len() > 3 && !silent.contains(&true));
    assert!(stances(&records, "open").contains(&true));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    let methods = std::fs::read_to_string(out.join("methods.md")).unwrap();
    assert_eq!(methods.matches("could declare which alternative it favours").count(), 1, "{methods}");
    let models = "models:\n  sim: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: any, answers: ANSWERS } }\n\
                  seats: [ { name: Ann }, { name: Bob } ]\n";
    for answers in ["json_schema", "anchored"] {
        let config = write_agenda(place.path(), agenda, &models.replace("ANSWERS", answers));
        let show = |step: &str| {
            let told = ekklesia(&["check", text(&config), "--show", step]);
            told.says(0, &[]).stdout.clone()
        };
        let [silent, open] = ["Ann:silent", "Ann:open"].map(show);
        assert!(open.to_lowercase().contains("stance"), "{open}");
        assert!(!silent.to_lowercase().contains("stance") && !silent.contains("the option you favour"), "{silent}");
    }
}

#[test]
fn a_talk_ends_after_the_round_in_which_its_condition_holds() {
    let agenda = "agenda:
  - { name: two, discussion: { rounds: 5, until: round >= 2 } }
  - { name: ask, ask: [ { id: more, yes_no: {}, question: \"More?\" } ] }
  - { name: maybe, discussion: { rounds: 3, until: \"share(everyone.more) < 0.5\" } }
";
    let plan = arm(agenda, "");
    let mut lengths = BTreeSet::new();
    for replicate in 1..=8 {
        let records = whole(&plan, replicate);
        assert_eq!(orders(&records, "two").len(), 2);
        let (mut yes, mut all) = (0, 0);
        for record in &records {
            if let Some(values) = record.form_values() {
                all += 1;
                yes += usize::from(serde_json::to_string(values).unwrap().contains("true"));
            }
        }
        let rounds = orders(&records, "maybe").len();
        assert_eq!(rounds, if all > 0 && 2 * yes < all { 1 } else { 3 }, "{yes} of {all}");
        lengths.insert(rounds);
    }
    assert_eq!(lengths.len(), 2, "both happen");
    check_every_cut(&plan, 1, &whole(&plan, 1));
}

#[test]
fn votes_are_held_in_the_rounds_of_the_talk_that_says_so_and_take_the_place_of_the_next_vote() {
    let agenda = "agenda:
  - { name: first, discussion: { rounds: 2 } }
  - { name: poll, vote: { over: [a, b], rule: plurality, tie_break: lot, binding: false } }
  - { name: talk, discussion: { rounds: 3, vote: every_round, until: \"talk.decided or round >= 2\" } }
  - { name: vote, vote: {} }
";
    let plan = arm(agenda, "decision: { rule: unanimity }\n");
    assert!(plan.agenda.iter().all(|phase| phase.name.as_str() != "vote"), "the votes in rounds take its place");
    for replicate in 1..=6 {
        let records = whole(&plan, replicate);
        let tallies = |phase: &str| {
            let own = records.iter().filter(|record| record.at.phase.as_str() == phase);
            own.filter(|record| matches!(record.event, Event::Tallied(_))).count()
        };
        assert_eq!((tallies("first"), tallies("poll")), (0, 1));
        assert_eq!(tallies("talk"), orders(&records, "talk").len());
        assert!(tallies("talk") <= 2, "the talk ends after two rounds at the latest");
    }
}

#[test]
fn what_talks_with_fewer_speakers_ask_was_foreseen() {
    const MODELS: &str = "models:\n  sim: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: any, answers: json_schema, \
                          context_window: 100000 } }\nseats: [ { name: Ann }, { name: Bob }, { name: Cleo } ]\n";
    for settings in [
        "order: fixed, speakers: 2",
        "order: rotating, speakers: 1, stance: false",
        "order: random, speakers: 2, private_reasoning: true",
        "order: williams, speakers: 1",
        "order: volunteer, speakers: 2",
        "order: random, speakers: 1, until: \"mean(everyone.n) > 5\"",
    ] {
        let agenda = format!(
            "agenda:\n  - {{ name: ask, ask: [ {{ id: n, number: {{ min: 0, max: 10 }}, question: \"N?\" }} ] }}\n  \
             - {{ name: talk, discussion: {{ rounds: 3, {settings} }} }}\n  - {{ name: vote, vote: {{}} }}\n"
        );
        assert_foreseen(&arm(&agenda, MODELS), 4, &Mind::Voter { copy_ppm: 400_000 });
    }
}

#[test]
fn settings_of_talks_that_cannot_be_met_are_mistakes() {
    for (settings, message) in [
        ("until: rounds > 2", "rounds"),
        ("until: later.decided", "`later` is set only later"),
        ("until: 3", "a condition is yes or no"),
        (
            "rounds: 2, vote: on_call, rounds_min: 3",
            "no vote could be called before round 3, and there are only 2 rounds",
        ),
        ("rounds: 0, vote: every_round", "votes in rounds need at least one round"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let agenda =
            format!("agenda:\n  - {{ name: talk, discussion: {{ {settings} }} }}\n  - {{ name: later, vote: {{}} }}\n");
        let config = write_agenda(place.path(), &agenda, "");
        ekklesia(&["check", text(&config)]).says(2, &[message]);
    }
}

#[test]
fn a_template_has_words_of_its_own_for_the_turns_of_a_phase() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:\n  - { name: claims, discussion: { rounds: 1 } }\n  - { name: again, repeat: { times: 2 }, phases: [ { name: questions, discussion: { rounds: 1 } } ] }";
    let models = "models:\n  sim: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: any, answers: anchored } }\n\
                  seats: [ { name: Ann }, { name: Bob } ]\n";
    let config = write_agenda(place.path(), agenda, models);
    let words =
        "{% if phase == \"questions\" %}Ask one question.{% else %}Say what you think.{% endif %} STATEMENT: STANCE:";
    std::fs::write(place.path().join("own/prompts/en/statement.j2"), words).unwrap();
    let show = |at: &str| ekklesia(&["check", text(&config), "--show", at]).says(0, &[]).stdout.clone();
    assert!(show("Ann:claims").contains("Say what you think."));
    assert!(show("Ann:questions@2").contains("Ask one question."));
}
