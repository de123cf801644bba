//! Full-text search of an experiment's minutes, with an index that the first search creates.
//!
//! The index is a cache file in the experiment's folder. If you delete it, the next search takes a second longer. A run removes
//! it, and no other command reads it. It is used only if it is complete and matches the minutes. Records are always read
//! from the minutes.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::thread;

use crate::analysis::search::{
    Collection, Hit, MinutesFingerprint, Passage, SearchHits, SearchIndex, SearchQuestion, ShownTexts, Sieve, kind_of,
    words_of,
};
use crate::domain::{Event, Record};
use crate::store::files::{FileError, file_error, open_file, write_whole};
use crate::store::minutes::whole_lines;
use crate::store::places::INDEX_FILE;
use crate::store::results::ResultsFolder;
use crate::store::session_file::SessionFile;

/// Up to this total size, the fingerprint of minutes covers all their bytes. Above it, the fingerprint covers their length,
/// beginning and end, so that a search does not have to read everything.
const LOOKED_THROUGH_BYTES_MAX: u64 = 16 << 20;
/// The number of bytes hashed at either end of larger minutes.
const SAMPLE_BYTES: u64 = 4 << 10;
const THREADS_MAX: usize = 8;

/// A searchable archive.
pub struct Archive<'f> {
    folder: &'f ResultsFolder,
    texts: &'f ShownTexts,
    sessions: Vec<ArchivedSession>,
    index: SearchIndex,
    source: IndexSource,
    /// What could not be searched or cached, in words.
    pub notes: Vec<String>,
}

/// Where the bytes of the index are.
enum IndexSource {
    Disk(File),
    Memory(Vec<u8>),
}

struct ArchivedSession {
    name: String,
    minutes: SessionFile,
    state: MinutesFingerprint,
}

/// A found record with its neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordContext {
    /// The session's name.
    pub session: String,
    /// The session's arm.
    pub arm: String,
    /// The records before it, in order.
    pub before: Vec<Record>,
    /// The record.
    pub record: Record,
    /// The records after it, in order.
    pub after: Vec<Record>,
}

impl<'f> Archive<'f> {
    /// Opens the archive of an experiment. Creates the index if none exists that matches these minutes and texts.
    ///
    /// # Errors
    /// When the sessions cannot be listed, or minutes cannot be read.
    pub fn open(folder: &'f ResultsFolder, texts: &'f ShownTexts) -> Result<Self, FileError> {
        let mut notes = Vec::new();
        let sessions = list_sessions(folder, texts, &mut notes)?;
        let path = folder.root().join(INDEX_FILE);
        let (index, source) = match open_kept_index(&path).filter(|(index, _)| is_index_current(index, &sessions)) {
            Some((index, file)) => (index, IndexSource::Disk(file)),
            None => make_index(&path, &sessions, texts, &mut notes)?,
        };
        let unread = index.sessions.iter().filter(|session| session.unread.0 > 0);
        notes.extend(unread.map(|session| {
            let (lines, first) = session.unread;
            format!(
                "{}: {lines} of its lines are left out, being no records of this version; the first is line {first}",
                session.name
            )
        }));
        let unknown: u64 = index.sessions.iter().map(|session| session.unknown_texts).sum();
        if unknown > 0 {
            notes.push(format!(
                "not searched: exhibits of {unknown} records, because the inputs do not hold the text that was shown"
            ));
        }
        Ok(Self { folder, texts, sessions, index, source, notes })
    }

    /// The index.
    pub fn index(&self) -> &SearchIndex {
        &self.index
    }

