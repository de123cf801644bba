//! The number of simultaneous calls: the config's limit, and fewer while the server reports too many requests.
//!
//! A report halves the number; as many answers as there are lanes add one: additive increase, multiplicative decrease (D.-M.
//! Chiu, R. Jain, Computer Networks and ISDN Systems 17, 1989).

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// Lanes for simultaneous calls.
pub struct Lanes {
    open: Semaphore,
    width: Mutex<Width>,
}

struct Width {
    now: usize,
    most: usize,
    /// Lanes to close when their call ends.
    owed: usize,
    /// Answers since the number of lanes changed.
    answers: usize,
    /// When the number of lanes was last halved.
    narrowed: Option<Instant>,
}

/// A lane in use, released on drop.
pub struct Lane<'l> {
    lanes: &'l Lanes,
    permit: Option<SemaphorePermit<'l>>,
}

impl Lanes {
    /// Creates this many lanes, at least one.
    pub fn new(most: usize) -> Self {
        let most = most.clamp(1, Semaphore::MAX_PERMITS);
        let width = Width { now: most, most, owed: 0, answers: 0, narrowed: None };
        Self { open: Semaphore::new(most), width: Mutex::new(width) }
    }

    /// Waits for a free lane.
    pub async fn enter(&self) -> Lane<'_> {
        let permit = self.open.acquire().await.expect("invariant: lanes are never closed");
        Lane { lanes: self, permit: Some(permit) }
    }

    /// Halves the lanes after the server rejected a call sent at this time, unless they were halved since then.
    pub fn narrow(&self, sent: Instant) {
        let mut width = self.lock_width();
        if width.narrowed.is_some_and(|narrowed| narrowed >= sent) {
            return;
        }
        let half = (width.now / 2).max(1);
        width.owed += width.now - half;
        (width.now, width.answers, width.narrowed) = (half, 0, Some(Instant::now()));
    }

    /// Counts an answer; adds a lane after as many answers as there are lanes.
    pub fn widen(&self) {
        let mut width = self.lock_width();
        width.answers += 1;
        if width.now == width.most || width.answers < width.now {
            return;
        }
        (width.now, width.answers) = (width.now + 1, 0);
        match width.owed.checked_sub(1) {
            Some(owed) => width.owed = owed,
            None => self.open.add_permits(1),
        }
    }

    fn lock_width(&self) -> MutexGuard<'_, Width> {
        self.width.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        let mut width = self.lanes.lock_width();
        if let (Some(owed), Some(permit)) = (width.owed.checked_sub(1), self.permit.take()) {
            width.owed = owed;
            permit.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// How many places can be taken at once.
    async fn places(lanes: &Lanes) -> usize {
        let mut taken = Vec::new();
        while let Ok(lane) = tokio::time::timeout(Duration::from_millis(1), lanes.enter()).await {
            taken.push(lane);
        }
        taken.len()
    }

    #[tokio::test(start_paused = true)]
    async fn half_the_places_close_and_come_back_one_by_one() {
        let lanes = Lanes::new(8);
        assert_eq!(places(&lanes).await, 8);
        lanes.narrow(Instant::now());
        drop(futures::future::join_all((0..4).map(|_| lanes.enter())).await);
        assert_eq!(places(&lanes).await, 4);
        for more in 5..=8 {
            for _ in 0..more - 1 {
                lanes.widen();
            }
            assert_eq!(places(&lanes).await, more);
        }
        (0..100).for_each(|_| lanes.widen());
        assert_eq!(places(&lanes).await, 8, "never more than the config allows");
    }

    #[tokio::test(start_paused = true)]
    async fn calls_that_were_sent_together_and_refused_together_count_once_and_one_place_always_stays() {
        let lanes = Lanes::new(8);
        let sent = Instant::now();
        tokio::time::advance(Duration::from_secs(1)).await;
        (0..8).for_each(|_| lanes.narrow(sent));
        drop(futures::future::join_all((0..8).map(|_| lanes.enter())).await);
        assert_eq!(places(&lanes).await, 4);
        for _ in 0..10 {
            tokio::time::advance(Duration::from_secs(1)).await;
            lanes.narrow(Instant::now());
            let _ = places(&lanes).await;
        }
        assert_eq!(places(&lanes).await, 1);
    }
}
