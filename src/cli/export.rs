//! `export`: writes an experiment in another format.

mod figures;
mod preflib;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::arguments::{ExportArguments, ExportFormat, RowKey};
use super::exit::{Ending, Refusal};
use super::missing_sessions::note_sessions;
use super::output::{print_text, print_warning};
use super::planned::list_planned;
use super::progress::Progress;
use super::shell_command;
use crate::plan::{Experiment, PlannedSession};
use crate::report::{counted, escape_unseen, size};
use crate::store::bundle::{self, BundleEntry, BundleError, BundleFacts, Program, Wholeness};
use crate::store::csv_safe;
use crate::store::files::file_error;
use crate::store::fold::{first_of_other_format, unverified_tables};
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;
use crate::store::staging::Staging;
use crate::store::wide::{WideKey, write_wide_table};

/// Writes an experiment in another format.
///
/// # Errors
/// A [`Refusal`] when the folder holds no experiment or cannot be exported.
pub fn run_export(arguments: &ExportArguments) -> Result<Ending, Refusal> {
    // A session has figures, too.
    if arguments.format == Some(ExportFormat::Figures) {
        return figures::export_figures(arguments);
    }
    if !Inputs::are_kept(&arguments.path) {
        return Err(Refusal::wrong_input(format!("{}: no results folder of an experiment", arguments.path.display())));
    }
    let folder = ResultsFolder::open_for_reading(&arguments.path, None)?;
    // Formats that need the plan report its errors themselves.
    if let Ok((resolved, inputs)) =
        Inputs::read_results(folder.root()).and_then(|inputs| Ok((inputs.resolve()?, inputs)))
    {
        note_sessions(&folder, &inputs, &resolved.experiment)?;
    }
    note_unverified(folder.root());
    match arguments.format {
        Some(ExportFormat::Bundle) => export_bundle(arguments, &folder),
        Some(ExportFormat::Parquet) => export_parquet(arguments),
        Some(ExportFormat::Preflib) => preflib::export_preflib(arguments, &folder),
        Some(ExportFormat::CsvSafe) => export_csv_safe(arguments),
        Some(ExportFormat::Figures) => figures::export_figures(arguments),
        None => export_wide(arguments),
    }
}

/// Says on stderr if the tables cannot be held against the records.
fn note_unverified(root: &Path) {
    if let Some(why) = unverified_tables(root) {
        print_warning(&why);
    }
}

/// The output path: `--out`, or a path beside the results folder.
///
/// # Errors
/// When the path exists.
fn new_output_path(arguments: &ExportArguments, end: &str) -> Result<PathBuf, Refusal> {
    let beside = || -> std::io::Result<PathBuf> {
        // `.` and `..` have no file name.
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
        return Err(Refusal::wrong_input(format!("{} is there already; give --out another path", out.display())));
    }
    Ok(out)
}

fn export_bundle(arguments: &ExportArguments, folder: &ResultsFolder) -> Result<Ending, Refusal> {
    let out = new_output_path(arguments, ".tar.gz")?;
    let inputs = Inputs::read_results(folder.root())?;
    let experiment = inputs.resolve()?.experiment;
    let is_fork = inputs.change_bytes().is_some();
    let planned = list_planned(folder, &inputs, &experiment)?;
    if let Some(why) = first_of_other_format(folder, planned.iter().map(PlannedSession::name)) {
        return Err(Refusal::with_ending(Ending::Diverged, format!("{why}: bundle the folder with that version")));
    }
    let (whole, stopped): (Vec<PlannedSession>, Vec<PlannedSession>) =
        planned.into_iter().partition(|session| folder.is_complete(&session.name(), &session.plan().digest));
    if !stopped.is_empty() && !arguments.incomplete {
        let sessions = counted(stopped.len() as u64, "session");
        let message = format!(
            "{}: {sessions} not complete; `ekklesia run` completes them, or give --incomplete to bundle what there is",
            folder.root().display()
        );
        return Err(Refusal::with_ending(Ending::Resumable, message));
    }
    let wholeness = match (is_fork, stopped.is_empty()) {
        (_, false) => Wholeness::Incomplete,
        (true, true) => Wholeness::Fork,
        (false, true) => Wholeness::Whole,
    };
    let program = if arguments.without_program { None } else { Some(locate_program()?) };
    let about = describe_bundle(
        folder,
        &experiment,
        (&whole, &stopped),
        wholeness,
        program.as_ref().map(|(program, _)| program),
    );
    let mut entries = bundle::result_entries(folder, &whole, &stopped).map_err(|unfit| match unfit {
        BundleError::File(error) => Refusal::from(error),
        unfit @ (BundleError::Missing(_) | BundleError::Changed(_)) => Refusal::with_ending(Ending::Diverged, unfit),
    })?;
    for name in bundle::left_out(folder)? {
        print_warning(&format!("{name} is no part of the experiment and stays out"));
    }
    entries.push(BundleEntry::from_text("README.txt", bundle::render_readme(&about)));
    entries.push(BundleEntry::from_text("again.sh", bundle::render_again_script(&about)).into_program());
    if let Some((program, path)) = program {
        entries.push(BundleEntry::from_file(program.path(), path).into_program());
    }
    let inner = own_name(folder.root())?;
    let bytes = write_bundle(&inner, entries, &out, whole.len() as u64)?;
    let typed = |path: &str| escape_unseen(&shell_command::shell_word(path));
    let path = out.display().to_string();
    print_text(&format!(
        "{}: {} in {}\n open    tar xzf {}\n again   sh {}",
        escape_unseen(&path),
        counted(whole.len() as u64, "complete session"),
        size(bytes),
        typed(&path),
        typed(&format!("{inner}/again.sh"))
    ))?;
    Ok(Ending::Done)
}

