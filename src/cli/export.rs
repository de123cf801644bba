//! `export`: writes an experiment in another format.

mod preflib;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::arguments::{ExportArguments, ExportFormat};
use super::exit::{Ending, Refusal};
use super::gone::note_sessions;
use super::planned::list_planned;
use super::progress::Progress;
use super::say::{note, say};
use super::typed;
use crate::plan::{Experiment, Planned};
use crate::report::{counted, size, visible};
use crate::store::bundle::{self, About, Entry, Program, Unfit, Wholeness};
use crate::store::csv_safe;
use crate::store::files::file_error;
use crate::store::fold::first_of_other_format;
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;
use crate::store::staging::Staging;

/// Writes an experiment in another format.
///
/// # Errors
/// A [`Refusal`] with the reason.
pub fn export(arguments: &ExportArguments) -> Result<Ending, Refusal> {
    if !Inputs::are_kept(&arguments.path) {
        return Err(Refusal::wrong(format!("{}: no results folder of an experiment", arguments.path.display())));
    }
    let folder = ResultsFolder::read(&arguments.path, None)?;
    // A format that needs the plan reports what is wrong with it.
    if let Ok((resolved, inputs)) =
        Inputs::read_results(folder.root()).and_then(|inputs| Ok((inputs.resolve()?, inputs)))
    {
        note_sessions(&folder, &inputs, &resolved.experiment)?;
    }
    match arguments.format {
        ExportFormat::Bundle => bundle(arguments, &folder),
        ExportFormat::Parquet => parquet(arguments),
        ExportFormat::Preflib => preflib::preflib(arguments, &folder),
        ExportFormat::CsvSafe => csv_safe(arguments),
    }
}

/// The path to write to: what was asked for, or beside the results folder.
///
/// # Errors
/// When something is there already.
fn free(arguments: &ExportArguments, end: &str) -> Result<PathBuf, Refusal> {
    let beside = || -> std::io::Result<PathBuf> {
        // `.` and `..` have no name of their own.
        let path = match arguments.path.file_name() {
            Some(_) => arguments.path.clone(),
            None => arguments.path.canonicalize()?,
        };
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(end);
        Ok(path.with_file_name(name))
    };
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => beside().map_err(|error| file_error(&arguments.path, &error))?,
    };
    if out.symlink_metadata().is_ok() {
        return Err(Refusal::wrong(format!("{} is there already; give --out another path", out.display())));
    }
    Ok(out)
}

fn bundle(arguments: &ExportArguments, folder: &ResultsFolder) -> Result<Ending, Refusal> {
    let out = free(arguments, ".tar.gz")?;
    let inputs = Inputs::read_results(folder.root())?;
    let experiment = inputs.resolve()?.experiment;
    let is_fork = inputs.change().is_some();
    let planned = list_planned(folder, &inputs, &experiment)?;
    if let Some(why) = first_of_other_format(folder, planned.iter().map(Planned::name)) {
        return Err(Refusal::ends(Ending::Diverged, format!("{why}: bundle the folder with that version")));
    }
    let (whole, stopped): (Vec<Planned>, Vec<Planned>) =
        planned.into_iter().partition(|session| folder.is_complete(&session.name(), &session.plan().digest));
    if !stopped.is_empty() && !arguments.incomplete {
        let sessions = counted(stopped.len() as u64, "session");
        let message = format!(
            "{}: {sessions} not complete; `ekklesia run` completes them, or give --incomplete to bundle what there is",
            folder.root().display()
        );
        return Err(Refusal::ends(Ending::Resumable, message));
    }
    let wholeness = match (is_fork, stopped.is_empty()) {
        (_, false) => Wholeness::Incomplete,
        (true, true) => Wholeness::Fork,
        (false, true) => Wholeness::Whole,
    };
    let program = if arguments.without_program { None } else { Some(program()?) };
    let about = about(folder, &experiment, (&whole, &stopped), wholeness, program.as_ref().map(|(program, _)| program));
    let mut entries = bundle::results(folder, &whole, &stopped).map_err(|unfit| match unfit {
        Unfit::File(error) => Refusal::from(error),
        unfit @ (Unfit::Missing(_) | Unfit::Changed(_)) => Refusal::ends(Ending::Diverged, unfit.to_string()),
    })?;
    for name in bundle::left_out(folder)? {
        note!("ekklesia: {} is no part of the experiment and stays out", visible(&name));
    }
    entries.push(Entry::text("README.txt", bundle::readme(&about)));
    entries.push(Entry::text("again.sh", bundle::again(&about)).runnable());
    if let Some((program, path)) = program {
        entries.push(Entry::disk(program.path(), path).runnable());
    }
    let inner = own_name(folder.root())?;
    let bytes = write_bundle(&inner, entries, &out, whole.len() as u64)?;
    let typed = |path: &str| visible(&typed::word(path));
    let path = out.display().to_string();
    say(&format!(
        "{}: {} in {}\n open    tar xzf {}\n again   sh {}",
        visible(&path),
        counted(whole.len() as u64, "complete session"),
        size(bytes),
        typed(&path),
        typed(&format!("{inner}/again.sh"))
    ))?;
    Ok(Ending::Done)
}

