//! A session's minutes, followed as they grow: whole lines alone, each once. A line that is torn is waited for.
//!
//! What a line means is not looked at here, and nothing is ever written.

use std::fs::Metadata;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use crate::store::files::{FileError, file_error, open_file};
use crate::store::results::ResultsFolder;
use crate::store::session_file::OpenSessionFile;
use crate::store::strays::{self, Stray};

/// No record is longer: a line that is has no end.
pub(super) const LINE_BYTES_MAX: usize = 64 << 20;

/// Stands for all lines up to one: minutes that have the same are the same up to there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Check(pub u32);

/// No disk has this number.
const PACKED: u64 = u64::MAX;

/// Which file lies at a path; another one that is put there has another identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity(u64, u64);

impl FileIdentity {
    /// Of a session that is in a pack.
    pub fn for_packed(name: &str) -> Self {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&blake3::hash(name.as_bytes()).as_bytes()[..8]);
        Self(PACKED, u64::from_le_bytes(bytes))
    }

    /// Whether it is of a session that is in a pack.
    pub fn is_packed(self) -> bool {
        self.0 == PACKED
    }

    /// Of a folder in a list, by its number there.
    #[cfg(unix)]
    pub fn from_entry_number(number: u64) -> Self {
        Self(0, number)
    }

    /// Of what lies somewhere.
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

/// A whole line of minutes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailLine {
    /// How many lines stand before it.
    pub place: u64,
    /// The line without its end.
    pub bytes: Vec<u8>,
    /// What stands for it and all before it.
    pub check: Check,
}

/// What a look at the minutes found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TailLook {
    /// The next lines, in their order; none when nothing was added.
    Lines(Vec<TailLine>),
    /// Other minutes lie there than were read before: they are read from their first line on.
    Others,
    /// The minutes that were read before are no longer there.
    Gone,
}

/// How far a session's minutes were read.
#[derive(Debug)]
pub struct Tail {
    /// The experiment's folder, and the minutes' path in it.
    place: (Arc<ResultsFolder>, String),
    identity: Option<FileIdentity>,
    lines: u64,
    offset: u64,
    hasher: blake3::Hasher,
}

impl Tail {
    /// Before the first line of the minutes that have this path in an experiment's folder.
    pub fn new(place: (Arc<ResultsFolder>, String)) -> Self {
        Self { place, identity: None, lines: 0, offset: 0, hasher: blake3::Hasher::new() }
    }

    /// Behind the last of so many lines, each of which is seen once more; `None` where these are not the lines that were read then.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
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

    /// How many bytes were read.
    pub fn bytes_read(&self) -> u64 {
        self.offset
    }

    /// What stands for all that was read.
    pub fn check(&self) -> Check {
        let digest = self.hasher.finalize();
        let [a, b, c, d, ..] = *digest.as_bytes();
        Check(u32::from_be_bytes([a, b, c, d]))
    }

    /// Reads on: whole lines of about so many bytes, and at least one where there is one.
    ///
    /// # Errors
    /// When the file is there and cannot be read, or a line has no end.
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

    /// Whether a file begins with what was read.
    fn is_behind(&self, file: &mut OpenSessionFile) -> io::Result<bool> {
        let mut hasher = blake3::Hasher::new();
        file.rewind()?;
        hasher.update_reader(file.take(self.offset))?;
        Ok(hasher.finalize() == self.hasher.finalize())
    }

    /// What follows, at most so many bytes.
    fn read_block(&self, file: &mut OpenSessionFile, wanted: usize) -> io::Result<Vec<u8>> {
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.take(wanted as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The whole lines of what follows.
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

/// Why a file of a folder is not read, with its path in the folder: where that lies on this machine is nobody's business.
#[derive(Debug, thiserror::Error)]
pub enum FolderReadError {
    /// It is no part of the folder.
    #[error("{0}")]
    Outside(Stray),
    /// It cannot be read now.
    #[error(transparent)]
    File(#[from] FileError),
}

/// An open file of a folder.
pub(super) struct FoundFile {
    /// The file.
    pub file: OpenSessionFile,
    /// How long it is.
    pub length: u64,
    /// Which it is.
    pub identity: FileIdentity,
}

/// A file of a folder, by its path in it, also where its session was packed since; `None` where there is none. What is no part of the
/// folder is not opened.
pub(super) fn open_part(folder: &ResultsFolder, part: &str) -> Result<Option<FoundFile>, FolderReadError> {
    if let Some(stray) = strays::on_the_way(folder.root(), part) {
        return Err(FolderReadError::Outside(stray));
    }
    let fail = |error: io::Error| file_error(Path::new(part), &error);
    match open_file(&folder.root().join(part)).and_then(|file| Ok((file.metadata()?, file))) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let Some(name) = part.strip_prefix("sessions/").and_then(|rest| rest.strip_suffix("/minutes.jsonl")) else {
                return Ok(None);
            };
            let minutes = folder.minutes(name);
            if minutes.is_loose() || !minutes.exists() {
                return Ok(None);
            }
            let file = minutes.open().map_err(fail)?;
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
