//! Common random numbers in the justice experiment: what is drawn is found by its coordinate and moved by nothing else.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{read, repository, whole, write_justice};
use ekklesia::domain::{
    Answered, Event, Faulted, PaidIncome, Payment, PaymentStage, PaymentTables, Payoff, Record, RoundOpened, Step,
};
use ekklesia::plan::Plan;

const FIVE: &str = "{ name: Ann }, { name: Bob }, { name: Cid }, { name: Dee }, { name: Eve }";
const TASTES: &str = "{ justice: { risk_aversion: { uniform: [0, 4] }, fairness: { uniform: [0, 1] } } }";

fn income(payoff: &Payoff) -> &PaidIncome {
    payoff.income.as_ref().unwrap()
}

/// An arm whose personas, traits, situations and pay are all drawn.
fn arm(seats: &str, mind: &str, rest: &str) -> Arc<Plan> {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(repository().join("configs/personas.csv"), folder.path().join("personas.csv")).unwrap();
    let seats = seats.replace(" }", ", personas: citizens }");
    let body = format!(
        "models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {mind} }}
personas: {{ citizens: {{ file: personas.csv, id: pid, text: persona }} }}
seats: [{seats}]
parameters: {{ applications: drawn, applications_count: 2 }}
controls: {{ option_order: seeded }}
{rest}"
    );
    Arc::clone(&read(&write_justice(folder.path(), &body)).arms[0])
}

/// What chance decided before anybody spoke, and what it pays afterwards: one line each by its coordinate.
fn drawn(records: &[Record]) -> BTreeMap<String, String> {
    let mut drawn = BTreeMap::new();
    let talk = records.iter().position(|record| record.at.phase.as_str() == "discussion").unwrap_or(records.len());
    for (number, record) in records.iter().enumerate() {
        let at = format!("{} {} {}", record.at.phase, record.at.round, record.at.step.as_str());
        let mut put = |seat: &str, attempt: Option<u8>, what: String| {
            assert!(drawn.insert(format!("{at} of {seat} {attempt:?}"), what).is_none(), "drawn once: {at}");
        };
        let name = record.seat.as_ref().map_or("", |seat| seat.as_str());
        match &record.event {
            Event::Seated { seats } => {
                seats.iter().for_each(|seated| put(seated.seat.as_str(), None, format!("{seated:?}")));
            }
            Event::RoundOpened(RoundOpened { situation: Some(situation), multiplier, .. }) => {
                put("", None, format!("{situation} {multiplier:?}"))
            }
            Event::Paid(Payment { tables: Some(PaymentTables { stage, multiplier, .. }), payoffs, .. }) => {
                put("", None, format!("{multiplier:?}"));
                for payoff in payoffs {
                    // Which table an agreement picks is no draw; which one everybody gets without one is.
                    let by_lot = *stage == PaymentStage::Settlement && income(payoff).alternative.is_none();
                    let table = by_lot.then_some(income(payoff).table);
                    put(&format!("{} {}", payoff.seat, by_lot), None, format!("{} {table:?}", income(payoff).class));
                }
            }
            Event::Answered(Answered { values, options, .. })
                if match record.at.step {
                    Step::Ranking => number < talk,
                    step => matches!(step, Step::Comprehension | Step::Application),
                } =>
            {
                put(name, record.attempt, format!("{values:?} of {options:?}"));
            }
            Event::Faulted(Faulted { fault, options, .. }) if number < talk && record.at.step != Step::Integration => {
                put(name, record.attempt, format!("{fault:?} of {options:?}"));
            }
            _ => {}
        }
    }
    drawn
}

/// How many draws two sessions have in common, all of them alike.
fn shared(a: &[Record], b: &[Record]) -> usize {
    let (a, b) = (drawn(a), drawn(b));
    let common = a.iter().filter_map(|(at, what)| b.get(at).map(|other| (at, what, other)));
    common.map(|(at, what, other)| assert_eq!(what, other, "{at}")).count()
}

/// Who was asked to call a vote in each round, in order.
fn asked_to_call(records: &[Record]) -> BTreeMap<u32, Vec<String>> {
    let mut asked: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for record in records.iter().filter(|r| matches!(r.event, Event::Answered(_)) && r.at.step == Step::VoteCall) {
        asked.entry(record.at.round).or_default().push(record.seat.as_ref().unwrap().to_string());
    }
    asked
}

