//! `fork`: runs a session again with one change.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use tokio::runtime::Runtime;

use super::arguments::ForkArguments;
use super::exit::{Ending, Refusal};
use super::follow::FollowScreen;
use super::missing_sessions::note_sessions;
use super::output::{note, print_json, print_text};
use super::run_outcome::{CHANGED_MODEL, RunOutcome};
use super::runtime::build_runtime;
use super::{
    budget, context, experiment_file, interrupt, locate, pool, run, run_outcome, served_models, tables, terminal,
};
use crate::config::{ResolvedExperiment, WrittenChange};
use crate::domain::{Before, Digest, Record, Step};
use crate::plan::{Change, ChangedAnswer, Limits, PlannedSession};
use crate::prompt::UnfitAnswer;
use crate::report::escape_unseen;
use crate::service::openai::Clients;
use crate::service::sessions::{self, SessionMode, SessionStop, Workplace};
use crate::service::{forms, windows};
use crate::session::{check_fields, find_steps_asked};
use crate::store::calls::CallRecord;
use crate::store::files::{file_error, write_whole};
use crate::store::fold::first_of_other_format;
use crate::store::followed::{Follower, RecordAge};
use crate::store::inputs::Inputs;
use crate::store::needed;
use crate::store::results::{Parent, ResultsFolder, RunStatus};
use crate::store::session_file::SessionFile;

/// The result of a fork, as JSON.
#[derive(Debug, Serialize)]
struct ForkReport {
    parent: String,
    fork: PathBuf,
    records: u64,
    first_difference: Option<u64>,
    records_differing: u64,
    calls_made: u64,
    calls_served: u64,
}

/// A checked fork, ready to run.
struct Branch {
    place: locate::SessionPlace,
    parent: ResultsFolder,
    origin: Parent,
    inputs: Inputs,
    resolved: ResolvedExperiment,
    session: PlannedSession,
    change: Option<Change>,
}

