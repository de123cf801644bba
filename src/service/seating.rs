//! Assigns each seat of a session its respondent: a mind, a model or a person.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::chance::SessionSeed;
use crate::domain::{Answer, Outage, Query};
use crate::plan::Plan;
use crate::ports::Backend;
use crate::service::models::ModelSeats;
use crate::session::SimulatedSeats;

/// The seats of one session.
pub struct Seating {
    simulated: SimulatedSeats,
    models: Option<ModelSeats>,
    recomputed: AtomicU64,
    in_past: Arc<AtomicBool>,
}

impl Seating {
    /// Seats a session's agents; `models` is `None` if all seats are simulated.
    pub fn new(plan: Arc<Plan>, seed: SessionSeed, models: Option<ModelSeats>) -> Self {
        Self {
            simulated: SimulatedSeats::new(plan, seed),
            models,
            recomputed: AtomicU64::new(0),
            in_past: Arc::default(),
        }
    }

    /// Sets the seed of what simulated seats draw since a fork departed from its parent.
    #[must_use]
    pub fn take_departed_seed(self, departed: SessionSeed) -> Self {
        Self { simulated: self.simulated.take_departed_seed(departed), ..self }
    }

    /// While the flag is set, questions repeat recorded minutes: a missing answer is an `Outage::CallLost`, not a call.
    #[must_use]
    pub fn with_past_flag(self, in_past: Arc<AtomicBool>) -> Self {
        Self { in_past, ..self }
    }

    /// The number of calls made, of answers served from a record, and of calls in the session's record.
    pub fn call_counts(&self) -> (u64, u64, u64) {
        let counts = |models: &ModelSeats| (models.calls_live(), models.answers_recorded(), models.calls_recorded());
        self.models.as_ref().map_or((0, 0, 0), counts)
    }

    /// The number of answers by simulated seats.
    pub fn recomputed_answers(&self) -> u64 {
        self.recomputed.load(Ordering::Relaxed)
    }
}

impl Backend for Seating {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        match self.simulated.answer_at_once(query) {
            Some(answer) => {
                self.recomputed.fetch_add(1, Ordering::Relaxed);
                std::future::ready(answer).boxed()
            }
            None => {
                let models = self.models.as_ref().expect("invariant: a plan with a model or a person has their seats");
                if self.in_past.load(Ordering::Relaxed) && !models.needs_no_call(query) {
                    let lost = Outage::CallLost { question: Box::new(query.id.clone()) };
                    return std::future::ready(Err(lost)).boxed();
                }
                models.answer(query)
            }
        }
    }
}
