//! A fork in many replicates: all share the parent's records until the change, and from there on respondents draw anew in each but the
//! first.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{
    Server, assert_same, calls, column, contents, ekklesia, everything, is_pass, json_lines, mixed, text,
};
use crate::fixtures::forked::Parent;
use crate::fixtures::trial::write_config;
use serde_json::Value;

const BODY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, mind: { voter: { copy: 0.5 } } }
  - { name: Bob, mind: { voter: { copy: 0.5 } } }
  - { name: Carol, mind: { voter: { copy: 0.5 } } }
  - { name: Dave, mind: { voter: { copy: 0 } } }
  - { name: Zoe, mind: { random: { malformed: 0.3 } } }
straw_polls: [before, after]
discussion: { rounds: 3, order: random, vote: at_end }
decision: { rule: plurality, tie_break: lot, invalid: abstain }
controls: { option_order: seeded }
replicates: 3
";

const SILENT: &str = "at: { seat: Bob, phase: discussion, round: 2 }\nsilent: true\n";

fn session(folder: &Path, replicate: u32) -> PathBuf {
    folder.join(format!("sessions/baseline-r{replicate:06}"))
}

fn minutes(folder: &Path, replicate: u32) -> Vec<Value> {
    json_lines(&session(folder, replicate).join("minutes.jsonl"))
}

/// Forks a replicate of the parent; the fork's folder.
fn fork(parent: &Parent, of: u32, (name, change): (&str, &str), more: &[&str]) -> PathBuf {
    let (file, out) = (parent.place.path().join(format!("{name}.yaml")), parent.place.path().join(name));
    fs::write(&file, change).unwrap();
    let of = session(&parent.folder(), of);
    let arguments = [&["fork", text(&of), "--change", text(&file), "--out", text(&out)], more].concat();
    ekklesia(&arguments).says(0, &[]);
    out
}

fn is_bobs_turn(record: &Value) -> bool {
    record["seat"] == "Bob" && record["at"]["round"] == 2 && record["at"]["step"] == "statement"
}

/// What the procedure draws: in which order seats speak, and in which order each is shown the options, as far as records say so.
fn lots(minutes: &[Value]) -> BTreeMap<String, Value> {
    let lot = |record: &Value| {
        let event = record["event"].as_object().unwrap().values().next().unwrap();
        let lot = ["order", "options"].into_iter().find_map(|key| event.get(key).filter(|lot| lot.is_array()))?;
        Some((format!("{} {} {}", record["at"], record["seat"], record["attempt"]), lot.clone()))
    };
    minutes.iter().filter_map(lot).collect()
}

#[test]
fn replicates_share_the_records_before_the_change_and_draw_anew_from_it_on() {
    let parent = Parent::run(BODY);
    let before = everything(&parent.folder());
    for of in [1, 3] {
        let single = fork(&parent, of, (&format!("single-{of}"), SILENT), &[]);
        let many = fork(&parent, of, (&format!("many-{of}"), SILENT), &["--replicates", "6", "--jobs", "1"]);
        let elsewhere = parent.place.path().join("elsewhere");
        ekklesia(&["run", text(&many), "--out", text(&elsewhere)]).says(2, &["holds a fork"]);
        assert!(!elsewhere.exists());
        let old = minutes(&parent.folder(), of);
        let point = old.iter().position(is_bobs_turn).unwrap();
        assert!(point > 10);
        let mut different = BTreeSet::new();
        for replicate in 1..=6 {
            let new = minutes(&many, replicate);
            assert_eq!(old[..point], new[..point], "replicate {replicate} of a fork of {of}");
            assert!(is_pass(&new[point]), "{}", new[point]);
            let (before, after) = (lots(&old), lots(&new));
            let both: Vec<&String> = before.keys().filter(|question| after.contains_key(*question)).collect();
            assert!(both.len() > 10, "{both:?}");
            for question in both {
                assert_eq!(
                    before[question], after[question],
                    "the procedure draws what it drew in the parent: {question}"
                );
            }
            different.insert(new[point..].iter().map(Value::to_string).collect::<String>());
        }
        assert_eq!(different.len(), 6, "each replicate is a draw of its own");
        let as_single = |file: &str| fs::read(session(&single, of).join(file)).unwrap();
        assert!(as_single("minutes.jsonl") == fs::read(session(&many, 1).join("minutes.jsonl")).unwrap());
        assert_eq!(column(&many, "replicate"), ["1", "2", "3", "4", "5", "6"]);
        assert_eq!(column(&many, "session")[5], "baseline-r000006");
        let methods = fs::read_to_string(many.join("methods.md")).unwrap();
        assert!(
            methods.contains("holds 6 sessions") && methods.contains(&format!("`baseline-r00000{of}`")),
            "{methods}"
        );
        ekklesia(&["replay", text(&many)]).says(0, &["6 sessions", "no divergence", "no seat was shown anything"]);
        // A draw of the parent is one of its own: the seats are the same, and so are their first opinions.
        let again = fork(&parent, of, (&format!("jobs-{of}"), SILENT), &["--replicates", "6", "--jobs", "3"]);
        assert_same(&many, &again);
    }
    assert_eq!(everything(&parent.folder()), before, "a fork leaves its parent alone");
}

