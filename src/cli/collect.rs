//! `collect`: merges the shards of an experiment into one results folder.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::arguments::CollectArguments;
use super::exit::{Ending, Refusal};
use super::output::{print_json, print_text, print_warning};
use super::pack::{PackLayout, Storage, unpack_elsewhere};
use super::shard::{refuse_moved_session, shard_counts};
use super::tables::GrowingTables;
use super::{compare, output_style, run, scheduler};
use crate::config::ResolvedExperiment;
use crate::domain::Digest;
use crate::plan::{Experiment, PlannedSession, REPLICATES, Shard, find_differences, first_difference};
use crate::report::{counted, render};
use crate::service::stopwatch::Stopwatch;
use crate::store::files::{FileError, file_error, read_whole, write_whole};
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::places::SessionPart;
use crate::store::results::{ResultsFolder, RunStatus};
use crate::store::session_file::SessionFile;
use crate::store::{failed_attempts, packs};

/// The most unsound sessions to list.
const SHOWN: usize = 10;

struct ShardFolder {
    folder: ResultsFolder,
    inputs: Inputs,
    resolved: ResolvedExperiment,
    frozen: FrozenDesign,
    shard: Shard,
}

/// Collects the shards of an experiment.
///
/// # Errors
/// A [`Refusal`] when the plans differ, two shards hold different minutes of one session, or the folder cannot be written.
pub fn run_collect(arguments: &CollectArguments) -> Result<Ending, Refusal> {
    let clock = Stopwatch::start();
    let shards = arguments.shards.iter().filter_map(|root| read_shard_folder(root).transpose());
    let mut shards: Vec<ShardFolder> = shards.collect::<Result<_, _>>()?;
    // Keep the inputs of the shard with the most replicates: the others may not have been extended yet.
    shards.sort_by_key(|one| (Reverse(one.resolved.experiment.replicates), one.shard.number));
    let Some(first) = shards.first() else {
        return Err(Refusal::with_ending(Ending::Resumable, "none of these shards holds anything yet; run them again"));
    };
    shards[1..].iter().try_for_each(|other| refuse_other_plan(first, other))?;
    let experiment = &first.resolved.experiment;
    let sessions: Vec<PlannedSession> = PlannedSession::for_experiment(experiment).collect();
    let root = arguments.out.clone().unwrap_or_else(|| Path::new("results").join(&experiment.name));
    run::refuse_strangers(&root)?;
    if let Some(shard) = FrozenDesign::read(&root).and_then(|frozen| frozen.shard) {
        let message = format!("{} holds shard {shard}; give --out another folder", root.display());
        return Err(Refusal::wrong_input(message));
    }
    let found = find_sessions(&shards, experiment, &sessions)?;
    let is_new = !Inputs::are_kept(&root);
    let folder = ResultsFolder::open_for_writing(&root)?;
    run::prepare_folder(&folder, &first.inputs, &first.resolved, None)?;
    if is_new {
        FrozenDesign::of_shards(shards.iter().map(|shard| &shard.frozen)).write_to(&root)?;
    }
    let is_packed = arguments.pack || shards.iter().any(|shard| shard.folder.is_packed());
    copy_sessions((&folder, experiment), (&sessions, found), is_packed.then_some(Storage::Packed))?;
    let jobs = scheduler::jobs_for(experiment);
    let tables = GrowingTables::begin((&folder, experiment), &sessions, &root)?;
    let written = run::write_results((&folder, experiment), &sessions, tables, jobs)?;
    for (name, error) in written.unsound.iter().take(SHOWN) {
        print_warning(&format!("{name}: {error}"));
    }
    if arguments.json {
        print_json(&run::in_folder(&root, &written.report, None))?;
    } else {
        let contrast = compare::first_contrast(&root, experiment, sessions.len());
        let sheet = output_style::stream_sheet(&std::io::stdout());
        print_text(&render(&written.report, clock.elapsed(), contrast.as_deref(), sheet))?;
    }
    let missing = describe_missing(&folder, experiment, first.shard.of);
    let failed = list_failed(&folder, &sessions);
    missing.iter().chain(&failed).for_each(|line| print_warning(line));
    Ok(if !written.unsound.is_empty() {
        Ending::Diverged
    } else if !missing.is_empty() {
        Ending::Resumable
    } else if !failed.is_empty() {
        Ending::Failed
    } else {
        Ending::Done
    })
}

