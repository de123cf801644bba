//! Runs, resumes or replays a session in its folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use futures::executor::block_on;
use tokio::runtime::Handle;

use crate::analysis::{FoldedSession, SessionFold};
use crate::domain::{ContextWindow, LearntForm, Outage, Verdict};
use crate::engine::Deliberation;
use crate::plan::{Change, OpenAiModel, Plan, UnknownWindow};
use crate::service::deferred::Deferred;
use crate::service::forms;
use crate::service::human_console::Desk;
use crate::service::models::{ModelSeats, Reuse};
use crate::service::openai::Clients;
use crate::service::seating::Seating;
use crate::service::stopwatch::Stopwatch;
use crate::service::windows;
use crate::session::{ChangedBackend, Halt, Visibility, conduct_deliberation};
use crate::store::calls::{CallRecord, CallRecordError, FormLine};
use crate::store::files::FileError;
use crate::store::followed::{FollowedMinutes, Follower};
use crate::store::minutes::{MinutesError, MinutesFile, MinutesTotals};
use crate::store::needed::{self, NeededError, Trust};
use crate::store::panel::{self, PanelError};
use crate::store::results::{Parent, ResultsFolder, RunFile, RunStatus};
use crate::store::session_file::SessionFile;
use crate::store::tables::{ArmsByName, session_facts};

mod log;

/// What all sessions of a run share.
pub struct Workplace<'w> {
    /// The results folder.
    pub folder: &'w ResultsFolder,
    /// The clients of models; `None` uses recorded answers only.
    pub clients: Option<&'w Clients>,
    /// The files of deferred questions and replies; `None` if the run uses none.
    pub deferred: Option<&'w Arc<Deferred>>,
    /// Where people answer; `None` uses recorded answers only.
    pub desk: Option<&'w Arc<Desk>>,
    /// The runtime for calls and questions to people; `None` if all seats are simulated.
    pub runtime: Option<&'w Handle>,
    /// Set to stop the run.
    pub stop: &'w Arc<AtomicBool>,
    /// The change of a fork; `None` for other sessions.
    pub change: Option<&'w Change>,
    /// Whether minutes are written or only compared.
    pub mode: SessionMode,
    /// Receives records as they are kept.
    pub follower: Option<&'w Follower<'w>>,
    /// The facts of each arm, to fold sessions while they run; `None` to fold none.
    pub arms: Option<&'w ArmsByName<'w>>,
}

/// Whether minutes are written or only compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionMode {
    /// Missing records are written.
    Run,
    /// Nothing is written.
    Replay,
}

/// The outcome of a session.
#[derive(Debug)]
pub struct SessionOutcome {
    /// Its verdict, or why it stopped.
    pub end: Result<Verdict, SessionStop>,
    /// The totals of its minutes; `None` if they could not be opened.
    pub minutes: Option<MinutesTotals>,
    /// Messages about incomplete last lines that were dropped.
    pub torn: Vec<String>,
    /// Calls to models.
    pub calls_made: u64,
    /// Answers from the call record.
    pub calls_served: u64,
    /// Calls in the session's record.
    pub calls_recorded: u64,
    /// Answers by simulated seats.
    pub recomputed: u64,
    /// Its rows, if it completed and was folded while it ran.
    pub folded: Option<Box<FoldedSession>>,
    /// The written `run.json`.
    pub run: Option<Box<RunFile>>,
}