/// Forks a session.
///
/// # Errors
/// A [`Refusal`] when the change or the parent is unusable, or the fork cannot be written.
pub fn run_fork(arguments: &ForkArguments) -> Result<Ending, Refusal> {
    let stop = interrupt::watch_ctrl_c()?;
    let branch = prepare_branch(arguments)?;
    arguments.follow.refuse_people(&branch.resolved.experiment)?;
    let name = &branch.place.name;
    let root = out_folder(arguments, &branch.place)?;
    let folder = open_fork_folder(&root, &branch)?;
    needed::copy_needed_minutes(&branch.parent, &branch.session.plan(), branch.session.replicate, &root).map_err(
        |error| {
            Refusal::with_ending(
                if error.is_divergence() { Ending::Diverged } else { Ending::Failed },
                format!("{name}: {error}"),
            )
        },
    )?;
    let (calls, _) =
        CallRecord::read(branch.parent.calls(name)).map_err(|error| Refusal::machine_failure(error.to_string()))?;
    let experiment = &branch.resolved.experiment;
    let runtime = build_runtime(experiment)?;
    let limits = Limits { usd: arguments.budget_usd, tokens: arguments.budget_tokens };
    let served = served_models::read_served_in_fork(arguments.on_model_change, &calls, &folder, &branch.session);
    let clients = Clients::new()
        .with_budget(budget::build_budget(limits, experiment, &root)?)
        .with_served_models(Arc::new(served));
    let desk = if arguments.offline { None } else { terminal::open_desk(experiment) };
    let screen = FollowScreen::new(experiment, arguments.follow.follow, 1);
    let tell = |session: &str, record: &Record, kept: RecordAge| screen.show_record(session, record, kept);
    let workplace = Workplace {
        folder: &folder,
        clients: (!arguments.offline).then_some(&clients),
        deferred: None,
        desk: desk.as_ref(),
        runtime: runtime.as_ref().map(Runtime::handle),
        stop: &stop,
        change: branch.change.as_ref(),
        mode: SessionMode::Run,
        follower: arguments.follow.follow.map(|_| &tell as &Follower<'_>),
    };
    let (session, sessions) = (&branch.session, slice::from_ref(&branch.session));
    let parent = Mutex::new(Some((calls, branch.origin)));
    let work = |session: &PlannedSession| {
        let parent = parent.lock().unwrap_or_else(PoisonError::into_inner).take();
        sessions::run_session(&workplace, &session.plan(), session.replicate, parent)
    };
    let mut outcome = None;
    let tell = || clients.take_news().iter().for_each(|line| note!("ekklesia: {}", escape_unseen(line)));
    pool::process_items(sessions, 1, &stop, work, |_, done| outcome = Some(done), tell);
    tell();
    // After an early interrupt no session was begun; this call reports it.
    let outcome = outcome.unwrap_or_else(|| work(session))?;
    outcome.torn.iter().for_each(|torn| note!("ekklesia: {}", escape_unseen(torn)));
    if let Err(stopped) = outcome.end {
        return Ok(ended_early(name, stopped, &stop));
    }
    let written = tables::write_tables(&folder, &branch.resolved.experiment, sessions, &root, 1)?;
    let account = budget::read_account(experiment, &root, sessions.iter().cloned())?;
    experiment_file::write_experiment_file(&folder, sessions, &written, &account)?;
    let compared = compare_minutes(&branch.parent.minutes(name), &folder.minutes(name))?;
    let forked = ForkReport {
        parent: name.clone(),
        fork: folder.session_folder(name),
        records: compared.records,
        first_difference: compared.first,
        records_differing: compared.differing,
        calls_made: outcome.calls_made,
        calls_served: outcome.calls_served,
    };
    match arguments.json {
        true => print_json(&forked)?,
        false => print_text(&render_report(&forked))?,
    }
    let soundness = written.unsound.first().map(|(name, why)| format!("{name}: {why}"));
    soundness.map_or(Ok(Ending::Done), |why| Err(Refusal { ending: Ending::Diverged, ..Refusal::wrong_input(why) }))
}

/// Prints why the fork stopped and how to resume it.
fn ended_early(name: &str, stopped: SessionStop, stop: &AtomicBool) -> Ending {
    note!("ekklesia: {}", escape_unseen(&format!("{name}: {stopped}")));
    way_on(&stopped);
    let interrupted = stop.load(Ordering::Relaxed);
    RunOutcome { stopped: vec![(name.to_owned(), stopped)], interrupted, ..RunOutcome::default() }.ending()
}

fn way_on(stopped: &SessionStop) {
    if run_outcome::is_unaffordable(stopped) {
        note!("ekklesia: raise the budget; the same command then resumes");
    } else if run_outcome::is_model_change(stopped) {
        note!("ekklesia: {}", CHANGED_MODEL.trim_start_matches("; "));
    } else if stopped.is_resumable() {
        note!("ekklesia: the same command resumes");
    }
}

fn prepare_branch(arguments: &ForkArguments) -> Result<Branch, Refusal> {
    let place = locate::find_session(&arguments.session)?;
    let parent = ResultsFolder::open_for_reading(&place.experiment, Some(&place.name))?;
    if let Some(why) = first_of_other_format(&parent, [place.name.clone()]) {
        let message = format!("{why}: a fork by this version would differ by more than its change; fork with that one");
        return Err(Refusal::with_ending(Ending::Diverged, message));
    }
    let run = parent.run_file(&place.name).filter(|run| run.status == RunStatus::Completed).ok_or_else(|| {
        let folder = parent.session_folder(&place.name);
        Refusal::wrong_input(format!("{} is not completed; `ekklesia run` completes it", folder.display()))
    })?;
    let minutes = read_minutes(&parent.minutes(&place.name))?;
    if Digest::of(&minutes) != run.minutes_digest {
        let message =
            format!("{}: its minutes changed since they were written; `ekklesia replay` names the record", place.name);
        return Err(Refusal { ending: Ending::Diverged, ..Refusal::wrong_input(message) });
    }
    let before = Inputs::read_results(&place.experiment)?;
    if before.change_bytes().is_some() {
        return Err(Refusal::wrong_input(format!("{} is itself a fork; fork its parent", place.name)));
    }
    let experiment = before.resolve()?.experiment;
    note_sessions(&parent, &before, &experiment)?;
    let planned = PlannedSession::find_by_name(&experiment, &place.name);
    let Some(planned) = planned.filter(|planned| planned.plan().digest == run.plan_digest) else {
        let message = format!(
            "{}: this version of ekklesia ({}) reads its plan otherwise than version {}, which conducted it",
            place.name,
            env!("CARGO_PKG_VERSION"),
            run.ekklesia
        );
        return Err(Refusal::wrong_input(message));
    };
    let plan = planned.plan();
    if let Some(model) = plan.models_asked().map(|model| &plan.models[model]).find(|model| model.is_stateful) {
        let message = format!(
            "{}: models.{} is stateful, and its memory cannot be taken back to where the fork begins; fork sessions of models without \
             a memory of their own",
            place.name, model.name
        );
        return Err(Refusal::wrong_input(message));
    }
    let inputs = before.with_change(&arguments.change)?;
    let mut problems = inputs.mistakes_of_change(&planned.plan());
    let resolved = inputs.resolve().map_err(|others| problems.extend(others)).ok();
    let Some(resolved) = resolved.filter(|_| problems.is_empty()) else { return Err(problems.into()) };
    let session = PlannedSession::find_by_name(&resolved.experiment, &place.name)
        .ok_or_else(|| Refusal::wrong_input(format!("{}: not a session of its plan", place.name)))?;
    let change = match inputs.written_change()? {
        Some(written) => {
            let change = written.lower_change(&session.plan())?;
            if let Some(change) = &change {
                check_change_in_parent((&parent, &planned), &written, change)?;
            }
            change
        }
        None => None,
    };
    let origin = Parent { session: place.name.clone(), minutes_digest: run.minutes_digest };
    Ok(Branch { place, parent, origin, inputs, resolved, session, change })
}

/// Opens the fork's folder. Refuses a folder that holds anything else.
fn open_fork_folder(root: &Path, branch: &Branch) -> Result<ResultsFolder, Refusal> {
    let before = ResultsFolder::open_for_reading(root, None)?;
    let there = before.session_names()?;
    let other_session = there.iter().any(|name| *name != branch.place.name);
    let other_fork = match Inputs::are_kept(root) {
        true => {
            let kept = Inputs::read_results(root)?;
            let parent = before.run_file(&branch.place.name).and_then(|run| run.parent);
            kept.change_bytes() != branch.inputs.change_bytes()
                || kept.resolve()?.identities != branch.resolved.identities
                || parent.is_some_and(|parent| parent != branch.origin)
        }
        false => false,
    };
    if other_session || other_fork {
        return Err(Refusal::wrong_input(format!(
            "{} holds something else; give --out another folder",
            root.display()
        )));
    }
    run::refuse_strangers(root)?;
    let folder = ResultsFolder::open_for_writing(root)?;
    branch.inputs.write(root)?;
    write_whole(&root.join("plan.yaml"), branch.resolved.plan_yaml.as_bytes())?;
    Ok(folder)
}

/// The fork's folder. Its default name derives from the parent and the change, so equal forks share a folder.
fn out_folder(arguments: &ForkArguments, place: &locate::SessionPlace) -> Result<PathBuf, Refusal> {
    if let Some(out) = &arguments.out {
        return Ok(out.clone());
    }
    let change = fs::read(&arguments.change).map_err(|error| file_error(&arguments.change, &error))?;
    let mut named = place.name.clone().into_bytes();
    named.push(b'\n');
    named.extend(change);
    let digest = Digest::of(&named);
    let experiment = fs::canonicalize(&place.experiment).map_err(|error| file_error(&place.experiment, &error))?;
    let name = experiment.file_name().map_or_else(|| "experiment".into(), |name| name.to_string_lossy().into_owned());
    let parent = place.experiment.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok(parent.unwrap_or(Path::new(".")).join(format!("{name}-fork-{}", &digest.as_str()[3..11])))
}

/// Checks that the parent asked the question that the change answers, and that it may be answered like that.
fn check_change_in_parent(
    (parent, planned): (&ResultsFolder, &PlannedSession),
    written: &WrittenChange,
    change: &Change,
) -> Result<(), Refusal> {
    let name = planned.name();
    let records = context::read_records(parent, &name)?;
    let steps = find_steps_asked(&records, change);
    if !steps.contains(&change.step) {
        let steps: Vec<&str> = steps.into_iter().map(Step::as_str).collect();
        let instead =
            if steps.is_empty() { String::new() } else { format!("; it was asked there for {}", steps.join(", ")) };
        let Change { seat, phase, round, step, .. } = change;
        let message = format!("{name}: {seat} was not asked for {} in {phase}, round {round}{instead}", step.as_str());
        return Err(Refusal::wrong_input(message));
    }
    let ChangedAnswer::Fields(fields) = &change.answer else { return Ok(()) };
    let minutes = parent.minutes(&name);
    let windows = windows::read_minuted_windows(&minutes)?.unwrap_or_default();
    let forms = forms::read_minuted_forms(&minutes)?.unwrap_or_default();
    let plan = planned.plan().with_learnt_windows(&windows).with_learnt_forms(&forms);
    let plan = match Before::of(&records) {
        Some(before) => Arc::new(plan.with_previous_outcome(before)),
        None => plan,
    };
    let begun = context::convene_deliberation(parent, &plan, planned.replicate)?.within(windows).phrased(forms);
    let read = check_fields(begun, &records, change, fields)
        .map_err(|misfit| Refusal::with_ending(Ending::Diverged, format!("{name}: {misfit}")))?;
    read.map_err(|UnfitAnswer { field, reason, asked }| {
        let problem = written.answer_problem(field.as_deref(), reason);
        problem.with_hint(Some(format!("this question asks for {asked}"))).into()
    })
}

fn read_minutes(minutes: &SessionFile) -> Result<Bytes, Refusal> {
    Ok(minutes.read_whole().map_err(|error| file_error(minutes.path(), &error))?)
}

struct MinutesComparison {
    records: u64,
    first: Option<u64>,
    differing: u64,
}

fn compare_minutes(parent: &SessionFile, fork: &SessionFile) -> Result<MinutesComparison, Refusal> {
    let (parent, fork) = (read_minutes(parent)?, read_minutes(fork)?);
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> { bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
    let (parent, fork) = (lines(&parent), lines(&fork));
    let differs = |place: usize| parent.get(place) != fork.get(place);
    // The last piece follows the last newline and is empty.
    let places = 0..parent.len().max(fork.len()) - 1;
    Ok(MinutesComparison {
        records: fork.len() as u64 - 1,
        first: places.clone().find(|place| differs(*place)).map(|place| place as u64),
        differing: places.filter(|place| differs(*place)).count() as u64,
    })
}

fn render_report(forked: &ForkReport) -> String {
    let records = forked.records;
    let difference = match forked.first_difference {
        None => format!("{records} records, all of them the parent's: the change changes nothing"),
        Some(first) => format!(
            "{records} records; the first that differs from the parent is record {first}, {} differ in all",
            forked.records_differing
        ),
    };
    format!(
        "{difference}\n{} calls made, {} answers from the record\nread  ekklesia show {}",
        forked.calls_made,
        forked.calls_served,
        forked.fork.display()
    )
}
