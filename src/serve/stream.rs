//! The live stream of an experiment: its state after each change, and new records of its sessions.
//!
//! The reader pulls: nothing is read before the previous events are sent.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::cursor::Cursor;
use super::folder_watcher::ExperimentState;
use super::reading::{SessionFilter, StreamMessage, StreamReading};
use super::session::{SessionStage, WatchedSession};
use super::watched_experiment::WatchedExperiment;
use crate::report::grouped;
use crate::report::page::Labels;
use crate::service::stopwatch::Stopwatch;
use crate::text::escape_unseen;

/// The time after which a disconnected reader reconnects.
const RETRY: Duration = Duration::from_secs(1);
const HEARTBEAT: Duration = Duration::from_secs(10);
/// The maximum number of sessions in a state. Incomplete ones have priority, then recently changed ones.
const SESSIONS_TOLD: usize = 2000;
/// The seats on a stance board.
const SEATS_TOLD: usize = 40;

struct Connection {
    states: watch::Receiver<Arc<ExperimentState>>,
    /// The look that was last sent; `None` before the first state.
    told: Option<u64>,
    reading: Option<StreamReading>,
    ready: VecDeque<Event>,
    _place: OwnedSemaphorePermit,
}

/// Starts the stream.
pub fn stream_response(
    room: &Arc<WatchedExperiment>,
    wanted: SessionFilter,
    cursor: Cursor,
    place: OwnedSemaphorePermit,
) -> Response {
    let connection = Connection {
        states: room.follow_states(),
        told: None,
        reading: Some(StreamReading::new(room.folder.clone(), wanted, cursor)),
        ready: VecDeque::from([Event::default().retry(RETRY)]),
        _place: place,
    };
    let events = stream::unfold(connection, |connection| async { connection.next_event().await });
    Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT).text("quiet")).into_response()
}

impl Connection {
    /// The next event; `None` at the end of the stream.
    async fn next_event(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some((Ok(event), self));
            }
            let state = Arc::clone(&self.states.borrow_and_update());
            if state.look > 0 && self.told != Some(state.look) {
                let told = self.told.replace(state.look);
                self.ready.push_back(Event::default().event("state").data(state_json(&state, told).to_string()));
                continue;
            }
            let mut reading = self.reading.take()?;
            let read = tokio::task::spawn_blocking(move || {
                let messages = reading.next_messages(&state);
                (reading, messages)
            });
            let (reading, messages) = read.await.ok()?;
            self.reading = Some(reading);
            if messages.is_empty() {
                self.states.changed().await.ok()?;
            }
            let event = |StreamMessage { kind, id, data }| Event::default().event(kind).id(id).data(data);
            self.ready.extend(messages.into_iter().map(event));
        }
    }
}

/// A state as one JSON object: the counts, and the sessions that changed after the look `since`.
pub fn state_json(state: &ExperimentState, since: Option<u64>) -> Value {
    let is_new = |session: &WatchedSession| since.is_none_or(|since| session.changed > since);
    let mut sessions: Vec<(&Arc<str>, &Arc<WatchedSession>)> =
        state.sessions.iter().filter(|(_, session)| is_new(session)).collect();
    let unsaid = sessions.len().saturating_sub(SESSIONS_TOLD);
    if unsaid > 0 {
        sessions
            .sort_by_key(|(_, session)| (session.stage == SessionStage::Completed, std::cmp::Reverse(session.changed)));
        sessions.truncate(SESSIONS_TOLD);
        sessions.sort_by_key(|(name, _)| Arc::clone(name));
    }
    let sessions = sessions.into_iter().map(|(name, session)| {
        json!({
            "session": **name,
            "arm": state.design.arm_of(name),
            "stage": session.stage,
            "records": session.records,
            "at": session.at.as_deref().map(escape_unseen),
            "grew": session.grew,
            "stances": stance_board(session, &state.design.labels),
            "last_seat": session.last_seat.as_deref().map(escape_unseen),
            "written": session.written_unix_ms,
            "asked": asked_seats(state, session),
        })
    });
    let is_newly_gone = |(name, look): &(&Arc<str>, &u64)| {
        !state.sessions.contains_key(*name) && since.is_some_and(|since| **look > since)
    };
    let gone = state.gone.iter().filter(is_newly_gone);
    let problems = state.design.problem.iter().chain(&state.problems).map(|text| escape_unseen(text));
    let counts = state.count_sessions();
    json!({
        "look": state.look,
        "whole": since.is_none(),
        "counts": counts,
        "finished": counts.is_finished(),
        "running": state.is_running,
        "sessions": sessions.collect::<Vec<_>>(),
        "unsaid": unsaid,
        "gone": gone.map(|(name, _)| &**name).collect::<Vec<_>>(),
        "now": Stopwatch::start().started_unix_ms,
        "spent": state.design.makes_calls.then(|| word_spending(state)),
        "announced": escape_unseen(&state.design.announced),
        "problems": problems.collect::<Vec<_>>(),
    })
}

/// The last stances of a session under way, as pairs of seat and stance; empty for others.
fn stance_board(session: &WatchedSession, labels: &Labels) -> Vec<[String; 2]> {
    if !session.is_open() {
        return Vec::new();
    }
    let stances = session.stances.iter().take(SEATS_TOLD);
    let in_words = stances.map(|(seat, (option, amount))| {
        let amount = amount.map_or(String::new(), |amount| format!(" {}", grouped(amount.into())));
        [seat.clone(), labels.option_in_text(option) + &amount]
    });
    in_words.map(|pair| pair.map(|text| escape_unseen(&text))).collect()
}

/// What was spent, in words.
fn word_spending(state: &ExperimentState) -> String {
    state.sum_usage().map_or("being counted".to_owned(), |used| state.design.word_spending(&used))
}

/// The seats that a session under way waits for: seat, what it is asked for, and since when. Calls of an earlier run are over.
fn asked_seats<'s>(state: &ExperimentState, session: &'s WatchedSession) -> Vec<(String, &'s str, u64)> {
    let is_going_on = session.is_open() && state.is_running;
    let asked = session.asked.iter().filter(|asked| is_going_on && asked.since_unix_ms >= state.run_since_unix_ms);
    let asked = asked.take(SEATS_TOLD);
    asked.map(|asked| (escape_unseen(&asked.seat), asked.step.as_str(), asked.since_unix_ms)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::design::ServedDesign;

    #[test]
    fn a_seat_that_is_announced_turns_no_text() {
        let mut design = ServedDesign::default();
        design.announced = "By rules: Bo\u{202e}b.".to_owned();
        let state = ExperimentState { look: 1, design: Arc::new(design), ..ExperimentState::default() };
        let announced = state_json(&state, None)["announced"].as_str().unwrap().to_owned();
        assert!(announced.contains(r"Bo\u{202e}b"), "{announced}");
    }
}
