//! The progress of one session, found without reading all of it: the end of its minutes and the result of its last run.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::calls::{AskedSeat, ModelUsage};
use super::tail::{FileIdentity, FolderReadError, FoundFile, LINE_BYTES_MAX, open_part};
use crate::domain::Moment;
use crate::store::containment;
use crate::store::files::file_error;
use crate::store::results::{ResultsFolder, RunStatus, run_file_in};
use crate::store::session_file::OpenSessionFile;

const BLOCK: u64 = 64 << 10;
/// Ends the head of a record. JSON escapes quotation marks in texts, so no text contains this sequence.
const EVENT: &[u8] = b",\"event\":{\"";
/// Begins the event of a statement.
const STATEMENT: &[u8] = b",\"step\":\"statement\"},";
/// Occurs in the head of a record that a seat answered, and in no text.
const ANSWERED: &[u8] = b"\",\"attempt\":";

/// How far a session came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStage {
    /// Nothing is recorded yet.
    #[default]
    Begun,
    /// It has records, but no end.
    Unfinished,
    /// Its last record is the end.
    Completed,
    /// Its last run says that it cannot be resumed.
    Failed,
    /// Its last line is too long or not readable by this version, or its minutes lie outside the folder.
    Unreadable,
}

/// The progress of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WatchedSession {
    /// How far it came.
    pub stage: SessionStage,
    /// Complete lines of its minutes.
    pub records: u64,
    /// Records that a seat answered; `None` until they are counted.
    pub answers: Option<u64>,
    /// Phase and round of the last record, in words.
    pub at: Option<String>,
    /// The stance that each seat declared last, and its amount, by seat; incomplete until all records are read.
    pub stances: BTreeMap<String, (String, Option<u32>)>,
    /// The seat of the last record; `None` for records without a seat.
    pub last_seat: Option<String>,
    /// When the minutes were last written, in milliseconds since 1970 (UTC); 0 if that is not known.
    pub written_unix_ms: u64,
    /// The seats that are being asked, if the session makes calls.
    pub asked: Vec<AskedSeat>,
    /// What the calls used that have ended; `None` until they are counted.
    pub used: Option<ModelUsage>,
    /// Whether the calls were counted after the session had ended.
    pub has_all_calls: bool,
    /// Bytes in complete lines.
    pub bytes: u64,
    /// Increases whenever other minutes replace these.
    pub edition: u64,
    /// The look at which a field last changed.
    pub changed: u64,
    /// The look at which the minutes last grew; `None` if not since the first look.
    pub grew: Option<u64>,
    identity: Option<FileIdentity>,
    length: u64,
    run: Option<Stamp>,
}

/// A file's length, modification time and identity, which reveal changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp(u64, Option<std::time::SystemTime>, FileIdentity);

impl Stamp {
    fn from_metadata(found: &fs::Metadata) -> Self {
        Self(found.len(), found.modified().ok(), FileIdentity::from_metadata(found))
    }

    /// The stamp of a path, without following links; `None` if nothing exists there.
    pub(super) fn from_path(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path).ok().as_ref().map(Self::from_metadata)
    }

    /// When the file was last written, in milliseconds since 1970 (UTC).
    fn written_unix_ms(self) -> Option<u64> {
        let since = self.1?.duration_since(std::time::UNIX_EPOCH).ok()?;
        u64::try_from(since.as_millis()).ok()
    }

    /// The stamp of a file within the folder; `None` for anything else.
    fn from_file(root: &Path, part: &str) -> Option<Self> {
        let found = fs::metadata(root.join(part)).ok().filter(fs::Metadata::is_file)?;
        containment::on_the_way(root, part).is_none().then(|| Self::from_metadata(&found))
    }
}

/// When a file was last written, in milliseconds since 1970 (UTC); `None` if that is not known.
pub(super) fn written_unix_ms(path: &Path) -> Option<u64> {
    Stamp::from_path(path)?.written_unix_ms()
}

/// The head of a record, without its event.
#[derive(Debug, Deserialize)]
struct RecordHead {
    seq: u64,
    at: Moment,
    #[serde(default)]
    seat: Option<String>,
}

/// A statement, as far as the stance board shows it.
#[derive(Debug, Deserialize)]
struct ServedStatement {
    seat: String,
    event: StatementEvent,
}

#[derive(Debug, Deserialize)]
enum StatementEvent {
    Answered { values: StatementValues },
}

#[derive(Debug, Deserialize)]
struct StatementValues {
    #[serde(default)]
    stance: Option<String>,
    #[serde(default)]
    stance_amount: Option<u32>,
}

impl WatchedSession {
    /// A session that was not read yet.
    pub fn new_unread(look: u64, edition: u64) -> Self {
        Self { answers: Some(0), edition, changed: look, ..Self::default() }
    }

