//! A results folder: where everything of an experiment lies, and who may write to it.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::Digest;
use crate::store::files::{FileError, file_error, open_file, write_whole};
use crate::store::packs::{SessionPacks, discard_duplicates};
use crate::store::places::{PACKS, SessionPart, UNFINISHED};
use crate::store::session_file::SessionFile;
use crate::store::{staging, strays};

/// The file that a run holds while it writes.
const LOCK: &str = ".lock";
/// A `run.json` is far shorter; what is longer is none.
const RUN_FILE_BYTES_MAX: u64 = 1 << 20;
/// A longer first line of minutes is not read: what it tells of models' windows and forms grows with their number alone.
const FIRST_LINE_BYTES_MAX: u64 = 1 << 20;

/// An experiment's folder.
#[derive(Debug)]
pub struct ResultsFolder {
    root: PathBuf,
    packs: Arc<SessionPacks>,
    /// Held while the folder is written to.
    _lock: Option<File>,
}

/// `run.json`: all about a session that may differ between two equal runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFile {
    /// The version of the engine that wrote the session.
    pub ekklesia: String,
    /// How far it came.
    pub status: RunStatus,
    /// Why it stopped; absent when it completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The kind of failure in one word; absent unless it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// When it was last taken up, in milliseconds since 1970.
    pub started_unix_ms: u64,
    /// How long that took.
    pub wall_ms: u64,
    /// The kind of machine.
    pub host: String,
    /// The digest of the session's own plan.
    pub plan_digest: Digest,
    /// The digest of the minutes as far as they go.
    pub minutes_digest: Digest,
    /// Their length in bytes.
    pub minutes_bytes: u64,
    /// Their records.
    pub records: u64,
    /// Calls made to models when the session was last taken up.
    pub calls_made: u64,
    /// Answers taken from the record of calls when the session was last taken up.
    pub calls_served: u64,
    /// Calls of models that the session's record holds: all that were ever made for it. What a person typed is none.
    #[serde(default)]
    pub calls_recorded: u64,
    /// The versions of the servers that models were called at, by the models' names in the config, where a server told one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server_versions: BTreeMap<String, String>,
    /// The parent of a fork: its folder's name, and the digest of its minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent>,
}

/// Where a fork comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parent {
    /// The parent session's name.
    pub session: String,
    /// The digest of its minutes.
    pub minutes_digest: Digest,
}

/// How far a session came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// To its end.
    Completed,
    /// Not to its end; running it again resumes it.
    Incomplete,
    /// It cannot go on as it is planned.
    Failed,
}

impl ResultsFolder {
    /// Opens a folder to write to it, and keeps other runs out of it.
    ///
    /// # Errors
    /// When it cannot be made or written to, another run holds it, or a part of it lies elsewhere.
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

    /// The same folder, in which no run can write while this is kept.
    ///
    /// # Errors
    /// When a run is writing to it.
    pub fn keep_runs_out(self) -> Result<Self, FileError> {
        // A folder that lost its lock has no run.
        let Ok(lock) = open_file(&self.root.join(LOCK)) else { return Ok(self) };
        match lock.try_lock_shared() {
            Ok(()) => Ok(Self { _lock: Some(lock), ..self }),
            Err(TryLockError::WouldBlock) => {
                Err(FileError { path: self.root, reason: "a run is still writing to this folder".to_owned() })
            }
            Err(TryLockError::Error(error)) => Err(file_error(&self.root.join(LOCK), &error)),
        }
    }

    /// Makes a session's folder, or clears the one that is there of files that a kill left unfinished.
    ///
    /// # Errors
    /// When it cannot be made or cleared.
    pub fn make_session(&self, name: &str) -> Result<(), FileError> {
        let folder = self.session_folder(name);
        if folder.is_dir() {
            return forget_unfinished(&folder, CleanDepth::Flat);
        }
        fs::create_dir_all(&folder).map_err(|error| file_error(&folder, &error))
    }

