//! Replay proves: any byte that is not what the session was is found, and its record is named.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use assert_cmd::Command;
use common::{plan, write_config};
use ekklesia::adapters::minutes::MinutesError;
use ekklesia::adapters::models::Reuse;
use ekklesia::adapters::results::ResultsFolder;
use ekklesia::adapters::sessions::{Mode, Stopped, Workplace, attend};
use ekklesia::plan::Plan;
use ekklesia::session::Halt;

const BODY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, mind: { voter: { copy: 0.5 } } }
  - { name: Bob, mind: { random: { malformed: 0.5 } } }
  - name: Carol
    mind: { scripted: { table: [
      { phase: discussion, round: 1, step: statement, pass: true },
      { phase: discussion, round: 1, step: straw_poll, choice: for },
      { phase: vote, round: 0, step: ballot, choice: for } ] } }
straw_polls: [each_round]
discussion: { rounds: 1, order: random, vote: at_end }
";

/// Conducts or replays the first session of a plan in a folder.
fn attend_in(root: &Path, plan: &Arc<Plan>, mode: Mode) -> Result<(), Stopped> {
    let stop = Arc::new(AtomicBool::new(false));
    let folder = match mode {
        Mode::Run => ResultsFolder::open(root).expect("a folder to write to"),
        Mode::Replay => ResultsFolder::read_only(root),
    };
    let workplace = Workplace { folder: &folder, clients: None, runtime: None, stop: &stop, change: None, mode };
    attend(&workplace, plan, 1, Reuse::Own).end.map(|_| ())
}

fn minutes_path(root: &Path, plan: &Plan) -> PathBuf {
    ResultsFolder::read_only(root).minutes(&plan.session_name(1))
}

#[test]
fn one_byte_flipped_anywhere_is_named() {
    let plan = plan(BODY);
    let root = tempfile::tempdir().unwrap();
    attend_in(root.path(), &plan, Mode::Run).unwrap();
    attend_in(root.path(), &plan, Mode::Replay).unwrap();
    let path = minutes_path(root.path(), &plan);
    let whole = fs::read(&path).unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    let mut number = 0;
    for (at, byte) in whole.iter().enumerate() {
        if *byte == b'\n' {
            let line = whole[..at].rsplit(|b| *b == b'\n').next().unwrap();
            let record: serde_json::Value = serde_json::from_slice(line).unwrap();
            kinds.insert(record["event"].as_object().unwrap().keys().next().unwrap().clone());
            number += 1;
            continue;
        }
        let mut flipped = whole.clone();
        // Another byte that is still text and no line end, so that the record stays one line.
        flipped[at] = if *byte == b'x' { b'y' } else { b'x' };
        fs::write(&path, &flipped).unwrap();
        match attend_in(root.path(), &plan, Mode::Replay) {
            Err(Stopped::Halted(Halt::Minutes(MinutesError::Diverged { seq, .. }))) => {
                assert_eq!(seq.0, number, "byte {at}");
            }
            other => panic!("byte {at} of record {number}: {other:?}"),
        }
    }
    for kind in ["SessionConvened", "PhaseOpened", "RoundOpened", "Spoke", "Passed", "Polled", "Balloted", "Faulted"] {
        assert!(kinds.contains(kind), "{kind} was not tried");
    }
    for kind in ["Tallied", "RoundClosed", "Adjourned", "Instructed"] {
        assert!(kinds.contains(kind), "{kind} was not tried");
    }
}

#[test]
fn a_record_too_many_or_lost_is_found() {
    let plan = plan(BODY);
    let root = tempfile::tempdir().unwrap();
    attend_in(root.path(), &plan, Mode::Run).unwrap();
    let path = minutes_path(root.path(), &plan);
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    fs::write(&path, format!("{whole}{}\n", lines[lines.len() - 1])).unwrap();
    let surplus = attend_in(root.path(), &plan, Mode::Replay);
    assert!(matches!(surplus, Err(Stopped::Halted(Halt::Minutes(MinutesError::Surplus { .. })))), "{surplus:?}");
    let without_third: Vec<&str> = lines.iter().enumerate().filter(|(n, _)| *n != 3).map(|(_, line)| *line).collect();
    fs::write(&path, without_third.join("\n") + "\n").unwrap();
    let lost = attend_in(root.path(), &plan, Mode::Replay);
    assert!(
        matches!(&lost, Err(Stopped::Halted(Halt::Minutes(MinutesError::Diverged { seq, .. }))) if seq.0 == 3),
        "{lost:?}"
    );
}

fn ekklesia(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("ekklesia").expect("the program was built").args(arguments).assert()
}

#[test]
fn a_replayed_folder_says_so_and_a_changed_table_is_named() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &format!("replicates: 2\n{BODY}"));
    let out = place.path().join("out");
    let (config, out) = (config.to_str().unwrap(), out.to_str().unwrap());
    ekklesia(&["run", config, "--out", out]).success();
    let proof = ekklesia(&["replay", out]).success();
    let told = String::from_utf8_lossy(&proof.get_output().stdout).into_owned();
    assert!(told.contains("no divergence"), "{told}");
    let table = Path::new(out).join("ballots.csv");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen("against", "agianst", 1)).unwrap();
    let found = ekklesia(&["replay", out]).code(3);
    let told = String::from_utf8_lossy(&found.get_output().stdout).into_owned();
    assert!(told.contains("ballots.csv:"), "{told}");
}