    /// Returns the best `most` records for a question, each with up to `around` records before and after it.
    ///
    /// # Errors
    /// When minutes cannot be read.
    pub fn find_records(
        &mut self,
        question: &SearchQuestion,
        sieve: &Sieve,
        (most, around): (usize, usize),
    ) -> Result<(SearchHits, Vec<RecordContext>), FileError> {
        if let Some(found) = self.search_index(question, sieve, (most, around))? {
            return Ok(found);
        }
        // The index is damaged, or the minutes changed where the fingerprint does not look.
        let path = self.folder.root().join(INDEX_FILE);
        (self.index, self.source) = make_index(&path, &self.sessions, self.texts, &mut self.notes)?;
        let found = self.search_index(question, sieve, (most, around))?;
        found.ok_or_else(|| FileError {
            path: self.folder.root().join("sessions"),
            reason: "the minutes change in ways that no run changes them".to_owned(),
        })
    }

    /// Searches once; `None` if the index is damaged or does not match the minutes.
    fn search_index(
        &mut self,
        question: &SearchQuestion,
        sieve: &Sieve,
        (most, around): (usize, usize),
    ) -> Result<Option<(SearchHits, Vec<RecordContext>)>, FileError> {
        let source = &mut self.source;
        let Some(ranked) = self.index.rank_records(question, sieve, most, &mut |place| source.read_range(place)) else {
            return Ok(None);
        };
        let mut all = Vec::with_capacity(ranked.hits.len());
        for hit in &ranked.hits {
            let around = self.read_context(hit, around)?;
            let holds = |around: &RecordContext| {
                let words = words_of_any(&around.record, &around.session, self.texts);
                words.is_some_and(|(_, text)| !question.find_matches(&text).is_empty())
            };
            match around.filter(holds) {
                Some(around) => all.push(around),
                None => return Ok(None),
            }
        }
        Ok(Some((ranked, all)))
    }

    /// Reads the record of a hit and its neighbours; `None` if its place in the minutes holds another record.
    fn read_context(&self, hit: &Hit, count: usize) -> Result<Option<RecordContext>, FileError> {
        let (Some(session), Some(indexed)) =
            (self.sessions.get(hit.document.session as usize), self.index.sessions.get(hit.document.session as usize))
        else {
            return Ok(None);
        };
        let read = || -> io::Result<Option<RecordContext>> {
            let mut file = session.minutes.open()?;
            let before = lines_before(&mut file, hit.document.offset, count)?;
            file.seek(SeekFrom::Start(hit.document.offset))?;
            let mut rest = BufReader::new(file.take(session.state.bytes.saturating_sub(hit.document.offset)));
            let (mut line, mut records) = (Vec::new(), Vec::new());
            while records.len() <= count {
                line.clear();
                if rest.read_until(b'\n', &mut line)? == 0 {
                    break;
                }
                match serde_json::from_slice::<Record>(&line) {
                    Ok(record) => records.push(record),
                    Err(_) if records.is_empty() => return Ok(None),
                    Err(_) => {}
                }
            }
            if records.is_empty() || records[0].seq.0 != hit.document.seq {
                return Ok(None);
            }
            let record = records.remove(0);
            let (session, arm) = (session.name.clone(), indexed.arm.clone());
            Ok(Some(RecordContext { session, arm, before, record, after: records }))
        };
        read().map_err(|error| file_error(session.minutes.path(), &error))
    }
}

impl IndexSource {
    fn read_range(&mut self, place: Range<u64>) -> Option<Vec<u8>> {
        let (start, length) =
            (usize::try_from(place.start).ok()?, usize::try_from(place.end.checked_sub(place.start)?).ok()?);
        match self {
            IndexSource::Memory(bytes) => bytes.get(start..start.checked_add(length)?).map(<[u8]>::to_vec),
            IndexSource::Disk(file) => {
                file.seek(SeekFrom::Start(place.start)).ok()?;
                let mut bytes = Vec::new();
                file.take(length as u64).read_to_end(&mut bytes).ok()?;
                Some(bytes).filter(|bytes| bytes.len() == length)
            }
        }
    }
}

/// The kind of a record and its words, or the words of the text that the record names.
fn words_of_any<'r>(record: &'r Record, session: &str, texts: &'r ShownTexts) -> Option<(&'static str, Cow<'r, str>)> {
    match texts.find_text(record, session) {
        Some(shown) => Some((shown.kind, Cow::Borrowed(shown.text.as_str()))),
        None => Some((kind_of(record), words_of(record)?)),
    }
}

