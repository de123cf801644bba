//! What reading a reply promises: nothing is guessed, and nothing panics.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::domain::Alternative;
use crate::domain::tests::{ask_ballot, ask_statement, make_alternative, make_motion};
use crate::domain::{BallotForm, Language, SeatId, Seq, Situation, TestQuestion};
use crate::prompt::form::is_note;
use crate::prompt::rehearsal::sample;

mod laws {
    use super::*;

    mod tests;
}

fn motion() -> Motion {
    let alternatives = ["for", "against", "later"].map(|name| make_alternative(name, &format!("{name} it")));
    make_motion("Should the town try it?", alternatives.to_vec(), None)
}

/// A motion with amounts up to 100 000; the sample's greatest income is 32 000.
fn principles() -> Motion {
    let all = [("floor", false), ("average", false), ("average_floor", true), ("average_range", true)];
    make_motion(
        "",
        all.map(|(name, takes_amount)| Alternative { takes_amount, ..make_alternative(name, "") }).to_vec(),
        Some(100_000),
    )
}

fn statement_ask(chars_min: u32) -> Ask {
    ask_statement(vec![AlternativeId(1), AlternativeId(0)], chars_min)
}

fn ballot_ask() -> Ask {
    ask_ballot(vec![AlternativeId(1), AlternativeId(0)], BallotForm::Choice)
}

fn all() -> Vec<AlternativeId> {
    [3, 1, 0, 2].map(AlternativeId).to_vec()
}

fn application_ask() -> Ask {
    Ask::Application { options: all(), situation: Arc::new(sample::situation()) }
}

fn test_ask() -> Ask {
    let situation: Situation = sample::situation();
    let question = TestQuestion { alternative: AlternativeId(0), amount: None, answer: 4 };
    Ask::Comprehension { situation: Arc::new(situation), questions: vec![question; 3].into() }
}

/// Every kind of question about the four principles.
fn every_ask() -> Vec<Ask> {
    vec![
        ask_statement(all(), 0),
        Ask::StrawPoll { options: all(), opinion: false },
        Ask::Statement { options: all(), chars_min: 0, chars_max: None, marks: false, opinion: true },
        Ask::StrawPoll { options: all(), opinion: true },
        ask_ballot(all(), BallotForm::Choice),
        ask_ballot(all(), BallotForm::Approval),
        ask_ballot(all(), BallotForm::Ranking { ties: false, truncated: false, top: None }),
        ask_ballot(all(), BallotForm::Ranking { ties: true, truncated: true, top: None }),
        ask_ballot(all(), BallotForm::Score { max: 5 }),
        ask_ballot(all(), BallotForm::Allocation { points: 7 }),
        Ask::Ballot { options: all(), form: BallotForm::Choice, may_abstain: true, asks_reasons: true },
        Ask::Ballot { options: all(), form: BallotForm::Score { max: 5 }, may_abstain: false, asks_reasons: true },
        Ask::Amount { alternative: AlternativeId(2) },
        Ask::Ranking { options: all() },
        test_ask(),
        application_ask(),
        Ask::Statement { options: all(), chars_min: 0, chars_max: None, marks: true, opinion: false },
        Ask::Volunteer,
        Ask::Reasoning,
        Ask::VoteCall,
        Ask::Confirmation { caller: Some(SeatId(1)) },
        Ask::Integration { news_from: Seq(3), chars_max: 200 },
        Ask::Compression { chars_max: 200, words_max: None, focus: None },
    ]
}

fn json(ask: &Ask, raw: &str) -> Result<Reply, Fault> {
    parse(ask, &motion(), AnswerForm::JsonSchema, raw)
}

fn text(ask: &Ask, raw: &str) -> Result<Reply, Fault> {
    parse(ask, &motion(), AnswerForm::Anchored, raw)
}

/// The same about the four principles.
fn json4(ask: &Ask, raw: &str) -> Result<Reply, Fault> {
    parse(ask, &principles(), AnswerForm::JsonSchema, raw)
}

fn text4(ask: &Ask, raw: &str) -> Result<Reply, Fault> {
    parse(ask, &principles(), AnswerForm::Anchored, raw)
}

