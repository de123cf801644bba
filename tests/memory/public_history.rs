//! The public history is measured in one rendering, so that arms which differ in style or in names keep the same of the same talk.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::fixtures::recount::{
    Happening, NAMES, OWN_NAMES, SEATS, Saying, chars, limited, motion, plans_of, said, usual, witnessed,
};
use crate::fixtures::sample::law_cases;
use crate::fixtures::trial::{plan, whole};
use ekklesia::domain::{AlternativeId, Choice, Event, GuidanceStyle, Record, RoundClosed, SeatId};
use ekklesia::memory::{FloorEvent, HistoryInBrief, Memory, MemoryPlan, MemoryPolicy, Window};
use proptest::prelude::*;

/// Memories of seats that go by some names, after statements alone.
fn heard(plan: MemoryPlan, names: [&str; SEATS], sayings: &[Saying]) -> Memory {
    let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
    for (number, Saying { speaker, text, stance, .. }) in sayings.iter().enumerate() {
        let stance = stance.map(|(place, amount)| Choice { alternative: AlternativeId(place), amount });
        memory.add_remark(said(number, Some(*speaker)), FloorEvent::Statement, names[*speaker], text.as_str(), stance);
    }
    memory
}

fn sayings() -> impl Strategy<Value = Vec<Saying>> {
    let events = prop::collection::vec(witnessed(), 0..60);
    events.prop_map(|events| {
        let said = events.into_iter().filter_map(|event| match event {
            Happening::Said(saying) => Some(saying),
            _ => None,
        });
        said.collect()
    })
}

/// The records of the statements that a seat is shown.
fn shown(memory: &Memory) -> Vec<u64> {
    memory.recall_brief(SeatId(0)).0.remarks.iter().map(|remark| remark.seq.0).collect()
}

proptest! {
    #![proptest_config(law_cases(64))]

    #[test]
    fn the_same_statements_leave_the_same_history_whatever_the_style_the_names_and_the_memory(
        plan in plans_of(limited()), sayings in sayings(), limit in 300..4000u64
    ) {
        let history = HistoryInBrief::Full;
        let (narrative, structured) = (GuidanceStyle::Narrative, GuidanceStyle::Structured);
        let plain = heard(MemoryPlan { guidance_style: narrative, history, ..plan }, OWN_NAMES, &sayings);
        for (style, names) in [(narrative, NAMES), (structured, OWN_NAMES), (structured, ["1", "2", "3"])] {
            let plan = MemoryPlan { guidance_style: style, memory_character_limit: limit, history, ..plan };
            let other = heard(plan, names, &sayings);
            prop_assert_eq!(other.dropped_statements(), plain.dropped_statements());
            prop_assert_eq!(other.public_chars(ekklesia::domain::SeatId(0)), plain.public_chars(ekklesia::domain::SeatId(0)));
            let held_alone = (other.dropped_statements().0 as usize + 1) == sayings.len();
            prop_assert!(held_alone || other.public_chars(SeatId(0)) <= plan.public_history_max_length);
            prop_assert!(sayings.is_empty() || (other.dropped_statements().0 as usize) < sayings.len(), "the newest stays");
            // Where the memory holds little, what is shown is what the public history holds.
            let least = MemoryPlan { policy: MemoryPolicy::Window(Window::Statements(1)), recall: None, ..plan };
            let held: Vec<u64> = (u64::from(plain.dropped_statements().0)..sayings.len() as u64).collect();
            prop_assert_eq!(shown(&heard(least, names, &sayings)), held);
        }
    }
}

#[test]
fn a_history_holds_exactly_what_fits_as_it_is_measured() {
    let saying = |text: &str| Saying { speaker: 0, text: text.into(), stance: Some((0, None)), marks: Vec::new() };
    let sayings: Vec<Saying> = (0..7).map(|_| saying(&"x".repeat(100))).collect();
    // `A (#0.1) said: "…"`: 17 characters around 100.
    assert_eq!(chars("A (#0.1) said: \"\""), 17);
    for (limit, dropped) in [(300, 5), (350, 5), (351, 4), (7 * 117 - 1, 1), (7 * 117, 0)] {
        for (style, names) in [(GuidanceStyle::Narrative, NAMES), (GuidanceStyle::Structured, OWN_NAMES)] {
            let plan = MemoryPlan { guidance_style: style, public_history_max_length: limit, ..usual() };
            let memory = heard(plan, names, &sayings);
            assert_eq!(memory.dropped_statements(), (dropped, 117 * u64::from(dropped)), "{limit} {style:?}");
        }
    }
}

/// What rounds report of the public history when they close.
fn dropped(records: &[Record]) -> Vec<(u32, u64)> {
    let closed = records.iter().filter_map(|record| match &record.event {
        Event::RoundClosed(RoundClosed { dropped_remarks, dropped_chars, .. }) => {
            Some((*dropped_remarks, *dropped_chars))
        }
        _ => None,
    });
    closed.collect()
}

#[test]
fn arms_that_differ_in_style_and_in_names_drop_the_same_of_the_same_talk() {
    let line = |round: u32| format!("{{ statement: \"In round {round} I still favour it.\", stance: for }}");
    let lines: Vec<String> = (1..=9).map(line).collect();
    let seat = |name: &str| {
        format!("{{ name: {name}, mind: {{ scripted: {{ list: [{}, {{ choice: for }}] }} }} }}", lines.join(", "))
    };
    let body = |style: &str, anonymous: &str| {
        format!(
            "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{}, {}]\n\
             discussion: {{ rounds: 9, order: fixed, vote: at_end }}\ncontrols: {{ anonymous: {anonymous} }}\n\
             memory: {{ public_history_max_length: 400, guidance_style: {style} }}\n",
            seat("Bartholomew"),
            seat("Al")
        )
    };
    let arms = [("narrative", "false"), ("structured", "false"), ("narrative", "true"), ("structured", "true")];
    let told: Vec<Vec<(u32, u64)>> =
        arms.iter().map(|(style, anonymous)| dropped(&whole(&plan(&body(style, anonymous)), 1))).collect();
    assert!(told[0].last().unwrap().0 > 5, "{told:?}");
    assert!(told.iter().all(|arm| *arm == told[0]), "{told:?}");
}
