//! The state that all calls of one server or model share: pauses, failures, and messages for the user.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::failure::FailureKind;

/// The state of a server or model, as its calls found it.
#[derive(Default)]
pub struct Pause {
    state: Mutex<PauseState>,
    /// Held by the call that tests whether a server that was down answers again.
    probe: tokio::sync::Mutex<()>,
}

/// What the user was told about a server before it answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriorServerState {
    /// That it is down.
    Down,
    /// Nothing.
    Up,
}

#[derive(Default)]
struct PauseState {
    /// Whether it has answered since the program started.
    proven: bool,
    until: Option<Instant>,
    answered: Option<Instant>,
    given_up: Option<String>,
    /// The reason of the first call given up since the last answer, by kind of failure.
    ended: BTreeMap<FailureKind, String>,
    down_since: Option<Instant>,
    /// When a further failure is reported to the user; `None` once it was.
    lasting_from: Option<Instant>,
    /// Unreported messages for the user.
    news: Vec<String>,
}

impl Pause {
    /// The rest of the pause; `None` if calls may begin.
    pub fn time_left(&self) -> Option<Duration> {
        let state = self.lock_state();
        state.until.and_then(|until| until.checked_duration_since(Instant::now())).filter(|left| !left.is_zero())
    }

    /// Lets calls begin one at a time while the server is down. Other calls wait while the returned guard is held.
    pub async fn wait_for_turn(&self) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        if !self.is_down() {
            return None;
        }
        let turn = self.probe.lock().await;
        self.is_down().then_some(turn)
    }

    fn is_down(&self) -> bool {
        self.lock_state().down_since.is_some()
    }

    /// Records that the server exists, though it did not answer.
    pub fn mark_proven(&self) {
        self.lock_state().proven = true;
    }

    /// Whether the server has responded since the program started.
    pub fn is_proven(&self) -> bool {
        self.lock_state().proven
    }

    /// Whether a call was answered since this time.
    pub fn has_answered_since(&self, moment: Instant) -> bool {
        self.lock_state().answered.is_some_and(|answered| answered >= moment)
    }

    /// The reason of the first call given up for this kind of failure since the last answer; `why` if this is the first.
    pub fn shared_reason(&self, kind: FailureKind, why: String) -> String {
        self.lock_state().ended.entry(kind).or_insert(why).clone()
    }

    /// Stops all calls; the first reason is kept.
    pub fn give_up(&self, why: &str) {
        self.lock_state().given_up.get_or_insert_with(|| why.to_owned());
    }

    /// Why there are no more calls.
    pub fn give_up_reason(&self) -> Option<String> {
        self.lock_state().given_up.clone()
    }

    /// Extends the pause to this time from now.
    pub fn pause_for(&self, wait: Duration) {
        let mut state = self.lock_state();
        state.until = state.until.max(Instant::now().checked_add(wait));
    }

    /// Marks the server as down and extends the pause. The user gets the message `why` once, if the server fails again after the
    /// first wait; failures that pass are frequent.
    pub fn mark_down(&self, wait: Duration, why: impl FnOnce() -> String) {
        let now = Instant::now();
        self.pause_for(wait);
        let mut state = self.lock_state();
        if state.down_since.is_none() {
            state.down_since = Some(now);
            state.lasting_from = now.checked_add(wait);
        } else if state.lasting_from.is_some_and(|from| now >= from) {
            state.lasting_from = None;
            state.news.push(why());
        }
    }

    /// Records an answer; `name` appears in the message to the user.
    pub fn mark_answered(&self, name: &str) -> PriorServerState {
        let mut state = self.lock_state();
        (state.proven, state.answered) = (true, Some(Instant::now()));
        state.ended.clear();
        let was_told = state.lasting_from.take().is_none();
        let Some(since) = state.down_since.take().filter(|_| was_told) else { return PriorServerState::Up };
        state.news.push(format!("{name} answers again after {} s", since.elapsed().as_secs_f64().ceil()));
        PriorServerState::Down
    }

    /// Unreported messages for the user.
    pub fn take_news(&self) -> Vec<String> {
        std::mem::take(&mut self.lock_state().news)
    }

    fn lock_state(&self) -> MutexGuard<'_, PauseState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_given_up_stays_so_for_its_first_reason() {
        let pause = Pause::default();
        let begun = Instant::now();
        assert!(pause.give_up_reason().is_none() && !pause.has_answered_since(begun));
        pause.mark_answered("it");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(pause.has_answered_since(begun) && !pause.has_answered_since(Instant::now()));
        pause.give_up("it refuses the key");
        pause.give_up("it is away");
        pause.mark_answered("it");
        assert_eq!(pause.give_up_reason().as_deref(), Some("it refuses the key"));
    }

    #[test]
    fn calls_that_end_alike_without_an_answer_between_them_end_for_one_reason_and_others_for_their_own() {
        let (away, busy) = ((None, true), (Some(503), false));
        let pause = Pause::default();
        assert_eq!(pause.shared_reason(away, "no connection, 3 attempts".to_owned()), "no connection, 3 attempts");
        assert_eq!(pause.shared_reason(away, "no connection, 2 attempts".to_owned()), "no connection, 3 attempts");
        assert_eq!(pause.shared_reason(busy, "HTTP 503, 4 attempts".to_owned()), "HTTP 503, 4 attempts");
        assert_eq!(pause.shared_reason(away, "no connection".to_owned()), "no connection, 3 attempts");
        pause.mark_answered("it");
        assert_eq!(pause.shared_reason(away, "no connection, 5 attempts".to_owned()), "no connection, 5 attempts");
    }

    #[tokio::test(start_paused = true)]
    async fn a_rest_is_not_told() {
        let pause = Pause::default();
        pause.pause_for(Duration::from_secs(2));
        assert_eq!(pause.time_left(), Some(Duration::from_secs(2)));
        pause.mark_answered("it");
        assert!(pause.take_news().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_is_told_once_and_so_is_its_end() {
        let pause = Pause::default();
        assert!(pause.time_left().is_none() && !pause.is_proven());
        for _ in 0..3 {
            pause.mark_down(Duration::from_secs(5), || unreachable!("it may pass with the first wait"));
        }
        pause.mark_down(Duration::from_secs(1), || unreachable!("so it may"));
        assert_eq!(pause.time_left(), Some(Duration::from_secs(5)), "a shorter pause does not end a longer one");
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(pause.time_left(), None);
        pause.mark_down(Duration::from_secs(2), || "it is down".to_owned());
        pause.mark_down(Duration::from_secs(2), || unreachable!("it was told"));
        tokio::time::advance(Duration::from_secs(2)).await;
        pause.mark_answered("it");
        pause.mark_answered("it");
        assert_eq!(pause.take_news(), ["it is down", "it answers again after 7 s"]);
        pause.mark_down(Duration::from_secs(5), || unreachable!("it passes with the first wait"));
        pause.mark_answered("it");
        assert!(pause.take_news().is_empty() && pause.is_proven());
    }
}