const TALK: &str = "discussion: { rounds: 3, order: random, vote: on_call, rounds_min: 1 }\n";

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn arms_of_rule_memory_and_order_share_every_draw_that_pays_seats_or_comes_before_the_talk() {
    let others = [
        format!("{TALK}decision: {{ rule: majority }}\n"),
        format!("{TALK}decision: {{ rule: plurality, tie_break: lot }}\n"),
        format!("{TALK}memory: {{ policy: none }}\n"),
        format!("{TALK}memory: {{ policy: full }}\n"),
        TALK.replace("random", "fixed"),
        TALK.replace("random", "simultaneous"),
        TALK.replace("random", "williams"),
        TALK.replace("on_call", "every_round"),
        TALK.replace("rounds: 3", "rounds: 1"),
        "discussion: { rounds: 0, vote: at_end }\n".to_owned(),
        "discussion: { rounds: 0 }\ndecision: { rule: imposed, imposed: { alternative: floor } }\n".to_owned(),
    ];
    for mind in [TASTES, "{ random: { malformed: 0.2 } }"] {
        let base = arm(FIVE, mind, TALK);
        let bases: Vec<Vec<Record>> = (1..=4).map(|replicate| whole(&base, replicate)).collect();
        let others: Vec<Arc<Plan>> = others.iter().map(|other| arm(FIVE, mind, other)).collect();
        // A sample has at least one replicate of every arm.
        let pairs = others.iter().flat_map(|other| (1..).zip(&bases).map(move |pair| (other, pair)));
        for (other, (replicate, mine)) in sample_cases(pairs, 3) {
            let theirs = whole(other, replicate);
            let in_common = shared(mine, &theirs);
            // Three rankings, a test, two practice rounds and their pay, of five seats; five seats drawn.
            assert!(in_common >= 40, "{in_common} draws in common");
        }
    }
}

#[test]
fn the_settlement_shares_classes_with_and_without_agreement_and_tables_without() {
    let unanimity = arm(FIVE, "{ random: {} }", TALK);
    let alone = arm(FIVE, "{ random: {} }", "discussion: { rounds: 0, vote: at_end }\n");
    let imposed = arm(
        FIVE,
        "{ random: {} }",
        "discussion: { rounds: 0 }\ndecision: { rule: imposed, imposed: { alternative: floor } }\n",
    );
    let settled = |records: &[Record]| {
        let paid = records.iter().rev().find_map(|record| match &record.event {
            Event::Paid(Payment { tables: Some(tables), payoffs, .. }) => {
                Some((tables.multiplier, payoffs.iter().map(|payoff| income(payoff).clone()).collect::<Vec<_>>()))
            }
            _ => None,
        });
        paid.unwrap()
    };
    for replicate in 1..=6 {
        let [talked, alone, imposed] = [&unanimity, &alone, &imposed].map(|plan| settled(&whole(plan, replicate)));
        assert!(
            talked.1.iter().all(|payoff| payoff.alternative.is_none()),
            "seats without an opinion agree on nothing"
        );
        assert!(imposed.1.iter().all(|payoff| payoff.alternative.is_some()));
        let classes = |(multiplier, payoffs): &(Option<u32>, Vec<PaidIncome>)| {
            (*multiplier, payoffs.iter().map(|payoff| payoff.class).collect::<Vec<_>>())
        };
        assert_eq!(classes(&talked), classes(&alone));
        assert_eq!(classes(&talked), classes(&imposed));
        let tables = |payoffs: &[PaidIncome]| payoffs.iter().map(|p| p.table).collect::<Vec<_>>();
        assert_eq!(tables(&talked.1), tables(&alone.1));
    }
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn adding_a_seat_moves_no_other_seats_pay_lots_traits_or_choices() {
    for mind in [TASTES, "{ random: { malformed: 0.1 } }"] {
        let few = arm(FIVE, mind, TALK);
        let few: Vec<Vec<Record>> = (1..=4).map(|replicate| whole(&few, replicate)).collect();
        for (more, has_personas_moved) in [
            (format!("{FIVE}, {{ name: Fay }}"), false),
            (format!("{{ name: Abe }}, {FIVE}"), true),
            (FIVE.replace("{ name: Cid }", "{ name: Cat }, { name: Cid }"), true),
        ] {
            let more = arm(&more, mind, TALK);
            for (replicate, few) in (1..).zip(&few) {
                let more = whole(&more, replicate);
                let (mut mine, mut theirs) = (drawn(few), drawn(&more));
                if has_personas_moved {
                    // Personas are taken in the order of the plan; traits are the seat's own and stay.
                    for drawn in [&mut mine, &mut theirs] {
                        drawn.values_mut().for_each(|what| {
                            if let Some((_, traits)) = what.split_once(", traits") {
                                *what = traits.to_owned();
                            }
                        });
                    }
                }
                // Where somebody who is new agrees or does not, the table of a settlement is picked or drawn.
                let common: Vec<&String> = mine.keys().filter(|at| theirs.contains_key(*at)).collect();
                assert!(common.len() >= 40, "{}", common.len());
                for at in common {
                    assert_eq!(mine[at], theirs[at], "{at}");
                }
                for (round, mine) in asked_to_call(few) {
                    let Some(theirs) = asked_to_call(&more).remove(&round) else { continue };
                    let old: Vec<&String> = theirs.iter().filter(|name| FIVE.contains(name.as_str())).collect();
                    let both = mine.len().min(old.len());
                    assert!(mine[..both].iter().eq(old[..both].iter().copied()), "round {round}: {mine:?} {theirs:?}");
                }
            }
        }
    }
}
