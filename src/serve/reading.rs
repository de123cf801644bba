//! The records of an experiment's sessions for one reader, each once and in its session's order, from wherever the reader left off.
//!
//! It holds no more than one slice of what is to be told: who reads slowly makes it wait and nothing grow.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;

use super::cursor::{Cursor, Told};
use super::design::Design;
use super::line;
use super::session::{Session, Stage};
use super::survey::State;
use super::tail::{Line, Look, Tail};
use crate::domain::Event;
use crate::store::results::ResultsFolder;

/// About so many bytes of a session are read at once.
const SLICE_BYTES: usize = 64 << 10;
/// After so many messages the reader is told them.
const MESSAGES: usize = 256;
/// After so many bytes of ids no more sessions are told to be gone at once.
const IDS_BYTES: usize = 1 << 20;

/// What a reader is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its kind: `record`, `again`, `gone` or `unreadable`.
    pub kind: &'static str,
    /// How far all sessions were told with it.
    pub id: String,
    /// One JSON object.
    pub data: String,
}

/// Which sessions are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// All.
    All,
    /// These, whether they have begun or not.
    These(BTreeSet<String>),
}

/// How far one session is read.
#[derive(Debug)]
struct Open {
    tail: Tail,
    edition: u64,
    teller: line::Teller,
    stuck: Stuck,
}

/// Whether a session can be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stuck {
    /// It can.
    No,
    /// Its file could not be read when it had so many records.
    At(u64),
    /// A line of it is no record, and so nothing behind it is.
    Ever,
}

/// What one reader was told.
#[derive(Debug)]
pub struct Reading {
    /// The experiment's folder.
    folder: Arc<ResultsFolder>,
    /// What was to be done there, as it was read last.
    design: Arc<Design>,
    wanted: Wanted,
    cursor: Cursor,
    open: BTreeMap<String, Open>,
    /// Of the sessions that were told to their ends, which minutes these were.
    whole: BTreeMap<String, u64>,
    /// The session that was told last: the next one has its turn first.
    last: String,
    /// The look whose sessions were compared with what was told.
    looked: u64,
    /// Sessions that are gone, of which the reader is not told yet.
    gone: VecDeque<String>,
    /// How far all sessions were told before these were gone.
    before: String,
}

impl Reading {
    /// Goes on behind what a cursor says was told.
    pub fn new(folder: PathBuf, wanted: Wanted, cursor: Cursor) -> Self {
        let (design, open, whole, gone) = (Arc::default(), BTreeMap::new(), BTreeMap::new(), VecDeque::new());
        Self {
            folder: Arc::new(ResultsFolder::read_only(&folder)),
            design,
            wanted,
            cursor,
            open,
            whole,
            last: String::new(),
            looked: 0,
            gone,
            before: String::new(),
        }
    }

    /// The next messages, as far as a state says that there are any; none when all of it was told.
    pub fn next(&mut self, state: &State) -> Vec<Message> {
        self.design = Arc::clone(&state.design);
        let mut messages = self.gone(state);
        if !self.gone.is_empty() {
            return messages;
        }
        let named = |name: &String| state.sessions.get_key_value(name.as_str());
        let mut sessions: Vec<(&Arc<str>, &Arc<Session>)> = match &self.wanted {
            Wanted::All => state.sessions.iter().collect(),
            Wanted::These(names) => names.iter().filter_map(named).collect(),
        };
        let after = sessions.partition_point(|(name, _)| ***name <= *self.last);
        sessions.rotate_left(after);
        for (name, session) in sessions {
            if messages.len() >= MESSAGES {
                break;
            }
            self.follow(name, session, &mut messages);
        }
        messages
    }

    /// Says which sessions are no longer there, some at once. Who is cut off before the last of them is told all of them again, so
    /// that an id is written twice and not once for each.
    fn gone(&mut self, state: &State) -> Vec<Message> {
        if self.gone.is_empty() && self.looked != state.look {
            self.looked = state.look;
            let is_gone = |name: &&str| !state.sessions.contains_key(*name);
            let gone: VecDeque<String> = self.cursor.sessions().filter(is_gone).map(str::to_owned).collect();
            if !gone.is_empty() {
                self.before = self.cursor.to_string();
            }
            for name in &gone {
                self.forget(name);
            }
            self.gone = gone;
        }
        let at_once = MESSAGES.min(1 + IDS_BYTES / (self.before.len() + 1));
        let mut messages = Vec::new();
        while messages.len() < at_once
            && let Some(name) = self.gone.pop_front()
        {
            let id = if self.gone.is_empty() { self.cursor.to_string() } else { self.before.clone() };
            messages.push(Message { kind: "gone", id, data: json!({ "session": name }).to_string() });
        }
        messages
    }

