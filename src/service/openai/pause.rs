//! What all calls of one server share of its troubles: until when nobody calls it, and what the user is told of that, once.
//!
//! It waits for nothing and calls nobody.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::failure::FailureKind;

/// A server's state, as its calls found it.
#[derive(Default)]
pub struct Pause {
    state: Mutex<PauseState>,
    /// Held by the one call that looks whether a server that was down answers again.
    probe: tokio::sync::Mutex<()>,
}

/// What the user was told of a server before it answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriorServerState {
    /// That it is down.
    Down,
    /// Nothing.
    Up,
}

#[derive(Default)]
struct PauseState {
    /// Whether it has answered since the program began.
    proven: bool,
    /// No call begins before.
    until: Option<Instant>,
    /// When it last answered.
    answered: Option<Instant>,
    /// Why nobody calls it any more.
    given_up: Option<String>,
    /// Why the first call of each kind of failure ended without an answer since it last answered.
    ended: BTreeMap<FailureKind, String>,
    /// Since when nothing was answered.
    down_since: Option<Instant>,
    /// From when on a failure shows that it is no passing one; `None` once the user was told.
    lasting_from: Option<Instant>,
    /// What the user is to be told.
    news: Vec<String>,
}

impl Pause {
    /// How long no call may begin; `None` when one may now.
    pub fn time_left(&self) -> Option<Duration> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.until.and_then(|until| until.checked_duration_since(Instant::now())).filter(|left| !left.is_zero())
    }

    /// While the server is down calls begin one at a time: waits until it is this one's turn, and keeps the others waiting for as
    /// long as what it returns is held.
    pub async fn wait_for_turn(&self) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        if !self.is_down() {
            return None;
        }
        let turn = self.probe.lock().await;
        self.is_down().then_some(turn)
    }

    fn is_down(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).down_since.is_some()
    }

    /// The server is there, though it did not answer what it was asked.
    pub fn mark_proven(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).proven = true;
    }

    /// Whether the server has answered since the program began.
    pub fn is_proven(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).proven
    }

    /// Whether something was answered since a moment.
    pub fn has_answered_since(&self, moment: Instant) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.answered.is_some_and(|answered| answered >= moment)
    }

    /// Why a call ends that failed as all others of its kind would: for this reason, or for that of the first which ended so since the
    /// last answer.
    pub fn shared_reason(&self, kind: FailureKind, why: String) -> String {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended.entry(kind).or_insert(why).clone()
    }

    /// Nobody calls any more, for this reason; the first one counts.
    pub fn give_up(&self, why: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.given_up.get_or_insert_with(|| why.to_owned());
    }

    /// Why nobody calls any more.
    pub fn give_up_reason(&self) -> Option<String> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).given_up.clone()
    }

    /// Nobody calls for so long.
    pub fn pause_for(&self, wait: Duration) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.until = state.until.max(Instant::now().checked_add(wait));
    }

    /// The server is down, and nobody calls for so long; `why` is told once, when it has failed again after the first wait. Of a
    /// failure that passes with the first wait nothing is told: a night has hundreds of them.
    pub fn mark_down(&self, wait: Duration, why: impl FnOnce() -> String) {
        let now = Instant::now();
        self.pause_for(wait);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.down_since.is_none() {
            state.down_since = Some(now);
            state.lasting_from = now.checked_add(wait);
        } else if state.lasting_from.is_some_and(|from| now >= from) {
            state.lasting_from = None;
            let line = why();
            state.news.push(line);
        }
    }

    /// The server answered.
    pub fn mark_answered(&self, name: &str) -> PriorServerState {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.proven, state.answered) = (true, Some(Instant::now()));
        state.ended.clear();
        let was_told = state.lasting_from.take().is_none();
        let Some(since) = state.down_since.take().filter(|_| was_told) else { return PriorServerState::Up };
        state.news.push(format!("{name} answers again after {} s", since.elapsed().as_secs_f64().ceil()));
        PriorServerState::Down
    }

    /// What the user is to be told and was not yet.
    pub fn take_news(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner).news)
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
