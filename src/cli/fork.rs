//! `fork`: runs a session again with one change.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Runtime;

use self::fork_report::ForkReport;
use super::arguments::ForkArguments;
use super::exit::{Ending, Refusal, refuse_needed};
use super::follow::FollowScreen;
use super::missing_sessions::note_sessions;
use super::output::{note, print_result, print_warning};
use super::run_outcome::{CHANGED_MODEL, RunOutcome};
use super::runtime::build_runtime;
use super::tables::GrowingTables;
use super::{
    budget, context, experiment_file, interrupt, locate, pool, run, run_outcome, scheduler, served_models, terminal,
};
use crate::config::{ResolvedExperiment, WrittenChange};
use crate::domain::{Before, Digest, Record, Step};
use crate::plan::{Change, ChangedAnswer, ForkPoint, Limits, OpenAiModel, Plan, PlannedSession};
use crate::prompt::UnfitAnswer;
use crate::service::openai::Clients;
use crate::service::sessions::{self, SessionMode, SessionOutcome, SessionStop, Workplace};
use crate::service::{forms, windows};
use crate::session::{check_fields, find_steps_asked};
use crate::store::calls::CallRecord;
use crate::store::files::{file_error, write_whole};
use crate::store::fold::first_of_other_format;
use crate::store::followed::{Follower, RecordAge};
use crate::store::inputs::{ForkedSession, Inputs};
use crate::store::needed;
use crate::store::results::{Parent, ResultsFolder, RunStatus};

mod fork_report;

