//! Every ask is a barrier and the only one: under a paused clock the time of a session is exactly that of its slowest replies.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::fixtures::trial::{justice, plan};
use ekklesia::domain::{Answer, Outage, Query, QuestionId, Step};
use ekklesia::engine::Deliberation;
use ekklesia::plan::Plan;
use ekklesia::ports::Backend;
use ekklesia::service::seating::Seating;
use ekklesia::session::{Visibility, conduct_deliberation};
use futures::FutureExt;
use futures::future::BoxFuture;

/// Minds that take their time, and note how long each question took them.
struct Slow {
    minds: Seating,
    /// How long each question takes, in milliseconds; `None` makes it hang on the question.
    latency_ms: Option<u64>,
    took: Mutex<BTreeMap<QuestionId, u64>>,
}

impl Backend for Slow {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let digest = blake3::hash(query.id.to_string().as_bytes());
        let wait_ms = self.latency_ms.unwrap_or(u64::from(digest.as_bytes()[0]) * 7 + 1);
        self.took.lock().expect("no test panics here").insert(query.id.clone(), wait_ms);
        async move {
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
            self.minds.answer(query).await
        }
        .boxed()
    }
}

/// Conducts a session of slow minds: the time it took by the paused clock, and the time each question took, in milliseconds.
async fn conducted(plan: &Arc<Plan>, latency_ms: Option<u64>) -> (u64, BTreeMap<QuestionId, u64>) {
    let mut deliberation = Deliberation::convene(plan, 1);
    let minds = Seating::new(Arc::clone(plan), *deliberation.seed(), None);
    let slow = Slow { minds, latency_ms, took: Mutex::default() };
    let begun = tokio::time::Instant::now();
    let mut kept = Vec::new();
    let mut visibility = Visibility::new(plan);
    let ended =
        conduct_deliberation((&mut deliberation, &mut visibility), &slow, &mut kept, &AtomicBool::new(false)).await;
    ended.expect("the session ends");
    (begun.elapsed().as_millis() as u64, slow.took.into_inner().expect("no test panics here"))
}

async fn check(order: &str, vote: &str) {
    let plan = plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.2 }} }} }}
seats: [{{ count: 6, name: \"Member {{n}}\" }}]
straw_polls: [before, each_round, after]
discussion: {{ rounds: 3, order: {order}, vote: {vote} }}
"
    ));
    let (elapsed_ms, took) = conducted(&plan, None).await;
    // The asks, told by coordinates alone: speakers in turn are asked one by one, all others at once.
    let mut asks: BTreeMap<(String, u32, u32, Step, u8), u64> = BTreeMap::new();
    for (question, took) in &took {
        let at = &question.at;
        let is_part = at.step == Step::Compression;
        let turn = if order == "simultaneous" && !is_part { 0 } else { at.turn };
        let slowest = asks.entry((at.phase.to_string(), at.round, turn, at.step, question.attempt)).or_default();
        *slowest = (*slowest).max(*took);
    }
    assert_eq!(elapsed_ms, asks.values().sum::<u64>(), "{order}, {vote}");
}

#[tokio::test(start_paused = true)]
async fn wall_time_is_the_sum_over_asks_of_the_slowest_reply() {
    for order in ["fixed", "random", "simultaneous"] {
        for vote in ["at_end", "every_round"] {
            check(order, vote).await;
        }
    }
}

/// Twenty seats that are wrong now and then, in a session with every step there is.
fn twenty(order: &str, vote: &str) -> Arc<Plan> {
    justice(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ justice: {{ risk_aversion: 2, precision: 1000 }} }} }}
seats: [{{ count: 18, name: \"Member {{n}}\" }}, {{ count: 2, name: \"Rand {{n}}\", mind: {{ random: {{ malformed: 0.3 }} }} }}]
parameters: {{ comprehension: excludes }}
straw_polls: [before, each_round, after]
discussion: {{ rounds: 3, order: {order}, vote: {vote} }}
memory: {{ memory_character_limit: 10000, memory_compression_threshold: 0.3, memory_compression_target: 0.2 }}
"
    ))
}

/// Phase, round, turn, step and try of an ask, and whom it asks where it asks one alone.
type OneAsk<'q> = (&'q str, u32, u32, Step, u8, &'q str);

/// The asks of a justice session, told by coordinates alone: only speakers in turn and callers in sequence are asked one by one.
fn asks<'q>(took: &'q BTreeMap<QuestionId, u64>, (order, vote): (&str, &str)) -> BTreeMap<OneAsk<'q>, Vec<u64>> {
    let mut asks: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for (question, took) in took {
        let at = &question.at;
        let is_part = at.step == Step::Compression;
        let turn = if order == "simultaneous" && !is_part { 0 } else { at.turn };
        let alone = at.step == Step::VoteCall && vote.ends_with("sequential");
        let seat = if alone { question.seat.as_str() } else { "" };
        asks.entry((at.phase.as_str(), at.round, turn, at.step, question.attempt, seat)).or_default().push(*took);
    }
    asks
}

#[tokio::test(start_paused = true)]
async fn the_time_of_twenty_seats_in_a_justice_session_is_that_of_the_slowest_reply_of_each_ask() {
    let mut widest: BTreeMap<Step, usize> = BTreeMap::new();
    for (order, vote) in [
        ("random", "on_call, rounds_min: 1, vote_call: sequential"),
        ("simultaneous", "on_call, rounds_min: 1, vote_call: simultaneous"),
        ("rotating", "every_round"),
    ] {
        let plan = twenty(order, vote);
        for latency_ms in [Some(50), None] {
            let (elapsed_ms, took) = conducted(&plan, latency_ms).await;
            let asks = asks(&took, (order, vote));
            let slowest = asks.values().map(|replies| replies.iter().max().expect("an ask asks somebody"));
            assert_eq!(elapsed_ms, slowest.sum::<u64>(), "{order}, {vote}");
            if latency_ms.is_some() {
                assert_eq!(elapsed_ms, 50 * asks.len() as u64);
            }
            for (ask, replies) in &asks {
                let widest = widest.entry(ask.3).or_default();
                *widest = replies.len().max(*widest);
            }
        }
    }
    // All seats at once, less those that were excluded, the caller of a vote, and those that want no amount or have no news.
    for step in [Step::Ranking, Step::Comprehension, Step::Application, Step::Reasoning, Step::Statement] {
        assert!(widest[&step] >= 18, "{step:?} of {widest:?}");
    }
    for step in [Step::StrawPoll, Step::VoteCall, Step::Confirmation, Step::Ballot, Step::Integration] {
        assert!(widest[&step] >= 17, "{step:?} of {widest:?}");
    }
    assert!(widest[&Step::Amount] > 1 && widest[&Step::Compression] > 1, "{widest:?}");
}
