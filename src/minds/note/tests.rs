//! What is true of memories that are rewritten by rule.

use proptest::prelude::*;

use super::*;
use crate::domain::{Ask, MindState, OwnEntry, PhaseName, Places, Reply, SeatId, Seq};
use crate::minds::tests::{motion, query};

fn own(seq: u64, kind: EntryKind, text: &str) -> OwnEntry {
    OwnEntry { seq: Seq(seq), phase: PhaseName::new("discussion"), round: 1, kind, text: text.to_owned() }
}

fn said(seq: u64, turn: u32, text: &str) -> Remark {
    let speaker = (turn > 0).then(|| SeatId(turn - 1));
    let kept_bytes = text.len() as u32;
    Remark { seq: Seq(seq), round: 1, turn, speaker, text: text.into(), kept_bytes, stance: None, opinion: None }
}

fn rewrite(ask: Ask, own: &[OwnEntry], remarks: &[Remark]) -> String {
    let state = MindState(vec![7]);
    let mut question = query(ask, &state, &[]);
    let places = Places::of(remarks);
    (question.brief.own, question.brief.remarks) = (own.into(), places.over(remarks));
    let answer = rewrite_memory(&motion(), &question);
    assert_eq!(answer.state, state);
    match answer.parsed {
        Ok(Reply::Note(text)) => text.to_string(),
        other => panic!("{other:?} is no note"),
    }
}

fn integrate(news_from: u64, chars_max: u64, own: &[OwnEntry], remarks: &[Remark]) -> String {
    rewrite(Ask::Integration { news_from: Seq(news_from), chars_max }, own, remarks)
}

#[test]
fn the_old_note_and_the_news_are_kept_in_the_order_in_which_they_came() {
    let entries = [
        own(3, EntryKind::OwnBallot, "An old ballot."),
        own(5, EntryKind::Rewritten, "[MEMORY] What I wrote."),
        own(12, EntryKind::OwnBallot, "You voted: for."),
    ];
    let remarks = [said(4, 1, "Old words."), said(11, 2, "First.\n\nSecond."), said(13, 0, "The vote is held.")];
    // An integration replaces nothing that was announced: told once more, it would stand there twice.
    let expected = "An old ballot.\nWhat I wrote.\n#1.2 First.\nSecond.\nYou voted: for.";
    assert_eq!(integrate(10, 600, &entries, &remarks), expected);
    let all =
        "An old ballot.\n#1.1 Old words.\nWhat I wrote.\n#1.2 First.\nSecond.\nYou voted: for.\nThe vote is held.";
    assert_eq!(rewrite(Ask::Compression { chars_max: 600, words_max: None, focus: None }, &entries, &remarks), all);
}

#[test]
fn the_oldest_lines_go_whole_where_not_all_fit() {
    let remarks = [said(11, 2, "First.\nSecond."), said(13, 0, "The vote is held.")];
    let within = |chars_max| rewrite(Ask::Compression { chars_max, words_max: None, focus: None }, &[], &remarks);
    assert_eq!(within(25), "Second.\nThe vote is held.");
    assert_eq!(within(24), "The vote is held.");
    assert_eq!(within(16), "The vote is...");
}

#[test]
fn a_note_fills_what_is_allowed_however_much_that_is() {
    let line = "A line of forty characters, with its end";
    let remarks: Vec<Remark> = (1..=100).map(|turn| said(u64::from(turn), turn, line)).collect();
    for chars_max in [400, 600, 601, 1_500, 3_000] {
        let note = rewrite(Ask::Compression { chars_max, words_max: None, focus: None }, &[], &remarks);
        let length = crate::text::char_count(&note);
        assert!(length <= chars_max && length + 50 > chars_max, "{length} of {chars_max}");
    }
}

#[test]
fn where_words_are_counted_the_oldest_lines_go_as_well() {
    let remarks = [said(11, 2, "First.\nSecond."), said(13, 0, "The vote is held.")];
    let within =
        |words| rewrite(Ask::Compression { chars_max: 600, words_max: Some(words), focus: None }, &[], &remarks);
    assert_eq!(within(5), "Second.\nThe vote is held.");
    assert_eq!(within(4), "The vote is held.");
}

#[test]
fn only_what_a_memory_keeps_of_a_statement_is_noted() {
    let mut remark = said(11, 2, "Kept and dropped.");
    remark.kept_bytes = 4;
    assert_eq!(integrate(10, 600, &[], &[remark]), "#1.2 Kept");
}

#[test]
fn where_there_is_nothing_a_note_says_so() {
    assert_eq!(integrate(10, 600, &[], &[]), empty_note(Language::En));
    assert_eq!(integrate(10, 600, &[], &[said(2, 1, "Old words.")]), empty_note(Language::En));
    assert_eq!(integrate(0, 600, &[], &[said(2, 0, " \n ")]), empty_note(Language::En));
}

proptest! {
    #[test]
    fn a_note_fits_and_ends_with_the_newest(texts in prop::collection::vec("[a-z é\n]{0,90}[a-z]", 1..30), chars_max in 20u64..900) {
        let remarks: Vec<Remark> = texts.iter().enumerate().map(|(k, text)| said(k as u64, 0, text)).collect();
        let note = rewrite(Ask::Compression { chars_max, words_max: None, focus: None }, &[], &remarks);
        prop_assert!(text::char_count(&note) <= chars_max);
        prop_assert!(note.ends_with("...") || note.ends_with(&texts[texts.len() - 1][texts[texts.len() - 1].len() - 1..]));
        let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).filter(|l| !l.trim().is_empty()).collect();
        prop_assert!(note.contains("...") || lines.join("\n").ends_with(&note));
    }
}
