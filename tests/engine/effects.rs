//! What each control of a deliberation changes, and what it leaves; and that each stands in a shipped config.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::fixtures::trial::{self, plan, repository, whole};
use ekklesia::domain::{AlternativeName, Event, PollTime, Query, Record, Reply, RoundOpened, SeatName, Step};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::{Network, OptionOrder, PhaseKind, Plan, SpeakingOrder};
use ekklesia::prompt::AnswerForm;
use serde_json::Value;

const NAMES: [&str; 4] = ["Alice", "Bob", "Carol", "Dave"];

/// Four seats that copy each other now and then.
fn body(discussion: &str, rest: &str) -> String {
    let seats: Vec<String> =
        NAMES.iter().map(|name| format!("{{ name: {name}, persona: \"Grew up as {name}.\" }}")).collect();
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.5 }} }} }}\n\
         seats: [{}]\ndiscussion: {{ rounds: 4, vote: every_round, {discussion} }}\ndecision: {{ rule: unanimity }}\n{rest}",
        seats.join(", ")
    )
}

/// What happened, without what the record says of how options were shown and how records are numbered.
fn deeds(records: &[Record], without: &[Step]) -> Vec<Value> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                ["options", "seq", "own"].iter().for_each(|key| drop(fields.remove(*key)));
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let of_interest = records[1..].iter().filter(|record| !without.contains(&record.at.step));
    let of_interest = of_interest.filter(|record| !record.at.phase.as_str().starts_with("straw_"));
    of_interest
        .map(|record| {
            let mut value = serde_json::to_value(record).unwrap();
            strip(&mut value);
            value
        })
        .collect()
}

