//! The calls of one session as they are made: who is being asked, since when, and what was used. Each look reads only what was
//! added to `calls.jsonl`, and keeps sums instead of replies.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::tail::{FolderReadError, Tail, TailLine, TailLook};
use crate::domain::{QuestionId, Usage};
use crate::store::calls::CallRecord;
use crate::store::files::FileError;
use crate::store::results::ResultsFolder;

/// The approximate number of bytes that are read at once.
const AT_ONCE: usize = 1 << 20;

/// What the calls of some sessions used, by the model's name in the config. Usage that a server did not report counts at its
/// maximum, as in the budget.
pub type ModelUsage = BTreeMap<String, Usage>;

/// The calls of one session.
#[derive(Debug)]
pub struct CallTail {
    tail: Tail,
    path: String,
    asked: BTreeMap<QuestionId, u64>,
    used: ModelUsage,
    /// The first line that is no line of a call record.
    problem: Option<String>,
}

/// A seat that is being asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedSeat {
    /// The seat.
    pub seat: String,
    /// What it is asked for, in words.
    pub step: String,
    /// When the call began, in milliseconds since 1970 (UTC).
    pub since_unix_ms: u64,
}

impl CallTail {
    /// Starts before the first call of a session.
    pub fn new(folder: &Arc<ResultsFolder>, session: &str) -> Self {
        let path = format!("sessions/{session}/calls.jsonl");
        let tail = Tail::new((Arc::clone(folder), path.clone()));
        Self { tail, path, asked: BTreeMap::new(), used: BTreeMap::new(), problem: None }
    }

    /// Reads about `bytes_max` bytes of the lines that were added; returns how many were read. A line that is no line of a call
    /// record is a [`problem`](Self::problem) and does not count.
    ///
    /// # Errors
    /// If the file exists but cannot be read.
    pub fn read_added(&mut self, bytes_max: u64) -> Result<u64, FolderReadError> {
        let mut read = 0;
        while read < bytes_max {
            let before = self.tail.bytes_read();
            match self.tail.read_lines(AT_ONCE)? {
                TailLook::Lines(lines) if lines.is_empty() => break,
                TailLook::Lines(lines) => {
                    lines.iter().for_each(|line| self.add_line(line));
                    read += self.tail.bytes_read().saturating_sub(before);
                }
                // At least one byte, so that the change is noticed.
                TailLook::Others | TailLook::Gone => {
                    (self.asked, self.used, self.problem) = (BTreeMap::new(), BTreeMap::new(), None);
                    read += 1;
                }
            }
        }
        Ok(read)
    }

    /// The first line that could not be read.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The seats that are being asked, in the order of their calls.
    pub fn asked_seats(&self) -> Vec<AskedSeat> {
        let seats = self.asked.iter().map(|(question, since)| AskedSeat {
            seat: question.seat.to_string(),
            step: question.at.step.as_str().replace('_', " "),
            since_unix_ms: *since,
        });
        let mut seats: Vec<AskedSeat> = seats.collect();
        seats.sort_by_key(|asked| asked.since_unix_ms);
        seats
    }

    /// What the calls used that have ended.
    pub fn used(&self) -> &ModelUsage {
        &self.used
    }

    fn add_line(&mut self, line: &TailLine) {
        let mut record = CallRecord::empty();
        if let Err(reason) = record.add_line(&line.bytes) {
            let path = format!("{}:{}", self.path, line.place + 1).into();
            self.problem.get_or_insert_with(|| FileError { path, reason }.to_string());
            return;
        }
        for begun in record.begun_calls() {
            self.asked.insert(begun.begun.clone(), begun.started_unix_ms);
        }
        for ended in record.ended_calls() {
            self.asked.remove(ended);
        }
        for charge in record.charges() {
            let model = charge.asked.unwrap_or_default().to_owned();
            add_usage(self.used.entry(model).or_default(), charge.usage.at_most());
        }
    }
}

/// Adds the usage of other calls. The number of thinking tokens stays.
pub fn add_usage(sum: &mut Usage, usage: Usage) {
    sum.prompt_tokens = sum.prompt_tokens.saturating_add(usage.prompt_tokens);
    sum.completion_tokens = sum.completion_tokens.saturating_add(usage.completion_tokens);
    let cached = sum.cached_prompt_tokens.unwrap_or(0).saturating_add(usage.cached_prompt_tokens.unwrap_or(0));
    sum.cached_prompt_tokens = Some(cached);
}

#[cfg(test)]
mod tests;
