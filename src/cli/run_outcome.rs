//! Collects the outcomes of a run's sessions, reports on stderr why sessions stopped, and chooses the exit code.
//!
//! A service that stops many sessions is reported once.

use std::collections::BTreeMap;

use super::exit::Ending;
use super::output::{note, print_warning};
use crate::domain::Outage;
use crate::report::counted;
use crate::service::sessions::{self, SessionStop};
use crate::session::Halt;
use crate::store::files::FileError;
use crate::store::fold::FoldError;
use crate::store::minutes::MinutesError;
use crate::store::needed::NeededError;
use crate::store::panel::PanelError;
use crate::store::results::ResultsFolder;

/// How to resume a run that stopped.
const SAME_COMMAND: &str = ", and the same command again goes on";

/// How to resume a run that waits for answers in files.
const WITH_ANSWERS: &str = "; continue with the same command and --answers FILE";

/// How to resume after a model change.
pub const CHANGED_MODEL: &str = "; its reply is recorded; --on-model-change warn goes on with it";

/// The outcomes of a run's sessions, besides their minutes.
#[derive(Debug, Default)]
pub struct RunOutcome {
    /// Sessions that stopped early, and why.
    pub stopped: Vec<(String, SessionStop)>,
    /// How many sessions were not begun because of a service, by cause.
    pub not_begun: BTreeMap<String, (Outage, u64)>,
    /// Files that could not be written.
    pub unwritten: Vec<FileError>,
    /// Whether the user stopped the run.
    pub interrupted: bool,
}

/// Whether other sessions may succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hope {
    /// They may.
    Some,
    /// They would fail for the same reason.
    None,
}

impl RunOutcome {
    /// Records a session's outcome.
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

    /// Records that an outage kept a session from beginning.
    pub fn record_not_begun(&mut self, outage: Outage) {
        self.not_begun.entry(outage_cause(&outage)).or_insert((outage, 0)).1 += 1;
    }

    /// One line for each failed service or exhausted budget: the first session it stopped, the number of others, and the
    /// remedy.
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

    /// Prints the stops on stderr and returns the ending.
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
            print_warning(line);
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
            // After a model change, the same command would stop again; its remedy is printed above.
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

    /// How the run ends; the most serious event decides.
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

/// The remedy for a session that cannot resume by itself.
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

/// Whether the session's own minutes differ. Errors about other sessions or files carry their own remedy.
fn is_own_divergence(why: &SessionStop) -> bool {
    match why {
        SessionStop::Needed(needed) | SessionStop::Panel(PanelError::Needed(needed)) => {
            matches!(needed, NeededError::Another { .. })
        }
        SessionStop::Panel(_) => false,
        _ => true,
    }
}

/// Whether the session waits for answers from a file.
fn is_deferred(why: &SessionStop) -> bool {
    matches!(why, SessionStop::Halted(Halt::Outage { outage: Outage::Deferred { .. }, .. }))
}

fn needs_another(why: &SessionStop) -> bool {
    matches!(
        why,
        SessionStop::Needed(NeededError::Incomplete(_))
            | SessionStop::Panel(PanelError::Needed(NeededError::Incomplete(_)))
    )
}

/// Whether a session stopped because another model answered than before.
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

/// The cause, if it stops every session that needs the service or the budget.
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

/// The key that merges equal causes. The remaining budget and the answering model may differ between sessions, so they are left
/// out.
fn outage_cause(outage: &Outage) -> String {
    match outage {
        Outage::Unaffordable { .. } => "budget".to_owned(),
        Outage::ModelChanged { model, .. } => format!("model {model}"),
        outage => outage.to_string(),
    }
}

/// The remedy after an outage.
fn way_on(outage: &Outage) -> &'static str {
    match outage {
        Outage::Unaffordable { .. } => "; raise it to go on",
        Outage::ModelChanged { .. } => CHANGED_MODEL,
        _ => "",
    }
}

/// Whether all other sessions would fail for the same reason. An unreachable service stops only the sessions that need it.
fn concerns_all(stopped: &SessionStop) -> bool {
    match stopped {
        SessionStop::Halted(Halt::Minutes(MinutesError::Io { .. })) | SessionStop::File(_) => true,
        // `Unattended` means that the input ended: nobody can answer in other sessions either.
        _ => outage_of(stopped).is_some_and(|outage| {
            matches!(outage, Outage::Unaffordable { .. } | Outage::Unwritten { .. } | Outage::Unattended { .. })
        }),
    }
}

/// Whether the budget stopped a session.
pub fn is_unaffordable(stopped: &SessionStop) -> bool {
    outage_of(stopped).is_some_and(|outage| matches!(outage, Outage::Unaffordable { .. }))
}
