//! Roles for a while: assigned by lot, in turn or by a value, in groups and outside, and read by name.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, read, repository, whole, write_file};
use crate::oracle::check_cells;
use ekklesia::domain::{Assigned, Event, Record};

/// The trust game as it is shipped, for six seats.
fn write_trust(place: &Path, settings: &str) -> PathBuf {
    let seats = "seats: [{ name: Ada }, { name: Ben }, { name: Cleo }, { name: Dan }, { name: Eva }, { name: Finn }]\n";
    write_config(place, text(&repository().join("scenarios/trust")), &format!("{seats}{settings}"))
}

fn write_config(place: &Path, scenario: &str, settings: &str) -> PathBuf {
    let body = format!(
        "experiment: parts\nscenario: {scenario}\nseed: 7\nreplicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.2 }} }} }}\n{settings}"
    );
    write_file(place, "config.yaml", body)
}

/// A scenario of these phases, for so many seats.
fn write_phases(place: &Path, seats: usize, agenda: &str) -> PathBuf {
    write_file(place, "own/scenario.yaml", format!("scenario: own\nagenda:\n{agenda}"));
    write_config(place, "own", &format!("seats: [{{ count: {seats}, name: \"Seat {{n}}\" }}]\n"))
}

/// Who has which role, for each assignment of roles, by the phase.
fn roles(records: &[Record]) -> Vec<(String, BTreeMap<String, Vec<String>>)> {
    let of_record = |record: &Record| match &record.event {
        Event::Assigned(Assigned { groups, roles, .. }) if !roles.is_empty() => {
            let seats = groups.iter().map(|seats| seats.iter().map(ToString::to_string).collect());
            Some((record.at.phase.to_string(), roles.iter().cloned().zip(seats).collect()))
        }
        _ => None,
    };
    records.iter().filter_map(of_record).collect()
}

#[test]
fn a_trust_game_goes_on_after_any_record() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_trust(place.path(), "")).arms[0]);
    check_every_cut(&plan, 1, &whole(&plan, 1));
}

#[test]
fn what_trustors_and_trustees_earn_follows_from_their_answers() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let two_periods = write_trust(place.path(), "agenda: { period: { repeat: { times: 2 } } }\n");
    ekklesia(&["run", text(&two_periods), "--out", text(&out)]).says(0, &[]);
    let (values, assigned) = (rows(&out, "values"), rows(&out, "assignments"));
    let key = |row: &BTreeMap<String, String>, columns: [&str; 3]| columns.map(|column| row[column].clone());
    let of_pair = ["session", "pass", "group"];
    let roles = assigned.iter().filter(|row| !row["role"].is_empty());
    let roles: BTreeMap<_, _> =
        roles.map(|row| ((key(row, of_pair), row["role"].clone()), row["seat"].clone())).collect();
    // Two replicates of two periods of three pairs, each with both roles.
    assert_eq!(roles.len(), 24);
    let answer = |pair: &[String; 3], field: &str| {
        let row = values.iter().find(|row| key(row, of_pair) == *pair && row["field"] == field)?;
        (row["status"] == "valid").then(|| row["value"].parse::<i64>().unwrap())
    };
    let mut expected: BTreeMap<(String, String), i64> = BTreeMap::new();
    for ((pair, role), seat) in &roles {
        let (sent, returned) = (answer(pair, "sent").unwrap_or(0), answer(pair, "returned").unwrap_or(0));
        assert!(returned <= 3 * sent, "{pair:?}");
        let gain = if role == "trustor" { 10 - sent + returned } else { 3 * sent - returned };
        *expected.entry((pair[0].clone(), seat.clone())).or_default() += gain;
    }
    for row in rows(&out, "payoffs") {
        let paid = row["payoff"].parse::<f64>().unwrap();
        assert!((paid - expected[&(row["session"].clone(), row["seat"].clone())] as f64).abs() < 1e-9, "{row:?}");
    }
    // Each question was put to the seat with the role, and to no other.
    for row in values.iter().filter(|row| ["sent", "returned"].contains(&row["field"].as_str())) {
        let role = if row["field"] == "sent" { "trustor" } else { "trustee" };
        assert_eq!(roles[&(key(row, of_pair), role.to_owned())], row["seat"]);
    }
    check_cells(&out, 3);
    ekklesia(&["replay", text(&out)]).says(0, &[]);
}

