//! `fork`: a session once more with one thing changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use tokio::runtime::Runtime;

use super::arguments::ForkArguments;
use super::course::{CHANGED_MODEL, Course};
use super::exit::{Ending, Refusal};
use super::follow::Screen;
use super::gone::note_sessions;
use super::runtime::build_runtime;
use super::say::{note, say, say_json};
use super::{budget, course, interrupt, locate, pool, run, served, tables, terminal, totals};
use crate::config::Resolved;
use crate::domain::{Digest, Record};
use crate::plan::{Change, Limits, Planned};
use crate::report::visible;
use crate::service::openai::Clients;
use crate::service::sessions::{self, Mode, Stopped, Workplace};
use crate::store::calls::CallRecord;
use crate::store::files::{file_error, write_whole};
use crate::store::fold::first_of_other_format;
use crate::store::followed::{Follower, Kept};
use crate::store::inputs::Inputs;
use crate::store::needed;
use crate::store::results::{Parent, Reached, ResultsFolder};
use crate::store::session_file::SessionFile;

/// What came of a fork.
#[derive(Debug, Serialize)]
struct Forked {
    parent: String,
    fork: PathBuf,
    records: u64,
    first_difference: Option<u64>,
    records_differing: u64,
    calls_made: u64,
    calls_served: u64,
}

/// A fork that can be conducted: everything about it is checked.
struct Branch {
    place: locate::SessionPlace,
    parent: ResultsFolder,
    origin: Parent,
    inputs: Inputs,
    resolved: Resolved,
    session: Planned,
    change: Option<Change>,
}

