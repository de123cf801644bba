//! The served folder: one experiment or a folder of experiments, found by listed names and never by a path from a request.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use super::page_cache::PagePrinter;
use super::watched_experiment::WatchedExperiment;
use crate::store::containment::{self, Stray};
use crate::store::files::{FileError, file_error};

const STREAMS_MAX: usize = 64;

/// The served experiments.
pub struct ServedFolder {
    root: PathBuf,
    /// The experiment's name; `None` for a folder of experiments.
    only: Option<String>,
    rooms: Mutex<BTreeMap<String, Arc<WatchedExperiment>>>,
    /// One permit per open stream.
    pub streams: Arc<Semaphore>,
    /// Makes the report page.
    pub press: PagePrinter,
}

impl ServedFolder {
    /// Opens an experiment's folder or a folder of experiments.
    ///
    /// # Errors
    /// If `path` is not a folder, or is a session's folder.
    pub fn open(path: &Path, press: PagePrinter) -> Result<Self, FileError> {
        let root = fs::canonicalize(path).map_err(|error| file_error(path, &error))?;
        if !root.is_dir() {
            return Err(FileError { path: path.to_owned(), reason: "is no folder".to_owned() });
        }
        if is_session(&root) {
            let reason = "is the folder of one session; name its experiment's, in which it can be chosen".to_owned();
            return Err(FileError { path: path.to_owned(), reason });
        }
        let name = root.file_name().map_or("experiment".to_owned(), |name| name.to_string_lossy().into_owned());
        let only = is_experiment(&root).then_some(name);
        Ok(Self { root, only, rooms: Mutex::default(), streams: Arc::new(Semaphore::new(STREAMS_MAX)), press })
    }

    /// The experiment's name; `None` for a folder of experiments.
    pub fn single_name(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// The name of the served folder.
    pub fn name(&self) -> String {
        self.root.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }

    /// The sorted folder names of the experiments, without links out of the served folder.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn experiment_names(&self) -> Result<Vec<String>, FileError> {
        match &self.only {
            Some(only) => Ok(vec![only.clone()]),
            None => Ok(self.list_folder()?.0),
        }
    }

    /// Describes the links to folders outside the served folder. Their contents are not examined.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn stray_links(&self) -> Result<Vec<String>, FileError> {
        Ok(self.list_folder()?.1.iter().map(Stray::to_string).collect())
    }

    /// The experiments in the folder, and the links to folders outside it.
    fn list_folder(&self) -> Result<(Vec<String>, Vec<Stray>), FileError> {
        let fail = |error: std::io::Error| file_error(&self.root, &error);
        let (mut names, mut strays) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(&self.root).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
            match containment::on_the_way(&self.root, name) {
                Some(stray) if entry.path().is_dir() => strays.push(stray),
                None if is_experiment(&entry.path()) => names.push(name.to_owned()),
                _ => {}
            }
        }
        names.sort();
        strays.sort_by(|one, other| one.place.cmp(&other.place));
        Ok((names, strays))
    }

    /// The experiment with this name, if there is one.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn find_experiment(&self, name: &str) -> Result<Option<Arc<WatchedExperiment>>, FileError> {
        let name = self.experiment_names()?.into_iter().find(|own| own == name);
        Ok(name.map(|name| self.experiment_of(name)))
    }

    /// All experiments with their names, sorted.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn all_experiments(&self) -> Result<Vec<(String, Arc<WatchedExperiment>)>, FileError> {
        let names = self.experiment_names()?.into_iter();
        Ok(names.map(|name| (name.clone(), self.experiment_of(name))).collect())
    }

    fn experiment_of(&self, name: String) -> Arc<WatchedExperiment> {
        let folder = if self.only.is_some() { self.root.clone() } else { self.root.join(&name) };
        // A panic leaves the map consistent.
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(rooms.entry(name).or_insert_with(|| Arc::new(WatchedExperiment::new(folder))))
    }
}

const PARTS: [&str; 2] = ["inputs", "sessions"];

/// Whether a folder holds an experiment, complete or not. A subfolder named like one of `PARTS` that is itself an experiment does
/// not count.
fn is_experiment(folder: &Path) -> bool {
    let is_plan = |folder: &Path| folder.join("plan.yaml").is_file();
    let is_part = |part: PathBuf| part.is_dir() && !is_plan(&part) && PARTS.iter().all(|own| !part.join(own).is_dir());
    is_plan(folder) || PARTS.iter().any(|part| is_part(folder.join(part)))
}

/// Whether a folder is a session's: below `sessions`, with minutes.
fn is_session(folder: &Path) -> bool {
    let is_of_sessions = folder.parent().and_then(Path::file_name).is_some_and(|parent| parent == "sessions");
    is_of_sessions && folder.join("minutes.jsonl").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path) -> (Option<String>, Vec<String>) {
        let house = ServedFolder::open(root, std::sync::Arc::new(|_| Err(String::new()))).unwrap();
        (house.single_name().map(str::to_owned), house.experiment_names().unwrap())
    }

    #[test]
    fn an_experiment_may_be_called_as_a_part_of_one_and_lie_in_a_folder_called_so() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("sessions");
        for (experiment, part) in
            [("main", "inputs"), ("sessions", "sessions"), ("inputs", "inputs"), ("half", "sessions")]
        {
            fs::create_dir_all(root.join(experiment).join(part)).unwrap();
        }
        fs::create_dir_all(root.join("main/sessions/talk-r000001")).unwrap();
        assert_eq!(names(&root), (None, ["half", "inputs", "main", "sessions"].map(str::to_owned).to_vec()));
        for experiment in ["main", "sessions", "inputs", "half"] {
            assert_eq!(names(&root.join(experiment)).0.as_deref(), Some(experiment));
        }
    }

    #[test]
    fn a_session_is_no_experiment_and_that_is_said() {
        let place = tempfile::tempdir().unwrap();
        let session = place.path().join("first/sessions/talk-r000001");
        fs::create_dir_all(&session).unwrap();
        fs::write(session.join("minutes.jsonl"), "").unwrap();
        let refused =
            ServedFolder::open(&session, std::sync::Arc::new(|_| Err(String::new()))).err().unwrap().to_string();
        assert!(refused.contains("is the folder of one session"), "{refused}");
        assert_eq!(names(&place.path().join("first")).0.as_deref(), Some("first"));
    }
}