#[test]
fn a_fork_in_replicates_goes_on_where_it_was_and_grows() {
    let parent = Parent::run(BODY);
    let whole = fork(&parent, 1, ("whole", SILENT), &["--replicates", "4"]);
    // Replicate 1 alone is the single fork.
    let grown = fork(&parent, 1, ("grown", SILENT), &[]);
    for replicates in ["2", "4"] {
        fork(&parent, 1, ("grown", SILENT), &["--replicates", replicates]);
    }
    assert_same(&whole, &grown);
    let lines = |replicate: u32| fs::read(session(&grown, replicate).join("minutes.jsonl")).unwrap();
    let cut: Vec<u8> = lines(3).split_inclusive(|byte| *byte == b'\n').take(30).flatten().copied().collect();
    fs::write(session(&grown, 3).join("minutes.jsonl"), cut).unwrap();
    fs::remove_file(session(&grown, 3).join("run.json")).unwrap();
    fs::remove_dir_all(session(&grown, 4)).unwrap();
    fs::remove_file(grown.join("ballots.csv")).unwrap();
    ekklesia(&["replay", text(&grown)]).says(4, &["baseline-r000004"]);
    fork(&parent, 1, ("grown", SILENT), &["--replicates", "4"]);
    assert_same(&whole, &grown);
    // Fewer than there are, or forks of another session, would be another folder.
    let refused = |of: u32, name: &str, more: &[&str]| {
        let (file, out) = (parent.place.path().join("whole.yaml"), parent.place.path().join(name));
        let of = session(&parent.folder(), of);
        let arguments = [&["fork", text(&of), "--change", text(&file), "--out", text(&out)], more].concat();
        ekklesia(&arguments).says(2, &["holds something else"]);
    };
    let before = contents(&whole);
    refused(1, "whole", &["--replicates", "3"]);
    refused(1, "whole", &[]);
    refused(2, "whole", &["--replicates", "4"]);
    fork(&parent, 2, ("second", SILENT), &[]);
    refused(2, "second", &["--replicates", "4"]);
    assert_eq!(contents(&whole), before);
    ekklesia(&["run", text(&whole)]).says(2, &["holds a fork"]);
    ekklesia(&["compare", text(&whole)]).says(2, &["fork"]);
    ekklesia(&["fork", text(&session(&whole, 2)), "--change", "x.yaml"]).says(2, &["fork"]);
}

#[test]
fn a_change_of_the_whole_session_or_of_a_round_is_drawn_in_replicates_too() {
    let parent = Parent::run(BODY);
    let whole = fork(&parent, 2, ("rule", "set: { decision.rule: unanimity }\n"), &["--replicates", "3"]);
    let (one, two) = (minutes(&whole, 1), minutes(&whole, 2));
    assert_eq!(one.iter().filter(|record| record["event"].get("Seated").is_some()).count(), 0);
    let polled = |minutes: &[Value]| -> String {
        let polls = minutes.iter().filter(|record| record["at"]["phase"] == "straw_before" && record["seat"] != "Zoe");
        polls.map(|record| format!("{}{}", record["seat"], record["event"]["Answered"]["values"])).collect()
    };
    assert_eq!(polled(&one), polled(&two), "first opinions are those of the parent's seats");
    assert_ne!(one[5..], two[5..]);
    let later = "at: { phase: discussion, round: 3 }\nset: { discussion.order: fixed }\n";
    let later = fork(&parent, 2, ("later", later), &["--replicates", "3"]);
    let old = minutes(&parent.folder(), 2);
    let point = old.iter().position(|record| record["at"]["round"] == 3).unwrap();
    for replicate in 1..=3 {
        assert_eq!(old[..point], minutes(&later, replicate)[..point]);
    }
    assert_ne!(minutes(&later, 2)[point + 1..], minutes(&later, 3)[point + 1..]);
    for folder in [&whole, &later] {
        ekklesia(&["replay", text(folder)]).says(0, &["3 sessions", "no divergence"]);
    }
}

