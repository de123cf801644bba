//! Null arms: they share what is drawn with the arm that they stand beside, and lack what they are named after.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cli;
mod trial;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cli::{Told, assert_same, ekklesia, json_lines, text};
use serde_json::Value;
use trial::write_config;

/// Five seats with drawn personas that take over each other's stances, before, in and after talk.
fn body(nulls: &str, pairing: &str) -> String {
    format!(
        "
replicates: 6
personas: {{ citizens: {{ file: personas.csv, id: pid, text: persona }} }}
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.4 }} }} }}
seats:
  - {{ count: 4, name: \"Member {{n}}\", personas: citizens, draw: per_replicate }}
  - {{ name: Erin, mind: {{ degroot: {{ self_weight: {{ uniform: [0.2, 0.8] }} }} }} }}
discussion: {{ rounds: 3, order: random, vote: every_round }}
decision: {{ rule: unanimity }}
straw_polls: [before, after]
controls: {{ option_order: seeded }}
design:
  factors: {{ talk: {{ key: discussion.private_reasoning, levels: {{ plain: false, thought: true }} }} }}
  baseline: {{ talk: plain }}
  pairing: {pairing}
  nulls: [{nulls}]
"
    )
}

fn config(place: &Path, body: &str) -> PathBuf {
    let rows: String = (1..=9).map(|id| format!("p{id},Persona number {id}.\n")).collect();
    fs::write(place.join("personas.csv"), format!("pid,persona\n{rows}")).unwrap();
    write_config(place, body)
}

fn run(config: &Path, out: &Path, more: &[&str]) -> Told {
    let mut arguments = vec!["run", text(config), "--out", text(out)];
    arguments.extend(more);
    ekklesia(&arguments)
}

fn minutes(out: &Path, session: &str) -> PathBuf {
    out.join("sessions").join(session).join("minutes.jsonl")
}

fn records(out: &Path, arm: &str, replicate: u32) -> Vec<Value> {
    json_lines(&minutes(out, &format!("{arm}-r{replicate:06}")))
}

/// The bodies of all events of a kind.
fn all<'r>(records: &'r [Value], kind: &str) -> Vec<&'r Value> {
    records.iter().filter_map(|record| record["event"].get(kind)).collect()
}

/// The answers to a poll by seat, each as it was given.
fn polled(records: &[Value], phase: &str) -> BTreeMap<String, (Value, Value)> {
    let of_phase = records.iter().filter(|record| record["at"]["phase"] == phase);
    let answer = |record: &Value| {
        let polled = record["event"].get("Polled")?;
        Some((record["seat"].as_str()?.to_owned(), (polled["alternative"].clone(), polled["opinion"].clone())))
    };
    of_phase.filter_map(answer).collect()
}

/// The speaking orders by round.
fn orders(records: &[Value]) -> BTreeMap<u64, Value> {
    let opened = records.iter().filter_map(|record| {
        Some((record["at"]["round"].as_u64()?, record["event"].get("RoundOpened")?["order"].clone()))
    });
    opened.collect()
}

#[test]
fn a_null_shares_with_its_arm_all_that_is_drawn_before_somebody_is_heard() {
    let place = tempfile::tempdir().unwrap();
    for pairing in ["common_random_numbers", "independent"] {
        let out = place.path().join(pairing);
        let nulls = "no_talk, shuffled_speech, self_revision, random";
        run(&config(place.path(), &body(nulls, pairing)), &out, &[]).says(0, &["60 of 60 sessions completed"]);
        let mut differ = false;
        for replicate in 1..=6 {
            let plain = records(&out, "plain", replicate);
            differ |= orders(&plain)[&1] != orders(&records(&out, "thought", replicate))[&1];
            for (arm, null) in ["plain", "thought"]
                .iter()
                .flat_map(|arm| ["no_talk", "shuffled_speech", "self_revision", "random"].map(move |null| (arm, null)))
            {
                let (own, beside) =
                    (records(&out, arm, replicate), records(&out, &format!("{arm}-null_{null}"), replicate));
                let persona = |records: &[Value]| {
                    let seats = all(records, "Seated")[0]["seats"].as_array().unwrap().clone();
                    seats.into_iter().filter_map(|seat| seat.get("persona").cloned()).collect::<Vec<_>>()
                };
                assert_eq!(persona(&own), persona(&beside), "{arm} {null} {replicate}");
                for (round, order) in orders(&beside) {
                    let same = orders(&own).get(&round).is_none_or(|own| *own == order);
                    assert!(same, "{arm} {null} {replicate}: round {round}");
                }
                if null != "random" {
                    assert_eq!(all(&own, "Seated"), all(&beside, "Seated"), "{arm} {null} {replicate}");
                    let before = |records| polled(records, "straw_before");
                    assert_eq!(before(&own), before(&beside), "{arm} {null} {replicate}");
                }
            }
        }
        assert_eq!(differ, pairing == "independent", "arms that are no nulls draw apart only where the design says so");
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    }
}

