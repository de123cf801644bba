//! Groups side by side: assignments, beats, hearing, tables, and a public good.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{column, ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{
    check_every_cut, check_told_audiences, folded, read, repository, whole, write_agenda, write_file,
    write_motion_agenda,
};
use crate::oracle::check_cells;
use ekklesia::domain::{Answered, Assigned, Audience, Computed, Event, Payment, PhaseOpened, Record, SeatId, Step};
use ekklesia::engine::Next;
use ekklesia::session::Visibility;

/// A public good as it is shipped, with other settings.
fn write_good(place: &Path, settings: &str) -> PathBuf {
    let scenario = repository().join("scenarios/public_goods");
    let seats: String = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hana"]
        .map(|name| format!("  - {{ name: {name}, mind: {{ random: {{ malformed: 0.2 }} }} }}\n"))
        .concat();
    let body = format!(
        "experiment: good\nscenario: {}\nseed: 7\nreplicates: 1\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim }}\nseats:\n{seats}{settings}",
        text(&scenario)
    );
    write_file(place, "config.yaml", body)
}

const STRANGERS: &str = "parameters: { strangers: true }\nagenda: { period: { repeat: { times: 3 } } }\n";

fn groups(records: &[Record]) -> BTreeMap<String, Vec<BTreeSet<String>>> {
    let assigned = records.iter().filter_map(|record| match &record.event {
        Event::Assigned(Assigned { groups, .. }) => {
            let groups = groups.iter().map(|group| group.iter().map(ToString::to_string).collect());
            Some((record.at.phase.to_string(), groups.collect()))
        }
        _ => None,
    });
    assigned.collect()
}

#[test]
fn a_session_in_groups_goes_on_after_any_record() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_good(place.path(), STRANGERS)).arms[0]);
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
}

#[test]
fn groups_are_drawn_anew_for_strangers_and_once_for_partners() {
    let place = tempfile::tempdir().unwrap();
    for (settings, times) in [(STRANGERS, 3), ("agenda: { period: { repeat: { times: 3 } } }\n", 1)] {
        let plan = Arc::clone(&read(&write_good(place.path(), settings)).arms[0]);
        let all = groups(&whole(&plan, 1));
        assert_eq!(all.len(), times);
        for of_pass in all.values() {
            assert_eq!(of_pass.iter().map(BTreeSet::len).collect::<Vec<_>>(), [4, 4]);
            assert_eq!(of_pass.concat_seats().len(), 8);
        }
        assert!(times == 1 || all.values().collect::<BTreeSet<_>>().len() > 1, "{all:?}");
    }
}