/// Why a session stopped.
#[derive(Debug, thiserror::Error)]
pub enum SessionStop {
    /// Stopped during the deliberation.
    #[error(transparent)]
    Halted(#[from] Halt<MinutesError>),
    /// A model's context window could not be requested or recorded.
    #[error("context windows: {0}")]
    Window(Outage),
    /// Whether a server enforces schemas could not be requested or recorded.
    #[error("answers: auto: {0}")]
    Form(Outage),
    /// Whether a server enforces schemas is unknown, and it may not be asked.
    #[error(
        "models.{0}: answers: auto, and the recorded calls do not tell whether its server enforces schemas; write answers: json_schema or answers: anchored, or run it once without --offline and --defer"
    )]
    UnknownForm(String),
    /// Another model answers than before.
    #[error(transparent)]
    ModelChanged(Outage),
    /// The context windows of these models are unknown.
    #[error("{}", each_unknown(.0))]
    UnknownWindows(Vec<UnknownWindow>),
    /// The call record cannot be used.
    #[error(transparent)]
    Calls(#[from] CallRecordError),
    /// The outcome of the session before is missing, or the notes differ.
    #[error(transparent)]
    Panel(#[from] PanelError),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another session that this one needs is not available.
    #[error(transparent)]
    Needed(#[from] NeededError),
}

impl SessionStop {
    /// The kind of failure as an identifier; `None` if the session did not fail.
    pub fn failure_kind(&self) -> Option<&'static str> {
        match self {
            SessionStop::Halted(Halt::Outage { outage: Outage::ScriptEnded { .. }, .. }) => Some("script_ended"),
            SessionStop::Halted(Halt::Outage { outage: Outage::Unaskable { .. }, .. }) => Some("unaskable"),
            SessionStop::Halted(Halt::Undefined { .. }) => Some("undefined"),
            _ => None,
        }
    }

    /// Whether another run can resume the session.
    pub fn is_resumable(&self) -> bool {
        let lost = matches!(self, SessionStop::Halted(Halt::Outage { outage: Outage::CallLost { .. }, .. }));
        self.failure_kind().is_none() && !self.is_divergence() && !lost
    }

    /// Whether the reproduced session differs from the recorded one.
    pub fn is_divergence(&self) -> bool {
        matches!(
            self,
            SessionStop::Halted(
                Halt::Minutes(
                    MinutesError::Diverged { .. } | MinutesError::Surplus { .. } | MinutesError::Format { .. }
                ) | Halt::Outage { outage: Outage::Diverged { .. }, .. }
                    | Halt::Leak(_)
            ) | SessionStop::Panel(PanelError::OtherNotes(_))
        ) || matches!(self, SessionStop::Needed(error) | SessionStop::Panel(PanelError::Needed(error)) if error.is_divergence())
    }
}

fn each_unknown(unknown: &[UnknownWindow]) -> String {
    let each = unknown.iter().map(|model| format!("models.{}: {model}; {}", model.name, model.way_out()));
    each.collect::<Vec<_>>().join("; ")
}

/// Runs, resumes or replays a session.
pub fn run_or_replay_session(
    workplace: &Workplace<'_>,
    plan: &Arc<Plan>,
    replicate: u32,
    reuse: Reuse,
) -> SessionOutcome {
    let mut outcome = SessionOutcome {
        end: Err(SessionStop::Halted(Halt::Interrupted)),
        minutes: None,
        torn: Vec::new(),
        calls_made: 0,
        calls_served: 0,
        calls_recorded: 0,
        recomputed: 0,
        folded: None,
        run: None,
    };
    // People answer one session at a time.
    let _taken = workplace.desk.filter(|_| plan.people_count() > 0).map(|desk| desk.lock_session());
    outcome.end = conduct_session(workplace, plan, replicate, reuse, &mut outcome);
    log::log_session_end(&plan.session_name(replicate), &outcome.end);
    outcome
}

fn conduct_session(
    workplace: &Workplace<'_>,
    plan: &Arc<Plan>,
    replicate: u32,
    reuse: Reuse,
    outcome: &mut SessionOutcome,
) -> Result<Verdict, SessionStop> {
    let name = plan.session_name(replicate);
    // What must show that a needed session is complete.
    let trust = match workplace.mode {
        SessionMode::Run => Trust::LastRun,
        SessionMode::Replay => Trust::LastRecord,
    };
    let (donor, target, first) = needed::read_needed_inputs(workplace.folder, (plan, replicate), trust)?;
    let arm = workplace.arms.and_then(|arms| arms.get(plan.arm.as_str()));
    let fold = arm.map(|arm| SessionFold::new(session_facts(arm, plan, replicate)));
    let before = panel::read_session_before(workplace.folder, plan, replicate, trust)?;
    let plan = &before.map_or_else(|| Arc::clone(plan), |before| Arc::new(plan.with_previous_outcome(before)));
    let (minutes_file, calls) = (workplace.folder.minutes(&name), workplace.folder.calls(&name));
    let mut minutes = match workplace.mode {
        SessionMode::Run => {
            workplace.folder.make_session(&name)?;
            MinutesFile::open_to_resume(minutes_file.path())
        }
        SessionMode::Replay => MinutesFile::open_to_replay(&minutes_file),
    }
    .map_err(Halt::Minutes)?;
    log::log_session_start(&name, workplace.mode, &minutes);
    outcome.torn.extend(torn_line(minutes_file.path(), &minutes));
    let mut record = match (plan.is_simulated(), workplace.mode) {
        (true, _) => None,
        (false, SessionMode::Run) => Some(CallRecord::open(calls.path())?),
        (false, SessionMode::Replay) => Some(CallRecord::read(&calls)?),
    };
    let (windows, forms) = match &mut record {
        Some((record, _)) => learn_models(workplace, plan, &minutes_file, (record, &reuse))?,
        None => (Vec::new(), Vec::new()),
    };
    let plan = &plan.with_learnt_windows(&windows).with_learnt_forms(&forms);
    let models = record.map(|(record, torn)| {
        outcome.torn.extend(torn.map(|torn| torn.to_string()));
        ModelSeats::new(Arc::clone(plan), replicate, workplace.clients, record, reuse, Arc::clone(workplace.stop))
            .with_desk(workplace.desk.map(Arc::clone))
            .with_deferred(workplace.deferred.map(Arc::clone))
    });
    let (mut deliberation, mut visibility) =
        (Deliberation::convene(plan, replicate).within(windows).phrased(forms), Visibility::new(plan));
    if let Some(donor) = donor {
        visibility = visibility.with_donor(&donor);
        deliberation = deliberation.borrowing(donor);
    }
    deliberation = target.into_iter().fold(deliberation, Deliberation::matched);
    deliberation = first.into_iter().fold(deliberation, Deliberation::beginning);
    let seating = Seating::new(Arc::clone(plan), *deliberation.seed(), models)
        .take_departed_seed(plan.departed_seed(replicate))
        .with_past_flag(minutes.in_past());
    let changed = workplace.change.map(|change| ChangedBackend::new(&seating, change, plan));
    let seated: &dyn crate::ports::Backend = &seating;
    let backend = changed.as_ref().map_or(seated, |changed| changed);
    let follower = workplace.follower.map(|follower| (follower, name.as_str()));
    let mut followed = FollowedMinutes::new(&mut minutes, follower, fold);
    let conducting = conduct_deliberation((&mut deliberation, &mut visibility), backend, &mut followed, workplace.stop);
    let ended = wait_for(workplace, conducting);
    let fold = followed.into_fold();
    let ended = ended.and_then(|verdict| minutes.check_end().map_err(Halt::Minutes).map(|()| verdict));
    (outcome.calls_made, outcome.calls_served, outcome.calls_recorded) = seating.call_counts();
    outcome.recomputed = seating.recomputed_answers();
    let totals = outcome.minutes.insert(minutes.totals());
    let verdict = ended?;
    if plan.takes_notes() {
        let notes = deliberation.notes();
        match workplace.mode {
            SessionMode::Run => panel::write_notes(workplace.folder, &name, &notes)?,
            SessionMode::Replay => panel::compare_notes(workplace.folder, &name, &notes)?,
        }
    }
    let folded = fold.and_then(|fold| fold.finish_completed(totals.digest.clone()).ok());
    outcome.folded = folded.map(Box::new);
    Ok(verdict)
}

fn torn_line(path: &Path, minutes: &MinutesFile) -> Option<String> {
    let bytes = minutes.torn_bytes();
    (bytes > 0).then(|| {
        format!("{}: the torn last line ({bytes} bytes) is left out and its record made again", path.display())
    })
}

/// Blocks on a future, on the runtime if there is one.
fn wait_for<T>(workplace: &Workplace<'_>, under_way: impl Future<Output = T>) -> T {
    match workplace.runtime {
        Some(runtime) => runtime.block_on(under_way),
        None => block_on(under_way),
    }
}

/// Learns context windows and reply forms before a session with models begins.
fn learn_models(
    workplace: &Workplace<'_>,
    plan: &Plan,
    minutes: &SessionFile,
    (record, reuse): (&mut CallRecord, &Reuse),
) -> Result<(Vec<ContextWindow>, Vec<LearntForm>), SessionStop> {
    if let Some(clients) = workplace.clients {
        clients
            .check_model_changes(plan.models_asked().map(|place| &plan.models[place]))
            .map_err(SessionStop::ModelChanged)?;
    }
    if let Some(deferred) = workplace.deferred {
        let models = plan.models_asked().map(|place| plan.models[place].name.as_str());
        deferred.served_models().check_model_changes(models).map_err(SessionStop::ModelChanged)?;
    }
    let windows = windows_of(workplace, plan, minutes, (&mut *record, reuse))?;
    Ok((windows, forms_of(workplace, plan, minutes, (record, reuse))?))
}

/// Why a session stops if it cannot learn about its models.
fn learning_stop(outage: Outage, stop: fn(Outage) -> SessionStop) -> SessionStop {
    if outage == Outage::Interrupted { SessionStop::Halted(Halt::Interrupted) } else { stop(outage) }
}

/// The context windows that the config leaves open, from the call record, the minutes, the parent of a fork, or learnt now and
/// recorded before the first call.
fn windows_of(
    workplace: &Workplace<'_>,
    plan: &Plan,
    minutes: &SessionFile,
    (record, reuse): (&mut CallRecord, &Reuse),
) -> Result<Vec<ContextWindow>, SessionStop> {
    let is_open = plan.models_without_window().next().is_some();
    if !is_open || record.learnt_windows().is_some() {
        return Ok(record.learnt_windows().unwrap_or_default().to_vec());
    }
    if workplace.mode == SessionMode::Replay {
        return Ok(Vec::new());
    }
    let parents = match reuse {
        Reuse::Fork(parent) => parent.learnt_windows(),
        Reuse::Own => None,
    };
    let windows = match (windows::read_minuted_windows(minutes)?, parents) {
        (Some(told), _) => told,
        (None, Some(parents)) => parents.to_vec(),
        (None, None) => {
            let learning = windows::learn_windows(plan, workplace.clients, workplace.stop);
            let learnt = wait_for(workplace, learning).map_err(|outage| learning_stop(outage, SessionStop::Window))?;
            let writes_questions = workplace.deferred.is_some_and(|deferred| deferred.writes_questions());
            if workplace.clients.is_none() && !writes_questions {
                // No server was asked, so the windows are not recorded; a later run may learn others.
                return Ok(learnt);
            }
            let is_learnt = |model: &&OpenAiModel| learnt.iter().any(|window| window.model == model.name);
            let unknown = plan.models_without_window().filter(|model| !is_learnt(model));
            let unknown: Vec<UnknownWindow> = unknown.map(|model| UnknownWindow::for_model(model, None)).collect();
            if !unknown.is_empty() {
                return Err(SessionStop::UnknownWindows(unknown));
            }
            learnt
        }
    };
    record.keep_windows(&windows).map_err(SessionStop::Window)?;
    Ok(windows)
}

/// The reply forms that the config leaves open, from the call record, the minutes, the parent of a fork, the kind of server, or
/// learnt now and recorded before the first call.
fn forms_of(
    workplace: &Workplace<'_>,
    plan: &Plan,
    minutes: &SessionFile,
    (record, reuse): (&mut CallRecord, &Reuse),
) -> Result<Vec<LearntForm>, SessionStop> {
    let mut forms = Vec::new();
    for model in plan.models_without_form() {
        if let Some(form) = record.learnt_form(&model.name) {
            forms.push(form.clone());
            continue;
        }
        if workplace.mode == SessionMode::Replay {
            continue;
        }
        let minuted =
            forms::read_minuted_forms(minutes)?.unwrap_or_default().into_iter().find(|form| form.model == model.name);
        let parents = match reuse {
            Reuse::Fork(parent) => parent.learnt_form(&model.name).cloned(),
            Reuse::Own => None,
        };
        let (learnt, probe) = match minuted.or(parents).or_else(|| forms::of_server(model)) {
            Some(form) => (Ok(form), None),
            None => {
                let clients = workplace.clients.ok_or_else(|| SessionStop::UnknownForm(model.name.clone()))?;
                wait_for(workplace, forms::learn_form(model, clients, workplace.stop))
            }
        };
        if learnt.is_ok() || probe.is_some() {
            let (form, probe) = (learnt.as_ref().ok().cloned(), probe.map(Into::into));
            record.keep_form(FormLine { form, asked: model.name.clone(), probe }).map_err(SessionStop::Form)?;
        }
        forms.push(learnt.map_err(|outage| learning_stop(outage, SessionStop::Form))?);
    }
    Ok(forms)
}

/// The versions of the models' servers: asked now if calls were made, else from the last run.
fn server_versions(
    workplace: &Workplace<'_>,
    plan: &Plan,
    replicate: u32,
    calls_made: u64,
) -> BTreeMap<String, String> {
    if plan.is_simulated() {
        return BTreeMap::new();
    }
    let before = workplace.folder.run_file(&plan.session_name(replicate));
    let mut versions = before.map(|run| run.server_versions).unwrap_or_default();
    if let Some(clients) = workplace.clients.filter(|_| calls_made > 0) {
        for model in plan.models_asked().map(|place| &plan.models[place]) {
            let asking = clients.client_for(model);
            let told = wait_for(workplace, asking.server_version(model.server, workplace.stop));
            versions.extend(told.map(|version| (model.name.clone(), version)));
        }
    }
    versions
}

/// Runs or resumes a session and writes `run.json`.
///
/// # Errors
/// If `run.json` cannot be written.
pub fn run_session(
    workplace: &Workplace<'_>,
    plan: &Arc<Plan>,
    replicate: u32,
    fork: Option<(CallRecord, Parent)>,
) -> Result<SessionOutcome, FileError> {
    let clock = Stopwatch::start();
    let (reuse, parent) = match fork {
        Some((calls, parent)) => (Reuse::Fork(calls), Some(parent)),
        None => (Reuse::Own, None),
    };
    let mut outcome = run_or_replay_session(workplace, plan, replicate, reuse);
    let diverged = outcome.end.as_ref().is_err_and(SessionStop::is_divergence);
    // After a divergence, the earlier `run.json` is kept as evidence.
    if let Some(minutes) = outcome.minutes.as_ref().filter(|_| !diverged) {
        let run = RunFile {
            ekklesia: env!("CARGO_PKG_VERSION").to_owned(),
            status: match &outcome.end {
                Ok(_) => RunStatus::Completed,
                Err(stop) if stop.failure_kind().is_some() => RunStatus::Failed,
                Err(_) => RunStatus::Incomplete,
            },
            stopped: outcome.end.as_ref().err().map(ToString::to_string),
            fault: outcome.end.as_ref().err().and_then(SessionStop::failure_kind).map(str::to_owned),
            started_unix_ms: clock.started_unix_ms,
            wall_ms: clock.elapsed_ms(),
            host: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            plan_digest: plan.digest.clone(),
            minutes_digest: minutes.digest.clone(),
            minutes_bytes: minutes.bytes,
            records: minutes.records,
            calls_made: outcome.calls_made,
            calls_served: outcome.calls_served,
            calls_recorded: outcome.calls_recorded,
            server_versions: server_versions(workplace, plan, replicate, outcome.calls_made),
            parent,
        };
        workplace.folder.write_run_file(&plan.session_name(replicate), &run)?;
        outcome.run = Some(Box::new(run));
    }
    Ok(outcome)
}
