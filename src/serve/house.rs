//! What is served: one experiment, or a folder of them, found by names in a list and never by a path that somebody sends.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;

use super::print::Press;
use super::room::Room;
use crate::adapters::results::{FileError, file_error};

/// So many streams may be open at once.
const STREAMS_MAX: usize = 64;

/// The experiments that are served.
pub struct House {
    /// The folder that was named.
    root: PathBuf,
    /// The experiment's name, where the folder is one.
    only: Option<String>,
    rooms: Mutex<BTreeMap<String, Arc<Room>>>,
    /// Places for streams.
    pub streams: Arc<Semaphore>,
    /// What makes the report's page.
    pub press: Press,
}

impl House {
    /// Of an experiment's folder, or a folder of such folders.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn open(path: &Path, press: Press) -> Result<Self, FileError> {
        let root = fs::canonicalize(path).map_err(|error| file_error(path, &error))?;
        if !root.is_dir() {
            return Err(FileError { path: path.to_owned(), reason: "is no folder".to_owned() });
        }
        let name = root.file_name().map_or("experiment".to_owned(), |name| name.to_string_lossy().into_owned());
        let only = is_experiment(&root).then_some(name);
        Ok(Self { root, only, rooms: Mutex::default(), streams: Arc::new(Semaphore::new(STREAMS_MAX)), press })
    }

    /// The experiment's name, where one alone is served.
    pub fn only(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// The name of the folder that was named.
    pub fn name(&self) -> String {
        self.root.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }

    /// The experiments, by the names of their folders, sorted. Links are none.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn names(&self) -> Result<Vec<String>, FileError> {
        if let Some(only) = &self.only {
            return Ok(vec![only.clone()]);
        }
        let fail = |error: std::io::Error| file_error(&self.root, &error);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.root).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            if let Some(name) = entry.file_name().to_str()
                && !name.starts_with('.')
                && entry.file_type().map_err(fail)?.is_dir()
                && is_experiment(&entry.path())
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The room of an experiment; `None` where none has this name.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn room(&self, name: &str) -> Result<Option<Arc<Room>>, FileError> {
        let Some(name) = self.names()?.into_iter().find(|own| own == name) else { return Ok(None) };
        let folder = if self.only.is_some() { self.root.clone() } else { self.root.join(&name) };
        // What is behind the lock is a list of rooms: whole, whoever panicked.
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(Arc::clone(rooms.entry(name).or_insert_with(|| Arc::new(Room::new(folder))))))
    }
}

/// Whether a folder holds an experiment, or what is left of one.
pub fn is_experiment(folder: &Path) -> bool {
    ["inputs", "sessions", "plan.yaml"].iter().any(|part| folder.join(part).exists())
}
