//! A rate limit per minute for requests or tokens, spread evenly over the minute.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// A token bucket that fills evenly and holds one second's amount, at least 1.
pub struct Rate {
    per_minute: u64,
    level: Mutex<BucketLevel>,
}

/// The amount at a time; negative if owed.
struct BucketLevel {
    amount: f64,
    at: Instant,
}

impl Rate {
    /// A full bucket.
    ///
    /// # Panics
    /// If `per_minute` is 0.
    pub fn new(per_minute: u64) -> Self {
        assert!(per_minute > 0, "invariant: a rate is above 0");
        let level = BucketLevel { amount: bucket_size(per_minute), at: Instant::now() };
        Self { per_minute, level: Mutex::new(level) }
    }

    /// Takes an amount. An amount larger than the bucket is granted if the bucket is full; later calls wait until the debt is
    /// paid.
    ///
    /// # Errors
    /// How long to wait before the next try.
    pub fn take_amount(&self, amount: u64) -> Result<(), Duration> {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        let per_second = self.per_minute as f64 / 60.0;
        let now = Instant::now();
        let filled = level.amount + now.duration_since(level.at).as_secs_f64() * per_second;
        *level = BucketLevel { amount: filled.min(bucket_size(self.per_minute)), at: now };
        let missing = bucket_size(self.per_minute).min(amount as f64) - level.amount;
        // Tolerates rounding errors.
        if missing > 1e-9 {
            return Err(Duration::from_secs_f64(missing / per_second));
        }
        level.amount -= amount as f64;
        Ok(())
    }

    /// Corrects the amount taken to the amount used.
    pub fn settle(&self, taken: u64, used: u64) {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        level.amount = (level.amount + taken as f64 - used as f64).min(bucket_size(self.per_minute));
    }
}

fn bucket_size(per_minute: u64) -> f64 {
    (per_minute as f64 / 60.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// When each of these amounts was taken, in seconds, one after the other, and each settled at once to what was used.
    fn taken(per_minute: u64, amounts: &[(u64, u64)]) -> Vec<f64> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (rate, begun) = (Rate::new(per_minute), Instant::now());
            let mut times = Vec::new();
            for (amount, used) in amounts {
                while let Err(wait) = rate.take_amount(*amount) {
                    assert!(wait > Duration::ZERO);
                    tokio::time::sleep(wait).await;
                }
                rate.settle(*amount, *used);
                times.push(begun.elapsed().as_secs_f64());
            }
            times
        })
    }

    #[test]
    fn sixty_a_minute_is_one_a_second() {
        let times = taken(60, &[(1, 1); 4]);
        for (time, expected) in times.iter().zip([0.0, 1.0, 2.0, 3.0]) {
            assert!((time - expected).abs() < 0.01, "{times:?}");
        }
    }

    #[test]
    fn what_was_not_used_is_given_back() {
        let (all, half) = (taken(6_000, &[(1_000, 1_000); 5]), taken(6_000, &[(1_000, 500); 5]));
        assert!((all[4] - 4.0 * 10.0).abs() < 0.1, "{all:?}");
        assert!((half[4] - 4.0 * 5.0).abs() < 0.1, "{half:?}");
    }

    proptest! {
        #[test]
        fn in_no_minute_is_more_taken_than_a_minutes_worth_and_what_the_bucket_and_one_call_hold(
            per_minute in 1_u64..5_000, amounts in prop::collection::vec(1_u64..300, 1..40),
        ) {
            let amounts: Vec<(u64, u64)> = amounts.into_iter().map(|amount| (amount, amount)).collect();
            let times = taken(per_minute, &amounts);
            let greatest = amounts.iter().map(|(amount, _)| *amount).max().unwrap_or(0) as f64;
            for (first, start) in times.iter().enumerate() {
                let within = times[first..].iter().zip(&amounts[first..]).take_while(|(time, _)| **time < start + 60.0);
                let sum: u64 = within.map(|(_, (amount, _))| *amount).sum();
                prop_assert!(sum as f64 <= per_minute as f64 + bucket_size(per_minute) + greatest + 0.1, "{sum} in {times:?}");
            }
        }

        #[test]
        fn nobody_waits_longer_than_what_was_taken_before_takes_to_flow_in(
            per_minute in 1_u64..5_000, amounts in prop::collection::vec(1_u64..300, 1..40),
        ) {
            let pairs: Vec<(u64, u64)> = amounts.iter().map(|amount| (*amount, *amount)).collect();
            let times = taken(per_minute, &pairs);
            let sum: u64 = amounts.iter().sum();
            let last = times.last().copied().unwrap_or(0.0);
            prop_assert!(last <= sum as f64 * 60.0 / per_minute as f64 + 0.1 * amounts.len() as f64);
        }
    }
}
