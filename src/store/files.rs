//! Files: read whole, written whole or not at all, and errors that name them.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::store::places::UNFINISHED;

/// A file or folder that could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

/// Opens a file to read it. A pipe would be waited for, and a device may never end: those are refused.
///
/// # Errors
/// What the operating system says, or that it is no file.
pub fn open_file(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "this is a folder, a pipe or a device, not a file")),
    }
}

/// Reads a file whole that [`open_file`] opens.
///
/// # Errors
/// What the operating system says, or that it is no file.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a value as JSON with line breaks, whole or not at all, without its text in memory.
///
/// # Errors
/// When it cannot be written.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), FileError> {
    write_with(path, |file| {
        let mut out = io::BufWriter::new(file);
        serde_json::to_writer_pretty(&mut out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    })
}

/// Writes a file whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_with(path, |file| file.write_all(bytes))
}

fn write_with(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), FileError> {
    let write = || -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let begin = || tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder);
        let begun = begin().or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => fs::create_dir_all(folder).and_then(|()| begin()),
            _ => Err(error),
        });
        let mut file = begun?;
        // The file itself: errors of the library's wrapper name the passing name, too.
        fill(file.as_file_mut())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
        }
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| file_error(path, &error))
}

/// Names the file that an error of the operating system is about.
pub fn file_error(path: &Path, error: &io::Error) -> FileError {
    FileError { path: path.to_owned(), reason: in_words(error) }
}

/// An error of the operating system, and where a disk or a limit is full what to do.
pub fn in_words(error: &io::Error) -> String {
    let way_out = match error.kind() {
        io::ErrorKind::StorageFull => "; make room on that disk",
        io::ErrorKind::QuotaExceeded => "; make room within the quota",
        io::ErrorKind::FileTooLarge => "; raise the limit on the size of files (ulimit -f)",
        _ => "",
    };
    format!("{error}{way_out}")
}
