//! Roll calls: with the count everyone hears who voted for what, and without one nobody hears another's ballot.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fixtures::trial::{folded, justice, plan, whole};
use ekklesia::domain::{Brief, Consequence, Event, Faulted, Places, Query, Record, Remark, Reply, SeatId, Step};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::Plan;
use ekklesia::session::Visibility;

/// Seats of which some vote and some never do so in a way that counts.
fn table(decision: &str, more: &str) -> Arc<Plan> {
    plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.2, abstain: 0.4 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob, mind: {{ voter: {{ copy: 0.5 }} }} }}, {{ name: Carol, mind: {{ random: {{ malformed: 1 }} }} }}]
discussion: {{ rounds: 3, order: random, vote: every_round }}
decision: {{ rule: unanimity, {decision} }}
straw_polls: [after]
{more}
"
    ))
}

/// What is announced of each vote, by record.
fn announced(plan: &Plan, records: &[Record]) -> Vec<(usize, String)> {
    let end = folded(plan, 1, records);
    let is_count = |remark: &&Remark| matches!(records[remark.seq.0 as usize].event, Event::Tallied(_));
    let told = end.memory().remarks(ekklesia::domain::SeatId(0)).iter().filter(is_count);
    told.map(|remark| (remark.seq.0 as usize, remark.text.to_string())).collect()
}

/// The lines of ballots before a count, by the records alone: seats by name, in the order of the plan.
fn ballots(plan: &Plan, records: &[Record], count: usize, invalid: &str) -> Vec<String> {
    let begin = records[..count].iter().rposition(|record| matches!(record.event, Event::Tallied(_))).unwrap_or(0);
    let mut cast: BTreeMap<usize, String> = BTreeMap::new();
    for record in &records[begin..count] {
        let seat = || plan.seats.iter().position(|seat| Some(&seat.name) == record.seat.as_ref()).unwrap();
        match &record.event {
            Event::Faulted(Faulted { then: Consequence::TriesUsedUp, .. })
                if matches!(record.at.step, Step::Ballot | Step::Amount) =>
            {
                cast.insert(seat(), format!(": {invalid}"));
            }
            _ => match (record.at.step, record.reply()) {
                (Step::Ballot, Some(Reply::Choice(choice))) => {
                    cast.insert(seat(), format!(" voted: {}", choice.alternative));
                }
                (Step::Ballot, Some(Reply::Abstention)) => drop(cast.insert(seat(), " abstained".to_owned())),
                (Step::Amount, Some(Reply::Amount(amount))) => {
                    cast.get_mut(&seat()).unwrap().push_str(&format!(" {amount}"));
                }
                _ => {}
            },
        }
    }
    cast.into_iter().map(|(seat, line)| format!("{}{line}", plan.seats[seat].agent.public_name)).collect()
}

#[test]
fn all_hear_every_ballot_of_a_roll_call_as_it_was_cast() {
    let mut lines = 0;
    for (word, invalid) in [
        ("void_round", "invalid ballot"),
        ("abstain", "abstention (invalid ballot)"),
        ("exclude", "not counted (invalid ballot)"),
    ] {
        for (abstain, more) in [("false", ""), ("false", "controls: { anonymous: true }"), ("true", "")] {
            let plan = table(&format!("invalid: {word}, roll_call: true, abstain: {abstain}"), more);
            let records = whole(&plan, 1);
            for (count, text) in announced(&plan, &records) {
                let (head, roll) = text.split_once('\n').unwrap();
                assert!(head.starts_with("The ballots were counted: "), "{head}");
                let told: Vec<&str> = roll.lines().collect();
                assert_eq!(told, ballots(&plan, &records, count, invalid), "{text}");
                let by_choice = told.iter().filter(|line| line.ends_with(" abstained")).count();
                assert_eq!(head.contains(&format!(", abstentions {by_choice}")), by_choice > 0, "{text}");
                lines += told.len();
            }
        }
    }
    assert!(lines > 30, "{lines}");
}

