//! Statements that bear a pinned mark: shown at every question, whatever the memory's policy and limits drop.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use crate::fixtures::trial::{check_cuts, check_every_cut, plan, read, whole, write_agenda};
use ekklesia::domain::{OwnEntry, Sign};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::Plan;
use ekklesia::session::Visibility;

/// Policies with so little room that they drop, digest or replace what is not pinned.
const MEMORIES: [&str; 5] = [
    "{ statement_max_length: 80, memory_character_limit: 3400, public_history_max_length: 300, pin: [proposal] }",
    "{ statement_max_length: 80, memory_character_limit: 3400, policy: { window: { statements: 1 } }, pin: [decision, proposal] }",
    "{ statement_max_length: 80, memory_character_limit: 3400, policy: { digest: { every: 2, words: 20, keep: 1 } }, pin: [proposal] }",
    "{ statement_max_length: 80, memory_character_limit: 3400, policy: { compact: { threshold: 0.65 } }, pin: [proposal], \
     recall: { search: { top_k: 3 } } }",
    "{ statement_max_length: 80, policy: full, pin: [proposal, decision] }",
];

fn table(memory: &str) -> Arc<Plan> {
    plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.1 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, mind: {{ voter: {{ copy: 0.6 }} }} }}, {{ name: Dave }}]
discussion: {{ rounds: 5, order: random, vote: at_end, proposals: true }}
straw_polls: [each_round]
interventions: [{{ at: {{ phase: discussion, round: 4 }}, forget: all }}]
memory: {memory}
"
    ))
}

#[test]
fn a_statement_with_a_pinned_mark_is_shown_once_at_every_question_after_it() {
    for memory in MEMORIES {
        let plan = table(memory);
        let records = whole(&plan, 1);
        let (mut deliberation, mut visibility) = (Deliberation::convene(&plan, 1), Visibility::new(&plan));
        let (mut made, mut shown, mut dropped) = (Vec::new(), 0, 0);
        for record in &records {
            if let Next::Ask(queries) = deliberation.next() {
                for query in &queries {
                    assert!(visibility.check_query(query).is_ok(), "{memory}");
                    for seq in &made {
                        let times = query.brief.all_remarks().filter(|remark| remark.seq == *seq).count();
                        assert_eq!(times, 1, "{memory}: record {}", seq.0);
                        shown += 1;
                    }
                    dropped += query.shown.omitted;
                }
            }
            let marks = record.event.marks();
            if marks.iter().any(|mark| mark.sign == Sign::Proposal || memory.contains("decision") && mark.decides()) {
                made.push(record.seq);
            }
            visibility.witness_record(record);
            deliberation.evolve(record);
        }
        assert!(made.len() > 1 && shown > 20, "{memory}: {} {shown}", made.len());
        assert!(dropped > 0, "{memory}: and others are dropped");
    }
}

#[test]
fn a_session_with_pinned_marks_goes_on_from_wherever_it_is_cut() {
    for memory in MEMORIES {
        let plan = table(memory);
        let all = whole(&plan, 1);
        check_cuts(&plan, 1, &all, (0..=all.len()).step_by(3));
    }
}

/// Each pass tells Ann something alone.
const TOLD_IN_PASSES: &str = "agenda:
  - name: periods
    repeat: { times: 6 }
    phases:
      - { name: told, who: [Ann], brief: { text: \"Your card is {{ pass.number }}.\" } }
      - { name: talk, FORGET discussion: { rounds: 2 } }
      - { name: note, ask: [ { id: n, number: { min: 0, max: 9 }, question: \"N?\" } ] }
  - { name: vote, vote: {} }
";

/// At each question to Ann: the cards that are pinned, and those among her other entries. Each talk may begin by forgetting.
fn list_cards(memory: &str, forget: &str) -> Vec<[Vec<usize>; 2]> {
    let place = tempfile::tempdir().unwrap();
    let experiment = read(&write_agenda(place.path(), &TOLD_IN_PASSES.replace("FORGET ", forget), memory));
    let plan = &experiment.arms[0];
    let records = whole(plan, 1);
    let (mut deliberation, mut visibility) = (Deliberation::convene(plan, 1), Visibility::new(plan));
    let mut shown = Vec::new();
    let card = |entry: &OwnEntry| entry.text.split_once("Your card is ")?.1.trim_end_matches('.').parse().ok();
    for record in &records {
        if let Next::Ask(queries) = deliberation.next() {
            for query in &queries {
                visibility.check_query(query).unwrap_or_else(|leak| panic!("{memory}: {leak}"));
                if query.seat.index() == 0 {
                    let brief = &query.brief;
                    let own: Vec<u64> = brief.own.iter().map(|entry| entry.seq.0).collect();
                    assert!(own.is_sorted(), "{memory}: own entries stand in the order of time: {own:?}");
                    shown.push([
                        brief.pinned.iter().filter_map(card).collect(),
                        brief.own.iter().filter_map(card).collect(),
                    ]);
                }
            }
        }
        visibility.witness_record(record);
        deliberation.evolve(record);
    }
    check_every_cut(plan, 1, &records);
    shown
}

#[test]
fn of_what_passes_tell_a_seat_alone_the_newest_is_pinned_and_the_rest_is_remembered_in_time() {
    for (memory, keeps) in [
        ("memory: { policy: full }\n", true),
        ("memory: { policy: { window: { statements: 9 } } }\n", false),
        ("memory: { statement_max_length: 80, memory_character_limit: 900, history_in_brief: none }\n", false),
        ("memory: { policy: { digest: { every: 3, words: 20, keep: 1 } } }\n", false),
        (
            "memory: { policy: { compact: { threshold: 0.7 } }, statement_max_length: 80, memory_character_limit: 1500 }\n",
            false,
        ),
    ] {
        let shown = list_cards(memory, "");
        let newest = |cards: &[Vec<usize>; 2]| match cards[0].as_slice() {
            [] => 0,
            [newest] => *newest,
            several => panic!("{memory}: {several:?} are pinned together"),
        };
        let told: Vec<usize> = shown.iter().map(newest).collect();
        assert!(told.is_sorted() && told.last() == Some(&6), "{memory}: {told:?}");
        let all = shown.iter().all(|cards| cards[1] == (1..newest(cards)).collect::<Vec<_>>());
        assert_eq!(all, keeps, "{memory}: earlier cards are remembered like other entries: {shown:?}");
        assert!(shown.iter().any(|cards| !cards[1].is_empty()), "{memory}");
    }
    let kept = list_cards("memory: { policy: { window: { statements: 3 } }, pin: [instruction] }\n", "");
    assert_eq!(kept.last(), Some(&[vec![1, 2, 3, 4, 5, 6], vec![]]), "pin keeps all");
}

#[test]
fn what_a_pass_told_a_seat_alone_stays_forgotten_when_a_later_pass_tells_it_anew() {
    let shown = list_cards("memory: { policy: full }\n", "forget: [told], ");
    assert!(shown.iter().all(|cards| cards[0].len() < 2 && cards[1].is_empty()), "{shown:?}");
    assert_eq!(shown.last().map(|cards| cards[0].as_slice()), Some(&[6][..]), "and the newest is pinned");
}
