//! Who speaks where seats volunteer: those who want to, the most urgent first, equals by lot.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use crate::fixtures::trial::{plan, whole};
use ekklesia::domain::{Consequence, Event, Faulted, Record, Reply, RoundOpened, Step};

const RANDOM: &str = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                      seats: [{ count: 6, name: \"Seat {n}\", mind: { random: { malformed: 0.3 } } }]\n\
                      discussion: { rounds: 8, order: volunteer, private_reasoning: true }\n";

type Round = (BTreeMap<String, Option<u32>>, Vec<String>, Vec<String>);

/// For each round how urgently each seat wanted to speak, and who then spoke or lost its turn, in order.
fn rounds(records: &[Record]) -> BTreeMap<u32, Round> {
    let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
    for record in records {
        let seat = record.seat.as_ref().map(|seat| seat.to_string());
        let round = rounds.entry(record.at.round).or_default();
        match (&record.event, record.at.step) {
            (Event::Faulted(Faulted { then: Consequence::TriesUsedUp, .. }), Step::Volunteer) => {
                round.0.insert(seat.unwrap(), None);
            }
            (Event::RoundOpened(RoundOpened { order, situation: None, .. }), _) => {
                round.1 = order.iter().map(|seat| seat.to_string()).collect()
            }
            (Event::Faulted(Faulted { then: Consequence::TriesUsedUp, .. }), Step::Statement) => {
                round.2.push(seat.unwrap())
            }
            (_, Step::Statement) if record.reply().is_some() => round.2.push(seat.unwrap()),
            _ => {
                if let Some(Reply::Urgency(urgency)) = record.reply() {
                    round.0.insert(seat.unwrap(), urgency);
                }
            }
        }
    }
    rounds.retain(|round, _| *round > 0);
    rounds
}

#[test]
fn those_who_want_to_speak_do_the_most_urgent_first_and_nobody_else() {
    let (plan, mut silent, mut ties) = (plan(RANDOM), 0, BTreeSet::new());
    for replicate in 1..=10 {
        for (round, (asked, order, spoke)) in rounds(&whole(&plan, replicate)) {
            assert_eq!(asked.len(), 6, "every seat is asked before round {round}");
            assert_eq!(order, spoke, "who speaks is who stands in the order");
            let wanted: BTreeSet<&String> =
                asked.iter().filter(|(_, urgency)| urgency.is_some()).map(|(s, _)| s).collect();
            assert_eq!(order.iter().collect::<BTreeSet<_>>(), wanted);
            let urgencies: Vec<u32> = order.iter().map(|seat| asked[seat].unwrap()).collect();
            assert!(urgencies.is_sorted_by(|a, b| a >= b), "{urgencies:?}");
            silent += 6 - wanted.len();
            for pair in order.windows(2).filter(|pair| asked[&pair[0]] == asked[&pair[1]]) {
                ties.insert(pair[0] < pair[1]);
            }
        }
    }
    assert!(silent > 0 && ties.len() == 2, "some keep silent, and a tie goes either way");
}

#[test]
fn among_equals_the_seeded_lot_of_the_round_decides_whatever_else_differs() {
    let scripted = |urgency: &str| {
        let lines = |n: u32| {
            let lines: Vec<String> = (0..n)
                .flat_map(|_| {
                    [format!("{{ urgency: {urgency} }}"), "{ statement: \"Hear me out.\", stance: for }".to_owned()]
                })
                .collect();
            lines.join(", ")
        };
        plan(&format!(
            "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\n\
             seats: [{{ count: 5, name: \"Seat {{n}}\", mind: {{ scripted: {{ list: [{}] }} }} }}]\n\
             decision: {{ rule: imposed, imposed: {{ alternative: for }} }}\n\
             discussion: {{ rounds: 3, order: volunteer }}\n",
            lines(3)
        ))
    };
    let orders = |plan, replicate| -> Vec<Vec<String>> {
        rounds(&whole(plan, replicate)).into_values().map(|(_, order, _)| order).collect()
    };
    let (calm, urgent) = (scripted("0"), scripted("10"));
    let mut seen = BTreeSet::new();
    for replicate in 1..=5 {
        let order = orders(&calm, replicate);
        assert_eq!(order, orders(&urgent, replicate));
        seen.extend(order);
    }
    assert!(seen.len() > 5, "{seen:?}");
}

#[test]
fn where_nobody_wants_to_speak_the_round_goes_by() {
    let quiet = "{ scripted: { list: [{ assent: false }, { assent: false }, { choice: for }] } }";
    let plan = plan(&format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim, mind: {quiet} }}\n\
         seats: [{{ count: 3 }}]\ndiscussion: {{ rounds: 2, order: volunteer }}\n"
    ));
    let records = whole(&plan, 1);
    for (asked, order, spoke) in rounds(&records).into_values() {
        assert_eq!((asked.len(), order.len(), spoke.len()), (3, 0, 0));
    }
    assert!(matches!(records.last().unwrap().event, Event::Adjourned(_)));
}
