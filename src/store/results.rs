//! A results folder: the places of an experiment's files, and the lock that admits one writer.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::Digest;
use crate::store::files::{FileError, file_error, indented_json, list_folder, open_file, remove_file, write_whole};
use crate::store::packs::{SessionPacks, discard_duplicates};
use crate::store::places::{PACKS, SessionPart, UNFINISHED};
use crate::store::session_file::SessionFile;
use crate::store::{containment, staging};

/// The file that a run locks while it writes.
const LOCK: &str = ".lock";
/// The size limit of a `run.json`; a longer file is ignored.
const RUN_FILE_BYTES_MAX: u64 = 1 << 20;
/// The number of bytes read from the first line of minutes. The line grows only with the number of models.
const FIRST_LINE_BYTES_MAX: u64 = 1 << 20;

/// An experiment's folder.
#[derive(Debug)]
pub struct ResultsFolder {
    root: PathBuf,
    packs: Arc<SessionPacks>,
    /// The lock, held while the folder is written to or while runs are kept out.
    _lock: Option<File>,
}

/// `run.json`: everything about a session that may differ between equal runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFile {
    /// The program version that wrote the session.
    pub ekklesia: String,
    /// How far the session came.
    pub status: RunStatus,
    /// Why the session stopped; absent if it completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The kind of failure, in one word; absent unless the session failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The start of the session's last run, in milliseconds since 1970.
    pub started_unix_ms: u64,
    /// The duration of the last run, in milliseconds.
    pub wall_ms: u64,
    /// The platform.
    pub host: String,
    /// The digest of the session's own plan.
    pub plan_digest: Digest,
    /// The digest of the minutes so far.
    pub minutes_digest: Digest,
    /// The length of the minutes in bytes.
    pub minutes_bytes: u64,
    /// The number of records in the minutes.
    pub records: u64,
    /// Calls made to models in the last run.
    pub calls_made: u64,
    /// Answers taken from the call record in the last run.
    pub calls_served: u64,
    /// Calls of models in the session's record, over all runs, without answers that people typed.
    #[serde(default)]
    pub calls_recorded: u64,
    /// The versions that servers reported, by the model's name in the config.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server_versions: BTreeMap<String, String>,
    /// The parent of a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent>,
}

/// The parent session of a fork.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The session's name.
    pub session: String,
    /// The digest of the parent's minutes.
    pub minutes_digest: Digest,
}

/// How far a session came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It reached its end.
    Completed,
    /// It stopped before its end; another run resumes it.
    Incomplete,
    /// It cannot continue as planned.
    Failed,
}

impl ResultsFolder {
    /// Opens a folder for writing, locks out other runs, and removes what killed runs left unfinished.
    ///
    /// # Errors
    /// When the folder cannot be created or written to, another run holds the lock, or a part of it lies elsewhere.
    pub fn open_for_writing(root: &Path) -> Result<Self, FileError> {
        Self::open_for_reading(root, None)?;
        fs::create_dir_all(root.join("sessions")).map_err(|error| file_error(root, &error))?;
        let path = root.join(LOCK);
        let lock = File::create(&path).map_err(|error| file_error(&path, &error))?;
        match lock.try_lock() {
            Ok(()) => {
                forget_unfinished(root, CleanDepth::Flat)?;
                staging::remove_stale(root)?;
                forget_unfinished(&root.join("inputs"), CleanDepth::All)?;
                forget_unfinished(&root.join(PACKS), CleanDepth::Flat)?;
                let folder = Self { _lock: Some(lock), ..Self::open_unchecked(root) };
                if folder.is_packed() {
                    discard_duplicates(&folder)?;
                }
                Ok(folder)
            }
            Err(TryLockError::WouldBlock) => {
                Err(FileError { path: root.to_owned(), reason: "another run is writing to this folder".to_owned() })
            }
            Err(TryLockError::Error(error)) => Err(file_error(&path, &error)),
        }
    }

    /// Keeps runs from writing to the folder while the returned value exists.
    ///
    /// # Errors
    /// When a run is writing to the folder.
    pub fn keep_runs_out(self) -> Result<Self, FileError> {
        // No run can be active without a lock file.
        let Ok(lock) = open_file(&self.lock_path()) else { return Ok(self) };
        match lock.try_lock_shared() {
            Ok(()) => Ok(Self { _lock: Some(lock), ..self }),
            Err(TryLockError::WouldBlock) => {
                Err(FileError { path: self.root, reason: "a run is still writing to this folder".to_owned() })
            }
            Err(TryLockError::Error(error)) => Err(file_error(&self.lock_path(), &error)),
        }
    }