fn choice(alternative: u32, amount: Option<u32>) -> Choice {
    Choice { alternative: AlternativeId(alternative), amount }
}

#[test]
fn a_choice_is_read_from_exactly_one_object() {
    let vote = ballot_ask();
    assert_eq!(json(&vote, " {\"choice\": \" for \"}\n"), Ok(Reply::Choice(AlternativeId(0).into())));
    for raw in [
        "for",
        "[\"for\"]",
        "{\"choice\": \"for\"} ok",
        "```json\n{\"choice\": \"for\"}\n```",
        "{\"choice\": \"for\", \"choice\": \"for\"}",
        "{\"choice\": \"for\", \"choice\": \"against\"}",
        "{\"choice\": \"for\", \"why\": \"x\"}",
        "{\"choice\": \"for\", \"amount\": null}",
        "{\"choice\": [\"for\", \"against\"]}",
        "{}",
        "{\"choice\": \"for\"",
        "null",
    ] {
        assert_eq!(json(&vote, raw), Err(Fault::Unreadable), "{raw}");
    }
}

#[test]
fn a_name_counts_only_in_its_exact_spelling_and_only_if_it_is_an_option() {
    for name in ["For", "**for**", "proposal", "later", "for or against"] {
        let raw = format!("{{\"choice\": \"{name}\"}}");
        assert_eq!(json(&ballot_ask(), &raw), Err(Fault::UnknownAlternative), "{name}");
        let raw = format!("CHOICE: {name}");
        assert_eq!(text(&ballot_ask(), &raw), Err(Fault::UnknownAlternative), "{name}");
    }
}

#[test]
fn nothing_said_is_empty() {
    for raw in ["", " \n\t", "\u{3000}"] {
        for ask in every_ask() {
            assert_eq!(json4(&ask, raw), Err(Fault::Empty));
            assert_eq!(text4(&ask, raw), Err(Fault::Empty));
        }
    }
    assert_eq!(json(&ballot_ask(), "{\"choice\": \" \"}"), Err(Fault::Empty));
    assert_eq!(json(&ballot_ask(), "{\"choice\": null}"), Err(Fault::Empty));
    assert_eq!(text(&ballot_ask(), "CHOICE:"), Err(Fault::Empty));
    let blank = "{\"statement\": \" \", \"stance\": \"for\"}";
    assert_eq!(json(&statement_ask(0), blank), Err(Fault::Empty));
    assert_eq!(text(&statement_ask(0), "STANCE: for\nSTATEMENT:  \n"), Err(Fault::Empty));
    assert_eq!(text(&Ask::VoteCall, "ANSWER: "), Err(Fault::Empty));
}

#[test]
fn a_stance_may_be_withheld_but_not_left_out() {
    let silent = Ok(Reply::Statement { text: "I wait.".into(), stance: None, opinion: None });
    let ask = statement_ask(0);
    assert_eq!(json(&ask, "{\"stance\": null, \"statement\": \"I wait.\"}"), silent);
    assert_eq!(text(&ask, "STANCE: none\nSTATEMENT: I wait."), silent);
    assert_eq!(json(&ask, "{\"statement\": \"I wait.\"}"), Err(Fault::Unreadable));
    assert_eq!(text(&ask, "STATEMENT: I wait."), Err(Fault::Unreadable));
    assert_eq!(json(&ask, "{\"statement\": \"I wait.\", \"stance\": \"none\"}"), Err(Fault::UnknownAlternative));
    let with_amount = "{\"statement\": \"I wait.\", \"stance\": null, \"amount\": null}";
    assert_eq!(json(&ask, with_amount), Err(Fault::Unreadable), "no alternative takes an amount");
}

#[test]
fn two_different_choices_are_ambiguous_and_prose_is_no_choice() {
    assert_eq!(text(&ballot_ask(), "CHOICE: for\nCHOICE: against"), Err(Fault::Ambiguous));
    assert_eq!(text(&ballot_ask(), "CHOICE: for\nCHOICE: for"), Err(Fault::Unreadable));
    assert_eq!(text(&ballot_ask(), "I am for the proposal."), Err(Fault::Unreadable));
    assert_eq!(text(&ballot_ask(), "My CHOICE: for"), Err(Fault::Unreadable));
    assert_eq!(text(&ballot_ask(), "I think so.\n CHOICE: for\n"), Ok(Reply::Choice(AlternativeId(0).into())));
}