/// The folder's own name, which names the folder in the bundle. Unlike the experiment's name, it differs between an experiment
/// and its forks.
fn own_name(root: &Path) -> Result<String, Refusal> {
    let path = root.canonicalize().map_err(|error| file_error(root, &error))?;
    Ok(path.file_name().map_or_else(|| "results".to_owned(), |name| name.to_string_lossy().into_owned()))
}

/// The facts for the bundle's README and script.
fn describe_bundle(
    folder: &ResultsFolder,
    experiment: &Experiment,
    (whole, stopped): (&[PlannedSession], &[PlannedSession]),
    wholeness: Wholeness,
    program: Option<&Program>,
) -> BundleFacts {
    let runs = whole.iter().chain(stopped).filter_map(|session| folder.run_file(&session.name()));
    let versions: BTreeSet<String> = runs.map(|run| run.ekklesia).collect();
    let asked = experiment.arms.iter().filter(|plan| plan.models_asked().next().is_some());
    let models: BTreeSet<String> = asked.flat_map(|plan| &plan.models).map(|model| model.model.clone()).collect();
    BundleFacts {
        experiment: experiment.name.clone(),
        sessions: (whole.len() as u64, (whole.len() + stopped.len()) as u64),
        plans: experiment.arms.iter().map(|plan| (plan.arm.clone(), plan.digest.to_string())).collect(),
        versions: versions.into_iter().collect(),
        models: models.into_iter().collect(),
        people: experiment.arms.iter().any(|plan| plan.people_count() > 0),
        wholeness,
        program: program.cloned(),
    }
}

/// The platform and the path of this program.
fn locate_program() -> Result<(Program, PathBuf), Refusal> {
    let platform = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let path = std::env::current_exe().map_err(|error| {
        Refusal::machine_failure(format!(
            "cannot find this program's own file: {error}; --without-program leaves it out"
        ))
    })?;
    Ok((Program { platform }, path))
}

/// Writes an archive to a staging file and then moves it into place. Returns the size in bytes.
fn write_bundle(name: &str, entries: Vec<BundleEntry>, out: &Path, sessions: u64) -> Result<u64, Refusal> {
    let fail = |error: &std::io::Error| Refusal::from(file_error(out, error));
    let staging = Staging::begin(out)?;
    let mut file = File::create_new(staging.path()).map_err(|error| fail(&error))?;
    let progress = Progress::begin("export", sessions, 0);
    let packed = bundle::write_archive(name, entries, out, &mut file, |path| {
        if path.ends_with("/minutes.jsonl") {
            progress.count_session();
        }
    });
    progress.end();
    packed?;
    let bytes = file.metadata().map_err(|error| fail(&error))?.len();
    staging.publish()?;
    Ok(bytes)
}

fn export_csv_safe(arguments: &ExportArguments) -> Result<Ending, Refusal> {
    let out = new_output_path(arguments, "-csv-safe")?;
    let tables = csv_safe::write_tables(&arguments.path, &out)?;
    print_text(&format!("{}: {}", escape_unseen(&out.display().to_string()), counted(tables, "table")))?;
    Ok(Ending::Done)
}

fn export_wide(arguments: &ExportArguments) -> Result<Ending, Refusal> {
    let out = new_output_path(arguments, "-wide.csv")?;
    let keys = arguments.wide.iter().map(|key| match key {
        RowKey::Seat => WideKey::Seat,
        RowKey::Pass => WideKey::Pass,
    });
    let [rows, columns] = write_wide_table(&arguments.path, &keys.collect(), &out)?;
    let shape = format!("{}, {}", counted(rows, "row"), counted(columns, "column"));
    print_text(&format!("{}: {shape}", escape_unseen(&out.display().to_string())))?;
    Ok(Ending::Done)
}

#[cfg(feature = "parquet")]
fn export_parquet(arguments: &ExportArguments) -> Result<Ending, Refusal> {
    use crate::store::parquet::{ParquetExportError, write_tables};
    let out = new_output_path(arguments, "-parquet")?;
    let tables = write_tables(&arguments.path, &out).map_err(|error| match error {
        ParquetExportError::File(error) => Refusal::from(error),
        error @ ParquetExportError::Table { .. } => Refusal::with_ending(Ending::Diverged, error),
    })?;
    let shown = escape_unseen(&out.display().to_string());
    print_text(&format!("{shown}: {}", counted(tables, "table")))?;
    Ok(Ending::Done)
}

#[cfg(not(feature = "parquet"))]
fn export_parquet(_: &ExportArguments) -> Result<Ending, Refusal> {
    let how = "cargo build --release --features parquet";
    Err(Refusal::wrong_input(format!("this program was built without Parquet; build it with: {how}")))
}
