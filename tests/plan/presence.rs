//! Values that `check` says may be missing, worked out by hand. The law that no other value ever is, is with the random protocols.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{read, write_file};

const FILE: &str = "scenario: own\nparameters: { on: { type: bool, default: true }, n: { type: int, default: 2 } }\n";
const CONFIG: &str = "experiment: t\nscenario: .\nseed: 1\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                      seats: [ { name: P1 }, { name: P2 }, { name: P3 }, { name: P4 } ]\n";
const ASK: &str = "  - { name: a, ask: [ { id: c, number: { min: 0, max: 9 }, question: How many? } ] }\n";

/// The values of an agenda that may be missing, and the phases whose payments may be.
fn list_missing(agenda: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let (head, agenda) = agenda.split_once("---\n").unwrap_or(("", agenda));
    fs::write(place.path().join("scenario.yaml"), format!("{FILE}{head}agenda:\n{agenda}")).unwrap();
    fs::write(place.path().join("config.yaml"), CONFIG).unwrap();
    let found = read(&place.path().join("config.yaml")).arms[0].find_missing_places();
    found.values.into_iter().chain(found.payments).collect::<Vec<String>>().join(" ")
}

/// Phases of one line each in a block with these settings.
fn block(settings: &str, phases: &[&str]) -> String {
    let phases: String = phases.iter().map(|phase| format!("      - {phase}\n")).collect();
    format!("  - name: loop\n    {settings}\n    phases:\n{phases}")
}

const SET_X: &str = "{ name: p, compute: { x: 1 } }";
const SET_Y: &str = "{ name: q, compute: { y: x + 1 } }";
const TELL_X: &str = "  - { name: t, brief: { text: \"{{ x }}\" } }\n";
const VOTE: &str = "{ name: v, vote: { over: [left, right], rule: plurality, tie_break: no_decision, ends: block } }";

#[test]
fn a_value_may_be_missing_where_a_way_leads_to_its_reader_that_does_not_set_it() {
    let loops = "repeat: { times: 3 }";
    let cases: Vec<(String, &str)> = vec![
        // Later in the same pass.
        (block(loops, &[SET_Y, SET_X]), "x y"),
        (block(loops, &[SET_X, SET_Y]), ""),
        (format!("variables: {{ x: {{ start: 0 }} }}\n---\n{}", block(loops, &["{ name: p, compute: { x: x + 1 } }"])), ""),
        (block("repeat: { until: x > 3, max: 3 }", &["{ name: p, compute: { x: \"default(x, 0) + 1\" } }"]), "x"),
        (block("repeat: { until: x > 3, max: 3 }", &["{ name: p, compute: { x: pass.number } }"]), ""),
        (block(loops, &["{ name: p, compute: { x: \"1 if pass.first else x + 1\" } }"]), "x"),
        // Conditions of phases and blocks.
        (format!("  - {{ name: p, when: mean(everyone.c) > 3, compute: {{ x: 1 }} }}\n{TELL_X}"), "c x"),
        (block("when: mean(everyone.c) > 3", &[SET_X]) + TELL_X, "c x"),
        (block("when: parameters.on", &[SET_X]) + TELL_X, ""),
        (block(loops, &["{ name: p, when: pass.first, compute: { x: 1 } }"]) + TELL_X, ""),
        (block(loops, &["{ name: p, when: not pass.first, compute: { x: 1 } }"]) + TELL_X, ""),
        (block(loops, &["{ name: p, when: not pass.first, compute: { x: 1 } }", SET_Y]), "x y"),
        // Who takes part.
        ("  - { name: p, who: [P1], compute: { seat.x: 1 } }\n  - { name: q, compute: { seat.y: seat.x } }\n".to_owned(), "x y"),
        ("  - { name: p, who: [P1], compute: { seat.x: 1 } }\n  - { name: q, who: [P1], compute: { seat.y: seat.x } }\n".to_owned(), ""),
        ("  - { name: p, who: seat.c > 3, compute: { seat.x: 1, y: 1 } }\n".to_owned(), "c x y"),
        ("  - { name: p, who: seat.index < 3, compute: { seat.x: 1, y: 1 } }\n".to_owned(), ""),
        ("  - { name: p, who: seat.index > parameters.n, compute: { seat.x: 1 } }\n  - { name: q, brief: { text: \"{{ seat.x }}\" } }\n".to_owned(), "x"),
        // What a vote or an `until` may end.
        (block(loops, &[VOTE, SET_X]) + TELL_X, "v x"),
        (block(loops, &[SET_X, VOTE]) + TELL_X, "v"),
        (block("repeat: { until: v.decided, max: 3 }", &[SET_X, &VOTE.replace(", ends: block", ""), "{ name: q, compute: { y: 1 } }"]), "v y"),
        (block("repeat: { until: mean(everyone.c) > 3, max: 3 }", &["{ name: o, brief: { text: Hear. } }", SET_X]) + TELL_X, "c x"),
        // How often a block takes place.
        (block("repeat: { times: parameters.n }", &[SET_X]) + TELL_X, ""),
        (block("repeat: { times: \"sum(everyone.c)\", max: 3 }", &[SET_X]) + TELL_X, "c x"),
        (block("for: { each: everyone, as: one }", &[SET_X]) + TELL_X, ""),
        (block("for: { each: seat.c > 3, as: one }", &[SET_X]) + TELL_X, "c x"),
        // Groups side by side.
        (
            "  - { name: m, assign: { team: { groups: { size: 2 }, by: lot } } }\n  - name: play\n    groups: team\n    phases:\n      \
             - { name: p, compute: { group.x: 1, seat.y: group.x, z: 2 } }\n  - { name: q, compute: { w: sum(everyone.y) + mean(group.x) } }\n"
                .replace(", z: 2", ""),
            "",
        ),
        (
            "  - { name: m, who: [P1, P2], assign: { team: { groups: { size: 2 }, by: lot } } }\n  - name: play\n    groups: team\n    \
             phases:\n      - { name: p, compute: { seat.y: 1 } }\n  - { name: q, compute: { seat.z: seat.y } }\n"
                .to_owned(),
            "y z",
        ),
        // Payments.
        ("  - { name: p, compute: { seat.x: mean(everyone.c) } }\n  - { name: q, pay: { seat: seat.x } }\n".to_owned(), "c x q"),
        ("  - { name: q, pay: { seat: \"default(seat.c, 0)\" } }\n".to_owned(), "c"),
    ];
    let mut wrong = Vec::new();
    for (agenda, expected) in cases {
        let (head, phases) = agenda.split_once("---\n").unwrap_or(("", &agenda));
        let reads_c = phases.contains(".c");
        let written = format!("{head}---\n{}{phases}", if reads_c { ASK } else { "" });
        let found = list_missing(&written);
        if found != expected {
            wrong.push(format!("{agenda}expected: {expected}\nfound: {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_payment_that_may_be_missing_is_told_in_the_agenda() {
    let place = tempfile::tempdir().unwrap();
    let agenda = format!("{FILE}agenda:\n{ASK}  - {{ name: q, pay: {{ seat: seat.c }} }}\n");
    fs::write(place.path().join("scenario.yaml"), agenda).unwrap();
    let config = write_file(place.path(), "config.yaml", CONFIG);
    ekklesia(&["check", text(&config)]).says(0, &["q: pays; may be missing", "a → q; may be missing"]);
}
