//! What is true of simulated agents.

use super::*;
use crate::chance::{Pairing, session_seed};
use crate::domain::{
    Alternative, AlternativeName, Ask, Brief, Heard, Moment, PhaseName, SeatId, SeatName, Shown, Step,
};

const FOR: AlternativeId = AlternativeId(0);
const AGAINST: AlternativeId = AlternativeId(1);

fn motion() -> Motion {
    let alternative = |name: &str, label: &str| Alternative {
        name: AlternativeName::new(name),
        label: label.to_owned(),
        status_quo: false,
    };
    Motion {
        text: "Shall we?".to_owned(),
        alternatives: vec![alternative("for", "We shall"), alternative("against", "We shall not")],
    }
}

fn speak(chars_min: u32) -> Ask {
    Ask::Statement { options: vec![FOR, AGAINST], chars_min }
}

fn ballot() -> Ask {
    Ask::Ballot { options: vec![AGAINST, FOR] }
}

/// A first question in round 1 to a seat that has heard these counts.
fn query<'a>(ask: Ask, state: &'a MindState, heard: &'a [u32]) -> Query<'a> {
    let step = match ask {
        Ask::Statement { .. } => Step::Statement,
        Ask::StrawPoll { .. } => Step::StrawPoll,
        Ask::Ballot { .. } => Step::Ballot,
    };
    Query {
        id: QuestionId {
            at: Moment { phase: PhaseName::new("discussion"), round: 1, turn: 2, step },
            seat: SeatName::new("Bob"),
            attempt: 0,
        },
        seat: SeatId(1),
        ask,
        retry: None,
        brief: Brief { seat: SeatId(1), remarks: &[], own: &[], heard: Heard { all: (heard, &[]), own: (&[], &[]) } },
        shown: Shown::default(),
        state,
    }
}

fn seed(replicate: u32) -> SessionSeed {
    session_seed(42, replicate, Pairing::CommonRandomNumbers, "baseline")
}

fn say(mind: &Mind, replicate: u32, query: &Query<'_>) -> Answer {
    mind.answer(&motion(), &seed(replicate), query).unwrap()
}

fn stance(answer: &Answer) -> Option<AlternativeId> {
    match &answer.parsed {
        Ok(Reply::Statement { stance, .. }) => *stance,
        Ok(Reply::Choice(chosen)) => Some(*chosen),
        Ok(Reply::Pass) | Err(_) => None,
    }
}

const RANDOM: Mind = Mind::Random { malformed_ppm: 0 };
const DEAF: Mind = Mind::Voter { copy_ppm: 0 };
const PARROT: Mind = Mind::Voter { copy_ppm: 1_000_000 };

#[test]
fn the_same_question_has_the_same_answer_whatever_the_turn() {
    let state = MindState::default();
    for mind in [RANDOM, Mind::Random { malformed_ppm: 500_000 }, DEAF, Mind::Voter { copy_ppm: 500_000 }] {
        for replicate in 1..50 {
            let mut later = query(speak(1), &state, &[2, 3]);
            let early = say(&mind, replicate, &later);
            assert_eq!(early, say(&mind, replicate, &later));
            later.id.at.turn = 7;
            assert_eq!(early, say(&mind, replicate, &later));
        }
    }
}

#[test]
fn another_attempt_draws_anew() {
    let state = MindState::default();
    let mut again = query(speak(1), &state, &[]);
    let first = say(&RANDOM, 1, &again);
    again.id.attempt = 1;
    assert_ne!(first.raw, say(&RANDOM, 1, &again).raw);
}

#[test]
fn random_choices_are_uniform_and_blind_to_the_order_shown() {
    let state = MindState::default();
    let mut favours = 0;
    for replicate in 0..2_000 {
        let mut question = query(ballot(), &state, &[]);
        let chosen = stance(&say(&RANDOM, replicate, &question));
        question.ask = Ask::Ballot { options: vec![FOR, AGAINST] };
        assert_eq!(chosen, stance(&say(&RANDOM, replicate, &question)));
        favours += u32::from(chosen == Some(FOR));
    }
    assert!((900..1_100).contains(&favours), "{favours}");
}

#[test]
fn random_texts_have_the_length_asked_for() {
    let state = MindState::default();
    let (mut shortest, mut longest) = (u64::MAX, 0);
    for replicate in 0..500 {
        for chars_min in [0, 1, 1_990, 3_000] {
            let answer = say(&RANDOM, replicate, &query(speak(chars_min), &state, &[]));
            let length = crate::text::chars(&answer.raw);
            assert!((u64::from(chars_min.max(1))..=u64::from(chars_min.max(2_000))).contains(&length));
            assert_eq!(answer.raw, answer.raw.trim());
            if chars_min == 0 {
                (shortest, longest) = (shortest.min(length), longest.max(length));
            }
        }
    }
    assert!(shortest < 50 && longest > 1_950, "{shortest} to {longest}");
}

