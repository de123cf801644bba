//! Selects the files of a results folder that belong in a bundle: only files that the program wrote.

use std::path::{Path, PathBuf};

use super::BundleEntry;
use crate::plan::PlannedSession;
use crate::store::files::{self, FileError};
use crate::store::inputs::Inputs;
use crate::store::places::{SessionPart, UNFINISHED, file_names, is_results_name};
use crate::store::results::ResultsFolder;
use crate::store::session_file::SessionFile;

/// The folder of the results within a bundle.
const RESULTS: &str = "results";

/// Why a folder cannot be bundled.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file needed to repeat the experiment is missing.
    #[error("{0} is missing; nobody could run the experiment again without it")]
    Missing(String),
    /// Minutes differ from what the session's last run wrote.
    #[error("{0}: changed since they were written; `ekklesia replay` names the record")]
    Changed(String),
}

/// Lists the files for a bundle: inputs, plan, tables, failed attempts and the files of these sessions. The sessions in
/// `stopped` may be incomplete; the files that exist are taken.
///
/// # Errors
/// When a file cannot be read, or a required file is missing.
pub fn result_entries(
    folder: &ResultsFolder,
    whole: &[PlannedSession],
    stopped: &[PlannedSession],
) -> Result<Vec<BundleEntry>, BundleError> {
    let root = folder.root();
    if !Inputs::are_kept(root) {
        return Err(BundleError::Missing(root.join("inputs").display().to_string()));
    }
    let mut entries = Vec::new();
    add_folder_entries(&root.join("inputs"), &format!("{RESULTS}/inputs"), &mut entries)?;
    let mut needed = vec!["plan.yaml".to_owned()];
    needed.extend(file_names());
    for name in needed {
        let path = root.join(&name);
        if !path.is_file() {
            return Err(BundleError::Missing(path.display().to_string()));
        }
        entries.push(BundleEntry::from_file(format!("{RESULTS}/{name}"), path));
    }
    if folder.failed_folder().is_dir() {
        for (name, path) in list_folder(&folder.failed_folder())? {
            entries.extend(part_entries(&format!("failed/{name}"), |part| path.join(part.file_name()).into()));
        }
    }
    let totals = root.join("experiment.json");
    if totals.is_file() {
        entries.push(BundleEntry::from_file(format!("{RESULTS}/experiment.json"), totals));
    }
    for session in whole {
        let name = session.name();
        if !session.arm.is_simulated() && !folder.calls(&name).is_file() {
            return Err(BundleError::Missing(folder.calls(&name).display().to_string()));
        }
        let own = session_entries(folder, &name);
        let minutes = own.iter().find(|entry| entry.path.ends_with("/minutes.jsonl"));
        let minutes = minutes.ok_or_else(|| BundleError::Missing(folder.minutes(&name).display().to_string()))?;
        let digest = minutes.measure()?.digest;
        if folder.run_file(&name).is_none_or(|run| run.minutes_digest != digest) {
            return Err(BundleError::Changed(folder.minutes(&name).display().to_string()));
        }
        entries.extend(own);
    }
    entries.extend(stopped.iter().flat_map(|session| session_entries(folder, &session.name())));
    Ok(entries)
}

/// The files of a session.
fn session_entries(folder: &ResultsFolder, name: &str) -> Vec<BundleEntry> {
    part_entries(&format!("sessions/{name}"), |part| folder.session_file(part, name))
}

/// The files that runs wrote of a session, which `file` finds, in a folder of the results.
fn part_entries(within: &str, file: impl Fn(SessionPart) -> SessionFile) -> Vec<BundleEntry> {
    let files = SessionPart::ALL.into_iter().map(|part| (part.file_name(), file(part)));
    let there = files.filter(|(_, file)| file.is_file());
    there.map(|(part, file)| BundleEntry::from_file(format!("{RESULTS}/{within}/{part}"), file)).collect()
}

/// Adds all files below a folder, except hidden ones.
fn add_folder_entries(folder: &Path, within: &str, entries: &mut Vec<BundleEntry>) -> Result<(), FileError> {
    for (name, path) in list_folder(folder)?.into_iter().filter(|(name, _)| !name.starts_with('.')) {
        if path.is_dir() {
            add_folder_entries(&path, &format!("{within}/{name}"), entries)?;
        } else {
            entries.push(BundleEntry::from_file(format!("{within}/{name}"), path));
        }
    }
    Ok(())
}

/// Lists the names in a results folder that no bundle includes, sorted. Locks and unfinished files are not listed.
///
/// # Errors
/// When the folder cannot be listed.
pub fn left_out(folder: &ResultsFolder) -> Result<Vec<String>, FileError> {
    let names = list_folder(folder.root())?.into_iter().map(|(name, _)| name);
    Ok(names.filter(|name| !is_results_name(name) && !name.starts_with(UNFINISHED)).collect())
}

/// Lists a folder, sorted by name.
fn list_folder(folder: &Path) -> Result<Vec<(String, PathBuf)>, FileError> {
    let named = |path: PathBuf| Some((path.file_name()?.to_string_lossy().into_owned(), path));
    let mut found: Vec<(String, PathBuf)> = files::list_folder(folder)?.into_iter().filter_map(named).collect();
    found.sort();
    Ok(found)
}
