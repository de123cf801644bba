//! What a fork's change sets and takes away, and where it is told what a change makes wrong.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::forked::{Parent, minutes_of};

/// A memory with settings that only its policy uses, of which an arm's level sets one.
const COMPACT: &str = "\
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.5 } } }
seats: [{ name: Alice, persona: \"A retired teacher.\" }, { name: Bob }, { count: 2, name: \"Member {n}\", persona: A baker. }]
discussion: { rounds: 3 }
memory:
  policy: { compact: { threshold: 0.5 } }
  memory_compression_target: 0.4
  reinject: [tally_open]
design: { factors: { size: { set: { baseline: { memory.memory_character_limit: 600 } } } } }
";

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn null_takes_away_what_is_written_so_that_the_default_holds() {
    let parent = Parent::run(COMPACT);
    let plan_of = |fork: &Path| fs::read_to_string(fork.join("plan.yaml")).unwrap();
    let all = "memory.policy: selective, memory.reinject: null, memory.memory_character_limit: null, \
               memory.memory_compression_target: null";
    let (dotted, told) = parent.fork("dotted", &format!("set: {{ {all} }}\n"), &[]);
    told.says(0, &["the first that differs"]);
    let plan = plan_of(&dotted);
    for line in [
        "policy: selective # fork",
        "memory_character_limit: 50000 # default",
        "memory_compression_target: 0.6 # default",
    ] {
        assert!(plan.contains(line), "{line}\n{plan}");
    }
    assert!(!plan.contains("reinject"), "{plan}");
    // Within a section it means the same, and what is not named stays.
    let section = all.replace("memory.", "");
    let (whole, told) = parent.fork("whole", &format!("set: {{ memory: {{ {section} }} }}\n"), &[]);
    told.says(0, &[]);
    assert_eq!(fs::read(minutes_of(&whole)).unwrap(), fs::read(minutes_of(&dotted)).unwrap());
    let settings = |plan: &str| plan.split("\narms:").next().unwrap().to_owned();
    assert_eq!(settings(&plan_of(&whole)), settings(&plan));
    for fork in [&dotted, &whole] {
        ekklesia(&["replay", text(fork)]).says(0, &["no divergence"]);
    }
    // Of a seat, also of one that was counted; a model's setting; and a section.
    let (fork, told) = parent.fork("seats", "set: { seats.Alice.persona: null, seats.Member 2.persona: ~ }\n", &[]);
    told.says(0, &[]);
    assert_eq!(plan_of(&fork).matches("persona:").count(), plan_of(&parent.folder()).matches("persona:").count() - 2);
    let (fork, told) = parent.fork(
        "section",
        "set: { memory: { policy: full }, memory.policy: null, memory.reinject: null, discussion: null }\n",
        &[],
    );
    told.says(0, &[]);
    assert!(plan_of(&fork).contains("policy: selective # default"), "{}", plan_of(&fork));
    // Where nothing is written there is nothing to take away.
    for change in ["decision.tie_break: null", "memory.policy.digest.every: null", "memory.notes.max_lines: null"] {
        let (fork, told) = parent.fork(&change[7..14], &format!("set: {{ {change} }}\n"), &[]);
        told.says(0, &["the change changes nothing"]);
        assert_eq!(fs::read(minutes_of(&fork)).unwrap(), fs::read(minutes_of(&parent.folder())).unwrap());
    }
}

#[test]
fn what_a_change_makes_wrong_is_told_at_the_change_with_a_way_out_that_works() {
    let parent = Parent::run(COMPACT);
    let cases: [(&str, &str, &[&str]); 8] = [
        (
            "policy",
            "# Nothing is remembered.\nset:\n  discussion.rounds: 2\n  memory.policy: none\n",
            &[
                "policy.yaml:4:3: memory.reinject: no arm's memory policy uses this",
                "memory.reinject: null",
                "policy.yaml:4:3: memory.memory_compression_target: no arm's",
                "inputs/config.yaml:10:30)",
                "memory.memory_compression_target: null",
                "2 problems in ",
            ],
        ),
        (
            "two",
            "set: { discussion.rounds: 2, memory: { policy: full } }\n",
            &["two.yaml:1:30: memory.reinject", "2 problems"],
        ),
        ("typo", "set: { memory.reinjekt: null }\n", &["memory.reinjekt: unknown key", "did you mean"]),
        ("fixed", "set: { seed: null }\n", &["keeps the seed of its parent"]),
        (
            "nobody",
            "set: { seats.Alica.persona: null }\n",
            &["nobody.yaml:1:", "no item \"Alica\"", "did you mean \"Alice\""],
        ),
        ("somebody", "set: { seats.Bob: null }\n", &["somebody.yaml:1:", "seats.Bob", "an item of a list"]),
        ("needed", "set: { models: null }\n", &["needed.yaml:1:8", "models", "1 problem"]),
        ("inner", "set: { memory.policy: { compact: { threshold: null } } }\n", &["inner.yaml:1:", "found nothing"]),
    ];
    for (name, change, words) in cases {
        let (fork, told) = parent.fork(name, change, &[]);
        told.says(2, words);
        assert!(!fork.exists(), "{name}: nothing is made of a wrong change");
        let places = told.stderr.lines().filter(|line| line.contains(".yaml:") && !line.starts_with(' '));
        assert!(places.into_iter().all(|line| line.contains(&format!("/{name}.yaml:"))), "{told:#?}");
    }
    // What is advised is done, and there is no problem any more.
    let advised = "set: { memory.policy: none, memory.reinject: null, memory.memory_compression_target: null }\n";
    parent.fork("advised", advised, &[]).1.says(0, &["the first that differs"]);
}

#[test]
fn a_fork_cannot_borrow_and_says_so() {
    let parent = Parent::run(COMPACT);
    let cases = [
        ("dotted", "set: { memory.policy: shuffled }\n", "1:23"),
        ("section", "set:\n  memory:\n    policy: shuffled\n    reinject: null\n", "3:13"),
    ];
    for (name, change, place) in cases {
        let (fork, told) = parent.fork(name, change, &[]);
        let words = [
            &format!("{name}.yaml:{place}: memory.policy: a fork cannot borrow"),
            "levels: [shuffled, selective]",
            "1 problem in",
        ];
        told.says(2, &words);
        assert!(!fork.exists(), "{name}: nothing is made of a wrong change");
    }
}
