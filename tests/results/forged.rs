//! What was tampered with is never counted, never blamed on something else, and never lost.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::fixtures::cli::{contents, ekklesia, ended, everything, program, run_body, text};
use crate::fixtures::trial::{self, write_config};

const BODY: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.4 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
straw_polls: [before]
discussion: { rounds: 2, order: random }
";

fn minutes(out: &Path, session: &str) -> PathBuf {
    out.join("sessions").join(session).join("minutes.jsonl")
}

/// Changes a declared stance; `for` and `against` differ in length.
fn forge(minutes: &Path) {
    let text = fs::read_to_string(minutes).unwrap();
    let forged = if text.contains("\"stance\":\"for\"") {
        text.replacen("\"stance\":\"for\"", "\"stance\":\"against\"", 1)
    } else {
        text.replacen("\"stance\":\"against\"", "\"stance\":\"for\"", 1)
    };
    assert_ne!(text, forged);
    fs::write(minutes, forged).unwrap();
}

#[test]
fn forged_minutes_are_no_data_and_the_run_that_wrote_them_is_still_known() {
    let (_place, config, out) = run_body(BODY);
    let forged = minutes(&out, "baseline-r000002");
    let run_file = forged.with_file_name("run.json");
    let before = fs::read(&run_file).unwrap();
    forge(&forged);
    for _ in 0..2 {
        let told = ekklesia(&["run", text(&config), "--out", text(&out)]);
        told.says(3, &["baseline-r000002: record", "minuted by ekklesia 0.1.0", "move", "2 of 3 sessions completed"]);
        let sessions = fs::read_to_string(out.join("sessions.csv")).unwrap();
        let row = sessions.lines().find(|line| line.contains("baseline-r000002")).unwrap();
        assert!(row.contains(",incomplete,"), "{row}");
        let statements = fs::read_to_string(out.join("statements.csv")).unwrap();
        assert!(!statements.contains("baseline-r000002"));
        assert_eq!(fs::read(&run_file).unwrap(), before);
    }
    // The way out that is told: the session is conducted anew.
    fs::remove_dir_all(forged.parent().unwrap()).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["3 of 3"]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
fn minutes_forged_in_place_are_found_though_their_length_is_the_same() {
    let (_place, config, out) = run_body(BODY);
    let forged = minutes(&out, "baseline-r000001");
    let text_before = fs::read_to_string(&forged).unwrap();
    fs::write(&forged, text_before.replacen("\"omitted\":0", "\"omitted\":9", 1)).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(3, &["baseline-r000001", "changed", "2 of 3"]);
}

#[test]
fn a_forged_parent_is_not_forked_and_a_fork_is_not_overwritten() {
    let (place, config, out) = run_body(BODY);
    let change = place.path().join("change.yaml");
    fs::write(&change, "at: { seat: Bob, phase: discussion, round: 1 }\nsilent: true\n").unwrap();
    let fork = place.path().join("fork");
    let parent = out.join("sessions/baseline-r000001");
    let arguments = ["fork", text(&parent), "--change", text(&change), "--out", text(&fork)];
    ekklesia(&arguments).says(0, &["records"]);
    let kept = everything(&fork);
    // Another parent of the same name, with the same change, is not written over it.
    let other = place.path().join("other");
    ekklesia(&["run", text(&config), "--out", text(&other), "--seed", "7"]).says(0, &[]);
    let stranger = other.join("sessions/baseline-r000001");
    let again = ["fork", text(&stranger), "--change", text(&change), "--out", text(&fork)];
    ekklesia(&again).says(2, &["holds something else"]);
    assert_eq!(everything(&fork), kept);
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    forge(&minutes(&out, "baseline-r000001"));
    let blamed = place.path().join("blamed");
    let forged = ["fork", text(&parent), "--change", text(&change), "--out", text(&blamed)];
    ekklesia(&forged).says(3, &["changed since they were written"]);
    assert!(!blamed.exists());
}

#[test]
fn replay_finds_what_was_added_cut_or_changed_beside_the_records() {
    let (_place, _config, out) = run_body(BODY);
    let path = minutes(&out, "baseline-r000003");
    let whole = fs::read(&path).unwrap();
    let replay = || ekklesia(&["replay", text(&out)]);
    replay().says(0, &["no divergence"]);
    fs::write(&path, [whole.as_slice(), b"{\"seq\""].concat()).unwrap();
    replay().says(3, &["baseline-r000003", "torn"]);
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(&path, lines[..lines.len() - 1].concat()).unwrap();
    replay().says(3, &["baseline-r000003", "the minutes stop after"]);
    fs::write(&path, &whole).unwrap();
    replay().says(0, &[]);
    let plan = out.join("plan.yaml");
    let kept = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, kept.replacen("seed: 42", "seed: 43", 1)).unwrap();
    replay().says(3, &["plan.yaml"]);
    fs::write(&plan, kept).unwrap();
    fs::remove_dir_all(out.join("sessions/baseline-r000003")).unwrap();
    replay().says(4, &["tables not compared: 1 session not complete"]);
}

