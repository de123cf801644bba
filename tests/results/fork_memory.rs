//! A fork of a session in which seats forget and make their memories shorter: whatever stands before, within and after that, it
//! replays, and nobody is shown what it has not witnessed or was to forget.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use crate::fixtures::cli::{ekklesia, statement_of, text, values_at};
use crate::fixtures::forked::{self, Parent, minutes_of, quoted};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::POLICIES;
use serde_json::Value;

/// Some seats forget the talk while it goes on, one of them all of it, and all of them the poll before it.
const BODY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, mind: { voter: { copy: 0.9 } } }
  - { name: Bob, mind: { voter: { copy: 0.5 } } }
  - { name: Zoe, mind: { random: { malformed: 0.1 } } }
straw_polls: [before, after]
discussion: { rounds: 6, order: random, vote: at_end, private_reasoning: true, proposals: true }
decision: { rule: majority }
interventions:
  - { at: { phase: discussion, round: 3 }, to: [Alice], forget: discussion }
  - { at: { phase: discussion, round: 4 }, to: [Bob], forget: all }
  - { at: { phase: discussion, round: 5 }, forget: straw_before }
";

/// The kinds of events in a session, by round.
fn rounds_of(records: &[Value], kind: &str) -> Vec<u64> {
    let is_of_kind = |record: &&Value| record["event"].get(kind).is_some() || values_at(record, kind).is_some();
    let of_kind = records.iter().filter(is_of_kind);
    of_kind.map(|record| record["at"]["round"].as_u64().unwrap()).collect()
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_fork_before_within_and_after_forgetting_and_compressing_replays_and_is_proven() {
    let mut compressed = 0;
    let memories = [POLICIES[0], POLICIES[3], POLICIES[5], POLICIES[8]];
    // Rounds before, between and after all that: in each a seat repeats itself, and says something else. One in four takes each
    // memory with another round.
    let forks = sample_cases(memories.iter().flat_map(|memory| [1, 2, 3, 4, 6].map(|round| (*memory, round))), 4);
    let longer = sample_cases(memories, 4);
    for memory in memories {
        let parent = Parent::run(&format!("{BODY}memory: {memory}\n"));
        let records = parent.minutes();
        assert_eq!(rounds_of(&records, "Reminded"), [3, 4, 5], "{memory}");
        let shorter = rounds_of(&records, "compression");
        compressed += shorter.len();
        let before = fs::read(minutes_of(&parent.folder())).unwrap();
        for (_, round) in forks.iter().copied().filter(|(of, _)| *of == memory) {
            let seat = ["Alice", "Bob"][round as usize % 2];
            let said = parent.answer(seat, "discussion", round, "statement")["event"]["Answered"]["values"].clone();
            let at = format!("at: {{ seat: {seat}, phase: discussion, round: {round}, step: statement }}\n");
            let stance = said["stance"].as_str().map_or(String::new(), |stance| format!("stance: {stance}\n"));
            let same = format!("{at}statement: {}\n{stance}", quoted(&said["statement"]));
            let (fork, told) = parent.fork(&format!("same-{round}"), &same, &[]);
            told.says(0, &["all of them the parent's"]);
            assert!(fs::read(minutes_of(&fork)).unwrap() == before, "{memory}, round {round}");
            let other = format!("{at}statement: \"[PROPOSAL] Let us begin again.\"\nstance: against\n");
            let (fork, told) = parent.fork(&format!("other-{round}"), &other, &[]);
            told.says(0, &[]);
            let changed = fs::read_to_string(minutes_of(&fork)).unwrap();
            assert!(changed.contains("Let us begin again.") && changed.as_bytes() != before.as_slice());
            let is_same = |(one, other): &(&str, &str)| one == other;
            let old = String::from_utf8(before.clone()).unwrap();
            let shared = old.lines().zip(changed.lines()).take_while(is_same).count();
            let at = records.iter().position(|record| {
                forked::is_answer(record, seat, "discussion", round, "statement") && statement_of(record).is_some()
            });
            assert_eq!(shared, at.unwrap(), "{memory}, round {round}: nothing before it is another");
            ekklesia(&["replay", text(&fork)]).says(0, &["no divergence", "no seat was shown anything"]);
        }
        if !longer.contains(&memory) {
            continue;
        }
        // Without one of the orders all that stood before it is the parent's.
        let (fork, told) = parent.fork("longer", "set: { discussion.rounds: 7 }\n", &[]);
        told.says(0, &[]);
        ekklesia(&["replay", text(&fork)]).says(0, &["no divergence", "no seat was shown anything"]);
    }
    assert!(compressed > 20, "{compressed}");
}
