//! Groups that mix values, interventions and forgetting within groups, and passes in the orders of a Latin square.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_every_cut, folded, read, whole, write_agenda};
use crate::oracle::check_cells;
use crate::plan::forecast::assert_foreseen;
use ekklesia::domain::{Assigned, Briefing, Event, FieldValue, MemoryAct, Record, Reminded, SeatId};
use ekklesia::minds::Mind;
use ekklesia::plan::Plan;

const NINE: &str =
    "models: { sim: { simulated: {} } }\nseats: [ { count: 9, name: \"S{n}\", mind: { random: {} } } ]\n";

fn arm(agenda: &str, more: &str) -> Arc<Plan> {
    let place = tempfile::tempdir().unwrap();
    Arc::clone(&read(&write_agenda(place.path(), agenda, more)).arms[0])
}

fn groups(records: &[Record], phase: &str) -> Vec<BTreeSet<String>> {
    let all = records.iter().filter(|record| record.at.phase.as_str() == phase);
    let mut found = all.filter_map(|record| match &record.event {
        Event::Assigned(Assigned { groups, .. }) => {
            Some(groups.iter().map(|group| group.iter().map(ToString::to_string).collect()).collect())
        }
        _ => None,
    });
    found.next().unwrap()
}

#[test]
fn groups_mix_values_as_evenly_as_possible_and_by_lot() {
    let agenda = "agenda:
  - { name: sides, ask: [ { id: side, choice: { options: [left, right, centre] }, question: \"Side?\" } ] }
  - name: again
    repeat: { times: 3 }
    phases:
      - { name: mixed, assign: { table: { groups: { count: 3 }, by: lot, mix: seat.side } } }
      - { name: turned, assign: { desk: { groups: { size: 2 }, by: rotation, mix: seat.index <= 4, uneven: true } } }
  - { name: vote, vote: {} }
";
    let plan = arm(agenda, NINE);
    let mut seen = BTreeSet::new();
    for replicate in 1..=5 {
        let records = whole(&plan, replicate);
        let mut side: BTreeMap<String, String> = BTreeMap::new();
        for record in &records {
            if let Some(values) = record.form_values()
                && let Some(FieldValue::Words(word)) = values.find("side").flatten()
            {
                side.insert(record.seat.as_ref().unwrap().to_string(), word.to_string());
            }
        }
        for pass in 1..=3 {
            let mixed = groups(&records, &format!("mixed@{pass}"));
            assert_eq!(mixed.iter().map(BTreeSet::len).collect::<Vec<_>>(), [3, 3, 3]);
            for word in ["left", "right", "centre"] {
                let counts: Vec<usize> =
                    mixed.iter().map(|group| group.iter().filter(|seat| side[*seat] == word).count()).collect();
                assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{word} {counts:?}");
            }
            seen.insert(mixed);
            let turned = groups(&records, &format!("turned@{pass}"));
            assert_eq!(turned.iter().map(BTreeSet::len).collect::<Vec<_>>(), [2, 2, 2, 2, 1]);
            let low = |group: &BTreeSet<String>| group.iter().filter(|seat| seat.as_str() <= "S4").count();
            assert!(turned.iter().all(|group| low(group) <= 1), "{turned:?}");
        }
    }
    assert!(seen.len() > 5, "which seats of a side come together is drawn");
    check_every_cut(&plan, 1, &whole(&plan, 1));
}

#[test]
fn passes_for_things_take_the_rows_of_a_latin_square_over_replicates() {
    let agenda = "agenda:
  - name: topics
    for: { each: [a, b, c, d], as: topic, order: latin }
    phases: [ { name: told, brief: { text: \"Now {{ topic }}.\" } } ]
  - { name: vote, vote: {} }
";
    let plan = arm(agenda, "");
    let order = |replicate: u32| -> Vec<String> {
        let told = whole(&plan, replicate).into_iter().filter_map(|record| match record.event {
            Event::Briefed(Briefing { text, .. }) => text.strip_prefix("Now ").map(str::to_owned),
            _ => None,
        });
        told.collect()
    };
    let orders: Vec<Vec<String>> = (1..=4).map(order).collect();
    for place in 0..4 {
        let at: BTreeSet<&String> = orders.iter().map(|order| &order[place]).collect();
        assert_eq!(at.len(), 4, "each thing takes each place: {orders:?}");
    }
    let pairs: BTreeSet<(String, String)> =
        orders.iter().flat_map(|order| order.windows(2).map(|pair| (pair[0].clone(), pair[1].clone()))).collect();
    assert_eq!(pairs.len(), 12, "each follows each other once: {orders:?}");
    assert_eq!(order(5), orders[0]);
}

const APART: &str = "agenda:
  - { name: pair, assign: { pair: { groups: { size: 2 }, by: lot, uneven: true } } }
  - name: apart
    groups: pair
    repeat: { times: 2 }
    phases:
      - { name: whisper, discussion: { rounds: 2 } }
      - { name: later, forget: [whisper], ask: [ { id: n, number: { min: 0, max: 9 }, question: \"N?\" } ] }
  - { name: together, discussion: { rounds: 1 } }
  - { name: vote, vote: {} }
";
const ACTS: &str = "interventions:
  - { at: { phase: whisper@2, round: 2 }, text: \"Whisper lower.\" }
  - { at: { phase: whisper@1 }, to: [Cleo], text: \"You alone.\" }
  - { at: { phase: later@2 }, compact: {} }
";

#[test]
fn interventions_take_place_in_each_group_for_its_members() {
    let plan = arm(APART, &format!("{ACTS}memory: {{ policy: selective }}\n"));
    let records = whole(&plan, 1);
    let told = |words: &str| -> Vec<(String, BTreeSet<String>)> {
        let of = records.iter().filter_map(|record| match &record.event {
            Event::Briefed(Briefing { text, to, .. }) if text == words => {
                Some((record.at.phase.to_string(), to.iter().map(ToString::to_string).collect()))
            }
            _ => None,
        });
        of.collect()
    };
    let all = groups(&records, "pair");
    let lower: BTreeMap<String, BTreeSet<String>> = told("Whisper lower.").into_iter().collect();
    let expected = (1..).zip(&all).map(|(number, group)| (format!("whisper@2#{number}"), group.clone()));
    assert_eq!(lower, expected.collect::<BTreeMap<_, _>>());
    let alone = told("You alone.");
    assert_eq!(alone.len(), 1);
    assert_eq!(alone[0].1, BTreeSet::from(["Cleo".to_owned()]));
    let compacted: BTreeSet<String> = records
        .iter()
        .filter_map(|record| match &record.event {
            Event::Reminded(Reminded { to, act: MemoryAct::Compact { .. }, .. }) => {
                Some(to.iter().map(ToString::to_string))
            }
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(compacted.len(), 3, "each seat once, in its group");
    check_every_cut(&plan, 1, &records);
}

#[test]
fn what_was_said_in_a_group_is_forgotten_there_and_the_tables_add_up() {
    let plan = arm(APART, "memory: { policy: full }\n");
    let records = whole(&plan, 1);
    let state = folded(&plan, 1, &records);
    for seat in (0..3).map(SeatId) {
        let brief = state.memory().in_hand(seat);
        let phases: BTreeSet<&str> =
            brief.all_remarks().map(|remark| records[remark.seq.0 as usize].at.phase.written()).collect();
        assert!(!phases.contains("whisper") && phases.contains("together"), "{phases:?}");
    }
    check_every_cut(&plan, 1, &records);
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_agenda(place.path(), APART, ACTS), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    ekklesia(&["replay", text(&out.join("sessions/baseline-r000002"))]).says(0, &[]);
}

#[test]
fn what_is_told_in_groups_was_foreseen() {
    const MODELS: &str = "models:\n  sim: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: any, answers: json_schema, \
                          context_window: 100000 } }\nseats: [ { name: Ann }, { name: Bob }, { name: Cleo } ]\n";
    let plan = arm(APART, &format!("{MODELS}{ACTS}"));
    assert_foreseen(&plan, 3, &Mind::Voter { copy_ppm: 400_000 });
}

#[test]
fn mistakes_of_groups_name_a_way_out() {
    let assign = |rule: &str| {
        format!("agenda:\n  - {{ name: pair, assign: {{ pair: {rule} }} }}\n  - {{ name: vote, vote: {{}} }}\n")
    };
    for (agenda, more, messages) in [
        (
            assign("{ groups: { size: 3 }, by: seat.index, mix: seat.index }"),
            "",
            ["with mix, write by: lot", "pair.mix"],
        ),
        (assign("{ roles: { a: 1, b: rest }, by: lot, mix: seat.index }"), "", ["only groups mix values", "pair.mix"]),
        (assign("{ groups: { size: 3 }, by: lot, mix: others }"), "", ["what groups mix is", "pair.mix"]),
        (
            APART.replace("later, forget: [whisper], ask", "later, who: seats, ask"),
            "",
            ["would be read of other groups while these go on: write group", "later.who"],
        ),
        (
            APART.to_owned(),
            "interventions: [ { at: { phase: together }, mark: \"#1.1\", phase: whisper@1 } ]\n",
            ["each group makes statements in whisper@1", "interventions.0.mark"],
        ),
    ] {
        let place = tempfile::tempdir().unwrap();
        let told = ekklesia(&["check", text(&write_agenda(place.path(), &agenda, more))]);
        told.says(2, &messages);
        assert!(!told.stderr.contains("write [seats]"), "{}", told.stderr);
    }
}

#[test]
fn a_fork_lists_each_phase_in_groups_once() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_agenda(place.path(), APART, ""), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let change = place.path().join("change.yaml");
    std::fs::write(&change, "at: { seat: Ann, phase: nowhere, round: 0, step: ask }\nanswer: { n: 3 }\n").unwrap();
    let session = out.join("sessions/baseline-r000001");
    let told =
        ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&place.path().join("fork"))]);
    assert_ne!(told.code, Some(0));
    assert_eq!(told.stderr.matches("whisper@1").count(), 1, "{}", told.stderr);
}
