//! Replay proves: any byte that is not what the session was is found, and its record is named.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::attended::attend_in;
use crate::fixtures::cli::{self, Server, ekklesia, mixed, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{plan, write_config};
use ekklesia::plan::Plan;
use ekklesia::service::sessions::{SessionMode, SessionStop};
use ekklesia::session::Halt;
use ekklesia::store::minutes::MinutesError;
use ekklesia::store::results::ResultsFolder;

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

fn minutes_path(root: &Path, plan: &Plan) -> PathBuf {
    ResultsFolder::open_unchecked(root).minutes(&plan.session_name(1)).path().to_owned()
}

#[test]
fn one_byte_flipped_anywhere_is_named() {
    let plan = plan(BODY);
    let root = tempfile::tempdir().unwrap();
    attend_in(root.path(), (&plan, 1), SessionMode::Run).unwrap();
    attend_in(root.path(), (&plan, 1), SessionMode::Replay).unwrap();
    let path = minutes_path(root.path(), &plan);
    let whole = fs::read(&path).unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    let mut places = Vec::new();
    for (number, line) in whole.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let record: serde_json::Value = serde_json::from_slice(line).unwrap();
        let kind = record["event"].as_object().unwrap().keys().next().unwrap();
        let step = record["at"]["step"].as_str().unwrap();
        kinds.insert(if kind == "Answered" { step.to_owned() } else { kind.clone() });
        let start = places.len() + number;
        // All but the line end.
        places.extend((start..start + line.len() - 1).map(|at| (number as u64, at)));
    }
    // A record is longer than that, so that a byte of each is tried.
    for (number, at) in sample_cases(places, 19) {
        let mut flipped = whole.clone();
        // Another byte that is still text and no line end, so that the record stays one line.
        flipped[at] = if whole[at] == b'x' { b'y' } else { b'x' };
        fs::write(&path, &flipped).unwrap();
        match attend_in(root.path(), (&plan, 1), SessionMode::Replay) {
            Err(SessionStop::Halted(Halt::Minutes(MinutesError::Diverged { seq, .. }))) => {
                assert_eq!(seq.0, number, "byte {at}");
            }
            other => panic!("byte {at} of record {number}: {other:?}"),
        }
    }
    for kind in ["Convened", "PhaseOpened", "RoundOpened", "statement", "straw_poll", "ballot", "Faulted"] {
        assert!(kinds.contains(kind), "{kind} was not tried");
    }
    for kind in ["Tallied", "RoundClosed", "Adjourned", "Briefed"] {
        assert!(kinds.contains(kind), "{kind} was not tried");
    }
}

#[test]
fn a_record_too_many_or_lost_is_found() {
    let plan = plan(BODY);
    let root = tempfile::tempdir().unwrap();
    attend_in(root.path(), (&plan, 1), SessionMode::Run).unwrap();
    let path = minutes_path(root.path(), &plan);
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    fs::write(&path, format!("{whole}{}\n", lines[lines.len() - 1])).unwrap();
    let surplus = attend_in(root.path(), (&plan, 1), SessionMode::Replay);
    assert!(matches!(surplus, Err(SessionStop::Halted(Halt::Minutes(MinutesError::Surplus { .. })))), "{surplus:?}");
    let without_third: Vec<&str> = lines.iter().enumerate().filter(|(n, _)| *n != 3).map(|(_, line)| *line).collect();
    fs::write(&path, without_third.join("\n") + "\n").unwrap();
    let lost = attend_in(root.path(), (&plan, 1), SessionMode::Replay);
    assert!(
        matches!(&lost, Err(SessionStop::Halted(Halt::Minutes(MinutesError::Diverged { seq, .. }))) if seq.0 == 3),
        "{lost:?}"
    );
}

#[test]
fn a_replayed_folder_says_so_and_a_changed_table_is_named() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &format!("replicates: 2\n{BODY}"));
    let out = place.path().join("out");
    let (config, out) = (config.to_str().unwrap(), out.to_str().unwrap());
    ekklesia(&["run", config, "--out", out]).says(0, &[]);
    let proof = ekklesia(&["replay", out]);
    proof.says(0, &[]);
    let told = &proof.stdout;
    assert!(told.contains("no divergence"), "{told}");
    let table = Path::new(out).join("ballots.csv");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen("against", "agianst", 1)).unwrap();
    let found = ekklesia(&["replay", out]);
    found.says(3, &[]);
    let told = &found.stdout;
    assert!(told.contains("ballots.csv:"), "{told}");
    // As another version wrote them: a column less, and other words.
    let text = fs::read_to_string(&table).unwrap();
    let fewer: String = text.lines().map(|line| format!("{}\n", line.rsplit_once(',').unwrap().0)).collect();
    fs::write(&table, fewer).unwrap();
    let methods = Path::new(out).join("methods.md");
    let text = fs::read_to_string(&methods).unwrap();
    fs::write(&methods, format!("# Method\n{text}")).unwrap();
    let again = "if another version wrote it, `ekklesia run` makes it again from the minutes";
    ekklesia(&["replay", out]).says(
        3,
        &[
            &format!("ballots.csv:1 has other columns than this version writes; {again}"),
            &format!("methods.md:1 is not what this version writes; {again}"),
        ],
    );
    ekklesia(&["run", config, "--out", out]).says(0, &[]);
    ekklesia(&["replay", out]).says(0, &["no divergence"]);
}

