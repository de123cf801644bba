//! `minutes.jsonl`: compares new records with the existing lines, then appends.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::domain::{Convened, Digest, Event, FORMAT_VERSION, Record, Seq};
use crate::ports::Minutes;
use crate::store::files::{FileError, file_error, in_words};
use crate::store::session_file::{OpenSessionFile, SessionFile};

const HASHED_AT_ONCE: usize = 1 << 16;
/// Enough for a short session; thousands may run at once.
const WRITTEN_AT_ONCE: usize = 1 << 14;

/// A session's minutes on disk.
#[derive(Debug)]
pub struct MinutesFile {
    path: PathBuf,
    /// The existing lines; `None` when they are used up.
    past: Option<BufReader<Take<OpenSessionFile>>>,
    /// The total length of the existing lines.
    past_bytes: u64,
    in_past: Arc<AtomicBool>,
    /// Receives new lines; `None` in a replay.
    out: Option<BufWriter<File>>,
    records: u64,
    compared: u64,
    bytes: u64,
    torn_bytes: u64,
    hasher: blake3::Hasher,
    /// Complete lines that are not hashed yet; hashing many at once is faster.
    unhashed: Vec<u8>,
    past_line: Vec<u8>,
}

/// What can go wrong with minutes.
#[derive(Debug, thiserror::Error)]
pub enum MinutesError {
    /// The file cannot be read or written.
    #[error("{}: {}", path.display(), in_words(reason))]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        reason: io::Error,
    },
    /// An existing line differs from the reproduced one.
    #[error("record {} differs\n  minuted    {minuted}\n  reproduced {reproduced}", seq.0)]
    Diverged {
        /// The record's number.
        seq: Seq,
        /// The line in the minutes.
        minuted: String,
        /// The line that was reproduced.
        reproduced: String,
    },
    /// This version does not read the format of the minutes.
    #[error("{}: the minutes have format {found}; this version of ekklesia writes and reads format {FORMAT_VERSION}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Their format.
        found: u32,
    },
    /// Lines follow the session's last record.
    #[error("record {} stands after the end of the session\n  minuted    {minuted}", seq.0)]
    Surplus {
        /// The number of the first surplus record.
        seq: Seq,
        /// The line.
        minuted: String,
    },
    /// The existing lines are used up, and a replay writes none.
    #[error("the minutes stop after {records} records")]
    Ended {
        /// The number of records.
        records: u64,
    },
}

/// The size and digest of a session's minutes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinutesTotals {
    /// The number of records.
    pub records: u64,
    /// The number of records compared with existing lines.
    pub compared: u64,
    /// The length in bytes.
    pub bytes: u64,
    /// The digest of all lines.
    pub digest: Digest,
}

impl MinutesFile {
    /// Opens minutes to continue them, or creates them. Cuts off a torn last line.
    ///
    /// # Errors
    /// [`MinutesError::Io`] with the path.
    pub fn open_to_resume(path: &Path) -> Result<Self, MinutesError> {
        let io = |reason| MinutesError::Io { path: path.to_owned(), reason };
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let whole = whole_lines(&mut file, length).map_err(io)?;
        if whole < length {
            file.set_len(whole).map_err(io)?;
        }
        let past =
            if whole > 0 { Some(OpenSessionFile::Loose(File::open(path).map_err(io)?).take(whole)) } else { None };
        Ok(Self::new(path, past, Some(BufWriter::with_capacity(WRITTEN_AT_ONCE, file)), length - whole))
    }

    /// Opens minutes for comparison only. Ignores a torn last line.
    ///
    /// # Errors
    /// [`MinutesError::Io`] with the path.
    pub fn open_to_replay(minutes: impl Into<SessionFile>) -> Result<Self, MinutesError> {
        let minutes = minutes.into();
        let path = minutes.path();
        let io = |reason| MinutesError::Io { path: path.to_owned(), reason };
        let mut file = minutes.open().map_err(io)?;
        let length = file.length().map_err(io)?;
        let whole = whole_lines(&mut file, length).map_err(io)?;
        file.seek(SeekFrom::Start(0)).map_err(io)?;
        Ok(Self::new(path, Some(file.take(whole)), None, length - whole))
    }

    fn new(path: &Path, past: Option<Take<OpenSessionFile>>, out: Option<BufWriter<File>>, torn_bytes: u64) -> Self {
        let past_bytes = past.as_ref().map_or(0, Take::limit);
        Self {
            path: path.to_owned(),
            past_bytes,
            in_past: Arc::new(AtomicBool::new(past_bytes > 0)),
            past: past.map(|past| BufReader::with_capacity(1 << 16, past)),
            out,
            records: 0,
            compared: 0,
            bytes: 0,
            torn_bytes,
            hasher: blake3::Hasher::new(),
            // Enough for a short session, and it grows with a long one: thousands may run at once.
            unhashed: Vec::with_capacity(WRITTEN_AT_ONCE / 2),
            past_line: Vec::new(),
        }
    }

