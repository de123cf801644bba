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
use crate::plan::{Experiment, Limits, Plan, Planned};
use crate::session::Forecast;
use crate::store::calls::Spent;

/// How often waiting looks whether the run stops.
const LOOK: Duration = Duration::from_millis(100);

/// What a run may spend, and which sessions are under way.
pub struct Purse<'r> {
    limits: Limits,
    experiment: &'r Experiment,
    root: &'r Path,
    /// What a session may come to, by the digest of its plan; of a plan that was not rehearsed, the most of all.
    foreseen: BTreeMap<Digest, Spent>,
    most: Spent,
    state: Mutex<State>,
    ended: Condvar,
}

struct State {
    /// What was spent, by sessions under way before they were begun.
    spent: Spent,
    claimed: Vec<Spent>,
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
    most: Spent,
    before: Spent,
}

impl<'r> Purse<'r> {
    /// The purse of a run of which so much was spent.
    ///
    /// # Errors
    /// When a template fails on one of the questions.
    pub fn of(limits: Limits, spent: Spent, experiment: &'r Experiment, root: &'r Path) -> Result<Self, Refusal> {
        let mut foreseen = BTreeMap::new();
        if limits != Limits::default() {
            let forecasts = check::forecasts(experiment)?;
            for plan in &experiment.arms {
                foreseen.extend(forecasts.get(&plan.digest).map(|one| (plan.digest.clone(), within(one, plan))));
            }
        }
        let higher = |one: Spent, other: &Spent| Spent {
            tokens: one.tokens.max(other.tokens),
            dollars: one.dollars.max(other.dollars),
        };
        let most = foreseen.values().fold(Spent::default(), higher);
        let state = State { spent, claimed: Vec::new(), turn: 0, entered: BTreeSet::new(), closed: false };
        Ok(Self { limits, experiment, root, foreseen, most, state: Mutex::new(state), ended: Condvar::new() })
    }

    /// Waits until a session that so many were sent before may begin; `None` when the run stopped, or the budget another session,
    /// before that. What costs nothing does not wait.
    pub fn enter(&self, (session, number): (&Planned, usize), stop: &AtomicBool) -> Option<Claim> {
        if self.limits == Limits::default() || session.arm.is_simulated() {
            self.state().pass(number);
            return Some(Claim { most: Spent::default(), before: Spent::default() });
        }
        let most = self.foreseen.get(&session.arm.digest).copied().unwrap_or(self.most);
        let before = self.came_to(session);
        let mut state = self.state();
        loop {
            if state.closed || stop.load(Ordering::Relaxed) {
                return None;
            }
            let claimed = state.claimed.iter().fold(state.spent, |sum, one| sum.plus(*one));
            if state.turn == number && (state.claimed.is_empty() || self.covers(claimed.plus(most))) {
                state.claimed.push(most);
                state.pass(number);
                self.ended.notify_all();
                return Some(Claim { most, before });
            }
            let waited = self.ended.wait_timeout(state, LOOK);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The budget has stopped a session: none is begun any more.
    pub fn close(&self) {
        self.state().closed = true;
        self.ended.notify_all();
    }

    /// A session is no longer under way: what it came to counts in the place of what it might have.
    pub fn leave(&self, session: &Planned, claim: Option<Claim>) {
        let Some(Claim { most, before }) = claim.filter(|claim| claim.most != Spent::default()) else { return };
        let came_to = self.came_to(session).less(before);
        let mut state = self.state();
        let place = state.claimed.iter().position(|claimed| *claimed == most);
        state.claimed.swap_remove(place.expect("invariant: a session that leaves has entered"));
        state.spent = state.spent.plus(came_to);
        drop(state);
        self.ended.notify_all();
    }

    fn covers(&self, sum: Spent) -> bool {
        self.limits.tokens.is_none_or(|limit| sum.tokens <= limit)
            && self.limits.usd.is_none_or(|limit| sum.dollars <= Dollars::new(limit))
    }

    /// What a session's recorded calls took. A record that cannot be read is told by its session.
    fn came_to(&self, session: &Planned) -> Spent {
        let account = budget::account(self.experiment, self.root, std::iter::once(session.clone()));
        account.map_or(Spent::default(), |account| account.all.spent())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// A session has entered.
    fn pass(&mut self, number: usize) {
        self.entered.insert(number);
        while self.entered.remove(&self.turn) {
            self.turn += 1;
        }
    }
}

/// What a session without re-asks may come to.
fn within(forecast: &Forecast, plan: &Plan) -> Spent {
    let loads = forecast.models.iter().zip(&plan.models).map(|(load, model)| {
        let (prompt_tokens, completion_tokens) = (load.prompt_tokens.high, load.completion_tokens.high);
        Spent::of(
            Usage { prompt_tokens, completion_tokens, thinking_tokens: None, cached_prompt_tokens: None },
            model.price,
        )
    });
    loads.fold(Spent::default(), Spent::plus)
}
