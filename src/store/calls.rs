//! The call record of one session, `calls.jsonl`: each answer of a model or a person, word for word, and what was learnt
//! about context windows and forms of replies.
//!
//! This module stores answers and does not parse them. Requests are stored as digests, because the minutes suffice to rebuild
//! them. Only the session itself writes to its record.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::domain::{ContextWindow, Digest, Fault, LearntForm, Outage, QuestionId, Usage};
use crate::store::files::in_words;
use crate::store::session_file::SessionFile;

mod begun;
mod call;
mod charge;
mod deferred;
mod form;

pub use begun::BegunLine;
use begun::OF_BEGUN;
pub use call::{Attempt, Call, ServedModel, Spending};
pub use charge::{Charge, ChargedUsage};
pub use deferred::DeferredLine;
use deferred::OF_DEFERRED;
use form::OF_FORM;
pub use form::{FormLine, ProbeLine};

/// One answered call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallLine {
    /// The question.
    pub question: QuestionId,
    /// The model that was asked, under its name in the config; absent in records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The pseudonym of the person who typed the answer, if the config names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The digest of the request.
    pub request: Digest,
    /// The answer, word for word.
    pub raw: String,
    /// A reasoning model's thinking, if the server reported it. No other file contains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// A fault found before the words were read; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The tokens used; absent if the server did not report them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model that the server says it used; absent if it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The server's fingerprint; absent if it sent none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Why the model stopped, in the server's spelling; absent if it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// Every attempt; the last one brought this answer.
    pub attempts: Vec<Attempt>,
    /// Whether a person typed the answer, which costs nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub typed: bool,
    /// Whether a fork copied the answer from its parent, which paid for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub taken_over: bool,
}

/// The context windows learnt before the first call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WindowsLine {
    windows: Vec<ContextWindow>,
}

/// How an earlier attempt at the session ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedAttempt {
    /// The kind of failure, in one word.
    pub fault: String,
    /// The reason, in words.
    pub stopped: String,
}

/// The earlier attempts at a restarted session, in order; the first line of its record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RetriedLine {
    retried: Vec<FailedAttempt>,
}

/// The attempts at a call that all failed; a later line may hold the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnansweredLine {
    /// The question.
    pub unanswered: QuestionId,
    /// The model that was asked, under its name in the config.
    pub asked: String,
    /// The digest of the request.
    pub request: Digest,
    /// Every attempt.
    pub attempts: Vec<Attempt>,
}

const OF_UNANSWERED: &[u8] = b"{\"unanswered\":";

const OF_WINDOWS: &[u8] = b"{\"windows\":";

const OF_RETRIED: &[u8] = b"{\"retried\":";

#[derive(Debug, Default)]
struct CallLines {
    calls: BTreeMap<QuestionId, CallLine>,
    unanswered: Vec<UnansweredLine>,
    windows: Option<Vec<ContextWindow>>,
    forms: Vec<FormLine>,
    retried: Vec<FailedAttempt>,
    /// Begun calls whose outcome no line reports yet.
    begun: BTreeMap<QuestionId, BegunLine>,
    /// The requests of questions that were asked by file.
    deferred: BTreeMap<QuestionId, Digest>,
}

/// The calls of one session, by question.
#[derive(Debug)]
pub struct CallRecord {
    path: PathBuf,
    lines: CallLines,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// Nowhere: the record is read-only.
    None,
    /// To a file that is opened, or created, for the first line.
    Unopened,
    /// To this file.
    Open(File),
    /// Nowhere: a write failed and may have left half a line, so that another line would be unreadable.
    Failed,
}

/// What a written line survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Durability {
    /// A failure of power.
    Power,
    /// The end of the program.
    Program,
}

/// An incomplete last line, which is ignored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: the last line was cut off and is left out ({bytes} bytes)", path = path.display())]
pub struct TornLine {
    /// The file.
    pub path: PathBuf,
    /// The line number, from 1.
    pub line: usize,
    /// The length of the line in bytes.
    pub bytes: usize,
}

/// What is wrong with a call record.
#[derive(Debug, thiserror::Error)]
pub enum CallRecordError {
    /// The file cannot be read or truncated.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// A line is invalid.
    #[error("{path}:{line}: {reason}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
}