#[test]
fn a_passage_ends_at_the_other_anchor() {
    let said = Ok(Reply::Statement { text: "One.\nTwo.".into(), stance: Some(AlternativeId(1).into()), opinion: None });
    assert_eq!(text(&statement_ask(0), "STATEMENT: One.\nTwo.\nSTANCE: against"), said);
    assert_eq!(text(&statement_ask(0), "STANCE: against\nSTATEMENT: One.\nTwo."), said);
}

#[test]
fn a_statement_is_measured_in_unicode_scalar_values() {
    let raw = "{\"statement\": \"日本語\", \"stance\": null}";
    assert!(json(&statement_ask(3), raw).is_ok());
    assert_eq!(json(&statement_ask(4), raw), Err(Fault::TooShort));
}

#[test]
fn a_statement_may_declare_an_amount_and_need_not() {
    let ask = ask_statement(all(), 0);
    for (stance, amount, read) in [
        ("\"average_floor\"", "13000", Ok(Some(choice(2, Some(13_000))))),
        ("\"average_floor\"", "\"$13,000\"", Ok(Some(choice(2, Some(13_000))))),
        ("\"average_floor\"", "null", Ok(Some(choice(2, None)))),
        ("\"floor\"", "null", Ok(Some(choice(0, None)))),
        ("null", "null", Ok(None)),
        ("\"floor\"", "13000", Err(Fault::AmountUncalledFor)),
        ("null", "13000", Err(Fault::AmountUncalledFor)),
        ("\"average_floor\"", "13000.0", Err(Fault::AmountUnreadable)),
        ("\"average_floor\"", "\"the third\"", Err(Fault::AmountUnreadable)),
        ("\"average_floor\"", "0", Err(Fault::AmountOutOfRange)),
        ("\"average_floor\"", "100001", Err(Fault::AmountOutOfRange)),
    ] {
        let read = read.map(|stance| Reply::Statement { text: "I say so.".into(), stance, opinion: None });
        let raw = format!("{{\"statement\": \"I say so.\", \"stance\": {stance}, \"amount\": {amount}}}");
        assert_eq!(json4(&ask, &raw), read, "{raw}");
        let [stance, amount] = [stance, amount].map(|word| word.trim_matches('"').replace("null", "none"));
        let raw = format!("STANCE: {stance}\nAMOUNT: {amount}\nSTATEMENT: I say so.");
        assert_eq!(text4(&ask, &raw), read, "{raw}");
    }
    let left_out = Ok(Reply::Statement { text: "So.".into(), stance: Some(choice(2, None)), opinion: None });
    assert_eq!(text4(&ask, "STANCE: average_floor\nSTATEMENT: So."), left_out);
    let prose = "STANCE: average_floor\nSTATEMENT: A floor of $15k,\nor 13000.";
    let said =
        Reply::Statement { text: "A floor of $15k,\nor 13000.".into(), stance: Some(choice(2, None)), opinion: None };
    assert_eq!(text4(&ask, prose), Ok(said), "a number inside prose is no amount");
}

