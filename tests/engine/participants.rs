//! Who takes part in phases and blocks.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_every_cut, read, whole, write_motion_agenda};
use crate::oracle::check_cells;
use crate::plan::forecast::assert_foreseen;
use ekklesia::domain::{
    Answered, Briefing, Computed, ComputedValues, Event, FieldValue, Payment, PhaseOpened, PhaseSkipped, Record, Reply,
    RoundOpened, Step,
};
use ekklesia::minds::Mind;

const SEATS: [&str; 4] = ["Alice", "Bob", "Carol", "Dora"];

/// Every kind of phase, each with only some of the seats.
const AGENDA: &str = "agenda:
  - { name: hint, who: [Alice, Carol], brief: { text: The vault has a second door. } }
  - { name: guess, ask: [ { id: share, number: { min: 0, max: 100 }, question: \"Your guess?\" } ] }
  - { name: talk, who: seat.share >= 30, discussion: {} }
  - name: few
    who: seat.index <= 3
    repeat: { times: 2 }
    phases:
      - { name: again, who: seat.index > pass.number, ask: [ { id: sure, yes_no: {}, question: \"Sure?\" } ] }
      - { name: own, who: [Bob, Dora], compute: { seat.bonus: \"default(seat.share, 0) + pass.number\" } }
  - { name: never, who: seat.share > 1000, discussion: {} }
  - { name: near, who: \"[everyone[0], everyone[1]]\", compute: { seat.bonus: 7 } }
  - { name: vote, who: [Bob, Carol, Dora], vote: {} }
  - { name: paid, who: not is_missing(seat.bonus), pay: { seat: seat.bonus, unit: points } }
";

const MINDS: &str = "  - { name: Alice, mind: { random: { malformed: 0.2 } } }
  - { name: Bob, mind: { voter: { copy: 0.4 } } }
  - { name: Carol, mind: { random: {} } }
  - { name: Dora, mind: { voter: { copy: 0.1 } } }
";

fn write_design(place: &Path, agenda: &str, seats: &str, more: &str) -> PathBuf {
    let body = format!(
        "experiment: parts\nscenario: own\nseed: 5\nreplicates: 2\nseat_defaults: {{ model: sim }}\n\
         models: {{ sim: {{ simulated: {{}} }} }}\nseats:\n{seats}{more}"
    );
    write_motion_agenda(place, agenda, &body)
}

/// The seats that were named at the opening of each phase; none where all take part.
fn named(records: &[Record]) -> BTreeMap<String, Vec<String>> {
    let who = records.iter().filter_map(|record| match &record.event {
        Event::PhaseOpened(PhaseOpened { who, .. }) => {
            Some((record.at.phase.to_string(), who.iter().map(ToString::to_string).collect()))
        }
        _ => None,
    });
    who.collect()
}

/// The seats that were asked something in each phase, apart from rewriting their memories.
fn asked(records: &[Record]) -> BTreeMap<String, BTreeSet<String>> {
    let mut asked: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for record in records {
        let rewrites = matches!(record.at.step, Step::Integration | Step::Compression);
        if let (Some(seat), Some(_), false) = (&record.seat, record.event.given(), rewrites) {
            asked.entry(record.at.phase.to_string()).or_default().insert(seat.to_string());
        }
    }
    asked
}

fn shares(records: &[Record]) -> BTreeMap<String, f64> {
    let mut shares = BTreeMap::new();
    for record in records.iter().filter(|record| record.at.phase.as_str() == "guess") {
        if let Event::Answered(Answered { values, .. }) = &record.event
            && let Some((_, Some(FieldValue::Number(share)))) = values.iter().next()
        {
            shares.insert(record.seat.as_ref().unwrap().to_string(), share.to_string().parse().unwrap());
        }
    }
    shares
}

/// The agenda without what is computed and paid.
fn without_values(agenda: &str) -> String {
    let lines = agenda.lines().filter(|line| !["compute:", "pay:"].iter().any(|kind| line.contains(kind)));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn only_those_who_take_part_are_asked_told_computed_for_and_paid() {
    let place = tempfile::tempdir().unwrap();
    let config = write_design(place.path(), AGENDA, MINDS, "discussion: { rounds: 2, order: random, opinion: true }\n");
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    let (who, asked, shares) = (named(&records), asked(&records), shares(&records));
    let expected: Vec<&str> =
        SEATS.into_iter().filter(|seat| shares.get(*seat).is_some_and(|share| *share >= 30.0)).collect();
    assert!((1..4).contains(&expected.len()), "the case tells nothing: {shares:?}");
    assert_eq!(who["talk"], expected);
    let fixed: [(&str, &[&str]); 8] = [
        ("hint", &["Alice", "Carol"]),
        ("guess", &[]),
        ("again@1", &["Bob", "Carol"]),
        ("again@2", &["Carol"]),
        ("own@1", &["Bob"]),
        ("near", &["Alice", "Bob"]),
        ("vote", &["Bob", "Carol", "Dora"]),
        ("paid", &["Alice", "Bob"]),
    ];
    for (phase, seats) in fixed {
        assert_eq!(who[phase], seats, "{phase}");
    }
    for (phase, seats) in &asked {
        let named: BTreeSet<String> = who[phase].iter().cloned().collect();
        let all: BTreeSet<String> = SEATS.iter().map(|seat| (*seat).to_owned()).collect();
        assert_eq!(*seats, if named.is_empty() { all } else { named }, "{phase}");
    }
    let skipped =
        records.iter().filter(|record| matches!(record.event, Event::PhaseSkipped(PhaseSkipped { nobody: true, .. })));
    assert_eq!(skipped.map(|record| record.at.phase.as_str()).collect::<Vec<_>>(), ["never"]);
    let told = records.iter().find_map(|record| match &record.event {
        Event::Briefed(Briefing { to, .. }) if record.at.phase.as_str() == "hint" => Some(to),
        _ => None,
    });
    assert_eq!(told.unwrap().iter().map(|seat| seat.as_str()).collect::<Vec<_>>(), ["Alice", "Carol"]);
    let computed = records.iter().filter_map(|record| match &record.event {
        Event::Computed(Computed { values: ComputedValues::Seats(values), .. }) => Some(values.len()),
        _ => None,
    });
    assert_eq!(computed.collect::<Vec<_>>(), [1, 1, 2]);
    let tally = records.iter().find_map(|record| match &record.event {
        Event::Tallied(report) => Some(report),
        _ => None,
    });
    assert_eq!(tally.unwrap().eligible, 3);
    let paid = records.iter().find_map(|record| match &record.event {
        Event::Paid(Payment { payoffs, .. }) => Some(payoffs.iter().map(|paid| paid.seat.as_str()).collect::<Vec<_>>()),
        _ => None,
    });
    assert_eq!(paid.unwrap(), ["Alice", "Bob"]);
    check_every_cut(&plan, 1, &records);
}

#[test]
fn who_takes_part_is_in_check_methods_tables_and_replay() {
    let place = tempfile::tempdir().unwrap();
    let agenda = without_values(AGENDA);
    let config = write_design(place.path(), &agenda, MINDS, "discussion: { rounds: 1 }\n");
    let out = place.path().join("out");
    ekklesia(&["check", text(&config)]).tells(&[
        "hint: tells · who Alice, Carol",
        "who seat.share >= 30",
        "who seat.index <= 3",
        "who seat.index > pass.number",
    ]);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    let session = out.join("sessions/baseline-r000001");
    ekklesia(&["replay", text(&session)]).says(0, &[]);
    ekklesia(&["show", text(&session)]).says(0, &["with Alice, Carol", "never is left out: nobody would take part"]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    for words in ["in which only these take part: `seat.share >= 30`", "(in the block `few` only these take part:"] {
        assert!(methods.contains(words), "{words}: {methods}");
    }
}

/// Votes on call, volunteers, reasoning, proposals and polls in the rounds, of three seats of four; the fourth hears all.
#[test]
fn the_others_hear_a_talk_and_are_asked_nothing_in_it() {
    let agenda = "agenda:
  - { name: talk, who: [Alice, Bob, Dora], discussion: {} }
  - { name: after, ask: [ { id: heard, text: {}, question: \"What did you hear?\" } ] }
";
    for vote in ["on_call, vote_call: simultaneous", "on_call", "every_round"] {
        for order in ["volunteer", "williams", "simultaneous", "rotating"] {
            let place = tempfile::tempdir().unwrap();
            let more = format!(
                "discussion: {{ rounds: 3, order: {order}, private_reasoning: true, proposals: true, vote: {vote} }}\n\
                 straw_polls: [each_round]\ndecision: {{ rule: unanimity, of: members, roll_call: true }}\n"
            );
            let plan = Arc::clone(&read(&write_design(place.path(), agenda, MINDS, &more)).arms[0]);
            let records = whole(&plan, 1);
            let asked = asked(&records);
            assert!(!asked["talk"].contains("Carol") && asked["after"].contains("Carol"), "{order} {vote}: {asked:?}");
            for record in &records {
                match &record.event {
                    Event::RoundOpened(RoundOpened { order, situation: None, .. }) => {
                        assert!(order.iter().all(|seat| seat.as_str() != "Carol"))
                    }
                    Event::Tallied(report) => assert!(report.eligible <= 3),
                    _ => {}
                }
            }
            let heard = records.iter().find(|record| {
                record.at.step == Step::Ask && record.seat.as_ref().is_some_and(|seat| seat.as_str() == "Carol")
            });
            let spoken =
                records.iter().filter(|record| matches!(record.reply(), Some(Reply::Statement { .. }))).count();
            let shown = &heard.unwrap().event.given().unwrap().shown;
            assert!(spoken == 0 || !shown.floor.is_empty(), "{order} {vote}");
            check_every_cut(&plan, 1, &records);
        }
    }
}

/// A vote of some alone may decide before a vote of all, or be left out: the forecast holds for both.
#[test]
fn the_forecast_bounds_what_depends_on_answers() {
    let agenda = "agenda:
  - { name: guess, ask: [ { id: share, number: { min: 0, max: 100 }, question: \"Your guess?\" } ] }
  - { name: talk, who: seat.share >= 50, discussion: {} }
  - name: few
    when: count(everyone.share) > 1
    phases:
      - { name: early, who: seat.share >= 80, vote: {} }
      - { name: again, who: seat.share < 20, ask: [ { id: sure, yes_no: {}, question: \"Sure?\" } ] }
  - { name: one, who: [Bob], when: mean(everyone.share) > 50, vote: {} }
  - { name: vote, vote: {} }
";
    let place = tempfile::tempdir().unwrap();
    let seats = SEATS.map(|seat| format!("  - {{ name: {seat} }}\n")).concat();
    let config = write_design(place.path(), agenda, &seats, "discussion: { rounds: 2 }\n");
    let model = "models:\n  sim: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: any, answers: json_schema, context_window: 100000 } }\n";
    let written = fs::read_to_string(&config).unwrap().replace("models: { sim: { simulated: {} } }\n", model);
    fs::write(&config, written).unwrap();
    assert_foreseen(&read(&config).arms[0], 12, &Mind::Voter { copy_ppm: 400_000 });
}

#[test]
fn mistakes_in_who_are_told_at_once() {
    let place = tempfile::tempdir().unwrap();
    let broken = "agenda:
  - { name: a, who: [], discussion: {} }
  - { name: b, who: nobody, discussion: {} }
  - { name: c, who: seat.index, vote: {} }
  - { name: d, who: seat.shar > 3, vote: {} }
  - { name: e, who: seat.share > 3, vote: {} }
  - { name: f, who: seat != me, vote: {} }
  - { name: g, who: Alice, vote: {} }
  - { name: h, who: \"draw_integer(1, 2) == 1\", vote: {} }
  - { name: guess, ask: [ { id: share, number: { min: 0, max: 9 }, question: \"?\" } ] }
";
    let config = write_design(place.path(), broken, MINDS, "");
    ekklesia(&["check", text(&config)]).refuses(&[
        "agenda.a.who",
        "nobody would take part: name seats",
        "agenda.b.who",
        "a condition about a seat, as in seat.index <= 3, or a list of names, and this is a number",
        "agenda.d.who",
        "`share` is set only later",
        "agenda.f.who",
        "in `who`, write seat",
        "agenda.g.who",
        "[Alice]",
        "nothing is drawn in `who`",
    ]);
    let unknown = "agenda:
  - { name: a, who: [Alice, Bbo, Alice], discussion: {} }
  - name: b
    who: [Alice]
    phases: [ { name: c, who: [Carol, Dora], vote: {} } ]
";
    let config = write_design(place.path(), unknown, MINDS, "");
    let told = ekklesia(&["check", text(&config)]);
    told.says(
        2,
        &["no seat is named \"Bbo\"", "Bob", "Alice is there twice", "agenda.c.who", "in all of Alice · Carol, Dora"],
    );
}