impl CallLine {
    /// The line of a call to a model. `asked` is its name in the config.
    pub fn new(question: QuestionId, asked: &str, request: Digest, call: Call) -> Self {
        Self {
            question,
            asked: Some(asked.to_owned()),
            by: None,
            request,
            raw: call.raw,
            thinking: call.thinking,
            fault: call.fault,
            usage: call.usage,
            model: call.model,
            fingerprint: call.fingerprint,
            finish_reason: call.finish_reason,
            attempts: call.attempts,
            typed: false,
            taken_over: false,
        }
    }

    /// The model and fingerprint that the server reported.
    pub fn served_model(&self) -> ServedModel {
        ServedModel { model: self.model.clone(), fingerprint: self.fingerprint.clone() }
    }

    /// Marks the answer as typed by a person.
    #[must_use]
    pub fn typed_by(self, id: Option<String>) -> Self {
        Self { by: id, typed: true, ..self }
    }

    /// Whether two lines hold equal answers to equal requests, regardless of attempts and usage.
    fn agrees_with(&self, other: &Self) -> bool {
        self.request == other.request && self.raw == other.raw && self.fault == other.fault
    }
}

impl CallRecord {
    /// An empty, read-only record.
    pub fn empty() -> Self {
        Self { path: PathBuf::new(), lines: CallLines::default(), sink: Sink::None }
    }

    /// Reads a record without opening it for writing. A missing file counts as empty. A torn last line is ignored and stays in
    /// the file.
    ///
    /// # Errors
    /// When the file cannot be read, or a line before the last is invalid.
    pub fn read(file: impl Into<SessionFile>) -> Result<(Self, Option<TornLine>), CallRecordError> {
        let file = file.into();
        let (lines, torn) = read_call_lines(&file)?;
        let record = Self { path: file.path().to_owned(), lines, sink: Sink::None };
        Ok((record, torn))
    }

    /// Opens a record for appending. Cuts off a torn last line. The first new line creates the file.
    ///
    /// # Errors
    /// When the file cannot be read or truncated, or a line before the last is invalid.
    pub fn open(path: &Path) -> Result<(Self, Option<TornLine>), CallRecordError> {
        let (lines, torn) = read_call_lines(&path.into())?;
        if let Some(torn) = &torn {
            cut_file_end(path, torn.bytes).map_err(|source| CallRecordError::File { path: path.to_owned(), source })?;
        }
        let record = Self { path: path.to_owned(), lines, sink: Sink::Unopened };
        Ok((record, torn))
    }

    /// Adds a complete line of a record that is being written. The error is in words.
    ///
    /// # Errors
    /// When the text is no line of a call record.
    pub fn add_line(&mut self, text: &[u8]) -> Result<(), String> {
        self.lines.add_line(text)
    }

    /// The calls that were begun and whose outcome was not added yet.
    pub fn begun_calls(&self) -> impl Iterator<Item = &BegunLine> {
        self.lines.begun.values()
    }

    /// The questions whose calls have ended, with an answer or without.
    pub fn ended_calls(&self) -> impl Iterator<Item = &QuestionId> {
        self.lines.calls.keys().chain(self.lines.unanswered.iter().map(|line| &line.unanswered))
    }

    /// The call that answered a question.
    pub fn find_call(&self, question: &QuestionId) -> Option<&CallLine> {
        self.lines.calls.get(question)
    }

    /// The context windows learnt before the first call; `None` if servers were not asked yet.
    pub fn learnt_windows(&self) -> Option<&[ContextWindow]> {
        self.lines.windows.as_deref()
    }

    /// Appends the context windows, once.
    ///
    /// # Errors
    /// [`Outage::Unwritten`].
    pub fn keep_windows(&mut self, windows: &[ContextWindow]) -> Result<(), Outage> {
        let line = WindowsLine { windows: windows.to_vec() };
        self.append_line(&line, Durability::Power)?;
        self.lines.windows = Some(line.windows);
        Ok(())
    }

    /// How earlier attempts at the session ended, in order.
    pub fn failed_attempts(&self) -> &[FailedAttempt] {
        &self.lines.retried
    }

    /// Appends how earlier attempts at the session ended, once and before any other line.
    ///
    /// # Errors
    /// [`Outage::Unwritten`].
    pub fn keep_retried(&mut self, ended: &[FailedAttempt]) -> Result<(), Outage> {
        let line = RetriedLine { retried: ended.to_vec() };
        self.append_line(&line, Durability::Power)?;
        self.lines.retried = line.retried;
        Ok(())
    }