    /// Reads on in one session.
    fn follow(&mut self, name: &str, session: &Session, messages: &mut Vec<Message>) {
        if self.whole.get(name) == Some(&session.edition) {
            return;
        }
        let mut open = match self.open.remove(name) {
            Some(open) if open.edition == session.edition => open,
            Some(_) => self.again(name, session, messages),
            None => match self.opened(name, session, messages) {
                Some(open) => open,
                None => return,
            },
        };
        let is_stuck = [Stuck::Ever, Stuck::At(session.records)].contains(&open.stuck);
        if open.tail.bytes() >= session.bytes || is_stuck {
            self.open.insert(name.to_owned(), open);
            return;
        }
        match open.tail.read(SLICE_BYTES) {
            Ok(Look::Lines(lines)) => {
                self.last = name.to_owned();
                if self.tell(name, &mut open, &lines, messages) {
                    self.whole.insert(name.to_owned(), session.edition);
                    return;
                }
            }
            Ok(Look::Others | Look::Gone) => open = self.again(name, session, messages),
            Err(error) => self.stick(name, (&mut open, Stuck::At(session.records)), &error.to_string(), messages),
        }
        self.open.insert(name.to_owned(), open);
    }

    /// Opens a session where the cursor says; `None` when it was told to its end.
    fn opened(&mut self, name: &str, session: &Session, messages: &mut Vec<Message>) -> Option<Open> {
        let known_before = self.whole.remove(name).is_some();
        match self.cursor.get(name) {
            None => Some(self.begin(name, session)),
            Some(Told::Whole) if session.stage == Stage::Completed && !known_before => {
                self.whole.insert(name.to_owned(), session.edition);
                None
            }
            Some(Told::Whole) => Some(self.again(name, session, messages)),
            Some(Told::Some(records, check)) => {
                let mut teller = self.teller(name);
                let seen = |line: &Line| teller.pass(line);
                match Tail::behind(self.minutes(name), (records, check), seen) {
                    Ok(Some(tail)) => Some(Open { tail, edition: session.edition, teller, stuck: Stuck::No }),
                    Ok(None) => Some(self.again(name, session, messages)),
                    Err(error) => {
                        let mut open = self.begin(name, session);
                        self.stick(name, (&mut open, Stuck::At(session.records)), &error.to_string(), messages);
                        Some(open)
                    }
                }
            }
        }
    }

    /// Tells lines; says whether the session was told to its end.
    fn tell(&mut self, name: &str, open: &mut Open, lines: &[Line], messages: &mut Vec<Message>) -> bool {
        // An id is what was told before these lines, and behind it how far this session was: what is written last counts.
        let before = self.cursor.to_string();
        for line in lines {
            let record = match line::read(line.place, &line.bytes) {
                Ok(record) => record,
                Err(why) => {
                    self.stick(name, (open, Stuck::Ever), &why, messages);
                    return false;
                }
            };
            let is_end = matches!(record.event, Event::Adjourned { .. });
            let told = if is_end { Told::Whole } else { Told::Some(line.place + 1, line.check) };
            self.cursor.set(name, told);
            let mut own = Cursor::default();
            own.set(name, told);
            let id = if before.is_empty() { own.to_string() } else { format!("{before};{own}") };
            messages.push(Message { kind: "record", id, data: open.teller.tell(name, &record) });
            if is_end {
                return true;
            }
        }
        false
    }

    /// Says that a session cannot be read on from here.
    fn stick(&mut self, name: &str, (open, stuck): (&mut Open, Stuck), why: &str, messages: &mut Vec<Message>) {
        open.stuck = stuck;
        messages.push(self.message("unreadable", json!({ "session": name, "why": crate::text::visible(why) })));
    }

    /// Says that a session begins anew: other minutes lie there than were told.
    fn again(&mut self, name: &str, session: &Session, messages: &mut Vec<Message>) -> Open {
        self.forget(name);
        messages.push(self.message("again", json!({ "session": name })));
        self.begin(name, session)
    }

    /// A session of which nothing is told yet.
    fn begin(&self, name: &str, session: &Session) -> Open {
        let (tail, teller) = (Tail::new(self.minutes(name)), self.teller(name));
        Open { tail, edition: session.edition, teller, stuck: Stuck::No }
    }

    fn teller(&self, name: &str) -> line::Teller {
        line::Teller::of(self.design.strength_in(name))
    }

    fn forget(&mut self, name: &str) {
        self.cursor.forget(name);
        self.open.remove(name);
        self.whole.remove(name);
    }

    fn message(&self, kind: &'static str, data: serde_json::Value) -> Message {
        Message { kind, id: self.cursor.to_string(), data: data.to_string() }
    }

    fn minutes(&self, name: &str) -> (Arc<ResultsFolder>, String) {
        (Arc::clone(&self.folder), format!("sessions/{name}/minutes.jsonl"))
    }
}

#[cfg(test)]
mod tests;