#[test]
fn groups_of_two_assignments_in_one_loop_are_folded_pass_by_pass() {
    let place = tempfile::tempdir().unwrap();
    let seats: String = (1..=6).map(|seat| format!("  - {{ name: S{seat} }}\n")).collect();
    let agenda = "agenda:
  - { name: match, assign: { pair: { groups: { size: 2 }, by: lot }, trio: { groups: { size: 3 }, by: lot } } }
  - name: period
    repeat: { times: 3 }
    phases:
      - { name: give, groups: pair, ask: [ { id: x, number: { min: 0, max: 9 }, key: 2, question: \"x?\" } ] }
      - { name: first, groups: pair, compute: { seat.mark: \"10 * pass.number + 1\" } }
      - { name: second, groups: trio, compute: { seat.mark: \"10 * pass.number + 2\" } }
";
    let more = format!("models: {{ sim: {{ simulated: {{}} }} }}\nseats:\n{seats}");
    let (config, out) = (write_agenda(place.path(), agenda, &more), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "4"]).says(0, &[]);
    let seen = check_cells(&out, 1);
    assert!(seen.contains("sessions:ans_give_x") && seen.contains("sessions:correct_give_x"), "{seen:?}");
    let values = rows(&out, "values");
    for session in rows(&out, "sessions") {
        let last = values.iter().filter(|row| row["session"] == session["session"] && row["pass"] == "3");
        let last: Vec<f64> = last.map(|row| row["value_n"].parse().unwrap()).collect();
        let found: f64 = session["ans_give_x"].parse().unwrap();
        assert!((found - last.iter().sum::<f64>() / 6.0).abs() < 1e-6, "{found} {last:?}");
    }
    assert!(rows(&out, "seats").iter().all(|row| row["var_mark"] == "32.000000"));
}

trait ConcatSeats {
    fn concat_seats(&self) -> BTreeSet<String>;
}

impl ConcatSeats for Vec<BTreeSet<String>> {
    fn concat_seats(&self) -> BTreeSet<String> {
        self.iter().flatten().cloned().collect()
    }
}

#[test]
fn the_questions_of_all_groups_are_one_ask_and_each_group_hears_itself() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_good(place.path(), STRANGERS)).arms[0]);
    let records = whole(&plan, 1);
    let mut session = folded(&plan, 1, &[]);
    let mut together = 0;
    for record in &records {
        if let Next::Ask(queries) = session.next() {
            let phases: Vec<&str> = queries.iter().map(|query| query.id.at.phase.as_str()).collect();
            assert!(phases.is_sorted(), "{phases:?}");
            together += usize::from(phases.iter().collect::<BTreeSet<_>>().len() > 1);
        }
        session.evolve(record);
    }
    assert!(together > 6, "{together}");
    // Nobody hears another group's statements.
    let assigned = groups(&records);
    for seat in 0..8 {
        for remark in session.memory().remarks(SeatId(seat)) {
            let Some(speaker) = remark.speaker else { continue };
            let phase = &records[remark.seq.0 as usize].at.phase;
            let now = &assigned[&format!("match@{}", phase.pass().unwrap())];
            let own = now.iter().find(|group| group.contains(plan.seats[seat as usize].name.as_str())).unwrap();
            assert!(own.contains(plan.seats[speaker.index()].name.as_str()), "{phase}");
        }
    }
}

#[test]
fn a_speaker_in_a_group_is_told_that_its_own_group_hears_it() {
    let place = tempfile::tempdir().unwrap();
    let config = write_good(place.path(), "agenda: { period: { repeat: { times: 2 } } }\n");
    let plan = Arc::clone(&read(&config).arms[0]);
    let told = check_told_audiences(&plan, 1, &whole(&plan, 1));
    assert!(told.iter().any(|(phase, _)| phase.ends_with("#2")), "{told:?}");
    for (phase, audience) in told {
        assert!(matches!(&audience, Some(Audience::Seats(seats)) if seats.len() == 3), "{phase}: {audience:?}");
    }
}

#[test]
fn a_statement_of_another_group_is_a_leak() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_good(place.path(), "agenda: { period: { repeat: { times: 2 } } }\n")).arms[0]);
    let records = whole(&plan, 1);
    for forged in [false, true] {
        let mut proof = Visibility::new(&plan);
        let mut session = folded(&plan, 1, &[]);
        let mut found = false;
        for record in &records {
            if let Next::Ask(queries) = session.next() {
                found |= queries.iter().any(|query| proof.check_query(query).is_err());
            }
            let mut told = record.clone();
            // The proof is told that what one group heard another one did.
            if let (true, Event::PhaseOpened(PhaseOpened { heard_by: Some(names), .. })) = (forged, &mut told.event) {
                *names = plan.seats.iter().map(|seat| seat.name.clone()).filter(|name| !names.contains(name)).collect();
            }
            proof.witness_record(&told);
            session.evolve(record);
        }
        assert_eq!(found, forged);
    }
}

/// The numbers that each seat answered to each field of each pass, straight from the minutes.
fn answers(records: &[Record]) -> BTreeMap<(String, String), BTreeMap<String, i64>> {
    let mut answers: BTreeMap<(String, String), BTreeMap<String, i64>> = BTreeMap::new();
    for record in records.iter().filter(|record| record.at.step == Step::Ask) {
        if let Event::Answered(Answered { values, .. }) = &record.event {
            let key = (record.seat.as_ref().unwrap().to_string(), record.at.phase.pass().unwrap().to_owned());
            for (field, value) in values.iter() {
                let value = serde_json::to_value(value).unwrap().as_i64().unwrap();
                answers.entry(key.clone()).or_default().insert(field.to_owned(), value);
            }
        }
    }
    answers
}