    /// For each answer of a model: its time in milliseconds since 1970, the model's name in the config, and the model that the
    /// server reported. Answers in records of earlier versions that lack the name are left out.
    pub fn served_models(&self) -> impl Iterator<Item = (u64, String, ServedModel)> + '_ {
        self.lines.calls.values().filter(|line| !line.typed).filter_map(|line| {
            let time = line.attempts.last().map_or(0, |attempt| attempt.started_unix_ms);
            Some((time, line.asked.clone()?, line.served_model()))
        })
    }

    /// The number of recorded answers of models, without those that people typed.
    pub fn calls_of_models(&self) -> usize {
        self.lines.calls.values().filter(|line| !line.typed).count()
    }

    /// Appends a call and syncs it to disk, so that minutes never contain an answer without its call.
    ///
    /// # Errors
    /// [`Outage::Unwritten`] if this write or an earlier one fails.
    pub fn append_call(&mut self, line: CallLine) -> Result<(), Outage> {
        self.append_line(&line, Durability::Power)?;
        self.lines.calls.insert(line.question.clone(), line);
        Ok(())
    }

    /// Appends attempts that all failed, so that the budget counts their possible cost.
    ///
    /// # Errors
    /// As of [`CallRecord::append_call`].
    pub fn append_unanswered(&mut self, line: UnansweredLine) -> Result<(), Outage> {
        self.append_line(&line, Durability::Power)?;
        self.lines.unanswered.push(line);
        Ok(())
    }

    /// The request with which a question was asked by file; `None` if it was not.
    pub fn deferred_request(&self, question: &QuestionId) -> Option<&Digest> {
        self.lines.deferred.get(question)
    }

    /// Appends that a question is asked by file, once.
    ///
    /// # Errors
    /// As of [`CallRecord::append_call`]; [`Outage::Diverged`] if the question was asked with another request before.
    pub fn keep_deferred(&mut self, line: DeferredLine) -> Result<(), Outage> {
        match self.deferred_request(&line.deferred) {
            Some(before) if *before == line.request => return Ok(()),
            Some(before) => {
                return Err(Outage::Diverged {
                    recorded: before.to_string(),
                    now: line.request.to_string(),
                    question: Box::new(line.deferred),
                });
            }
            None => {}
        }
        self.append_line(&line, Durability::Power)?;
        self.lines.deferred.insert(line.deferred, line.request);
        Ok(())
    }

    /// The form in which a model is asked to reply; `None` if it was not learnt yet.
    pub fn learnt_form(&self, model: &str) -> Option<&LearntForm> {
        self.lines.forms.iter().filter_map(|line| line.form.as_ref()).find(|form| form.model == model)
    }

    /// Appends a learnt form, or a failed question about it.
    ///
    /// # Errors
    /// As of [`CallRecord::append_call`].
    pub fn keep_form(&mut self, line: FormLine) -> Result<(), Outage> {
        self.append_line(&line, Durability::Power)?;
        self.lines.forms.push(line);
        Ok(())
    }

    fn append_line(&mut self, line: &impl Serialize, durability: Durability) -> Result<(), Outage> {
        let mut bytes = serde_json::to_vec(line).expect("invariant: a line of calls has a JSON form");
        bytes.push(b'\n');
        self.write_line(&bytes, durability)
            .map_err(|error| Outage::Unwritten { path: self.path.display().to_string(), reason: in_words(&error) })
    }

    /// Writes a complete line at once, so that the file ends in at most one torn line.
    fn write_line(&mut self, bytes: &[u8], durability: Durability) -> std::io::Result<()> {
        if matches!(self.sink, Sink::Unopened) {
            let file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            self.sink = Sink::Open(file);
        }
        match &mut self.sink {
            Sink::Open(file) => {
                let written = file.write_all(bytes).and_then(|()| match durability {
                    Durability::Power => file.sync_data(),
                    Durability::Program => Ok(()),
                });
                written.inspect_err(|_| self.sink = Sink::Failed)
            }
            Sink::None => Err(std::io::Error::new(ErrorKind::PermissionDenied, "opened for reading only")),
            Sink::Failed | Sink::Unopened => Err(std::io::Error::other("an earlier write failed")),
        }
    }
}

