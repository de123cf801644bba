//! Long statements, followed from the mouth of their speaker into the prompts and tables of those who hear them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use crate::fixtures::cli::{ekklesia, run, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::write_config;
use serde_json::Value;

/// The length of every statement.
const LENGTH: usize = 700;
/// What a memory keeps of one: up to 300 characters with the marker, cut at the end of a word.
const KEPT: usize = 294;

/// A statement of this length whose first and last words say whose it is.
fn statement(of: &str) -> String {
    let middle = "word ".repeat(LENGTH);
    let (begin, end) = (format!("begin-{of} "), format!(" end-{of}"));
    format!("{begin}{}{end}", &middle[..LENGTH - begin.len() - end.len()])
}

/// Three seats who say such a statement in each of two rounds, under the memories of these arms.
fn body(arms: &[(&str, &str)]) -> String {
    let seat = |name: &str| {
        let said = |round: u32| format!("{{ statement: \"{}\", stance: for }}", statement(&format!("{name}{round}")));
        format!("{{ name: {name}, mind: {{ scripted: {{ list: [{}, {}, {{ choice: for }}] }} }} }}", said(1), said(2))
    };
    let arms: Vec<String> = arms.iter().map(|(name, set)| format!("{name}: {{ {set} }}")).collect();
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{}, {}, {}]\n\
         discussion: {{ rounds: 2, order: fixed, vote: at_end }}\ndesign: {{ factors: {{ memory: {{ set: {{ {} }} }} }}, \
         baseline: {} }}\nreplicates: 1\n",
        seat("Al"),
        seat("Bo"),
        seat("Cy"),
        arms.join(", "),
        "{ memory: mA }",
    )
}

