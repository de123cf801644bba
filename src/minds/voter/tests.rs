//! What is true of the voter model.

use crate::domain::{AlternativeId, Ask, Certainty, Choice, MindState, Reply};
use crate::minds::tests::{
    AGAINST, DEAF, FOR, PARROT, ballot, every_ask, on_principles, options, query, say, speak, stance,
};

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
    assert_eq!((answer.raw.as_str(), answer.parsed), ("for", Ok(Reply::Choice(FOR.into()))));
}

#[test]
fn a_voter_says_what_it_favours_at_the_length_asked_for() {
    let state = MindState(vec![1]);
    assert_eq!(say(&DEAF, 1, &query(speak(1), &state, &[])).raw, "I favour: We shall not.");
    for chars_min in 1..200 {
        let length = crate::text::char_count(&say(&DEAF, 1, &query(speak(chars_min), &state, &[])).raw);
        assert!(length >= u64::from(chars_min));
    }
}

#[test]
fn a_voter_names_one_amount_until_it_hears_another() {
    let state = MindState(vec![2]);
    let polled = |amounts: &'static [Option<(u32, u32)>]| {
        let mut question = query(Ask::StrawPoll { options: options(), opinion: false }, &state, &[]);
        question.brief.heard.amounts = amounts.into();
        on_principles(&DEAF, 3, &question).parsed
    };
    let named = |answer| match answer {
        Ok(Reply::Choice(Choice { amount: Some(amount), .. })) => amount,
        other => panic!("{other:?}"),
    };
    let own = named(polled(&[]));
    assert!(own % 1_000 == 0 && (1_000..=40_000).contains(&own));
    let asked = query(Ask::Amount { alternative: AlternativeId(2) }, &state, &[]);
    assert_eq!(on_principles(&DEAF, 3, &asked).parsed, Ok(Reply::Amount(own)));
    assert_eq!(named(polled(&[None, None, Some((12_345, 0)), None])), 12_345);
}

#[test]
fn a_voter_ranks_what_it_holds_first_and_votes_when_all_agree() {
    let state = MindState(vec![2]);
    let ranking = on_principles(&DEAF, 1, &query(Ask::Ranking { options: options() }, &state, &[])).parsed;
    let order = [2, 0, 1, 3].map(AlternativeId).to_vec();
    assert_eq!(ranking, Ok(Reply::Ranking { order, certainty: Certainty::NoOpinion }));
    for (heard, calls) in [([0, 0, 0, 0], false), ([0, 0, 3, 0], true), ([1, 0, 3, 0], false)] {
        let answer = on_principles(&DEAF, 1, &query(Ask::VoteCall, &state, &heard));
        assert_eq!(answer.parsed, Ok(Reply::Assent(calls)));
    }
}

#[test]
fn a_voter_that_pushes_something_declares_it_and_keeps_its_opinion() {
    let state = MindState(vec![2]);
    for ask in every_ask() {
        let mut question = query(ask, &state, &[]);
        question.pushes = Some(AlternativeId(0));
        let answer = on_principles(&DEAF, 1, &question);
        match (stance(&answer), answer.parsed) {
            (Some(stance), _) => assert_eq!(stance, AlternativeId(0)),
            (None, Ok(Reply::Ranking { order, .. })) => assert_eq!(order[0], AlternativeId(2)),
            (None, Ok(Reply::Application { choice, .. })) => assert_eq!(choice.alternative, AlternativeId(2)),
            _ => {}
        }
        assert_eq!(answer.state, state);
    }
}
