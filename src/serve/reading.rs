//! The records of an experiment's sessions for one reader: each once, in session order, from the reader's position on.
//!
//! It holds at most one slice of messages, so a slow reader does not use more memory.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;

use super::cursor::{Cursor, CursorPosition};
use super::design::ServedDesign;
use super::folder_watcher::ExperimentState;
use super::line;
use super::session::{SessionStage, WatchedSession};
use super::tail::{Tail, TailLine, TailLook};
use crate::store::results::ResultsFolder;
use crate::text::escape_unseen;

/// The approximate number of bytes read from a session at once.
const SLICE_BYTES: usize = 64 << 10;
/// The number of messages after which a batch ends.
const MESSAGES: usize = 256;
/// The maximum bytes of ids in a batch of `gone` messages.
const IDS_BYTES: usize = 1 << 20;

/// A message to the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamMessage {
    /// `record`, `again`, `gone` or `unreadable`.
    pub kind: &'static str,
    /// The cursor after this message.
    pub id: String,
    /// One JSON object.
    pub data: String,
}

/// The sessions to follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionFilter {
    /// All sessions.
    All,
    /// These sessions, whether they have begun or not.
    These(BTreeSet<String>),
}

#[derive(Debug)]
struct OpenSession {
    tail: Tail,
    edition: u64,
    teller: line::RecordRenderer,
    stuck: StuckState,
}

/// Whether a session can be read further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StuckState {
    No,
    /// The file was unreadable at this number of records.
    At(u64),
    /// A line is not a record, so nothing after it is read.
    Ever,
}

/// The stream of one reader.
#[derive(Debug)]
pub struct StreamReading {
    folder: Arc<ResultsFolder>,
    design: Arc<ServedDesign>,
    wanted: SessionFilter,
    cursor: Cursor,
    open: BTreeMap<String, OpenSession>,
    /// The editions of the sessions that were sent to their end.
    whole: BTreeMap<String, u64>,
    /// The session read last; the next batch begins after it.
    last: String,
    /// The look whose sessions were last compared with the cursor.
    looked: u64,
    gone: VecDeque<String>,
    /// The cursor before these sessions were removed.
    before: String,
}

impl StreamReading {
    /// Starts after the cursor's position.
    pub fn new(folder: PathBuf, wanted: SessionFilter, cursor: Cursor) -> Self {
        Self {
            folder: Arc::new(ResultsFolder::open_unchecked(&folder)),
            design: Arc::default(),
            wanted,
            cursor,
            open: BTreeMap::new(),
            whole: BTreeMap::new(),
            last: String::new(),
            looked: 0,
            gone: VecDeque::new(),
            before: String::new(),
        }
    }

    /// The next messages; none if everything in `state` was sent.
    pub fn next_messages(&mut self, state: &ExperimentState) -> Vec<StreamMessage> {
        self.design = Arc::clone(&state.design);
        let mut messages = self.gone_messages(state);
        if !self.gone.is_empty() {
            return messages;
        }
        let named = |name: &String| state.sessions.get_key_value(name.as_str());
        let mut sessions: Vec<(&Arc<str>, &Arc<WatchedSession>)> = match &self.wanted {
            SessionFilter::All => state.sessions.iter().collect(),
            SessionFilter::These(names) => names.iter().filter_map(named).collect(),
        };
        let after = sessions.partition_point(|(name, _)| ***name <= *self.last);
        sessions.rotate_left(after);
        for (name, session) in sessions {
            if messages.len() >= MESSAGES {
                break;
            }
            self.follow_session(name, session, &mut messages);
        }
        messages
    }

    /// Reports some of the missing sessions. A reader that loses the connection gets all of them again: intermediate messages
    /// repeat the previous cursor, so that it is formatted only twice.
    fn gone_messages(&mut self, state: &ExperimentState) -> Vec<StreamMessage> {
        if self.gone.is_empty() && self.looked != state.look {
            self.looked = state.look;
            let is_gone = |name: &&str| !state.sessions.contains_key(*name);
            let gone: VecDeque<String> = self.cursor.sessions().filter(is_gone).map(str::to_owned).collect();
            if !gone.is_empty() {
                self.before = self.cursor.to_string();
            }
            for name in &gone {
                self.forget_session(name);
            }
            self.gone = gone;
        }
        let at_once = MESSAGES.min(1 + IDS_BYTES / (self.before.len() + 1));
        let mut messages = Vec::new();
        while messages.len() < at_once
            && let Some(name) = self.gone.pop_front()
        {
            let id = if self.gone.is_empty() { self.cursor.to_string() } else { self.before.clone() };
            messages.push(StreamMessage { kind: "gone", id, data: json!({ "session": name }).to_string() });
        }
        messages
    }

