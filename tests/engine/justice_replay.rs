//! Replay proves a justice session: a byte that is not what the session was is found, and its record is named.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use crate::fixtures::attended::flip_bytes;
use crate::fixtures::trial::{justice, kind, whole};

/// Every kind of record that a session can hold in which the group itself decides and nobody passes.
pub const KINDS: [&str; 23] = [
    "Convened",
    "Seated",
    "PhaseOpened",
    "Briefed",
    "ranking",
    "comprehension",
    "situation",
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
    let tried = flip_bytes(&plan, replicate, 11);
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
    let tried = flip_bytes(&plan, 1, 11);
    assert!(["imposition", "Paid", "statement"].iter().all(|kind| tried.contains_key(*kind)), "{tried:?}");
}
