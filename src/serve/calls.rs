//! The calls of one session as they are made: who is being asked, since when, and what was spent. Each look reads only what was
//! added to `calls.jsonl`.

use std::sync::Arc;

use super::tail::{FolderReadError, Tail, TailLook};
use crate::plan::Price;
use crate::store::calls::{CallRecord, Spending};
use crate::store::files::FileError;
use crate::store::results::ResultsFolder;

const AT_ONCE: usize = 1 << 20;

/// The calls of one session.
#[derive(Debug)]
pub struct CallTail {
    tail: Tail,
    record: CallRecord,
    path: String,
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
        Self { tail: Tail::new((Arc::clone(folder), path.clone())), record: CallRecord::empty(), path }
    }

    /// Reads the lines that were added; returns the number of bytes read.
    ///
    /// # Errors
    /// If the file exists but cannot be read, or a line is no line of a call record.
    pub fn read_added(&mut self) -> Result<u64, FolderReadError> {
        let before = self.tail.bytes_read();
        loop {
            match self.tail.read_lines(AT_ONCE)? {
                TailLook::Lines(lines) if lines.is_empty() => {
                    return Ok(self.tail.bytes_read().saturating_sub(before));
                }
                TailLook::Lines(lines) => {
                    for line in lines {
                        self.record.add_line(&line.bytes).map_err(|reason| {
                            let path = format!("{}:{}", self.path, line.place + 1).into();
                            FileError { path, reason }
                        })?;
                    }
                }
                TailLook::Others | TailLook::Gone => self.record = CallRecord::empty(),
            }
        }
    }

    /// The seats that are being asked, in the order of their calls.
    pub fn asked_seats(&self) -> Vec<AskedSeat> {
        let seats = self.record.begun_calls().map(|call| AskedSeat {
            seat: call.begun.seat.to_string(),
            step: call.begun.at.step.as_str().replace('_', " "),
            since_unix_ms: call.started_unix_ms,
        });
        let mut seats: Vec<AskedSeat> = seats.collect();
        seats.sort_by_key(|asked| asked.since_unix_ms);
        seats
    }

    /// What all calls came to; unreported usage counts at its maximum, as in the budget. `price` returns the price of a model.
    pub fn total_spending(&self, price: impl Fn(&str) -> Option<Price>) -> Spending {
        self.record.total_spending(price)
    }
}