/// The folder's own name, by whatever path it was named. A bundle's folder is called so: experiments and their forks have
/// folders of different names, though their experiment has one.
fn own_name(root: &Path) -> Result<String, Refusal> {
    let path = root.canonicalize().map_err(|error| file_error(root, &error))?;
    Ok(path.file_name().map_or_else(|| "results".to_owned(), |name| name.to_string_lossy().into_owned()))
}

/// What the texts of a bundle say about this one.
fn about(
    folder: &ResultsFolder,
    experiment: &Experiment,
    (whole, stopped): (&[Planned], &[Planned]),
    wholeness: Wholeness,
    program: Option<&Program>,
) -> About {
    let runs = whole.iter().chain(stopped).filter_map(|session| folder.run_file(&session.name()));
    let versions: BTreeSet<String> = runs.map(|run| run.ekklesia).collect();
    let asked = experiment.arms.iter().filter(|plan| plan.models_asked().next().is_some());
    let models: BTreeSet<String> = asked.flat_map(|plan| &plan.models).map(|model| model.model.clone()).collect();
    About {
        experiment: experiment.name.clone(),
        sessions: (whole.len() as u64, (whole.len() + stopped.len()) as u64),
        plans: experiment.arms.iter().map(|plan| (plan.arm.clone(), plan.digest.to_string())).collect(),
        versions: versions.into_iter().collect(),
        models: models.into_iter().collect(),
        people: experiment.arms.iter().any(|plan| plan.people() > 0),
        wholeness,
        program: program.cloned(),
    }
}

/// This program, as a file and as what it runs on.
fn program() -> Result<(Program, PathBuf), Refusal> {
    let platform = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let path = std::env::current_exe().map_err(|error| {
        Refusal::failed(format!("cannot find this program's own file: {error}; --without-program leaves it out"))
    })?;
    Ok((Program { platform }, path))
}

/// Writes an archive beside its place, then puts it there. Returns its length in bytes.
fn write_bundle(name: &str, entries: Vec<Entry>, out: &Path, sessions: u64) -> Result<u64, Refusal> {
    let fail = |error: &std::io::Error| Refusal::from(file_error(out, error));
    let staging = Staging::begin(out)?;
    let mut file = File::create_new(staging.path()).map_err(|error| fail(&error))?;
    let progress = Progress::begin("export", sessions, 0);
    let packed = bundle::pack(name, entries, out, &mut file, |path| {
        if path.ends_with("/minutes.jsonl") {
            progress.step();
        }
    });
    progress.end();
    packed?;
    let bytes = file.metadata().map_err(|error| fail(&error))?.len();
    staging.publish()?;
    Ok(bytes)
}

fn csv_safe(arguments: &ExportArguments) -> Result<Ending, Refusal> {
    let out = free(arguments, "-csv-safe")?;
    let tables = csv_safe::write(&arguments.path, &out)?;
    say(&format!("{}: {}", visible(&out.display().to_string()), counted(tables, "table")))?;
    Ok(Ending::Done)
}

#[cfg(feature = "parquet")]
fn parquet(arguments: &ExportArguments) -> Result<Ending, Refusal> {
    use crate::store::parquet::{Unwritten, write};
    let out = free(arguments, "-parquet")?;
    let told = write(&arguments.path, &out).map_err(|error| match error {
        Unwritten::File(error) => Refusal::from(error),
        error @ Unwritten::Table { .. } => Refusal::ends(Ending::Diverged, error.to_string()),
    })?;
    let shown = visible(&out.display().to_string()).to_string();
    say(&format!("{shown}: {}", counted(told, "table")))?;
    Ok(Ending::Done)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &ExportArguments) -> Result<Ending, Refusal> {
    let how = "cargo build --release --features parquet";
    Err(Refusal::wrong(format!("this program was built without Parquet; build it with: {how}")))
}
