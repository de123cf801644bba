//! Every ask is a barrier and the only one: under a paused clock the time of a session is exactly that of its slowest replies.

mod trial;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ekklesia::adapters::seating::Seating;
use ekklesia::domain::{Answer, Outage, Query, QuestionId, Step};
use ekklesia::engine::Deliberation;
use ekklesia::ports::Backend;
use ekklesia::session::{Visibility, conduct};
use futures::FutureExt;
use futures::future::BoxFuture;
use trial::{Kept, plan};

/// Minds that take their time, and note how long each question took them.
struct Slow {
    minds: Seating,
    took: Mutex<BTreeMap<QuestionId, u64>>,
}

impl Backend for Slow {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let digest = blake3::hash(query.id.to_string().as_bytes());
        let wait_ms = u64::from(digest.as_bytes()[0]) * 7 + 1;
        self.took.lock().expect("no test panics here").insert(query.id.clone(), wait_ms);
        async move {
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
            self.minds.answer(query).await
        }
        .boxed()
    }
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
    let mut deliberation = Deliberation::convene(&plan, 1);
    let minds = Seating::new(plan.clone(), *deliberation.seed(), None);
    let slow = Slow { minds, took: Mutex::default() };
    let begun = tokio::time::Instant::now();
    let mut kept = Kept::default();
    let mut visibility = Visibility::new(&plan);
    let ended = conduct((&mut deliberation, &mut visibility), &slow, &mut kept, &AtomicBool::new(false)).await;
    ended.expect("the session ends");
    let elapsed_ms = begun.elapsed().as_millis() as u64;
    // The asks, told by coordinates alone: speakers in turn are asked one by one, all others at once.
    let mut asks: BTreeMap<(String, u32, u32, Step, u8), u64> = BTreeMap::new();
    for (question, took) in slow.took.lock().expect("no test panics here").iter() {
        let at = &question.at;
        let turn = if order == "simultaneous" { 0 } else { at.turn };
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
