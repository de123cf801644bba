//! What is true of the mind without an opinion.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::tests::ask_ballot;
use crate::domain::{BallotForm, Choice, Fault, MindState, Reply};
use crate::minds::Mind;
use crate::minds::tests::{AGAINST, FOR, RANDOM, ballot, every_ask, motion, on_principles, query, say, speak, stance};

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
        question.ask = ask_ballot(vec![FOR, AGAINST], BallotForm::Choice);
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
            let length = crate::text::char_count(&answer.raw);
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
    let mind = Mind::Random { malformed_ppm: 1_000_000, abstain_ppm: 0 };
    let mut seen = BTreeSet::new();
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
fn random_rankings_certainties_tables_amounts_and_assent_are_uniform() {
    let state = MindState::default();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for replicate in 0..4_800 {
        for ask in every_ask() {
            let (kind, seen) = match on_principles(&RANDOM, replicate, &query(ask, &state, &[])).parsed.unwrap() {
                Reply::Ranking { order, certainty } => {
                    *counts.entry(format!("5 certainty {}", certainty.as_str())).or_default() += 1;
                    ("24 ranking", format!("{order:?}"))
                }
                Reply::Test(tables) => ("4 table", tables[0].to_string()),
                Reply::Amount(amount) => ("40 amount", amount.to_string()),
                Reply::Assent(assents) => ("1 assent", assents.to_string()),
                // The sample's four lows and four ranges are one 15 000 less than eight amounts.
                Reply::Application { choice: Choice { amount: Some(amount), .. }, .. } => {
                    ("14 applied", amount.to_string())
                }
                _ => continue,
            };
            *counts.entry(format!("{kind} {seen}")).or_default() += 1;
        }
    }
    for (what, count) in &counts {
        // The number of ways that each kind of thing can go stands before it; assent is asked for twice, half of
        // the applications have an amount.
        let expected = 4_800 / what.split(' ').next().unwrap().parse::<u32>().unwrap();
        let spread = 5.0 * f64::from(expected).sqrt();
        assert!(f64::from(count.abs_diff(expected)) < spread, "{what}: {count}");
    }
    assert_eq!(counts.len(), 24 + 5 + 4 + 40 + 2 + 7);
}

#[test]
fn whatever_is_asked_a_malformed_reply_fits_its_fault() {
    let state = MindState::default();
    let mind = Mind::Random { malformed_ppm: 1_000_000, abstain_ppm: 0 };
    let mut seen = BTreeSet::new();
    for ask in every_ask() {
        for replicate in 0..60 {
            let answer = on_principles(&mind, replicate, &query(ask.clone(), &state, &[]));
            let fault = answer.parsed.unwrap_err();
            assert_eq!(answer.raw.is_empty(), fault == Fault::Empty);
            assert_eq!(answer.raw.ends_with('0') && !answer.raw.contains('{'), fault == Fault::AmountOutOfRange);
            seen.insert(fault);
        }
    }
    let expected = [
        Fault::Unreadable,
        Fault::UnknownAlternative,
        Fault::Ambiguous,
        Fault::AmountMissing,
        Fault::AmountOutOfRange,
        Fault::NotARanking,
        Fault::Empty,
    ];
    assert_eq!(seen, expected.into_iter().collect());
}