#[test]
fn each_null_lacks_what_it_is_named_after() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let nulls = "no_talk, shuffled_speech, self_revision, random";
    run(&config(place.path(), &body(nulls, "common_random_numbers")), &out, &["--jobs", "1"]).says(0, &[]);
    for replicate in 1..=6 {
        let silent = records(&out, "plain-null_no_talk", replicate);
        assert!(all(&silent, "Spoke").is_empty() && all(&silent, "RoundOpened").is_empty());
        assert_eq!(all(&silent, "Tallied").len(), 1, "a group that does not talk votes once");
        let alone = records(&out, "plain-null_self_revision", replicate);
        assert!(!all(&alone, "Spoke").is_empty());
        let hears = all(&alone, "Networked")[0]["hears"].as_array().unwrap();
        assert!(
            hears.iter().all(|of| of.get("hears").is_none_or(|hears| *hears == Value::Array(Vec::new()))),
            "{hears:?}"
        );
        let partner = if replicate % 2 == 1 { replicate + 1 } else { replicate - 1 };
        for arm in ["plain", "thought"] {
            let other = records(&out, &format!("{arm}-null_shuffled_speech"), replicate);
            let lender = &all(&other, "SessionConvened")[0]["lender"]["session"];
            assert_eq!(*lender, format!("{arm}-r{partner:06}"), "the other group is of the same arm");
        }
    }
    let table = fs::read_to_string(out.join("seats.csv")).unwrap();
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let place_of = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let (null, mind) = (place_of("arm_null"), place_of("mind"));
    for cells in lines {
        assert_eq!(cells[null] == "random", cells[mind] == "random", "{cells:?}");
    }
    let other = place.path().join("other");
    let again = config(place.path(), &body("random, self_revision", "common_random_numbers"));
    run(&again, &other, &["--jobs", "2"]).says(0, &[]);
    for session in ["plain-r000003", "plain-null_random-r000003", "thought-null_self_revision-r000006"] {
        let [one, two] = [&out, &other].map(|out| fs::read(minutes(out, session)).unwrap());
        assert!(one == two, "{session} does not depend on which other nulls there are");
    }
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_folder_whichever_sessions_were_cut() {
    let place = tempfile::tempdir().unwrap();
    let nulls = "no_talk, shuffled_speech, self_revision, random";
    let config = config(place.path(), &body(nulls, "common_random_numbers"));
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    run(&config, &whole, &[]).says(0, &[]);
    run(&config, &cut, &[]).says(0, &[]);
    let sessions = [
        ("plain-r000002", 2),
        ("plain-null_shuffled_speech-r000001", 3),
        ("thought-null_shuffled_speech-r000004", 5),
        ("thought-null_no_talk-r000001", 2),
        ("plain-null_self_revision-r000006", 4),
        ("plain-null_random-r000005", 3),
    ];
    for (session, share) in sessions {
        let file = minutes(&cut, session);
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - bytes.len() / share]).unwrap();
        fs::remove_file(file.with_file_name("run.json")).unwrap();
    }
    fs::remove_dir_all(cut.join("sessions/thought-r000003")).unwrap();
    run(&config, &cut, &[]).says(0, &[]);
    assert_same(&whole, &cut);
}

