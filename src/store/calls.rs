//! The call record of one session, `calls.jsonl`: each answer of a model or a person as it came; before, what was learnt of windows
//! and forms of replies.
//!
//! It keeps words and never reads them. Requests are kept as digests, for they can be rebuilt from the minutes. One writer
//! at a time: the session's own.

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
pub use charge::Charge;
pub use deferred::DeferredLine;
use deferred::OF_DEFERRED;
use form::OF_FORM;
pub use form::{FormLine, ProbeLine};

/// One answered call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallLine {
    /// The question that was put.
    pub question: QuestionId,
    /// The name, in the config, of the model that it was put to; absent in records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The pseudonym of the person who typed it, where the config names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The digest of the request.
    pub request: Digest,
    /// The words as they came.
    pub raw: String,
    /// What a reasoning model thought before it replied, where the server told; kept here and nowhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// What was wrong before the words were read; absent when nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// What the call used; absent when the server did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model the server says it used; absent when it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The server's fingerprint; absent when it sent none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Why the model stopped, in the server's spelling; absent when it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// Every attempt, the last of which brought this answer.
    pub attempts: Vec<Attempt>,
    /// Whether a person typed it, which costs nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub typed: bool,
    /// Whether a fork took it over from its parent, which paid for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub taken_over: bool,
}

/// The context windows that were learnt before the first call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WindowsLine {
    windows: Vec<ContextWindow>,
}

/// How an earlier attempt at the whole session ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedAttempt {
    /// The kind of failure in one word.
    pub fault: String,
    /// Why it stopped, in words.
    pub stopped: String,
}

/// The earlier attempts at the session, the first one first; the first line of a record that was begun again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RetriedLine {
    retried: Vec<FailedAttempt>,
}

/// The attempts at a call that brought no answer; a later line may hold one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnansweredLine {
    /// The question that was put.
    pub unanswered: QuestionId,
    /// The name, in the config, of the model that it was put to.
    pub asked: String,
    /// The digest of the request.
    pub request: Digest,
    /// Every attempt.
    pub attempts: Vec<Attempt>,
}

/// How the line of attempts that failed begins.
const OF_UNANSWERED: &[u8] = b"{\"unanswered\":";

/// How the line of the windows begins.
const OF_WINDOWS: &[u8] = b"{\"windows\":";

/// How the line of earlier attempts at the session begins.
const OF_RETRIED: &[u8] = b"{\"retried\":";

/// What the lines hold.
#[derive(Debug, Default)]
struct CallLines {
    calls: BTreeMap<QuestionId, CallLine>,
    unanswered: Vec<UnansweredLine>,
    windows: Option<Vec<ContextWindow>>,
    forms: Vec<FormLine>,
    retried: Vec<FailedAttempt>,
    /// Calls of which no line tells yet what came of them.
    begun: BTreeMap<QuestionId, BegunLine>,
    /// The requests of questions that were put by file.
    deferred: BTreeMap<QuestionId, Digest>,
}

/// The calls of one session, by question.
#[derive(Debug)]
pub struct CallRecord {
    path: PathBuf,
    lines: CallLines,
    sink: Sink,
}

/// Where new lines go.
#[derive(Debug)]
enum Sink {
    /// Nowhere: the record is only read.
    None,
    /// To a file that is opened, and made if need be, when the first line comes.
    Unopened,
    /// To this file.
    Open(File),
    /// A write failed, so that the file may end in half a line; another line would bury it.
    Failed,
}

/// A last line that was cut off in writing and is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}:{line}: the last line was cut off and is left out ({bytes} bytes)", path = path.display())]
pub struct TornLine {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// How many bytes it has.
    pub bytes: usize,
}

/// What is wrong with a call record.
#[derive(Debug, thiserror::Error)]
pub enum CallRecordError {
    /// The file could not be read or shortened.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A line cannot be used.
    #[error("{path}:{line}: {reason}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        reason: String,
    },
}

impl CallLine {
    /// The line of a call to the model that the config names so.
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

    /// Who answered, as the server says.
    pub fn served_model(&self) -> ServedModel {
        ServedModel { model: self.model.clone(), fingerprint: self.fingerprint.clone() }
    }

    /// The same of what a person typed.
    #[must_use]
    pub fn typed_by(self, id: Option<String>) -> Self {
        Self { by: id, typed: true, ..self }
    }

    /// Whether two lines keep the same answer to the same request, whatever it took to get it.
    fn agrees_with(&self, other: &Self) -> bool {
        self.request == other.request && self.raw == other.raw && self.fault == other.fault
    }
}