    /// Whether nothing can change: the session has ended and its answers are counted.
    pub fn is_settled(&self) -> bool {
        self.stage == SessionStage::Completed && self.answers.is_some()
    }

    /// Whether it is under way.
    pub fn is_open(&self) -> bool {
        matches!(self.stage, SessionStage::Begun | SessionStage::Unfinished)
    }

    /// Sets who is being asked and what was used; returns whether this changed anything.
    pub fn set_calls(&mut self, asked: Vec<AskedSeat>, used: &ModelUsage, look: u64) -> bool {
        let is_changed = self.asked != asked || self.used.as_ref() != Some(used);
        if is_changed {
            (self.asked, self.used, self.changed) = (asked, Some(used.clone()), look);
        }
        is_changed
    }

    /// Marks a session whose minutes lie outside the folder.
    pub fn out_of_reach(&self, look: u64) -> Self {
        Self { stage: SessionStage::Unreadable, ..Self::new_unread(look, self.edition + 1) }
    }

    /// Reads a session's folder again; `part` is its path in the experiment's folder. Returns whether anything changed. The first
    /// look at long minutes reads only their end; later looks read what was added.
    ///
    /// # Errors
    /// If a file exists but cannot be read; the earlier state is kept.
    pub fn refresh_from(&mut self, (folder, part): (&ResultsFolder, &str), look: u64) -> Result<bool, FolderReadError> {
        let (minutes, run) = (format!("{part}/minutes.jsonl"), format!("{part}/run.json"));
        let root = folder.root();
        if self.identity.is_some() && self.is_unchanged(root, (&minutes, &run)) {
            return Ok(false);
        }
        let found = open_part(folder, &minutes)?;
        let (length, identity) = found.as_ref().map_or((0, None), |found| (found.length, Some(found.identity)));
        let (before, is_first) = (self.clone(), self.identity.is_none());
        // A pack holds the minutes that were a file before; readers of all lines compare them.
        let is_other = identity != self.identity && !identity.is_some_and(FileIdentity::is_packed);
        if self.identity.is_some() && (is_other || length < self.bytes) {
            *self = Self::new_unread(look, self.edition + 1);
        }
        let had = self.records;
        if let Some(FoundFile { mut file, .. }) = found {
            let is_end_enough = is_first && length > BLOCK;
            let read =
                if is_end_enough { self.read_end(&mut file, length) } else { self.read_added(&mut file, length) };
            read.map_err(|error| file_error(Path::new(&minutes), &error))?;
        }
        if self.records > had && !is_first {
            self.grew = Some(look);
        }
        self.say_if_failed(root, (part, &run));
        let written = Stamp::from_file(root, &minutes).and_then(Stamp::written_unix_ms);
        self.written_unix_ms = written.unwrap_or(self.written_unix_ms);
        (self.length, self.identity) = (length, identity);
        let is_changed = *self != before;
        if is_changed {
            self.changed = look;
        }
        Ok(is_changed)
    }

    /// Whether the files are unchanged since the last look. Files in a pack never change.
    fn is_unchanged(&self, root: &Path, (minutes, run): (&str, &str)) -> bool {
        if self.identity.is_some_and(FileIdentity::is_packed) && self.bytes == self.length {
            return true;
        }
        let found = Stamp::from_file(root, minutes).map(|Stamp(length, _, identity)| (length, Some(identity)));
        found == Some((self.length, self.identity))
            && (self.stage == SessionStage::Completed || Stamp::from_file(root, run) == self.run)
    }

    /// Sets the stage of an incomplete session, which is `Failed` if its last run says so.
    fn say_if_failed(&mut self, root: &Path, (part, run): (&str, &str)) {
        if !matches!(self.stage, SessionStage::Unfinished | SessionStage::Begun | SessionStage::Failed) {
            return;
        }
        self.run = Stamp::from_file(root, run);
        let last = self.run.and_then(|_| run_file_in(&root.join(part)));
        let is_failed = last.is_some_and(|run| run.status == RunStatus::Failed && run.minutes_bytes == self.bytes);
        let begun = if self.records > 0 { SessionStage::Unfinished } else { SessionStage::Begun };
        self.stage = if is_failed { SessionStage::Failed } else { begun };
    }

    /// Counts the answers if only the end of the minutes was read.
    ///
    /// # Errors
    /// If the minutes cannot be read.
    pub fn count_answers(&mut self, (folder, part): (&ResultsFolder, &str), look: u64) -> Result<(), FolderReadError> {
        let minutes = format!("{part}/minutes.jsonl");
        let Some(mut found) = open_part(folder, &minutes)?.filter(|_| self.answers.is_none()) else { return Ok(()) };
        if Some(found.identity) == self.identity || found.identity.is_packed() {
            let mut counted = Self::new_unread(look, 0);
            counted.read_added(&mut found.file, self.bytes).map_err(|error| file_error(Path::new(&minutes), &error))?;
            self.answers = Some(counted.answers.unwrap_or_default());
            counted.stances.append(&mut self.stances);
            self.stances = counted.stances;
            self.changed = look;
        }
        Ok(())
    }

