//! A fork changes one thing, and afterwards only what that thing caused is different.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use crate::fixtures::cli::{
    Server, contents, ekklesia, everything, is_pass, json_lines, mixed, statement_of, text, values_at,
};
use crate::fixtures::forked::{Parent, SESSION, calls, is_answer, minutes_of, quoted, without_given};
use crate::fixtures::sample::sample_cases;
use serde_json::Value;

/// Alice listens; Zoe does not; Dave never copies; Carol reads from a script, in which she passes in round 2.
const BODY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, mind: { voter: { copy: 0.9 } } }
  - { name: Bob, mind: { voter: { copy: 0.5 } } }
  - name: Carol
    mind: { scripted: { table: [
      { phase: straw_before, round: 0, step: straw_poll, choice: for },
      { phase: discussion, round: 1, step: statement, statement: \"I am for it: \\\"quietly\\\".\", stance: for },
      { phase: discussion, round: 2, step: statement, pass: true },
      { phase: discussion, round: 3, step: statement, statement: \"I have said what I think.\" },
      { phase: straw_after, round: 0, step: straw_poll, choice: for },
      { phase: vote, round: 0, step: ballot, choice: for } ] } }
  - { name: Dave, mind: { voter: { copy: 0 } } }
  - { name: Zoe, mind: { random: {} } }
straw_polls: [before, after]
discussion: { rounds: 3, order: random, vote: at_end }
decision: { rule: majority }
replicates: 2
";

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_fork_without_consequence_gives_the_parents_bytes() {
    let parent = Parent::run(BODY);
    let before = fs::read(minutes_of(&parent.folder())).unwrap();
    let mut changes = vec![
        ("silent".to_owned(), "at: { seat: Carol, phase: discussion, round: 2 }\nsilent: true\n".to_owned()),
        ("set".to_owned(), "set: { decision.rule: majority }\n".to_owned()),
        ("set-two".to_owned(), "set: { discussion.rounds: 3, seats.Alice.mind.voter.copy: 0.9 }\n".to_owned()),
    ];
    for seat in ["Alice", "Bob", "Carol", "Dave", "Zoe"] {
        for round in [1, 3] {
            let said = &parent.answer(seat, "discussion", round, "statement")["event"]["Answered"]["values"];
            let stance = said["stance"].as_str().map_or(String::new(), |stance| format!("stance: {stance}\n"));
            let change = format!(
                "at: {{ seat: {seat}, phase: discussion, round: {round}, step: statement }}\nstatement: {}\n{stance}",
                quoted(&said["statement"])
            );
            changes.push((format!("said-{seat}-{round}"), change));
        }
        let cast = parent.answer(seat, "vote", 0, "ballot")["event"]["Answered"]["values"]["choice"].clone();
        let cast = cast.as_str().unwrap();
        changes.push((
            format!("cast-{seat}"),
            format!("at: {{ seat: {seat}, phase: vote, step: ballot }}\nballot: {cast}\n"),
        ));
        let held = parent.answer(seat, "straw_after", 0, "straw_poll")["event"]["Answered"]["values"]["choice"].clone();
        let held = held.as_str().unwrap();
        changes.push((format!("held-{seat}"), format!("at: {{ seat: {seat}, phase: straw_after }}\nballot: {held}\n")));
    }
    for (name, change) in sample_cases(changes, 5) {
        let (fork, told) = parent.fork(&name, &change, &[]);
        told.says(0, &["all of them the parent's"]);
        assert!(fs::read(minutes_of(&fork)).unwrap() == before, "{name}: {change}");
        ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    }
}

#[test]
fn repeating_an_answer_that_took_a_second_try_is_no_change() {
    let parent = Parent::run(&BODY.replace("random: {}", "random: { malformed: 0.5 }"));
    let before = fs::read(minutes_of(&parent.folder())).unwrap();
    let mut tried = 0;
    for record in parent.minutes().iter().filter(|record| record["attempt"].as_u64() > Some(0)) {
        let at = &record["at"];
        let chosen = values_at(record, "straw_poll").or_else(|| values_at(record, "ballot"));
        let answer = match (statement_of(record), chosen) {
            (Some(said), _) => format!("statement: {}\nstance: {}\n", quoted(&said["statement"]), said["stance"]),
            (_, Some(chosen)) => format!("vote: {}\n", chosen["choice"]),
            _ => continue,
        };
        let change = format!(
            "at: {{ seat: Zoe, phase: {}, round: {}, step: {} }}\n{answer}",
            at["phase"], at["round"], at["step"]
        );
        let (fork, told) = parent.fork(&format!("fork-{tried}"), &change, &[]);
        told.says(0, &["all of them the parent's"]);
        assert!(fs::read(minutes_of(&fork)).unwrap() == before, "{change}");
        tried += 1;
    }
    assert!(tried > 0, "some answer took a second try");
}

#[test]
fn silencing_one_seat_changes_only_what_its_words_caused() {
    let parent = Parent::run(BODY);
    let before = everything(&parent.folder());
    let change = "at: { seat: Bob, phase: discussion, round: 2, step: statement }\nsilent: true\n";
    let (fork, told) = parent.fork("fork", change, &["--offline"]);
    told.says(0, &["the first that differs"]);
    let (old, new) = (parent.minutes(), json_lines(&minutes_of(&fork)));
    let question = old.iter().position(|r| is_answer(r, "Bob", "discussion", 2, "statement")).unwrap();
    assert_eq!(old[..question], new[..question]);
    assert!(is_pass(&new[question]));
    assert_eq!(old.len(), new.len(), "nobody needs asking again");
    for (old, new) in old.iter().zip(&new).skip(question + 1) {
        assert_eq!(old["at"], new["at"]);
        assert_eq!(old["seat"], new["seat"], "whose turn it is hangs on no words");
        let step = old["at"]["step"].as_str().unwrap();
        let seat = old["seat"].as_str().unwrap_or("");
        if step == "order" || step == "opening" {
            assert_eq!(old["event"], new["event"]);
        }
        if ["Carol", "Dave", "Zoe"].contains(&seat) {
            assert_eq!(without_given(old), without_given(new), "{seat} does not listen");
        }
    }
    assert_eq!(everything(&parent.folder()), before, "a fork leaves its parent alone");
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    // The same fork again goes to the same place and changes nothing.
    let once = contents(&fork);
    let (_, again) = parent.fork("fork", change, &[]);
    again.says(0, &["the first that differs"]);
    assert_eq!(contents(&fork), once);
}

#[test]
fn another_ballot_changes_the_count_and_nothing_before_it() {
    let parent = Parent::run(BODY);
    let cast = parent.answer("Zoe", "vote", 0, "ballot")["event"]["Answered"]["values"]["choice"].clone();
    let other = if cast == "for" { "against" } else { "for" };
    let change = format!("at: {{ seat: Zoe, phase: vote, step: ballot }}\nballot: {other}\n");
    let (fork, told) = parent.fork("fork", &change, &[]);
    told.says(0, &[]);
    let (old, new) = (parent.minutes(), json_lines(&minutes_of(&fork)));
    let mut differing = Vec::new();
    for (old, new) in old.iter().zip(&new).filter(|(old, new)| old != new) {
        assert_eq!(old["at"], new["at"]);
        differing.push(old["at"]["step"].as_str().unwrap().to_owned());
    }
    assert_eq!(differing[..2], ["ballot", "tally"]);
    assert!(differing[2..].iter().all(|step| step == "adjournment"), "{differing:?}");
    ekklesia(&["replay", text(&fork)]).says(0, &[]);
}

#[test]
fn another_statement_and_another_poll_answer_are_told_and_replay() {
    let parent = Parent::run(BODY);
    let speech = "at: { seat: Bob, phase: discussion, round: 1 }\nstatement: \"I am against: it costs too much.\"\nstance: against\n";
    let (fork, told) = parent.fork("speech", speech, &[]);
    told.says(0, &[]);
    let minutes = json_lines(&minutes_of(&fork));
    let said = minutes.iter().find(|r| is_answer(r, "Bob", "discussion", 1, "statement")).unwrap();
    assert_eq!(said["event"]["Answered"]["values"]["statement"], "I am against: it costs too much.");
    assert_eq!(said["event"]["Answered"]["values"]["stance"], "against");
    ekklesia(&["replay", text(&fork)]).says(0, &[]);
    let poll = "at: { seat: Carol, phase: straw_before }\nballot: against\n";
    let (fork, told) = parent.fork("poll", poll, &[]);
    told.says(0, &["1 differ in all"]);
    ekklesia(&["replay", text(&fork)]).says(0, &[]);
}

/// Fields that answer the question of a record otherwise than the record does, and words that then stand in its event.
fn other_answer(record: &Value) -> Option<(String, &'static str)> {
    let event = record["event"].as_object().unwrap().values().next().unwrap();
    let values = &event["values"];
    let other = |name: &Value| if values["choice"] == *name { event["options"][1].clone() } else { name.clone() };
    Some(match record["at"]["step"].as_str().unwrap() {
        "statement" => ("{ statement: \"I thought about it, and say something else.\" }".into(), "say something else"),
        "straw_poll" | "ballot" => (format!("{{ choice: {} }}", other(&event["options"][0])), "choice"),
        "amount" => ("{ amount: 4321 }".into(), "4321"),
        "ranking" => {
            let order: Vec<&Value> = values["ranking"].as_array().unwrap().iter().rev().map(|rank| &rank[0]).collect();
            (format!("{{ ranking: {}, certainty: unsure }}", serde_json::to_string(&order).unwrap()), "\"unsure\"")
        }
        "comprehension" => {
            let ones: Vec<u32> = values["answers"].as_array().unwrap().iter().map(|_| 1).collect();
            (format!("{{ answers: {ones:?} }}"), "1, 1")
        }
        "application" => ("{ choice: floor, certainty: unsure, reasoning: \"Why not?\" }".into(), "Why not?"),
        "volunteer" => ("{ urgency: 9 }".into(), "\"9\""),
        "vote_call" | "confirmation" => {
            let calls = values["answer"] == Value::Bool(true);
            (format!("{{ answer: {} }}", !calls), if calls { "\"no\"" } else { "\"yes\"" })
        }
        "recognition" => ("{ recognised: true, which: \"the one with the lines\" }".into(), "with the lines"),
        _ => return None,
    })
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_kind_of_question_can_be_answered_otherwise_by_its_fields() {
    let (scripted, after) = (BODY.find("  - name: Carol").unwrap(), BODY.find("  - { name: Dave").unwrap());
    let called = format!("{}  - {{ name: Carol }}\n{}", &BODY[..scripted], &BODY[after..])
        .replace("order: random, vote: at_end", "order: volunteer, vote: on_call")
        + "controls: { recognition_probe: true }\n";
    let justice = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { random: {} } }\n\
                   seats: [{ name: Alice }, { name: Bob }, { name: Carol }]\ndiscussion: { rounds: 3 }\n\
                   replicates: 1\n";
    let mut tried = std::collections::BTreeSet::new();
    for parent in [Parent::run(BODY), Parent::run(&called), Parent::justice(justice)] {
        let mut here = std::collections::BTreeSet::new();
        for record in parent.minutes().iter().filter(|record| record["seat"].is_string()) {
            let at = &record["at"];
            let is_fault = record["event"].get("Faulted").is_some();
            let Some((fields, told)) = other_answer(record).filter(|_| !is_fault) else { continue };
            if !here.insert(at["step"].clone().to_string()) {
                continue;
            }
            let place = format!(
                "seat: {}, phase: {}, round: {}, step: {}",
                record["seat"], at["phase"], at["round"], at["step"]
            );
            let name = format!("fork-{}", here.len());
            let (fork, said) = parent.fork(&name, &format!("at: {{ {place} }}\nanswer: {fields}\n"), &[]);
            said.says(0, &["the first that differs"]);
            let new = json_lines(&minutes_of(&fork)).into_iter().find(|new| new["seq"] == record["seq"]).unwrap();
            assert_eq!((&new["at"], &new["seat"]), (at, &record["seat"]), "{place}");
            assert!(new["event"] != record["event"] && new["event"].to_string().contains(told), "{place}: {new}");
            ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
        }
        tried.extend(here);
    }
    assert_eq!(tried.len(), 11, "{tried:?}");
}

#[test]
fn fields_that_do_not_answer_the_question_are_told_with_what_it_asks_for() {
    let parent = Parent::run(BODY);
    let cases: [(&str, &str, &[&str]); 5] = [
        (
            "value",
            "at: { seat: Bob, phase: vote }\nanswer: { choice: fro }\n",
            &["2:19: answer.choice", "not on offer"],
        ),
        (
            "field",
            "at: { seat: Bob, phase: vote }\nanswer: { chioce: for }\n",
            &["answer.chioce", "no field", "choice: one of"],
        ),
        (
            "short",
            "at: { seat: Bob, phase: discussion, round: 1 }\nanswer: { statement: \"No.\" }\n",
            &["answer.statement", "too short"],
        ),
        (
            "step",
            "at: { seat: Bob, phase: vote, step: amount }\nanswer: { amount: 3 }\n",
            &["not asked for amount", "ballot"],
        ),
        ("both", "at: { seat: Bob, phase: vote }\nballot: for\nanswer: { choice: for }\n", &["exactly one"]),
    ];
    for (name, change, words) in cases {
        parent.refuses(name, change, words);
    }
}

#[test]
fn another_rule_counts_the_same_ballots() {
    let parent = Parent::run(BODY);
    let (fork, told) = parent.fork("fork", "set: { decision.rule: plurality }\n", &[]);
    told.says(0, &[]);
    let (old, new) = (parent.minutes(), json_lines(&minutes_of(&fork)));
    for (old, new) in old.iter().zip(&new).filter(|(old, new)| old != new) {
        let step = old["at"]["step"].as_str().unwrap();
        assert!(["convening", "tally", "adjournment"].contains(&step), "{old} became {new}");
    }
    assert_eq!(new.iter().find(|r| r["at"]["step"] == "tally").unwrap()["event"]["Tallied"]["rule"], "plurality");
    ekklesia(&["replay", text(&fork)]).says(0, &[]);
    ekklesia(&["run", text(&parent.place.path().join("config.yaml")), "--out", text(&fork)]).says(2, &["fork"]);
    ekklesia(&["fork", text(&fork.join("sessions").join(SESSION)), "--change", "x.yaml"]).says(2, &["fork"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_mistake_in_a_change_is_told_with_its_place() {
    let parent = Parent::run(BODY);
    let bob = "at: { seat: Bob, phase: discussion, round: 2 }\n";
    let cases: [(&str, String, &[&str]); 16] = [
        ("seat", "at: { seat: Bop, phase: discussion, round: 2 }\nsilent: true\n".into(), &[":1", "at.seat", "Bob"]),
        (
            "phase",
            "at: { seat: Bob, phase: discusion, round: 2 }\nsilent: true\n".into(),
            &[":1", "at.phase", "discussion"],
        ),
        (
            "nameless",
            "at: { seat: Zachariah, phase: discussion, round: 2 }\nsilent: true\n".into(),
            &["\"Zachariah\" is not in the plan; there are ", "Bob"],
        ),
        ("round", "at: { seat: Bob, phase: discussion, round: 9 }\nsilent: true\n".into(), &[":1", "at.round"]),
        ("nobody", "at: { seat: Bob, phase: welcome }\nsilent: true\n".into(), &[":1", "at.phase"]),
        (
            "step",
            "at: { seat: Bob, phase: discussion, round: 1, step: ballot }\nballot: for\n".into(),
            &[":1", "at.step"],
        ),
        (
            "steps",
            "at: { seat: Bob, phase: discussion, round: 1, step: bow }\nballot: for\n".into(),
            &[":1", "at.step"],
        ),
        ("short", format!("{bob}statement: \"No.\"\n"), &[":2", "statement", "statement_min_length"]),
        ("two", format!("{bob}silent: true\nballot: for\n"), &["exactly one"]),
        ("none", bob.into(), &["exactly one"]),
        ("unknown", format!("{bob}silent: true\nquiet: true\n"), &[":3", "quiet"]),
        ("stance", format!("{bob}silent: true\nstance: for\n"), &[":3", "stance"]),
        ("alternative", "at: { seat: Bob, phase: vote }\nballot: form\n".into(), &[":2", "ballot", "against"]),
        ("loud", format!("{bob}silent: false\n"), &[":2", "silent"]),
        ("key", "set: { decision.ruel: plurality }\n".into(), &["decision.ruel"]),
        ("empty", String::new(), &["empty.yaml"]),
    ];
    for (name, change, words) in cases {
        let (fork, told) = parent.fork(name, &change, &[]);
        told.says(2, &[&format!("{name}.yaml")]).says(2, words);
        assert!(!(told.stderr.contains("there are") && told.stderr.contains("known here")), "names twice: {told:?}");
        assert!(!fork.exists(), "{name}: nothing is made of a wrong change");
    }
    let session = parent.session();
    ekklesia(&["fork", text(&session), "--change", "missing.yaml"]).says(2, &["missing.yaml", "no such file"]);
}

#[test]
fn every_mistake_in_a_change_is_told_at_once() {
    let parent = Parent::run(BODY);
    let cases: [(&str, &str, &[&str]); 4] = [
        (
            "places",
            "at: { seat: Bop, phase: discussion, round: 9 }\nstatement: \"No.\"\nstance: fro\n",
            &["at.seat", "at.round", "2:12: statement", "3:9: stance", "4 problems"],
        ),
        (
            "keys",
            "at: { seat: Bob, phase: discusion, rund: 2 }\nsilent: false\nstance: for\nquiet: true\n",
            &["at.phase", "at.rund", "silent: expected true", "only a statement", "quiet: unknown key", "5 problems"],
        ),
        (
            "shapes",
            "at: { seat: 4, phase: discussion, round: two }\nballot: fro\n",
            &[
                "at.seat: expected text",
                "at.round: expected",
                "discussion has no ballot",
                "\"fro\" is not",
                "4 problems",
            ],
        ),
        (
            "sets",
            "set: { decision.ruel: plurality, seed: 7, replicates: 2, discussion.rounds: many }\n",
            &["decision.ruel", "keeps the seed", "keeps the replicates", "discussion.rounds", "4 problems"],
        ),
    ];
    for (name, change, words) in cases {
        parent.refuses(name, change, words);
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_fork_asks_a_model_only_what_its_change_altered() {
    let server = Server::start();
    let parent = Parent::run(&mixed(&server.base_url(), "fixed"));
    let before = everything(&parent.folder());
    let asked = server.requests();
    // Offline, an answer is missing as soon as a prompt has changed.
    let change = "at: { seat: Bob, phase: discussion, round: 2 }\nsilent: true\n";
    let (offline, told) = parent.fork("fork", change, &["--offline"]);
    told.says(4, &[SESSION, "Dora", "discussion round 2", "statement"]);
    assert_eq!(server.requests(), asked);
    // With the server the same fork goes on.
    let (fork, told) = parent.fork("fork", change, &["--json"]);
    told.says(0, &[]);
    assert_eq!(offline, fork);
    let (old, new) = (calls(&parent.folder()), calls(&fork));
    let served = |question: &str, line: &Value| {
        let mut parents = line.clone();
        let is_taken_over = parents.as_object_mut().unwrap().remove("taken_over") == Some(true.into());
        is_taken_over && old.get(question) == Some(&parents)
    };
    let anew: Vec<&Value> = new.iter().filter(|(q, line)| !served(q, line)).map(|(_, line)| line).collect();
    for line in &anew {
        let parents = old.get(&line["question"].to_string()).map(|line| &line["request"]);
        assert_ne!(parents, Some(&line["request"]), "asked anew though the prompt is the parent's: {line}");
    }
    assert!(!anew.is_empty() && anew.len() < new.len());
    assert_eq!(server.requests() - asked, anew.len());
    let forked: Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(forked["calls_made"], anew.len());
    assert_eq!(everything(&parent.folder()), before, "a fork leaves its parent alone");
    // A change without consequence needs no server at all, and neither does replay.
    drop(server);
    let (same, told) =
        parent.fork("same", "at: { seat: Carol, phase: discussion, round: 2 }\nsilent: true\n", &["--offline"]);
    told.says(0, &["all of them the parent's"]);
    assert_eq!(fs::read(minutes_of(&same)).unwrap(), fs::read(minutes_of(&parent.folder())).unwrap());
    for folder in [&fork, &same] {
        ekklesia(&["replay", text(folder)]).says(0, &["no divergence"]);
    }
    let (said, once) = (contents(&fork), new.len());
    parent.fork("fork", change, &["--offline"]).1.says(0, &[]);
    assert_eq!((contents(&fork), calls(&fork).len()), (said, once));
}

#[test]
fn what_answers_with_a_memory_of_its_own_is_recorded_and_replayed_and_not_forked() {
    let server = Server::start();
    let config = mixed(&server.base_url(), "fixed").replace("model: played,", "model: played, stateful: true,");
    let parent = Parent::run(&config);
    drop(server);
    ekklesia(&["replay", text(&parent.folder())]).says(0, &["no divergence"]);
    let change = "at: { seat: Carol, phase: discussion, round: 2 }\nsilent: true\n";
    let (_, told) = parent.fork("fork", change, &["--offline"]);
    told.says(2, &["models.small is stateful, and its memory cannot be taken back"]);
}

#[test]
fn a_models_own_words_may_be_changed_and_repeated() {
    let server = Server::start();
    let parent = Parent::run(&mixed(&server.base_url(), "simultaneous"));
    let minutes = parent.minutes();
    let said = minutes.iter().find(|r| r["seat"] == "Alice" && statement_of(r).is_some() && r["attempt"] == 0);
    let said = said.expect("Alice said something readable at once");
    let round = &said["at"]["round"];
    let spoke = &said["event"]["Answered"]["values"];
    let at = format!("at: {{ seat: Alice, phase: discussion, round: {round} }}\n");
    let same = format!("{at}statement: {}\nstance: {}\n", quoted(&spoke["statement"]), spoke["stance"]);
    let asked = server.requests();
    let (fork, told) = parent.fork("same", &same, &[]);
    told.says(0, &["all of them the parent's"]);
    assert_eq!(server.requests(), asked, "nothing was asked");
    assert_eq!(fs::read(minutes_of(&fork)).unwrap(), fs::read(minutes_of(&parent.folder())).unwrap());
    let other = format!("{at}statement: \"I have changed my mind.\"\n");
    let (fork, told) = parent.fork("other", &other, &[]);
    told.says(0, &["the first that differs"]);
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
}

#[test]
fn the_transcript_of_a_fork_says_what_was_changed() {
    let parent = Parent::run(
        "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.4 } } }
seats: [{ name: Alice }, { name: Bob }]
discussion: { rounds: 1 }
",
    );
    let (fork, told) = parent.fork("fork", "at: { seat: Bob, phase: discussion, round: 1 }\nsilent: true\n", &[]);
    told.says(0, &[]);
    let shown = ekklesia(&["show", text(&fork.join("sessions").join(SESSION))]);
    shown.says(0, &["This is a fork", "silent: true"]);
    assert!(!ekklesia(&["show", text(&parent.session())]).stdout.contains("fork"));
    parent.refuses("other", "set: { seed: 7 }\n", &["seed", "draws"]);
}

#[test]
fn a_first_try_that_is_too_short_stays_in_a_fork_that_repeats_the_second() {
    let parent = Parent::run(
        "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.4 } } }
seats:
  - { name: Alice }
  - { name: Bob, mind: { scripted: { list: [{ statement: Hm. }, { statement: 'I am for it, on the whole.', stance: for }, { choice: for }] } } }
discussion: { rounds: 1 }
",
    );
    assert!(fs::read_to_string(minutes_of(&parent.folder())).unwrap().contains("too_short"));
    let same = "at: { seat: Bob, phase: discussion, round: 1 }\nstatement: 'I am for it, on the whole.'\nstance: for\n";
    parent.fork("fork", same, &[]).1.says(0, &["changes nothing"]);
}
