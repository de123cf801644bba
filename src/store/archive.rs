//! Full-text search of an experiment's minutes, which are read for each search.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::thread;

use crate::analysis::search::{
    Hit, IndexedSession, Passage, SearchHits, SearchIndex, SearchQuestion, ShownTexts, Sieve, kind_of, words_of,
};
use crate::domain::{Matter, Record};
use crate::store::files::{FileError, file_error};
use crate::store::results::ResultsFolder;
use crate::store::session_file::SessionFile;

const THREADS_MAX: usize = 8;

/// A searchable archive.
pub struct Archive {
    /// The minutes of each session of the index.
    minutes: Vec<SessionFile>,
    /// The index.
    pub index: SearchIndex,
    /// What could not be searched, in words.
    pub notes: Vec<String>,
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

impl Archive {
    /// Reads the minutes of an experiment.
    ///
    /// # Errors
    /// When the sessions cannot be listed, or minutes cannot be read.
    pub fn open(folder: &ResultsFolder, texts: &ShownTexts) -> Result<Self, FileError> {
        let mut notes = Vec::new();
        let sessions = list_sessions(folder, &mut notes)?;
        let index = index_sessions(&sessions, texts)?;
        for IndexedSession { name, torn, unread: (lines, first), .. } in &index.sessions {
            if *torn > 0 {
                notes.push(format!("{name}: its last line is not whole ({torn} bytes) and is left out"));
            }
            if *lines > 0 {
                notes.push(format!(
                    "{name}: {lines} of its lines are left out, being no records of this version; the first is line {first}"
                ));
            }
        }
        let unknown: u64 = index.sessions.iter().map(|session| session.unknown_texts).sum();
        if unknown > 0 {
            notes.push(format!(
                "not searched: exhibits of {unknown} records, because the inputs do not hold the text that was shown"
            ));
        }
        Ok(Self { minutes: sessions.into_iter().map(|(_, minutes)| minutes).collect(), index, notes })
    }

    /// Returns the best `most` records for a question, each with up to `around` records before and after it.
    ///
    /// # Errors
    /// When minutes cannot be read, or changed since they were.
    pub fn find_records(
        &self,
        question: &SearchQuestion,
        sieve: &Sieve,
        (most, around): (usize, usize),
    ) -> Result<(SearchHits, Vec<RecordContext>), FileError> {
        let ranked = self.index.rank_records(question, sieve, most);
        let found = ranked.hits.iter().map(|hit| {
            let place = hit.document.session as usize;
            let (minutes, session) = (&self.minutes[place], &self.index.sessions[place]);
            let context = read_context(minutes, session, hit, around);
            context.map_err(|error| file_error(minutes.path(), &error))
        });
        let found = found.collect::<Result<Vec<RecordContext>, FileError>>()?;
        Ok((ranked, found))
    }
}

/// Reads the record of a hit and its neighbours.
fn read_context(minutes: &SessionFile, session: &IndexedSession, hit: &Hit, count: usize) -> io::Result<RecordContext> {
    let mut file = minutes.open()?;
    let before = lines_before(&mut file, hit.document.offset, count)?;
    file.seek(SeekFrom::Start(hit.document.offset))?;
    let mut lines = BufReader::new(file).split(b'\n');
    let changed = || io::Error::other("the minutes change in ways that no run changes them");
    let record = lines.next().transpose()?.and_then(|line| serde_json::from_slice::<Record>(&line).ok());
    let record = record.filter(|record| record.seq.0 == hit.document.seq).ok_or_else(changed)?;
    let mut after = Vec::new();
    while after.len() < count
        && let Some(line) = lines.next().transpose()?
    {
        after.extend(serde_json::from_slice::<Record>(&line).ok());
    }
    Ok(RecordContext { session: session.name.clone(), arm: session.arm.clone(), before, record, after })
}

/// The kind of a record and its words, or the words of the text that the record names.
fn words_of_any<'r>(record: &'r Record, session: &str, texts: &'r ShownTexts) -> Option<(&'static str, Cow<'r, str>)> {
    match texts.find_text(record, session) {
        Some(shown) => Some((shown.kind, Cow::Borrowed(shown.text.as_str()))),
        None => Some((kind_of(record), words_of(record)?)),
    }
}

/// Lists the sessions with minutes, sorted by name.
fn list_sessions(folder: &ResultsFolder, notes: &mut Vec<String>) -> Result<Vec<(String, SessionFile)>, FileError> {
    let mut there = Vec::new();
    for name in folder.session_names()? {
        let minutes = folder.minutes(&name);
        match minutes.length() {
            Ok(_) if minutes.is_file() => there.push((name, minutes)),
            Ok(_) => {
                notes.extend(minutes.open().err().map(|error| format!("{}: left out: {error}", minutes.display())))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => notes.push(format!("{}: left out: {error}", minutes.display())),
        }
    }
    Ok(there)
}

fn index_sessions(sessions: &[(String, SessionFile)], texts: &ShownTexts) -> Result<SearchIndex, FileError> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let index = |part: &[(String, SessionFile)]| {
        let mut index = SearchIndex::default();
        part.iter().try_for_each(|(name, minutes)| {
            index_session(name, minutes, texts, &mut index).map_err(|error| file_error(minutes.path(), &error))
        })?;
        Ok(index)
    };
    let parts: Vec<Result<SearchIndex, FileError>> = thread::scope(|scope| {
        let parts = sessions.chunks(sessions.len().div_ceil(threads).max(1));
        let running: Vec<_> = parts.map(|part| scope.spawn(move || index(part))).collect();
        running.into_iter().map(|part| part.join().expect("invariant: reading minutes never panics")).collect()
    });
    let mut whole = SearchIndex::default();
    for part in parts {
        whole.append(part?);
    }
    Ok(whole)
}

/// Adds all records of a session that contain words.
fn index_session(name: &str, minutes: &SessionFile, texts: &ShownTexts, index: &mut SearchIndex) -> io::Result<()> {
    let mut session = IndexedSession { name: name.to_owned(), ..IndexedSession::default() };
    let place = index.sessions.len();
    index.sessions.push(session.clone());
    let mut reader = BufReader::with_capacity(1 << 16, minutes.open()?);
    let (mut line, mut offset) = (Vec::new(), 0);
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if !line.ends_with(b"\n") {
            session.torn = line.len() as u64;
            break;
        }
        match serde_json::from_slice::<Record>(&line) {
            Err(_) => session.leave_out(number),
            Ok(record) => {
                if let Some(convened) = record.event.convened() {
                    convened.arm.clone_into(&mut session.arm);
                }
                let words = words_of_any(&record, name, texts);
                session.unknown_texts += u64::from(
                    words.is_none()
                        && record.event.briefed().is_some_and(|told| matches!(told.what, Matter::Exhibit { .. })),
                );
                if let Some((kind, text)) = words {
                    index.add_passage(&Passage {
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
    index.sessions[place] = session;
    Ok(())
}

/// Reads up to `count` records from the lines before an offset. Skips lines that are not records.
fn lines_before(file: &mut (impl Read + Seek), offset: u64, count: usize) -> io::Result<Vec<Record>> {
    let mut room = 1 << 14;
    loop {
        let start = offset.saturating_sub(room);
        file.seek(SeekFrom::Start(start))?;
        let mut block = Vec::new();
        file.take(offset - start).read_to_end(&mut block)?;
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