/// A live run at a table of models, minds and a script: its folder, its config, and the server.
fn live_run(place: &Path, order: &str) -> (PathBuf, PathBuf, Server) {
    let server = Server::start();
    let config = write_config(place, &format!("replicates: 2\n{}", mixed(&server.base_url(), order)));
    let live = place.join("live");
    ekklesia(&["run", text(&config), "--out", text(&live)]).says(0, &[]);
    assert!(server.requests() > 0);
    (live, config, server)
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_offline_folder_equals_the_live_one() {
    for order in sample_cases(["fixed", "random", "simultaneous"], 2) {
        let place = tempfile::tempdir().unwrap();
        let (live, config, server) = live_run(place.path(), order);
        let asked = server.requests();
        let copy = place.path().join("copy");
        cli::copy_recorded(&live, &copy);
        ekklesia(&["run", text(&config), "--offline", "--out", text(&copy)]).says(0, &[]);
        cli::assert_same(&live, &copy);
        assert_eq!(server.requests(), asked, "offline asks nobody");
        // With the server gone the record is all there is, and it is enough.
        drop(server);
        let answers = cli::calls(&live.join("sessions/baseline-r000001/calls.jsonl")).len()
            + cli::calls(&live.join("sessions/baseline-r000002/calls.jsonl")).len();
        for folder in [&live, &copy] {
            let told = ekklesia(&["replay", text(folder)]);
            told.says(0, &["no divergence", &format!("{answers} from the record")]);
        }
    }
}

/// The place of a text in a file of lines: its byte, and its line from 0.
fn place_of(whole: &str, needle: &str) -> (usize, usize) {
    let at = whole.find(needle).unwrap_or_else(|| panic!("{needle} is there"));
    (at, whole[..at].matches('\n').count())
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn one_byte_of_a_models_words_is_named_in_minutes_and_in_the_call_record() {
    let place = tempfile::tempdir().unwrap();
    let (live, _, server) = live_run(place.path(), "fixed");
    drop(server);
    let session = live.join("sessions/baseline-r000001");
    // A statement that Alice made, as both files hold it.
    let minutes = fs::read_to_string(session.join("minutes.jsonl")).unwrap();
    let alices = |r: &serde_json::Value| r["seat"] == "Alice" && cli::statement_of(r).is_some();
    let spoke = cli::json_lines(&session.join("minutes.jsonl")).into_iter().find(alices).expect("Alice spoke");
    let said = spoke["event"]["Answered"]["values"]["statement"].as_str().unwrap();
    let (at, record) = place_of(&minutes, said);
    for offset in sample_cases(0..said.len(), 8) {
        let mut flipped = minutes.clone().into_bytes();
        flipped[at + offset] = if flipped[at + offset] == b'x' { b'y' } else { b'x' };
        fs::write(session.join("minutes.jsonl"), flipped).unwrap();
        let told = ekklesia(&["replay", text(&session)]);
        told.says(3, &["baseline-r000001", &format!("record {record} differs")]);
    }
    fs::write(session.join("minutes.jsonl"), &minutes).unwrap();
    let calls = fs::read_to_string(session.join("calls.jsonl")).unwrap();
    let (at, _) = place_of(&calls, said);
    let mut flipped = calls.clone().into_bytes();
    flipped[at] = b'x';
    fs::write(session.join("calls.jsonl"), flipped).unwrap();
    ekklesia(&["replay", text(&live)]).says(3, &["baseline-r000001", &format!("record {record} differs")]);
    // The digest of the request is checked as well: an answer to another question is no answer to this one.
    let at = calls.rfind("b3:").unwrap();
    let mut flipped = calls.clone().into_bytes();
    flipped[at + 3] = if flipped[at + 3] == b'0' { b'1' } else { b'0' };
    fs::write(session.join("calls.jsonl"), flipped).unwrap();
    ekklesia(&["replay", text(&live)]).says(3, &["baseline-r000001", "another prompt"]);
    fs::write(session.join("calls.jsonl"), &calls).unwrap();
    ekklesia(&["replay", text(&live)]).says(0, &[]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_lost_answer_is_named_by_session_seat_and_question() {
    let place = tempfile::tempdir().unwrap();
    let (live, config, server) = live_run(place.path(), "fixed");
    let asked = server.requests();
    let session = live.join("sessions/baseline-r000002");
    let calls = fs::read_to_string(session.join("calls.jsonl")).unwrap();
    let questions = calls.lines().enumerate().map(|(number, line)| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        (number, line["question"].clone())
    });
    for (number, question) in sample_cases(questions.filter(|(_, question)| !question.is_null()), 5) {
        let rest: Vec<&str> = calls.lines().enumerate().filter(|(n, _)| *n != number).map(|(_, l)| l).collect();
        fs::write(session.join("calls.jsonl"), rest.join("\n") + "\n").unwrap();
        let (seat, phase) = (question["seat"].as_str().unwrap(), question["at"]["phase"].as_str().unwrap());
        let step = format!("{} of {seat}", question["at"]["step"].as_str().unwrap());
        let words = ["baseline-r000002", phase, &step];
        ekklesia(&["replay", text(&live)]).says(4, &words);
        // The same when the session is to be made from its call record.
        let _ = fs::remove_file(session.join("run.json"));
        let _ = fs::remove_file(session.join("minutes.jsonl"));
        let told = ekklesia(&["run", text(&config), "--offline", "--out", text(&live)]);
        told.says(4, &words);
        fs::write(session.join("calls.jsonl"), &calls).unwrap();
        ekklesia(&["run", text(&config), "--offline", "--out", text(&live)]).says(0, &[]);
    }
    assert_eq!(server.requests(), asked);
}