    /// The length of the torn last line that was dropped; 0 if there was none.
    pub fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    /// A flag that is set while existing lines are left.
    pub fn in_past(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.in_past)
    }

    /// The totals so far.
    pub fn totals(&self) -> MinutesTotals {
        let digest = Digest::from(self.hasher.clone().update(&self.unhashed).finalize());
        MinutesTotals { records: self.records, compared: self.compared, bytes: self.bytes, digest }
    }

    /// Checks that no line follows the session's last record.
    ///
    /// # Errors
    /// [`MinutesError::Surplus`] if one does.
    pub fn check_end(&mut self) -> Result<(), MinutesError> {
        if self.read_past().map_err(|reason| self.io_error(reason))? {
            let minuted = printable_line(&self.past_line);
            return Err(MinutesError::Surplus { seq: Seq(self.records), minuted });
        }
        Ok(())
    }

    /// Serialises a record at `start` of the unhashed bytes, and compares or writes it.
    fn compare_or_write(&mut self, record: &Record, start: usize) -> Result<(), MinutesError> {
        serde_json::to_writer(&mut self.unhashed, record).map_err(|error| self.io_error(error.into()))?;
        self.unhashed.push(b'\n');
        if self.read_past().map_err(|reason| self.io_error(reason))? {
            let line = &self.unhashed[start..];
            if line != self.past_line {
                return Err(self.divergence_error(record.seq, line));
            }
            self.compared += 1;
        } else if let Some(out) = &mut self.out {
            let written = out.write_all(&self.unhashed[start..]);
            written.map_err(|reason| self.io_error(reason))?;
        } else {
            return Err(MinutesError::Ended { records: self.records });
        }
        Ok(())
    }

    /// Reads the next existing line into `past_line`; false if there is none.
    fn read_past(&mut self) -> io::Result<bool> {
        let Some(past) = &mut self.past else { return Ok(false) };
        self.past_line.clear();
        if past.read_until(b'\n', &mut self.past_line)? == 0 {
            self.past = None;
            return Ok(false);
        }
        Ok(true)
    }

    fn divergence_error(&self, seq: Seq, reproduced: &[u8]) -> MinutesError {
        let past = serde_json::from_slice::<Record>(&self.past_line).map(|record| record.event);
        if let Some(format) = past.ok().and_then(|event| event.other_format()) {
            return MinutesError::Format { path: self.path.clone(), found: format };
        }
        MinutesError::Diverged { seq, minuted: printable_line(&self.past_line), reproduced: printable_line(reproduced) }
    }

    fn io_error(&self, reason: io::Error) -> MinutesError {
        MinutesError::Io { path: self.path.clone(), reason }
    }
}

impl Minutes for MinutesFile {
    type Error = MinutesError;

    fn append(&mut self, record: &Record) -> Result<(), MinutesError> {
        let start = self.unhashed.len();
        let kept = self.compare_or_write(record, start);
        match &kept {
            Ok(()) => {
                self.bytes += (self.unhashed.len() - start) as u64;
                self.records += 1;
                self.in_past.store(self.bytes < self.past_bytes, Ordering::Relaxed);
            }
            Err(_) => self.unhashed.truncate(start),
        }
        if self.unhashed.len() >= HASHED_AT_ONCE {
            self.hasher.update(&self.unhashed);
            self.unhashed.clear();
        }
        kept
    }

    fn flush(&mut self) -> Result<(), MinutesError> {
        let flushed = self.out.as_mut().map_or(Ok(()), Write::flush);
        flushed.map_err(|reason| self.io_error(reason))
    }

    fn sync(&mut self) -> Result<(), MinutesError> {
        self.flush()?;
        let synced = self.out.as_mut().map_or(Ok(()), |out| out.get_ref().sync_data());
        synced.map_err(|reason| self.io_error(reason))
    }
}

/// How the session begins; `None` if there is no readable first record.
///
/// # Errors
/// When the file cannot be read.
pub fn read_beginning(minutes: impl Into<SessionFile>) -> Result<Option<Convened>, FileError> {
    let minutes = minutes.into();
    let fail = |error: io::Error| file_error(minutes.path(), &error);
    let file = match minutes.open() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(fail)?,
    };
    let mut line = Vec::new();
    BufReader::new(file).read_until(b'\n', &mut line).map_err(fail)?;
    let first = serde_json::from_slice::<Record>(&line).ok();
    Ok(first.and_then(|record| match record.event {
        Event::Convened(convened) => Some(convened),
        _ => None,
    }))
}

/// The length of the file up to its last line break.
fn whole_lines(file: &mut (impl Read + Seek), length: u64) -> io::Result<u64> {
    const BLOCK: u64 = 1 << 16;
    let mut end = length;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        block.resize((end - start) as usize, 0);
        file.read_exact(&mut block)?;
        if let Some(place) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + place as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// A line for display: without its line break, and with invalid UTF-8 replaced.
fn printable_line(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end_matches('\n').to_owned()
}
