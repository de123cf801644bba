//! Phases that not everyone hears: `heard_by`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, check_told_audiences, folded, read, whole, write_motion_agenda};
use crate::oracle::check_cells;
use ekklesia::domain::{Audience, Briefing, Event, PhaseOpened, Record, SeatId, Step};
use ekklesia::engine::Next;
use ekklesia::session::Visibility;

const AGENDA: &str = "agenda:
  - { name: apart, heard_by: [Ann], discussion: {} }
  - { name: numbers, heard_by: seat.index <= 2, ask: [ { id: side, number: { min: 0, max: 9 }, question: \"Which side?\" } ] }
  - { name: quiet, ask: [ { id: own, number: { min: 0, max: 9 }, question: \"And now?\" } ] }
  - name: last
    heard_by: seat.side >= mean(everyone.side)
    phases:
      - { name: talk, discussion: {} }
      - { name: alone, heard_by: nobody, discussion: {} }
      - { name: verdict, vote: { open: announced } }
  - { name: close, discussion: {} }
";

const SEATS: &str = "  - { name: Ann }\n  - { name: Ben, mind: { random: { malformed: 0.3 } } }\n  - { name: Cem }\n  - { name: Dan }\n";

fn write_hearing(place: &Path, agenda: &str, more: &str) -> PathBuf {
    let body = format!(
        "experiment: hearing\nscenario: own\nseed: 5\nreplicates: 2\nseat_defaults: {{ model: sim, mind: {{ random: {{}} }} }}\n\
         models: {{ sim: {{ simulated: {{}} }} }}\nseats:\n{SEATS}{more}"
    );
    write_motion_agenda(place, agenda, &body)
}

/// The phases of the records that each seat was shown in the last statement of a session, beside its own.
fn heard(plan: &ekklesia::plan::Plan, records: &[Record]) -> BTreeMap<String, BTreeSet<String>> {
    let state = folded(plan, 1, &records[..records.len() - 1]);
    let heard = |seat: u32| {
        let remarks = state.memory().remarks(SeatId(seat)).iter();
        let of_others = remarks.filter(|remark| remark.speaker != Some(SeatId(seat)));
        of_others.map(|remark| records[remark.seq.0 as usize].at.phase.to_string()).collect()
    };
    (0..4).map(|seat| (plan.seats[seat as usize].name.to_string(), heard(seat))).collect()
}

#[test]
fn only_those_whom_a_phase_names_hear_what_is_said_counted_and_answered() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_hearing(place.path(), AGENDA, "discussion: { rounds: 1 }\n")).arms[0]);
    let records = whole(&plan, 1);
    let hearers = |phase: &str| {
        records.iter().find_map(|record| match &record.event {
            Event::PhaseOpened(PhaseOpened { heard_by, .. }) if record.at.phase.as_str() == phase => {
                Some(heard_by.clone())
            }
            _ => None,
        })
    };
    let named =
        |names: &[&str]| Some(Some(names.iter().map(|name| ekklesia::domain::SeatName::new(name)).collect::<Vec<_>>()));
    assert_eq!(hearers("apart"), named(&["Ann"]));
    assert_eq!(hearers("numbers"), named(&["Ann", "Ben"]));
    assert_eq!(hearers("alone"), named(&[]));
    assert_eq!((hearers("quiet"), hearers("close")), (Some(None), Some(None)));
    let last = hearers("talk").flatten().unwrap();
    assert!(!last.is_empty() && last.len() < 4, "{last:?}");
    let told = heard(&plan, &records);
    for (seat, phases) in &told {
        let in_last = last.iter().any(|name| name.as_str() == seat);
        let expected = [
            ("apart", seat == "Ann"),
            ("numbers", seat == "Ann" || seat == "Ben"),
            ("quiet", false),
            ("talk", in_last),
            ("alone", false),
            ("verdict", in_last),
            ("close", true),
        ];
        for (phase, is_heard) in expected {
            assert_eq!(phases.contains(phase), is_heard, "{seat}: {phase}");
        }
    }
    check_every_cut(&plan, 1, &records);
}

#[test]
fn a_statement_that_reaches_the_wrong_seat_is_a_leak() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_hearing(place.path(), AGENDA, "discussion: { rounds: 1 }\n")).arms[0]);
    let records = whole(&plan, 1);
    let asked =
        records.iter().position(|record| record.at.phase.as_str() == "close" && record.at.step == Step::Statement);
    let before = &records[..asked.unwrap()];
    // The engine's own records pass; with one that says that fewer hear, the same prompts are leaks.
    for (forged, is_leak) in [(false, false), (true, true)] {
        let mut proof = Visibility::new(&plan);
        for record in before {
            let mut record = record.clone();
            if let (true, Event::PhaseOpened(PhaseOpened { heard_by: Some(names), .. })) = (forged, &mut record.event) {
                names.clear();
            }
            proof.witness_record(&record);
        }
        let state = folded(&plan, 1, before);
        let mut found = false;
        let mut kept = before.to_vec();
        let mut session = state;
        while let Some(record) = records.get(kept.len()) {
            if let Next::Ask(queries) = session.next() {
                found |= queries.iter().any(|query| proof.check_query(query).is_err());
            }
            proof.witness_record(record);
            session.evolve(record);
            kept.push(record.clone());
        }
        assert_eq!(found, is_leak);
    }
}

