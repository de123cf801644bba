//! What sessions tell the log: that they began, and how they ended, in a word.
//!
//! The words in which a stop is told to the user are not logged: they may quote a server, and a server may quote a prompt.

use std::sync::atomic::Ordering;

use super::{Mode, Stopped};
use crate::domain::{Outage, Verdict};
use crate::session::Halt;
use crate::store::minutes::MinutesFile;

/// A session is sat in, with these minutes, of which nothing was read yet.
pub(super) fn begun(session: &str, mode: Mode, minutes: &MinutesFile) {
    match (mode, minutes.in_past().load(Ordering::Relaxed)) {
        (Mode::Run, false) => tracing::info!(ekklesia.session = session, "session begun"),
        (Mode::Run, true) => tracing::info!(ekklesia.session = session, "session resumed"),
        (Mode::Replay, _) => tracing::info!(ekklesia.session = session, "session replayed"),
    }
}

/// It came to an end, or stopped.
pub(super) fn ended(session: &str, end: &Result<Verdict, Stopped>) {
    match end {
        Ok(_) => tracing::info!(ekklesia.session = session, "session completed"),
        Err(stopped) => tracing::warn!(ekklesia.session = session, error.type = kind(stopped), "session stopped"),
    }
}

fn kind(stopped: &Stopped) -> &'static str {
    match stopped {
        _ if stopped.is_divergence() => "diverged",
        Stopped::Halted(Halt::Outage { outage, .. })
        | Stopped::Window(outage)
        | Stopped::Form(outage)
        | Stopped::ModelChanged(outage) => kind_of_outage(outage),
        Stopped::Halted(Halt::Minutes(_)) => "minutes",
        Stopped::Halted(Halt::Leak(_)) => "leak",
        Stopped::Halted(Halt::Interrupted) => "interrupted",
        Stopped::UnknownWindows(_) => "unknown_window",
        Stopped::UnknownForm(_) => "unknown_form",
        Stopped::Calls(_) => "call_record",
        Stopped::Panel(_) => "panel",
        Stopped::File(_) => "file",
        Stopped::Needed(_) => "needed_session",
    }
}

fn kind_of_outage(outage: &Outage) -> &'static str {
    match outage {
        Outage::Unreachable { .. } => "unreachable",
        Outage::Unaffordable { .. } => "budget_exhausted",
        Outage::ModelChanged { .. } => "model_changed",
        Outage::NotRecorded { .. } => "not_recorded",
        Outage::Deferred { .. } => "deferred",
        Outage::CallLost { .. } => "call_lost",
        Outage::Diverged { .. } => "diverged",
        Outage::ScriptEnded { .. } => "script_ended",
        Outage::Unaskable { .. } => "unaskable",
        Outage::Unwritten { .. } => "unwritten",
        Outage::Unattended { .. } => "unattended",
        Outage::Interrupted => "interrupted",
    }
}