#[test]
fn a_ballot_has_no_amount_and_the_question_after_it_has_nothing_else() {
    let ballot = ask_ballot(all(), BallotForm::Choice);
    assert_eq!(json4(&ballot, "{\"choice\": \"average_floor\", \"amount\": 13000}"), Err(Fault::Unreadable));
    assert_eq!(json4(&ballot, "{\"choice\": \"average_floor\"}"), Ok(Reply::Choice(choice(2, None))));
    let two = "CHOICE: average_floor\nCHOICE: average_range";
    assert_eq!(text4(&ballot, two), Err(Fault::Ambiguous));
    assert_eq!(text4(&ballot, "CHOICE: average_floor, average_range"), Err(Fault::UnknownAlternative));
    let amount = Ask::Amount { alternative: AlternativeId(2) };
    for (written, read) in [
        ("15000", Ok(15_000)),
        ("15,000", Ok(15_000)),
        ("$15k", Ok(15_000)),
        ("15.000", Err(Fault::AmountUnreadable)),
        ("the third", Err(Fault::AmountUnreadable)),
        ("", Err(Fault::AmountMissing)),
        ("0", Err(Fault::AmountOutOfRange)),
        ("100001", Err(Fault::AmountOutOfRange)),
    ] {
        let read = read.map(Reply::Amount);
        assert_eq!(json4(&amount, &format!("{{\"amount\": \"{written}\"}}")), read, "{written}");
        assert_eq!(text4(&amount, &format!("AMOUNT: {written}")), read, "{written}");
    }
    assert_eq!(json4(&amount, "{\"amount\": 15000}"), Ok(Reply::Amount(15_000)));
    assert_eq!(json4(&amount, "{\"amount\": null}"), Err(Fault::AmountMissing));
    assert_eq!(text4(&amount, "AMOUNT: none"), Err(Fault::AmountMissing));
    assert_eq!(text4(&amount, "15000"), Err(Fault::Unreadable));
    assert_eq!(text4(&amount, "AMOUNT: 15000\nAMOUNT: 12000"), Err(Fault::Ambiguous));
}

#[test]
fn a_ranking_names_every_option_once_the_best_first() {
    let ask = Ask::Ranking { options: all() };
    let order = [2, 0, 1, 3].map(AlternativeId).to_vec();
    let ranked = Ok(Reply::Ranking { order, certainty: Certainty::Sure });
    let said = |ranking: &str| format!("RANKING: {ranking}\nCERTAINTY: sure");
    assert_eq!(text4(&ask, &said("average_floor > floor>average > average_range")), ranked);
    for (ranking, fault) in [
        ("average_floor > floor > average", Fault::NotARanking),
        ("average_floor > floor > average > floor", Fault::NotARanking),
        ("average_floor > floor = average > average_range", Fault::NotARanking),
        ("average_floor > > average > average_range", Fault::Empty),
        ("average_floor > floor > average > average_range >", Fault::Empty),
        ("average_floor > floor > average > average_range > floor", Fault::NotARanking),
        ("average_floor > floor > average > best", Fault::UnknownAlternative),
        ("average_floor, floor, average, average_range", Fault::UnknownAlternative),
        ("1. average_floor > 2. floor > 3. average > 4. average_range", Fault::UnknownAlternative),
        ("average_floor 12000 > floor > average > average_range", Fault::UnknownAlternative),
    ] {
        assert_eq!(text4(&ask, &said(ranking)), Err(fault), "{ranking}");
    }
    let object = |ranking: &str, certainty: &str| {
        json4(&ask, &format!("{{\"ranking\": {ranking}, \"certainty\": \"{certainty}\"}}"))
    };
    let whole = "[\"average_floor\", \"floor\", \"average\", \"average_range\"]";
    assert_eq!(object(whole, "sure"), ranked);
    assert_eq!(object(whole, "quite sure"), Err(Fault::UnknownAlternative));
    assert_eq!(object(whole, ""), Err(Fault::Empty));
    for (ranking, fault) in [
        ("[]", Fault::NotARanking),
        ("[\"floor\", \"average\", null, \"average_range\"]", Fault::Unreadable),
        ("[[\"floor\", \"average\"], \"average_floor\", \"average_range\"]", Fault::NotARanking),
        ("[\"floor = average\", \"average_floor\", \"average_range\"]", Fault::UnknownAlternative),
        ("[\"floor = best\", \"average_floor\", \"average_range\"]", Fault::UnknownAlternative),
        ("[1, 2, 3, 4]", Fault::Unreadable),
        ("\"floor > average > average_floor > average_range\"", Fault::Unreadable),
    ] {
        assert_eq!(object(ranking, "sure"), Err(fault), "{ranking}");
    }
}