/// Goes through a session with every question that was put, and the records before it.
fn each_question(plan: &Arc<Plan>, replicate: u32, mut look: impl FnMut(&Query<'_>, &[Record])) -> Vec<Record> {
    let records = whole(plan, replicate);
    let mut deliberation = Deliberation::convene(plan, replicate);
    for (place, record) in records.iter().enumerate() {
        if let Next::Ask(queries) = deliberation.next() {
            queries.iter().for_each(|query| look(query, &records[..place]));
        }
        deliberation.evolve(record);
    }
    records
}

/// The options of each answer in the order in which they were shown, by seat.
fn shown(records: &[Record]) -> BTreeMap<SeatName, Vec<(Step, u32, Vec<AlternativeName>)>> {
    let mut all: BTreeMap<SeatName, Vec<_>> = BTreeMap::new();
    for record in records {
        if record.reply().is_some_and(|reply| reply.choice().is_some()) {
            let (seat, options) = (record.seat.clone().unwrap(), record.event.options().to_vec());
            all.entry(seat).or_default().push((record.at.step, record.at.round, options));
        }
    }
    all
}

#[test]
fn the_order_of_options_changes_where_they_stand_and_nothing_that_minds_do() {
    let of = |order: &str| {
        plan(&body(
            "order: random",
            &format!("straw_polls: [before, each_round, after]\ncontrols: {{ option_order: {order} }}\n"),
        ))
    };
    let [fixed, latin, seeded] = ["fixed", "latin", "seeded"].map(of);
    let mut firsts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for replicate in 1..=40 {
        let [fixed, latin, seeded] = [&fixed, &latin, &seeded].map(|plan| whole(plan, replicate));
        assert_eq!(deeds(&fixed, &[]), deeds(&latin, &[]));
        assert_eq!(deeds(&fixed, &[]), deeds(&seeded, &[]));
        let first = |options: &[AlternativeName]| usize::from(options[0].as_str() == "against");
        for (kind, records) in [("fixed", &fixed), ("latin", &latin), ("seeded", &seeded)] {
            let by_seat = shown(records);
            for (_, _, options) in by_seat.values().flatten() {
                firsts.entry(kind).or_default()[first(options)] += 1;
            }
            if kind == "latin" {
                let kept = by_seat.values().map(|of_seat| {
                    assert!(of_seat.iter().all(|(.., options)| *options == of_seat[0].2), "a seat keeps its order");
                    first(&of_seat[0].2)
                });
                assert_eq!(kept.sum::<usize>(), 2, "each option stands first for half of the seats");
            }
        }
    }
    assert_eq!(firsts["fixed"][1], 0);
    assert_eq!(firsts["latin"][0], firsts["latin"][1]);
    let [one, other] = firsts["seeded"].map(|count| count as f64);
    assert!((one / (one + other) - 0.5).abs() < 0.05, "{firsts:?}");
}

fn orders(records: &[Record]) -> Vec<Vec<String>> {
    let opened = records.iter().filter_map(|record| match &record.event {
        Event::RoundOpened(RoundOpened { order, situation: None, .. }) => {
            Some(order.iter().map(ToString::to_string).collect())
        }
        _ => None,
    });
    opened.collect()
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn each_speaking_order_has_its_own_law() {
    let of = |order: &str| plan(&body(&format!("order: {order}"), "").replace("every_round", "at_end"));
    assert!(orders(&whole(&of("fixed"), 1)).iter().all(|order| order == &NAMES));
    let rotating = orders(&whole(&of("rotating"), 1));
    assert_eq!(rotating.len(), 4);
    for pair in rotating.windows(2) {
        let mut next = pair[0].clone();
        next.rotate_left(1);
        assert_eq!(pair[1], next, "each round the next seat begins");
    }
    let random = of("random");
    let drawn: BTreeSet<Vec<String>> = (1..=60).flat_map(|replicate| orders(&whole(&random, replicate))).collect();
    assert!(drawn.len() > 20, "of 24 orders {} were drawn", drawn.len());

    let williams = of("williams");
    for replicate in 1..=5 {
        let rounds = orders(&whole(&williams, replicate));
        for name in NAMES {
            let places: BTreeSet<usize> =
                rounds.iter().map(|order| order.iter().position(|other| other == name).unwrap()).collect();
            assert_eq!(places.len(), 4, "{name} speaks once in each place: {rounds:?}");
        }
        let after: BTreeSet<(&String, &String)> =
            rounds.iter().flat_map(|order| order.windows(2).map(|pair| (&pair[0], &pair[1]))).collect();
        assert_eq!(after.len(), 12, "each speaks once after each other: {rounds:?}");
    }

    let mut asked = BTreeSet::new();
    each_question(&of("simultaneous"), 1, |query, before| {
        let of_round = |record: &&Record| {
            record.at.round == query.id.at.round && matches!(record.reply(), Some(Reply::Statement { .. }))
        };
        let said: BTreeSet<_> = before.iter().filter(of_round).map(|record| record.seq).collect();
        if query.id.at.step == Step::Statement {
            assert!(query.brief.all_remarks().all(|remark| !said.contains(&remark.seq)), "{}", query.id);
            asked.insert(query.id.to_string());
        }
    });
    assert_eq!(asked.len(), 16);

    let mut silent = 0;
    for replicate in 1..=20 {
        let records = whole(&of("volunteer"), replicate);
        for (place, record) in records.iter().enumerate() {
            let Event::RoundOpened(RoundOpened { order, situation: None, .. }) = &record.event else { continue };
            let wishes: BTreeMap<&SeatName, Option<u32>> = records[..place]
                .iter()
                .filter(|earlier| earlier.at.round == record.at.round)
                .filter_map(|earlier| match earlier.reply() {
                    Some(Reply::Urgency(urgency)) => Some((earlier.seat.as_ref().unwrap(), urgency)),
                    _ => None,
                })
                .collect();
            let urgency: Vec<u32> = order.iter().map(|seat| wishes[seat].expect("only who wants to speaks")).collect();
            assert!(urgency.is_sorted_by(|a, b| a >= b), "the most urgent first: {urgency:?}");
            assert_eq!(order.len(), wishes.values().flatten().count());
            silent += 4 - order.len();
        }
    }
    assert!(silent > 0);
}

#[test]
fn anonymity_takes_names_and_personas_of_others_out_of_every_message_and_leaves_what_happens() {
    let of = |anonymous: bool| {
        plan(
            &body("order: random, vote_call: sequential", &format!("controls: {{ anonymous: {anonymous} }}\n"))
                .replace("every_round", "on_call"),
        )
    };
    let [named, anonymous] = [of(false), of(true)];
    let mut told = [0, 0];
    for replicate in 1..=5 {
        let mut records = Vec::new();
        for (plan, told) in [&named, &anonymous].into_iter().zip(&mut told) {
            let agents = plan.agents(replicate);
            let agents: Vec<_> = agents.iter().collect();
            records.push(each_question(plan, replicate, |query, _| {
                let messages =
                    plan.prompts.messages(&plan.motion, &agents, query, (AnswerForm::JsonSchema, 400)).unwrap();
                let words: String = messages.into_iter().map(|message| message.content()).collect();
                let own = query.id.seat.as_str();
                assert!(words.contains(&format!("Grew up as {own}.")), "a seat knows who it is");
                for other in NAMES.iter().filter(|name| **name != own) {
                    assert!(!words.contains(&format!("Grew up as {other}.")));
                    *told += words.matches(other).count();
                }
            }));
        }
        let same = |record: &Record| serde_json::to_value(&record.event).unwrap();
        let of_answers = |records: &[Record]| {
            records
                .iter()
                .filter(|record| !matches!(record.at.step, Step::Integration | Step::Compression))
                .skip(1)
                .map(same)
                .collect::<Vec<_>>()
        };
        let strip = |values: Vec<Value>| {
            let mut values = values;
            for value in &mut values {
                for (_, event) in value.as_object_mut().unwrap() {
                    if let Some(event) = event.as_object_mut() {
                        // Lengths are those of names, too.
                        ["given", "memory", "dropped_chars", "dropped_remarks"]
                            .iter()
                            .for_each(|key| drop(event.remove(*key)));
                    }
                }
            }
            values
        };
        assert_eq!(strip(of_answers(&records[0])), strip(of_answers(&records[1])));
    }
    assert!(told[0] > 50, "{told:?}");
    assert_eq!(told[1], 0);
}

#[test]
fn private_polls_are_shown_to_nobody_and_change_nothing_else() {
    let of = |polls: &str| plan(&body("order: random", &format!("straw_polls: [{polls}]\n")));
    let none = of("");
    for (polls, per_session) in
        [("before", Some(4)), ("after", Some(4)), ("each_round", None), ("before, each_round, after", None)]
    {
        let polled = of(polls);
        for replicate in 1..=10 {
            let records = whole(&polled, replicate);
            // A memory that nobody will read again is not rewritten; a poll after the talk reads it.
            let besides = [Step::StrawPoll, Step::Integration, Step::Compression, Step::Closing];
            let (without, with) = (deeds(&whole(&none, replicate), &besides), deeds(&records, &besides));
            let differing = without.iter().zip(&with).find(|(one, other)| one != other);
            assert_eq!(differing, None, "{polls}");
            assert_eq!(without.len(), with.len());
            let asked: Vec<&Record> = records.iter().filter(|record| record.at.step == Step::StrawPoll).collect();
            let rounds = orders(&records).len();
            assert_eq!(
                asked.len(),
                per_session.unwrap_or(if polls == "each_round" { 4 * rounds } else { 8 + 4 * rounds })
            );
            let at = |wanted: &str| asked.iter().filter(|record| record.at.phase.as_str() == wanted).count();
            assert_eq!(at("straw_before"), if polls.contains("before") { 4 } else { 0 });
            assert_eq!(at("straw_after"), if polls.contains("after") { 4 } else { 0 });
        }
    }
}

/// The controls of an arm, by the names under which authors find them.
fn controls_of(plan: &Plan) -> Vec<String> {
    let mut all = vec![format!("option_order: {:?}", plan.controls.option_order)];
    for phase in &plan.agenda {
        if let PhaseKind::Ask { time } = &phase.kind {
            all.push(format!("straw_polls: {time:?}"));
        }
        if let PhaseKind::Discussion(discussion) = &phase.kind {
            all.push(format!("order: {:?}", discussion.order));
            if discussion.poll_each_round {
                all.push(format!("straw_polls: {:?}", PollTime::EachRound));
            }
        }
    }
    all.extend(plan.controls.anonymous.then(|| "anonymous".to_owned()));
    all.extend(plan.controls.recognition_probe.then(|| "recognition_probe".to_owned()));
    all.extend((plan.wording != "scenario").then(|| "prompts".to_owned()));
    all.extend((plan.network == Network::Alone).then(|| "network: self".to_owned()));
    all
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_control_stands_in_a_shipped_config() {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in std::fs::read_dir(repository().join("configs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "yaml") {
            for plan in &trial::read(&path).arms {
                let file = path.file_name().unwrap().to_string_lossy().into_owned();
                for control in controls_of(plan) {
                    used.entry(control).or_default().insert(file.clone());
                }
            }
        }
    }
    let orders = [
        SpeakingOrder::Random,
        SpeakingOrder::Fixed,
        SpeakingOrder::Rotating,
        SpeakingOrder::Williams,
        SpeakingOrder::Simultaneous,
        SpeakingOrder::Volunteer,
    ];
    let expected = orders.iter().map(|order| format!("order: {order:?}"));
    let options = [OptionOrder::Fixed, OptionOrder::Seeded, OptionOrder::Latin];
    let expected = expected.chain(options.iter().map(|order| format!("option_order: {order:?}")));
    let times = [PollTime::Before, PollTime::EachRound, PollTime::After];
    let expected = expected.chain(times.iter().map(|time| format!("straw_polls: {time:?}")));
    let others = ["anonymous", "recognition_probe", "prompts", "network: self"].map(str::to_owned);
    let missing: Vec<String> = expected.chain(others).filter(|control| !used.contains_key(control)).collect();
    assert_eq!(missing, Vec::<String>::new(), "in no shipped config; there are {used:#?}");
}
