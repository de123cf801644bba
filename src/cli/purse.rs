//! Which sessions of a run may begin while a budget holds: those that were begun get it first.
//!
//! A session is begun once what the budget leaves covers the forecast of all that are under way and its own, or when none is under way.
//! They begin in the order in which they are sent, which is the plan's. So a small budget completes the first sessions instead of
//! beginning all; and once it has stopped one, none is begun. It stops no call: [`crate::service::openai::Budget`] does.

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

/// How often waiting looks whether the run stops.
const LOOK: Duration = Duration::from_millis(100);

/// What a run may spend, and which sessions are under way.
pub struct Purse<'r> {
    limits: Limits,
    experiment: &'r Experiment,
    root: &'r Path,
    /// What a session may come to, by the digest of its plan; of a plan that was not rehearsed, the most of all.
    foreseen: BTreeMap<Digest, Spending>,
    most: Spending,
    state: Mutex<PurseState>,
    ended: Condvar,
}

struct PurseState {
    /// What was spent, by sessions under way before they were begun.
    spent: Spending,
    claimed: Vec<Spending>,
    /// The number of the session whose turn it is: all before it have entered.
    turn: usize,
    /// Those behind it that entered without a turn of their own.
    entered: BTreeSet<usize>,
    /// Whether the budget has stopped a session.
    closed: bool,
}

/// What a session under way may come to, and what it had come to before.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    most: Spending,
    before: Spending,
}

impl<'r> Purse<'r> {
    /// The purse of a run of which so much was spent.
    ///
    /// # Errors
    /// When a template fails on one of the questions.
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

    /// Waits until a session that so many were sent before may begin; `None` when the run stopped, or the budget another session,
    /// before that. What costs nothing does not wait.
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

    /// The budget has stopped a session: none is begun any more.
    pub fn close(&self) {
        self.lock_state().closed = true;
        self.ended.notify_all();
    }

    /// A session is no longer under way: what it came to counts in the place of what it might have.
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

    /// What a session's recorded calls took. A record that cannot be read is told by its session.
    fn came_to(&self, session: &PlannedSession) -> Spending {
        let account = budget::read_account(self.experiment, self.root, std::iter::once(session.clone()));
        account.map_or(Spending::default(), |account| account.all.to_spending())
    }

    fn lock_state(&self) -> MutexGuard<'_, PurseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PurseState {
    /// A session has entered.
    fn record_entry(&mut self, number: usize) {
        self.entered.insert(number);
        while self.entered.remove(&self.turn) {
            self.turn += 1;
        }
    }
}

/// What a session without re-asks may come to.
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
