//! What is true of simulated agents.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::chance::{Pairing, session_seed};
use crate::domain::Alternative;
use crate::domain::tests::{ask_ballot, ask_statement, make_alternative, make_motion, make_query};
use crate::domain::{
    AlternativeId, Ask, Ballot, BallotForm, Field, FieldKind, Form, FormAsked, Language, Presence, Reply, SeatId, Seq,
    TestQuestion,
};
use crate::mechanism::tests::{published, situation};
use crate::question::check_values;

pub(super) const FOR: AlternativeId = AlternativeId(0);
pub(super) const AGAINST: AlternativeId = AlternativeId(1);

pub(super) fn motion() -> Motion {
    let alternatives = [("for", "We shall"), ("against", "We shall not")];
    make_motion("Shall we?", alternatives.map(|(name, label)| make_alternative(name, label)).to_vec(), None)
}

/// The four principles as a motion.
pub(super) fn principles() -> Motion {
    let alternatives = [
        make_alternative("floor", "The highest low income"),
        make_alternative("average", "The highest average income"),
        Alternative {
            takes_amount: true,
            ..make_alternative("average_floor", "The highest average income with a floor")
        },
        Alternative {
            takes_amount: true,
            ..make_alternative("average_range", "The highest average income within a range")
        },
    ];
    make_motion("Which principle?", alternatives.to_vec(), Some(40_000))
}

/// All four principles, not in the scenario's order.
pub(super) fn options() -> Vec<AlternativeId> {
    [2, 0, 3, 1].map(AlternativeId).to_vec()
}

pub(super) fn speak(chars_min: u32) -> Ask {
    ask_statement(vec![FOR, AGAINST], chars_min)
}

pub(super) fn ballot() -> Ask {
    ask_ballot(vec![AGAINST, FOR], BallotForm::Choice)
}

/// A form of every kind of field.
fn form() -> FormAsked {
    let options = || vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    let kinds = [
        FieldKind::Choice { options: options() },
        FieldKind::Approval { options: options() },
        FieldKind::Ranking { options: options(), ties: true, truncated: true, top: None },
        FieldKind::Score { options: options(), max: 10 },
        FieldKind::Allocation { options: options(), points: 7 },
        FieldKind::Number { min: -25, max: 105, decimals: 1 },
        FieldKind::Numbers { min: 1, max: 4, count: 3 },
        FieldKind::YesNo,
        FieldKind::Text { chars_min: 5, chars_max: 40, one_line: true },
    ];
    let field = |(place, kind)| {
        let presence = if place == 7 { Presence::MayBeLeftOut } else { Presence::Required };
        Field { id: format!("f{place}"), anchor: format!("F{place}"), kind, presence }
    };
    let fields: Vec<Field> = kinds.into_iter().enumerate().map(field).collect();
    let questions = fields.iter().map(|field| format!("{}?", field.id)).collect();
    FormAsked { form: Form { fields, language: Language::En }, questions, measures: Vec::new() }
}

/// Every kind of question on the motion of principles.
pub(super) fn every_ask() -> Vec<Ask> {
    let sample = Arc::new(situation("sample"));
    let question = |place, amount, answer| TestQuestion { alternative: AlternativeId(place), amount, answer };
    let questions = Arc::from([question(0, None, 4), question(2, Some(13_000), 3), question(3, Some(15_000), 2)]);
    vec![
        ask_statement(options(), 10),
        Ask::StrawPoll { options: options(), opinion: false },
        ask_ballot(options(), BallotForm::Choice),
        Ask::Amount { alternative: AlternativeId(2) },
        Ask::Ranking { options: options() },
        Ask::Comprehension { situation: Arc::clone(&sample), questions },
        Ask::Application { options: options(), situation: sample },
        Ask::Statement { options: options(), chars_min: 10, chars_max: None, marks: true, opinion: false },
        Ask::Volunteer,
        Ask::Reasoning,
        Ask::VoteCall,
        Ask::Confirmation { caller: Some(SeatId(0)) },
        Ask::Integration { news_from: Seq(0), chars_max: 400 },
        Ask::Compression { chars_max: 400, words_max: None, focus: None },
        Ask::Notes { notes: "".into() },
        Ask::Recognition,
        Ask::Form { asked: Arc::new(form()) },
    ]
}

/// A first question in round 1 to a seat that has heard these counts, and no amounts.
pub(super) fn query<'a>(ask: Ask, state: &'a MindState, heard: &'a [u32]) -> Query<'a> {
    let mut query = make_query(("discussion", 1, 2), ask, state);
    query.brief.heard.all = (heard, &[]);
    query
}

pub(super) fn seed(replicate: u32) -> SessionSeed {
    session_seed(42, replicate, Pairing::CommonRandomNumbers, "baseline")
}

