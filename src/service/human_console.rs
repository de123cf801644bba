//! The terminal at which people answer, one question at a time.
//!
//! A person sees the messages that a model would get, wrapped for the terminal, without the reply format. Answers are returned as
//! typed. If several people share the terminal, each is called to it, and the screen is cleared in between. The end of input is
//! an outage, never an empty answer.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::{self, Receiver};

use crate::domain::{Digest, Motion, Outage, Query, QuestionId};
use crate::prompt::{END_MARK, Ends, Message, Role, Typing, ends, how_to_type};
use crate::service::stopwatch::Stopwatch;
use crate::store::calls::Call;
use crate::text::{escape_unseen, wrap_words};

/// How often a wait checks for an interrupt.
const LOOK: Duration = Duration::from_millis(100);

/// Clears the screen and its scrollback.
const CLEAR: &str = "\u{1b}[2J\u{1b}[3J\u{1b}[H";

/// A question to a person.
pub struct PosedQuestion<'q> {
    /// The session's name.
    pub session: &'q str,
    /// The question.
    pub query: &'q Query<'q>,
    /// The motion.
    pub motion: &'q Motion,
    /// The messages to show, the system message first.
    pub messages: &'q [Message],
    /// Who else answers at the terminal in this session.
    pub company: TerminalSharing,
}

/// Who else answers at the terminal in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalSharing {
    /// Nobody else.
    Alone,
    /// Others, who must not see this person's messages.
    Several,
}

/// Whether the output can be cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalScreen {
    /// A terminal.
    Clears,
    /// A file or a pipe.
    Keeps,
}

/// The digest of the messages shown to a person.
///
/// # Panics
/// Never: messages always serialise.
pub fn digest_messages(messages: &[Message]) -> Digest {
    let shown: Vec<_> = messages.iter().map(|message| (message.role.as_str(), message.content())).collect();
    Digest::of(&serde_json::to_vec(&shown).expect("invariant: messages serialise"))
}

/// The terminal, shared by all sessions of a run.
pub struct Desk {
    table: tokio::sync::Mutex<TerminalState>,
    session: Mutex<()>,
}

struct TerminalState {
    /// The input; `None` once the lines are read.
    unread: Option<Box<dyn BufRead + Send>>,
    /// Typed lines until the end of input or an error; `None` before the first question. A separate thread reads them, so that an
    /// interrupt need not wait for input.
    lines: Option<Receiver<Result<String, String>>>,
    out: Box<dyn Write + Send>,
    screen: TerminalScreen,
    columns: usize,
    /// The session and the seat that answered last.
    last: Option<(String, String)>,
}

impl Desk {
    /// Creates a desk. Nothing is read before the first question.
    pub fn new(
        lines: Box<dyn BufRead + Send>,
        out: Box<dyn Write + Send>,
        screen: TerminalScreen,
        columns: usize,
    ) -> Self {
        let table = TerminalState { unread: Some(lines), lines: None, out, screen, columns, last: None };
        Self { table: tokio::sync::Mutex::new(table), session: Mutex::new(()) }
    }

    /// Reserves the desk for a session; other sessions wait.
    pub fn lock_session(&self) -> MutexGuard<'_, ()> {
        // A panic leaves no partial state.
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks a question; returns the answer as typed and its duration. Simultaneous questions are asked in order of arrival.
    ///
    /// # Errors
    /// [`Outage::Unattended`] if the input ends before the answer or the terminal fails; [`Outage::Interrupted`] once `stop` is
    /// set.
    pub async fn ask_person(&self, posed: &PosedQuestion<'_>, stop: &AtomicBool) -> Result<Call, Outage> {
        let mut table = self.table.lock().await;
        table.call_seat(posed, stop).await?;
        let clock = Stopwatch::start();
        table.show_question(posed)?;
        let answered = table.read_answer(posed, stop).await;
        table.clear_screen(posed)?;
        Ok(Call { raw: answered?, attempts: vec![clock.timed_attempt(None, None, None)], ..Call::default() })
    }
}

impl TerminalState {
    async fn call_seat(&mut self, posed: &PosedQuestion<'_>, stop: &AtomicBool) -> Result<(), Outage> {
        let seat = posed.query.id.seat.as_str();
        let here = (posed.session.to_owned(), seat.to_owned());
        if self.last.as_ref() == Some(&here) {
            return Ok(());
        }
        let told = Typing::of(posed.motion.language);
        if self.last.as_ref().is_none_or(|(session, _)| session != posed.session) {
            self.print_wrapped(posed, &format!("\n{} {}", told.session, escape_unseen(posed.session)))?;
        }
        if posed.company == TerminalSharing::Several {
            let seat = escape_unseen(seat);
            self.print_wrapped(posed, &format!("\n{seat}: {}", told.turn))?;
            while !self.read_line(posed, stop).await?.trim().is_empty() {
                self.print_wrapped(posed, &format!("{seat}: {}", told.unasked))?;
            }
        }
        self.last = Some(here);
        Ok(())
    }

