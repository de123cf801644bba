//! A watched experiment: it is polled while readers follow it, and all readers get the newest state.
//!
//! The pause grows with the duration of a look, so that a run on this machine is not slowed down. Slow readers miss states, but
//! no records.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::folder_watcher::{ExperimentState, Survey};
use super::page_cache::PageCache;

const PAUSE: Duration = Duration::from_millis(200);
/// The pause as a multiple of the duration of the last look.
const SHARE: u32 = 60;
const PAUSE_MAX: Duration = Duration::from_secs(10);

/// The pause after a look that took this long.
pub fn pause_after_look(took: Duration, least: Duration) -> Duration {
    took.saturating_mul(SHARE).clamp(least, PAUSE_MAX)
}

/// An experiment's folder and its last known state.
#[derive(Debug)]
pub struct WatchedExperiment {
    /// The experiment's folder.
    pub folder: PathBuf,
    /// The report page.
    pub print: PageCache,
    survey: Mutex<Survey>,
    told: watch::Sender<Arc<ExperimentState>>,
    is_watched: AtomicBool,
}

impl WatchedExperiment {
    /// An experiment that was not read yet.
    pub fn new(folder: PathBuf) -> Self {
        let survey = Survey::new(folder.clone());
        let told = watch::Sender::new(Arc::new(survey.state().clone()));
        Self {
            folder,
            print: PageCache::default(),
            survey: Mutex::new(survey),
            told,
            is_watched: AtomicBool::new(false),
        }
    }

    /// Looks now and returns the state. This call blocks.
    pub fn refresh_state(&self) -> Arc<ExperimentState> {
        // A panic leaves the previous state.
        let mut survey = self.survey.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = survey.refresh_state() {
            self.told.send_replace(Arc::new(state));
        }
        Arc::clone(&self.told.borrow())
    }

    /// Subscribes to states. The experiment is polled while it has subscribers.
    pub fn follow_states(self: &Arc<Self>) -> watch::Receiver<Arc<ExperimentState>> {
        let receiver = self.told.subscribe();
        if !self.is_watched.swap(true, Ordering::SeqCst) {
            tokio::spawn(watch_experiment(Arc::clone(self)));
        }
        receiver
    }
}

async fn watch_experiment(room: Arc<WatchedExperiment>) {
    loop {
        let (looking, begun) = (Arc::clone(&room), Instant::now());
        if tokio::task::spawn_blocking(move || looking.refresh_state()).await.is_err() {
            // The runtime ended or a look panicked; the next subscriber restarts the polling.
            room.is_watched.store(false, Ordering::SeqCst);
            return;
        }
        tokio::time::sleep(pause_after_look(begun.elapsed(), PAUSE)).await;
        if room.told.receiver_count() == 0 {
            room.is_watched.store(false, Ordering::SeqCst);
            // A reader may have subscribed before the flag was cleared.
            if room.told.receiver_count() == 0 || room.is_watched.swap(true, Ordering::SeqCst) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_take_less_than_a_fiftieth_of_a_core_until_they_take_long() {
        for took in [0, 1, 3, 20, 160].map(Duration::from_millis) {
            let all = took + pause_after_look(took, PAUSE);
            assert!(took * 50 <= all && all >= PAUSE, "{took:?}");
        }
        assert_eq!(pause_after_look(Duration::from_secs(9), PAUSE), PAUSE_MAX);
    }
}
