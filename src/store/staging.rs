//! Writes an export into a temporary folder beside its target, so that a kill leaves nothing under the target's name.
//!
//! The export holds a lock in its folder. The next export removes folders whose lock is free, which killed exports left behind.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::store::files::{FileError, file_error, list_folder};
use crate::store::places::UNFINISHED;

/// The second part of these folders' names, after [`UNFINISHED`].
const EXPORT: &str = "export-";
const LOCK: &str = ".lock";
/// The number of attempts, because another export may remove the new folder before it is locked.
const TRIES: u32 = 20;

/// An unfinished export. If it is dropped before [`Staging::publish`], it leaves nothing behind.
pub struct Staging {
    folder: tempfile::TempDir,
    lock: Option<File>,
    out: PathBuf,
    name: OsString,
}

impl Staging {
    /// Begins an export to a new path, and removes the leftovers of killed exports beside it.
    ///
    /// # Errors
    /// When the path has no file name, or nothing can be written beside it.
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

    /// The path to write to.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Moves the export to its target.
    ///
    /// # Errors
    /// When the target exists by now, or the move fails.
    pub fn publish(mut self) -> Result<(), FileError> {
        let rename = || match self.out.symlink_metadata() {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(self.path(), &self.out),
        };
        rename().map_err(|error| file_error(&self.out, &error))?;
        // Some systems cannot remove a folder with an open file.
        self.lock.take();
        self.folder.close().map_err(|error| file_error(&self.out, &error))
    }
}

/// Creates and locks a folder; `None` if another export removed it before it was locked.
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

/// Removes the leftovers of killed exports in a folder. A missing folder is no error.
///
/// # Errors
/// When the folder cannot be listed, or a leftover cannot be removed.
pub fn remove_stale(folder: &Path) -> Result<(), FileError> {
    for path in list_folder(folder)?.into_iter().filter(|path| is_staging(path) && !is_held(path)) {
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(file_error(&path, &error)),
            _ => {}
        }
    }
    Ok(())
}

/// Whether a path is the temporary folder of an export.
pub fn is_staging(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_named = name.strip_prefix(UNFINISHED).is_some_and(|rest| rest.starts_with(EXPORT));
    is_named && path.symlink_metadata().is_ok_and(|about| about.is_dir())
}

fn is_held(folder: &Path) -> bool {
    File::open(folder.join(LOCK)).is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}