/// The first sessions that failed, one line each, and how many more there are.
fn list_failed(folder: &ResultsFolder, sessions: &[PlannedSession]) -> Vec<String> {
    let failed = sessions.iter().filter_map(|session| {
        let run = folder.run_file(&session.name()).filter(|run| run.status == RunStatus::Failed)?;
        Some(format!("{}: failed: {}", session.name(), run.stopped.unwrap_or_default()))
    });
    let mut lines: Vec<String> = failed.collect();
    let more = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    lines.extend((more > 0).then(|| format!("and {more} more failed")));
    lines
}

/// Reads a shard's folder without writing to it. Returns `None` if no session had begun.
fn read_shard_folder(root: &Path) -> Result<Option<ShardFolder>, Refusal> {
    let shown = root.display();
    if !root.exists() {
        let message = format!("{shown}: no such folder; if no shard has begun, the logs of their runs say why");
        return Err(Refusal::wrong_input(message));
    }
    let no_shard = || {
        let inside = shard_counts(root).first().map(|of| format!("; it holds shards: collect {shown}/*-of-{of}"));
        let message = format!("{shown} is no folder of `ekklesia run --shard`{}", inside.unwrap_or_default());
        Refusal::wrong_input(message)
    };
    let folder = ResultsFolder::open_for_reading(root, None)?;
    if FrozenDesign::read(root).is_none() {
        if !root.is_dir() || ResultsFolder::find_foreign_file(root)?.is_some() || !folder.session_names()?.is_empty() {
            return Err(no_shard());
        }
        print_warning(&format!("{}: nothing was run in this shard yet", root.display()));
        return Ok(None);
    }
    if folder.is_packed() {
        folder.packs().numbers()?;
    }
    // Keep runs from changing the shard until it is copied.
    let folder = folder.keep_runs_out()?;
    let frozen = FrozenDesign::read(root).ok_or_else(no_shard)?;
    let shard = frozen.shard.ok_or_else(no_shard)?;
    let inputs = Inputs::read_results(root)?;
    let resolved = inputs.resolve()?;
    Ok(Some(ShardFolder { folder, inputs, resolved, frozen, shard }))
}

/// Refuses shards of another plan or of another number of shards.
fn refuse_other_plan(first: &ShardFolder, other: &ShardFolder) -> Result<(), Refusal> {
    let (one, two) = (first.folder.root().display(), other.folder.root().display());
    if first.shard.of != other.shard.of {
        let message = format!("{one} is shard {} and {two} is shard {}: not of one run", first.shard, other.shard);
        return Err(Refusal::wrong_input(message));
    }
    match plan_difference(&first.resolved, &other.resolved) {
        None => Ok(()),
        Some(what) => Err(Refusal::wrong_input(format!("{one} and {two} are shards of different plans: {what}"))),
    }
}

fn plan_difference(one: &ResolvedExperiment, other: &ResolvedExperiment) -> Option<String> {
    let shown = |value: Option<String>| value.unwrap_or_else(|| "not given".to_owned());
    let of_arms = one.identities.iter().find_map(|(arm, identity)| {
        let Some((_, theirs)) = other.identities.iter().find(|(name, _)| name == arm) else {
            return Some(format!("the arm {arm} is in one of them"));
        };
        let change = first_difference(identity, theirs)?;
        Some(format!("in the arm {arm}, {} differs: {} and {}", change.key, shown(change.old), shown(change.new)))
    });
    let of_design = || {
        let mut changes = find_differences(&one.design, &other.design).into_iter();
        let change = changes.find(|change| change.key != REPLICATES && !change.is_around())?;
        Some(format!("{} differs: {} and {}", change.key, shown(change.old), shown(change.new)))
    };
    of_arms.or_else(of_design)
}