pub(super) fn say(mind: &Mind, replicate: u32, query: &Query<'_>) -> Answer {
    admitted(&motion(), query, mind.answer(&motion(), &seed(replicate), query).unwrap())
}

/// An answer as a session takes it.
pub(super) fn admitted(motion: &Motion, query: &Query<'_>, answer: Answer) -> Answer {
    let parsed = answer.parsed.and_then(|reply| crate::engine::admissible(motion, &query.ask, reply));
    Answer { parsed, ..answer }
}

pub(super) fn stance(answer: &Answer) -> Option<AlternativeId> {
    match &answer.parsed {
        Ok(Reply::Statement { stance, .. }) => stance.map(|stance| stance.alternative),
        Ok(Reply::Choice(chosen)) => Some(chosen.alternative),
        _ => None,
    }
}

pub(super) const RANDOM: Mind = Mind::Random { malformed_ppm: 0, abstain_ppm: 0 };
pub(super) const DEAF: Mind = Mind::Voter { copy_ppm: 0 };
pub(super) const PARROT: Mind = Mind::Voter { copy_ppm: 1_000_000 };

#[test]
fn the_same_question_has_the_same_answer_whatever_the_turn() {
    let state = MindState::default();
    for mind in
        [RANDOM, Mind::Random { malformed_ppm: 500_000, abstain_ppm: 0 }, DEAF, Mind::Voter { copy_ppm: 500_000 }]
    {
        for replicate in 1..50 {
            let mut later = query(speak(1), &state, &[2, 3]);
            let early = say(&mind, replicate, &later);
            assert_eq!(early, say(&mind, replicate, &later));
            later.id.at.turn = 7;
            assert_eq!(early, say(&mind, replicate, &later));
        }
    }
}

/// One of each kind of mind that is asked everything.
pub(super) fn everybody() -> Vec<Mind> {
    let trait_value = |millionths| TraitValue::Uniform { least: 0, greatest: millionths };
    let justice = Justice {
        risk_aversion: trait_value(8_000_000),
        fairness: trait_value(1_000_000),
        precision: trait_value(8_000_000),
        persuasion: trait_value(1_000_000),
        counts: JusticeScope::Everything,
        practised: Arc::new(published()),
    };
    let mut all = vec![
        RANDOM,
        Mind::Random { malformed_ppm: 500_000, abstain_ppm: 0 },
        Mind::Voter { copy_ppm: 500_000 },
        Mind::Justice(justice),
        Mind::Justice(Justice::of_pay(trait_value(8_000_000), Arc::new(published()))),
        Mind::Tallying { cites: 1 },
    ];
    let one = trait_value(1_000_000);
    let (self_weight, weights) = (one, InfluenceWeights::Equal);
    let rules = [
        OpinionRule::Degroot { self_weight, weights: weights.clone() },
        OpinionRule::FriedkinJohnsen {
            stubbornness: one,
            self_weight,
            weights,
            attractor: one,
            pull: TraitValue::Fixed(0),
        },
        OpinionRule::HegselmannKrause { confidence: one },
        OpinionRule::Deffuant { confidence: one, convergence: trait_value(500_000) },
        OpinionRule::QVoter { q: 2, noise: TraitValue::Fixed(100_000) },
        OpinionRule::Majority { group: 3 },
        OpinionRule::ArgumentExchange {
            arguments: 4,
            source: ArgumentSource::Pool { each: 5 },
            homophily: trait_value(9_000_000),
        },
        OpinionRule::SocialDecisionScheme(Scheme::MajorityElseHung),
        OpinionRule::QuantalResponse { precision: one, utilities: vec![1_000_000, 0, 500_000, 2_000_000] },
        OpinionRule::Polya { concentration: TraitValue::Fixed(2_000_000) },
        OpinionRule::Juror,
    ];
    all.extend(rules.map(|rule| Mind::Opinionated(Opinionated { opinion: None, indifference: None, rule })));
    all
}

pub(super) fn on_principles(mind: &Mind, replicate: u32, query: &Query<'_>) -> Answer {
    admitted(&principles(), query, mind.answer(&principles(), &seed(replicate), query).unwrap())
}