/// Branches off a session.
///
/// # Errors
/// A [`Refusal`] when the change or the parent is not one to work with, or the fork cannot be written.
pub fn fork(arguments: &ForkArguments) -> Result<Ending, Refusal> {
    let stop = interrupt::watch()?;
    let branch = prepare(arguments)?;
    arguments.follow.refuse_people(&branch.resolved.experiment)?;
    let name = &branch.place.name;
    let root = out_folder(arguments, &branch.place)?;
    let folder = open(&root, &branch)?;
    needed::keep(&branch.parent, &branch.session.plan(), branch.session.replicate, &root).map_err(|error| {
        Refusal::ends(if error.is_divergence() { Ending::Diverged } else { Ending::Failed }, format!("{name}: {error}"))
    })?;
    let (calls, _) = CallRecord::read(branch.parent.calls(name)).map_err(|error| Refusal::failed(error.to_string()))?;
    let experiment = &branch.resolved.experiment;
    let runtime = build_runtime(experiment)?;
    let limits = Limits { usd: arguments.budget_usd, tokens: arguments.budget_tokens };
    let served = served::of_fork(arguments.on_model_change, &calls, &folder, &branch.session);
    let clients = Clients::new().within(budget::of(limits, experiment, &root)?).watching(Arc::new(served));
    let desk = if arguments.offline { None } else { terminal::desk(experiment) };
    let screen = Screen::new(arguments.follow.follow, 1);
    let tell = |session: &str, record: &Record, kept: Kept| screen.take(session, record, kept);
    let workplace = Workplace {
        folder: &folder,
        clients: (!arguments.offline).then_some(&clients),
        deferred: None,
        desk: desk.as_ref(),
        runtime: runtime.as_ref().map(Runtime::handle),
        stop: &stop,
        change: branch.change.as_ref(),
        mode: Mode::Run,
        follower: arguments.follow.follow.map(|_| &tell as &Follower<'_>),
    };
    let (session, sessions) = (&branch.session, slice::from_ref(&branch.session));
    let parent = Mutex::new(Some((calls, branch.origin)));
    let work = |session: &Planned| {
        let parent = parent.lock().unwrap_or_else(PoisonError::into_inner).take();
        sessions::run(&workplace, &session.plan(), session.replicate, parent)
    };
    let mut outcome = None;
    let tell = || clients.news().iter().for_each(|line| note!("ekklesia: {}", visible(line)));
    pool::each(sessions, 1, &stop, work, |_, done| outcome = Some(done), tell);
    tell();
    // After an interrupt nothing is begun; then this says so.
    let outcome = outcome.unwrap_or_else(|| work(session))?;
    outcome.torn.iter().for_each(|torn| note!("ekklesia: {}", visible(torn)));
    if let Err(stopped) = outcome.end {
        return Ok(ended_early(name, stopped, &stop));
    }
    let written = tables::write(&folder, &branch.resolved.experiment, sessions, &root, 1)?;
    let account = budget::account(experiment, &root, sessions.iter().cloned())?;
    totals::write(&folder, sessions, &written, &account)?;
    let compared = compare(&branch.parent.minutes(name), &folder.minutes(name))?;
    let forked = Forked {
        parent: name.clone(),
        fork: folder.session(name),
        records: compared.records,
        first_difference: compared.first,
        records_differing: compared.differing,
        calls_made: outcome.calls_made,
        calls_served: outcome.calls_served,
    };
    match arguments.json {
        true => say_json(&forked)?,
        false => say(&text(&forked))?,
    }
    let soundness = written.unsound.first().map(|(name, why)| format!("{name}: {why}"));
    soundness.map_or(Ok(Ending::Done), |why| Err(Refusal { ending: Ending::Diverged, ..Refusal::wrong(why) }))
}

/// Tells why the fork has not come to its end, and how one goes on.
fn ended_early(name: &str, stopped: Stopped, stop: &AtomicBool) -> Ending {
    note!("ekklesia: {}", visible(&format!("{name}: {stopped}")));
    way_on(&stopped);
    let interrupted = stop.load(Ordering::Relaxed);
    Course { stopped: vec![(name.to_owned(), stopped)], interrupted, ..Course::default() }.ending()
}

/// Tells how one goes on after a stop.
fn way_on(stopped: &Stopped) {
    if course::is_unaffordable(stopped) {
        note!("ekklesia: raise the budget; the same command then resumes");
    } else if course::is_model_change(stopped) {
        note!("ekklesia: {}", CHANGED_MODEL.trim_start_matches("; "));
    } else if stopped.is_resumable() {
        note!("ekklesia: the same command resumes");
    }
}

/// Checks the parent and the change.
fn prepare(arguments: &ForkArguments) -> Result<Branch, Refusal> {
    let place = locate::session(&arguments.session)?;
    let parent = ResultsFolder::read(&place.experiment, Some(&place.name))?;
    if let Some(why) = first_of_other_format(&parent, [place.name.clone()]) {
        let message = format!("{why}: a fork by this version would differ by more than its change; fork with that one");
        return Err(Refusal::ends(Ending::Diverged, message));
    }
    let run = parent.run_file(&place.name).filter(|run| run.status == Reached::Completed).ok_or_else(|| {
        let folder = parent.session(&place.name);
        Refusal::wrong(format!("{} is not completed; `ekklesia run` completes it", folder.display()))
    })?;
    let minutes = read(&parent.minutes(&place.name))?;
    if Digest::of(&minutes) != run.minutes_digest {
        let message =
            format!("{}: its minutes changed since they were written; `ekklesia replay` names the record", place.name);
        return Err(Refusal { ending: Ending::Diverged, ..Refusal::wrong(message) });
    }
    let before = Inputs::read_results(&place.experiment)?;
    if before.change().is_some() {
        return Err(Refusal::wrong(format!("{} is itself a fork; fork its parent", place.name)));
    }
    let experiment = before.resolve()?.experiment;
    note_sessions(&parent, &before, &experiment)?;
    let planned = Planned::find(&experiment, &place.name);
    let Some(planned) = planned.filter(|planned| planned.plan().digest == run.plan_digest) else {
        let message = format!(
            "{}: this version of ekklesia ({}) reads its plan otherwise than version {}, which conducted it",
            place.name,
            env!("CARGO_PKG_VERSION"),
            run.ekklesia
        );
        return Err(Refusal::wrong(message));
    };
    let plan = planned.plan();
    if let Some(model) = plan.models_asked().map(|model| &plan.models[model]).find(|model| model.is_stateful) {
        let message = format!(
            "{}: models.{} is stateful, and its memory cannot be taken back to where the fork begins; fork sessions of models without \
             a memory of their own",
            place.name, model.name
        );
        return Err(Refusal::wrong(message));
    }
    let inputs = before.with_change(&arguments.change)?;
    let mut problems = inputs.mistakes_of_change(&planned.plan());
    let resolved = inputs.resolve().map_err(|others| problems.extend(others)).ok();
    let Some(resolved) = resolved.filter(|_| problems.is_empty()) else { return Err(problems.into()) };
    let session = Planned::find(&resolved.experiment, &place.name)
        .ok_or_else(|| Refusal::wrong(format!("{}: not a session of its plan", place.name)))?;
    let change = match inputs.written_change()? {
        Some(written) => written.lower(&session.plan())?,
        None => None,
    };
    if let Some(change) = &change
        && !was_asked(&minutes, change)
    {
        let Change { seat, phase, round, step, .. } = change;
        let message = format!("{}: {seat} was not asked for a {} in {phase}, round {round}", place.name, step.as_str());
        return Err(Refusal::wrong(message));
    }
    let origin = Parent { session: place.name.clone(), minutes_digest: run.minutes_digest };
    Ok(Branch { place, parent, origin, inputs, resolved, session, change })
}

/// Opens the fork's folder, which holds this fork and nothing else.
fn open(root: &Path, branch: &Branch) -> Result<ResultsFolder, Refusal> {
    let before = ResultsFolder::read(root, None)?;
    let there = before.session_names()?;
    let other_session = there.iter().any(|name| *name != branch.place.name);
    let other_fork = match Inputs::are_kept(root) {
        true => {
            let kept = Inputs::read_results(root)?;
            let parent = before.run_file(&branch.place.name).and_then(|run| run.parent);
            kept.change() != branch.inputs.change()
                || kept.resolve()?.identities != branch.resolved.identities
                || parent.is_some_and(|parent| parent != branch.origin)
        }
        false => false,
    };
    if other_session || other_fork {
        return Err(Refusal::wrong(format!("{} holds something else; give --out another folder", root.display())));
    }
    run::refuse_strangers(root)?;
    let folder = ResultsFolder::open(root)?;
    branch.inputs.write(root)?;
    write_whole(&root.join("plan.yaml"), branch.resolved.plan_yaml.as_bytes())?;
    Ok(folder)
}

/// The fork's folder: named after the parent's and the change, so that the same fork goes to the same place.
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

/// Whether the parent put the question that a change is about; its minutes are known to be sound.
fn was_asked(minutes: &[u8], change: &Change) -> bool {
    let lines = minutes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.filter_map(|line| serde_json::from_slice::<Record>(line).ok()).any(|record| {
        let at = &record.at;
        let same = at.phase == change.phase && at.round == change.round && at.step == change.step;
        same && record.seat.as_ref() == Some(&change.seat)
    })
}

fn read(minutes: &SessionFile) -> Result<Bytes, Refusal> {
    Ok(minutes.read_whole().map_err(|error| file_error(minutes.path(), &error))?)
}

struct Compared {
    records: u64,
    first: Option<u64>,
    differing: u64,
}

/// Compares two minutes record by record.
fn compare(parent: &SessionFile, fork: &SessionFile) -> Result<Compared, Refusal> {
    let (parent, fork) = (read(parent)?, read(fork)?);
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> { bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
    let (parent, fork) = (lines(&parent), lines(&fork));
    let differs = |place: usize| parent.get(place) != fork.get(place);
    // The last piece is what follows the last line end: nothing.
    let places = 0..parent.len().max(fork.len()) - 1;
    Ok(Compared {
        records: fork.len() as u64 - 1,
        first: places.clone().find(|place| differs(*place)).map(|place| place as u64),
        differing: places.filter(|place| differs(*place)).count() as u64,
    })
}

fn text(forked: &Forked) -> String {
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
