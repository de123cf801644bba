//! An experiment that is watched: it is looked at again while somebody follows it, and all who follow get the newest state.
//!
//! The longer a look took, the later the next one comes, so that a run on the same machine is not slowed down. There is no list
//! of changes: a slow reader misses states, but never records.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::print::PageCache;
use super::survey::{ExperimentState, Survey};

/// How long nobody looks between two looks.
const PAUSE: Duration = Duration::from_millis(200);
/// Nor sooner than after so many times what the look took: a run beside it has the machine for the rest.
const SHARE: u32 = 60;
/// Nobody waits longer for the next look.
const PAUSE_MAX: Duration = Duration::from_secs(10);

/// How long nothing is looked at after a look that took so long.
pub fn pause_after_look(took: Duration, least: Duration) -> Duration {
    took.saturating_mul(SHARE).clamp(least, PAUSE_MAX)
}

/// An experiment's folder and what is known of it.
#[derive(Debug)]
pub struct WatchedExperiment {
    /// The experiment's folder.
    pub folder: PathBuf,
    /// Its report's page.
    pub print: PageCache,
    survey: Mutex<Survey>,
    told: watch::Sender<Arc<ExperimentState>>,
    is_watched: AtomicBool,
}

impl WatchedExperiment {
    /// A room that nobody looked into.
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

    /// Looks at once and tells what is known. It reads files, and so belongs on a thread that may wait.
    pub fn refresh_state(&self) -> Arc<ExperimentState> {
        // A look that panicked left what was known before.
        let mut survey = self.survey.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = survey.refresh_state() {
            self.told.send_replace(Arc::new(state));
        }
        Arc::clone(&self.told.borrow())
    }

    /// Follows the experiment: from now on it is looked at until nobody follows it.
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
            // The runtime ends, or a look panicked: whoever follows next begins again.
            room.is_watched.store(false, Ordering::SeqCst);
            return;
        }
        tokio::time::sleep(pause_after_look(begun.elapsed(), PAUSE)).await;
        if room.told.receiver_count() == 0 {
            room.is_watched.store(false, Ordering::SeqCst);
            // Somebody may have come in between, and found the room watched.
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
