//! Replay proves a justice session: a byte that is not what the session was is found, and its record is named.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{justice, kind, whole};
use ekklesia::plan::Plan;
use ekklesia::service::models::Reuse;
use ekklesia::service::sessions::{SessionMode, SessionStop, Workplace, run_or_replay_session};
use ekklesia::session::Halt;
use ekklesia::store::minutes::MinutesError;
use ekklesia::store::results::ResultsFolder;

/// Every kind of record that a session can hold in which the group itself decides and nobody passes.
const KINDS: [&str; 23] = [
    "Convened",
    "Seated",
    "PhaseOpened",
    "Briefed",
    "ranking",
    "comprehension",
    "SituationOpened",
    "application",
    "Paid",
    "RoundOpened",
    "reasoning",
    "statement",
    "straw_poll",
    "vote_call",
    "confirmation",
    "ballot",
    "amount",
    "integration",
    "compression",
    "Faulted",
    "Tallied",
    "RoundClosed",
    "Adjourned",
];

const SEATS: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.2 } } }
seats: [{ name: Alice, mind: { justice: { risk_aversion: { uniform: [0, 4] } } } }, { name: Bob }, { name: Carol, role: manipulator }]
straw_polls: [before]
";

/// Conducts or replays the session of a plan in a folder.
fn attend_in(root: &Path, (plan, replicate): (&Arc<Plan>, u32), mode: SessionMode) -> Result<(), SessionStop> {
    let stop = Arc::new(AtomicBool::new(false));
    let folder = match mode {
        SessionMode::Run => ResultsFolder::open_for_writing(root).expect("a folder to write to"),
        SessionMode::Replay => ResultsFolder::open_unchecked(root),
    };
    let workplace = Workplace {
        folder: &folder,
        clients: None,
        deferred: None,
        desk: None,
        runtime: None,
        stop: &stop,
        change: None,
        mode,
        follower: None,
        arms: None,
    };
    run_or_replay_session(&workplace, plan, replicate, Reuse::Own).end.map(|_| ())
}

/// One byte of every field of a line, of its names and of its values: the one in the middle.
fn one_byte_a_field(line: &[u8]) -> Vec<usize> {
    let (mut places, mut at) = (Vec::new(), 0);
    while at < line.len() {
        let begins = at;
        if line[at] == b'"' {
            at += 1;
            while line[at] != b'"' {
                at += if line[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
            // An empty text has no byte of its own but its quotes.
            places.push(if at - begins > 2 { begins + (at - begins) / 2 } else { begins });
        } else if line[at].is_ascii_alphanumeric() || line[at] == b'-' {
            while line[at].is_ascii_alphanumeric() || line[at] == b'-' {
                at += 1;
            }
            places.push(begins + (at - begins) / 2);
        } else {
            at += 1;
        }
    }
    places
}

/// Flips a byte of every field of the session's minutes, each time finds the record named, and tells how many were tried of
/// each kind of record. A sample tries several fields of every record, for each has more than eleven names and values.
fn tried(plan: &Arc<Plan>, replicate: u32) -> BTreeMap<String, usize> {
    let root = tempfile::tempdir().unwrap();
    attend_in(root.path(), (plan, replicate), SessionMode::Run).unwrap();
    attend_in(root.path(), (plan, replicate), SessionMode::Replay).unwrap();
    let path = ResultsFolder::open_unchecked(root.path()).minutes(&plan.session_name(replicate)).path().to_owned();
    let whole = fs::read(&path).unwrap();
    let (mut fields, mut begins) = (Vec::new(), 0);
    for (number, line) in whole.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let kind = kind(&serde_json::from_slice(line).unwrap());
        fields.extend(one_byte_a_field(line).into_iter().map(|at| (number, kind.clone(), begins, at)));
        begins += line.len();
    }
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    for (number, kind, begins, at) in sample_cases(fields, 11) {
        let mut flipped = whole.clone();
        let byte = &mut flipped[begins + at];
        // Another byte that is no line end, so that the record stays one line.
        *byte = if *byte == b'x' { b'y' } else { b'x' };
        fs::write(&path, &flipped).unwrap();
        match attend_in(root.path(), (plan, replicate), SessionMode::Replay) {
            Err(SessionStop::Halted(Halt::Minutes(MinutesError::Diverged { seq, .. }))) => {
                assert_eq!(seq.0, number as u64, "byte {at} of the line");
            }
            other => panic!("byte {at} of record {number}, {kind}: {other:?}"),
        }
        *tried.entry(kind).or_default() += 1;
    }
    tried
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn one_byte_flipped_in_any_field_of_a_justice_session_is_named() {
    let plan = justice(&format!(
        "{SEATS}parameters: {{ applications: drawn, applications_count: 1 }}
discussion: {{ rounds: 2, order: random, vote: on_call, rounds_min: 1 }}
memory: {{ memory_character_limit: 4500, memory_compression_threshold: 0.3, memory_compression_target: 0.2 }}
"
    ));
    let has_all = |replicate: &u32| {
        let records = whole(&plan, *replicate);
        let kinds: BTreeSet<String> = records.iter().map(kind).collect();
        KINDS.iter().all(|kind| kinds.contains(*kind))
    };
    let replicate = (1..=100).find(has_all).expect("a session with every kind of record");
    let tried = tried(&plan, replicate);
    assert!(KINDS.iter().all(|kind| tried[*kind] > 0), "{tried:?}");
}

#[test]
fn one_byte_flipped_in_any_field_of_a_session_with_an_imposed_decision_is_named() {
    let plan = justice(&format!(
        "{SEATS}parameters: {{ applications_count: 0, comprehension: none }}
discussion: {{ rounds: 1, order: simultaneous }}
decision: {{ rule: imposed, imposed: {{ alternative: average_floor, amount: 13000 }} }}
"
    ));
    let tried = tried(&plan, 1);
    assert!(["Imposed", "Paid", "statement"].iter().all(|kind| tried.contains_key(*kind)), "{tried:?}");
}
