//! Statements that bear a pinned mark: shown at every question, whatever the memory's policy and limits drop.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use crate::fixtures::trial::{folded, go_on, plan, whole};
use ekklesia::domain::Sign;
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
        for cut in (0..=all.len()).step_by(3) {
            let mut kept = all[..cut].to_vec();
            go_on(&mut folded(&plan, 1, &all[..cut]), &plan, &mut kept).unwrap();
            assert_eq!(kept, all, "{memory}: cut after {cut} records");
        }
    }
}