    fn show_question(&mut self, posed: &PosedQuestion<'_>) -> Result<(), Outage> {
        let told = Typing::of(posed.motion.language);
        let mut shown = format!("\n==== {}\n", escape_unseen(&name_question(&posed.query.id)));
        for message in posed.messages {
            let whose = match message.role {
                Role::System | Role::User => String::new(),
                Role::Assistant => format!("---- {}\n", told.own_words),
            };
            shown.push_str(&format!("\n{whose}{}\n", escape_unseen(message.content().trim_end())));
        }
        shown.push_str(&format!("\n---- {}\n", told.here));
        let how = how_to_type(posed.query.offer, &posed.query.ask, posed.motion);
        how.iter().for_each(|line| shown.push_str(&format!("{}\n", escape_unseen(line))));
        self.print_wrapped(posed, &shown)
    }

    /// Reads an answer, without its end mark. Leading empty lines are ignored.
    async fn read_answer(&mut self, posed: &PosedQuestion<'_>, stop: &AtomicBool) -> Result<String, Outage> {
        let mut first = String::new();
        while first.trim().is_empty() {
            self.print_prompt(posed)?;
            first = self.read_line(posed, stop).await?;
        }
        if first.trim() == END_MARK {
            return Ok(String::new());
        }
        if ends(posed.query.offer, &posed.query.ask, posed.motion, &first) == Ends::AtOnce {
            return Ok(first);
        }
        let mut lines = vec![first];
        loop {
            self.print_prompt(posed)?;
            let line = self.read_line(posed, stop).await?;
            if line.trim().is_empty() || line.trim() == END_MARK {
                return Ok(lines.join("\n"));
            }
            lines.push(line);
        }
    }

    /// Clears the screen if several people share it.
    fn clear_screen(&mut self, posed: &PosedQuestion<'_>) -> Result<(), Outage> {
        match (posed.company, self.screen) {
            (TerminalSharing::Several, TerminalScreen::Clears) => self.write_flushed(posed, CLEAR),
            (TerminalSharing::Alone, _) | (_, TerminalScreen::Keeps) => Ok(()),
        }
    }

    fn print_prompt(&mut self, posed: &PosedQuestion<'_>) -> Result<(), Outage> {
        self.write_flushed(posed, "> ")
    }

    fn print_wrapped(&mut self, posed: &PosedQuestion<'_>, words: &str) -> Result<(), Outage> {
        let words = wrap_words(words, self.columns, "", "");
        self.write_flushed(posed, &format!("{words}\n"))
    }

    fn write_flushed(&mut self, posed: &PosedQuestion<'_>, words: &str) -> Result<(), Outage> {
        let written = self.out.write_all(words.as_bytes()).and_then(|()| self.out.flush());
        written.map_err(|error| unattended_outage(posed, &error.to_string()))
    }

    /// The next typed line, without its line end.
    async fn read_line(&mut self, posed: &PosedQuestion<'_>, stop: &AtomicBool) -> Result<String, Outage> {
        if let Some(input) = self.unread.take() {
            self.lines = Some(spawn_line_reader(input));
        }
        let lines = self.lines.as_mut().expect("invariant: lines are read by now");
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Outage::Interrupted);
            }
            match tokio::time::timeout(LOOK, lines.recv()).await {
                Ok(Some(Ok(line))) => return Ok(line),
                Ok(Some(Err(reason))) => return Err(unattended_outage(posed, &reason)),
                Ok(None) => return Err(unattended_outage(posed, "the input ended")),
                Err(_) => {}
            }
        }
    }
}

/// The seat, the phase, in a talk the round and the turn, and what is asked for: `Alice · discussion #1.2 · statement`.
fn name_question(question: &QuestionId) -> String {
    let at = &question.at;
    let turn = if at.round > 0 { format!(" #{}.{}", at.round, at.turn) } else { String::new() };
    let [phase, step] = [at.phase.as_str(), at.step.as_str()].map(|word| word.replace('_', " "));
    let attempt = if question.attempt > 0 { format!(" · try {}", question.attempt + 1) } else { String::new() };
    format!("{} · {phase}{turn} · {step}{attempt}", question.seat)
}

fn unattended_outage(posed: &PosedQuestion<'_>, reason: &str) -> Outage {
    Outage::Unattended { seat: posed.query.id.seat.to_string(), reason: reason.to_owned() }
}

/// Reads lines on a separate thread. Text after the last line end is ignored.
fn spawn_line_reader(mut lines: Box<dyn BufRead + Send>) -> Receiver<Result<String, String>> {
    let (sender, receiver) = mpsc::channel(1);
    std::thread::spawn(move || {
        loop {
            let mut bytes = Vec::new();
            let line = match lines.read_until(b'\n', &mut bytes) {
                Ok(_) if !bytes.ends_with(b"\n") => break,
                Ok(_) => {
                    bytes.pop();
                    if bytes.ends_with(b"\r") {
                        bytes.pop();
                    }
                    String::from_utf8(bytes).map_err(|_| "a line that was typed is no UTF-8".to_owned())
                }
                Err(error) => Err(error.to_string()),
            };
            let is_last = line.is_err();
            if sender.blocking_send(line).is_err() || is_last {
                break;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    proptest! {
        #[test]
        fn wrapping_breaks_lines_at_blanks_alone(text in "([a-z]{1,30}|艾丽| |\n){0,60}", columns in 40usize..100) {
            let shown = wrap_words(&text, columns, "", "");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
            prop_assert_eq!(words(&shown), words(&text));
            for line in shown.lines() {
                prop_assert!(line.width() <= columns || !line.trim().contains(' '), "{line:?}");
            }
        }
    }
}
