//! What the sessions of a run came to beside their minutes: which stopped and why, told on stderr, and how the run ends.
//!
//! What one service did to many sessions is told once. No session is run here.

use std::collections::BTreeMap;

use super::exit::Ending;
use super::say::note;
use crate::domain::Outage;
use crate::report::{counted, escape_unseen};
use crate::service::sessions::{self, SessionStop};
use crate::session::Halt;
use crate::store::files::FileError;
use crate::store::fold::FoldError;
use crate::store::minutes::MinutesError;
use crate::store::needed::NeededError;
use crate::store::panel::PanelError;
use crate::store::results::ResultsFolder;

/// How a run goes on that stopped for a while.
const SAME_COMMAND: &str = ", and the same command again goes on";

/// How a run goes on whose questions are put by file.
const WITH_ANSWERS: &str = "; continue with the same command and --answers FILE";

/// How one goes on after another model answered than before.
pub const CHANGED_MODEL: &str = "; its reply is recorded; --on-model-change warn goes on with it";

/// What the sessions of a run came to, beside their minutes.
#[derive(Debug, Default)]
pub struct RunOutcome {
    /// Sessions that stopped before their end, and why.
    pub stopped: Vec<(String, SessionStop)>,
    /// How many sessions were not begun because of a service that had failed or changed, by what it did.
    pub not_begun: BTreeMap<String, (Outage, u64)>,
    /// Files that could not be written.
    pub unwritten: Vec<FileError>,
    /// Whether the user stopped the run.
    pub interrupted: bool,
}

/// Whether other sessions may fare better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hope {
    /// They may.
    Some,
    /// They would only fail in the same way.
    None,
}

impl RunOutcome {
    /// Takes what came of a session.
    pub fn record_outcome(&mut self, name: String, outcome: Result<sessions::SessionOutcome, FileError>) -> Hope {
        let end = match outcome {
            Ok(outcome) => outcome.end,
            Err(error) => {
                self.unwritten.push(error);
                return Hope::None;
            }
        };
        let Err(stopped) = end else { return Hope::Some };
        let hope = if concerns_all(&stopped) { Hope::None } else { Hope::Some };
        self.stopped.push((name, stopped));
        hope
    }

    /// Records whether sessions could be packed.
    pub fn record_packing(&mut self, packed: Result<(), FileError>) -> Hope {
        let Err(error) = packed else { return Hope::Some };
        self.unwritten.push(error);
        Hope::None
    }

    /// Takes that a session was not begun, since a service that it needs has failed or changed.
    pub fn record_not_begun(&mut self, outage: Outage) {
        self.not_begun.entry(outage_cause(&outage)).or_insert((outage, 0)).1 += 1;
    }

    /// What services did and what a budget stopped, each told once: the first session that it stopped, how many more, and the way on.
    fn of_services(&self) -> Vec<String> {
        let mut stopped: BTreeMap<String, Vec<&(String, SessionStop)>> = BTreeMap::new();
        for session in &self.stopped {
            if let Some(cause) = cause_of(&session.1) {
                stopped.entry(cause).or_default().push(session);
            }
        }
        let mut told = Vec::new();
        for (cause, sessions) in &stopped {
            let others = match sessions.len() - 1 {
                0 => None,
                more => Some(format!("{} stopped there", counted(more as u64, "more session"))),
            };
            let idle = self.not_begun.get(cause).map(|(_, idle)| format!("{} not begun", counted(*idle, "session")));
            let (name, why) = sessions[0];
            let rest: String = [others, idle].into_iter().flatten().map(|words| format!("; {words}")).collect();
            told.push(format!("{name}: {why}{rest}{}", outage_of(why).map_or("", way_on)));
        }
        let alone = self.not_begun.iter().filter(|(cause, _)| !stopped.contains_key(*cause));
        told.extend(
            alone.map(|(_, (outage, idle))| {
                format!("{outage}; {} not begun{}", counted(*idle, "session"), way_on(outage))
            }),
        );
        told
    }

