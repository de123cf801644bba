//! A seat that is told to forget a phase forgets that phase, and what it or its memory made of it; and nothing else.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::fixtures::recount::{NAMES, OWN_NAMES, motion, usual};
use ekklesia::domain::{AlternativeId, Choice, EntryKind, Mark, Marked, Named, OwnEntry, PhaseName, SeatId, Seq, Sign};
use ekklesia::memory::notice::unlabelled_entry;
use ekklesia::memory::{
    CompactPolicy, DigestPolicy, EventKind, EventKinds, FloorEvent, HistoryInBrief, Memory, MemoryPlan, MemoryPolicy,
    RemarkHeader, RewriteReason, Window,
};

const SEAT: SeatId = SeatId(1);

fn phase(name: &str) -> PhaseName {
    PhaseName::new(name)
}

/// A memory to which this happens: `phase: one` begins a phase, `said: Hello.` is said by another seat, `told: Hello.` by the
/// facilitator, `kept: Hello.` by the seat alone; `rewrote` and `integrated` are texts of its own, and `forgot: one` is done to it.
fn after(plan: MemoryPlan, events: &[&str]) -> Memory {
    let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
    let mut under_way = phase("");
    for (number, event) in events.iter().enumerate() {
        let (what, text) = event.split_once(": ").unwrap();
        let seq = Seq(number as u64);
        let entry = |kind| OwnEntry { seq, phase: under_way.clone(), round: 1, kind, text: text.to_owned() };
        let said =
            |speaker: Option<SeatId>| RemarkHeader { seq, round: 1, turn: u32::from(speaker.is_some()), speaker };
        match what {
            "phase" => {
                under_way = phase(text);
                memory.begin_part(&under_way);
            }
            "said" => memory.add_remark(said(Some(SeatId(0))), FloorEvent::Statement, NAMES[0], text, None),
            "told" => memory.add_remark(said(None), FloorEvent::TallyOpen, "", text, None),
            "kept" => memory.keep_entry(SEAT, entry(EntryKind::OwnBallot)),
            "paid" => memory.keep_entry(SEAT, entry(EntryKind::Results)),
            "rewrote" => memory.apply_rewrite(SEAT, entry(EntryKind::Rewritten), RewriteReason::Compression),
            "integrated" => memory.apply_rewrite(SEAT, entry(EntryKind::Rewritten), RewriteReason::Integration),
            "forgot" => memory.forget_unpinned(SEAT, Some(&phase(text))),
            _ => panic!("{what}"),
        }
    }
    memory
}

/// What a seat is shown, in the order of records; what stands for others comes first.
fn told(memory: &Memory) -> Vec<String> {
    let (brief, _) = memory.recall_brief(SEAT);
    let mut entries: Vec<(Seq, String)> =
        brief.all_remarks().map(|remark| (remark.seq, remark.text.to_string())).collect();
    entries.extend(brief.pinned.iter().chain(brief.own).map(|entry| (entry.seq, unlabelled_entry(entry).to_owned())));
    entries.sort();
    let summaries = brief.summaries.iter().map(|entry| unlabelled_entry(entry).to_owned());
    summaries.chain(entries.into_iter().map(|(_, text)| text)).collect()
}

const THREE: [&str; 9] = [
    "phase: one",
    "said: First.",
    "kept: Mine, first.",
    "phase: two",
    "said: Second.",
    "kept: Mine, second.",
    "paid: Twelve.",
    "phase: three",
    "said: Third.",
];

fn then<'e>(more: &[&'e str]) -> Vec<&'e str> {
    [&THREE[..], more].concat()
}

#[test]
fn what_came_before_a_forgotten_phase_and_after_it_is_remembered() {
    let rest = ["First.", "Mine, first.", "Twelve.", "Third."];
    let memory = after(usual(), &then(&["forgot: two"]));
    assert_eq!(told(&memory), rest);
    let (brief, shown) = memory.recall_brief(SEAT);
    assert_eq!((shown.floor, shown.own, shown.omitted), (0..3, 0..2, 2));
    let second = std::slice::from_ref(&(1..2));
    assert_eq!((shown.forgotten.statements.as_slice(), shown.forgotten.own.as_slice()), (second, second));
    assert_eq!(brief.remarks.len(), 2);
    assert_eq!(memory.report(SEAT).dropped_entries, 2);
    assert_eq!(memory.recall_brief(SeatId(2)).0.remarks.len(), 3, "nobody else forgets");
    // Once more is no more.
    assert_eq!(told(&after(usual(), &then(&["forgot: two", "forgot: two"]))), rest);
    assert_eq!(told(&after(usual(), &then(&["forgot: two", "forgot: one"]))), ["Twelve.", "Third."]);
    assert_eq!(told(&after(usual(), &then(&["forgot: one"])))[..2], ["Second.", "Mine, second."]);
}

