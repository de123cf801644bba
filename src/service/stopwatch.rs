//! The only module that reads the clock. Times go to `run.json`, `calls.jsonl` and the terminal; none is compared.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::domain::Usage;
use crate::store::calls::Attempt;

/// A stopwatch with a known start time.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    /// The start time in milliseconds since 1970 (UTC).
    pub started_unix_ms: u64,
    start: Instant,
}

impl Stopwatch {
    /// Starts now.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads a clock")]
    pub fn start() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { started_unix_ms: since.as_millis() as u64, start: Instant::now() }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time since the start, in milliseconds.
    pub fn elapsed_ms(&self) -> u64 {
        self.elapsed().as_millis() as u64
    }

    /// A call attempt from this stopwatch's start until now.
    pub fn timed_attempt(&self, status: Option<u16>, failure: Option<String>, at_most: Option<Usage>) -> Attempt {
        Attempt { started_unix_ms: self.started_unix_ms, wall_ms: self.elapsed_ms(), status, failure, at_most }
    }
}
