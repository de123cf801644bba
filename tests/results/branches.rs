//! Forks and bundles of sessions that begin with other ones, and forks of talk with proposals, marks and volunteers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{
    assert_same, contents, ekklesia, everything, is_pass, json_lines, statement_of, text, values_at,
};
use crate::fixtures::forked::{Parent, is_answer, minutes_of, quoted};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;
use serde_json::Value;

/// A panel of which one arm is shown another's talk: its later sessions begin with two others.
const BODY: &str = "
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.2 } } }
seats: [{ name: Alice }, { name: Bob, mind: { voter: { copy: 0.6 } } }, { name: Carol, mind: { voter: { copy: 0.3 } } }]
discussion: { rounds: 3, order: random, vote: every_round }
decision: { invalid: abstain }
panel: { waves: 3 }
memory: { notes: {} }
design:
  factors: { memory: { key: memory.policy, levels: [shuffled, selective] } }
  baseline: { memory: selective }
";

fn copy(from: &Path, to: &Path) {
    for (path, bytes) in everything(from) {
        let path = to.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn run(place: &Path, out: &str, more: &[&str]) -> PathBuf {
    let config = write_config(place, BODY);
    let out = place.join(out);
    ekklesia(&[&["run", text(&config), "--out", text(&out)], more].concat()).says(0, &[]);
    out
}

fn fork(out: &Path, session: &str, change: &str, name: &str) -> PathBuf {
    let place = out.parent().unwrap();
    let (file, fork) = (place.join(format!("{name}.yaml")), place.join(name));
    fs::write(&file, change).unwrap();
    let session = out.join("sessions").join(session);
    ekklesia(&["fork", text(&session), "--change", text(&file), "--out", text(&fork)]).says(0, &[]);
    fork
}

fn unpacked(folder: &Path, elsewhere: &Path) -> PathBuf {
    let archive = elsewhere.with_extension("tar.gz");
    ekklesia(&["export", text(folder), "--format", "bundle", "--without-program", "--out", text(&archive)])
        .says(0, &[]);
    let open = fs::File::open(&archive).unwrap();
    tar::Archive::new(flate2::read::GzDecoder::new(open)).unpack(elsewhere).unwrap();
    elsewhere.join(folder.file_name().unwrap()).join("results")
}

fn minutes(folder: &Path, session: &str) -> Vec<u8> {
    fs::read(folder.join("sessions").join(session).join("minutes.jsonl")).unwrap()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_session_of_a_panel_that_is_shown_anothers_talk_is_forked_bundled_and_replayed_without_the_others() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), "out", &[]);
    let own = "shuffled-r000002-w03";
    let same = fork(&out, own, "set: { decision.rule: majority }\n", "same");
    assert!(minutes(&same, own) == minutes(&out, own), "a fork without consequence gives the parent's bytes");
    let silent = fork(&out, own, "at: { seat: Bob, phase: discussion, round: 1 }\nsilent: true\n", "silent");
    assert!(minutes(&silent, own) != minutes(&out, own));
    let plain = fork(&out, own, "set: { memory.policy: none }\n", "plain");
    let first = |folder: &Path| {
        let record: Value =
            serde_json::from_slice(minutes(folder, own).split(|b| *b == b'\n').next().unwrap()).unwrap();
        record["event"]["Convened"].clone()
    };
    for kept in ["lender", "before"] {
        assert_eq!(first(&silent)[kept], first(&out)[kept], "{kept}");
    }
    assert_eq!((first(&plain)["lender"].clone(), &first(&plain)["before"]), (Value::Null, &first(&out)["before"]));
    let bundle = unpacked(&out, &place.path().join("whole"));
    assert_eq!(contents(&bundle), contents(&out));
    fs::remove_dir_all(&out).unwrap();
    ekklesia(&["replay", text(&bundle)]).says(0, &["no divergence", "no seat was shown anything"]);
    for (name, folder) in [("bundle-same", &same), ("bundle-silent", &silent), ("bundle-plain", &plain)] {
        ekklesia(&["replay", text(folder)]).says(0, &["no divergence", "no seat was shown anything"]);
        let bundle = unpacked(folder, &place.path().join(name));
        assert_eq!(contents(&bundle), contents(folder));
        ekklesia(&["replay", text(&bundle)]).says(0, &["no divergence", "no seat was shown anything"]);
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_fork_that_was_cut_goes_on_with_the_minutes_that_lie_beside_it() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path(), "out", &[]);
    let own = "shuffled-r000001-w02";
    let change =
        "at: { seat: Carol, phase: discussion, round: 1 }\nstatement: \"I will not be moved.\"\nstance: against\n";
    let whole = fork(&out, own, change, "whole");
    let sound = minutes(&whole, own);
    let lines: Vec<&[u8]> = sound.split_inclusive(|byte| *byte == b'\n').collect();
    let before = everything(&out);
    let (file, session) = (place.path().join("whole.yaml"), out.join("sessions").join(own));
    for kept in sample_cases([0, 1, 2, 3, lines.len() / 2, lines.len() - 1], 4) {
        let cut = place.path().join(format!("cut{kept}"));
        copy(&whole, &cut);
        let folder = cut.join("sessions").join(own);
        ["run.json", "notes.json"].iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
        fs::write(folder.join("minutes.jsonl"), [&lines[..kept].concat(), &b"{\"seq\":"[..]].concat()).unwrap();
        ekklesia(&["replay", text(&cut)]).says(4, &["1 session of these stopped before the end"]);
        ekklesia(&["fork", text(&session), "--change", text(&file), "--out", text(&cut)])
            .says(0, &["the torn last line"]);
        assert_same(&whole, &cut);
        ekklesia(&["replay", text(&cut)]).says(0, &["no divergence"]);
    }
    assert_eq!(everything(&out), before, "a fork leaves its parent alone");
    // The copies are enough: of the others nothing need be there any more.
    ["selective-r000002-w02", "shuffled-r000001-w01"]
        .iter()
        .for_each(|other| fs::remove_dir_all(out.join("sessions").join(other)).unwrap());
    let cut = place.path().join("alone");
    copy(&whole, &cut);
    fs::remove_file(cut.join("sessions").join(own).join("run.json")).unwrap();
    fs::write(cut.join("sessions").join(own).join("minutes.jsonl"), lines[..5].concat()).unwrap();
    ekklesia(&["fork", text(&session), "--change", text(&file), "--out", text(&cut)]).says(0, &[]);
    assert_same(&whole, &cut);
    let other = place.path().join("other");
    ekklesia(&["fork", text(&session), "--change", text(&file), "--out", text(&other)])
        .says(1, &["it needs the minutes of", "which is not complete"]);
    // Other minutes in their place are found, whichever of the two they are.
    let kept: Vec<PathBuf> = everything(&whole).into_keys().filter(|path| is_of_another(path)).collect();
    assert_eq!(kept.len(), 2, "{kept:?}");
    for path in kept {
        let sound = fs::read(whole.join(&path)).unwrap();
        let other = String::from_utf8(sound.clone()).unwrap().replacen("Carol", "Carla", 1);
        fs::write(whole.join(&path), other).unwrap();
        ekklesia(&["replay", text(&whole)]).says(3, &[own]);
        fs::remove_file(whole.join(&path)).unwrap();
        assert!(ekklesia(&["replay", text(&whole)]).code != Some(0), "{path:?} is missed");
        fs::write(whole.join(&path), sound).unwrap();
        ekklesia(&["replay", text(&whole)]).says(0, &["no divergence"]);
    }
}