/// The first shard that holds each ended session; `None` if no shard does.
///
/// # Errors
/// A [`Refusal`] when two shards hold different minutes of one session, or minutes were changed.
fn find_sessions<'f>(
    shards: &'f [ShardFolder],
    experiment: &Experiment,
    sessions: &[PlannedSession],
) -> Result<Vec<Option<&'f ResultsFolder>>, Refusal> {
    for shard in shards {
        for name in shard.folder.session_names()? {
            if let Some(session) = PlannedSession::find_by_name(experiment, &name) {
                refuse_moved_session(shard.shard, (&shard.folder, &name), (experiment, &session))?;
            }
        }
    }
    let find = |session: &PlannedSession| {
        let name = session.name();
        let mut first: Option<(&ResultsFolder, Digest)> = None;
        let own = shards.iter().filter(|shard| shard.shard.holds_session(experiment, session));
        for folder in own.map(|shard| &shard.folder).filter(|folder| is_ended(folder, &name)) {
            let minutes = digest_of(&folder.minutes(&name))?;
            if folder.run_file(&name).is_none_or(|run| run.minutes_digest != minutes) {
                return Err(changed_minutes_refusal(folder, &name));
            }
            match &first {
                None => first = Some((folder, minutes)),
                Some((_, known)) if *known == minutes => {}
                Some((other, _)) => {
                    return Err(unlike_minutes_refusal(&other.session_folder(&name), &folder.session_folder(&name)));
                }
            }
        }
        Ok(first.map(|(folder, _)| folder))
    };
    sessions.iter().map(find).collect()
}

fn is_ended(folder: &ResultsFolder, name: &str) -> bool {
    folder.run_file(name).is_some_and(|run| run.status != RunStatus::Incomplete)
}

/// Copies the sessions that the folder lacks.
///
/// # Errors
/// A [`Refusal`] when the folder holds another version of a session; nothing is copied then.
fn copy_sessions<'f>(
    (folder, experiment): (&'f ResultsFolder, &Experiment),
    (sessions, found): (&[PlannedSession], Vec<Option<&'f ResultsFolder>>),
    storage: Option<Storage>,
) -> Result<(), Refusal> {
    // Compare everything before copying anything.
    let compare = |(session, from): (&PlannedSession, &Option<&ResultsFolder>)| {
        from.map_or(Ok(HeldSession::Same), |from| check_held_session(folder, from, &session.name()))
    };
    let held: Vec<HeldSession> = sessions.iter().zip(&found).map(compare).collect::<Result<_, _>>()?;
    let mut set_aside = sessions.iter().zip(&held).filter(|(_, held)| **held == HeldSession::SetAside);
    set_aside.try_for_each(|(session, _)| discard_failed(folder, &session.name()))?;
    let new = found.into_iter().zip(&held).map(|(from, held)| from.filter(|_| *held != HeldSession::Same));
    let new: Vec<Option<&ResultsFolder>> = new.collect();
    match Storage::for_folder(folder, storage)? {
        Storage::Loose => {
            for (session, from) in sessions.iter().zip(new) {
                from.map_or(Ok(()), |from| copy_session(folder, from, &session.name()))?;
            }
        }
        Storage::Packed => {
            unpack_elsewhere(folder, experiment, sessions)?;
            let layout = PackLayout::for_sessions(experiment, sessions);
            for number in layout.pack_numbers() {
                let own = layout.session_places(number).map(|place| (sessions[place].name(), new[place]));
                copy_pack(folder, number, own)?;
            }
        }
    }
    Ok(())
}

/// The state of a collected session in the target folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeldSession {
    /// It has not ended there. Any recorded calls agree with the shard's.
    Nothing,
    /// It ended there with the shard's minutes.
    Same,
    /// It failed there. The shard has set failed attempts aside and ran it again.
    SetAside,
}

/// Compares a session in the target folder with the shard's.
///
/// # Errors
/// A [`Refusal`] when the minutes of an ended session or the calls of an unfinished one differ.
fn check_held_session(to: &ResultsFolder, from: &ResultsFolder, name: &str) -> Result<HeldSession, Refusal> {
    let Some(run) = to.run_file(name).filter(|run| run.status != RunStatus::Incomplete) else {
        let read = |calls: SessionFile| calls.exists().then(|| calls.read_whole().ok()).flatten();
        return match (read(to.calls(name)), read(from.calls(name))) {
            (Some(ours), theirs) if Some(&ours) != theirs.as_ref() => {
                let message = format!("{}: begun with other answers; move it away", to.session_folder(name).display());
                Err(Refusal::with_ending(Ending::Diverged, message))
            }
            _ => Ok(HeldSession::Nothing),
        };
    };
    if digest_of(&to.minutes(name))? == digest_of(&from.minutes(name))? {
        return Ok(HeldSession::Same);
    }
    match run.status == RunStatus::Failed && !failed_attempts::attempt_folders(from, name)?.is_empty() {
        true => Ok(HeldSession::SetAside),
        false => Err(unlike_minutes_refusal(&to.session_folder(name), &from.session_folder(name))),
    }
}

