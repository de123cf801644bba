//! Reads, writes and lists files, with errors that name the file.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tempfile::NamedTempFile;

use crate::store::places::UNFINISHED;

/// A file or folder that could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    /// The path.
    pub path: PathBuf,
    /// The reason.
    pub reason: String,
}

/// Opens a file to read it. Rejects pipes and devices, which may block or never end.
///
/// # Errors
/// The operating system's error, or that the path is not a file.
pub fn open_file(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "this is a folder, a pipe or a device, not a file")),
    }
}

/// Reads a complete file, opened with [`open_file`].
///
/// # Errors
/// The operating system's error, or that the path is not a file.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a value as indented JSON, atomically, without holding its text in memory.
///
/// # Errors
/// When the file cannot be written.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), FileError> {
    write_with(path, |file| {
        let mut out = io::BufWriter::new(file);
        serde_json::to_writer_pretty(&mut out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    })
}

/// Writes a file atomically.
///
/// # Errors
/// When the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_with(path, |file| file.write_all(bytes))
}

fn write_with(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), FileError> {
    let write = || -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let begun = begin_file(folder).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => fs::create_dir_all(folder).and_then(|()| begin_file(folder)),
            _ => Err(error),
        });
        let mut file = begun?;
        // Use the file itself: errors of the library's wrapper also name the temporary file.
        fill(file.as_file_mut())?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| file_error(path, &error))
}

/// Begins a file under a temporary name, readable for all. It is removed unless it is persisted.
///
/// # Errors
/// The operating system's error.
pub fn begin_file(folder: &Path) -> io::Result<NamedTempFile> {
    let file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    Ok(file)
}

/// A value as indented JSON with a line end.
///
/// # Panics
/// If the value has no JSON form.
pub fn indented_json(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("invariant: what is kept has a JSON form");
    text.push(b'\n');
    text
}

/// Removes a file; a missing file is no error.
///
/// # Errors
/// When the file cannot be removed.
pub fn remove_file(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(|error| file_error(path, &error)),
    }
}

/// The paths in a folder, in no particular order; none if the folder is missing.
///
/// # Errors
/// When the folder cannot be listed.
pub fn list_folder(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let list = || -> io::Result<Vec<PathBuf>> { fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect() };
    match list() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        paths => paths.map_err(|error| file_error(folder, &error)),
    }
}

/// Adds the path to an error of the operating system.
pub fn file_error(path: &Path, error: &io::Error) -> FileError {
    FileError { path: path.to_owned(), reason: in_words(error) }
}

/// Describes an error of the operating system, with a remedy if a disk, quota or size limit is exceeded.
pub fn in_words(error: &io::Error) -> String {
    let way_out = match error.kind() {
        io::ErrorKind::StorageFull => "; make room on that disk",
        io::ErrorKind::QuotaExceeded => "; make room within the quota",
        io::ErrorKind::FileTooLarge => "; raise the limit on the size of files (ulimit -f)",
        _ => "",
    };
    format!("{error}{way_out}")
}