#[test]
fn a_folder_with_limited_hearing_is_whole() {
    let place = tempfile::tempdir().unwrap();
    let config = write_hearing(place.path(), AGENDA, "discussion: { rounds: 2, order: simultaneous }\n");
    let out = place.path().join("out");
    ekklesia(&["check", text(&config)]).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
    ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]).says(0, &["heard by Ann"]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("heard only by these: `Ann`"), "{methods}");
}

#[test]
fn mistakes_in_who_hears_are_told_at_once() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: one, heard_by: [Ann], brief: { text: Hear me. } }
  - { name: two, heard_by: [Anne], discussion: {} }
  - { name: three, heard_by: judge, discussion: {} }
  - { name: four, heard_by: [Ann], compute: { x: 1 } }
  - { name: five, heard_by: [Ann], ask: { time: before } }
";
    let told = [
        "agenda.one.heard_by: a brief is heard by those who take part: write who",
        "no seat is named \"Anne\"",
        "agenda.three.heard_by",
        "agenda.four.heard_by: nobody says anything",
        "agenda.five.heard_by: only answers to a form",
    ];
    ekklesia(&["check", text(&write_hearing(place.path(), agenda, ""))]).says(2, &told[2..3]);
    let agenda = agenda.replace("heard_by: judge", "heard_by: [Cem]");
    let all: Vec<&str> = [0, 1, 3, 4].map(|place| told[place]).to_vec();
    let config = write_hearing(place.path(), &agenda, "");
    ekklesia(&["check", text(&config)]).says(2, &[all[0], all[2], all[3]]);
}