/// Whether a file of a fork's folder is the minutes of a session that the fork's began with.
fn is_of_another(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl") && !path.starts_with("sessions")
}

/// Seats that volunteer, propose, react and decide at random, with two that follow their rule.
const MARKED: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.1 } } }
seats: [{ count: 4, name: \"Rand {n}\" }, { count: 2, name: \"Voter {n}\", mind: { voter: { copy: 0.5 } } }]
discussion: { rounds: 4, order: ORDER, proposals: true }
";

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn talk_with_proposals_is_forked_and_what_is_said_instead_is_marked_by_its_words() {
    for order in sample_cases(["volunteer", "random", "simultaneous"], 3) {
        let parent = Parent::run(&MARKED.replace("ORDER", order));
        let (before, bytes) = (parent.minutes(), fs::read(minutes_of(&parent.folder())).unwrap());
        let said: Vec<&Value> = before.iter().filter(|record| statement_of(record).is_some()).collect();
        let is_marked =
            |record: &Value| record["event"]["Answered"]["marks"].as_array().is_some_and(|marks| !marks.is_empty());
        assert!(said.iter().any(|record| is_marked(record)), "{order}: somebody proposes something");
        // Repeated words are no change, marks and all.
        let marked = said.iter().filter(|record| is_marked(record)).take(3).enumerate();
        for (number, record) in sample_cases(marked, 3) {
            let (fork, told) = parent.fork(
                &format!("same{number}"),
                &instead(record, &record["event"]["Answered"]["values"]["statement"]),
                &[],
            );
            told.says(0, &["all of them the parent's"]);
            assert!(fs::read(minutes_of(&fork)).unwrap() == bytes, "{order}: {record}");
        }
        let first = said[0];
        let words = "[PROPOSAL] Close it on Sundays only.\n[SUPPORT #9.9] I said so before.".into();
        let (fork, told) = parent.fork("other", &instead(first, &words), &[]);
        told.says(0, &["the first that differs"]);
        let after = json_lines(&minutes_of(&fork));
        let place = before.iter().position(|record| record == first).unwrap();
        assert_eq!(before[..place], after[..place]);
        let marks = after[place]["event"]["Answered"]["marks"].to_string();
        assert!(marks.contains("roposal") && marks.contains("upport"), "{order}: {marks}");
        let proposals = fs::read_to_string(fork.join("proposals.csv")).unwrap();
        assert!(proposals.contains("Close it on Sundays only."), "{order}: {proposals}");
        // Who volunteers in the same round was settled before a word of it was said.
        let volunteers = |records: &[Value]| -> BTreeSet<String> {
            let of_round = records.iter().filter(|record| record["at"]["round"] == first["at"]["round"]);
            of_round.filter(|record| values_at(record, "volunteer").is_some()).map(ToString::to_string).collect()
        };
        assert_eq!(volunteers(&before), volunteers(&after));
        assert_eq!(volunteers(&after).is_empty(), order != "volunteer");
        for folder in [&fork, &parent.folder()] {
            ekklesia(&["replay", text(folder)]).says(0, &["no divergence", "no seat was shown anything"]);
        }
        ekklesia(&["why", &format!("{}/proposals.csv:1:status", fork.display())]).says(0, &[]);
        // One that is silenced proposes nothing.
        let silent = format!("{}silent: true\n", at(first));
        let (fork, told) = parent.fork("silent", &silent, &[]);
        told.says(0, &["the first that differs"]);
        let after = json_lines(&minutes_of(&fork));
        let (seat, round) = (first["seat"].as_str().unwrap(), first["at"]["round"].as_u64().unwrap());
        assert!(after.iter().any(|r| is_answer(r, seat, "discussion", round, "statement") && is_pass(r)));
        ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
        let bundle = unpacked(&fork, &parent.place.path().join("elsewhere"));
        ekklesia(&["replay", text(&bundle)]).says(0, &["no divergence"]);
    }
}

/// The coordinate of a statement, as a change has it.
fn at(record: &Value) -> String {
    format!("at: {{ seat: {}, phase: discussion, round: {} }}\n", record["seat"], record["at"]["round"])
}

/// A change in which a seat says other words with the same stance.
fn instead(record: &Value, words: &Value) -> String {
    let stance = record["event"]["Answered"]["values"]["stance"]
        .as_str()
        .map_or(String::new(), |stance| format!("stance: {stance}\n"));
    format!("{}statement: {}\n{stance}", at(record), quoted(words))
}
