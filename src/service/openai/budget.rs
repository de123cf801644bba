//! The budget: reserves each attempt's maximum spending, and settles the actual spending afterwards.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::domain::Dollars;
use crate::plan::Limits;
use crate::store::calls::Spending;

/// The limits of an experiment and the spending so far, shared by all calls.
#[derive(Debug, Default)]
pub struct Budget {
    limits: Limits,
    state: Mutex<BudgetState>,
    settled: Notify,
}

#[derive(Debug, Default)]
struct BudgetState {
    spent: Spending,
    reserved: Spending,
    reservations: usize,
}

/// The reserved spending of one attempt. If dropped without `settle`, it counts in full.
#[derive(Debug)]
pub struct Reservation<'b> {
    budget: &'b Budget,
    most: Spending,
    came_to: Spending,
}

impl Budget {
    /// A budget of which `spent` is used.
    pub fn new(limits: Limits, spent: Spending) -> Self {
        let state = BudgetState { spent, ..BudgetState::default() };
        Self { limits, state: Mutex::new(state), settled: Notify::new() }
    }

    /// Whether there is a limit.
    pub fn is_limited(&self) -> bool {
        self.limits.usd.is_some() || self.limits.tokens.is_some()
    }

    /// The spending so far, without calls under way.
    pub fn total_spent(&self) -> Spending {
        self.lock_state().spent
    }

    /// Adds spending without a reservation.
    pub fn add_spent(&self, spent: Spending) {
        let mut state = self.lock_state();
        state.spent = state.spent.saturating_add(spent);
    }

    /// Reserves an attempt's maximum spending. If attempts under way may leave enough, it waits for them.
    ///
    /// # Errors
    /// The limit, the spending so far and the attempt's maximum, in words, if the attempt might exceed the limit even if all attempts
    /// under way were free.
    pub async fn reserve(&self, most: Spending) -> Result<Reservation<'_>, String> {
        loop {
            let settled = self.settled.notified();
            {
                let mut state = self.lock_state();
                let committed = state.spent.saturating_add(state.reserved);
                if self.exceeded_limit(committed, most).is_none() {
                    state.reserved = state.reserved.saturating_add(most);
                    state.reservations += 1;
                    return Ok(Reservation { budget: self, most, came_to: most });
                }
                if let Some(words) = self.exceeded_limit(state.spent, most) {
                    return Err(words);
                }
                assert!(state.reservations > 0, "invariant: what is set aside belongs to an attempt under way");
            }
            settled.await;
        }
    }

    /// The limit that an attempt might exceed, in words.
    fn exceeded_limit(&self, spent: Spending, most: Spending) -> Option<String> {
        let after = spent.saturating_add(most);
        if let Some(limit) = self.limits.usd.map(Dollars::new)
            && after.dollars > limit
        {
            let (spent, most) = (spent.dollars, most.dollars);
            return Some(format!(
                "the budget of {limit} (limits.usd or --budget-usd): {spent} are spent and the next call may cost {most}"
            ));
        }
        let limit = self.limits.tokens.filter(|limit| after.tokens > *limit)?;
        let (spent, most) = (spent.tokens, most.tokens);
        Some(format!(
            "the budget of {limit} tokens (limits.tokens or --budget-tokens): {spent} are spent and the next call may take {most}"
        ))
    }

    fn lock_state(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// Records the actual spending; zero if the attempt cost nothing.
    pub fn settle(mut self, came_to: Spending) {
        self.came_to = came_to;
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.lock_state();
        state.reserved = state.reserved.saturating_sub(self.most);
        state.spent = state.spent.saturating_add(self.came_to);
        state.reservations -= 1;
        drop(state);
        self.budget.settled.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Usage;
    use crate::plan::Price;

    const CHEAP: Price = Price { input_per_mtok: 0.15, cached_input_per_mtok: None, output_per_mtok: 0.60 };

    fn usage(prompt_tokens: u64, completion_tokens: u64) -> Usage {
        Usage { prompt_tokens, completion_tokens, thinking_tokens: None, cached_prompt_tokens: None }
    }

    #[test]
    fn a_million_tokens_cost_the_price() {
        assert_eq!(Spending::from_usage(usage(1_000_000, 0), Some(CHEAP)).dollars, Dollars::new(0.15));
        assert_eq!(Spending::from_usage(usage(0, 2_000_000), Some(CHEAP)).dollars, Dollars::new(1.20));
        assert_eq!(Spending::from_usage(usage(7, 3), None), Spending { tokens: 10, dollars: Dollars::default() });
    }

    #[tokio::test]
    async fn a_call_waits_for_those_that_may_come_to_less_and_is_refused_when_none_may() {
        let budget = Budget::new(Limits { usd: None, tokens: Some(100) }, Spending::default());
        let tokens = |tokens| Spending { tokens, dollars: Dollars::default() };
        let first = budget.reserve(tokens(60)).await.unwrap();
        let second = budget.reserve(tokens(60));
        tokio::pin!(second);
        assert!(futures::poll!(second.as_mut()).is_pending());
        first.settle(tokens(30));
        let second = second.await.unwrap();
        drop(second);
        assert_eq!(budget.total_spent().tokens, 90, "what nobody answered for counts in full");
        let refused = budget.reserve(tokens(11)).await.unwrap_err();
        assert_eq!(
            refused,
            "the budget of 100 tokens (limits.tokens or --budget-tokens): 90 are spent and the next call may take 11"
        );
        budget.reserve(tokens(10)).await.unwrap().settle(tokens(0));
        assert_eq!(budget.total_spent().tokens, 90);
    }

    proptest! {
        #[test]
        fn however_calls_overlap_no_more_is_spent_than_the_limit(
            limit in 0.0_f64..1.0, calls in prop::collection::vec((0_u64..2_000_000, 0_u64..500_000, 0_u64..=100), 0..40),
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let budget = Budget::new(Limits { usd: Some(limit), tokens: None }, Spending::default());
            let work = calls.iter().map(async |(prompt, reply, percent)| {
                let most = Spending::from_usage(usage(*prompt, *reply), Some(CHEAP));
                if let Ok(reservation) = budget.reserve(most).await {
                    tokio::task::yield_now().await;
                    reservation.settle(Spending::from_usage(usage(prompt * percent / 100, reply * percent / 100), Some(CHEAP)));
                }
            });
            runtime.block_on(futures::future::join_all(work));
            prop_assert!(budget.total_spent().dollars <= Dollars::new(limit));
            prop_assert_eq!(budget.lock_state().reserved, Spending::default());
        }

        #[test]
        fn sums_do_not_depend_on_their_order(calls in prop::collection::vec((0_u64..1 << 40, 0_u64..1 << 40), 0..20)) {
            let sum = |spent: &mut dyn Iterator<Item = &(u64, u64)>| {
                spent.fold(Spending::default(), |sum, (prompt, reply)| sum.saturating_add(Spending::from_usage(usage(*prompt, *reply), Some(CHEAP))))
            };
            prop_assert_eq!(sum(&mut calls.iter()), sum(&mut calls.iter().rev()));
        }
    }
}