#[test]
fn a_test_is_answered_with_one_table_for_each_question() {
    assert_eq!(json4(&test_ask(), "{\"answers\": [4, 1, 2]}"), Ok(Reply::Test(vec![4, 1, 2])));
    assert_eq!(text4(&test_ask(), "ANSWERS: 4, 1,2"), Ok(Reply::Test(vec![4, 1, 2])));
    for answers in
        ["4, 1", "4, 1, 2, 3", "4, 1, 5", "0, 1, 2", "4, 1, -2", "4, 1, +2", "4, 1, two", "4; 1; 2", "4, 1, 2."]
    {
        let raw = format!("ANSWERS: {answers}");
        assert_eq!(text4(&test_ask(), &raw), Err(Fault::Unreadable), "{raw}");
        let raw = format!("{{\"answers\": [{answers}]}}");
        assert_eq!(json4(&test_ask(), &raw), Err(Fault::Unreadable), "{raw}");
    }
}

#[test]
fn an_application_needs_the_amount_that_its_alternative_takes_within_the_incomes_of_its_tables() {
    let said = |choice: &str, amount: &str, certainty: &str| {
        format!("CHOICE: {choice}\nAMOUNT: {amount}\nCERTAINTY: {certainty}\nREASONING: A floor of 13000\nis fair.")
    };
    let read = |choice: Choice| {
        let reasoning = "A floor of 13000\nis fair.".to_owned();
        Ok(Reply::Application { choice, certainty: Certainty::NoOpinion, reasoning: reasoning.into() })
    };
    for (name, amount, expected) in [
        ("average_floor", "13,000", read(choice(2, Some(13_000)))),
        ("average_range", "32000", read(choice(3, Some(32_000)))),
        ("floor", "none", read(choice(0, None))),
        ("average_floor", "none", Err(Fault::AmountMissing)),
        ("average_floor", "32001", Err(Fault::AmountOutOfRange)),
        ("average_floor", "0", Err(Fault::AmountOutOfRange)),
        ("average_floor", "about 15k", Err(Fault::AmountUnreadable)),
        ("floor", "13000", Err(Fault::AmountUncalledFor)),
    ] {
        assert_eq!(text4(&application_ask(), &said(name, amount, "no_opinion")), expected, "{name} {amount}");
    }
    assert_eq!(text4(&application_ask(), &said("floor", "none", "5")), Err(Fault::UnknownAlternative));
    let raw = "{\"choice\": \"floor\", \"amount\": null, \"certainty\": \"very_sure\", \"reasoning\": \" \"}";
    let silent = Reply::Application { choice: choice(0, None), certainty: Certainty::VerySure, reasoning: "".into() };
    assert_eq!(json4(&application_ask(), raw), Ok(silent));
    let no_reason = "CHOICE: floor\nAMOUNT: none\nCERTAINTY: sure";
    assert_eq!(text4(&application_ask(), no_reason), Err(Fault::Unreadable));
}

#[test]
fn only_yes_is_yes_and_only_no_is_no() {
    for ask in [Ask::VoteCall, Ask::Confirmation { caller: Some(SeatId(0)) }] {
        assert_eq!(json4(&ask, "{\"answer\": \"yes\"}"), Ok(Reply::Assent(true)));
        assert_eq!(text4(&ask, "Well.\nANSWER: no"), Ok(Reply::Assent(false)));
        for word in ["Yes", "disagree", "agree", "yes, I do", "true", "y", "not yet"] {
            assert_eq!(text4(&ask, &format!("ANSWER: {word}")), Err(Fault::Unreadable), "{word}");
            assert_eq!(json4(&ask, &format!("{{\"answer\": \"{word}\"}}")), Err(Fault::Unreadable), "{word}");
        }
        assert_eq!(json4(&ask, "{\"answer\": true}"), Err(Fault::Unreadable));
        assert_eq!(text4(&ask, "yes"), Err(Fault::Unreadable));
    }
}