/// The prompt of Bo's second statement.
fn prompt(session: &Path) -> String {
    let told = ekklesia(&["context", text(session), "--seat", "Bo", "--at", "discussion:2:statement", "--json"]);
    let context: Value = serde_json::from_str(&told.stdout).unwrap_or_else(|error| panic!("{error}: {told:#?}"));
    let messages = context["messages"].as_array().unwrap().iter();
    messages.map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_long_statement_is_followed_through_every_policy() {
    // The arm, its memory, and of what Bo could hear before its second statement (four statements) how many its prompt shows in
    // full, how many shortened.
    let cases = [
        ("mA", "memory.policy: selective", 4, 0),
        ("mB", "memory.policy: full", 4, 0),
        ("mC", "memory.policy: { window: { statements: 20 } }", 0, 4),
        ("mD", "memory.policy: { window: { statements: 2 } }", 0, 2),
        ("mE", "memory.policy: { window: { statements: 2 } }, memory.enable_truncation: false", 2, 0),
        ("mF", "memory.policy: { compact: { threshold: 0.9 } }", 0, 4),
        ("mG", "memory.policy: { digest: { every: 12 } }", 0, 4),
        ("mH", "memory.policy: none", 0, 0),
        ("mI", "memory.policy: none, memory.history_in_brief: full", 4, 0),
        ("mJ", "memory.policy: none, memory.history_in_brief: current_round", 1, 0),
        ("mK", "memory.policy: { window: { statements: 20 } }, memory.history_in_brief: current_round", 1, 3),
        // Two statements of 700 characters with their frames fit, three do not.
        ("mL", "memory.policy: selective, memory.public_history_max_length: 1500", 2, 2),
        (
            "M",
            "memory.policy: { window: { statements: 3 } }, memory.history_in_brief: full, memory.public_history_max_length: 1500",
            2,
            1,
        ),
        (
            "mN",
            "memory.policy: selective, memory.routing.statement: skip, memory.public_history_max_length: 1500",
            2,
            0,
        ),
        // The newest statement stays, though it is longer than the public history.
        ("mO", "memory.policy: selective, memory.public_history_max_length: 300", 1, 3),
    ];
    let place = tempfile::tempdir().unwrap();
    let arms: Vec<(&str, &str)> = cases.iter().map(|(arm, set, ..)| (*arm, *set)).collect();
    let out = place.path().join("out");
    run(&write_config(place.path(), &body(&arms)), &out, &[]).says(0, &[]);
    let (all, sessions) = (rows(&out, "seat_rounds"), rows(&out, "sessions"));
    for (arm, set, full, shortened) in cases {
        let row = all.iter().find(|row| row["arm"] == arm && row["round"] == "2" && row["seat"] == "Bo").unwrap();
        let cell = |name: &str| row[name].parse::<usize>().unwrap();
        let [heard, shown, cut, dropped] = ["heard_chars", "shown_chars", "cut_chars", "dropped_chars"].map(cell);
        assert_eq!(heard, 4 * LENGTH, "{arm}: {set}");
        assert_eq!(shown, full * LENGTH + shortened * KEPT, "{arm}: {set}");
        assert_eq!(cut, shortened * (LENGTH - KEPT), "{arm}: {set}");
        assert_eq!(dropped, (4 - full - shortened) * LENGTH, "{arm}: {set}");
        let prompt = prompt(&out.join("sessions").join(format!("{arm}-r000001")));
        let spoken = ["Al1", "Bo1", "Cy1", "Al2"];
        let count = |word: &str| spoken.iter().map(|of| prompt.matches(&format!("{word}-{of}")).count()).sum::<usize>();
        assert_eq!((count("begin"), count("end")), (full + shortened, full), "each once, {arm}: {set}\n{prompt}");
        let session = sessions.iter().find(|row| row["arm"] == arm).unwrap();
        for (sum, of) in [("memory_cut_chars", "cut_chars"), ("memory_dropped_chars", "dropped_chars")] {
            let own = all.iter().filter(|row| row["arm"] == arm && !row[of].is_empty());
            let expected: usize = own.map(|row| row[of].parse::<usize>().unwrap()).sum();
            assert_eq!(session[sum].parse::<usize>().unwrap(), expected, "{arm}: {sum}");
        }
    }
}

/// What `check` says of models that may say more than 300 characters.
fn warnings(memory: &str, rest: &str) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let body = format!(
        "models: {{ m: {{ openai: {{ base_url: \"http://127.0.0.1:1/v1\", model: m, max_tokens: 400, context_window: 1000000 }} }} }}\n\
         seat_defaults: {{ model: m }}\nseats: [{{ name: Al }}, {{ name: Bo }}, {{ name: Cy }}]\n\
         discussion: {{ rounds: 4, vote: at_end }}\nmemory: {{ {memory} }}\n{rest}"
    );
    let told = ekklesia(&["check", "--json", text(&write_config(place.path(), &body))]);
    let design: Value = serde_json::from_str(&told.stdout).unwrap_or_else(|error| panic!("{error}: {told:#?}"));
    design["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| warning["message"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn check_warns_where_statements_are_cut_or_left_out() {
    let cut = "and no public history shows them in full";
    let left_out = "prompts may leave out the oldest statements";
    for (memory, expected) in [
        ("policy: selective", None),
        ("policy: full", None),
        ("policy: none", None),
        ("policy: { window: { statements: 3 } }", Some(cut)),
        ("policy: { window: { statements: 3 } }, enable_truncation: false", None),
        ("policy: { window: { statements: 3 } }, statement_max_length: 100000", None),
        ("policy: { digest: {} }", Some(cut)),
        ("policy: { compact: {} }", Some(cut)),
        ("policy: { compact: {} }, history_in_brief: current_round", Some(cut)),
        ("policy: selective, history_in_brief: none", Some(cut)),
        ("policy: selective, public_history_max_length: 3000", Some(left_out)),
    ] {
        let told = warnings(memory, "");
        for about in [cut, left_out] {
            let is_told = told.iter().any(|warning| warning.contains(about));
            assert_eq!(is_told, expected == Some(about), "{memory}: {about}\n{told:#?}");
        }
    }
}

#[test]
fn the_prompt_names_the_length_that_listeners_read() {
    let limit = |memory: &str| {
        let place = tempfile::tempdir().unwrap();
        let body = format!("{}memory: {{ {memory} }}\n", body(&[("mA", "decision.rule: majority")]));
        let out = place.path().join("out");
        run(&write_config(place.path(), &body), &out, &[]).says(0, &[]);
        let prompt = prompt(&out.join("sessions/mA-r000001"));
        let words = prompt.split("at most ").nth(1)?;
        words.split(' ').next()?.parse::<u32>().ok()
    };
    assert_eq!(limit("policy: { window: { statements: 3 } }"), Some(300));
    assert_eq!(limit("policy: { window: { statements: 3 } }, statement_max_length: 250"), Some(250));
    assert_ne!(limit("policy: selective"), Some(300));
    assert_eq!(limit("policy: selective"), limit("policy: { window: { statements: 3 } }, enable_truncation: false"));
}
