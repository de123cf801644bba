//! Where an export grows: a folder beside its target, so that a kill leaves nothing under the target's name.
//!
//! The folder holds a lock while the export lives. Folders whose lock nobody holds are what a kill left, and the next export beside
//! them removes them.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::store::files::{FileError, file_error};
use crate::store::places::UNFINISHED;

/// How the names of these folders go on after [`UNFINISHED`].
const EXPORT: &str = "export-";
/// The file that the export holds.
const LOCK: &str = ".lock";
/// How often another export may take the new folder for what a kill left.
const TRIES: u32 = 20;

/// A file or folder that grows. Dropped before [`Staging::publish`], it leaves nothing behind.
pub struct Staging {
    folder: tempfile::TempDir,
    lock: Option<File>,
    out: PathBuf,
    name: OsString,
}

impl Staging {
    /// Begins an export to a path that is not there yet, and removes what killed exports left beside it.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn begin(out: &Path) -> Result<Self, FileError> {
        let fail = |error: io::Error| file_error(out, &error);
        let name = out.file_name().ok_or_else(|| fail(io::ErrorKind::InvalidFilename.into()))?.to_owned();
        let beside = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(beside).map_err(fail)?;
        remove_stale(beside)?;
        for _ in 0..TRIES {
            if let Some((folder, lock)) = make_locked(beside).map_err(fail)? {
                return Ok(Self { folder, lock: Some(lock), out: out.to_owned(), name });
            }
        }
        Err(fail(io::ErrorKind::ResourceBusy.into()))
    }

    /// Where to write meanwhile.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Puts what was written in place.
    ///
    /// # Errors
    /// When something is there by now, or it cannot be put there.
    pub fn publish(mut self) -> Result<(), FileError> {
        let rename = || match self.out.symlink_metadata() {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(self.path(), &self.out),
        };
        rename().map_err(|error| file_error(&self.out, &error))?;
        // On some systems a folder cannot be removed while a file in it is open.
        self.lock.take();
        self.folder.close().map_err(|error| file_error(&self.out, &error))
    }
}

/// Makes a folder that holds its lock; `None` if another export took it for what a kill left before it was locked.
fn make_locked(beside: &Path) -> io::Result<Option<(tempfile::TempDir, File)>> {
    let folder = tempfile::Builder::new().prefix(&format!("{UNFINISHED}{EXPORT}")).tempdir_in(beside)?;
    let path = folder.path().join(LOCK);
    let lock = match File::create(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        lock => lock?,
    };
    match lock.try_lock() {
        Ok(()) => Ok(path.exists().then_some((folder, lock))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Removes what killed exports left in a folder; a folder that is not there has nothing of the kind.
///
/// # Errors
/// When the folder cannot be listed, or what they left cannot be removed.
pub fn remove_stale(folder: &Path) -> Result<(), FileError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|error| file_error(folder, &error))?,
    };
    for entry in entries {
        let path = entry.map_err(|error| file_error(folder, &error))?.path();
        if !is_staging(&path) || is_held(&path) {
            continue;
        }
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(file_error(&path, &error)),
            _ => {}
        }
    }
    Ok(())
}

/// Whether an export grows in a folder of this name.
pub fn is_staging(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_named = name.strip_prefix(UNFINISHED).is_some_and(|rest| rest.starts_with(EXPORT));
    is_named && path.symlink_metadata().is_ok_and(|about| about.is_dir())
}

/// Whether an export still grows in a folder.
fn is_held(folder: &Path) -> bool {
    File::open(folder.join(LOCK)).is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}
