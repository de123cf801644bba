//! The order and the marks of what a seat is shown.

use super::*;
use crate::domain::{
    AlternativeId, EntryKind, Fault, GuidanceStyle, Heard, MindState, Moment, PhaseName, Places, QuestionId, RuleKind,
    SeatId, SeatName, Shown, Step, Stretch,
};
use crate::prompt::Votes;
use crate::prompt::pack::tests::{golden, justice, principles};

fn remark(seq: u64, turn: u32, speaker: Option<u32>, text: &str) -> Remark {
    let kept_bytes = text.len() as u32;
    Remark {
        seq: Seq(seq),
        round: 1,
        turn,
        speaker: speaker.map(SeatId),
        text: text.to_owned(),
        kept_bytes,
        stance: None,
    }
}

fn own(seq: u64, kind: EntryKind, text: &str) -> OwnEntry {
    OwnEntry { seq: Seq(seq), phase: PhaseName::new("talk"), round: 1, kind, text: text.to_owned() }
}

/// What Bob is shown for a question in the middle of a session of justice, as text.
fn told(ask: Ask, retry: Option<Fault>) -> String {
    let remarks = [
        remark(1, 0, None, "Welcome."),
        remark(4, 1, Some(0), "A floor of 13,000."),
        remark(5, 2, Some(1), "The average."),
        remark(6, 0, None, "[HUMAN] Be brief."),
        remark(9, 1, Some(0), "I stay with it."),
    ];
    let pinned =
        [own(2, EntryKind::Instruction, "[FACILITATOR] For you alone."), own(8, EntryKind::Results, "You were paid.")];
    let entries =
        [own(3, EntryKind::OwnRanking, "You ranked them."), own(7, EntryKind::OwnBallot, "You voted: average")];
    let none = Heard { all: (&[], &[]), own: (&[], &[]), amounts: [].as_slice().into(), from: 0, ..Heard::default() };
    let (state, places) = (MindState::default(), Places::of(&remarks));
    let query = Query {
        id: QuestionId {
            at: Moment { phase: PhaseName::new("talk"), round: 2, turn: 0, step: Step::Statement },
            seat: SeatName::new("Bob"),
            attempt: 0,
        },
        seat: SeatId(1),
        ask,
        offer: Offer::NONE,
        retry,
        brief: Brief {
            style: GuidanceStyle::Narrative,
            seat: SeatId(1),
            remarks: places.over(&remarks),
            summaries: Stretch::default(),
            standing: None,
            pinned: &pinned,
            own: entries.as_slice().into(),
            heard: none,
            recalled: Vec::new(),
            found: None,
        },
        shown: Shown::default(),
        pushes: None,
        state: &state,
        chosen: &[],
    };
    let agent = |name: &str| Agent { name: name.to_owned(), public_name: name.to_owned(), persona: None };
    let agents = [agent("Alice"), agent("Bob")];
    let pack = justice("named", "gain", Votes::AtEnd, RuleKind::Unanimity);
    let messages = pack.messages(&principles(), &[&agents[0], &agents[1]], &query, AnswerForm::JsonSchema).unwrap();
    let parts = messages.iter().skip(1).map(|message| format!("== {}\n{}\n", message.role.as_str(), message.content));
    parts.collect()
}

#[test]
fn what_happened_stands_in_the_order_of_its_records_and_the_question_comes_last() {
    golden("justice_amount", &told(Ask::Amount { alternative: AlternativeId(2) }, Some(Fault::AmountUnreadable)));
}

#[test]
fn what_is_new_stands_apart_when_a_memory_is_rewritten() {
    let ask = Ask::Integration { news_from: Seq(8), chars_max: 900 };
    golden("justice_integration", &told(ask, None));
    let all_new = told(Ask::Integration { news_from: Seq(1), chars_max: 900 }, None);
    assert!(all_new.starts_with("== user\nWhat is new:") && !all_new.contains("so far"), "{all_new}");
}