    fn read_end(&mut self, file: &mut OpenSessionFile, length: u64) -> io::Result<()> {
        let mut wanted = BLOCK;
        loop {
            let start = length.saturating_sub(wanted);
            file.seek(SeekFrom::Start(start))?;
            let mut bytes = Vec::new();
            file.take(length - start).read_to_end(&mut bytes)?;
            let whole = memchr::memrchr(b'\n', &bytes).map(|end| &bytes[..end]);
            let begin = whole.and_then(|whole| memchr::memrchr(b'\n', whole).map(|end| end + 1));
            let (Some(whole), Some(begin)) = (whole, begin) else {
                // Longer lines are read block by block.
                if start == 0 || wanted >= LINE_BYTES_MAX as u64 {
                    file.rewind()?;
                    return self.read_added(file, length);
                }
                wanted *= 4;
                continue;
            };
            self.apply_last_line(&whole[begin..]);
            self.bytes = start + whole.len() as u64 + 1;
            self.answers = None;
            return Ok(());
        }
    }

    /// Reads what was added up to `length`, block by block. If nothing was read before, the file must be at its start.
    fn read_added(&mut self, file: &mut OpenSessionFile, length: u64) -> io::Result<()> {
        if self.bytes > 0 {
            file.seek(SeekFrom::Start(self.bytes))?;
        }
        let mut left = length.saturating_sub(self.bytes);
        let (mut rest, mut last, mut is_endless) = (Vec::new(), None, false);
        let mut block = Vec::new();
        while left > 0 {
            block.resize(left.min(BLOCK) as usize, 0);
            let read = file.read(&mut block)?;
            if read == 0 {
                break;
            }
            left -= read as u64;
            // The rest of earlier blocks contains no line end.
            let before = rest.len();
            rest.extend_from_slice(&block[..read]);
            let Some(end) = memchr::memrchr(b'\n', &rest[before..]).map(|end| before + end) else {
                is_endless = rest.len() > LINE_BYTES_MAX;
                if is_endless {
                    break;
                }
                continue;
            };
            let whole = &rest[..end];
            let records = memchr::memchr_iter(b'\n', whole).count() as u64 + 1;
            self.records = self.records.saturating_add(records);
            let answers = memchr::memmem::find_iter(whole, ANSWERED).count() as u64;
            self.answers = self.answers.map(|before| before + answers);
            note_stances(&mut self.stances, whole);
            let begin = memchr::memrchr(b'\n', whole).map_or(0, |end| end + 1);
            last = Some(whole[begin..].to_vec());
            self.bytes += end as u64 + 1;
            rest.drain(..=end);
        }
        if let Some(last) = last {
            let records = self.records;
            self.apply_last_line(&last);
            self.records = records;
        }
        if is_endless {
            (self.stage, self.at) = (SessionStage::Unreadable, None);
        }
        Ok(())
    }

    fn apply_last_line(&mut self, line: &[u8]) {
        let Some((head, kind)) = parse_head(line) else {
            self.stage = SessionStage::Unreadable;
            self.at = None;
            return;
        };
        self.stage = if kind == b"Adjourned" { SessionStage::Completed } else { SessionStage::Unfinished };
        self.records = head.seq.saturating_add(1);
        let round = if head.at.round > 0 { format!(", round {}", head.at.round) } else { String::new() };
        self.at = Some(format!("{}{round}", head.at.phase));
        self.last_seat = head.seat;
    }
}

/// Notes the stances that the statements among these lines declare.
fn note_stances(stances: &mut BTreeMap<String, (String, Option<u32>)>, lines: &[u8]) {
    for place in memchr::memmem::find_iter(lines, STATEMENT) {
        let begin = memchr::memrchr(b'\n', &lines[..place]).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &lines[place..]).map_or(lines.len(), |end| place + end);
        let Ok(ServedStatement { seat, event: StatementEvent::Answered { values } }) =
            serde_json::from_slice(&lines[begin..end])
        else {
            continue;
        };
        if let Some(stance) = values.stance {
            stances.insert(seat, (stance, values.stance_amount));
        }
    }
}

/// The head of a line and the kind of its event; `None` if the line is not a record of this version.
fn parse_head(line: &[u8]) -> Option<(RecordHead, &[u8])> {
    let end = memchr::memmem::find(line, EVENT)?;
    let kind = &line[end + EVENT.len()..];
    let kind = &kind[..memchr::memchr(b'"', kind)?];
    let head = [&line[..end], b"}"].concat();
    Some((serde_json::from_slice(&head).ok()?, kind))
}

#[cfg(test)]
mod tests;
