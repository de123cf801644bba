//! The one line of progress on stderr; hidden when stderr is not a terminal. What is logged goes above it.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::say::note;

/// The line that is shown; there is one stderr, and one line on it.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The progress of a run or a replay.
pub struct Progress(ProgressBar);

impl Progress {
    /// Begins a line for this many sessions, of which some are done already.
    pub fn begin(what: &'static str, sessions: u64, done: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(sessions), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template(
            "{prefix} {bar:24} {pos} of {len} sessions{msg} · {elapsed} · about {eta} left",
        );
        bar.set_style(style.expect("invariant: the template of the progress line is valid"));
        bar.set_prefix(what);
        bar.set_position(done);
        bar.reset_eta();
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        Self(bar)
    }

    /// No line at all: a person reads questions where it would be.
    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// One more session is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// How many model calls were answered so far; said only when there were any.
    pub fn calls(&self, calls: u64) {
        if calls > 0 {
            self.0.set_message(format!(" · {calls} model calls"));
        }
        self.0.tick();
    }

    /// Prints a line above the progress.
    pub fn say(&self, line: &str) {
        if self.0.is_hidden() {
            note!("{line}");
        } else {
            self.0.println(line);
        }
    }

    /// Removes the line.
    pub fn end(self) {
        SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.0.finish_and_clear();
    }
}

/// Prints a line on stderr, above the progress where there is some.
///
/// # Errors
/// When stderr takes no more.
pub fn say_above(line: &str) -> io::Result<()> {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let say = || writeln!(io::stderr().lock(), "{line}");
    match shown.filter(|bar| !bar.is_hidden()) {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}