/// Reads all lines. The last line is torn if it lacks its line break or is not JSON.
fn read_call_lines(file: &SessionFile) -> Result<(CallLines, Option<TornLine>), CallRecordError> {
    let path = file.path();
    let bytes = match file.read_whole() {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => Bytes::new(),
        Err(source) => return Err(CallRecordError::File { path: path.to_owned(), source }),
    };
    let (mut read, mut torn) = (CallLines::default(), None);
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    for (place, text) in lines.iter().enumerate() {
        let line = place + 1;
        let is_last = line == lines.len();
        if is_last && (!text.ends_with(b"\n") || serde_json::from_slice::<serde::de::IgnoredAny>(text).is_err()) {
            torn = Some(TornLine { path: path.to_owned(), line, bytes: text.len() });
            break;
        }
        read.add_line(text).map_err(|reason| CallRecordError::Line { path: path.to_owned(), line, reason })?;
    }
    let lost = std::mem::take(&mut read.begun);
    read.unanswered.extend(lost.into_values().map(BegunLine::into_unanswered));
    Ok((read, torn))
}

impl CallLines {
    /// Adds one line; an error is in words.
    fn add_line(&mut self, text: &[u8]) -> Result<(), String> {
        if text.starts_with(OF_WINDOWS) {
            let told: WindowsLine = parse_line(text)?;
            if self.windows.as_ref().is_some_and(|first| *first != told.windows) {
                return Err("a second, different account of context windows".to_owned());
            }
            self.windows = Some(told.windows);
        } else if text.starts_with(OF_RETRIED) {
            self.retried = parse_line::<RetriedLine>(text)?.retried;
        } else if text.starts_with(OF_FORM) {
            let told: FormLine = parse_line(text)?;
            let is_other =
                |form: &LearntForm| told.form.as_ref().is_some_and(|now| now.model == form.model && now != form);
            if self.forms.iter().filter_map(|line| line.form.as_ref()).any(is_other) {
                return Err("a second, different form of replies".to_owned());
            }
            self.forms.push(told);
        } else if text.starts_with(OF_BEGUN) {
            let begun: BegunLine = parse_line(text)?;
            // An earlier attempt that never returned is lost, whatever the outcome of this one.
            let lost = self.begun.insert(begun.begun.clone(), begun);
            self.unanswered.extend(lost.map(BegunLine::into_unanswered));
        } else if text.starts_with(OF_DEFERRED) {
            let put: DeferredLine = parse_line(text)?;
            if self.deferred.get(&put.deferred).is_some_and(|first| *first != put.request) {
                return Err(format!("a second, different request for {}", put.deferred));
            }
            self.deferred.insert(put.deferred, put.request);
        } else if text.starts_with(OF_UNANSWERED) {
            let told: UnansweredLine = parse_line(text)?;
            self.begun.remove(&told.unanswered);
            self.unanswered.push(told);
        } else {
            let call: CallLine = parse_line(text)?;
            self.begun.remove(&call.question);
            match self.calls.get(&call.question) {
                None => {
                    self.calls.insert(call.question.clone(), call);
                }
                Some(first) if first.agrees_with(&call) => {}
                Some(_) => return Err(format!("a second, different answer to {}", call.question)),
            }
        }
        Ok(())
    }
}

fn parse_line<T: serde::de::DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| error.to_string())
}

/// Reads how earlier attempts at a session ended, from the first line of its record; empty if that line is missing or torn.
///
/// # Errors
/// When the file exists and cannot be read, or its line of earlier attempts is invalid.
pub fn read_failed_attempts(calls: &SessionFile) -> Result<Vec<FailedAttempt>, CallRecordError> {
    let path = calls.path();
    let unreadable = |source| CallRecordError::File { path: path.to_owned(), source };
    let file = match calls.open() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.map_err(unreadable)?,
    };
    let mut reader = BufReader::new(file);
    if !reader.fill_buf().map_err(unreadable)?.starts_with(OF_RETRIED) {
        return Ok(Vec::new());
    }
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line).map_err(unreadable)?;
    if !line.ends_with(b"\n") {
        return Ok(Vec::new());
    }
    let damaged = |reason| CallRecordError::Line { path: path.to_owned(), line: 1, reason };
    parse_line::<RetriedLine>(&line).map(|line| line.retried).map_err(damaged)
}

fn cut_file_end(path: &Path, bytes: usize) -> std::io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    let length = file.metadata()?.len();
    file.set_len(length.saturating_sub(bytes as u64))?;
    file.sync_data()
}