#[test]
fn a_thought_and_a_rewritten_memory_are_plain_text() {
    for ask in [
        Ask::Reasoning,
        Ask::Compression { chars_max: 9, words_max: None, focus: None },
        Ask::Integration { news_from: Seq(1), chars_max: 9 },
    ] {
        let note = Ok(Reply::Note("{\"I\": think}\nCHOICE: floor".into()));
        assert_eq!(json4(&ask, "{\"text\": \" I think.\\n\"}"), Ok(Reply::Note("I think.".into())));
        assert_eq!(json4(&ask, "{\"text\": \" \"}"), Err(Fault::Empty));
        assert_eq!(json4(&ask, "I think."), Err(Fault::Unreadable));
        assert_eq!(text4(&ask, " {\"I\": think}\nCHOICE: floor\n"), note);
    }
}

#[test]
fn a_refusal_in_words_is_no_answer() {
    for ask in every_ask().iter().filter(|ask| !is_note(ask)) {
        for raw in ["I'm sorry, but I can't take part in this.", "I refuse."] {
            assert_eq!(json4(ask, raw), Err(Fault::Unreadable));
            assert_eq!(text4(ask, raw), Err(Fault::Unreadable));
        }
    }
}

#[test]
fn a_name_is_a_text_that_is_not_blank() {
    let ask = Ask::Naming { taken: [].into() };
    assert_eq!(json(&ask, "{\"name\": \" Zoë \"}"), Ok(Reply::Name("Zoë".into())));
    assert_eq!(text(&ask, "I am\nNAME: Zoë"), Ok(Reply::Name("Zoë".into())));
    assert_eq!(json(&ask, "{\"name\": \" \"}"), Err(Fault::Empty));
    assert_eq!(text(&ask, "NAME:"), Err(Fault::Empty));
    assert_eq!(json(&ask, "{\"name\": null}"), Err(Fault::Empty));
    for raw in ["Zoë", "{\"name\": \"Zoë\", \"text\": \"\"}", "[\"Zoë\"]"] {
        assert_eq!(json(&ask, raw), Err(Fault::Unreadable), "{raw}");
    }
    assert_eq!(text(&ask, "Zoë"), Err(Fault::Unreadable));
    assert_eq!(text(&ask, "NAME: Zoë\nNAME: Ada"), Err(Fault::Ambiguous));
}

#[test]
fn whether_a_seat_recognises_something_is_yes_or_no_and_its_words_are_kept() {
    let ask = Ask::Recognition;
    let said = |recognised: bool, words: Option<&str>| {
        Ok(Reply::Recognition { recognised, recognised_as: words.map(Into::into) })
    };
    assert_eq!(
        json(&ask, "{\"recognised\": \"yes\", \"which\": \" Asch,  1956? \"}"),
        said(true, Some("Asch,  1956?"))
    );
    assert_eq!(json(&ask, "{\"recognised\": \"no\", \"which\": null}"), said(false, None));
    assert_eq!(text(&ask, "RECOGNISED: yes\nWHICH: One,\nand another"), said(true, Some("One,\nand another")));
    assert_eq!(text(&ask, "RECOGNISED: yes"), said(true, None), "known, but not by name");
    assert_eq!(text(&ask, "RECOGNISED: no\nWHICH: none"), said(false, None));
    assert_eq!(text(&ask, "RECOGNISED: no\nWHICH: a little like Asch"), said(false, Some("a little like Asch")));
    for raw in ["Yes, Asch.", "WHICH: Asch", "RECOGNISED: Yes\nWHICH: Asch", "RECOGNISED: sí"] {
        assert_eq!(text(&ask, raw), Err(Fault::Unreadable), "{raw}");
    }
    for raw in ["{\"which\": null}", "{\"recognised\": true, \"which\": null}", "yes"] {
        assert_eq!(json(&ask, raw), Err(Fault::Unreadable), "{raw}");
    }
    for (language, raw, words) in [
        (Language::Es, "RECONOCIDO: sí\nCUÁL: Asch, 1956", Some("Asch, 1956")),
        (Language::Es, "RECONOCIDO: sí\nCUÁL: ninguno", None),
        (Language::Zh, "认出：是\n哪一个：阿希实验", Some("阿希实验")),
    ] {
        let motion = Motion { language, ..motion() };
        assert_eq!(parse(&ask, &motion, AnswerForm::Anchored, raw), said(true, words), "{raw}");
    }
    let typed = |raw: &str| parse(&ask, &motion(), AnswerForm::Typed, raw);
    assert_eq!(typed("yes\nthe one with the lines"), said(true, Some("the one with the lines")));
    assert_eq!((typed("yes"), typed("no")), (said(true, None), said(false, None)));
    assert_eq!(typed("perhaps"), Err(Fault::Unreadable));
}