/// Lists the sessions with minutes, sorted by name, each with a fingerprint of its minutes and of the shown texts.
fn list_sessions(
    folder: &ResultsFolder,
    texts: &ShownTexts,
    notes: &mut Vec<String>,
) -> Result<Vec<ArchivedSession>, FileError> {
    let mut there = Vec::new();
    for name in folder.session_names()? {
        let minutes = folder.minutes(&name);
        match minutes.length() {
            Ok(length) if minutes.is_file() => there.push((name, minutes, length)),
            Ok(_) => {
                notes.extend(minutes.open().err().map(|error| format!("{}: left out: {error}", minutes.display())))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => notes.push(format!("{}: left out: {error}", minutes.display())),
        }
    }
    let is_small = there.iter().map(|(.., length)| length).sum::<u64>() <= LOOKED_THROUGH_BYTES_MAX;
    let (mut sessions, texts_digest) = (Vec::with_capacity(there.len()), texts.digest());
    for (name, minutes, length) in there {
        let sample = if is_small { length } else { SAMPLE_BYTES };
        let looked = minutes.open().and_then(|mut file| read_minutes_state(&mut file, length, sample));
        let (mut state, torn) = looked.map_err(|error| file_error(minutes.path(), &error))?;
        if let Some(digest) = &texts_digest {
            state.digest = *blake3::Hasher::new().update(&state.digest).update(digest).finalize().as_bytes();
        }
        if torn > 0 {
            notes.push(format!("{name}: its last line is not whole ({torn} bytes) and is left out"));
        }
        sessions.push(ArchivedSession { name, minutes, state });
    }
    Ok(sessions)
}

/// Hashes `sample` bytes at either end of the minutes. Also returns the length of a torn last line.
fn read_minutes_state(
    file: &mut (impl Read + Seek),
    length: u64,
    sample: u64,
) -> io::Result<(MinutesFingerprint, u64)> {
    let mut end = read_bytes_at(file, length.saturating_sub(sample)..length)?;
    let bytes = if end.ends_with(b"\n") || length == 0 { length } else { whole_lines(file, length)? };
    if bytes < length {
        end = read_bytes_at(file, bytes.saturating_sub(sample)..bytes)?;
    }
    let mut hasher = blake3::Hasher::new();
    if sample < bytes {
        hasher.update(&read_bytes_at(file, 0..sample)?);
    }
    hasher.update(&end);
    Ok((MinutesFingerprint { bytes, digest: *hasher.finalize().as_bytes() }, length - bytes))
}

fn read_bytes_at(file: &mut (impl Read + Seek), place: Range<u64>) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(place.start))?;
    let mut bytes = Vec::new();
    file.take(place.end - place.start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens the index file; `None` if it is missing or damaged.
fn open_kept_index(path: &Path) -> Option<(SearchIndex, File)> {
    // Anything but a file, such as a pipe, may block for ever.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut file = open_file(path).ok()?;
    let length = SearchIndex::head_bytes(&read_bytes_at(&mut file, 0..SearchIndex::START as u64).ok()?)?;
    Some((SearchIndex::from_head(read_bytes_at(&mut file, 0..length).ok()?)?, file))
}

fn is_index_current(index: &SearchIndex, sessions: &[ArchivedSession]) -> bool {
    let indexed = index.sessions.iter().map(|session| (&session.name, &session.state));
    indexed.eq(sessions.iter().map(|session| (&session.name, &session.state)))
}

/// Creates the index, and writes it to disk if the folder is writable.
fn make_index(
    path: &Path,
    sessions: &[ArchivedSession],
    texts: &ShownTexts,
    notes: &mut Vec<String>,
) -> Result<(SearchIndex, IndexSource), FileError> {
    let bytes = collect_words(sessions, texts)?.to_bytes();
    if let Err(error) = write_whole(path, &bytes) {
        notes.push(format!("the index cannot be kept and is made anew each time: {error}"));
    }
    let length = SearchIndex::head_bytes(&bytes).and_then(|length| usize::try_from(length).ok());
    let index = length.and_then(|length| SearchIndex::from_head(bytes[..length].to_vec()));
    Ok((index.expect("invariant: an index that was written can be opened"), IndexSource::Memory(bytes)))
}

fn collect_words(sessions: &[ArchivedSession], texts: &ShownTexts) -> Result<Collection, FileError> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX) as u64;
    let share = sessions.iter().map(|session| session.state.bytes).sum::<u64>() / threads + 1;
    let mut before = 0;
    let shares: Vec<u64> = sessions
        .iter()
        .map(|session| {
            before += session.state.bytes;
            (before - session.state.bytes) / share
        })
        .collect();
    let mut rest = sessions;
    let parts = shares.chunk_by(|a, b| a == b).map(|same| {
        let (part, others) = rest.split_at(same.len());
        rest = others;
        part
    });
    let collect = |part: &[ArchivedSession]| {
        let mut collection = Collection::default();
        part.iter().try_for_each(|session| add_session_words(session, texts, &mut collection))?;
        Ok(collection)
    };
    let parts: Vec<Result<Collection, FileError>> = thread::scope(|scope| {
        let running: Vec<_> = parts.map(|part| scope.spawn(move || collect(part))).collect();
        running.into_iter().map(|part| part.join().expect("invariant: reading minutes never panics")).collect()
    });
    let mut whole = Collection::default();
    for part in parts {
        whole.append(part?);
    }
    Ok(whole)
}

