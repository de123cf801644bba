//! What reading a reply promises: nothing is guessed, and nothing panics.

use proptest::prelude::*;

use super::*;
use crate::domain::{Alternative, AlternativeName};

fn motion() -> Motion {
    let alternative =
        |name: &str| Alternative { name: AlternativeName::new(name), label: format!("{name} it"), status_quo: false };
    Motion {
        text: "Should the town try it?".to_owned(),
        alternatives: ["for", "against", "later"].map(alternative).to_vec(),
    }
}

fn statement_ask(chars_min: u32) -> Ask {
    Ask::Statement { options: vec![AlternativeId(1), AlternativeId(0)], chars_min }
}

fn ballot_ask() -> Ask {
    Ask::Ballot { options: vec![AlternativeId(1), AlternativeId(0)] }
}

fn json(ask: &Ask, raw: &str) -> Result<Reply, Fault> {
    parse(ask, &motion(), AnswerForm::JsonSchema, raw)
}

fn text(ask: &Ask, raw: &str) -> Result<Reply, Fault> {
    parse(ask, &motion(), AnswerForm::Anchored, raw)
}

#[test]
fn a_choice_is_read_from_exactly_one_object() {
    let vote = ballot_ask();
    assert_eq!(json(&vote, " {\"choice\": \" for \"}\n"), Ok(Reply::Choice(AlternativeId(0))));
    for raw in [
        "for",
        "[\"for\"]",
        "{\"choice\": \"for\"} ok",
        "```json\n{\"choice\": \"for\"}\n```",
        "{\"choice\": \"for\", \"choice\": \"for\"}",
        "{\"choice\": \"for\", \"why\": \"x\"}",
        "{\"choice\": [\"for\"]}",
        "{\"choice\": null}",
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
        assert_eq!(json(&ballot_ask(), raw), Err(Fault::Empty));
        assert_eq!(text(&statement_ask(0), raw), Err(Fault::Empty));
    }
    assert_eq!(json(&ballot_ask(), "{\"choice\": \" \"}"), Err(Fault::Empty));
    assert_eq!(text(&ballot_ask(), "CHOICE:"), Err(Fault::Empty));
    let blank = "{\"statement\": \" \", \"stance\": \"for\"}";
    assert_eq!(json(&statement_ask(0), blank), Err(Fault::Empty));
    assert_eq!(text(&statement_ask(0), "STANCE: for\nSTATEMENT:  \n"), Err(Fault::Empty));
}

#[test]
fn a_stance_may_be_withheld_but_not_left_out() {
    let silent = Ok(Reply::Statement { text: "I wait.".to_owned(), stance: None });
    let ask = statement_ask(0);
    assert_eq!(json(&ask, "{\"stance\": null, \"statement\": \"I wait.\"}"), silent);
    assert_eq!(text(&ask, "STANCE: none\nSTATEMENT: I wait."), silent);
    assert_eq!(json(&ask, "{\"statement\": \"I wait.\"}"), Err(Fault::Unreadable));
    assert_eq!(text(&ask, "STATEMENT: I wait."), Err(Fault::Unreadable));
    assert_eq!(json(&ask, "{\"statement\": \"I wait.\", \"stance\": \"none\"}"), Err(Fault::UnknownAlternative));
}

#[test]
fn two_different_choices_are_ambiguous_and_prose_is_no_choice() {
    assert_eq!(text(&ballot_ask(), "CHOICE: for\nCHOICE: against"), Err(Fault::Ambiguous));
    assert_eq!(text(&ballot_ask(), "CHOICE: for\nCHOICE: for"), Err(Fault::Unreadable));
    assert_eq!(text(&ballot_ask(), "I am for the proposal."), Err(Fault::Unreadable));
    assert_eq!(text(&ballot_ask(), "My CHOICE: for"), Err(Fault::Unreadable));
    assert_eq!(text(&ballot_ask(), "I think so.\n CHOICE: for\n"), Ok(Reply::Choice(AlternativeId(0))));
}

#[test]
fn a_passage_ends_at_the_other_anchor() {
    let said = Ok(Reply::Statement { text: "One.\nTwo.".to_owned(), stance: Some(AlternativeId(1)) });
    assert_eq!(text(&statement_ask(0), "STATEMENT: One.\nTwo.\nSTANCE: against"), said);
    assert_eq!(text(&statement_ask(0), "STANCE: against\nSTATEMENT: One.\nTwo."), said);
}

#[test]
fn a_statement_is_measured_in_unicode_scalar_values() {
    let raw = "{\"statement\": \"日本語\", \"stance\": null}";
    assert!(json(&statement_ask(3), raw).is_ok());
    assert_eq!(json(&statement_ask(4), raw), Err(Fault::TooShort));
}

/// The reply in the words that a well-behaved model would use.
fn render(reply: &Reply, form: AnswerForm) -> String {
    let motion = motion();
    let name = |id: &AlternativeId| motion.name(*id).to_string();
    match (reply, form) {
        (Reply::Statement { text, stance }, AnswerForm::JsonSchema) => {
            serde_json::json!({ "statement": text, "stance": stance.as_ref().map(name) }).to_string()
        }
        (Reply::Statement { text, stance }, AnswerForm::Anchored) => {
            let stance = stance.as_ref().map_or("none".to_owned(), name);
            format!("STANCE: {stance}\nSTATEMENT: {text}")
        }
        (Reply::Choice(id), AnswerForm::JsonSchema) => serde_json::json!({ "choice": name(id) }).to_string(),
        (Reply::Choice(id), AnswerForm::Anchored) => format!("CHOICE: {}", name(id)),
        (Reply::Pass, _) => unreachable!("a model cannot pass"),
    }
}

fn asks() -> impl Strategy<Value = Ask> {
    prop_oneof![Just(statement_ask(0)), Just(ballot_ask())]
}

fn forms() -> impl Strategy<Value = AnswerForm> {
    prop_oneof![Just(AnswerForm::JsonSchema), Just(AnswerForm::Anchored)]
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(ask in asks(), form in forms(), raw in any::<String>()) {
        let _ = parse(&ask, &motion(), form, &raw);
    }

    #[test]
    fn no_text_near_the_form_makes_the_parser_panic(
        ask in asks(),
        form in forms(),
        raw in "(CHOICE:|STANCE:|STATEMENT:|[{}\":, \n]|statement|stance|choice|for|against|é|null){0,20}",
    ) {
        let _ = parse(&ask, &motion(), form, &raw);
    }

    #[test]
    fn every_choice_survives_its_rendering(id in 0u32..2, form in forms()) {
        let reply = Reply::Choice(AlternativeId(id));
        prop_assert_eq!(parse(&ballot_ask(), &motion(), form, &render(&reply, form)), Ok(reply));
    }

    #[test]
    fn every_statement_survives_its_rendering(
        text in any::<String>(),
        stance in prop_oneof![Just(None), (0u32..2).prop_map(|id| Some(AlternativeId(id)))],
        form in forms(),
    ) {
        let text = text.trim().to_owned();
        prop_assume!(!text.is_empty());
        // The anchored form cannot carry a line that looks like an anchor, nor tell apart two kinds of line ending.
        prop_assume!(form == AnswerForm::JsonSchema || !text.contains('\r') && !text.lines().any(starts_with_anchor));
        let reply = Reply::Statement { text, stance };
        prop_assert_eq!(parse(&statement_ask(0), &motion(), form, &render(&reply, form)), Ok(reply));
    }
}
