//! Alone: where nobody hears another, nothing that others say, choose or answer reaches a seat, in whatever way it might.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fixtures::trial::{POLICIES, justice, plan, whole};
use ekklesia::domain::{Ask, Query, Record, SeatId, Step};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::memory::{Routing, Strategy};
use ekklesia::plan::Plan;
use ekklesia::prompt::AnswerForm;
use ekklesia::session::Visibility;

/// What a seat is sent, by the question: every message in full.
type Sent = BTreeMap<String, Vec<String>>;

/// Goes through a session; what each question put to each seat says, as a model would be sent it and as a person would.
fn sent(plan: &Arc<Plan>, records: &[Record]) -> BTreeMap<String, Sent> {
    let (mut deliberation, agents) = (Deliberation::convene(plan, 1), plan.agents(1));
    let agents: Vec<_> = agents.iter().collect();
    let mut all: BTreeMap<String, Sent> = BTreeMap::new();
    for record in records {
        if let Next::Ask(queries) = deliberation.next() {
            for query in queries {
                let of_seat = all.entry(query.id.seat.to_string()).or_default();
                let said = [AnswerForm::JsonSchema, AnswerForm::Typed].into_iter().flat_map(|form| {
                    let messages = plan.prompts.messages(&plan.motion, &agents, &query, (form, 400)).unwrap();
                    messages.into_iter().map(|message| message.content())
                });
                of_seat.insert(query.id.to_string(), said.collect());
            }
        }
        deliberation.evolve(record);
    }
    all
}

/// Alice, who hears nobody, among others of some kind.
fn among(others: &str, talk: &str, rest: &str) -> String {
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n\
         \x20 - {{ name: Alice, mind: {{ voter: {{ copy: 0.5 }} }} }}\n\
         \x20 - {{ name: Bob, mind: {{ {others} }} }}\n  - {{ name: Carol, mind: {{ {others} }} }}\n\
         straw_polls: [before, each_round, after]\ncontrols: {{ recognition_probe: true }}\n\
         discussion: {{ rounds: 3, network: self, {talk} }}\n{rest}"
    )
}

/// Checks that what Alice is sent in one session she is sent in the other, until something happens; how many questions they share.
fn assert_untouched(one: &Arc<Plan>, other: &Arc<Plan>, until: impl Fn(&Record) -> bool) -> usize {
    let [one, other] = [one, other].map(|plan| {
        let records = whole(plan, 1);
        let end = records.iter().position(&until).unwrap_or(records.len());
        let sent = sent(plan, &records[..end]);
        assert!(!sent["Bob"].is_empty());
        sent
    });
    assert_ne!(one["Bob"], other["Bob"], "the others are others");
    let shared = one["Alice"].iter().filter_map(|(id, words)| Some((id, words, other["Alice"].get(id)?)));
    shared.map(|(id, words, others)| assert_eq!(words, others, "{id}")).count()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_a_seat_is_sent_is_the_same_whatever_others_say_vote_and_fail_at() {
    let talks = [
        "order: fixed, vote: at_end, private_reasoning: true",
        "order: random, vote: every_round, opinion: true",
        "order: rotating, vote: on_call, vote_call: simultaneous, proposals: true",
        "order: simultaneous, vote: on_call, statement_min_length: 20",
        "order: williams, vote: every_round",
    ];
    let mut shared = 0;
    for (number, memory) in POLICIES.iter().enumerate() {
        let roomy = memory.replace("memory_character_limit: 500", "memory_character_limit: 900");
        for talk in [talks[number % 5], talks[(number + 2) % 5]] {
            let rest = format!("decision: {{ rule: unanimity, roll_call: true }}\nmemory: {roomy}\n");
            let [one, other] =
                ["voter: { copy: 0 }", "random: { malformed: 0.3 }"].map(|others| plan(&among(others, talk, &rest)));
            // Whether a vote is called, and so whether the seat has a ballot to remember, is the others' doing.
            let is_called = |record: &Record| talk.contains("on_call") && record.at.step == Step::Confirmation;
            shared += assert_untouched(&one, &other, is_called);
        }
    }
    assert!(shared > 150, "{shared}");
}

#[test]
fn in_the_scenario_of_justice_only_pay_for_the_groups_decision_tells_of_others() {
    let body = |others: &str| {
        among(others, "order: fixed, vote: at_end, vote_call: sequential", "decision: { rule: majority }\n")
            .replace("voter: { copy: 0.5 }", "justice: { risk_aversion: 1 }")
            .replace("name: Alice,", "name: Alice, role: manipulator,")
    };
    let [one, other] =
        ["justice: { risk_aversion: 4 }", "random: { malformed: 0.3 }"].map(|others| justice(&body(others)));
    assert!(assert_untouched(&one, &other, |record| record.at.phase.as_str() == "settlement") > 12);
}

/// A table whose scripts say words that nobody else says.
fn marked(network: &str, vote: &str) -> String {
    let seat = |name: &str, choice: &str| {
        let of_round = |round: u32| {
            format!(
                "{{ phase: discussion, round: {round}, step: reasoning, note: \"thought-{name}-{round}\" }}, \
                 {{ phase: discussion, round: {round}, step: statement, statement: \"said-{name}-{round}\", stance: {choice} }}, \
                 {{ phase: discussion, round: {round}, step: vote_call, assent: true }}, \
                 {{ phase: discussion, round: {round}, step: confirmation, assent: true }}, \
                 {{ phase: discussion, round: {round}, step: ballot, choice: {choice} }}, \
                 {{ phase: discussion, round: {round}, step: straw_poll, choice: {choice} }}, "
            )
        };
        format!(
            "  - {{ name: {name}, persona: \"persona-{name}\", mind: {{ scripted: {{ table: [{}{}\
             {{ phase: straw_before, round: 0, step: straw_poll, raw: \"poll-{name}\" }}, \
             {{ phase: vote, round: 0, step: ballot, raw: \"ballot-{name}\" }}] }} }} }}\n",
            of_round(1),
            of_round(2)
        )
    };
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{}{}{}\
         straw_polls: [before, each_round]\ndecision: {{ rule: unanimity, roll_call: true }}\n\
         discussion: {{ rounds: 2, order: fixed, vote: {vote}, private_reasoning: true, network: {network} }}\n",
        seat("Zoe", "for"),
        seat("Yann", "against"),
        seat("Xenia", "for")
    )
}

