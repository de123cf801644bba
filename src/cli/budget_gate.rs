//! Decides which sessions may begin under a budget: sessions that have begun come first.
//!
//! A session begins if the remaining budget covers its forecast and those of all running sessions, or if no session is running.
//! Sessions begin in turn. So a small budget completes the first sessions instead of beginning all. Once the budget has stopped
//! a session, no other begins. [`crate::service::openai::Budget`] limits the calls themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::exit::Refusal;
use super::{budget, check};
use crate::domain::{Digest, Dollars, Usage};
use crate::plan::{Experiment, Limits, Plan, PlannedSession};
use crate::session::Forecast;
use crate::store::calls::Spending;

/// How often a waiting session checks whether the run stops.
const LOOK: Duration = Duration::from_millis(100);

/// The spending of a run and its running sessions.
pub struct Purse<'r> {
    limits: Limits,
    experiment: &'r Experiment,
    root: &'r Path,
    /// The forecast for a session by plan digest; `most` stands in for plans that were not rehearsed.
    foreseen: BTreeMap<Digest, Spending>,
    most: Spending,
    state: Mutex<PurseState>,
    ended: Condvar,
}

struct PurseState {
    /// Spending so far; of running sessions, only that before they began.
    spent: Spending,
    claimed: Vec<Spending>,
    /// The number of the next session: all before it have entered.
    turn: usize,
    /// Later sessions that entered without waiting.
    entered: BTreeSet<usize>,
    /// Whether the budget has stopped a session.
    closed: bool,
}

/// A running session's forecast and its spending before it began.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    most: Spending,
    before: Spending,
}

impl<'r> Purse<'r> {
    /// The budget of a run that has already spent `spent`.
    ///
    /// # Errors
    /// When a template fails on a question.
    pub fn for_run(
        limits: Limits,
        spent: Spending,
        experiment: &'r Experiment,
        root: &'r Path,
    ) -> Result<Self, Refusal> {
        let mut foreseen = BTreeMap::new();
        if limits != Limits::default() {
            let forecasts = check::forecast_plans(experiment)?;
            for plan in &experiment.arms {
                foreseen
                    .extend(forecasts.get(&plan.digest).map(|one| (plan.digest.clone(), spending_forecast(one, plan))));
            }
        }
        let higher = |one: Spending, other: &Spending| Spending {
            tokens: one.tokens.max(other.tokens),
            dollars: one.dollars.max(other.dollars),
        };
        let most = foreseen.values().fold(Spending::default(), higher);
        let state = PurseState { spent, claimed: Vec::new(), turn: 0, entered: BTreeSet::new(), closed: false };
        Ok(Self { limits, experiment, root, foreseen, most, state: Mutex::new(state), ended: Condvar::new() })
    }

    /// Waits until a session may begin. Returns `None` if the run stopped, or the budget stopped a session. Simulated sessions
    /// and runs without limits do not wait. `number` is the session's turn.
    pub fn wait_to_begin(&self, (session, number): (&PlannedSession, usize), stop: &AtomicBool) -> Option<Claim> {
        if self.limits == Limits::default() || session.arm.is_simulated() {
            self.lock_state().record_entry(number);
            return Some(Claim { most: Spending::default(), before: Spending::default() });
        }
        let most = self.foreseen.get(&session.arm.digest).copied().unwrap_or(self.most);
        let before = self.came_to(session);
        let mut state = self.lock_state();
        loop {
            if state.closed || stop.load(Ordering::Relaxed) {
                return None;
            }
            let claimed = state.claimed.iter().fold(state.spent, |sum, one| sum.saturating_add(*one));
            if state.turn == number && (state.claimed.is_empty() || self.covers(claimed.saturating_add(most))) {
                state.claimed.push(most);
                state.record_entry(number);
                self.ended.notify_all();
                return Some(Claim { most, before });
            }
            let waited = self.ended.wait_timeout(state, LOOK);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets no other session begin, because the budget has stopped one.
    pub fn close(&self) {
        self.lock_state().closed = true;
        self.ended.notify_all();
    }

    /// Replaces the forecast of an ended session by its actual spending.
    pub fn end_session(&self, session: &PlannedSession, claim: Option<Claim>) {
        let Some(Claim { most, before }) = claim.filter(|claim| claim.most != Spending::default()) else { return };
        let came_to = self.came_to(session).saturating_sub(before);
        let mut state = self.lock_state();
        let place = state.claimed.iter().position(|claimed| *claimed == most);
        state.claimed.swap_remove(place.expect("invariant: a session that leaves has entered"));
        state.spent = state.spent.saturating_add(came_to);
        drop(state);
        self.ended.notify_all();
    }

    fn covers(&self, sum: Spending) -> bool {
        self.limits.tokens.is_none_or(|limit| sum.tokens <= limit)
            && self.limits.usd.is_none_or(|limit| sum.dollars <= Dollars::new(limit))
    }

    /// The spending in a session's recorded calls; none if the call record is unreadable.
    fn came_to(&self, session: &PlannedSession) -> Spending {
        let account = budget::read_account(self.experiment, self.root, std::iter::once(session.clone()));
        account.map_or(Spending::default(), |account| account.all.to_spending())
    }

    fn lock_state(&self) -> MutexGuard<'_, PurseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PurseState {
    fn record_entry(&mut self, number: usize) {
        self.entered.insert(number);
        while self.entered.remove(&self.turn) {
            self.turn += 1;
        }
    }
}

/// The highest forecast for a session, without repeated questions.
fn spending_forecast(forecast: &Forecast, plan: &Plan) -> Spending {
    let loads = forecast.models.iter().zip(&plan.models).map(|(load, model)| {
        let (prompt_tokens, completion_tokens) = (load.prompt_tokens.high, load.completion_tokens.high);
        Spending::from_usage(
            Usage { prompt_tokens, completion_tokens, thinking_tokens: None, cached_prompt_tokens: None },
            model.price,
        )
    });
    loads.fold(Spending::default(), Spending::saturating_add)
}
