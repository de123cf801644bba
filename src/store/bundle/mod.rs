//! `export --format bundle`: an archive with which a reviewer can check and repeat an experiment offline.
//!
//! Equal files give equal bytes: entries are sorted and carry no time, owner or local path. Each file is read twice, first
//! for the list of digests and then for the archive. The export fails if a file changes in between. [`result_entries`]
//! selects the files.

mod results;
mod texts;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

pub use results::{BundleError, left_out, result_entries};
pub use texts::{BundleFacts, Program, Wholeness, render_again_script, render_readme};

use crate::domain::Digest;
use crate::store::files::{FileError, file_error};
use crate::store::session_file::SessionFile;

/// The file that lists the digests.
pub const MANIFEST: &str = "MANIFEST";

/// The file that lists SHA-256 sums, in the form that `sha256sum` and `shasum` check.
pub const SUMS: &str = "SHA256SUMS";

/// A file of a bundle.
#[derive(Debug, Clone)]
pub struct BundleEntry {
    /// Its path in the bundle, with `/` between names.
    pub path: String,
    /// The source of its bytes.
    pub from: BundleSource,
    /// Whether it is executable.
    pub mode: BundleMode,
}

/// The source of a file's bytes.
#[derive(Debug, Clone)]
pub enum BundleSource {
    /// A file on disk or in a session.
    Disk(SessionFile),
    /// A text made for the bundle.
    Text(String),
}

/// Whether a file is executable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BundleMode {
    /// Not executable.
    Data,
    /// Executable.
    Program,
}

impl BundleEntry {
    /// A file that is not executable.
    pub fn from_file(path: impl Into<String>, file: impl Into<SessionFile>) -> Self {
        Self { path: path.into(), from: BundleSource::Disk(file.into()), mode: BundleMode::Data }
    }

    /// A text that is not executable.
    pub fn from_text(path: impl Into<String>, text: String) -> Self {
        Self { path: path.into(), from: BundleSource::Text(text), mode: BundleMode::Data }
    }

    /// Makes the entry executable.
    #[must_use]
    pub fn into_program(self) -> Self {
        Self { mode: BundleMode::Program, ..self }
    }

    fn open(&self) -> Result<Box<dyn Read + '_>, FileError> {
        match &self.from {
            BundleSource::Disk(file) => match file.open() {
                Ok(opened) => Ok(Box::new(opened)),
                Err(error) => Err(file_error(file.path(), &error)),
            },
            BundleSource::Text(text) => Ok(Box::new(text.as_bytes())),
        }
    }

    fn to_file_error(&self, error: &io::Error) -> FileError {
        match &self.from {
            BundleSource::Disk(file) => file_error(file.path(), error),
            BundleSource::Text(_) => file_error(Path::new(&self.path), error),
        }
    }

    /// Reads the file to measure it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn measure(&self) -> Result<FileMeasure, FileError> {
        let mut measured = MeasuredReader::new(self.open()?);
        io::copy(&mut measured, &mut io::sink()).map_err(|error| self.to_file_error(&error))?;
        Ok(measured.into_measure())
    }
}

/// The length and digests of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileMeasure {
    /// The length in bytes.
    pub bytes: u64,
    /// The BLAKE3 digest.
    pub digest: Digest,
    /// The SHA-256 sum, as 64 hexadecimal digits.
    pub sum: String,
}

/// Measures a file while it is read.
struct MeasuredReader<R> {
    from: R,
    bytes: u64,
    hasher: blake3::Hasher,
    sum: Sha256,
}

impl<R> MeasuredReader<R> {
    fn new(from: R) -> Self {
        Self { from, bytes: 0, hasher: blake3::Hasher::new(), sum: Sha256::new() }
    }

    fn into_measure(self) -> FileMeasure {
        let sum = self.sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        FileMeasure { bytes: self.bytes, digest: Digest::from(self.hasher.finalize()), sum }
    }
}

impl<R: Read> Read for MeasuredReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        self.sum.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Writes an archive with one folder, `name`: these files and the two lists. Calls `told` with the path of each added file.
///
/// # Errors
/// When a file cannot be read or changes meanwhile, or the archive cannot be written.
pub fn write_archive(
    name: &str,
    mut entries: Vec<BundleEntry>,
    out: &Path,
    into: &mut File,
    mut told: impl FnMut(&str),
) -> Result<(), FileError> {
    let unwritable = |error: &io::Error| file_error(out, error);
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let measured = entries.iter().map(BundleEntry::measure).collect::<Result<Vec<_>, _>>()?;
    let mut all: Vec<(BundleEntry, FileMeasure)> = entries.into_iter().zip(measured).collect();
    let line = |(entry, measure): &(BundleEntry, FileMeasure)| {
        format!("{} {} {}\n", measure.digest, measure.bytes, entry.path)
    };
    let manifest = all.iter().map(line).collect();
    insert_entry(&mut all, BundleEntry::from_text(MANIFEST, manifest))?;
    let line = |(entry, measure): &(BundleEntry, FileMeasure)| format!("{}  {}\n", measure.sum, entry.path);
    let sums = all.iter().map(line).collect();
    insert_entry(&mut all, BundleEntry::from_text(SUMS, sums))?;
    let gzip = GzEncoder::new(BufWriter::new(into), Compression::default());
    let mut archive = tar::Builder::new(gzip);
    for (entry, measure) in &all {
        let mut header = tar::Header::new_gnu();
        header.set_size(measure.bytes);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mode(match entry.mode {
            BundleMode::Data => 0o644,
            BundleMode::Program => 0o755,
        });
        let mut reading = MeasuredReader::new(entry.open()?.take(measure.bytes));
        let path = format!("{name}/{}", entry.path);
        archive.append_data(&mut header, path, &mut reading).map_err(|error| unwritable(&error))?;
        if reading.into_measure() != *measure {
            return Err(entry.to_file_error(&io::Error::other("changed while it was read")));
        }
        told(&entry.path);
    }
    let gzip = archive.into_inner().map_err(|error| unwritable(&error))?;
    let mut rest = gzip.finish().map_err(|error| unwritable(&error))?;
    rest.flush().map_err(|error| unwritable(&error))
}

/// Inserts a file into a list sorted by path.
fn insert_entry(all: &mut Vec<(BundleEntry, FileMeasure)>, entry: BundleEntry) -> Result<(), FileError> {
    let measure = entry.measure()?;
    let place = all.partition_point(|(other, _)| other.path < entry.path);
    all.insert(place, (entry, measure));
    Ok(())
}