impl CallRecord {
    /// A record of nothing, to which nothing can be added.
    pub fn empty() -> Self {
        Self { path: PathBuf::new(), lines: CallLines::default(), sink: Sink::None }
    }

    /// Reads a record that nothing is added to. A file that is not there holds no calls; a torn last line is left out and
    /// stays in the file.
    ///
    /// # Errors
    /// When the file cannot be read, or a line before the last cannot be used.
    pub fn read(file: impl Into<SessionFile>) -> Result<(Self, Option<TornLine>), CallRecordError> {
        let file = file.into();
        let (lines, torn) = read_call_lines(&file)?;
        let record = Self { path: file.path().to_owned(), lines, sink: Sink::None };
        Ok((record, torn))
    }

    /// Opens a record to add to it. A torn last line is cut from the file. No file is made before there is a line for it.
    ///
    /// # Errors
    /// When the file cannot be read or shortened, or a line before the last cannot be used.
    pub fn open(path: &Path) -> Result<(Self, Option<TornLine>), CallRecordError> {
        let (lines, torn) = read_call_lines(&path.into())?;
        if let Some(torn) = &torn {
            cut_file_end(path, torn.bytes).map_err(|source| CallRecordError::File { path: path.to_owned(), source })?;
        }
        let record = Self { path: path.to_owned(), lines, sink: Sink::Unopened };
        Ok((record, torn))
    }

    /// The call that answered a question, if there was one.
    pub fn find_call(&self, question: &QuestionId) -> Option<&CallLine> {
        self.lines.calls.get(question)
    }

    /// The context windows that were learnt before the first call; `None` when none were asked for yet.
    pub fn learnt_windows(&self) -> Option<&[ContextWindow]> {
        self.lines.windows.as_deref()
    }

    /// Adds what was learnt of context windows, once.
    ///
    /// # Errors
    /// [`Outage::Unwritten`].
    ///
    /// # Panics
    /// Never: a line holds nothing that JSON cannot.
    pub fn keep_windows(&mut self, windows: &[ContextWindow]) -> Result<(), Outage> {
        let line = WindowsLine { windows: windows.to_vec() };
        let mut bytes = serde_json::to_vec(&line).expect("invariant: a line of windows serialises");
        bytes.push(b'\n');
        self.write_line(&bytes).map_err(|error| self.to_outage(&error))?;
        self.lines.windows = Some(line.windows);
        Ok(())
    }

    /// How earlier attempts at the session ended, the first one first; empty where there was none.
    pub fn failed_attempts(&self) -> &[FailedAttempt] {
        &self.lines.retried
    }

    /// Adds how earlier attempts at the session ended, once and before anything else.
    ///
    /// # Errors
    /// [`Outage::Unwritten`].
    ///
    /// # Panics
    /// Never: a line holds nothing that JSON cannot.
    pub fn keep_retried(&mut self, ended: &[FailedAttempt]) -> Result<(), Outage> {
        let line = RetriedLine { retried: ended.to_vec() };
        let mut bytes = serde_json::to_vec(&line).expect("invariant: a line of attempts serialises");
        bytes.push(b'\n');
        self.write_line(&bytes).map_err(|error| self.to_outage(&error))?;
        self.lines.retried = line.retried;
        Ok(())
    }