#[test]
fn arms_are_compared_without_nulls_unless_they_are_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    run(&config(place.path(), &body("no_talk, random", "common_random_numbers")), &out, &[]).says(0, &[]);
    let contrasts = |more: &[&str]| {
        let mut arguments = vec!["compare", text(&out), "--metric", "statements", "--json", "--resamples", "200"];
        arguments.extend(more);
        let told = ekklesia(&arguments);
        let told: Value = serde_json::from_str(&told.says(0, &[]).stdout).unwrap();
        let contrasts = told["compared"]["contrasts"].as_array().unwrap().clone();
        let sides =
            |contrast: &Value| [&contrast["first"], &contrast["second"]].map(|side| side.as_str().unwrap().to_owned());
        contrasts.iter().map(sides).collect::<Vec<_>>()
    };
    let pair = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
    assert_eq!(contrasts(&[]), [pair("thought", "plain")]);
    assert_eq!(contrasts(&["--by", "talk"]), [pair("thought", "plain")]);
    let beside = ["no_talk", "random"].map(|null| pair(null, "the arm itself"));
    assert_eq!(contrasts(&["--by", "null"]), beside);
}

#[test]
fn what_no_null_can_be_made_of_is_told_before_anything_is_run() {
    let place = tempfile::tempdir().unwrap();
    let told = |body: &str, words: &[&str]| {
        ekklesia(&["check", text(&config(place.path(), body))]).says(2, words);
    };
    let plain = |nulls: &str| body(nulls, "common_random_numbers");
    told(&plain("no_talk, random, no_talk"), &["design.nulls.2", "listed twice"]);
    told(&plain("silence"), &["design.nulls.0", "unknown value \"silence\""]);
    told(&plain("shuffled_speech").replace("replicates: 6", "replicates: 5"), &["5 is odd", "write replicates: 6"]);
    told(
        &plain("no_talk").replace("talk: {", "\"null\": {").replace("talk: plain", "\"null\": plain"),
        &["choose another one"],
    );
    told(
        &plain("no_talk").replace("rounds: 3", "rounds: 0").replace("every_round", "at_end"),
        &["nobody talks in any arm"],
    );
    told(
        &plain("shuffled_speech").replace("vote: every_round", "vote: every_round, proposals: true"),
        &["discussion.proposals", "null shuffled_speech"],
    );
}

#[test]
fn an_arm_without_talk_has_no_nulls_and_one_that_hears_another_group_is_not_shuffled_again() {
    let place = tempfile::tempdir().unwrap();
    let with = |design: &str| {
        let text = body("no_talk, shuffled_speech", "common_random_numbers");
        let from = text.find("design:").unwrap();
        trial::read(&config(place.path(), &format!("{}{design}", &text[..from])))
    };
    let names = |design: &str| with(design).arms.iter().map(|plan| plan.arm.clone()).collect::<Vec<_>>();
    let silent = "design:
  factors: { talk: { set: { none: { discussion.rounds: 0, discussion.vote: at_end }, some: {} } } }
  nulls: [no_talk, shuffled_speech]
";
    assert_eq!(names(silent), ["none", "some", "some-null_no_talk", "some-null_shuffled_speech"]);
    let shuffled = "design:
  factors: { memory: { key: memory.policy, levels: [full, shuffled] } }
  baseline: { memory: full }
  nulls: [no_talk, shuffled_speech]
";
    let expected = ["full", "full-null_no_talk", "full-null_shuffled_speech", "shuffled", "shuffled-null_no_talk"];
    assert_eq!(names(shuffled), expected);
    let experiment = with(shuffled);
    let lenders: Vec<Option<String>> = experiment.arms.iter().map(|plan| plan.lender_of(1)).collect();
    let full = Some("full-r000002".to_owned());
    assert_eq!(lenders, [None, None, full.clone(), full.clone(), full]);
}
