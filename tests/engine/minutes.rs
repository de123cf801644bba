//! The minutes of two published designs, read through by hand: what the records of groups, texts, passes, answers about other seats,
//! computed values, faults and payoffs look like.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;

use ekklesia::domain::{Computed, ComputedValues, Event, Record};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::repository;

/// A line without the digest of the plan, which changes with every key.
fn without_digest(line: &str) -> String {
    match line.split_once("\"plan\":\"b3:") {
        Some((before, after)) => format!("{before}\"plan\":\"{}", &after[64..]),
        None => line.to_owned(),
    }
}

#[test]
fn the_minutes_of_published_designs_are_these() {
    let place = tempfile::tempdir().unwrap();
    for name in ["group_statement", "public_goods"] {
        let expected = fs::read_to_string(repository().join(format!("tests/data/minutes/{name}.jsonl"))).unwrap();
        let (config, out) = (repository().join(format!("tests/data/minutes/{name}.yaml")), place.path().join(name));
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        let written = fs::read_to_string(out.join("sessions/baseline-r000001/minutes.jsonl")).unwrap();
        let numbered = || written.lines().zip(expected.lines()).enumerate();
        for (number, (line, expected)) in numbered() {
            assert_eq!(without_digest(line), without_digest(expected), "{name}, line {}", number + 1);
            let record: Record = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&record).unwrap(), line, "{name}");
        }
        assert_eq!(written.lines().count(), expected.lines().count(), "{name}");
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    }
}

#[test]
fn the_minutes_read_through_have_every_kind_of_record_of_a_program() {
    let read = |name: &str| fs::read_to_string(repository().join(format!("tests/data/minutes/{name}.jsonl"))).unwrap();
    let both = read("group_statement") + &read("public_goods");
    let records: Vec<Record> = both.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let has = |what: fn(&Record) -> bool| assert!(records.iter().any(what));
    has(|record| record.at.phase.pass() == Some("2") && record.at.phase.group() == Some("2"));
    has(|record| matches!(record.event, Event::Computed(Computed { values: ComputedValues::Texts(_), .. })));
    has(|record| record.event.is_assigned());
    has(|record| record.event.is_computed());
    has(|record| matches!(record.event, Event::Tallied(_)));
    has(|record| matches!(record.event, Event::Paid(_)));
    has(|record| record.event.is_phase_skipped());
    has(|record| record.final_fault().is_some());
    has(|record| record.attempt == Some(1) && record.reply().is_some());
    has(|record| record.form_values().is_some_and(|values| values.iter().len() == 3));
}