#[test]
fn of_the_phase_under_way_what_it_brings_later_is_remembered() {
    let memory = after(usual(), &then(&["forgot: three", "said: Later.", "kept: Mine, later."]));
    assert_eq!(told(&memory)[5..], ["Later.", "Mine, later."]);
    assert!(!told(&memory).contains(&"Third.".to_owned()));
    let again = after(usual(), &then(&["forgot: three", "said: Later.", "forgot: three"]));
    assert_eq!(told(&again).len(), 5);
}

#[test]
fn a_phase_that_has_not_begun_is_remembered_when_it_comes() {
    let memory = after(usual(), &then(&["forgot: four", "phase: four", "said: Fourth."]));
    assert_eq!(told(&memory).last().unwrap(), "Fourth.");
    assert_eq!(memory.recall_brief(SEAT).1.omitted, 0);
}

#[test]
fn a_text_that_stands_for_some_of_a_phase_goes_whole_and_no_other_does() {
    let digest = MemoryPolicy::Digest(DigestPolicy { every: 1, words: 9, keep: 1 });
    let events = [
        "phase: one",
        "said: First.",
        "said: Last of one.",
        "rewrote: Of one.",
        "phase: two",
        "said: Second.",
        "said: Last of two.",
        "rewrote: Of one and two.",
        "phase: three",
        "said: Third.",
        "said: Last of three.",
        "rewrote: Of two and three.",
    ];
    let shown =
        |forgotten: &[&str]| told(&after(MemoryPlan { policy: digest, ..usual() }, &[&events, forgotten].concat()));
    assert_eq!(shown(&[]), ["Of one.", "Of one and two.", "Of two and three.", "Last of three."]);
    assert_eq!(shown(&["forgot: one"]), ["Of two and three.", "Last of three."]);
    assert_eq!(shown(&["forgot: two"]), ["Of one.", "Last of three."]);
    assert_eq!(shown(&["forgot: three"]), ["Of one.", "Of one and two."]);
    // One text stands for all that is older, and for what the text before it stood for.
    let compact = MemoryPolicy::Compact(CompactPolicy { threshold_ppm: 1, keep: 1 });
    let plan = MemoryPlan { policy: compact, reinject: EventKinds::from_kinds(&[EventKind::OwnBallot]), ..usual() };
    let events = [
        "phase: one",
        "said: First.",
        "kept: Mine, first.",
        "phase: two",
        "said: Second.",
        "kept: Mine, second.",
        "rewrote: Of one.",
        "said: More of two.",
        "rewrote: Of one and two.",
        "phase: three",
        "said: Third.",
    ];
    let plan = MemoryPlan { memory_character_limit: 100_000, compression_target_ppm: 600_000, ..plan };
    let plan = MemoryPlan { policy: MemoryPolicy::Compact(CompactPolicy { threshold_ppm: 900_000, keep: 1 }), ..plan };
    let shown = |forgotten: &[&str]| told(&after(plan, &[&events, forgotten].concat()));
    let whole = shown(&[]);
    assert!(whole.contains(&"Of one and two.".to_owned()) && whole.contains(&"Mine, first.".to_owned()), "{whole:?}");
    let rest = shown(&["forgot: one"]);
    assert_eq!(rest, ["Mine, second.", "More of two.", "Third."], "what was put back stays, but for that of the phase");
}

#[test]
fn an_integrated_text_goes_with_any_phase_that_it_was_written_of() {
    let events = ["phase: one", "kept: Mine, first.", "phase: two", "kept: Mine, second.", "integrated: Of both."];
    let shown = |more: &[&str]| told(&after(usual(), &[&events, more].concat()));
    assert_eq!(shown(&["phase: three", "kept: Third."]), ["Of both.", "Third."]);
    assert_eq!(shown(&["phase: three", "kept: Third.", "forgot: one"]), ["Third."]);
    // What was forgotten before it was written it does not stand for.
    let events =
        ["phase: one", "kept: Mine, first.", "phase: two", "forgot: one", "kept: Second.", "integrated: Of two."];
    assert_eq!(told(&after(usual(), &[&events[..], &["phase: three", "forgot: one"]].concat())), ["Of two."]);
}

#[test]
fn what_is_rewritten_after_forgetting_is_not_what_was_forgotten() {
    let policy = MemoryPolicy::Compact(CompactPolicy { threshold_ppm: 1, keep: 1 });
    let plan = MemoryPlan { policy, ..usual() };
    let mut memory = after(plan, &then(&["forgot: two"]));
    memory.demand_rewrite(SEAT);
    let (brief, shown) = memory.recall_oldest(SEAT);
    let texts: Vec<&str> = brief.remarks.iter().map(|remark| &*remark.text).collect();
    assert_eq!((texts, brief.own.len()), (vec!["First."], 1));
    assert_eq!(shown.forgotten.statements.first(), Some(&(1..2)));
    // Forgetting it again takes nothing away from a text that was not written of it.
    let more = ["forgot: two", "rewrote: Of one.", "forgot: two"];
    assert_eq!(told(&after(plan, &then(&more))), ["Of one.", "Twelve.", "Third."]);
    // Where all is forgotten that would be rewritten, nothing is due.
    let mut memory = after(plan, &["phase: one", "said: First.", "phase: two", "said: Second.", "forgot: one"]);
    memory.demand_rewrite(SEAT);
    assert!(!memory.is_demanded(SEAT) && memory.compression_due(SEAT).is_none());
}

