//! What is true of confederates.

use super::*;
use crate::domain::tests::ask_ballot;
use crate::domain::{Ask, Certainty, Named, Number, SeatId, Seq, Sign};
use crate::minds::Mind;
use crate::minds::tests::{AGAINST, FOR, ballot, every_ask, motion, on_principles, query, say, seed, speak, stance};

fn line(text: &str) -> ScriptLine {
    Reply::Statement { text: text.into(), stance: Some(FOR.into()), opinion: None }.into()
}

#[test]
fn a_list_is_said_line_by_line_and_then_ends() {
    let mind = Mind::Scripted(Script::List(vec![line("first"), Reply::Pass.into()]));
    let mut state = MindState::default();
    for (raw, parsed) in [("first", Some(FOR)), ("", None)] {
        let answer = say(&mind, 1, &query(speak(1), &state, &[]));
        assert_eq!((answer.raw.as_str(), stance(&answer)), (raw, parsed));
        assert!(answer.parsed.is_ok());
        state = answer.state;
    }
    let question = query(speak(1), &state, &[]);
    let remedy = "its list has 2 lines: add another".to_owned();
    let ended = Outage::ScriptEnded { seat: "Bob".to_owned(), question: Box::new(question.id.clone()), remedy };
    assert_eq!(mind.answer(&motion(), &seed(1), &question), Err(ended));
}

#[test]
fn a_table_is_read_by_coordinate_and_repeats_itself() {
    let row = |round, step, line| (PhaseName::new("discussion"), round, step, line);
    let mind = Mind::Scripted(Script::Table(vec![
        row(2, Step::Statement, line("second")),
        row(1, Step::Ballot, Reply::Choice(AGAINST.into()).into()),
        row(1, Step::Statement, line("first")),
    ]));
    let state = MindState::default();
    let mut question = query(speak(1), &state, &[]);
    for attempt in 0..3 {
        question.id.attempt = attempt;
        let answer = say(&mind, 1, &question);
        assert_eq!((answer.raw.as_str(), answer.state), ("first", MindState::default()));
    }
    assert_eq!(stance(&say(&mind, 1, &query(ballot(), &state, &[]))), Some(AGAINST));
    question.id.at.round = 3;
    assert!(mind.answer(&motion(), &seed(1), &question).is_err());
}

#[test]
fn a_line_that_does_not_fit_its_question_is_a_fault() {
    let cases = [
        (line("words"), ballot(), "words", Fault::Ambiguous),
        (Reply::Pass.into(), ballot(), "", Fault::Ambiguous),
        (Reply::Choice(FOR.into()).into(), speak(1), "for", Fault::Ambiguous),
        (line("  "), speak(1), "  ", Fault::Empty),
        (Said::Malformed("%!".to_owned()).into(), speak(1), "%!", Fault::Unreadable),
        (Said::Malformed(String::new()).into(), ballot(), "", Fault::Empty),
        (
            Reply::Choice(FOR.into()).into(),
            ask_ballot(vec![AGAINST], BallotForm::Choice),
            "for",
            Fault::UnknownAlternative,
        ),
    ];
    let state = MindState::default();
    for (line, ask, raw, fault) in cases {
        let mind = Mind::Scripted(Script::List(vec![line]));
        let answer = say(&mind, 1, &query(ask, &state, &[]));
        assert_eq!((answer.raw.as_str(), answer.parsed), (raw, Err(fault)));
        assert_eq!(answer.state, MindState(vec![1]));
    }
}