#[test]
fn a_folder_of_other_things_is_not_written_to() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("mine");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("sessions.csv"), "my own").unwrap();
    let before = everything(&out);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(2, &["sessions.csv", "--out"]);
    assert_eq!(everything(&out), before);
    fs::remove_file(out.join("sessions.csv")).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_reader_that_leaves_is_no_failure_and_a_full_stdout_is_one() {
    let (_place, config, out) = run_body(BODY);
    let session = out.join("sessions/baseline-r000001");
    let verbs: [&[&str]; 4] = [
        &["run", text(&config), "--out", text(&out)],
        &["run", text(&config), "--out", text(&out), "--json"],
        &["replay", text(&out)],
        &["show", text(&session)],
    ];
    for arguments in verbs {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let code = program(arguments).stdout(writer).stderr(Stdio::null()).status().unwrap().code();
        assert_eq!(code, Some(0), "{arguments:?}");
        if Path::new("/dev/full").exists() {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let code = program(arguments).stdout(full).stderr(Stdio::null()).status().unwrap().code();
            assert_eq!(code, Some(1), "{arguments:?}");
        }
    }
}

#[test]
fn what_to_do_next_names_the_same_experiment() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    let set = "decision.rule=plurality";
    let mut command = program(&["run", text(&config), "--set", set, "--seed", "5", "--out", text(&out)]);
    let told = ended(&mut command);
    told.says(0, &["--set 'decision.rule=plurality' --seed 5 --out", "--replicates 6"]);
    assert!(contents(&out).contains_key(Path::new("sessions.csv")));
}

#[test]
fn a_decision_is_not_taken_back_by_a_later_discussion() {
    let place = tempfile::tempdir().unwrap();
    let scenario = place.path().join("twice");
    let shipped = trial::repository().join("scenarios/motion");
    fs::create_dir_all(&scenario).unwrap();
    let once = fs::read_to_string(shipped.join("scenario.yaml")).unwrap();
    let one = "  - { name: discussion, discussion: {} }\n";
    assert!(once.contains(one));
    let twice = once.replace(one, &format!("{one}{}", one.replace("name: discussion", "name: appeal")));
    fs::write(scenario.join("scenario.yaml"), twice).unwrap();
    let config = write_config(place.path(), &BODY.replace("order: random", "order: random, vote: every_round"));
    let shown = fs::read_to_string(&config).unwrap();
    let shown = shown.replace(text(&shipped), text(&scenario));
    fs::write(&config, format!("{shown}decision: {{ rule: majority }}\n")).unwrap();
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--replicates", "20", "--out", text(&out)]).says(0, &[]);
    let tallies = fs::read_to_string(out.join("tallies.csv")).unwrap();
    assert!(
        tallies.contains(",discussion,") && !tallies.contains(",appeal,"),
        "three voters decide by majority at once"
    );
    let sessions = fs::read_to_string(out.join("sessions.csv")).unwrap();
    assert_eq!(sessions.matches(",carried,").count(), 20 + 1, "20 sessions and the name of the column");
}
