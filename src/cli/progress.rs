//! Progress on stderr: one changing line on a terminal, or a new line at fixed intervals. Log lines appear above it.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::note;
use crate::domain::Dollars;
use crate::report::grouped;
use crate::service::stopwatch::Stopwatch;

/// The progress bar on stderr, if any.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The maximum width in columns: 80 columns do not wrap it.
const WIDTH: usize = 79;

/// The progress of a run, replay or export.
pub struct Progress {
    bar: ProgressBar,
    clock: Stopwatch,
    known: Mutex<ProgressState>,
    /// The interval between printed lines; `None` for one changing line.
    every: Option<Duration>,
}

#[derive(Debug, Clone, Default)]
struct ProgressState {
    what: &'static str,
    /// Sessions in all, done now, and done before the work began.
    sessions: u64,
    done: u64,
    done_before: u64,
    calls: CallProgress,
    /// When the last line was printed.
    printed: Option<Duration>,
}

/// The progress of a run's model calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallProgress {
    /// Calls answered since the run began.
    pub answered: u64,
    /// Expected calls of the run; 0 if it makes none.
    pub expected: u64,
    /// The cost so far.
    pub spent: Dollars,
    /// The cost limit.
    pub limit: Option<Dollars>,
}

/// Estimates a run's calls from the forecast, corrected by the sessions that have ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExpectedCalls {
    /// Forecast for all sessions of the run.
    foreseen: u64,
    /// Calls that earlier runs recorded for these sessions.
    recorded: u64,
    /// Forecast for the ended sessions, and their actual calls.
    foreseen_of_ended: u64,
    ended: u64,
}

impl ExpectedCalls {
    /// Takes the forecast for all sessions and the number of recorded calls.
    pub fn new(foreseen: u64, recorded: u64) -> Self {
        Self { foreseen, recorded, ..Self::default() }
    }

    /// Adds an ended session: its forecast and its calls, including recorded ones.
    pub fn end_session(&mut self, foreseen: u64, calls: u64) {
        self.foreseen_of_ended += foreseen;
        self.ended += calls;
    }

    /// The expected calls of this run. Scales the forecast for the remaining sessions by the ratio of actual to forecast calls
    /// so far.
    pub fn calls_left(&self) -> u64 {
        let to_come = u128::from(self.foreseen.saturating_sub(self.foreseen_of_ended));
        let to_come = match self.foreseen_of_ended {
            0 => to_come,
            foreseen => to_come * u128::from(self.ended) / u128::from(foreseen),
        };
        self.ended.saturating_add(u64::try_from(to_come).unwrap_or(u64::MAX)).saturating_sub(self.recorded)
    }
}

impl Progress {
    /// Begins a changing line for these sessions, of which `done` are complete.
    pub fn begin(what: &'static str, sessions: u64, done: u64) -> Self {
        Self::begin_every(None, what, sessions, done)
    }

    /// Like `begin`. With an interval, prints new lines instead of one that changes.
    pub fn begin_every(every: Option<Duration>, what: &'static str, sessions: u64, done: u64) -> Self {
        let target =
            if every.is_some() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
        let bar = ProgressBar::with_draw_target(Some(sessions), target);
        let style = ProgressStyle::with_template("{wide_msg}");
        bar.set_style(style.expect("invariant: the template of the progress line is valid"));
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        let known = ProgressState { what, sessions, done, done_before: done, ..ProgressState::default() };
        Self { bar, clock: Stopwatch::start(), known: Mutex::new(known), every }
    }

    /// No progress line: a person answers on this terminal, or a server reads.
    pub fn new_hidden() -> Self {
        Self { bar: ProgressBar::hidden(), clock: Stopwatch::start(), known: Mutex::default(), every: None }
    }

    /// Counts a finished session.
    pub fn count_session(&self) {
        self.update(|known| known.done += 1);
    }

    /// Updates the elapsed time.
    pub fn show_time(&self) {
        self.update(|_| ());
    }

    /// Updates the calls.
    pub fn show_calls(&self, calls: CallProgress) {
        self.update(|known| known.calls = calls);
    }

    fn update(&self, change: impl FnOnce(&mut ProgressState)) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut known);
        let elapsed = self.clock.elapsed();
        if let Some(every) = self.every
            && known.printed.is_none_or(|printed| elapsed.saturating_sub(printed) >= every)
        {
            known.printed = Some(elapsed);
            note!("{}", known.render_line(elapsed));
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(known.render_line(elapsed));
        }
    }

    /// Prints a line above the progress.
    pub fn print_line(&self, line: &str) {
        if self.bar.is_hidden() {
            note!("{line}");
        } else {
            self.bar.println(line);
        }
    }

    /// Removes the line, or prints the last one.
    pub fn end(self) {
        if self.every.is_some() {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            note!("{}", known.render_line(self.clock.elapsed()));
        }
        SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.bar.finish_and_clear();
    }
}

impl ProgressState {
    /// The line, with as many parts as fit. The most important parts go first.
    fn render_line(&self, elapsed: Duration) -> String {
        let CallProgress { answered, expected, spent, limit } = self.calls;
        let calls = (answered > 0 || expected > 0)
            .then(|| format!("{} of {} calls", grouped(answered), grouped(expected.max(answered))));
        let left = self.time_left(elapsed).map(|left| format!("about {} left", in_words(left)));
        let spent = match limit {
            Some(limit) => Some(format!("{spent} of {limit}")),
            None => (spent > Dollars::NONE).then(|| spent.to_string()),
        };
        let sessions = Some(format!("{} {} of {} sessions", self.what, grouped(self.done), grouped(self.sessions)));
        // In display order, each with its rank of importance.
        let parts = [(sessions, 0), (calls, 1), (Some(in_words(elapsed)), 4), (left, 2), (spent, 3)];
        let mut kept: Vec<usize> = Vec::new();
        let mut width = 0;
        for rank in 0..parts.len() {
            let place = parts.iter().position(|(_, of)| *of == rank).expect("invariant: each rank has a part");
            let Some(part) = &parts[place].0 else { continue };
            let with = width + part.chars().count() + if width > 0 { SEPARATOR.chars().count() } else { 0 };
            if with <= WIDTH {
                width = with;
                kept.push(place);
            }
        }
        kept.sort_unstable();
        kept.into_iter().filter_map(|place| parts[place].0.clone()).collect::<Vec<_>>().join(SEPARATOR)
    }