#[test]
fn a_model_is_asked_anew_in_each_replicate_from_the_change_on() {
    let server = Server::start();
    let parent =
        Parent::run(&mixed(&server.base_url(), "fixed").replace("max_tokens: 60", "max_tokens: 60, seed: true"));
    let asked = server.requests();
    let silent = "at: { seat: Carol, phase: discussion, round: 2 }\nsilent: true\n";
    // Carol says nothing in the parent either: replicate 1 asks nothing.
    let many = fork(&parent, 1, ("many", silent), &["--replicates", "3"]);
    let of_parent = calls(&session(&parent.folder(), 1).join("calls.jsonl"));
    let point = minutes(&parent.folder(), 1)
        .iter()
        .position(|record| record["seat"] == "Carol" && record["at"]["round"] == 2)
        .unwrap();
    let old = minutes(&parent.folder(), 1);
    let is_before = |line: &Value| {
        let question = &line["question"];
        let place = old.iter().position(|record| {
            record["seat"] == question["seat"]
                && record["at"] == question["at"]
                && record["attempt"] == question["attempt"]
        });
        place.is_some_and(|place| place < point)
    };
    let mut seeds = BTreeSet::new();
    for replicate in 1..=3 {
        let lines = calls(&session(&many, replicate).join("calls.jsonl"));
        assert!(lines.iter().any(is_before) && lines.iter().any(|line| !is_before(line)));
        for line in &lines {
            let is_taken_over = line["taken_over"] == true;
            assert_eq!(is_taken_over, replicate == 1 || is_before(line), "replicate {replicate}: {line}");
            assert!(!is_taken_over || of_parent.iter().any(|parents| parents["request"] == line["request"]));
        }
        seeds.extend(lines.iter().filter(|line| !is_before(line)).map(|line| line["request"].to_string()));
    }
    let anew = of_parent.iter().filter(|line| !is_before(line)).count();
    assert!(
        server.requests() - asked >= anew && seeds.len() > 2 * anew,
        "each replicate has sampling seeds of its own"
    );
    drop(server);
    ekklesia(&["replay", text(&many)]).says(0, &["3 sessions", "no divergence"]);
    let again = fork(&parent, 1, ("many", silent), &["--replicates", "3", "--offline"]);
    assert_eq!(again, many);
}

/// A panel of which one arm is shown another's talk.
const PANEL: &str = "
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.2 } } }
seats: [{ name: Alice }, { name: Bob, mind: { voter: { copy: 0.6 } } }, { name: Carol, mind: { voter: { copy: 0.3 } } }]
discussion: { rounds: 2, order: random, vote: every_round }
decision: { invalid: abstain }
panel: { waves: 2 }
memory: { notes: {} }
design:
  factors: { memory: { key: memory.policy, levels: [shuffled, selective] } }
  baseline: { memory: selective }
";

#[test]
fn replicates_of_a_session_that_needs_others_begin_with_those_of_its_parent() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PANEL);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let (file, many) = (place.path().join("change.yaml"), place.path().join("many"));
    fs::write(
        &file,
        "at: { seat: Carol, phase: discussion, round: 1 }\nstatement: \"I will not be moved.\"\nstance: against\n",
    )
    .unwrap();
    let of = out.join("sessions/shuffled-r000002-w02");
    ekklesia(&["fork", text(&of), "--change", text(&file), "--out", text(&many), "--replicates", "3"]).says(0, &[]);
    let read = |path: PathBuf| json_lines(&path.join("minutes.jsonl"));
    let old = read(of);
    for replicate in 1..=3 {
        let new = read(many.join(format!("sessions/shuffled-r{replicate:06}-w02")));
        assert_eq!(old[0], new[0], "it begins with the sessions that its parent began with");
    }
    assert_eq!(column(&many, "replicate"), ["1", "2", "3"]);
    fs::remove_dir_all(&out).unwrap();
    ekklesia(&["replay", text(&many)]).says(0, &["3 sessions", "no divergence"]);
}
