//! How memories take what a phase brings: as it comes, by rewriting, or not beyond the phase.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_every_cut, folded, read, whole, write_agenda};
use crate::oracle::check_cells;
use ekklesia::domain::{Event, MemoryAct, Record, Reminded, SeatId, Seq, Step};
use ekklesia::plan::Plan;

/// Talk, a form, groups and a vote, with what phases say of memories in the place of `WAY`.
const AGENDA: &str = "agenda:
  - { name: first, discussion: { rounds: 2 } }
  - { name: private, WAY ask: [ { id: n, number: { min: 0, max: 9 }, question: \"N?\" } ] }
  - { name: second, WAY discussion: { rounds: 2 } }
  - { name: pair, assign: { pair: { groups: { size: 2 }, by: lot, uneven: true } } }
  - name: apart
    groups: pair
    WAY_OF_BLOCK
    phases: [ { name: whisper, discussion: { rounds: 1 } }, { name: note, brief: { text: Hear me. } } ]
  - { name: poll, WAY vote: { over: [a, b], rule: plurality, tie_break: lot, binding: false } }
  - { name: third, discussion: { rounds: 1 } }
  - { name: vote, vote: {} }
";

fn agenda(way: &str) -> String {
    let of_block = if way.is_empty() { "when: true".to_owned() } else { way.trim_end_matches(", ").to_owned() };
    AGENDA.replace("WAY_OF_BLOCK", &of_block).replace("WAY ", way)
}

fn arm(way: &str, more: &str) -> Arc<Plan> {
    let place = tempfile::tempdir().unwrap();
    Arc::clone(&read(&write_agenda(place.path(), &agenda(way), more)).arms[0])
}

/// The records that any memory holds after a session went so far, by the names of their phases.
fn held(plan: &Arc<Plan>, records: &[Record]) -> BTreeSet<String> {
    let state = folded(plan, 1, records);
    let mut phases = BTreeSet::new();
    for seat in (0..plan.seats.len() as u32).map(SeatId) {
        let brief = state.memory().in_hand(seat);
        let own = brief.pinned.iter().chain(brief.own).map(|entry| entry.seq);
        let shown: Vec<Seq> = brief.all_remarks().map(|remark| remark.seq).chain(own).collect();
        phases.extend(shown.iter().map(|seq| records[seq.0 as usize].at.phase.written().to_owned()));
    }
    phases
}

const FULL: &str = "memory: { policy: full }\n";

#[test]
fn what_is_skipped_is_remembered_in_its_phase_and_not_beyond_it() {
    let (plan, usual) = (arm("remember: skip, ", FULL), arm("", FULL));
    let (records, others) = (whole(&plan, 1), whole(&usual, 1));
    let ends = |records: &[Record], phase: &str| {
        records.iter().rposition(|record| record.at.phase.written() == phase).unwrap()
    };
    let skipped = ["private", "second", "whisper", "poll"];
    for phase in skipped {
        // The last record of the phase has it forgotten.
        let end = ends(&records, phase);
        assert!(
            matches!(&records[end].event, Event::Reminded(Reminded { act: MemoryAct::Forget { phase: Some(_) }, .. })),
            "{phase}"
        );
        assert!(held(&plan, &records[..end]).contains(phase), "{phase} is remembered while it goes on");
        assert!(!held(&plan, &records[..=end]).contains(phase), "{phase} is not remembered then");
    }
    let (kept, kept_usually) = (held(&plan, &records), held(&usual, &others));
    assert!(skipped.iter().all(|phase| !kept.contains(*phase) && kept_usually.contains(*phase)), "{kept_usually:?}");
    assert!(["first", "third", "note"].iter().all(|phase| kept.contains(*phase)), "{kept:?}");
    check_every_cut(&plan, 1, &records);
}

#[test]
fn the_tables_of_a_session_with_skipped_phases_add_up_and_it_replays() {
    for way in ["remember: skip, ", "remember: direct, ", "remember: integrated, "] {
        let place = tempfile::tempdir().unwrap();
        let config = write_agenda(place.path(), &agenda(way), "");
        let out = place.path().join("out");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        check_cells(&out, 1);
        ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
        let methods = std::fs::read_to_string(out.join("methods.md")).unwrap();
        let words = match way {
            "remember: skip, " => "forgotten when it is over",
            "remember: direct, " => "remembered as it comes",
            _ => "remembered by rewriting",
        };
        assert!(methods.contains(words), "{methods}");
    }
}

#[test]
fn a_phase_is_remembered_by_rewriting_or_as_it_comes_whatever_the_routing_says() {
    let rewritten = |plan: &Arc<Plan>| -> BTreeSet<String> {
        let records = whole(plan, 1);
        let all = records.iter().filter(|record| record.at.step == Step::Integration && record.reply().is_some());
        all.map(|record| record.at.phase.written().to_owned()).collect()
    };
    let of = |phases: &[&str]| -> BTreeSet<String> { phases.iter().map(|phase| (*phase).to_owned()).collect() };
    const WAYS: &str = "memory: { policy: selective, routing: { statement: ROUTE, own_answer: ROUTE, tally_open: ROUTE, \
                        tally_decided: ROUTE, own_ballot: ROUTE, instruction: direct, vote_called: direct, vote_answered: direct, \
                        own_reasoning: direct, own_ranking: direct, own_application: direct, results: direct } }\n";
    let [direct, integrated] = ["direct", "integrated"].map(|route| WAYS.replace("ROUTE", route));
    assert_eq!(rewritten(&arm("", &direct)), of(&[]));
    assert_eq!(rewritten(&arm("remember: integrated, ", &direct)), of(&["poll", "private", "second", "whisper"]));
    assert_eq!(rewritten(&arm("remember: direct, ", &integrated)), of(&["first", "third"]));
}

#[test]
fn ways_of_remembering_that_memories_do_not_have_are_mistakes() {
    for (phase, more, message) in [
        ("brief: { text: Hear me. }, remember: skip", "", "leave remember out"),
        ("ask: { time: before }, remember: direct", "", "a straw poll is not remembered"),
        ("discussion: {}, remember: integrated", FULL, "write memory.policy: selective"),
        (
            "discussion: {}, remember: direct",
            "memory: { policy: full, routing: { statement: skip } }\n",
            "keep no statements",
        ),
        ("discussion: {}, remember: never", "", "known here: direct, integrated, skip"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let agenda = format!("agenda:\n  - {{ name: talk, {phase} }}\n  - {{ name: vote, vote: {{}} }}\n");
        ekklesia(&["check", text(&write_agenda(place.path(), &agenda, more))]).says(2, &[message, "talk.remember"]);
    }
}