    /// The remaining time, extrapolated from calls, or from sessions if there are no calls; `None` without data.
    fn time_left(&self, elapsed: Duration) -> Option<Duration> {
        let CallProgress { answered, expected, .. } = self.calls;
        let (done, all) = match answered > 0 || expected > 0 {
            true => (answered, expected.max(answered)),
            false => (self.done - self.done_before, self.sessions - self.done_before),
        };
        // Beyond the forecast, no estimate is possible.
        let is_measured = 0 < done && done < all && !elapsed.is_zero();
        let seconds = elapsed.as_secs_f64() * (all.saturating_sub(done)) as f64 / done as f64;
        is_measured.then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }
}

const SEPARATOR: &str = " · ";

fn in_words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds @ 7_200..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} days", grouped(seconds / 86_400)),
    }
}

/// Prints a line on stderr, above any progress line.
pub fn print_above(line: &str) -> io::Result<()> {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let say = || writeln!(io::stderr().lock(), "{line}");
    match shown.filter(|bar| !bar.is_hidden()) {
        Some(bar) => bar.suspend(say),
        None => say(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn known(done: u64, answered: u64, expected: u64) -> ProgressState {
        let calls = CallProgress { answered, expected, spent: Dollars::new(1.2), limit: Some(Dollars::new(25.0)) };
        ProgressState { what: "run", sessions: 40, done, calls, ..ProgressState::default() }
    }

    #[test]
    fn time_left_is_judged_by_calls_before_any_session_has_ended() {
        let line = |seconds| known(0, 100, 1_000).render_line(Duration::from_secs(seconds));
        assert_eq!(line(60), "run 0 of 40 sessions · 100 of 1 000 calls · about 9 min left · $1.20 of $25.00");
        let without_budget = ProgressState {
            calls: CallProgress { limit: None, spent: Dollars::NONE, ..known(0, 100, 1_000).calls },
            ..known(0, 0, 0)
        };
        let line = without_budget.render_line(Duration::from_secs(60));
        assert_eq!(line, "run 0 of 40 sessions · 100 of 1 000 calls · 60 s · about 9 min left");
    }

    #[test]
    fn nothing_is_said_of_the_time_left_before_anything_was_measured() {
        for known in [known(0, 0, 1_000), ProgressState { calls: CallProgress::default(), ..known(0, 0, 0) }] {
            let line = known.render_line(Duration::from_secs(5));
            assert!(!line.contains("left") && line.contains("5 s"), "{line}");
        }
    }

    #[test]
    fn without_calls_sessions_are_counted_and_those_done_before_measure_nothing() {
        let mut known =
            ProgressState { what: "replay", sessions: 40, done: 20, done_before: 20, ..ProgressState::default() };
        assert_eq!(known.render_line(Duration::from_secs(9)), "replay 20 of 40 sessions · 9 s");
        known.done = 30;
        assert_eq!(known.render_line(Duration::from_secs(9)), "replay 30 of 40 sessions · 9 s · about 9 s left");
    }

    #[test]
    fn more_calls_than_foreseen_are_not_more_than_all() {
        let line = known(39, 1_200, 1_000).render_line(Duration::from_secs(60));
        assert!(line.contains("1 200 of 1 200 calls") && !line.contains("left"), "{line}");
    }

    #[test]
    fn what_sessions_took_corrects_what_was_foreseen() {
        let mut expected = ExpectedCalls::new(1_000, 0);
        assert_eq!(expected.calls_left(), 1_000);
        expected.end_session(100, 50);
        assert_eq!(expected.calls_left(), 500, "half of what was foreseen");
        expected.end_session(900, 650);
        assert_eq!(expected.calls_left(), 700, "at the end it is what they took");
        let mut resumed = ExpectedCalls::new(1_000, 120);
        assert_eq!(resumed.calls_left(), 880, "recorded calls are not made again");
        resumed.end_session(100, 50);
        assert_eq!(resumed.calls_left(), 380);
        resumed.end_session(900, 650);
        assert_eq!(resumed.calls_left(), 580, "what all took, without what was recorded");
    }

    proptest! {
        #[test]
        fn the_line_fits_80_columns_and_begins_with_the_sessions(
            sessions in 0..1_000_000_u64, done in 0..1_000_000_u64, answered: u64, expected: u64, seconds: u64,
            spent: u64, limit: Option<u64>,
        ) {
            let femto = |amount: u64| Dollars::of_femto(u128::from(amount) << 30);
            let calls = CallProgress { answered, expected, spent: femto(spent), limit: limit.map(femto) };
            let known = ProgressState { what: "replay", sessions: sessions + done, done, calls, ..ProgressState::default() };
            let line = known.render_line(Duration::from_secs(seconds));
            prop_assert!(line.chars().count() <= WIDTH, "{}", line);
            let begins = format!("replay {} of ", grouped(done));
            prop_assert!(line.starts_with(&begins), "{}", line);
        }
    }
}
