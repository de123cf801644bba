//! Follows a session's minutes as they grow, by complete lines. An incomplete last line is read later.

use std::fs::Metadata;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use crate::store::containment::{self, Stray};
use crate::store::files::{FileError, file_error, open_file};
use crate::store::results::ResultsFolder;
use crate::store::session_file::OpenSessionFile;

/// The maximum length of a record. A longer line is an error.
pub(super) const LINE_BYTES_MAX: usize = 64 << 20;

/// A digest of all lines up to a position. Equal checks mean equal minutes up to there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Check(pub u32);

/// A device number that no disk has.
const PACKED: u64 = u64::MAX;

/// Identifies a file by device and inode, or by creation time outside Unix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity(u64, u64);

impl FileIdentity {
    /// For a packed session.
    pub fn for_packed(name: &str) -> Self {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..8]);
        Self(PACKED, u64::from_le_bytes(bytes))
    }

    /// Whether it is for a packed session.
    pub fn is_packed(self) -> bool {
        self.0 == PACKED
    }

    /// For a folder in a listing, by its inode.
    #[cfg(unix)]
    pub fn from_entry_number(number: u64) -> Self {
        Self(0, number)
    }

    /// For an existing file or folder.
    pub fn from_metadata(found: &Metadata) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Self(found.dev(), found.ino())
        }
        #[cfg(not(unix))]
        {
            let made = found.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
            Self(0, made.map_or(0, |since| since.as_nanos() as u64))
        }
    }
}

/// A complete line of minutes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailLine {
    /// The number of lines before it.
    pub place: u64,
    /// The line without its end.
    pub bytes: Vec<u8>,
    /// The check after this line.
    pub check: Check,
}

/// The result of reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TailLook {
    /// The next lines in order; empty if nothing was added.
    Lines(Vec<TailLine>),
    /// Other minutes replaced those read before; reading restarts at their first line.
    Others,
    /// The minutes no longer exist.
    Gone,
}

/// The reading position in a session's minutes.
#[derive(Debug)]
pub struct Tail {
    /// The experiment's folder, and the path of the minutes in it.
    place: (Arc<ResultsFolder>, String),
    identity: Option<FileIdentity>,
    lines: u64,
    offset: u64,
    hasher: blake3::Hasher,
}

impl Tail {
    /// Starts before the first line; the path is relative to the experiment's folder.
    pub fn new(place: (Arc<ResultsFolder>, String)) -> Self {
        Self { place, identity: None, lines: 0, offset: 0, hasher: blake3::Hasher::new() }
    }

    /// Starts after `lines` lines, and passes each to `seen`; `None` if lines are missing or their check differs.
    ///
    /// # Errors
    /// If the file exists but cannot be read.
    pub fn resume_after(
        place: (Arc<ResultsFolder>, String),
        (lines, check): (u64, Check),
        mut seen: impl FnMut(&TailLine),
    ) -> Result<Option<Self>, FolderReadError> {
        const AT_ONCE: usize = 1 << 20;
        let mut tail = Self::new(place);
        while tail.lines < lines {
            let before = tail.lines;
            match tail.read_bounded(AT_ONCE, lines - before)? {
                TailLook::Lines(read) => read.iter().for_each(&mut seen),
                TailLook::Others | TailLook::Gone => return Ok(None),
            }
            if tail.lines == before {
                return Ok(None);
            }
        }
        Ok((lines == 0 || tail.check() == check).then_some(tail))
    }

    /// The number of bytes read.
    pub fn bytes_read(&self) -> u64 {
        self.offset
    }

    /// The check of all lines read.
    pub fn check(&self) -> Check {
        let digest = self.hasher.finalize();
        let [a, b, c, d, ..] = *digest.as_bytes();
        Check(u32::from_be_bytes([a, b, c, d]))
    }

    /// Reads complete lines of about `bytes_max` bytes, and at least one if there is one.
    ///
    /// # Errors
    /// If the file exists but cannot be read, or a line is too long.
    pub fn read_lines(&mut self, bytes_max: usize) -> Result<TailLook, FolderReadError> {
        self.read_bounded(bytes_max, u64::MAX)
    }

