//! A fork of a justice session changes one thing, and afterwards only what that thing caused is different.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;

use crate::fixtures::cli::{ekklesia, everything, is_pass, json_lines, statement_of, text, values_at};
use crate::fixtures::forked::{Parent, is_answer, minutes_of, quoted, without_given};
use crate::fixtures::sample::sample_cases;
use serde_json::Value;

/// Alice listens; Bob is not persuaded, yet names amounts that he heard; Yan has no opinion, and Zoe, who has none either, often says
/// nothing that can be read.
const BODY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { justice: { risk_aversion: { uniform: [0, 4] } } } }
seats:
  - { name: Alice, mind: { justice: { persuasion: 1 } } }
  - { name: Bob, mind: { justice: { persuasion: 0 } } }
  - { name: Yan, mind: { random: {} } }
  - { name: Zoe, mind: { random: { malformed: 0.2 } } }
parameters: { applications_count: 1 }
straw_polls: [before, after]
discussion: { rounds: 3, order: random, vote: every_round }
decision: { invalid: abstain }
memory: { memory_character_limit: 6000, memory_compression_threshold: 0.4, memory_compression_target: 0.3 }
replicates: 1
";

/// What a seat said or chose in the end, as a change; `None` where it did neither.
fn repeated(record: &Value) -> Option<String> {
    let at = &record["at"];
    let chosen = values_at(record, "straw_poll").or_else(|| values_at(record, "ballot"));
    let answer = match (statement_of(record), chosen) {
        (Some(said), _) => {
            let stance = said["stance"].as_str().map_or(String::new(), |stance| format!("stance: {stance}\n"));
            format!("statement: {}\n{stance}", quoted(&said["statement"]))
        }
        (_, Some(chosen)) => format!("ballot: {}\n", chosen["choice"]),
        _ => return None,
    };
    let seat = &record["seat"];
    Some(format!(
        "at: {{ seat: {seat}, phase: {}, round: {}, step: {} }}\n{answer}",
        at["phase"], at["round"], at["step"]
    ))
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_fork_of_a_justice_session_without_consequence_gives_the_parents_bytes() {
    let parent = Parent::justice(BODY);
    let before = fs::read(minutes_of(&parent.folder())).unwrap();
    let mut changes: Vec<String> = parent.minutes().iter().filter_map(repeated).collect();
    assert!(changes.len() > 15);
    let with_amount = |record: &Value| record["event"]["Answered"]["values"]["amount"].is_u64();
    assert!(parent.minutes().iter().any(with_amount), "some words came with an amount");
    changes.push("set: { decision.rule: unanimity }\n".to_owned());
    changes.push("set: { discussion.rounds: 3, seats.Alice.mind: { justice: { persuasion: 1 } } }\n".to_owned());
    for (number, change) in sample_cases(changes, 8).iter().enumerate() {
        let (fork, told) = parent.fork(&format!("fork-{number}"), change, &[]);
        told.says(0, &["all of them the parent's"]);
        assert!(fs::read(minutes_of(&fork)).unwrap() == before, "{change}");
    }
    ekklesia(&["replay", text(&parent.place.path().join("fork-0"))]).says(0, &["no divergence"]);
}

/// The records at a coordinate, whatever their number.
fn numberless(record: &Value) -> String {
    let mut record = without_given(record);
    record.as_object_mut().unwrap().shift_remove("seq");
    record.to_string()
}

#[test]
fn silencing_a_seat_of_a_justice_session_changes_only_later_questions() {
    let parent = Parent::justice(&BODY.replace("vote: every_round", "vote: at_end"));
    let before = everything(&parent.folder());
    let change = "at: { seat: Zoe, phase: discussion, round: 2 }\nsilent: true\n";
    let (fork, told) = parent.fork("fork", change, &[]);
    told.says(0, &["the first that differs"]);
    let (old, new) = (parent.minutes(), json_lines(&minutes_of(&fork)));
    let question = new.iter().position(is_pass).expect("Zoe passed");
    assert!(is_answer(&old[question], "Zoe", "discussion", 2, "statement"));
    assert_eq!(old[..question], new[..question]);
    // What hangs on nobody's words stays: orders, situations, pay by lot, and what seats that do not listen say and choose.
    let untouched = |records: &[Value]| -> BTreeSet<String> {
        let kept = records.iter().skip(question + 1).filter(|record| {
            let step = record["at"]["step"].as_str().unwrap();
            let hangs = ["Alice", "Bob"].contains(&record["seat"].as_str().unwrap_or_default())
                || ["integration", "compression"].contains(&step);
            !hangs && !["tally", "payment", "adjournment", "closing", "amount"].contains(&step)
        });
        kept.map(numberless).collect()
    };
    assert_eq!(untouched(&old), untouched(&new));
    assert!(untouched(&new).len() > 15);
    let classes = |records: &[Value]| -> Vec<Value> {
        let paid = records.iter().rfind(|record| record["event"].get("Paid").is_some()).unwrap();
        paid["event"]["Paid"]["payoffs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|payoff| payoff["income"]["class"].clone())
            .collect()
    };
    assert_eq!(classes(&old), classes(&new), "classes do not hang on words");
    assert_eq!(everything(&parent.folder()), before, "a fork leaves its parent alone");
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_ballot_changed_to_a_constraint_asks_for_its_amount_and_one_changed_from_it_does_not() {
    let parent = Parent::justice(&BODY.replace("rounds: 3", "rounds: 1"));
    let asked_for_amount = |records: &[Value], seat: &str| {
        records.iter().any(|record| record["seat"] == seat && record["at"]["step"] == "amount")
    };
    let ballots = ["Alice", "Bob", "Zoe"].into_iter().flat_map(|seat| {
        let cast = parent.answer(seat, "discussion", 1, "ballot")["event"]["Answered"]["values"]["choice"].clone();
        let others = ["floor", "average", "average_floor", "average_range"].into_iter();
        others.filter(move |other| cast != *other).map(move |other| (seat, other))
    });
    // The first takes no amount, and the last takes one.
    for (seat, other) in sample_cases(ballots, 4) {
        let change = format!("at: {{ seat: {seat}, phase: discussion, round: 1, step: ballot }}\nballot: {other}\n");
        let (fork, told) = parent.fork(&format!("{seat}-{other}"), &change, &[]);
        told.says(0, &["the first that differs"]);
        let new = json_lines(&minutes_of(&fork));
        let balloted = new.iter().rfind(|r| is_answer(r, seat, "discussion", 1, "ballot")).unwrap();
        assert_eq!(balloted["event"]["Answered"]["values"]["choice"], *other);
        assert_eq!(asked_for_amount(&new, seat), other.starts_with("average_"), "{change}");
        // The others cast what they cast; the tally counts each ballot with its amount.
        for old in parent.minutes().iter().filter(|r| r["at"]["step"] == "ballot" && r["seat"] != seat) {
            assert!(new.iter().any(|new| numberless(new) == numberless(old)), "{old}");
        }
        let tally = new.iter().find(|record| record["at"]["step"] == "tally").unwrap();
        for count in tally["event"]["Tallied"]["counts"].as_array().unwrap() {
            let takes_amount = count["alternative"].as_str().unwrap().starts_with("average_");
            assert_eq!(count["amount"].is_u64(), takes_amount && count["count"] != 0, "{count}");
        }
        ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    }
}