    /// Tells on stderr what stopped, and how the run ends.
    pub fn print_report(&self, folder: &ResultsFolder, unsound: &[(String, FoldError)]) -> Ending {
        const SHOWN: usize = 5;
        let mut told: Vec<String> = self.unwritten.iter().map(ToString::to_string).collect();
        told.extend(self.of_services());
        let waits = self.stopped.iter().any(|(_, why)| is_deferred(why));
        let is_told = |why: &SessionStop| {
            let is_expected = matches!(why, SessionStop::Halted(Halt::Interrupted)) || is_deferred(why);
            is_expected || waits && needs_another(why) || cause_of(why).is_some()
        };
        let stopped = self.stopped.iter().filter(|(_, why)| !is_told(why));
        told.extend(stopped.map(|(name, why)| format!("{name}: {why}{}", way_out(folder, name, why))));
        let known = |name: &String| self.stopped.iter().any(|(stopped, _)| stopped == name);
        let unsound = unsound.iter().filter(|(name, _)| !known(name));
        told.extend(unsound.clone().map(|(name, why)| format!("{name}: {why}")));
        for line in told.iter().take(SHOWN) {
            note!("ekklesia: {}", escape_unseen(line));
        }
        if told.len() > SHOWN {
            note!("ekklesia: and {} more", told.len() - SHOWN);
        }
        let ending = match self.ending() {
            Ending::Done if unsound.count() > 0 => Ending::Diverged,
            ending => ending,
        };
        let resumable =
            self.interrupted || !self.not_begun.is_empty() || self.stopped.iter().any(|(_, why)| why.is_resumable());
        if resumable || !self.unwritten.is_empty() {
            let root = folder.root().display();
            // After a change of model the same command stops again; the way on was told with it.
            let changed = |(outage, _): &(Outage, u64)| matches!(outage, Outage::ModelChanged { .. });
            let changed =
                self.stopped.iter().any(|(_, why)| is_model_change(why)) || self.not_begun.values().any(changed);
            let on = match (changed, waits) {
                (true, _) => "",
                (_, true) => WITH_ANSWERS,
                _ => SAME_COMMAND,
            };
            note!("ekklesia: incomplete; what is there is kept in {root}{on}");
        }
        ending
    }

    /// How the run ends: the gravest of what happened.
    pub fn ending(&self) -> Ending {
        let any = |concerns: fn(&SessionStop) -> bool| self.stopped.iter().any(|(_, stopped)| concerns(stopped));
        let goes_on_later = |stopped: &SessionStop| {
            if let SessionStop::UnknownForm(_) = stopped {
                return true;
            }
            let (SessionStop::Halted(Halt::Outage { outage, .. })
            | SessionStop::ModelChanged(outage)
            | SessionStop::Form(outage)) = stopped
            else {
                return false;
            };
            matches!(
                outage,
                Outage::NotRecorded { .. }
                    | Outage::Deferred { .. }
                    | Outage::CallLost { .. }
                    | Outage::Unaffordable { .. }
                    | Outage::ModelChanged { .. }
                    | Outage::Unattended { .. }
            )
        };
        let changed = self.not_begun.values().any(|(outage, _)| matches!(outage, Outage::ModelChanged { .. }));
        if any(SessionStop::is_divergence) {
            Ending::Diverged
        } else if self.interrupted {
            Ending::Interrupted
        } else if !self.unwritten.is_empty() {
            Ending::Failed
        } else if any(goes_on_later) || changed {
            Ending::Resumable
        } else if self.stopped.is_empty() && self.not_begun.is_empty() {
            Ending::Done
        } else {
            Ending::Failed
        }
    }
}

/// How a user gets on with a session that cannot go on by itself.
fn way_out(folder: &ResultsFolder, name: &str, why: &SessionStop) -> String {
    let place = folder.session_folder(name);
    if why.is_divergence() && !is_own_divergence(why) {
        return String::new();
    }
    if why.is_divergence() {
        let version = folder.run_file(name).map_or_else(|| "an unknown version".to_owned(), |run| run.ekklesia);
        let place = place.display();
        return format!("\n  minuted by ekklesia {version}; to conduct the session anew, move {place} away");
    }
    if let SessionStop::Halted(Halt::Outage { outage: Outage::CallLost { .. }, .. }) = why {
        return format!("; bring its calls.jsonl back, or move {} away to conduct the session anew", place.display());
    }
    match why.failure_kind() {
        None => String::new(),
        Some(_) if folder.calls(name).exists() => {
            "; with --retry-failed its models are asked anew, from the start".to_owned()
        }
        Some(_) => "; it fails again until the config changes".to_owned(),
    }
}