#[test]
fn every_payoff_of_a_public_good_follows_from_the_raw_answers() {
    let place = tempfile::tempdir().unwrap();
    for (settings, punishes) in [
        (STRANGERS, true),
        ("parameters: { punishment: false }\nagenda: { period: { repeat: { times: 3 } } }\n", false),
    ] {
        let plan = Arc::clone(&read(&write_good(place.path(), settings)).arms[0]);
        let records = whole(&plan, 1);
        let (all, given) = (groups(&records), answers(&records));
        let names: Vec<String> = plan.seats.iter().map(|seat| seat.name.to_string()).collect();
        let mut totals: BTreeMap<String, f64> = BTreeMap::new();
        let mut now = Vec::new();
        for pass in 1..=3 {
            if let Some(drawn) = all.get(&format!("match@{pass}")) {
                now.clone_from(drawn);
            }
            let of = |seat: &str, field: &str| given.get(&(seat.to_owned(), pass.to_string()))?.get(field).copied();
            for group in &now {
                let pot: i64 = group.iter().filter_map(|seat| of(seat, "c")).sum();
                for seat in group {
                    let gross = 20.0 - of(seat, "c").unwrap_or(0) as f64 + 0.4 * pot as f64;
                    let number = |name: &str| names.iter().position(|own| own == name).unwrap() + 1;
                    let others = || group.iter().filter(|other| *other != seat);
                    let received: i64 = others().filter_map(|from| of(from, &format!("p_{}", number(seat)))).sum();
                    let spent: i64 = others().filter_map(|about| of(seat, &format!("p_{}", number(about)))).sum();
                    assert!(punishes || received + spent == 0);
                    *totals.entry(seat.clone()).or_default() += (gross - 3.0 * received as f64).max(0.0) - spent as f64;
                }
            }
        }
        let paid = records.iter().find_map(|record| match &record.event {
            Event::Paid(Payment { payoffs, .. }) => Some(payoffs.clone()),
            _ => None,
        });
        let paid = paid.unwrap();
        assert_eq!(paid.len(), 8);
        for payoff in paid {
            let expected = totals[payoff.seat.as_str()];
            let payoff: f64 = payoff.payoff.unwrap().to_string().parse().unwrap();
            assert!((payoff - expected).abs() < 1e-6, "{payoff} {expected}");
        }
    }
}

#[test]
fn a_folder_of_groups_is_whole() {
    let place = tempfile::tempdir().unwrap();
    let config = write_good(place.path(), STRANGERS);
    let [one, two] = ["one", "two"].map(|name| place.path().join(name));
    ekklesia(&["check", text(&config)])
        .says(0, &["match: assigns team", "each team: side by side", "chat: talk, 1 round"]);
    ekklesia(&["run", text(&config), "--out", text(&one)]).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&two), "--jobs", "2"]).says(0, &[]);
    for table in ["values", "variables", "assignments", "statements", "rounds", "seat_rounds", "answers", "payoffs"] {
        let [first, second] = [&one, &two].map(|out| fs::read(out.join(format!("{table}.csv"))).unwrap());
        assert_eq!(first, second, "{table}");
    }
    check_cells(&one, 5);
    ekklesia(&["replay", text(&one.join("sessions/baseline-r000001"))]).says(0, &[]);
    assert_eq!(rows(&one, "assignments").len(), 24);
    for table in ["values", "variables", "statements", "rounds", "seat_rounds", "answers"] {
        let all = rows(&one, table);
        let numbers: BTreeSet<&str> =
            all.iter().filter(|row| row["phase"] != "payment").map(|row| row["group"].as_str()).collect();
        assert!(numbers.contains("1") && numbers.contains("2"), "{table}: {numbers:?}");
    }
    let methods = fs::read_to_string(one.join("methods.md")).unwrap();
    assert!(methods.contains("in each group of `team`, side by side"), "{methods}");
    assert!(methods.contains("\nEach session had 8 seats. ") && !methods.contains("Each group had"), "{methods}");
}