#[test]
fn certain_malformation_always_faults_in_every_way() {
    let state = MindState::default();
    let mind = Mind::Random { malformed_ppm: 1_000_000 };
    let mut seen = std::collections::BTreeSet::new();
    for replicate in 0..100 {
        for ask in [speak(1), ballot()] {
            let answer = say(&mind, replicate, &query(ask, &state, &[]));
            let fault = answer.parsed.unwrap_err();
            assert_eq!(answer.raw.is_empty(), fault == Fault::Empty);
            assert!(motion().find(&answer.raw).is_none());
            seen.insert(fault);
        }
    }
    let expected = [Fault::Unreadable, Fault::UnknownAlternative, Fault::Ambiguous, Fault::Empty];
    assert_eq!(seen, expected.into_iter().collect());
}

#[test]
fn a_voter_that_always_copies_adopts_the_only_stance_heard() {
    let state = MindState(vec![0]);
    for replicate in 0..50 {
        let answer = say(&PARROT, replicate, &query(speak(1), &state, &[0, 3]));
        assert_eq!((stance(&answer), answer.state), (Some(AGAINST), MindState(vec![1])));
    }
}

#[test]
fn a_voter_copies_in_proportion_to_what_it_heard() {
    let state = MindState(vec![1]);
    let copies = (0..2_000).filter(|r| stance(&say(&PARROT, *r, &query(speak(1), &state, &[3, 1]))) == Some(FOR));
    let copies = copies.count();
    assert!((1_400..1_600).contains(&copies), "{copies}");
}

#[test]
fn a_voter_that_heard_nothing_or_never_copies_keeps_its_opinion() {
    let state = MindState(vec![0]);
    for replicate in 0..50 {
        assert_eq!(stance(&say(&PARROT, replicate, &query(speak(1), &state, &[]))), Some(FOR));
        assert_eq!(stance(&say(&DEAF, replicate, &query(speak(1), &state, &[0, 9]))), Some(FOR));
    }
}

#[test]
fn a_voter_comes_with_one_opinion_whatever_it_is_asked_first() {
    let state = MindState::default();
    let mut favours = 0;
    for replicate in 0..1_000 {
        let spoken = say(&DEAF, replicate, &query(speak(1), &state, &[]));
        let voted = say(&DEAF, replicate, &query(ballot(), &state, &[]));
        assert_eq!((stance(&spoken), &spoken.state), (stance(&voted), &voted.state));
        favours += u32::from(stance(&voted) == Some(FOR));
    }
    assert!((430..570).contains(&favours), "{favours}");
}

#[test]
fn a_vote_copies_nothing_and_names_the_alternative() {
    let state = MindState(vec![0]);
    let answer = say(&PARROT, 1, &query(ballot(), &state, &[0, 9]));
    assert_eq!((answer.raw.as_str(), answer.parsed), ("for", Ok(Reply::Choice(FOR))));
}

#[test]
fn a_voter_says_what_it_favours_at_the_length_asked_for() {
    let state = MindState(vec![1]);
    assert_eq!(say(&DEAF, 1, &query(speak(1), &state, &[])).raw, "I favour: We shall not.");
    for chars_min in 1..200 {
        let length = crate::text::chars(&say(&DEAF, 1, &query(speak(chars_min), &state, &[])).raw);
        assert!(length >= u64::from(chars_min));
    }
}

fn line(text: &str) -> Line {
    Line::Statement { text: text.to_owned(), stance: Some(FOR) }
}

#[test]
fn a_list_is_said_line_by_line_and_then_ends() {
    let mind = Mind::Scripted(Script::List(vec![line("first"), Line::Pass]));
    let mut state = MindState::default();
    for (raw, parsed) in [("first", Some(FOR)), ("", None)] {
        let answer = say(&mind, 1, &query(speak(1), &state, &[]));
        assert_eq!((answer.raw.as_str(), stance(&answer)), (raw, parsed));
        assert!(answer.parsed.is_ok());
        state = answer.state;
    }
    let question = query(speak(1), &state, &[]);
    let ended = Outage::ScriptEnded { seat: "Bob".to_owned(), question: Box::new(question.id.clone()) };
    assert_eq!(mind.answer(&motion(), &seed(1), &question), Err(ended));
}

#[test]
fn a_table_is_read_by_coordinate_and_repeats_itself() {
    let row = |round, step, line| (PhaseName::new("discussion"), round, step, line);
    let mind = Mind::Scripted(Script::Table(vec![
        row(2, Step::Statement, line("second")),
        row(1, Step::Ballot, Line::Choice(AGAINST)),
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
        (Line::Pass, ballot(), "", Fault::Ambiguous),
        (Line::Choice(FOR), speak(1), "for", Fault::Ambiguous),
        (line("  "), speak(1), "  ", Fault::Empty),
        (Line::Malformed("%!".to_owned()), speak(1), "%!", Fault::Unreadable),
        (Line::Malformed(String::new()), ballot(), "", Fault::Empty),
        (Line::Choice(FOR), Ask::Ballot { options: vec![AGAINST] }, "for", Fault::UnknownAlternative),
    ];
    let state = MindState::default();
    for (line, ask, raw, fault) in cases {
        let mind = Mind::Scripted(Script::List(vec![line]));
        let answer = say(&mind, 1, &query(ask, &state, &[]));
        assert_eq!((answer.raw.as_str(), answer.parsed), (raw, Err(fault)));
        assert_eq!(answer.state, MindState(vec![1]));
    }
}