    /// When each answer came (milliseconds since 1970), which model was asked, by its name in the config, and which one the server
    /// says answered. Records of earlier versions may lack who was asked; these answers are left out.
    pub fn served_models(&self) -> impl Iterator<Item = (u64, String, ServedModel)> + '_ {
        self.lines.calls.values().filter(|line| !line.typed).filter_map(|line| {
            let time = line.attempts.last().map_or(0, |attempt| attempt.started_unix_ms);
            Some((time, line.asked.clone()?, line.served_model()))
        })
    }

    /// How many answers of models are recorded; what people typed is not counted.
    pub fn calls_of_models(&self) -> usize {
        self.lines.calls.values().filter(|line| !line.typed).count()
    }

    /// Adds a call. When this returns, the line survives a power cut: minutes that tell of an answer are never without it.
    ///
    /// # Errors
    /// [`Outage::Unwritten`] when the line could not be written, or an earlier one could not.
    ///
    /// # Panics
    /// Never: a line holds nothing that JSON cannot.
    pub fn append_call(&mut self, line: CallLine) -> Result<(), Outage> {
        let mut bytes = serde_json::to_vec(&line).expect("invariant: a call line serialises");
        bytes.push(b'\n');
        self.write_line(&bytes).map_err(|error| self.to_outage(&error))?;
        self.lines.calls.insert(line.question.clone(), line);
        Ok(())
    }

    /// Adds attempts that all failed, so that what they may have cost is not forgotten.
    ///
    /// # Errors
    /// As of [`CallRecord::append_call`].
    ///
    /// # Panics
    /// Never: a line holds nothing that JSON cannot.
    pub fn append_unanswered(&mut self, line: UnansweredLine) -> Result<(), Outage> {
        let mut bytes = serde_json::to_vec(&line).expect("invariant: a line of attempts serialises");
        bytes.push(b'\n');
        self.write_line(&bytes).map_err(|error| self.to_outage(&error))?;
        self.lines.unanswered.push(line);
        Ok(())
    }

    /// Writes a whole line in one go, so that the file ends in at most one torn line.
    fn write_line(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        if matches!(self.sink, Sink::Unopened) {
            let file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            self.sink = Sink::Open(file);
        }
        match &mut self.sink {
            Sink::Open(file) => {
                let written = file.write_all(bytes).and_then(|()| file.sync_data());
                written.inspect_err(|_| self.sink = Sink::Failed)
            }
            Sink::None => Err(std::io::Error::new(ErrorKind::PermissionDenied, "opened for reading only")),
            Sink::Failed | Sink::Unopened => Err(std::io::Error::other("an earlier write failed")),
        }
    }

    fn to_outage(&self, error: &std::io::Error) -> Outage {
        Outage::Unwritten { path: self.path.display().to_string(), reason: in_words(error) }
    }
}

/// Reads all lines. The last may be torn: it lacks its end, or is no JSON.
fn read_call_lines(file: &SessionFile) -> Result<(CallLines, Option<TornLine>), CallRecordError> {
    let path = file.path();
    let bytes = match file.read_whole() {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => Bytes::new(),
        Err(source) => {
            return Err(CallRecordError::File { path: path.to_owned(), source });
        }
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
    /// Takes in one line; what is wrong with it, in words.
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
            // One that was begun before and never came back is lost, whatever comes of this one.
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

/// How earlier attempts at a session ended, from the first line of its record alone; a torn or missing one tells of none.
///
/// # Errors
/// When the file is there and cannot be read, or its first line is one of earlier attempts and is damaged.
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

/// Takes bytes off the end of a file.
fn cut_file_end(path: &Path, bytes: usize) -> std::io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    let length = file.metadata()?.len();
    file.set_len(length.saturating_sub(bytes as u64))?;
    file.sync_data()
}

impl CallRecord {
    /// The request as which a question was put by file; `None` where it was not.
    pub fn deferred_request(&self, question: &QuestionId) -> Option<&Digest> {
        self.lines.deferred.get(question)
    }

    /// Adds that a question is put by file, once.
    ///
    /// # Errors
    /// As of [`CallRecord::append_call`]; [`Outage::Diverged`] when it was put as another request before.
    ///
    /// # Panics
    /// Never: a line holds nothing that JSON cannot.
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
        let mut bytes = serde_json::to_vec(&line).expect("invariant: a line of a question serialises");
        bytes.push(b'\n');
        self.write_line(&bytes).map_err(|error| self.to_outage(&error))?;
        self.lines.deferred.insert(line.deferred, line.request);
        Ok(())
    }
}

impl CallRecord {
    /// How a model is asked to phrase its replies; `None` when that was not learnt yet.
    pub fn learnt_form(&self, model: &str) -> Option<&LearntForm> {
        self.learnt_forms().find(|form| form.model == model)
    }

    /// All that was learnt of forms.
    pub fn learnt_forms(&self) -> impl Iterator<Item = &LearntForm> {
        self.lines.forms.iter().filter_map(|line| line.form.as_ref())
    }

    /// Adds what was learnt of a form, or what was asked for it in vain.
    ///
    /// # Errors
    /// As of [`CallRecord::append_call`].
    ///
    /// # Panics
    /// Never: a line holds nothing that JSON cannot.
    pub fn keep_form(&mut self, line: FormLine) -> Result<(), Outage> {
        let mut bytes = serde_json::to_vec(&line).expect("invariant: a line of a form serialises");
        bytes.push(b'\n');
        self.write_line(&bytes).map_err(|error| self.to_outage(&error))?;
        self.lines.forms.push(line);
        Ok(())
    }
}
