//! Roles that a scenario declares.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_every_cut, folded, read, repository, whole, write_file, write_own_scenario};
use crate::oracle::check_cells;
use ekklesia::domain::{Answered, Computed, ComputedValues, Event, FieldValue, Record, Step};
use ekklesia::engine::Next;

const ROLES: &str = "roles:
  debater: { seats: 2, votes: false, instructions: \"Argue about {{ parameters.topic }}.\" }
  judge: { seats: 1, speaks: false, model: other }
  clerk: { seats: 1, speaks: false, votes: false }
parameters: { topic: { type: text, default: roads } }
";

const AGENDA: &str = "agenda:
  - { name: poll, ask: { time: before } }
  - { name: talk, discussion: {} }
  - { name: notes, who: clerk, ask: [ { id: lines, number: { min: 0, max: 9 }, question: \"How many lines?\" } ] }
  - { name: sides, who: seat in debater, ask: [ { id: side, number: { min: 0, max: 9 }, question: \"Which side?\" } ] }
  - { name: sums, compute: { both: sum(debater.side), seat.twice: clerk.lines * 2, seat.own: 'seat.role == \"judge\"' } }
  - { name: verdict, vote: {} }
";

fn write_roles(place: &Path, roles: &str, agenda: &str, (seats, more): (&str, &str)) -> PathBuf {
    write_own_scenario(place, "motion", |written| {
        let (before, after) = written.split_once("\nagenda:").unwrap();
        let rest = after.split_once("\n\n").map_or("", |(_, rest)| rest);
        let (head, tail) = before.split_once("\nparameters:").unwrap();
        let tail = tail.split_once("\nmotion:").unwrap().1;
        let motion = "\nmotion: { text: \"Shall the town mend its roads?\" }\n";
        let tail = tail.split_once("\nalternatives:").unwrap().1;
        format!("{head}\n{roles}{motion}alternatives:{tail}\n{agenda}\n{rest}")
    });
    let body = format!(
        "experiment: roles\nscenario: own\nseed: 5\nreplicates: 2\nseat_defaults: {{ model: sim }}\n\
         models: {{ sim: {{ simulated: {{}} }}, other: {{ simulated: {{}} }} }}\nseats:\n{seats}{more}"
    );
    write_file(place, "config.yaml", body)
}

const SEATS: &str = "  - { name: Judy, role: judge, persona: You are old. }
  - { name: Ann, mind: { random: {} } }
  - { name: Ben, persona: You are young. }
  - { name: Cem }
";

/// The steps at which each seat was asked, apart from rewriting its memory.
fn steps(records: &[Record]) -> BTreeMap<String, BTreeSet<Step>> {
    let mut steps: BTreeMap<String, BTreeSet<Step>> = BTreeMap::new();
    let rewrites = |record: &Record| matches!(record.at.step, Step::Integration | Step::Compression);
    for record in records.iter().filter(|record| record.event.given().is_some() && !rewrites(record)) {
        steps.entry(record.seat.as_ref().unwrap().to_string()).or_default().insert(record.at.step);
    }
    steps
}

fn numbers(records: &[Record], id: &str) -> impl Iterator<Item = i64> {
    let of_field = records.iter().filter_map(move |record| match &record.event {
        Event::Answered(Answered { values, .. }) => values.find(id).flatten().cloned(),
        _ => None,
    });
    of_field.map(|value| match value {
        FieldValue::Number(number) => number.to_string().parse::<i64>().unwrap(),
        other => panic!("{other:?}"),
    })
}

#[test]
fn a_role_is_asked_only_what_it_does() {
    for (more, of_debaters, of_judge) in [
        (
            "discussion: { rounds: 2, private_reasoning: true }\n",
            vec![Step::Ask, Step::Reasoning, Step::Statement],
            vec![Step::StrawPoll, Step::Ballot],
        ),
        (
            "discussion: { rounds: 2, order: volunteer, vote: every_round }\nstraw_polls: [each_round]\n",
            vec![Step::Ask, Step::Volunteer, Step::Statement],
            vec![Step::StrawPoll, Step::Ballot],
        ),
        ("discussion: { rounds: 2, vote: on_call }\n", vec![Step::Ask, Step::Statement], vec![Step::StrawPoll]),
    ] {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&write_roles(place.path(), ROLES, AGENDA, (SEATS, more))).arms[0]);
        let records = whole(&plan, 1);
        let steps = steps(&records);
        let set = |steps: &[Step]| steps.iter().copied().collect::<BTreeSet<Step>>();
        assert_eq!(steps["Ann"], set(&of_debaters), "{more}");
        assert_eq!(steps["Judy"], set(&of_judge), "{more}");
        assert_eq!(steps["Cem"], set(&[Step::Ask]), "{more}");
        for record in &records {
            if let Event::Tallied(report) = &record.event {
                assert_eq!(report.eligible, 1, "{more}");
            }
        }
        check_every_cut(&plan, 1, &records);
    }
}

#[test]
fn seats_without_a_role_fill_the_declared_ones_and_expressions_read_them() {
    let place = tempfile::tempdir().unwrap();
    let config = write_roles(place.path(), ROLES, AGENDA, (SEATS, "discussion: { rounds: 1 }\n"));
    let plan = Arc::clone(&read(&config).arms[0]);
    let seats: Vec<_> =
        plan.seats.iter().map(|seat| (seat.part.as_ref().unwrap().name.as_str(), seat.model.as_str())).collect();
    assert_eq!(seats, [("judge", "other"), ("debater", "sim"), ("debater", "sim"), ("clerk", "sim")]);
    let personas: Vec<_> = plan.agents(1).into_iter().map(|agent| agent.persona).collect();
    let expected = ["You are old.", "Argue about roads.", "You are young.\n\nArgue about roads."];
    let expected: Vec<Option<String>> = expected.iter().map(|text| Some((*text).to_owned())).chain([None]).collect();
    assert_eq!(personas, expected);
    let records = whole(&plan, 1);
    let computed = |wanted: &str| {
        records.iter().find_map(|record| match &record.event {
            Event::Computed(Computed { name, values }) if name == wanted => Some(values.clone()),
            _ => None,
        })
    };
    let both: i64 = numbers(&records, "side").sum();
    let Some(ComputedValues::Session(Some(FieldValue::Number(sum)))) = computed("both") else { panic!("no sum") };
    assert_eq!(sum.to_string(), both.to_string());
    let lines: i64 = numbers(&records, "lines").sum();
    let Some(ComputedValues::Seats(twice)) = computed("twice") else { panic!("no values") };
    for value in twice.values() {
        assert!(matches!(value, Some(FieldValue::Number(number)) if number.to_string() == (2 * lines).to_string()));
    }
    let Some(ComputedValues::Seats(own)) = computed("own") else { panic!("no values") };
    let judges = own.iter().filter(|(_, value)| **value == Some(FieldValue::YesNo(true)));
    assert_eq!(judges.map(|(seat, _)| seat.as_str()).collect::<Vec<_>>(), ["Judy"]);
}

#[test]
fn roles_are_in_check_methods_tables_and_replay() {
    let place = tempfile::tempdir().unwrap();
    let agenda: String =
        AGENDA.lines().filter(|line| !line.contains("compute:")).map(|line| format!("{line}\n")).collect();
    let config = write_roles(place.path(), ROLES, &agenda, (SEATS, "discussion: { rounds: 1, proposals: true }\n"));
    let out = place.path().join("out");
    ekklesia(&["check", text(&config)]).tells(&[
        "debater: Ann, Ben (does not vote)",
        "judge: Judy (does not speak)",
        "clerk: Cem (does not speak, does not vote)",
        "verdict: vote · who judge",
        "talk: talk, 1 round · who debater",
    ]);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
    let mut seats = csv::Reader::from_path(out.join("seats.csv")).unwrap();
    let rows: Vec<BTreeMap<String, String>> = seats.deserialize().map(Result::unwrap).collect();
    let roles: Vec<&str> = rows[..4].iter().map(|row| row["role"].as_str()).collect();
    assert_eq!(roles, ["judge", "debater", "debater", "clerk"]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    for words in ["`judge`, who does not speak", "in which only these take part: `judge`"] {
        assert!(methods.contains(words), "{words}: {methods}");
    }
}

#[test]
fn mistakes_in_roles_are_told_at_once() {
    let place = tempfile::tempdir().unwrap();
    let check = |roles: &str, agenda: &str, seats: &str, told: &[&str]| {
        let config = write_roles(place.path(), roles, agenda, (seats, ""));
        ekklesia(&["check", text(&config)]).says(2, told);
    };
    let three = "  - { name: Ann }\n  - { name: Ben }\n  - { name: Cem }\n";
    check(
        ROLES,
        AGENDA,
        three,
        &["the scenario's roles have 4 seats", "debater 2, judge 1, clerk 1", "and there are 3"],
    );
    let wrong = SEATS.replace("role: judge", "role: juge");
    check(ROLES, AGENDA, &wrong, &["no role is named \"juge\"", "judge"]);
    let twice = SEATS.replace("{ name: Ann,", "{ name: Ann, role: judge,");
    check(ROLES, AGENDA, &twice, &["the role judge has 1 in the scenario, and 2 here"]);
    let pushing = SEATS.replace("role: judge", "role: manipulator");
    check(ROLES, AGENDA, &pushing, &["write manipulator: true"]);
    let names = ROLES.replace("clerk", "sum").replace("judge", "side").replace("debater", "Debater");
    let agenda = "agenda:\n  - { name: a, ask: [ { id: side, number: { min: 0, max: 9 }, question: \"?\" } ] }\n";
    let told = ["\"Debater\" is no name of a role", "\"sum\" means something else", "is called \"side\", too"];
    check(&names, agenda, SEATS, &told);
    let silent = "agenda:\n  - { name: a, who: judge, discussion: {} }\n  - { name: b, who: debater, vote: {} }\n";
    check(
        ROLES,
        silent,
        SEATS,
        &["agenda.a.who", "the roles of judge have nothing to do", "the roles of debater have"],
    );
    let plain = "parameters: { topic: { type: text, default: roads } }\n";
    let agenda = "agenda:\n  - { name: vote, when: 'everyone[0].role == \"judge\"', vote: {} }\n";
    check(plain, agenda, three, &["the scenario declares no roles"]);
    let agenda = "agenda:\n  - { name: vote, vote: {} }\n";
    check(plain, agenda, SEATS, &["no role is named \"judge\": the scenario declares no roles"]);
}

/// The shipped debate: at every question of a session the debaters have the passage before them, and the judge has not.
#[test]
fn a_column_of_the_items_is_shown_to_its_role_alone() {
    let experiment = read(&repository().join("configs/debate_judge.yaml"));
    let arm = experiment.arms.iter().find(|plan| plan.arm == "debate").unwrap();
    for item in experiment.items.values() {
        let plan = Arc::new(arm.of_item(item));
        let records = whole(&plan, 1);
        let passage: String = item.shown["passage"].chars().take(50).collect();
        assert!(passage.len() == 50 && !passage.contains(['"', '\'']));
        let mut asked: BTreeMap<String, BTreeSet<Step>> = BTreeMap::new();
        for cut in 0..records.len() {
            let state = folded(&plan, 1, &records[..cut]);
            let Next::Ask(queries) = state.next() else { continue };
            for query in &queries {
                let seat = query.id.seat.to_string();
                assert_eq!(format!("{query:?}").contains(&passage), seat != "Judge", "{}: {}", item.id, query.id);
                asked.entry(seat).or_default().insert(query.id.at.step);
            }
        }
        assert_eq!(asked["Judge"], [Step::Ballot].into(), "{}", item.id);
        assert!(["Ada", "Ben"].iter().all(|debater| asked[*debater] == [Step::Statement].into()), "{}", item.id);
    }
}

#[test]
fn mistakes_in_columns_that_a_role_is_shown_are_told_at_once() {
    let place = tempfile::tempdir().unwrap();
    for file in ["debate_judge.yaml", "debate_judge-passages.csv"] {
        fs::copy(repository().join("configs").join(file), place.path().join(file)).unwrap();
    }
    let config = place.path().join("debate_judge.yaml");
    let written = fs::read_to_string(&config).unwrap();
    let scenario = repository().join("scenarios/debate_judge");
    let written = written.replace("../scenarios/debate_judge", scenario.to_str().unwrap());
    let wrong = written.replace("debater: [passage]", "debater: [answer, pasage], jury: [passage, passage]");
    fs::write(&config, wrong).unwrap();
    let told = ["right answers is shown to no seat", "pasage", "no role is named \"jury\"", "passage is there twice"];
    ekklesia(&["check", text(&config)]).says(2, &told);
    fs::write(&config, &written).unwrap();
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "1"]).says(0, &[]);
    check_cells(&out, 3);
    ekklesia(&["replay", text(&out.join("sessions/debate-iwell-r000001"))]).says(0, &[]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("`passage`, a column of the items, shown to `Ada` and `Ben`"), "{methods}");
}