    /// Creates a session's folder, or removes unfinished files from an existing one.
    ///
    /// # Errors
    /// When the folder cannot be created or cleared.
    pub fn make_session(&self, name: &str) -> Result<(), FileError> {
        let folder = self.session_folder(name);
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => forget_unfinished(&folder, CleanDepth::Flat),
            made => made.map_err(|error| file_error(&folder, &error)),
        }
    }

    /// Finds a file that no run wrote, in a folder without an experiment; `None` if a run may use the folder.
    ///
    /// # Errors
    /// When the folder exists and cannot be listed.
    pub fn find_foreign_file(root: &Path) -> Result<Option<String>, FileError> {
        if root.join("inputs/config.yaml").exists() {
            return Ok(None);
        }
        let files = list_folder(root)?;
        let mut names = files.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy()));
        let is_own =
            |name: &str| ["inputs", "sessions", "plan.yaml", LOCK].contains(&name) || name.starts_with(UNFINISHED);
        Ok(names.find(|name| !is_own(name)).map(Cow::into_owned))
    }

    /// Opens a folder for reading and checks that all its parts lie in it, or only the parts that session `only` uses.
    ///
    /// # Errors
    /// When a link leads out of the folder, or a part is neither a file nor a folder.
    pub fn open_for_reading(root: &Path, only: Option<&str>) -> Result<Self, FileError> {
        let stray = match only {
            Some(session) => containment::in_the_way(root, session),
            None => containment::find_all_strays(root).into_iter().next(),
        };
        stray.map_or_else(|| Ok(Self::open_unchecked(root)), |stray| Err(stray.to_file_error(root)))
    }

    /// Opens a folder without checks. Callers must check the parts that they use.
    pub fn open_unchecked(root: &Path) -> Self {
        Self { root: root.to_owned(), packs: Arc::new(SessionPacks::new(root)), _lock: None }
    }

    /// The path of the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a session's own folder.
    pub fn session_folder(&self, name: &str) -> PathBuf {
        self.root.join("sessions").join(name)
    }

    /// The folder of failed attempts of sessions that were run again.
    pub fn failed_folder(&self) -> PathBuf {
        self.root.join("failed")
    }

    /// The packs of the folder.
    pub fn packs(&self) -> &SessionPacks {
        &self.packs
    }

    /// Whether the folder has packs.
    pub fn is_packed(&self) -> bool {
        self.packs.folder().is_dir()
    }

    /// Whether a session has begun: it has a folder or is in a pack.
    pub fn has_session(&self, name: &str) -> bool {
        self.packs.find_pack(name).is_some() || self.session_folder(name).is_dir() || self.is_packed_since(name)
    }

    /// A file of a session, in its pack or in its folder.
    pub fn session_file(&self, part: SessionPart, name: &str) -> SessionFile {
        match self.packs.find_pack(name) {
            Some(number) => SessionFile::in_pack(&self.packs, part, name, number),
            None => {
                let loose = self.session_folder(name).join(part.file_name());
                match self._lock.is_none() && !loose.exists() && self.is_packed_since(name) {
                    true => self.session_file(part, name),
                    false => loose.into(),
                }
            }
        }
    }

    /// Whether another process packed a session since the packs were listed.
    fn is_packed_since(&self, name: &str) -> bool {
        if self._lock.is_some() {
            return false;
        }
        self.packs.refresh();
        self.packs.find_pack(name).is_some()
    }

    /// A session's minutes.
    pub fn minutes(&self, name: &str) -> SessionFile {
        self.session_file(SessionPart::Minutes, name)
    }

    /// A session's call record.
    pub fn calls(&self, name: &str) -> SessionFile {
        self.session_file(SessionPart::Calls, name)
    }

    /// The names of all sessions that have begun, loose or packed, sorted.
    ///
    /// # Errors
    /// When a folder cannot be listed, or a pack is damaged.
    pub fn session_names(&self) -> Result<Vec<String>, FileError> {
        // List folders first, so that a session that is packed meanwhile is not missed.
        let mut names = self.loose_names()?;
        if self.is_packed() {
            names.extend(self.packs.session_names()?);
            names.sort();
            names.dedup();
        }
        Ok(names)
    }

    /// The names of the session folders, sorted. Links out of the results folder are skipped.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn loose_names(&self) -> Result<Vec<String>, FileError> {
        let path = self.root.join("sessions");
        let place = |name: &str| format!("sessions/{name}");
        let list = || -> io::Result<Vec<String>> {
            let mut names = Vec::new();
            for entry in fs::read_dir(&path)? {
                let entry = entry?;
                let (kind, name) = (entry.file_type()?, entry.file_name().to_string_lossy().into_owned());
                let leads_in = || entry.path().is_dir() && containment::on_the_way(&self.root, &place(&name)).is_none();
                if kind.is_dir() || kind.is_symlink() && leads_in() {
                    names.push(name);
                }
            }
            names.sort();
            Ok(names)
        };
        match list() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            other => other.map_err(|error| file_error(&path, &error)),
        }
    }

    /// The lock file, which each run writes anew when it begins.
    pub fn lock_path(&self) -> PathBuf {
        self.root.join(LOCK)
    }

    /// Whether a run is writing to the folder. Releases the lock at once.
    pub fn is_written_to(&self) -> bool {
        let lock = open_file(&self.lock_path());
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// A session's `run.json`; `None` if it is missing or this version cannot read it.
    pub fn run_file(&self, name: &str) -> Option<RunFile> {
        parse_run_file(&self.session_file(SessionPart::Run, name))
    }

    /// Why the `run.json` of a packed session cannot be read; `None` if it can or the session is not packed.
    pub fn run_file_error(&self, name: &str) -> Option<FileError> {
        self.packs.find_pack(name)?;
        let run = self.session_file(SessionPart::Run, name);
        run.open().err().map(|error| file_error(run.path(), &error))
    }

    /// Whether a session is complete: its `run.json` says so, for this plan, and the minutes have the recorded length.
    pub fn is_complete(&self, name: &str, plan: &Digest) -> bool {
        let Some(run) = self.run_file(name) else { return false };
        let bytes = self.minutes(name).length();
        run.status == RunStatus::Completed
            && run.plan_digest == *plan
            && bytes.is_ok_and(|bytes| bytes == run.minutes_bytes)
    }

    /// The format of a session's minutes, from their first line; `None` if it has none.
    pub fn minutes_format(&self, name: &str) -> Option<u32> {
        let mut line = String::new();
        let file = self.minutes(name).open().ok()?;
        io::BufReader::new(file.take(FIRST_LINE_BYTES_MAX)).read_line(&mut line).ok()?;
        let first: serde_json::Value = serde_json::from_str(&line).ok()?;
        first["event"]["Convened"]["format"].as_u64()?.try_into().ok()
    }

    /// Writes a session's `run.json`. A new file is written directly, because a rename takes as long as the rest of a short
    /// session. A truncated file is ignored, and the session is resumed.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_run_file(&self, name: &str, run: &RunFile) -> Result<(), FileError> {
        let path = self.session_folder(name).join("run.json");
        let text = indented_json(run);
        match File::create_new(&path) {
            Ok(mut file) => file.write_all(&text).map_err(|error| file_error(&path, &error)),
            Err(_) => write_whole(&path, &text),
        }
    }
}

/// The `run.json` in a session's folder; `None` if it is missing or this version cannot read it.
pub fn run_file_in(session: &Path) -> Option<RunFile> {
    parse_run_file(&session.join("run.json").into())
}

fn parse_run_file(file: &SessionFile) -> Option<RunFile> {
    let opened = file.open().ok()?;
    let is_short = opened.length().ok()? <= RUN_FILE_BYTES_MAX;
    serde_json::from_slice(&is_short.then(|| opened.read_whole().ok())??).ok()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CleanDepth {
    /// Only its own files.
    Flat,
    /// Its subfolders, too.
    All,
}

/// Removes a folder's unfinished files, which a kill leaves behind. A missing folder is no error.
fn forget_unfinished(folder: &Path, depth: CleanDepth) -> Result<(), FileError> {
    for path in list_folder(folder)? {
        let begins = |with: &str| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(with));
        if staging::is_staging(&path) {
            continue;
        } else if begins(UNFINISHED) {
            remove_file(&path)?;
        } else if depth == CleanDepth::All && !begins(".") && path.is_dir() {
            forget_unfinished(&path, depth)?;
        }
    }
    Ok(())
}