fn copy_session(to: &ResultsFolder, from: &ResultsFolder, name: &str) -> Result<(), Refusal> {
    copy_attempts(to, from, name)?;
    to.make_session(name)?;
    for part in SessionPart::ALL {
        let file = from.session_file(part, name);
        if file.exists() {
            write_whole(&to.session_folder(name).join(part.file_name()), &file.load()?)?;
        }
    }
    Ok(())
}

/// Deletes a failed attempt before its session is copied anew.
fn discard_failed(to: &ResultsFolder, name: &str) -> Result<(), FileError> {
    let folder = to.session_folder(name);
    fs::remove_dir_all(&folder).map_err(|error| file_error(&folder, &error))
}

/// Packs the complete sessions of one pack and copies the others loose.
fn copy_pack<'f>(
    to: &'f ResultsFolder,
    number: u32,
    sessions: impl Iterator<Item = (String, Option<&'f ResultsFolder>)>,
) -> Result<(), Refusal> {
    let mut all: Vec<packs::PackedSource<'f>> = Vec::new();
    for (name, from) in sessions {
        match from {
            Some(from) if packs::is_ready(from, &name) => {
                copy_attempts(to, from, &name)?;
                all.push((name, from));
            }
            Some(from) => copy_session(to, from, &name)?,
            None => all.push((name, to)),
        }
    }
    Ok(packs::pack_sessions(to, number, all)?)
}

fn copy_attempts(to: &ResultsFolder, from: &ResultsFolder, name: &str) -> Result<(), Refusal> {
    for attempt in failed_attempts::attempt_folders(from, name)? {
        let inside = attempt.strip_prefix(from.root()).unwrap_or(&attempt);
        copy_files(&attempt, &to.root().join(inside))?;
    }
    Ok(())
}

fn digest_of(minutes: &SessionFile) -> Result<Digest, FileError> {
    Ok(Digest::of(&minutes.load()?))
}

fn changed_minutes_refusal(folder: &ResultsFolder, name: &str) -> Refusal {
    let (minutes, root) = (folder.minutes(name), folder.root().display());
    let place = folder.session_folder(name);
    let message = format!(
        "{}: not what its run wrote; move {} away, and `ekklesia run {root}` conducts the session anew",
        minutes.display(),
        place.display()
    );
    Refusal::with_ending(Ending::Diverged, message)
}

fn unlike_minutes_refusal(one: &Path, other: &Path) -> Refusal {
    let message = format!("{} and {} hold different minutes of one session", one.display(), other.display());
    Refusal::with_ending(Ending::Diverged, message)
}

/// Copies a folder's files, `run.json` last: without it a session is not complete.
fn copy_files(from: &Path, to: &Path) -> Result<(), FileError> {
    let fail = |error: std::io::Error| file_error(from, &error);
    let mut names = Vec::new();
    for entry in fs::read_dir(from).map_err(fail)? {
        names.push(entry.map_err(fail)?.file_name());
    }
    names.sort_by_key(|name| name == "run.json");
    for name in names {
        let path = from.join(&name);
        let bytes = read_whole(&path).map_err(|error| file_error(&path, &error))?;
        write_whole(&to.join(&name), &bytes)?;
    }
    Ok(())
}

/// Lists the missing sessions, one line per shard.
fn describe_missing(folder: &ResultsFolder, experiment: &Experiment, of: u32) -> Vec<String> {
    let mut gone: BTreeMap<Shard, Vec<String>> = BTreeMap::new();
    for session in PlannedSession::for_experiment(experiment).filter(|session| !is_ended(folder, &session.name())) {
        gone.entry(Shard::of_session(experiment, &session, of)).or_default().push(session.name());
    }
    let mut lines: Vec<String> = gone
        .iter()
        .map(|(shard, names)| {
            let count = counted(names.len() as u64, "session");
            format!("shard {shard}: {count} not complete, the first is {}", names[0])
        })
        .collect();
    if !lines.is_empty() {
        lines.push("run these shards again and collect once more".to_owned());
    }
    lines
}