#[test]
fn a_table_can_answer_every_kind_of_question() {
    let choice = |place, amount| Choice { alternative: AlternativeId(place), amount };
    let order = [2, 1, 3, 0].map(AlternativeId).to_vec();
    let application = Reply::Application {
        choice: choice(3, Some(15_000)),
        certainty: Certainty::Sure,
        reasoning: "Less spread.".into(),
    };
    let lines = [
        (
            Reply::Statement { text: "I like floors.".into(), stance: Some(choice(2, Some(13_000))), opinion: None },
            "I like floors.",
        ),
        (Reply::Choice(choice(2, Some(13_000))), "average_floor 13000"),
        (Reply::Choice(choice(2, Some(13_000))), "average_floor"),
        (Reply::Amount(13_000), "13000"),
        (
            Reply::Ranking { order, certainty: Certainty::VerySure },
            "average_floor > average > average_range > floor (very_sure)",
        ),
        (Reply::Test(vec![4, 3, 2]), "4, 3, 2"),
        (application, "average_range 15000 (sure): Less spread."),
        (
            Reply::Statement { text: "I like floors.".into(), stance: None, opinion: None },
            "[OPPOSE #1.2] [PROPOSAL] I like floors.",
        ),
        (Reply::Urgency(Some(7)), "7"),
        (Reply::Note("Whom do I trust?".into()), "Whom do I trust?"),
        (Reply::Assent(false), "no"),
        (Reply::Assent(true), "yes"),
        (Reply::Note("Bob wants a floor.".into()), "Bob wants a floor."),
        (Reply::Note("A floor it is.".into()), "A floor it is."),
    ];
    let marks = vec![
        Mark { sign: Sign::Oppose, names: Named::Number(Number { round: 1, turn: 2 }) },
        Mark { sign: Sign::Proposal, names: Named::Nothing },
    ];
    let state = MindState::default();
    for (ask, (line, raw)) in every_ask().into_iter().zip(lines) {
        let question = query(ask, &state, &[]);
        let id = &question.id.at;
        let line = ScriptLine { marks: marks.clone(), ..line.into() };
        let mind = Mind::Scripted(Script::Table(vec![(id.phase.clone(), id.round, id.step, line)]));
        let answer = on_principles(&mind, 1, &question);
        assert_eq!(answer.raw, raw);
        assert!(answer.parsed.is_ok(), "{raw}: {:?}", answer.parsed);
    }
}

#[test]
fn a_line_with_the_wrong_amount_order_or_number_of_answers_is_a_fault() {
    let line_choice = |place, amount| Reply::Choice(Choice { alternative: AlternativeId(place), amount });
    let ranking = |order: &[u32]| Reply::Ranking {
        order: order.iter().copied().map(AlternativeId).collect(),
        certainty: Certainty::Sure,
    };
    let asks = every_ask();
    let [_, poll, _, amount, rank, test, apply, _, volunteer, thought, call, ..] = asks.as_slice() else {
        panic!("too few")
    };
    let application = |place, amount| Reply::Application {
        choice: Choice { alternative: AlternativeId(place), amount },
        certainty: Certainty::Sure,
        reasoning: "".into(),
    };
    let cases = [
        (poll, line_choice(2, Some(0)), Fault::AmountOutOfRange),
        (poll, line_choice(2, Some(40_001)), Fault::AmountOutOfRange),
        (poll, line_choice(0, Some(1)), Fault::AmountUncalledFor),
        (amount, Reply::Amount(0), Fault::AmountOutOfRange),
        (amount, line_choice(2, Some(13_000)), Fault::Ambiguous),
        (rank, ranking(&[0, 1, 2]), Fault::NotARanking),
        (rank, ranking(&[0, 1, 2, 2]), Fault::NotARanking),
        (rank, line_choice(0, None), Fault::Ambiguous),
        (test, Reply::Test(vec![1, 2]), Fault::Unreadable),
        (test, Reply::Test(vec![1, 2, 5]), Fault::Unreadable),
        // The sample's greatest income is 32 000.
        (apply, application(2, Some(32_001)), Fault::AmountOutOfRange),
        (apply, application(2, None), Fault::AmountMissing),
        (apply, line_choice(0, None), Fault::Ambiguous),
        (volunteer, Reply::Urgency(Some(11)), Fault::Unreadable),
        (volunteer, Reply::Assent(true), Fault::Ambiguous),
        (thought, Reply::Note(" ".into()), Fault::Empty),
        (call, Reply::Note("yes".into()), Fault::Ambiguous),
    ];
    let state = MindState::default();
    for (ask, line, fault) in cases {
        let mind = Mind::Scripted(Script::List(vec![line.clone().into()]));
        assert_eq!(on_principles(&mind, 1, &query(ask.clone(), &state, &[])).parsed, Err(fault), "{line:?}");
    }
}

#[test]
fn a_list_takes_no_line_for_rewriting_a_memory_and_an_empty_table_needs_none() {
    let state = MindState(vec![1]);
    for script in [Script::List(vec![Reply::Pass.into()]), Script::Table(Vec::new())] {
        let mind = Mind::Scripted(script);
        for ask in [
            Ask::Integration { news_from: Seq(0), chars_max: 99 },
            Ask::Compression { chars_max: 99, words_max: None, focus: None },
        ] {
            let answer = on_principles(&mind, 1, &query(ask, &state, &[]));
            assert_eq!((answer.parsed, answer.state), (Ok(Reply::Note("Nothing to note.".into())), state.clone()));
        }
        for ask in [Ask::Reasoning, Ask::VoteCall, Ask::Confirmation { caller: Some(SeatId(0)) }] {
            assert!(mind.answer(&motion(), &seed(1), &query(ask, &state, &[])).is_err());
        }
    }
}