#[test]
fn a_window_holds_as_many_statements_as_are_remembered() {
    let plan = |window| MemoryPlan { policy: MemoryPolicy::Window(window), ..usual() };
    let events = then(&["said: Fourth.", "forgot: two"]);
    assert_eq!(
        told(&after(plan(Window::Statements(3)), &events)),
        ["First.", "Mine, first.", "Twelve.", "Third.", "Fourth."]
    );
    assert_eq!(told(&after(plan(Window::Statements(2)), &events)), ["Twelve.", "Third.", "Fourth."]);
    let all_gone = then(&["forgot: three", "forgot: two", "forgot: one"]);
    assert_eq!(told(&after(plan(Window::Tokens(1_000)), &all_gone)), ["Twelve."]);
}

#[test]
fn the_public_history_shows_what_a_seat_forgot() {
    let plan = MemoryPlan { history: HistoryInBrief::Full, ..usual() };
    let memory = after(plan, &then(&["told: No decision.", "forgot: three", "forgot: two"]));
    assert_eq!(told(&memory), ["First.", "Mine, first.", "Second.", "Twelve.", "Third."]);
    let (_, shown) = memory.recall_brief(SEAT);
    assert_eq!(
        (shown.forgotten.statements.len(), shown.forgotten.notices.len()),
        (0, 1),
        "announcements are no part of it"
    );
    assert_eq!(memory.report(SEAT).entries, 3, "it is no part of the memory");
}

#[test]
fn what_was_forgotten_is_neither_recalled_nor_looked_up() {
    let plan =
        MemoryPlan { policy: MemoryPolicy::Window(Window::Statements(1)), recall: Some(3), look_up: true, ..usual() };
    let events =
        ["phase: one", "said: The dam is old.", "phase: two", "said: The dam is new.", "phase: three", "said: A dam?"];
    let recalled = |more: &[&str]| {
        let memory = after(plan, &[&events, more].concat());
        let mut found = memory.look_up(SEAT, "dam");
        found.sort_unstable();
        (memory.recall_brief(SEAT).1.recalled, found)
    };
    assert_eq!(recalled(&[]), (vec![0, 1], vec![0, 1, 2]));
    assert_eq!(recalled(&["forgot: two"]), (vec![0], vec![0, 2]));
    assert_eq!(recalled(&["forgot: one", "forgot: three"]), (vec![], vec![1]), "what is shown is not recalled");
}

#[test]
fn a_mind_hears_no_stance_no_amount_and_no_proposal_that_its_seat_forgot() {
    let mut memory = Memory::new(usual(), &motion(), OWN_NAMES);
    for (number, (name, amount)) in [("one", 10), ("two", 20), ("three", 30)].into_iter().enumerate() {
        memory.begin_part(&phase(name));
        let (seq, turn) = (Seq(number as u64), 1 + number as u32);
        let stance = Choice { alternative: AlternativeId(1), amount: Some(amount) };
        let said = RemarkHeader { seq, round: 1, turn, speaker: Some(SeatId(0)) };
        memory.add_remark(said, FloorEvent::Statement, NAMES[0], "So.", Some(stance));
        let proposes = Mark { sign: Sign::Proposal, names: Named::Nothing };
        let marks: Vec<Marked> = memory.proposals(SeatId(0)).resolve_marks(SeatId(0), &[proposes]);
        memory.add_marks(&marks, 2);
    }
    let heard = |memory: &Memory| {
        let (brief, _) = memory.recall_brief(SEAT);
        let heard = brief.heard;
        (heard.count(AlternativeId(1)), heard.amount(AlternativeId(1)), heard.proposal.map(|proposal| proposal.seq.0))
    };
    assert_eq!(heard(&memory), (3, Some(30), Some(2)));
    memory.forget_unpinned(SEAT, Some(&phase("three")));
    assert_eq!(heard(&memory), (2, Some(20), Some(1)));
    memory.forget_unpinned(SEAT, Some(&phase("one")));
    assert_eq!(heard(&memory), (1, Some(20), Some(1)));
    memory.forget_unpinned(SEAT, Some(&phase("two")));
    assert_eq!(heard(&memory), (0, None, None));
    assert_eq!(heard_by(&memory, SeatId(2)), 3);
}

fn heard_by(memory: &Memory, seat: SeatId) -> u32 {
    memory.recall_brief(seat).0.heard.count(AlternativeId(1))
}
