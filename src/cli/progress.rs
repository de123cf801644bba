//! The one line of progress on stderr; hidden when stderr is not a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
            eprintln!("{line}");
        } else {
            self.0.println(line);
        }
    }

    /// Removes the line.
    pub fn end(self) {
        self.0.finish_and_clear();
    }
}