#[test]
fn notes_are_lines_to_add_and_a_text_to_replace_and_either_may_be_left_out() {
    let ask = Ask::Notes { notes: "We met.".into() };
    let note = |append: Option<&str>, replace: Option<(&str, &str)>| {
        let replace = replace.map(|(old, new)| Replacement { old: old.into(), new: new.into() });
        Ok(Reply::Notes(NoteTaken { append: append.map(Into::into), replace }))
    };
    let both = "{\"append\": \" More.\\n\", \"replace\": \"met\", \"with\": \"\"}";
    assert_eq!(json(&ask, both), note(Some("More."), Some(("met", ""))));
    assert_eq!(json(&ask, "{\"append\": null, \"replace\": null}"), note(None, None));
    assert_eq!(json(&ask, "{\"append\": \" \", \"replace\": null}"), note(None, None));
    assert_eq!(
        text(&ask, "APPEND: One.\nTwo.\nREPLACE: met\nWITH: meet"),
        note(Some("One.\nTwo."), Some(("met", "meet")))
    );
    assert_eq!(text(&ask, "APPEND: none"), note(None, None));
    for raw in [
        "More.",
        "{\"replace\": null, \"with\": null}",
        "{\"append\": null, \"replace\": \"met\"}",
        "{\"append\": null, \"replace\": {\"old\": \"met\", \"new\": \"\"}}",
        "{\"append\": 1, \"replace\": null}",
    ] {
        assert_eq!(json(&ask, raw), Err(Fault::Unreadable), "{raw}");
    }
    assert_eq!(text(&ask, "APPEND: One.\nREPLACE: met"), Err(Fault::Unreadable));
    assert_eq!(text(&ask, "More."), Err(Fault::Unreadable));
}

#[test]
fn a_ballot_has_its_reasons_beside_it_and_counts_without_them() {
    let ask = Ask::Ballot { options: all(), form: BallotForm::Approval, may_abstain: true, asks_reasons: true };
    let (floor, why): (Reply, Option<Arc<str>>) =
        (Reply::Ballot(Ballot::Approval(vec![AlternativeId(0)])), Some("It is\nfair.".into()));
    let reasoned = floor.clone().with_reasoning(why.clone());
    assert_eq!(json4(&ask, "{\"approves\": [\"floor\"], \"reasoning\": \"It is\\nfair.\"}"), Ok(reasoned.clone()));
    assert_eq!(json4(&ask, "{\"approves\": [\"floor\"], \"reasoning\": null}"), Ok(floor.clone()));
    assert_eq!(json4(&ask, "{\"approves\": [\"floor\"]}"), Ok(floor.clone()));
    assert_eq!(text4(&ask, "APPROVES: floor\nREASONING: It is\nfair."), Ok(reasoned.clone()));
    assert_eq!(text4(&ask, "APPROVES: floor"), Ok(floor.clone()));
    assert_eq!(json4(&ask, "{\"approves\": \"abstain\"}"), Ok(Reply::Abstention));
    let abstention = Reply::Abstention.with_reasoning(why);
    assert_eq!(text4(&ask, "APPROVES: abstain\nREASONING: It is\nfair."), Ok(abstention.clone()));
    let typed = |raw: &str| parse(&ask, &principles(), AnswerForm::Typed, raw);
    assert_eq!(typed("floor\nIt is\nfair."), Ok(reasoned));
    assert_eq!(typed("floor"), Ok(floor));
    assert_eq!(typed("abstain"), Ok(Reply::Abstention));
    assert_eq!(typed("abstain\nIt is\nfair."), Ok(abstention));
    let unasked = Ask::Ballot { options: all(), form: BallotForm::Approval, may_abstain: true, asks_reasons: false };
    assert_eq!(json4(&unasked, "{\"approves\": [\"floor\"], \"reasoning\": \"Why?\"}"), Err(Fault::Unreadable));
}