/// Three members in two groups, and a judge, Dan, in none.
const APART: &str = "roles: { member: { seats: 3 }, judge: { seats: 1 } }
agenda:
  - { name: lots, who: member, assign: { team: { groups: { count: 2 }, by: rotation, uneven: true } } }
  - name: play
    groups: team
    phases:
      - { name: usual, discussion: { rounds: 3 } }
      - { name: own, heard_by: group, ask: [ { id: bid, number: { min: 0, max: 9 }, question: \"Your bid?\" } ] }
      - { name: spied, heard_by: judge, discussion: { rounds: 3, order: simultaneous } }
      - { name: form, heard_by: [Dan, Ann], ask: [ { id: side, number: { min: 0, max: 9 }, question: \"Which side?\" } ] }
      - { name: read, heard_by: \"seat.role == \\\"judge\\\" or seat.side > 4\", discussion: {} }
      - { name: pick, heard_by: judge, vote: { over: [red, tan], rule: plurality, tie_break: lot, open: announced } }
  - { name: verdict, forget: [spied], who: judge, discussion: {} }
";

#[test]
fn a_seat_in_no_group_hears_the_groups_that_name_it_and_no_group_hears_another() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_hearing(place.path(), APART, "discussion: { rounds: 1 }\n")).arms[0]);
    for replicate in 1..=2 {
        let records = whole(&plan, replicate);
        let told = heard(&plan, &records);
        let groups = |seat: &str, phase: &str| [1, 2].map(|group| told[seat].contains(&format!("{phase}#{group}")));
        for phase in ["spied", "form", "read", "pick"] {
            assert_eq!(groups("Dan", phase), [true; 2], "{phase}");
        }
        assert_eq!((groups("Dan", "usual"), groups("Dan", "own")), ([false; 2], [false; 2]));
        // Ann is in the first group, and is named in both.
        assert_eq!(groups("Ann", "form"), [true, false]);
        for seat in ["Ann", "Ben", "Cem"] {
            assert_eq!(groups(seat, "spied"), [false; 2]);
            assert!(["usual", "own"].iter().all(|phase| groups(seat, phase) != [true; 2]), "{seat}");
        }
        check_told_audiences(&plan, replicate, &records);
        check_every_cut(&plan, replicate, &records);
    }
    let (config, out) = (place.path().join("config.yaml"), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    let session = out.join("sessions/baseline-r000001");
    ekklesia(&["replay", text(&session)]).says(0, &[]);
    ekklesia(&["show", text(&session)]).says(0, &["Outcome: no vote was to decide the session"]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(
        methods.contains("own") && methods.contains(", heard by its group") && !methods.contains("`everyone`"),
        "{methods}"
    );
}

#[test]
fn the_count_of_rounds_left_is_told_to_those_who_hear_a_talk_or_take_part() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: open, discussion: { rounds: 3 } }
  - { name: secret, who: [Ann, Ben], heard_by: [Ben, Cem], discussion: { rounds: 3 } }
";
    let plan = Arc::clone(&read(&write_hearing(place.path(), agenda, "")).arms[0]);
    let records = whole(&plan, 1);
    let told = |phase: &str| {
        let told = records.iter().find_map(|record| match &record.event {
            Event::Briefed(Briefing { to, .. }) if record.at.phase.as_str() == phase => Some(to.clone()),
            _ => None,
        });
        told.unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(told("open"), Vec::<String>::new(), "everyone");
    assert_eq!(told("secret"), ["Ann", "Ben", "Cem"]);
    check_every_cut(&plan, 1, &records);
}

const NETWORK: &str = "agenda:
  - { name: all, discussion: {} }
  - { name: two, heard_by: [Ann, Cem], discussion: {} }
";

#[test]
fn in_a_network_a_speaker_is_told_who_of_those_named_hears_it_and_the_table_says_so() {
    let place = tempfile::tempdir().unwrap();
    let config = write_hearing(place.path(), NETWORK, "discussion: { rounds: 1, network: ring }\n");
    let plan = Arc::clone(&read(&config).arms[0]);
    let told = check_told_audiences(&plan, 1, &whole(&plan, 1));
    let nobody = (String::from("two"), Some(Audience::Seats(Vec::new())));
    assert!(told.contains(&nobody), "Ann and Cem are no neighbours: {told:?}");
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    let rows = rows(&out, "statements");
    let to = |phase: &str, seat: &str| {
        let row = rows.iter().find(|row| row["phase"] == phase && row["seat"] == seat && !row["text"].is_empty());
        row.map(|row| row["to"].clone())
    };
    for (phase, seat, expected) in
        [("all", "Ann", "Ben|Dan"), ("all", "Cem", "Ben|Dan"), ("two", "Ann", "nobody"), ("two", "Dan", "Ann|Cem")]
    {
        assert_eq!(to(phase, seat).as_deref(), Some(expected), "{phase}: {seat}");
    }
}

const HIDDEN: &str = "agenda:
  - { name: named, heard_by: [Ann], discussion: {} }
  - { name: deal, assign: { job: { roles: { spy: 2, clean: rest }, by: lot } } }
  - { name: watched, heard_by: spy, discussion: {} }
  - { name: spies, who: spy, heard_by: spy, discussion: {} }
  - { name: size, ask: [ { id: side, number: { min: 0, max: 9 }, question: \"Which side?\" } ] }
  - { name: low, heard_by: seat.side > 9, discussion: {} }
  - { name: high, heard_by: \"default(seat.side, 0) < 10\", discussion: {} }
  - { name: first, heard_by: seat.index <= 2, discussion: {} }
  - { name: some, who: seat.index < 4 and seat.job == \"spy\", heard_by: seat.job == \"spy\", discussion: {} }
";

#[test]
fn whom_a_condition_selects_is_told_to_no_speaker() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_hearing(place.path(), HIDDEN, "discussion: { rounds: 1 }\n")).arms[0]);
    let told = check_told_audiences(&plan, 1, &whole(&plan, 1));
    for (phase, audience) in &told {
        let is_hidden = ["watched", "low", "high"].contains(&phase.as_str());
        assert_eq!(*audience == Some(Audience::Undisclosed), is_hidden, "{phase}: {audience:?}");
    }
    for phase in ["watched", "spies", "low", "high", "first", "some", "named"] {
        assert!(told.iter().any(|(other, _)| other == phase), "{phase}");
    }
    let config = place.path().join("config.yaml");
    for (question, words) in [
        ("Ann:statement#1", "Nobody else hears what you say."),
        ("Cem:statement#1", "Only these members hear what you say: Ann."),
        ("Cem:statement#2", "Perhaps only some members hear what you say."),
    ] {
        ekklesia(&["check", text(&config), "--show", question]).says(0, &[words]);
    }
}