/// Adds all records of a session that contain words.
fn add_session_words(
    session: &ArchivedSession,
    texts: &ShownTexts,
    collection: &mut Collection,
) -> Result<(), FileError> {
    collection.begin_session(&session.name, session.state);
    let io = |error: io::Error| file_error(session.minutes.path(), &error);
    let file = session.minutes.open().map_err(io)?;
    let mut reader = BufReader::with_capacity(1 << 16, file.take(session.state.bytes));
    let (mut line, mut offset) = (Vec::new(), 0);
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(io)? == 0 {
            break;
        }
        match serde_json::from_slice::<Record>(&line) {
            Err(_) => collection.leave_out(number),
            Ok(record) => {
                if let Event::SessionConvened { arm, .. } = &record.event {
                    collection.set_arm(arm);
                }
                let words = words_of_any(&record, &session.name, texts);
                if words.is_none() && matches!(record.event, Event::Exhibited { .. }) {
                    collection.miss_text();
                }
                if let Some((kind, text)) = words {
                    collection.add_passage(&Passage {
                        seq: record.seq.0,
                        offset,
                        phase: record.at.phase.as_str(),
                        round: record.at.round,
                        seat: record.seat.as_ref().map(|seat| seat.as_str()),
                        kind,
                        text: &text,
                    });
                }
            }
        }
        offset += line.len() as u64;
    }
    Ok(())
}

/// Reads up to `count` records from the lines before an offset. Skips lines that are not records.
fn lines_before(file: &mut (impl Read + Seek), offset: u64, count: usize) -> io::Result<Vec<Record>> {
    let mut room = 1 << 14;
    loop {
        let start = offset.saturating_sub(room);
        let block = read_bytes_at(file, start..offset)?;
        let whole = match (start, block.iter().position(|byte| *byte == b'\n')) {
            (0, _) => 0,
            (_, Some(place)) => place + 1,
            (_, None) => block.len(),
        };
        let lines = block[whole..].split_inclusive(|byte| *byte == b'\n').rev();
        let records = lines.filter_map(|line| serde_json::from_slice::<Record>(line).ok());
        let mut last: Vec<Record> = records.take(count).collect();
        if last.len() == count || start == 0 {
            last.reverse();
            return Ok(last);
        }
        room *= 2;
    }
}