#[test]
fn every_question_has_an_answer_of_its_kind() {
    let state = MindState::default();
    for mind in everybody() {
        for ask in every_ask() {
            for replicate in 0..40 {
                let answer = on_principles(&mind, replicate, &query(ask.clone(), &state, &[1, 0, 2, 0]));
                let fits = match (&answer.parsed, &ask) {
                    (
                        Ok(
                            Reply::Statement { stance: Some(choice), .. }
                            | Reply::Choice(choice)
                            | Reply::Opined(choice, _),
                        ),
                        _,
                    ) => {
                        let is_ballot = matches!(ask, Ask::Ballot { .. });
                        choice.amount.is_some() == (choice.alternative.0 >= 2 && !is_ballot)
                    }
                    (Ok(Reply::Amount(amount)), Ask::Amount { .. }) => (1..=40_000).contains(amount),
                    (Ok(Reply::Ranking { order, .. }), Ask::Ranking { .. }) => {
                        order.iter().collect::<BTreeSet<_>>().len() == 4 && order.len() == 4
                    }
                    (Ok(Reply::Test(answers)), Ask::Comprehension { questions, .. }) => {
                        answers.len() == questions.len() && answers.iter().all(|table| (1..=4).contains(table))
                    }
                    (Ok(Reply::Application { choice, .. }), Ask::Application { situation, .. }) => {
                        choice.amount.is_some() == (choice.alternative.0 >= 2)
                            && choice.amount.is_none_or(|amount| (1..=situation.income_max()).contains(&amount))
                    }
                    (Ok(Reply::Urgency(urgency)), Ask::Volunteer) => urgency.is_none_or(|urgency| urgency <= 10),
                    (Ok(Reply::Assent(_)), Ask::VoteCall | Ask::Confirmation { .. }) => true,
                    (Ok(Reply::Note(text)), Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. }) => {
                        !text.is_empty()
                    }
                    (Ok(Reply::Notes(note)), Ask::Notes { .. }) => note.replace.is_none(),
                    (Ok(Reply::Recognition { recognised, recognised_as }), Ask::Recognition) => {
                        !recognised && recognised_as.is_none()
                    }
                    (Ok(Reply::Form(values)), Ask::Form { asked }) => check_values(&asked.form, values).is_ok(),
                    (Err(_), _) => mind == Mind::Random { malformed_ppm: 500_000, abstain_ppm: 0 },
                    (Ok(_), _) => false,
                };
                assert!(fits, "{mind:?} answers {:?} to {ask:?}", answer.parsed);
            }
        }
    }
}

#[test]
fn no_answer_depends_on_the_order_in_which_options_are_shown_or_on_the_turn() {
    let state = MindState::default();
    let turned = |ask: &Ask| match ask.clone() {
        Ask::Statement { options: mut shown, chars_min, chars_max, marks, opinion } => {
            shown.reverse();
            Ask::Statement { options: shown, chars_min, chars_max, marks, opinion }
        }
        Ask::StrawPoll { .. } => Ask::StrawPoll { options: (0..4).map(AlternativeId).collect(), opinion: false },
        Ask::Ballot { .. } => ask_ballot((0..4).map(AlternativeId).collect(), BallotForm::Choice),
        Ask::Ranking { .. } => Ask::Ranking { options: (0..4).map(AlternativeId).collect() },
        Ask::Application { situation, .. } => {
            Ask::Application { options: (0..4).map(AlternativeId).collect(), situation }
        }
        same => same,
    };
    for mind in everybody() {
        for ask in every_ask() {
            for replicate in 0..20 {
                let shown = on_principles(&mind, replicate, &query(ask.clone(), &state, &[1, 0, 2, 0])).parsed;
                let mut later = query(turned(&ask), &state, &[1, 0, 2, 0]);
                later.id.at.turn = 9;
                assert_eq!(on_principles(&mind, replicate, &later).parsed, shown, "{mind:?} {ask:?}");
            }
        }
    }
}

#[test]
fn the_answer_about_recognition_holds_the_state_of_any_other_answer() {
    let state = MindState::default();
    for mind in everybody().iter().filter(|mind| !matches!(mind, Mind::Random { .. })) {
        let [recognised, thought] =
            [Ask::Recognition, Ask::Reasoning].map(|ask| on_principles(mind, 1, &query(ask, &state, &[1, 0, 2, 0])));
        assert_eq!(recognised.state, thought.state, "{mind:?}");
        assert!(!recognised.state.is_empty(), "{mind:?}");
    }
}

#[test]
fn a_tallying_seat_ranks_what_it_is_to_push_first_and_what_it_holds_second() {
    let form = BallotForm::Ranking { ties: false, truncated: false, top: None };
    let ask = ask_ballot(options(), form);
    let state = MindState::default();
    for replicate in 0..20 {
        let mut query = query(ask.clone(), &state, &[0; 4]);
        query.brief.signal = Some(AlternativeId(3));
        query.pushes = Some(AlternativeId(0));
        let answer = on_principles(&Mind::Tallying { cites: 1 }, replicate, &query);
        let Ok(Reply::Ballot(Ballot::Ranking(levels))) = answer.parsed else { panic!("{answer:?}") };
        assert_eq!(levels[..2], [[AlternativeId(0)], [AlternativeId(3)]]);
    }
}