/// A checked fork, ready to run.
struct ForkedBranch {
    place: locate::SessionPlace,
    parent: ResultsFolder,
    origin: Parent,
    /// The replicate of the parent.
    replicate: u32,
    inputs: Inputs,
    resolved: ResolvedExperiment,
    /// At least one.
    sessions: Vec<PlannedSession>,
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
    let root = out_folder(arguments, &branch)?;
    let folder = open_fork_folder(&root, &branch)?;
    let plan = branch.sessions[0].plan();
    needed::copy_needed_minutes(&branch.parent, &plan, branch.replicate, &root)
        .map_err(|error| refuse_needed(name, &error))?;
    let read_calls = || CallRecord::read(branch.parent.calls(name));
    let (calls, _) = read_calls()?;
    let (experiment, sessions) = (&branch.resolved.experiment, &branch.sessions);
    let runtime = build_runtime(experiment)?;
    let limits = Limits { usd: arguments.budget_usd, tokens: arguments.budget_tokens };
    let served = served_models::read_served_in_fork(arguments.on_model_change, &calls, &folder, sessions);
    let clients = Clients::new()
        .with_budget(budget::build_budget(limits, experiment, &root)?)
        .with_served_models(Arc::new(served));
    let desk = if arguments.offline { None } else { terminal::open_desk(experiment) };
    let screen = FollowScreen::new(experiment, arguments.follow.follow, sessions.len());
    let show = |session: &str, record: &Record, kept: RecordAge| screen.show_record(session, record, kept);
    let workplace = Workplace {
        folder: &folder,
        clients: (!arguments.offline).then_some(&clients),
        deferred: None,
        desk: desk.as_ref(),
        runtime: runtime.as_ref().map(Runtime::handle),
        stop: &stop,
        change: branch.change.as_ref(),
        mode: SessionMode::Run,
        follower: arguments.follow.follow.map(|_| &show as &Follower<'_>),
        arms: None,
    };
    let work = |session: &PlannedSession| -> Result<SessionOutcome, Refusal> {
        // It was readable before.
        let parent = Some((read_calls()?.0, branch.origin.clone()));
        Ok(sessions::run_session(&workplace, &session.plan(), session.replicate, parent)?)
    };
    let jobs = arguments.jobs.map_or_else(|| scheduler::jobs_for(experiment), usize::from);
    let mut outcomes: Vec<Option<Result<SessionOutcome, Refusal>>> = sessions.iter().map(|_| None).collect();
    let tell = || clients.take_news().iter().for_each(|line| print_warning(line));
    pool::process_items(sessions, jobs, &stop, work, |place, done| outcomes[place] = Some(done), tell);
    tell();
    let mut done = RunOutcome::default();
    let (mut calls_made, mut calls_served) = (0, 0);
    for (session, outcome) in sessions.iter().zip(outcomes) {
        // After an early interrupt a session was not begun; this call reports it.
        let outcome = outcome.unwrap_or_else(|| work(session))?;
        outcome.torn.iter().for_each(|torn| print_warning(torn));
        calls_made += outcome.calls_made;
        calls_served += outcome.calls_served;
        done.stopped.extend(outcome.end.err().map(|stopped| (session.name(), stopped)));
    }
    if !done.stopped.is_empty() {
        return Ok(ended_early(done, &stop));
    }
    let written = GrowingTables::begin((&folder, experiment), sessions, &root)?.finish(jobs)?;
    let account = budget::read_account(experiment, &root, sessions.iter().cloned())?;
    experiment_file::write_experiment_file(&folder, sessions, &written, &account)?;
    let report = ForkReport::compare(&branch, &folder, (calls_made, calls_served))?;
    print_result(arguments.json.then(|| report.to_json()), || report.to_string())?;
    match written.unsound.first() {
        Some((name, why)) => Err(Refusal::with_ending(Ending::Diverged, format!("{name}: {why}"))),
        None => Ok(Ending::Done),
    }
}

/// Prints why sessions of the fork stopped and how to resume it.
fn ended_early(done: RunOutcome, stop: &AtomicBool) -> Ending {
    for (name, stopped) in &done.stopped {
        print_warning(&format!("{name}: {stopped}"));
    }
    done.stopped.iter().take(1).for_each(|(_, stopped)| way_on(stopped));
    RunOutcome { interrupted: stop.load(Ordering::Relaxed), ..done }.ending()
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

fn prepare_branch(arguments: &ForkArguments) -> Result<ForkedBranch, Refusal> {
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
    if Digest::of(&parent.minutes(&place.name).load()?) != run.minutes_digest {
        let message =
            format!("{}: its minutes changed since they were written; `ekklesia replay` names the record", place.name);
        return Err(Refusal::with_ending(Ending::Diverged, message));
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
    let replicates = arguments.replicates.filter(|replicates| *replicates > 1);
    let forked = replicates.map(|replicates| ForkedSession { name: place.name.clone(), replicates });
    let inputs = before.with_change(&arguments.change)?.with_fork_of(forked);
    let mut problems = inputs.mistakes_of_change(&plan);
    let resolved = inputs.resolve().map_err(|others| problems.extend(others)).ok();
    let Some(resolved) = resolved.filter(|_| problems.is_empty()) else { return Err(problems.into()) };
    inputs.check_later_settings(&planned.arm)?;
    let sessions = match inputs.fork_of() {
        Some(_) => PlannedSession::replicates_of(&resolved.experiment, &place.name),
        None => PlannedSession::find_by_name(&resolved.experiment, &place.name).into_iter().collect(),
    };
    let first =
        sessions.first().ok_or_else(|| Refusal::wrong_input(format!("{}: not a session of its plan", place.name)))?;
    check_later_models(&first.plan(), &place.name)?;
    let change = match inputs.written_change()? {
        Some(written) => {
            let change = written.lower_change(&first.plan())?;
            if let Some(change) = &change {
                check_change_in_parent((&parent, &planned), &written, change)?;
            } else if let Some(point) = written.fork_point() {
                check_point_in_parent((&parent, &planned), &written, &point)?;
            }
            change
        }
        None => None,
    };
    let origin = Parent { session: place.name.clone(), minutes_digest: run.minutes_digest };
    Ok(ForkedBranch { place, parent, origin, replicate: planned.replicate, inputs, resolved, sessions, change })
}

/// Checks that the models that answer from the point of a fork on need nothing that a session learns before it begins.
fn check_later_models(plan: &Arc<Plan>, name: &str) -> Result<(), Refusal> {
    let Some((after, _)) = plan.plan_after() else { return Ok(()) };
    let learnt = |model: &OpenAiModel, others: &[&OpenAiModel]| others.iter().any(|other| other.name == model.name);
    let (windows, forms) =
        (plan.models_without_window().collect::<Vec<_>>(), plan.models_without_form().collect::<Vec<_>>());
    let window = after.models_without_window().find(|model| !learnt(model, &windows));
    let form = after.models_without_form().find(|model| !learnt(model, &forms));
    let stateful = after.models_asked().map(|place| &after.models[place]).find(|model| model.is_stateful);
    let lacking = [
        (window, "context_window is learnt before a session begins; write it in the change"),
        (form, "answers: auto is settled before a session begins; write answers: json_schema or answers: anchored"),
        (stateful, "is stateful and has no memory of what the session was before"),
    ];
    match lacking.into_iter().find_map(|(model, why)| Some((model?, why))) {
        Some((model, why)) => Err(Refusal::wrong_input(format!("{name}: models.{}: {why}", model.name))),
        None => Ok(()),
    }
}

/// Checks that the parent came to the point from which a change sets keys.
fn check_point_in_parent(
    (parent, planned): (&ResultsFolder, &PlannedSession),
    written: &WrittenChange,
    point: &ForkPoint,
) -> Result<(), Refusal> {
    let records = context::read_records(parent, &planned.name())?;
    let in_phase = || records.iter().filter(|record| record.at.phase.occurrence() == point.phase.occurrence());
    let is_asked = |record: &Record| point.seat.is_none() || record.seat == point.seat;
    if in_phase().any(|record| is_asked(record) && point.is_at(&record.at)) {
        return Ok(());
    }
    let (name, phase) = (planned.name(), point.phase.occurrence());
    let last = in_phase().map(|record| record.at.round).max();
    Err(match (&point.seat, last) {
        (_, None) => written.point_problem("phase", format!("{name} did not come to {phase}")),
        (Some(seat), Some(_)) => {
            let step = point.step.map_or(String::new(), |step| format!(" for {}", step.as_str()));
            written
                .point_problem("seat", format!("{name}: {seat} was not asked{step} in {phase}, round {}", point.round))
        }
        (None, Some(last)) => written.point_problem("round", format!("{name} ended {phase} in round {last}")),
    }
    .into())
}

/// Opens the fork's folder. Refuses a folder that holds anything else.
fn open_fork_folder(root: &Path, branch: &ForkedBranch) -> Result<ResultsFolder, Refusal> {
    let before = ResultsFolder::open_for_reading(root, None)?;
    let there = before.session_names()?;
    let own: Vec<String> = branch.sessions.iter().map(PlannedSession::name).collect();
    let other_session = there.iter().any(|name| !own.contains(name));
    let other_fork = match Inputs::are_kept(root) {
        true => {
            let kept = Inputs::read_results(root)?;
            let parents = || own.iter().filter_map(|name| before.run_file(name)).filter_map(|run| run.parent);
            kept.change_bytes() != branch.inputs.change_bytes()
                || kept.resolve()?.identities != branch.resolved.identities
                // A single fork has the replicate of its parent; the first one of several has replicate 1.
                || branch.replicate > 1 && kept.fork_of().is_some() != branch.inputs.fork_of().is_some()
                || parents().any(|parent| parent != branch.origin)
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
fn out_folder(arguments: &ForkArguments, branch: &ForkedBranch) -> Result<PathBuf, Refusal> {
    let place = &branch.place;
    if let Some(out) = &arguments.out {
        return Ok(out.clone());
    }
    let change = fs::read(&arguments.change).map_err(|error| file_error(&arguments.change, &error))?;
    let mut named = place.name.clone().into_bytes();
    named.push(b'\n');
    named.extend(change);
    if branch.replicate > 1 && branch.inputs.fork_of().is_some() {
        named.extend(b"\nreplicates");
    }
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
    let begun = context::convene_deliberation(parent, &plan, planned.replicate)
        .map_err(|error| refuse_needed(&name, &error))?
        .within(windows)
        .phrased(forms);
    let read = check_fields(begun, &records, change, fields)
        .map_err(|misfit| Refusal::with_ending(Ending::Diverged, format!("{name}: {misfit}")))?;
    read.map_err(|UnfitAnswer { field, reason, asked }| {
        let problem = written.answer_problem(field.as_deref(), reason);
        problem.with_hint(Some(format!("this question asks for {asked}"))).into()
    })
}
