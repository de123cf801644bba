//! Common random numbers: a draw is found by its coordinate and moved by nothing else.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use crate::fixtures::trial::{experiment, plan, whole};
use ekklesia::domain::{Event, Faulted, QuestionId, Record, Reply, RoundOpened};

fn body(seats: &str, discussion: &str, polls: &str) -> String {
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{}} }} }}
seats: [{seats}]
controls: {{ option_order: seeded }}
straw_polls: [{polls}]
discussion: {{ {discussion} }}
"
    )
}

const FIVE: &str = "{ name: Ann }, { name: Bob }, { name: Cid }, { name: Dee }, { name: Eve }";

/// What was drawn at each question: its options' order, and the random mind's choice and words.
/// The turn is left out: a mind's noise does not depend on when in a round it speaks.
fn drawn(records: &[Record]) -> BTreeMap<QuestionId, String> {
    let mut drawn = BTreeMap::new();
    for record in records {
        let what = match &record.event {
            Event::Faulted(Faulted { fault, options, raw, .. }) => format!("{fault:?} {options:?} {raw}"),
            event => match record.reply() {
                Some(Reply::Statement { text, stance, .. }) => format!("{stance:?}: {text}"),
                Some(Reply::Choice(choice) | Reply::Opined(choice, _)) => format!("{choice} of {:?}", event.options()),
                _ => continue,
            },
        };
        let mut question = record.question().unwrap();
        question.at.turn = 0;
        assert!(drawn.insert(question, what).is_none(), "a question is asked once");
    }
    drawn
}

/// The order of lots of each round, as pairs: who speaks before whom.
fn before(records: &[Record]) -> Vec<(u32, Vec<String>)> {
    let orders = records.iter().filter_map(|record| match &record.event {
        Event::RoundOpened(RoundOpened { order, situation: None, .. }) => {
            Some((record.at.round, order.iter().map(ToString::to_string).collect()))
        }
        _ => None,
    });
    orders.collect()
}

fn shared(a: &BTreeMap<QuestionId, String>, b: &BTreeMap<QuestionId, String>) -> usize {
    let mut shared = 0;
    for (question, what) in a {
        if let Some(other) = b.get(question) {
            assert_eq!(what, other, "{question}");
            shared += 1;
        }
    }
    shared
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn arms_share_draws_where_they_share_coordinates() {
    let base = plan(&body(FIVE, "rounds: 3, order: random, vote: at_end", "before, after"));
    let others = [
        body(FIVE, "rounds: 3, order: random, vote: at_end", ""),
        body(FIVE, "rounds: 6, order: random, vote: at_end", "before, each_round, after"),
        body(FIVE, "rounds: 2, order: fixed, vote: at_end", "before, after"),
        body(FIVE, "rounds: 3, order: simultaneous, vote: at_end", "before, after"),
        body(FIVE, "rounds: 3, order: random, vote: every_round", "before, after"),
    ];
    for replicate in 1..=5 {
        let mine = drawn(&whole(&base, replicate));
        for other in &others {
            let theirs = whole(&plan(other), replicate);
            assert!(shared(&mine, &drawn(&theirs)) >= 10, "arms have questions in common");
        }
    }
}

#[test]
fn lots_for_speaking_are_shared_by_arms_of_other_lengths() {
    let short = plan(&body(FIVE, "rounds: 2, order: random, vote: at_end", ""));
    let long = plan(&body(FIVE, "rounds: 4, order: random, vote: every_round", "before, each_round"));
    for replicate in 1..=5 {
        let (short, long) = (before(&whole(&short, replicate)), before(&whole(&long, replicate)));
        assert!(!long.is_empty());
        for (a, b) in short.iter().zip(&long) {
            assert_eq!(a, b);
        }
    }
}

#[test]
fn re_asks_move_no_other_draw() {
    let clean = plan(&body(FIVE, "rounds: 3, order: random, vote: at_end", "before, after"));
    let seats = FIVE.replace("{ name: Bob }", "{ name: Bob, mind: { random: { malformed: 0.5 } } }");
    let faulty = plan(&body(&seats, "rounds: 3, order: random, vote: at_end", "before, after"));
    for replicate in 1..=5 {
        let (clean, faulty) = (whole(&clean, replicate), whole(&faulty, replicate));
        assert!(faulty.len() > clean.len(), "Bob was asked again");
        assert_eq!(before(&clean), before(&faulty));
        let others = |records: &[Record]| {
            let mut drawn = drawn(records);
            drawn.retain(|question, _| question.seat.as_str() != "Bob");
            drawn
        };
        let (clean, faulty) = (others(&clean), others(&faulty));
        assert_eq!(clean, faulty);
    }
}

#[test]
fn adding_a_seat_moves_no_other_seats_draws() {
    for (few, more) in [
        (FIVE.to_owned(), format!("{FIVE}, {{ name: Fay }}")),
        (FIVE.to_owned(), format!("{{ name: Abe }}, {FIVE}")),
        (FIVE.to_owned(), FIVE.replace("{ name: Cid }", "{ name: Cat }, { name: Cid }")),
    ] {
        let few = plan(&body(&few, "rounds: 3, order: random, vote: at_end", "before, each_round, after"));
        let more = plan(&body(&more, "rounds: 3, order: random, vote: at_end", "before, each_round, after"));
        for replicate in 1..=5 {
            let (few, more) = (whole(&few, replicate), whole(&more, replicate));
            let (mine, theirs) = (drawn(&few), drawn(&more));
            assert_eq!(shared(&mine, &theirs), mine.len());
            let names: Vec<String> = few.iter().filter_map(|r| r.seat.as_ref()).map(ToString::to_string).collect();
            for ((round, few), (_, more)) in before(&few).into_iter().zip(before(&more)) {
                // Whoever would open a round after closing the one before is swapped with the second, in either session.
                let orders = |order: &[String]| {
                    let mut swapped = order.to_vec();
                    swapped.swap(0, 1);
                    let all = [order.to_vec(), swapped].into_iter().take(if round == 1 { 1 } else { 2 });
                    all.map(|order| order.into_iter().filter(|name| names.contains(name)).collect())
                        .collect::<Vec<Vec<_>>>()
                };
                let (few, more) = (orders(&few), orders(&more));
                assert!(
                    few.iter().any(|order| more.contains(order)),
                    "in round {round} the old seats speak in the old order"
                );
            }
        }
    }
}

#[test]
fn independent_arms_and_other_replicates_draw_their_own() {
    let design = |pairing: &str| {
        let factors = "{ length: { key: discussion.rounds, levels: { short: 2, long: 3 } } }";
        let body = body(FIVE, "rounds: 3, order: random, vote: at_end", "before");
        experiment(&format!("{body}design: {{ factors: {factors}, pairing: {pairing} }}\n"))
    };
    let paired = design("common_random_numbers");
    let (short, long) = (&paired.arms[0], &paired.arms[1]);
    assert!(shared(&drawn(&whole(short, 1)), &drawn(&whole(long, 1))) > 0);
    assert_ne!(drawn(&whole(short, 1)), drawn(&whole(short, 2)), "replicates draw their own");
    let apart = design("independent");
    let (short, long) = (drawn(&whole(&apart.arms[0], 1)), drawn(&whole(&apart.arms[1], 1)));
    let same = short.iter().filter(|(question, what)| long.get(*question) == Some(*what)).count();
    assert!(same < short.len() / 2, "{same} of {} draws agree, and not by chance", short.len());
}