#[test]
fn a_ballot_is_told_with_its_amount_and_without_a_roll_call_none_is_told() {
    let body = |roll_call: bool| {
        format!(
            "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.3 }} }} }}
seats: [{{ count: 5, name: \"Member {{n}}\" }}]
discussion: {{ rounds: 3, vote: every_round }}
decision: {{ rule: unanimity, invalid: void_round, roll_call: {roll_call} }}
"
        )
    };
    let mut amounts = 0;
    for roll_call in [true, false] {
        let plan = justice(&body(roll_call));
        let records = whole(&plan, 1);
        for (count, text) in announced(&plan, &records) {
            let (roll, cast) =
                (text.lines().skip(1).collect::<Vec<_>>(), ballots(&plan, &records, count, "invalid ballot"));
            amounts += cast.iter().filter(|line| line.ends_with(|c: char| c.is_ascii_digit())).count();
            match roll_call {
                true => assert_eq!(roll, cast),
                false => assert!(roll.is_empty(), "{text}"),
            }
        }
        let minuted = |record: &Record| serde_json::to_string(&record.event).unwrap();
        // A seat that rewrites its memory may write what it voted.
        let mut declared = records.iter().filter(|record| record.seat.is_none()).map(minuted);
        assert!(!declared.any(|line| line.contains(" voted: ")), "it is a consequence");
    }
    assert!(amounts > 0);
}

/// The first question after the first count, with the account of what was witnessed.
fn after_a_count<'d>(
    deliberation: &'d mut Deliberation<'_>,
    plan: &Plan,
    records: &[Record],
) -> (Visibility, Vec<Query<'d>>) {
    let mut visibility = Visibility::new(plan);
    for record in records {
        let is_later = deliberation
            .memory()
            .remarks(ekklesia::domain::SeatId(0))
            .iter()
            .any(|remark| remark.text.starts_with("The ballots"));
        if is_later && matches!(deliberation.next(), Next::Ask(_)) {
            break;
        }
        visibility.witness_record(record);
        deliberation.evolve(record);
    }
    match deliberation.next() {
        Next::Ask(queries) => (visibility, queries),
        _ => panic!("nobody is asked after a count"),
    }
}

/// The same question with other words of an announcement.
fn told<'q>(query: &Query<'q>, change: impl Fn(&str) -> String) -> (Query<'q>, u64) {
    let mut remarks: Vec<Remark> = query.brief.remarks.floor.to_vec();
    let count = remarks.iter_mut().find(|remark| remark.text.starts_with("The ballots were counted")).unwrap();
    count.text = change(&count.text).into();
    count.kept_bytes = count.text.len() as u32;
    let (seq, remarks) = (count.seq.0, &*Box::leak(remarks.into_boxed_slice()));
    let places = Box::leak(Box::new(Places::of(remarks)));
    (Query { brief: Brief { remarks: places.over(remarks), ..query.brief.clone() }, ..query.clone() }, seq)
}

#[test]
fn a_ballot_that_was_not_cast_so_is_caught_and_without_a_roll_call_any_is() {
    for roll_call in [true, false] {
        let plan = table(&format!("invalid: abstain, roll_call: {roll_call}"), "");
        let records = whole(&plan, 1);
        let mut deliberation = Deliberation::convene(&plan, 1);
        let (visibility, queries) = after_a_count(&mut deliberation, &plan, &records);
        for query in &queries {
            let verdict = |query: &Query<'_>| visibility.clone().check_query(query).map_err(|leak| leak.to_string());
            assert_eq!(verdict(query), Ok(()), "{roll_call}");
            let leaks: [&dyn Fn(&str) -> String; 3] = [
                &|text| format!("{text}\nBob voted: for"),
                &|text| text.replace("Carol: abstention (invalid ballot)", "Carol voted: for") + " ",
                // What is announced only with a roll call, or without one.
                &|text| match text.split_once('\n') {
                    Some((head, _)) => head.to_owned(),
                    None => format!("{text}\nAlice voted: against\nBob voted: for\nCarol: abstention (invalid ballot)"),
                },
            ];
            for leak in leaks {
                let (leaking, seq) = told(query, leak);
                let caught = verdict(&leaking).unwrap_err();
                assert!(caught.contains(&format!("record {seq}, which was not said so")), "{caught}");
            }
        }
        assert!(queries.iter().any(|query| query.seat != SeatId(2)));
    }
}