    fn follow_session(&mut self, name: &str, session: &WatchedSession, messages: &mut Vec<StreamMessage>) {
        if self.whole.get(name) == Some(&session.edition) {
            return;
        }
        let mut open = match self.open.remove(name) {
            Some(open) if open.edition == session.edition => open,
            Some(_) => self.restart_session(name, session, messages),
            None => match self.resume_session(name, session, messages) {
                Some(open) => open,
                None => return,
            },
        };
        let is_stuck = [StuckState::Ever, StuckState::At(session.records)].contains(&open.stuck);
        if open.tail.bytes_read() >= session.bytes || is_stuck {
            self.open.insert(name.to_owned(), open);
            return;
        }
        match open.tail.read_lines(SLICE_BYTES) {
            Ok(TailLook::Lines(lines)) => {
                self.last = name.to_owned();
                if self.send_lines(name, &mut open, &lines, messages) {
                    self.whole.insert(name.to_owned(), session.edition);
                    return;
                }
            }
            Ok(TailLook::Others | TailLook::Gone) => open = self.restart_session(name, session, messages),
            Err(error) => {
                self.report_unreadable(name, (&mut open, StuckState::At(session.records)), &error.to_string(), messages)
            }
        }
        self.open.insert(name.to_owned(), open);
    }

    /// Opens a session at the cursor's position; `None` if it was sent to its end.
    fn resume_session(
        &mut self,
        name: &str,
        session: &WatchedSession,
        messages: &mut Vec<StreamMessage>,
    ) -> Option<OpenSession> {
        let known_before = self.whole.remove(name).is_some();
        match self.cursor.get(name) {
            None => Some(self.begin_session(name, session)),
            Some(CursorPosition::Whole) if session.stage == SessionStage::Completed && !known_before => {
                self.whole.insert(name.to_owned(), session.edition);
                None
            }
            Some(CursorPosition::Whole) => Some(self.restart_session(name, session, messages)),
            Some(CursorPosition::Some(records, check)) => {
                let mut teller = self.record_renderer(name);
                let seen = |line: &TailLine| teller.replay_line(line);
                match Tail::resume_after(self.minutes_place(name), (records, check), seen) {
                    Ok(Some(tail)) => {
                        Some(OpenSession { tail, edition: session.edition, teller, stuck: StuckState::No })
                    }
                    Ok(None) => Some(self.restart_session(name, session, messages)),
                    Err(error) => {
                        let mut open = self.begin_session(name, session);
                        let stuck = StuckState::At(session.records);
                        self.report_unreadable(name, (&mut open, stuck), &error.to_string(), messages);
                        Some(open)
                    }
                }
            }
        }
    }

    /// Queues lines; returns whether the session ended.
    fn send_lines(
        &mut self,
        name: &str,
        open: &mut OpenSession,
        lines: &[TailLine],
        messages: &mut Vec<StreamMessage>,
    ) -> bool {
        // An id is the cursor before these lines, then this session's position; the last entry counts.
        let before = self.cursor.to_string();
        for line in lines {
            let record = match line::parse_record(line.place, &line.bytes) {
                Ok(record) => record,
                Err(why) => {
                    self.report_unreadable(name, (open, StuckState::Ever), &why, messages);
                    return false;
                }
            };
            let is_end = record.event.is_adjourned();
            let told = if is_end { CursorPosition::Whole } else { CursorPosition::Some(line.place + 1, line.check) };
            self.cursor.set(name, told);
            let mut own = Cursor::default();
            own.set(name, told);
            let id = if before.is_empty() { own.to_string() } else { format!("{before};{own}") };
            messages.push(StreamMessage { kind: "record", id, data: open.teller.render_record(name, &record) });
            if is_end {
                return true;
            }
        }
        false
    }

    fn report_unreadable(
        &mut self,
        name: &str,
        (open, stuck): (&mut OpenSession, StuckState),
        why: &str,
        messages: &mut Vec<StreamMessage>,
    ) {
        open.stuck = stuck;
        messages.push(self.build_message("unreadable", json!({ "session": name, "why": escape_unseen(why) })));
    }

    /// Reports that a session's minutes were replaced, and restarts it.
    fn restart_session(
        &mut self,
        name: &str,
        session: &WatchedSession,
        messages: &mut Vec<StreamMessage>,
    ) -> OpenSession {
        self.forget_session(name);
        messages.push(self.build_message("again", json!({ "session": name })));
        self.begin_session(name, session)
    }

    fn begin_session(&self, name: &str, session: &WatchedSession) -> OpenSession {
        let (tail, teller) = (Tail::new(self.minutes_place(name)), self.record_renderer(name));
        OpenSession { tail, edition: session.edition, teller, stuck: StuckState::No }
    }

    fn record_renderer(&self, name: &str) -> line::RecordRenderer {
        line::RecordRenderer::new(self.design.words_of(name))
    }

    fn forget_session(&mut self, name: &str) {
        self.cursor.forget(name);
        self.open.remove(name);
        self.whole.remove(name);
    }

    fn build_message(&self, kind: &'static str, data: serde_json::Value) -> StreamMessage {
        StreamMessage { kind, id: self.cursor.to_string(), data: data.to_string() }
    }

    fn minutes_place(&self, name: &str) -> (Arc<ResultsFolder>, String) {
        (Arc::clone(&self.folder), format!("sessions/{name}/minutes.jsonl"))
    }
}

#[cfg(test)]
mod tests;