/// How often a word of another, its name among them, stands in what a seat is sent.
fn words_of_others(network: &str, vote: &str) -> usize {
    let plan = plan(&marked(network, vote));
    let all = sent(&plan, &whole(&plan, 1));
    let mut found = 0;
    for (seat, sent) in &all {
        for (id, words) in sent {
            for other in all.keys().filter(|other| *other != seat) {
                let words = words.join("\n");
                found += words.matches(other.as_str()).count();
                assert!(network != "self" || !words.contains(other.as_str()), "{id} is told of {other}:\n{words}");
                assert!(network != "self" || !words.contains("Straw poll"), "{id}:\n{words}");
            }
        }
    }
    found
}

#[test]
fn no_word_and_no_name_of_another_stands_in_anything_that_a_seat_is_sent() {
    for vote in ["at_end", "every_round", "on_call"] {
        assert_eq!(words_of_others("self", vote), 0);
        assert!(words_of_others("complete", vote) > 20, "with others to hear, the same table hears them");
    }
}

/// The questions that are put before a record.
fn put<'d>(deliberation: &'d Deliberation<'_>) -> Vec<Query<'d>> {
    match deliberation.next() {
        Next::Ask(queries) => queries,
        _ => Vec::new(),
    }
}

#[test]
fn a_count_or_a_caller_that_is_told_to_a_seat_alone_is_caught() {
    let alone = plan(&marked("self", "on_call"));
    // The same, of an engine that tells what votes come to all the same.
    let told = {
        let mut shared = (*alone.shared).clone();
        let direct = Strategy::Direct;
        let routing = shared.memory.routing;
        shared.memory.routing = Routing {
            vote_called: direct,
            vote_answered: direct,
            tally_open: direct,
            tally_decided: direct,
            ..routing
        };
        shared.seats.iter_mut().for_each(|seat| seat.memory = shared.memory);
        Arc::new(Plan { shared: Arc::new(shared), ..(*alone).clone() })
    };
    let records = whole(&alone, 1);
    let (mut caught, mut callers) = (0, 0);
    let (mut sound, mut leaky) = (Deliberation::convene(&alone, 1), Deliberation::convene(&told, 1));
    let mut account = Visibility::new(&alone);
    for record in &records {
        for query in put(&sound) {
            assert_eq!(account.clone().check_query(&query).map_err(|leak| leak.to_string()), Ok(()));
            if let Ask::Confirmation { caller } = query.ask {
                assert_eq!(caller, None);
                let forged = Query { ask: Ask::Confirmation { caller: Some(SeatId(0)) }, ..query };
                callers += usize::from(account.clone().check_query(&forged).is_err());
            }
        }
        caught += put(&leaky).iter().filter(|query| account.clone().check_query(query).is_err()).count();
        account.witness_record(record);
        sound.evolve(record);
        leaky.evolve(record);
    }
    assert!(callers > 0 && caught > 5, "{callers}, {caught}");
}