    fn read_bounded(&mut self, bytes_max: usize, lines_max: u64) -> Result<TailLook, FolderReadError> {
        let Some(FoundFile { mut file, length, identity }) = open_part(&self.place.0, &self.place.1)? else {
            return Ok(if self.identity.is_some() {
                self.begin_again(TailLook::Gone)
            } else {
                TailLook::Lines(Vec::new())
            });
        };
        let is_other = self.identity.is_some_and(|before| before != identity);
        let unread = |error| file_error(Path::new(&self.place.1), &error);
        let is_packed_since = is_other && identity.is_packed() && self.is_behind(&mut file).map_err(unread)?;
        if length < self.offset || is_other && !is_packed_since {
            return Ok(self.begin_again(TailLook::Others));
        }
        self.identity = Some(identity);
        let mut wanted = bytes_max.max(1);
        loop {
            let bytes =
                self.read_block(&mut file, wanted).map_err(|error| file_error(Path::new(&self.place.1), &error))?;
            if bytes.contains(&b'\n') {
                return Ok(TailLook::Lines(self.split_lines(&bytes, lines_max)));
            }
            if bytes.len() < wanted {
                return Ok(TailLook::Lines(Vec::new()));
            }
            if wanted >= LINE_BYTES_MAX {
                let reason = format!("line {} is longer than {LINE_BYTES_MAX} bytes", self.lines + 1);
                return Err(FileError { path: self.place.1.clone().into(), reason }.into());
            }
            wanted *= 4;
        }
    }

    /// Whether a file begins with the bytes read so far.
    fn is_behind(&self, file: &mut OpenSessionFile) -> io::Result<bool> {
        let mut hasher = blake3::Hasher::new();
        file.rewind()?;
        hasher.update_reader(file.take(self.offset))?;
        Ok(hasher.finalize() == self.hasher.finalize())
    }

    fn read_block(&self, file: &mut OpenSessionFile, wanted: usize) -> io::Result<Vec<u8>> {
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.take(wanted as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn split_lines(&mut self, bytes: &[u8], lines_max: u64) -> Vec<TailLine> {
        let mut lines = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let Some(text) = line.strip_suffix(b"\n").filter(|_| (lines.len() as u64) < lines_max) else { break };
            self.hasher.update(line);
            lines.push(TailLine { place: self.lines, bytes: text.to_vec(), check: self.check() });
            self.lines += 1;
            self.offset += line.len() as u64;
        }
        lines
    }

    fn begin_again(&mut self, look: TailLook) -> TailLook {
        *self = Self::new(self.place.clone());
        look
    }
}

/// Why a file of a folder cannot be read. Messages show its path in the folder only, not the location on this machine.
#[derive(Debug, thiserror::Error)]
pub enum FolderReadError {
    /// The file lies outside the folder.
    #[error("{0}")]
    Outside(Stray),
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// An open file of a folder.
pub(super) struct FoundFile {
    /// The file.
    pub file: OpenSessionFile,
    /// The length in bytes.
    pub length: u64,
    /// The identity.
    pub identity: FileIdentity,
}

/// Opens a file by its path in the folder, also in a pack; `None` if it does not exist. Files outside the folder are not opened.
pub(super) fn open_part(folder: &ResultsFolder, part: &str) -> Result<Option<FoundFile>, FolderReadError> {
    if let Some(stray) = containment::on_the_way(folder.root(), part) {
        return Err(FolderReadError::Outside(stray));
    }
    let fail = |error: io::Error| file_error(Path::new(part), &error);
    match open_file(&folder.root().join(part)).and_then(|file| Ok((file.metadata()?, file))) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let packed = match part.strip_prefix("sessions/").and_then(|rest| rest.split_once('/')) {
                Some((name, "minutes.jsonl")) => Some((name, folder.minutes(name))),
                Some((name, "calls.jsonl")) => Some((name, folder.calls(name))),
                _ => None,
            };
            let Some((name, packed)) = packed.filter(|(_, packed)| !packed.is_loose() && packed.exists()) else {
                return Ok(None);
            };
            let file = packed.open().map_err(fail)?;
            Ok(Some(FoundFile { length: file.length().map_err(fail)?, file, identity: FileIdentity::for_packed(name) }))
        }
        opened => {
            let (found, file) = opened.map_err(fail)?;
            Ok(Some(FoundFile {
                file: OpenSessionFile::Loose(file),
                length: found.len(),
                identity: FileIdentity::from_metadata(&found),
            }))
        }
    }
}

#[cfg(test)]
mod tests;