fn write_groups(place: &Path, agenda: &str, (seats, more): (&str, &str)) -> PathBuf {
    let body = format!(
        "experiment: groups\nscenario: own\nseed: 5\nreplicates: 1\nseat_defaults: {{ model: sim }}\n\
         models: {{ sim: {{ simulated: {{}} }} }}\nseats: [{seats}]\n{more}"
    );
    write_motion_agenda(place, agenda, &body)
}

const FIVE: &str = "{ name: Ann }, { name: Ben }, { name: Cem }, { name: Dan }, { name: Eve }";

#[test]
fn uneven_groups_loops_within_groups_and_conditions_of_each_group() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: first, ask: [ { id: x, number: { min: 0, max: 9 }, question: \"?\" } ] }
  - { name: sorted, assign: { pair: { groups: { size: 2 }, by: seat.x, uneven: true } } }
  - name: inner
    groups: pair
    repeat: { until: mean(group.x) > 4, max: 3 }
    phases:
      - { name: again, when: count(group) > 1, ask: [ { id: y, number: { min: 0, max: 9 }, question: \"?\" } ] }
      - { name: sums, compute: { group.pot: sum(group.y), seat.z: group.pot, group.grown: \"group.pot + default(previous(pot), 0)\" } }
  - { name: talk, groups: pair, discussion: { rounds: 2, order: simultaneous } }
  - { name: after, compute: { all: sum(seats.z), pots: sum(group.pot) } }
  - { name: turned, assign: { pair: { groups: { count: 3 }, by: rotation, uneven: true } } }
  - { name: last, groups: pair, heard_by: group, ask: [ { id: w, number: { min: 0, max: 9 }, question: \"?\" } ] }
";
    let plan = Arc::clone(&read(&write_groups(place.path(), agenda, (FIVE, ""))).arms[0]);
    let records = whole(&plan, 1);
    let all = groups(&records);
    for name in ["sorted", "turned"] {
        assert_eq!(all[name].iter().map(BTreeSet::len).collect::<Vec<_>>(), [2, 2, 1], "{name}");
    }
    let number = |wanted: &str| {
        let values = records.iter().filter_map(|record| match &record.event {
            Event::Computed(Computed { name, values }) if name == wanted => {
                values.iter().next().and_then(|(_, value)| value.cloned())
            }
            _ => None,
        });
        values.map(|value| serde_json::to_value(value).unwrap().as_f64().unwrap()).collect::<Vec<_>>()
    };
    // The last value of each group, one after the other.
    let last: BTreeMap<String, f64> = records
        .iter()
        .filter_map(|record| match &record.event {
            Event::Computed(Computed { name, values }) if name == "pot" => {
                let value = values.iter().next().and_then(|(_, value)| value.cloned());
                let value = value.map_or(0.0, |value| serde_json::to_value(value).unwrap().as_f64().unwrap());
                Some((record.at.phase.group().unwrap().to_owned(), value))
            }
            _ => None,
        })
        .collect();
    assert_eq!(number("pots"), [last.values().sum::<f64>()]);
    let ended = records.iter().filter(|record| record.event.is_loop_ended()).count();
    let skipped = records.iter().filter(|record| record.event.is_phase_skipped()).count();
    assert!(ended > 0 && skipped > 0, "{ended} {skipped}");
    check_every_cut(&plan, 1, &records);
}

#[test]
fn rounds_of_groups_side_by_side_are_the_same_rounds() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: pairs, assign: { pair: { groups: { size: 2 }, by: lot } } }
  - { name: chat, groups: pair, repeat: { times: 2 }, phases: [ { name: talk, discussion: { rounds: 2 } } ] }
  - { name: all, discussion: { rounds: 1 } }
";
    let config = write_groups(place.path(), agenda, ("{ count: 6, name: \"Member {n}\" }", ""));
    let [out, figures] = ["out", "figures"].map(|name| place.path().join(name));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    assert_eq!(rows(&out, "rounds").iter().filter(|row| row["round"] != "0").count(), 3 * 4 + 1);
    for column_name in ["rounds_max", "rounds_used"] {
        assert_eq!(column(&out, column_name), ["5"], "{column_name}");
    }
    check_cells(&out, 1);
    ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures)]).says(0, &[]);
    let chars = |row: &BTreeMap<String, String>| row["memory_chars"].parse::<f64>().ok();
    let own = rows(&out, "seat_rounds");
    let expected = [("talk", "1", "1"), ("talk", "1", "2"), ("talk", "2", "1"), ("talk", "2", "2"), ("all", "", "1")];
    let drawn = rows(&figures, "memory");
    assert_eq!(drawn.len(), expected.len());
    for (mark, (phase, pass, round)) in drawn.iter().zip(expected) {
        let is_this =
            |row: &&BTreeMap<String, String>| [&row["phase"], &row["pass"], &row["round"]] == [phase, pass, round];
        let held: Vec<f64> = own.iter().filter(is_this).filter_map(chars).collect();
        let mean = held.iter().sum::<f64>() / held.len() as f64;
        assert!((mark["value"].parse::<f64>().unwrap() - mean).abs() < 1e-6, "{mark:?} {mean}");
    }
}

#[test]
fn mistakes_in_groups_are_told_at_once() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: match, assign: { team: { groups: { size: 2, count: 2 }, by: lot } } }
  - { name: talk, groups: teem, discussion: {} }
  - { name: ballot, groups: team, vote: { over: others, decides: true } }
  - name: outer
    groups: team
    phases:
      - { name: within, groups: team, discussion: {} }
      - { name: whole, compute: { all: sum(everyone.side) } }
      - { name: score, compute: { group.alike: count(1 for s in others if s.side > 3) } }
      - { name: ask, ask: [ { id: side, number: { min: 0, max: 9 }, question: \"?\" } ] }
";
    let told = [
        "groups have exactly one of size, count and joined",
        "no phase assigns \"teem\"",
        "each group has a result of its own",
        "groups cannot be within groups",
        "only values of seats and of the group are computed",
        "would be read of other groups",
        "in `others`: this is about the group, and not about one seat",
    ];
    ekklesia(&["check", text(&write_groups(place.path(), agenda, (FIVE, "")))]).says(2, &told);
    let agenda = "agenda:
  - { name: match, assign: { team: { groups: { size: 2 }, by: lot } } }
  - { name: talk, groups: team, discussion: {} }
";
    let told = ["5 seats do not make groups of 2", "does not work with votes in its rounds"];
    let config = write_groups(place.path(), agenda, (FIVE, "discussion: { vote: every_round, rounds: 2 }\n"));
    ekklesia(&["check", text(&config)]).says(2, &told);
}

/// Only those who take part are put into groups: four pupils make groups of two, whatever the number of seats.
#[test]
fn groups_are_made_of_the_seats_of_a_role() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "roles: { pupil: { seats: 4 }, teacher: { seats: 1 } }
agenda:
  - { name: match, who: pupil, assign: { team: { groups: { size: 2 }, by: lot } } }
  - { name: talk, groups: team, discussion: { rounds: 1 } }
";
    let config = write_groups(place.path(), agenda, (FIVE, ""));
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
    let all = groups(&records);
    assert_eq!(all["match"].iter().map(BTreeSet::len).collect::<Vec<_>>(), [2, 2]);
    let known = ["pupil", "seat.role == \"pupil\"", "seat.role != \"teacher\"", "seat in pupil and seat.index < 9"];
    for who in known {
        let agenda = agenda.replace("who: pupil", &format!("who: '{who}'"));
        let config = write_groups(place.path(), &agenda, (FIVE, ""));
        ekklesia(&["check", text(&config)]).says(0, &["talk: talk, 1 round"]);
        let uneven = agenda.replace("size: 2", "size: 3");
        let config = write_groups(place.path(), &uneven, (FIVE, ""));
        ekklesia(&["check", text(&config)]).says(2, &["4 seats do not make groups of 3"]);
    }
    // How many seats an answer selects is found in the session.
    let asked = "agenda:\n  - { name: first, ask: [ { id: x, number: { min: 0, max: 9 }, question: \"?\" } ] }";
    let open = agenda.replace("agenda:", asked).replace("who: pupil", "who: seat.x > 3");
    ekklesia(&["check", text(&write_groups(place.path(), &open, (FIVE, "")))]).says(0, &["who seat.x > 3"]);
    let large = open.replace("size: 2", "size: 6");
    let told = "groups of 6 are larger than all 5 seats";
    ekklesia(&["check", text(&write_groups(place.path(), &large, (FIVE, "")))]).says(2, &[told]);
}

/// In each pass seats choose a house, which is their group, and give there.
const HOUSES: &str = "agenda:
  - name: period
    repeat: { times: 4 }
    phases:
      - { name: pick, ask: [ { id: house, choice: { options: [with, without] }, question: \"Which?\" } ] }
      - { name: move, assign: { team: { groups: { joined: 2 }, by: BY } } }
      - name: play
        groups: team
        phases:
          - { name: give, ask: [ { id: c, number: { min: 0, max: 9 }, question: \"How many?\" } ] }
          - { name: pool, compute: { group.pot: sum(group.c), seat.members: count(group), seat.house_number: group.number } }
";
const BY_HOUSE: &str = "\"missing if is_missing(seat.house) else 1 if seat.house == 'with' else 2\"";

#[test]
fn seats_join_the_group_whose_number_they_have_and_groups_are_as_large_as_they_become() {
    let place = tempfile::tempdir().unwrap();
    let config = write_groups(place.path(), &HOUSES.replace("BY", BY_HOUSE), (FIVE, ""));
    let plan = Arc::clone(&read(&config).arms[0]);
    let mut sizes = BTreeSet::new();
    for replicate in 1..=4 {
        let records = whole(&plan, replicate);
        let mut house: BTreeMap<(String, String), String> = BTreeMap::new();
        for record in &records {
            if let (Some(answered), Some(seat)) = (record.event.answered(), &record.seat)
                && record.at.phase.written() == "pick"
                && let Some(chosen) = answered.values.find("house").flatten()
            {
                let pass = record.at.phase.pass().unwrap().to_owned();
                house.insert((pass, seat.to_string()), serde_json::to_string(chosen).unwrap());
            }
        }
        for (phase, teams) in groups(&records) {
            let pass = phase.split_once('@').unwrap().1;
            let chose = |word: &str| -> BTreeSet<String> {
                let own = house.iter().filter(|((when, _), chosen)| when == pass && **chosen == format!("\"{word}\""));
                own.map(|((_, seat), _)| seat.clone()).collect()
            };
            assert_eq!(teams, [chose("with"), chose("without")], "{phase}");
            sizes.extend(teams.iter().map(BTreeSet::len));
        }
        check_every_cut(&plan, replicate, &records);
    }
    assert!(sizes.len() > 2, "groups differ in size: {sizes:?}");
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    let numbers = rows(&out, "variables").into_iter().filter(|row| row["name"] == "house_number");
    assert!(numbers.map(|row| assert_eq!(row["value"], row["group"])).count() > 10, "a seat reads its group's number");
}

#[test]
fn who_is_to_join_a_group_that_is_none_ends_the_session_and_other_mistakes_are_told_before() {
    let place = tempfile::tempdir().unwrap();
    let config = write_groups(place.path(), &HOUSES.replace("BY", "seat.index"), (FIVE, ""));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)])
        .says(1, &["is to join group 3, and groups have the numbers 1 to 2"]);
    for (by, told) in [
        ("lot", "an expression that has the number of a group for each seat"),
        ("seat.index, uneven: true", "leave out mix and uneven"),
        ("seat.house", "is a number, and this is a text"),
    ] {
        ekklesia(&["check", text(&write_groups(place.path(), &HOUSES.replace("BY", by), (FIVE, "")))]).says(2, &[told]);
    }
}
