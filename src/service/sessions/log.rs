//! Log events of sessions: start and end, with the kind of stop as an identifier.
//!
//! Error texts are not logged: they may quote a server, which may quote a prompt.

use std::sync::atomic::Ordering;

use super::{SessionMode, SessionStop};
use crate::domain::Verdict;
use crate::session::Halt;
use crate::store::minutes::MinutesFile;

/// Must be called before any of the minutes is read.
pub(super) fn log_session_start(session: &str, mode: SessionMode, minutes: &MinutesFile) {
    match (mode, minutes.in_past().load(Ordering::Relaxed)) {
        (SessionMode::Run, false) => tracing::info!(ekklesia.session = session, "session begun"),
        (SessionMode::Run, true) => tracing::info!(ekklesia.session = session, "session resumed"),
        (SessionMode::Replay, _) => tracing::info!(ekklesia.session = session, "session replayed"),
    }
}

pub(super) fn log_session_end(session: &str, end: &Result<Verdict, SessionStop>) {
    match end {
        Ok(_) => tracing::info!(ekklesia.session = session, "session completed"),
        Err(stopped) => tracing::warn!(ekklesia.session = session, error.type = stop_kind(stopped), "session stopped"),
    }
}

fn stop_kind(stopped: &SessionStop) -> &'static str {
    match stopped {
        _ if stopped.is_divergence() => "diverged",
        SessionStop::Halted(Halt::Outage { outage, .. })
        | SessionStop::Window(outage)
        | SessionStop::Form(outage)
        | SessionStop::ModelChanged(outage) => outage.into(),
        SessionStop::Halted(Halt::Minutes(_)) => "minutes",
        SessionStop::Halted(Halt::Leak(_)) => "leak",
        SessionStop::Halted(Halt::Undefined { .. }) => "undefined",
        SessionStop::Halted(Halt::Interrupted) => "interrupted",
        SessionStop::UnknownWindows(_) => "unknown_window",
        SessionStop::UnknownForm(_) => "unknown_form",
        SessionStop::Calls(_) => "call_record",
        SessionStop::Panel(_) => "panel",
        SessionStop::File(_) => "file",
        SessionStop::Needed(_) => "needed_session",
    }
}