#[test]
fn roles_are_filled_by_lot_in_turn_and_by_a_value() {
    let place = tempfile::tempdir().unwrap();
    let agenda = |by: &str| {
        format!(
            "  - name: night\n    repeat: {{ times: 6 }}\n    phases:\n      \
             - {{ name: deal, assign: {{ part: {{ roles: {{ wolf: 2, villager: rest, seer: 1 }}, by: {by} }} }} }}\n"
        )
    };
    let drawn = |by: &str| {
        let config = write_phases(place.path(), 6, &agenda(by));
        roles(&whole(&read(&config).arms[0], 1)).into_iter().map(|(_, roles)| roles).collect::<Vec<_>>()
    };
    for all in [drawn("lot"), drawn("rotation"), drawn("0 - seat.index")] {
        let sizes = |roles: &BTreeMap<String, Vec<String>>| ["wolf", "villager", "seer"].map(|role| roles[role].len());
        assert!(all.iter().all(|roles| sizes(roles) == [2, 3, 1]), "{all:?}");
    }
    assert!(drawn("lot").iter().collect::<BTreeSet<_>>().len() > 1);
    let wolves: Vec<_> = drawn("rotation").into_iter().map(|roles| roles["wolf"].clone()).collect();
    let expected =
        [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [1, 6]].map(|pair| pair.map(|n| format!("Seat {n}")).to_vec());
    assert_eq!(wolves, expected);
    let valued = drawn("0 - seat.index");
    assert!(valued.iter().all(|roles| roles["wolf"] == ["Seat 5", "Seat 6"] && roles["seer"] == ["Seat 1"]));
}

#[test]
fn roles_are_read_by_name_and_a_later_assignment_takes_them_away() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "  - { name: before, compute: { seats_then: count(wolf) } }
  - { name: deal, assign: { part: { roles: { wolf: 2, seer: 1, villager: rest }, by: rotation } } }
  - { name: kinds, compute: { wolves: count(wolf), seen: seer.index, seat.is_wolf: seat in wolf, seat.is_seer: 'seat == seer', seat.own: seat.part } }
  - { name: vote, who: wolf, ask: [ { id: bite, yes_no: {}, question: 'Do you bite? {{ seer.name }} is the seer, and you are {{ seat.part }}.' } ] }
  - { name: again, who: 'seat.index < 3', assign: { part: { roles: { seer: 1, villager: rest }, by: rotation } } }
  - { name: after, compute: { wolves_left: count(wolf), seer_left: seer.index } }
";
    let config = write_phases(place.path(), 5, agenda);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let variables = rows(&out, "variables");
    let value = |name: &str, seat: &str| {
        let row = variables.iter().find(|row| row["name"] == name && row["seat"] == seat).unwrap();
        row["value"].clone()
    };
    let of_session = ["seats_then", "wolves", "seen", "wolves_left"].map(|name| value(name, ""));
    assert_eq!(of_session, ["0", "2", "3", "0"]);
    let own: Vec<String> = (1..=5).map(|n| value("own", &format!("Seat {n}"))).collect();
    assert_eq!(own, ["wolf", "wolf", "seer", "villager", "villager"]);
    assert_eq!(value("is_wolf", "Seat 2"), "yes");
    assert_eq!(value("is_seer", "Seat 2"), "no");
    let asked: BTreeSet<String> = rows(&out, "values").iter().map(|row| row["seat"].clone()).collect();
    assert_eq!(asked, BTreeSet::from(["Seat 1".to_owned(), "Seat 2".to_owned()]));
    check_cells(&out, 1);
}

#[test]
fn mistakes_in_roles_are_told_with_their_place() {
    let place = tempfile::tempdir().unwrap();
    let check = |seats: usize, agenda: &str, told: &[&str]| {
        ekklesia(&["check", text(&write_phases(place.path(), seats, agenda))]).says(2, told);
    };
    let deal = |written: &str| format!("  - {{ name: deal, assign: {{ part: {written} }} }}\n");
    check(4, &deal("{ roles: { wolf: 2, seer: 1 }, by: lot }"), &["1 of 4 seats would have no role: write ROLE: rest"]);
    check(2, &deal("{ roles: { wolf: 2, seer: 1 }, by: lot }"), &["the roles have 3 seats, and there are 2"]);
    check(4, &deal("{ roles: { wolf: rest, seer: rest }, by: lot }"), &["the rest goes to one role"]);
    check(
        4,
        &deal("{ roles: { wolf: 0, seer: rest }, by: lot }"),
        &["write the number of its seats, 1 or more, or rest"],
    );
    check(4, &deal("{ roles: { wolf: rest }, groups: { size: 2 }, by: lot }"), &["exactly one of groups and roles"]);
    check(4, &deal("{ by: lot }"), &["exactly one of groups and roles"]);
    check(4, &deal("{ roles: { group: rest }, by: lot }"), &["\"group\" means something else in expressions"]);
    check(4, &deal("{ roles: { part: rest }, by: lot }"), &["another role or assignment is called \"part\""]);
    let nested = "  - { name: match, assign: { pair: { groups: { size: 2 }, by: lot } } }
  - { name: parts, groups: pair, assign: { part: { roles: { wolf: 3 }, by: lot } } }
";
    check(4, nested, &["the roles have 3 seats, and there are 2"]);
    let unknown =
        deal("{ roles: { wolf: rest }, by: lot }") + "  - { name: play, groups: part, discussion: { rounds: 1 } }\n";
    check(4, &unknown, &["no phase assigns \"part\""]);
}