/// Whether what differs is the session's own. What is another's, or lies beside the minutes, is named with what to do about it.
fn is_own_divergence(why: &SessionStop) -> bool {
    match why {
        SessionStop::Needed(needed) | SessionStop::Panel(PanelError::Needed(needed)) => {
            matches!(needed, NeededError::Another { .. })
        }
        SessionStop::Panel(_) => false,
        _ => true,
    }
}

/// Whether the session waits for answers by file.
fn is_deferred(why: &SessionStop) -> bool {
    matches!(why, SessionStop::Halted(Halt::Outage { outage: Outage::Deferred { .. }, .. }))
}

/// Whether the session waits for another one.
fn needs_another(why: &SessionStop) -> bool {
    matches!(
        why,
        SessionStop::Needed(NeededError::Incomplete(_))
            | SessionStop::Panel(PanelError::Needed(NeededError::Incomplete(_)))
    )
}

/// Whether another model answers than before.
pub fn is_model_change(why: &SessionStop) -> bool {
    matches!(
        why,
        SessionStop::Halted(Halt::Outage { outage: Outage::ModelChanged { .. }, .. }) | SessionStop::ModelChanged(_)
    )
}

fn outage_of(stopped: &SessionStop) -> Option<&Outage> {
    match stopped {
        SessionStop::Halted(Halt::Outage { outage, .. })
        | SessionStop::Window(outage)
        | SessionStop::Form(outage)
        | SessionStop::ModelChanged(outage) => Some(outage),
        _ => None,
    }
}

/// What stops every session that needs the same: a service that failed, changed or tells no window, or a budget that may not suffice.
fn cause_of(stopped: &SessionStop) -> Option<String> {
    match stopped {
        SessionStop::UnknownWindows(_) => Some(stopped.to_string()),
        _ => outage_of(stopped)
            .filter(|outage| {
                matches!(outage, Outage::Unreachable { .. } | Outage::Unaffordable { .. } | Outage::ModelChanged { .. })
            })
            .map(outage_cause),
    }
}

/// What makes two of these one: what is left of a budget differs from call to call, and who answered from session to session.
fn outage_cause(outage: &Outage) -> String {
    match outage {
        Outage::Unaffordable { .. } => "budget".to_owned(),
        Outage::ModelChanged { model, .. } => format!("model {model}"),
        outage => outage.to_string(),
    }
}

/// How a user gets on where such a thing stopped sessions.
fn way_on(outage: &Outage) -> &'static str {
    match outage {
        Outage::Unaffordable { .. } => "; raise it to go on",
        Outage::ModelChanged { .. } => CHANGED_MODEL,
        _ => "",
    }
}

/// Whether going on with other sessions would only fail in the same way. Those that need a service which failed are not begun; others
/// may need another.
fn concerns_all(stopped: &SessionStop) -> bool {
    match stopped {
        SessionStop::Halted(Halt::Outage { outage, .. }) | SessionStop::Window(outage) | SessionStop::Form(outage) => {
            // Who ends the input has gone, or wants to.
            matches!(outage, Outage::Unaffordable { .. } | Outage::Unwritten { .. } | Outage::Unattended { .. })
        }
        SessionStop::Halted(Halt::Minutes(MinutesError::Io { .. })) | SessionStop::File(_) => true,
        _ => false,
    }
}

/// Whether a session stopped because the budget may not suffice.
pub fn is_unaffordable(stopped: &SessionStop) -> bool {
    matches!(
        stopped,
        SessionStop::Halted(Halt::Outage { outage: Outage::Unaffordable { .. }, .. })
            | SessionStop::Form(Outage::Unaffordable { .. })
    )
}