    /// A file in a folder that no run left there, when the folder holds no experiment yet; `None` when it may be written to.
    ///
    /// # Errors
    /// When the folder is there and cannot be listed.
    pub fn find_foreign_file(root: &Path) -> Result<Option<String>, FileError> {
        if root.join("inputs/config.yaml").exists() {
            return Ok(None);
        }
        let entries = match fs::read_dir(root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            entries => entries.map_err(|error| file_error(root, &error))?,
        };
        for entry in entries {
            let name = entry.map_err(|error| file_error(root, &error))?.file_name().to_string_lossy().into_owned();
            if !["inputs", "sessions", "plan.yaml", ".lock"].contains(&name.as_str()) && !name.starts_with(UNFINISHED) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// Looks at a folder without writing to it, all of which lies in it; of its sessions only the one that is named, where one is.
    ///
    /// # Errors
    /// Where a link in it leads out of it, or something in it is no file.
    pub fn open_for_reading(root: &Path, only: Option<&str>) -> Result<Self, FileError> {
        let stray = match only {
            Some(session) => strays::in_the_way(root, session),
            None => strays::find_all_strays(root).into_iter().next(),
        };
        stray.map_or_else(|| Ok(Self::open_unchecked(root)), |stray| Err(stray.to_file_error(root)))
    }

    /// Looks at a folder of which what is no part of it is left out one by one.
    pub fn open_unchecked(root: &Path) -> Self {
        Self { root: root.to_owned(), packs: Arc::new(SessionPacks::new(root)), _lock: None }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A session's folder.
    pub fn session_folder(&self, name: &str) -> PathBuf {
        self.root.join("sessions").join(name)
    }

    /// Where attempts that failed lie, of sessions that were run again.
    pub fn failed_folder(&self) -> PathBuf {
        self.root.join("failed")
    }

    /// The packs of the folder.
    pub fn packs(&self) -> &SessionPacks {
        &self.packs
    }

    /// Whether complete sessions are kept in packs.
    pub fn is_packed(&self) -> bool {
        self.packs.has_folder()
    }

    /// Whether a session has begun: it is in a pack, or has a folder.
    pub fn has_session(&self, name: &str) -> bool {
        self.packs.find_pack(name).is_some() || self.session_folder(name).is_dir() || self.is_packed_since(name)
    }

    /// A file of a session, in its pack or else in its folder.
    pub fn session_file(&self, part: SessionPart, name: &str) -> SessionFile {
        match self.packs.find_pack(name) {
            Some(number) => self.packed_file(part, name, number),
            None => {
                let loose = self.session_folder(name).join(part.file_name());
                match self._lock.is_none() && !loose.exists() && self.is_packed_since(name) {
                    true => self.session_file(part, name),
                    false => loose.into(),
                }
            }
        }
    }

    fn packed_file(&self, part: SessionPart, name: &str, number: u32) -> SessionFile {
        let mut path = self.packs.file_path(part, number).into_os_string();
        path.push(format!("#{name}"));
        let path = PathBuf::from(path);
        match self.packs.cached_file(part, number) {
            Err(error) => SessionFile::in_damaged_pack(path, error.reason),
            Ok(None) => SessionFile::missing_in_pack(path),
            Ok(Some(pack)) => match pack.find_entry(name).cloned() {
                Some(entry) => SessionFile::in_pack(path, Arc::clone(&self.packs), pack, entry),
                None => SessionFile::missing_in_pack(path),
            },
        }
    }

    /// Whether another process packed a session since the packs were looked at.
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

    /// A session's recorded model calls.
    pub fn calls(&self, name: &str) -> SessionFile {
        self.session_file(SessionPart::Calls, name)
    }

    /// The names of all sessions that have begun, in packs or in folders of their own, sorted.
    ///
    /// # Errors
    /// When a folder cannot be listed, or a pack is damaged.
    pub fn session_names(&self) -> Result<Vec<String>, FileError> {
        // In this order, no session is missed that is packed meanwhile.
        let mut names = self.loose_names()?;
        if self.is_packed() {
            names.extend(self.packs.session_names()?);
            names.sort();
            names.dedup();
        }
        Ok(names)
    }

    /// The names of the session folders, sorted. A link out of this folder is none.
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
                let leads_in = || entry.path().is_dir() && strays::on_the_way(&self.root, &place(&name)).is_none();
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

    /// Whether a run writes to the folder at this moment.
    pub fn is_written_to(&self) -> bool {
        is_written_to(&self.root)
    }

    /// What is known of a session's last run; `None` when nothing is, or not in this version's form.
    pub fn run_file(&self, name: &str) -> Option<RunFile> {
        parse_run_file(&self.session_file(SessionPart::Run, name))
    }

    /// Why the account of a packed session's last run cannot be read; `None` where it can, or where the session is not packed.
    pub fn run_file_error(&self, name: &str) -> Option<FileError> {
        self.packs.find_pack(name)?;
        let run = self.session_file(SessionPart::Run, name);
        run.open().err().map(|error| file_error(run.path(), &error))
    }

    /// Whether a session is complete: its last run said so, of this plan, and the minutes are as long as they were then.
    pub fn is_complete(&self, name: &str, plan: &Digest) -> bool {
        let Some(run) = self.run_file(name) else { return false };
        let bytes = self.minutes(name).length();
        run.status == RunStatus::Completed
            && run.plan_digest == *plan
            && bytes.is_ok_and(|bytes| bytes == run.minutes_bytes)
    }

    /// The format of a session's minutes, as their first line says; `None` where it says none.
    pub fn minutes_format(&self, name: &str) -> Option<u32> {
        let mut line = String::new();
        let file = self.minutes(name).open().ok()?;
        io::BufReader::new(file.take(FIRST_LINE_BYTES_MAX)).read_line(&mut line).ok()?;
        let first: serde_json::Value = serde_json::from_str(&line).ok()?;
        first["event"]["SessionConvened"]["format"].as_u64()?.try_into().ok()
    }

    /// Writes `run.json` of a session. A new one needs no passing name, which takes as long as the rest of a short session: one that
    /// is cut off says nothing, and the session is resumed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_run_file(&self, name: &str, run: &RunFile) -> Result<(), FileError> {
        let path = self.session_folder(name).join("run.json");
        let mut text = serde_json::to_vec_pretty(run).expect("invariant: a run file has a JSON form");
        text.push(b'\n');
        match File::create_new(&path) {
            Ok(mut file) => file.write_all(&text).map_err(|error| file_error(&path, &error)),
            Err(_) => write_whole(&path, &text),
        }
    }
}

/// Whether a run writes to this folder at this moment. A lock that is got is given back at once.
pub fn is_written_to(root: &Path) -> bool {
    let lock = open_file(&root.join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// What is known of the last run of a session that lies in this folder; `None` when nothing is, or not in this version's form.
pub fn run_file_in(session: &Path) -> Option<RunFile> {
    parse_run_file(&session.join("run.json").into())
}

fn parse_run_file(file: &SessionFile) -> Option<RunFile> {
    let opened = file.open().ok()?;
    let is_short = opened.length().ok()? <= RUN_FILE_BYTES_MAX;
    serde_json::from_slice(&is_short.then(|| opened.read_whole().ok())??).ok()
}

/// How deep a folder is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CleanDepth {
    /// Its own files.
    Flat,
    /// Those of its folders too.
    All,
}

/// Removes the files of a folder that a kill left unfinished. A folder that is not there has none.
fn forget_unfinished(folder: &Path, depth: CleanDepth) -> Result<(), FileError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|error| file_error(folder, &error))?,
    };
    for entry in entries {
        let path = entry.map_err(|error| file_error(folder, &error))?.path();
        let begins = |with: &str| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(with));
        if staging::is_staging(&path) {
            continue;
        } else if begins(UNFINISHED) {
            fs::remove_file(&path).map_err(|error| file_error(&path, &error))?;
        } else if depth == CleanDepth::All && !begins(".") && path.is_dir() {
            forget_unfinished(&path, depth)?;
        }
    }
    Ok(())
}
