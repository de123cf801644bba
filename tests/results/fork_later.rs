//! A fork that changes settings from a point of the session on leaves everything before the point as it was.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{Server, contents, ekklesia, everything, json_lines, mixed, text};
use crate::fixtures::forked::{Parent, SESSION, calls, minutes_of};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;
use serde_json::Value;

/// Seats that answer at random, volunteer and call for votes.
const BODY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: {} } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
straw_polls: [before, each_round, after]
discussion: { rounds: 3, order: volunteer, vote: on_call, private_reasoning: true }
decision: { rule: unanimity, invalid: abstain }
controls: { recognition_probe: true }
replicates: 1
";

const JUSTICE: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: {} } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
parameters: { applications_count: 2 }
discussion: { rounds: 2, vote: every_round }
decision: { invalid: abstain }
memory: { memory_character_limit: 6000, memory_compression_threshold: 0.4, memory_compression_target: 0.3 }
replicates: 1
";

/// Groups that vote, and then meet all together.
const ROUNDS: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.7 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }, { name: Dave, mind: { random: { malformed: 0.2 } } }]
straw_polls: [before, after]
discussion: { rounds: 4, order: random, vote: every_round }
decision: { rule: unanimity, invalid: abstain }
replicates: 1
";

/// Checks that a fork equals its parent before the record `from`, replays, and comes to the same end wherever it is cut.
fn check_fork(parent: &Parent, (name, change, fork): (&str, &str, &Path), from: u64) {
    let (old, new) = (parent.minutes(), json_lines(&minutes_of(fork)));
    let before = |records: &[Value]| -> Vec<Value> {
        records.iter().filter(|record| record["seq"].as_u64().unwrap() < from).cloned().collect()
    };
    assert_eq!(before(&old), before(&new), "{change}");
    assert_eq!(before(&new).len() as u64, from, "{change}");
    ekklesia(&["replay", text(fork)]).says(0, &["no divergence", "no seat was shown anything"]);
    let whole = contents(fork);
    let sound = fs::read(minutes_of(fork)).unwrap();
    let lines: Vec<&[u8]> = sound.split_inclusive(|byte| *byte == b'\n').collect();
    let from = from as usize;
    for kept in sample_cases([from, 1, from + 1, from.saturating_sub(1), (from + lines.len()) / 2], 4) {
        fs::remove_file(fork.join("sessions").join(SESSION).join("run.json")).unwrap();
        fs::write(minutes_of(fork), lines[..kept.min(lines.len())].concat()).unwrap();
        parent.fork(name, change, &[]).1.says(0, &[]);
        assert!(contents(fork) == whole, "{change} cut after {kept} records");
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_seats_settings_change_at_every_kind_of_question_and_nothing_before_it_does() {
    let mut tried = BTreeSet::new();
    let mut differing = 0;
    for parent in [Parent::run(BODY), Parent::justice(JUSTICE)] {
        let mut here = BTreeSet::new();
        for record in parent.minutes().iter().filter(|record| record["seat"].is_string()) {
            let at = &record["at"];
            let mut asked = parent.minutes().into_iter().filter(|other| {
                other["seat"] == record["seat"]
                    && ["phase", "round", "step"].iter().all(|key| other["at"][key] == at[key])
            });
            if !here.insert(at["step"].to_string()) || asked.next().as_ref() != Some(record) {
                continue;
            }
            let seat = record["seat"].as_str().unwrap();
            let change = format!(
                "at: {{ seat: {seat}, phase: {}, round: {}, step: {} }}\nset: {{ seats.{seat}.mind: {{ random: {{ malformed: 0.9 }} }} }}\n",
                at["phase"], at["round"], at["step"]
            );
            let name = format!("fork-{}", here.len());
            let (fork, told) = parent.fork(&name, &change, &[]);
            told.says(0, &[]);
            differing += usize::from(!told.stdout.contains("changes nothing"));
            check_fork(&parent, (&name, &change, &fork), record["seq"].as_u64().unwrap());
        }
        tried.extend(here);
    }
    assert!(tried.len() >= 12, "{tried:?}");
    assert!(differing * 3 > tried.len() * 2, "{differing} of {} changes had a consequence", tried.len());
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn settings_change_for_all_at_the_beginning_of_a_phase_or_round() {
    let parent = Parent::run(ROUNDS);
    let minutes = parent.minutes();
    let first = |phase: &str, round: u64| {
        let found = minutes.iter().find(|record| record["at"]["phase"] == phase && record["at"]["round"] == round);
        found.and_then(|record| record["seq"].as_u64()).unwrap_or_else(|| panic!("{phase} {round}"))
    };
    let rounds = minutes.iter().filter(|record| record["at"]["step"] == "order").count() as u64;
    assert!(rounds >= 3, "the parent talks for {rounds} rounds");
    let cases = [
        ("order", "discussion", 2, "discussion.order: fixed"),
        ("volunteer", "discussion", 2, "discussion.order: volunteer"),
        ("at-once", "discussion", 0, "discussion.order: simultaneous"),
        ("at-once-1", "discussion", 1, "discussion.order: simultaneous"),
        ("fewer", "discussion", 2, "discussion.rounds: 2"),
        ("more", "discussion", 3, "discussion.rounds: 6"),
        ("rule", "discussion", 3, "decision.rule: plurality"),
        ("open", "discussion", 1, "decision.roll_call: true"),
        ("abstain", "discussion", 2, "decision.abstain: true, decision.quorum: 1/2"),
        ("reasons", "discussion", 2, "discussion.private_reasoning: true"),
        ("call", "discussion", 2, "discussion.vote: on_call"),
        ("minds", "discussion", 3, "seats.Alice.mind.voter.copy: 0, seats.Dave.mind.random.malformed: 1"),
        ("options", "discussion", 2, "controls.option_order: latin"),
        ("probe", "straw_after", 0, "controls.recognition_probe: true"),
        ("none-after", "discussion", 2, "straw_polls: [before]"),
    ];
    for (name, phase, round, set) in cases {
        let at = if round == 0 { format!("phase: {phase}") } else { format!("phase: {phase}, round: {round}") };
        let change = format!("at: {{ {at} }}\nset: {{ {set} }}\n");
        let (fork, told) = parent.fork(name, &change, &[]);
        told.says(0, &["the first that differs"]);
        check_fork(&parent, (name, &change, &fork), first(phase, round));
    }
    // What holds anyway changes nothing.
    let (_, told) = parent.fork("same", "at: { phase: straw_after }\nset: { controls.prompts: scenario }\n", &[]);
    told.says(0, &["all of them the parent's"]);
    // The tables tell of the later rule, and of the phases before by their own settings.
    let tally = |fork: &Path| -> Vec<Value> {
        let of_tally = |record: Value| record["event"].get("Tallied").map(|tally| tally["rule"].clone());
        json_lines(&minutes_of(fork)).into_iter().filter_map(of_tally).collect()
    };
    let rules = tally(&parent.place.path().join("rule"));
    assert_eq!(rules[..3], ["unanimity", "unanimity", "plurality"]);
    ekklesia(&["retally", text(&parent.place.path().join("rule")), "--rules", "majority"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_cannot_change_in_the_course_of_a_session_is_an_error_that_says_why() {
    let parent = Parent::run(ROUNDS);
    let cases: [(&str, &str, &[&str]); 22] = [
        ("phase: discussion, round: 2", "seats: [{ name: Alice }]", &["set.seats", "settled when the session begins"]),
        ("phase: discussion, round: 2", "seats.Alice.persona: A nurse.", &["persona is settled"]),
        ("phase: discussion, round: 2", "memory.policy: none", &["memories are kept in one way", "leave `at` out"]),
        ("phase: discussion, round: 2", "interventions: []", &["says itself when it is made"]),
        ("phase: discussion, round: 2", "withhold: []", &["settled when the session begins"]),
        ("phase: discussion, round: 2", "controls.anonymous: true", &["settled when the session begins"]),
        ("phase: discussion, round: 2", "limits.usd: 3", &["no setting of a session"]),
        ("phase: discussion, round: 2", "seed: 3", &["a fork keeps the seed"]),
        ("phase: discussion, round: 2", "discussion.network: ring", &["network", "settled when the session begins"]),
        ("phase: discussion, round: 2", "decision.roll_call: true", &["ballots is settled when a discussion begins"]),
        ("phase: discussion, round: 3", "discussion.rounds: 2", &["round 3 has begun"]),
        ("phase: discussion, round: 2", "discussion.order: simultaneous", &["settled when a discussion begins"]),
        ("phase: straw_after", "discussion.order: fixed", &["nothing that this changes takes place"]),
        ("phase: discussion, round: 2", "straw_polls: [after]", &["the agenda until then"]),
        ("phase: discussion, round: 2", "seats.Dave.mind: { voter: { copy: 0 } }", &["mind of Dave", "another kind"]),
        ("phase: discussion, round: 2", "seats.Alice.mind: silent", &["Alice"]),
        ("phase: discussion, round: 2, step: statement", "decision.rule: plurality", &["at.step", "leave step out"]),
        ("phase: vote", "decision.rule: plurality", &["at.phase", "not in the plan"]),
        ("phase: discussion, round: 7", "decision.rule: plurality", &["at.round", "rounds 1 to 4"]),
        (
            "seat: Bob, phase: discussion, round: 2",
            "decision.rule: plurality",
            &["same for all seats", "leave at.seat out"],
        ),
        ("seat: Bob, phase: discussion, round: 2", "seats.Carol.mind.voter.copy: 0", &["only Bob changes"]),
        (
            "seat: Bob, phase: discussion, round: 2, step: ranking",
            "seats.Bob.mind.voter.copy: 0",
            &["was not asked for ranking"],
        ),
    ];
    for (number, (at, set, words)) in cases.into_iter().enumerate() {
        let change = format!("at: {{ {at} }}\nset: {{ {set} }}\n");
        let (fork, told) = parent.fork(&format!("fork-{number}"), &change, &[]);
        told.says(2, words);
        assert!(!fork.exists(), "nothing is made of a wrong change: {change}");
    }
    let (_, told) = parent.fork("withhold", "at: { phase: discussion }\nwithhold: A3\n", &[]);
    told.says(2, &["withhold changes the whole session"]);
    let (_, told) = parent.fork("no-seat", "at: { phase: discussion }\nsilent: true\n", &[]);
    told.says(2, &["the key \"seat\" is missing"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn another_model_and_its_settings_answer_from_a_question_on() {
    let server = Server::start();
    let body = mixed(&server.base_url(), "fixed")
        .replace("max_tokens: 60", "max_tokens: 60, context_window: 100000, answers: json_schema, temperature: 0.5");
    let body = body.replace(
        "seat_defaults",
        &format!(
            "  other: {{ openai: {{ base_url: \"{}\", model: other, context_window: 100000, answers: json_schema, \
             max_tokens: 60 }} }}\nseat_defaults",
            server.base_url()
        ),
    );
    let place = tempfile::tempdir().unwrap();
    // A model that nobody asks would be refused, so Zoe asks it alone.
    let body = body.replace("straw_polls:", "  - { name: Zoe, model: other }\nstraw_polls:");
    let config = write_config(place.path(), &body);
    let parent = Parent { place };
    ekklesia(&["run", text(&config), "--out", text(&parent.folder())]).says(0, &[]);
    let (before, asked) = (everything(&parent.folder()), server.requests());
    let temperatures = |from: usize| -> Vec<(String, Option<f64>)> {
        let bodies = server.bodies().into_iter().skip(from);
        bodies.map(|body| (body["model"].as_str().unwrap().to_owned(), body["temperature"].as_f64())).collect()
    };
    // One seat of two that share a model: only its questions are put with the new setting.
    let change = "at: { seat: Dora, phase: discussion, round: 2 }\nset: { models.small.openai.temperature: 0.9 }\n";
    let (fork, told) = parent.fork("warm", change, &[]);
    told.says(0, &[]);
    let warm = temperatures(asked);
    assert!(warm.iter().any(|(_, temperature)| *temperature == Some(0.9)), "{warm:?}");
    let point = parent.answer("Dora", "discussion", 2, "statement");
    let first = parent.minutes().into_iter().find(|record| {
        record["seat"] == "Dora" && ["phase", "round", "step"].iter().all(|key| record["at"][key] == point["at"][key])
    });
    check_fork(&parent, ("warm", change, &fork), first.unwrap()["seq"].as_u64().unwrap());
    for (question, line) in calls(&parent.folder()) {
        let of_dora = line["question"]["seat"] == "Dora";
        let is_later = line["question"]["at"]["round"] == 2 || line["question"]["at"]["phase"] == "vote";
        let mut own = calls(&fork).remove(&question).expect("the question was put again");
        let is_parents = own.as_object_mut().unwrap().remove("taken_over") == Some(true.into()) && own == line;
        assert!(is_parents || is_later, "{question}");
        assert!(!(is_parents && is_later && of_dora), "{question}");
    }
    // Another model, for one seat and for all.
    let asked = server.requests();
    let change = "at: { phase: discussion, round: 2 }\nset: { seats.Dora.model: other }\n";
    let (fork, told) = parent.fork("model", change, &[]);
    told.says(0, &[]);
    let minutes = parent.minutes();
    let opened = minutes.iter().find(|record| record["at"]["phase"] == "discussion" && record["at"]["round"] == 2);
    check_fork(&parent, ("model", change, &fork), opened.unwrap()["seq"].as_u64().unwrap());
    assert!(temperatures(asked).iter().any(|(model, _)| model == "other"));
    for line in calls(&fork).values().filter(|line| line["question"]["seat"] == "Dora") {
        let is_later = line["question"]["at"]["round"] == 2 || line["question"]["at"]["phase"] == "vote";
        assert_eq!(line["asked"], if is_later { "other" } else { "small" }, "{line}");
    }
    assert_eq!(everything(&parent.folder()), before, "a fork leaves its parent alone");
    // A window that nobody knows would have to be learnt before the session begins.
    let change = "at: { phase: discussion, round: 2 }\nset: { models.other.openai.context_window: null }\n";
    parent.fork("window", change, &[]).1.says(2, &["models.other", "context_window"]);
}
