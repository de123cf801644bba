//! The order and the marks of what a seat is shown.

use super::*;
use crate::domain::tests::make_query;
use crate::domain::{
    AlternativeId, EntryKind, Fault, MindState, Number, OwnEntry, PhaseName, Places, Proposed, Remark, RuleKind,
    SeatId, Seq, Stretch,
};
use crate::prompt::pack::tests::{golden, justice, principles};
use crate::prompt::{Votes, schema};

fn remark(seq: u64, turn: u32, speaker: Option<u32>, text: &str) -> Remark {
    let kept_bytes = text.len() as u32;
    Remark {
        seq: Seq(seq),
        round: 1,
        turn,
        speaker: speaker.map(SeatId),
        text: text.into(),
        kept_bytes,
        stance: None,
        opinion: None,
    }
}

fn own(seq: u64, kind: EntryKind, text: &str) -> OwnEntry {
    OwnEntry { seq: Seq(seq), phase: PhaseName::new("talk"), round: 1, kind, text: text.to_owned() }
}

/// What Bob is shown for a question in the middle of a session of justice, as text.
fn told(ask: Ask, retry: Option<Fault>) -> String {
    told_of(ask, (AnswerForm::JsonSchema, 400), |query| query.retry = retry)
}

/// The same in another form, with so many tokens at the most, and of another query.
fn told_of(ask: Ask, form: (AnswerForm, u32), change: impl FnOnce(&mut Query<'_>)) -> String {
    put_question(ask, change, |pack, agents, query| {
        let messages = pack.messages(&principles(), agents, query, form).unwrap();
        let parts =
            messages.iter().skip(1).map(|message| format!("== {}\n{}\n", message.role.as_str(), message.content()));
        parts.collect()
    })
}

/// What is made of such a query.
fn put_question<T>(
    ask: Ask,
    change: impl FnOnce(&mut Query<'_>),
    made: impl FnOnce(&Pack, &[&Agent], &Query<'_>) -> T,
) -> T {
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
    let (state, places) = (MindState::default(), Places::of(&remarks));
    let mut query = make_query(("talk", 2, 0), ask, &state);
    query.brief.remarks = places.over(&remarks);
    (query.brief.pinned, query.brief.own) = (&pinned, entries.as_slice().into());
    change(&mut query);
    let agent = |name: &str| Agent { name: name.to_owned(), public_name: name.to_owned(), persona: None };
    let agents = [agent("Alice"), agent("Bob")];
    let pack = justice("named", "gain", Votes::AtEnd, RuleKind::Unanimity);
    made(&pack, &[&agents[0], &agents[1]], &query)
}

#[test]
fn a_reason_alone_adds_as_many_tokens_as_it_does_to_complete_messages() {
    let asks = [
        (statement(), true),
        (Ask::Amount { alternative: AlternativeId(2) }, true),
        (Ask::Integration { news_from: Seq(8), chars_max: 900 }, true),
        (Ask::Ranking { options: vec![AlternativeId(1), AlternativeId(0)] }, true),
        (Ask::VoteCall, true),
        (Ask::Reasoning, true),
        // Their own words say what was wrong.
        (Ask::Naming { taken: vec!["Alice".to_owned()].into() }, false),
        (Ask::Notes { notes: "Prices.".into() }, false),
    ];
    let faults = [Fault::Unreadable, Fault::NotARanking, Fault::TooShort, Fault::CutByLength, Fault::NameTaken];
    for (ask, is_apart) in asks {
        for form in [AnswerForm::JsonSchema, AnswerForm::Anchored] {
            for nothing in [false, true] {
                put_question(
                    ask.clone(),
                    |query| {
                        if nothing {
                            query.brief.remarks = Default::default();
                            (query.brief.pinned, query.brief.own) = (&[], Stretch::default());
                        }
                    },
                    |pack, agents, query| {
                        let tokens = |query: &Query<'_>| {
                            let messages = pack.messages(&principles(), agents, query, (form, 400)).unwrap();
                            messages.iter().map(|message| 8 + message.tokens_estimated()).sum::<u64>()
                        };
                        for fault in faults {
                            let alone =
                                pack.reason_tokens(&[fault], &principles(), agents, query, (form, 400)).unwrap();
                            let again = Query { retry: Some(fault), ..query.clone() };
                            let expected = is_apart.then(|| tokens(&again) - tokens(query));
                            assert_eq!(alone, expected, "{ask:?}, {fault:?}");
                            let once_more = pack.reason_tokens(&[fault], &principles(), agents, &again, (form, 400));
                            assert_eq!(once_more.unwrap(), None, "it was put again before");
                        }
                    },
                );
            }
        }
    }
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

fn statement() -> Ask {
    let options = vec![AlternativeId(0), AlternativeId(1)];
    Ask::Statement { options, chars_min: 10, chars_max: None, marks: true, opinion: false }
}

#[test]
fn what_begins_in_the_middle_says_so() {
    let json = (AnswerForm::JsonSchema, 400);
    for (is_cut, heading) in [(false, "far:"), (true, "far (earlier parts are left out):")] {
        let told = told_of(statement(), json, |query| query.brief.is_cut = is_cut);
        assert!(told.starts_with(&format!("== user\nWhat has happened so {heading}\n\n")), "{told}");
        let nothing = told_of(statement(), json, |query| {
            query.brief.remarks = Default::default();
            (query.brief.pinned, query.brief.own, query.brief.is_cut) = (&[], Stretch::default(), is_cut);
        });
        let first = if is_cut { "What has happened so far is left out here.\n\nRound 2" } else { "Round 2" };
        assert!(nothing.starts_with(&format!("== user\n{first}")), "{nothing}");
    }
}

#[test]
fn a_seat_is_told_the_numbers_and_first_words_of_its_own_open_proposals() {
    let own = |seq, turn| Proposed { seq: Seq(seq), number: Number { round: 1, turn }, stance: None };
    for (open, expected) in [
        (vec![], None),
        (vec![own(5, 2)], Some("#1.2 (\"The average.\").")),
        (vec![own(5, 2), own(9, 4)], Some("#1.2 (\"The average.\"), #1.4 (\"I stay with it.\").")),
    ] {
        let told =
            told_of(statement(), (AnswerForm::JsonSchema, 400), |query| query.brief.heard.own_open = open.clone());
        assert_eq!(told.contains("Yours that are open: "), expected.is_some(), "{told}");
        assert!(told.contains("\n[SUPPORT #2.1] or "), "{told}");
        assert!(told.contains(&format!("Yours that are open: {}", expected.unwrap_or_default())) == expected.is_some());
    }
}

#[test]
fn notes_stand_in_the_question_what_becomes_of_them_and_nowhere_else() {
    let notes = own(1, EntryKind::Notes, "Your notes from when you met before (this is meeting 2):\nBob yields.");
    let count = |ask: Ask| {
        let pinned: Vec<OwnEntry> = vec![notes.clone()];
        let pinned: &'static [OwnEntry] = pinned.leak();
        told_of(ask, (AnswerForm::JsonSchema, 400), |query| query.brief.pinned = pinned).matches("Bob yields.").count()
    };
    assert_eq!([count(Ask::Notes { notes: "Bob yields.".into() }), count(statement())], [1, 1]);
}

#[test]
fn a_prompt_promises_the_length_that_the_schema_allows() {
    let compression = |words_max| Ask::Compression { chars_max: 4_800, words_max, focus: None };
    for max_tokens in [20, 40, 400, 4_000] {
        for (ask, field) in [(statement(), "statement"), (compression(None), "text"), (compression(Some(900)), "text")]
        {
            let most = schema(&ask, &principles(), max_tokens)["properties"][field]["maxLength"].clone();
            let told = told_of(ask, (AnswerForm::JsonSchema, max_tokens), |_| {});
            assert!(told.contains(&format!(" {most} characters.")), "{max_tokens}: {told}");
        }
    }
    let told = |ask| told_of(ask, (AnswerForm::Anchored, 40), |_| {});
    assert!(told(statement()).contains("Write at least 10 characters."), "no schema limits it");
    assert!(told(compression(None)).contains("At most 4800 characters."));
}
