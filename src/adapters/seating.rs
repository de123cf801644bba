//! Who answers for each seat of a session: its mind, or its model.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::adapters::models::ModelSeats;
use crate::chance::SessionSeed;
use crate::domain::{Answer, Outage, Query};
use crate::plan::{Plan, Sitter};
use crate::ports::Backend;

/// The seats of one session.
pub struct Seating {
    plan: Arc<Plan>,
    seed: SessionSeed,
    models: Option<ModelSeats>,
    recomputed: AtomicU64,
}

impl Seating {
    /// Seats a session's agents; `models` is `None` where every seat is simulated.
    pub fn new(plan: Arc<Plan>, seed: SessionSeed, models: Option<ModelSeats>) -> Self {
        Self { plan, seed, models, recomputed: AtomicU64::new(0) }
    }

    /// Calls made, and answers served from the record.
    pub fn calls(&self) -> (u64, u64) {
        self.models.as_ref().map_or((0, 0), |models| (models.calls_live(), models.answers_recorded()))
    }

    /// Answers that minds gave.
    pub fn recomputed(&self) -> u64 {
        self.recomputed.load(Ordering::Relaxed)
    }

    /// Makes every recorded call survive a power cut.
    ///
    /// # Errors
    /// [`Outage::Unwritten`] when that fails.
    pub fn sync(&self) -> Result<(), Outage> {
        self.models.as_ref().map_or(Ok(()), ModelSeats::sync)
    }
}

impl Backend for Seating {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        match &self.plan.seats[query.seat.index()].sitter {
            Sitter::Mind(mind) => {
                self.recomputed.fetch_add(1, Ordering::Relaxed);
                let answer = mind.answer(&self.plan.motion, &self.seed, query);
                std::future::ready(answer).boxed()
            }
            Sitter::Model(_) => {
                let models = self.models.as_ref().expect("invariant: a plan with a model has its seats");
                models.answer(query)
            }
        }
    }
}
