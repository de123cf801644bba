//! `run --shard`: runs one part of an experiment in its own folder.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::arguments::RunArguments;
use super::exit::{Ending, Refusal};
use super::output::{print_json, print_text};
use super::run_outcome::RunOutcome;
use super::shell_command;
use crate::plan::{Experiment, Limits, PlannedSession, Shard};
use crate::report::{counted, escape_unseen};
use crate::store::fold::{FoldError, check_minutes};
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::results::{ResultsFolder, RunStatus};

#[derive(Debug, Serialize)]
struct ShardReport<'a> {
    folder: String,
    experiment: &'a str,
    shard: Shard,
    sessions: u64,
    completed: u64,
    failed: u64,
}

/// The shard of a run: the requested one, else the folder's.
///
/// # Errors
/// A [`Refusal`] when the folder holds something else, or lies beside another number of shards.
pub fn resolve_shard(asked: Option<Shard>, root: &Path) -> Result<Option<Shard>, Refusal> {
    if let Some((asked, beside)) = asked.zip(root.parent()).filter(|_| !root.exists()) {
        refuse_other_number(asked.of, beside)?;
    }
    let Some(frozen) = FrozenDesign::read(root) else {
        let named = root.file_name().and_then(OsStr::to_str).and_then(parse_folder_name);
        return match named.filter(|_| asked.is_none() && Inputs::are_kept(root)) {
            None => Ok(asked),
            Some(shard) => Err(Refusal::wrong_input(format!(
                "{} has lost its experiment.json, which says that it is a shard; give --shard {shard}",
                root.display()
            ))),
        };
    };
    match (asked, frozen.shard) {
        (None, kept) => Ok(kept),
        (Some(asked), Some(kept)) if asked == kept => Ok(Some(asked)),
        (Some(asked), kept) => {
            let what = kept.map_or("a whole experiment".to_owned(), |kept| format!("shard {kept}"));
            let message = format!("{} holds {what}, not shard {asked}; give --out another folder", root.display());
            Err(Refusal::wrong_input(message))
        }
    }
}

/// The different `of` numbers of the shards in a folder, sorted.
pub fn shard_counts(folder: &Path) -> Vec<u32> {
    let shard = |entry: DirEntry| {
        let shard = parse_folder_name(entry.file_name().to_str()?)?;
        FrozenDesign::read(&entry.path()).and(Some(shard.of))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let counts: BTreeSet<u32> = entries.filter_map(shard).collect();
    counts.into_iter().collect()
}

/// Refuses another number of shards for an experiment, which would run and pay for every session again.
pub fn refuse_other_number(shards: u32, beside: &Path) -> Result<(), Refusal> {
    let counts = if beside.extension().is_some_and(|end| end == "shards") { shard_counts(beside) } else { Vec::new() };
    match counts.first() {
        _ if counts.contains(&shards) => Ok(()),
        None => Ok(()),
        Some(of) => Err(Refusal::wrong_input(format!(
            "{} holds shards of {of}, not {shards}: every session would be run again; continue these, or give --out another folder",
            beside.display()
        ))),
    }
}

/// The shard whose default folder has this name.
fn parse_folder_name(name: &str) -> Option<Shard> {
    name.replacen("-of-", "/", 1).parse().ok().filter(|_| name.contains("-of-"))
}

/// The default folder of a shard.
pub fn folder_of(shard: Shard, experiment: &Experiment) -> PathBuf {
    let Shard { number, of } = shard;
    Path::new("results").join(format!("{}.shards/{number}-of-{of}", experiment.name))
}

/// Refuses a session that is in a shard's folder and belongs to another shard: more replicates move none, but items and levels may.
pub fn refuse_moved_session(
    shard: Shard,
    (folder, name): (&ResultsFolder, &str),
    (experiment, session): (&Experiment, &PlannedSession),
) -> Result<(), Refusal> {
    let now = Shard::of_session(experiment, session, shard.of);
    if now == shard {
        return Ok(());
    }
    let root = folder.root().display();
    Err(Refusal::wrong_input(format!(
        "{root} is shard {shard} and holds the session {name}, which belongs to shard {now} of this plan: more items, or an arm that borrows \
         statements, move sessions between shards; give --out other folders for the longer plan"
    )))
}

/// A shard's part of the limits, rounded down; all of them without a shard.
///
/// # Errors
/// A [`Refusal`] when a limit or a rate is too small to divide.
pub fn divide_limits(limits: Limits, shard: Option<Shard>, experiment: &Experiment) -> Result<Limits, Refusal> {
    let Some(shard) = shard else { return Ok(limits) };
    let of = u64::from(shard.of);
    let refuse = |what: String| {
        Err(Refusal::wrong_input(format!("{what} cannot be divided by {of} shards; raise it, or use fewer shards")))
    };
    if let Some(tokens) = limits.tokens.filter(|tokens| *tokens < of) {
        return refuse(format!("the limit of {}", counted(tokens, "token")));
    }
    for model in experiment.arms.iter().flat_map(|plan| plan.models_asked().map(|place| &plan.models[place])) {
        let rates = [
            ("requests_per_minute", model.requests_per_minute.map(u64::from)),
            ("tokens_per_minute", model.tokens_per_minute),
        ];
        for (key, rate) in rates {
            if let Some(rate) = rate.filter(|rate| *rate < of) {
                return refuse(format!("models.{}.openai.{key}: {rate}", model.name));
            }
        }
    }
    Ok(Limits { usd: limits.usd.map(|usd| usd / of as f64), tokens: limits.tokens.map(|tokens| tokens / of) })
}

/// Prints a shard's result. Its folder has no tables.
pub fn report_shard(
    (shard, own): (Shard, &[PlannedSession]),
    (folder, experiment): (&ResultsFolder, &Experiment),
    course: &RunOutcome,
    arguments: &RunArguments,
) -> Result<Ending, Refusal> {
    let reached = |status: RunStatus| {
        let runs = own.iter().filter_map(|session| folder.run_file(&session.name()));
        runs.filter(|run| run.status == status).count() as u64
    };
    let (completed, failed) = (reached(RunStatus::Completed), reached(RunStatus::Failed));
    let names = own.iter().map(PlannedSession::name);
    let changed: Vec<(String, FoldError)> =
        names.filter_map(|name| check_minutes(folder, &name).err().map(|error| (name, error))).collect();
    let ending = course.print_report(folder, &changed);
    let root = folder.root().display().to_string();
    if arguments.json {
        let (experiment, sessions) = (experiment.name.as_str(), own.len() as u64);
        print_json(&ShardReport { folder: root, experiment, shard, sessions, completed, failed })?;
    } else {
        print_text(&format!(
            "shard {shard} of {}: {completed} of {} completed, {failed} failed; in {}\n\n collect {}",
            escape_unseen(&experiment.name),
            counted(own.len() as u64, "session"),
            escape_unseen(&root),
            escape_unseen(&collect_command(folder.root(), shard)),
        ))?;
    }
    Ok(ending)
}

/// The command that collects all shards.
fn collect_command(root: &Path, shard: Shard) -> String {
    let beside = root.parent().filter(|_| root.ends_with(format!("{}-of-{}", shard.number, shard.of)));
    let Some(beside) = beside.map(|beside| beside.display().to_string()) else {
        return "ekklesia collect SHARD… --out DIR".to_owned();
    };
    let out = beside.strip_suffix(".shards").map_or_else(|| "DIR".to_owned(), shell_command::shell_word);
    format!("ekklesia collect {}/*-of-{} --out {out}", shell_command::shell_word(&beside), shard.of)
}
