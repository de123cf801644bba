//! Packs: the files of many complete sessions in few files, so that a million sessions do not take millions of files.
//!
//! Each pack holds a fixed range of blocks (see [`Experiment::pack_of`](crate::plan::Experiment::pack_of)), as one file for each
//! [`SessionPart`] of its sessions. A session is packed if the minutes of its pack hold it: they are written last. Sessions under way are
//! never in a pack. This module finds sessions in packs and reads them; `writing` writes packs.

mod file;
mod writing;

pub use file::{PackEntry, PackFile};
pub use writing::{PackedSource, discard_duplicates, is_ready, pack_sessions, unpack_sessions};

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;

use crate::store::files::{FileError, file_error};
use crate::store::places::{PACKS, SessionPart};
use crate::store::strays;

/// How many files of packs are kept open with their indexes.
const OPEN_MAX: usize = 16;
/// How many frames are kept after they were read, for the sessions that are read next.
const FRAMES_MAX: usize = 8;

/// The number of the pack whose minutes have this file name; `None` for any other name.
fn number_of(name: &str) -> Option<u32> {
    let number = name.strip_prefix("minutes-")?.strip_suffix(".zst")?.parse().ok()?;
    (SessionPart::Minutes.pack_name(number) == name).then_some(number)
}

/// The packs of a results folder.
#[derive(Debug)]
pub struct SessionPacks {
    root: PathBuf,
    state: Mutex<PackState>,
    frames: Mutex<VecDeque<Arc<Frame>>>,
}

/// What is known of the packs.
#[derive(Debug, Default)]
struct PackState {
    /// When the list of packs changed last, as it was read; `None` before it is read for the first time.
    listed: Option<Option<SystemTime>>,
    /// The packs of sessions, by the hashes of their names, in order: a million sessions take a few megabytes.
    places: Vec<(u64, u32)>,
    numbers: BTreeSet<u32>,
    /// Packs that cannot be read.
    damaged: Vec<(PathBuf, String)>,
    /// The files that were read last, the newest at the end.
    open: VecDeque<(SessionPart, u32, Arc<PackFile>)>,
}

/// A part of a pack that is decompressed at once.
#[derive(Debug)]
struct Frame {
    pack: Arc<PackFile>,
    number: u32,
    bytes: Mutex<Option<Bytes>>,
}

/// Stands for bytes, such as a session's name.
fn hash_of(bytes: &[u8]) -> u64 {
    let hash = blake3::hash(bytes);
    let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

impl SessionPacks {
    /// The packs of a results folder; nothing is read yet.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), state: Mutex::default(), frames: Mutex::default() }
    }

    /// Whether the folder has a place for packs.
    pub fn has_folder(&self) -> bool {
        self.folder().is_dir()
    }

    /// Where they lie.
    pub fn folder(&self) -> PathBuf {
        self.root.join(PACKS)
    }

    /// A file of a pack.
    pub fn file_path(&self, part: SessionPart, number: u32) -> PathBuf {
        self.folder().join(part.pack_name(number))
    }

    /// The numbers of the packs, in order.
    ///
    /// # Errors
    /// When a pack cannot be read.
    pub fn numbers(&self) -> Result<Vec<u32>, FileError> {
        let state = self.refresh_state();
        match state.damaged.first() {
            None => Ok(state.numbers.iter().copied().collect()),
            Some((path, reason)) => Err(FileError { path: path.clone(), reason: reason.clone() }),
        }
    }

    /// The names of all packed sessions, pack by pack.
    ///
    /// # Errors
    /// When a pack cannot be read.
    pub fn session_names(&self) -> Result<Vec<String>, FileError> {
        let mut names = Vec::new();
        for number in self.numbers()? {
            let pack = self.cached_file(SessionPart::Minutes, number)?;
            names.extend(pack.iter().flat_map(|pack| pack.entries()).map(|entry| entry.name.to_string()));
        }
        Ok(names)
    }

    /// The pack that holds a session; `None` where none does.
    pub fn find_pack(&self, name: &str) -> Option<u32> {
        let hash = hash_of(name.as_bytes());
        let numbers: Vec<u32> = {
            let state = self.read_once();
            let first = state.places.partition_point(|(other, _)| *other < hash);
            state.places[first..].iter().take_while(|(other, _)| *other == hash).map(|(_, number)| *number).collect()
        };
        let holds = |number: &u32| {
            let pack = self.cached_file(SessionPart::Minutes, *number).ok().flatten();
            pack.is_some_and(|pack| pack.find_entry(name).is_some())
        };
        numbers.into_iter().find(holds)
    }

    /// Reads again which packs there are, if that changed since.
    pub fn refresh(&self) {
        drop(self.refresh_state());
    }

    /// A file of a pack, with its index; `None` where it is not there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn cached_file(&self, part: SessionPart, number: u32) -> Result<Option<Arc<PackFile>>, FileError> {
        let mut state = self.lock_state();
        if let Some(place) = state.open.iter().position(|(other, of, _)| (*other, *of) == (part, number)) {
            let found = state.open.remove(place).expect("invariant: a place that was found is there");
            state.open.push_back(found.clone());
            return Ok(Some(found.2));
        }
        let Some(file) = self.open_pack_file(part, number)? else { return Ok(None) };
        let file = Arc::new(file);
        state.open.push_back((part, number, Arc::clone(&file)));
        if state.open.len() > OPEN_MAX {
            state.open.pop_front();
        }
        Ok(Some(file))
    }

    /// Opens a file of a pack; `None` where it is not there.
    fn open_pack_file(&self, part: SessionPart, number: u32) -> Result<Option<PackFile>, FileError> {
        let path = self.file_path(part, number);
        if let Some(stray) = strays::on_the_way(&self.root, &format!("{PACKS}/{}", part.pack_name(number))) {
            return Err(stray.to_file_error(&self.root));
        }
        match PackFile::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            file => Ok(Some(file.map_err(|error| file_error(&path, &error))?)),
        }
    }

    /// What a pack holds of a session. The frame that was read is kept for the next session.
    ///
    /// # Errors
    /// When it cannot be read, or the pack is damaged.
    pub fn read_entry(&self, pack: &Arc<PackFile>, entry: &PackEntry) -> io::Result<Bytes> {
        let frame = self.cached_frame(pack, entry.frame);
        let mut bytes = frame.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = match &mut *bytes {
            Some(bytes) => bytes,
            empty => empty.insert(pack.read_frame(entry.frame)?),
        };
        Ok(bytes.slice(entry.byte_range()))
    }

    fn cached_frame(&self, pack: &Arc<PackFile>, number: u32) -> Arc<Frame> {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |frame: &Arc<Frame>| frame.number == number && Arc::ptr_eq(&frame.pack, pack);
        let known = frames.iter().position(is_same).and_then(|place| frames.remove(place));
        let frame =
            known.unwrap_or_else(|| Arc::new(Frame { pack: Arc::clone(pack), number, bytes: Mutex::default() }));
        frames.push_back(Arc::clone(&frame));
        if frames.len() > FRAMES_MAX {
            frames.pop_front();
        }
        frame
    }

    /// Takes into account that a pack was written, or is gone.
    fn update_pack(&self, number: u32) -> Result<(), FileError> {
        let mut state = self.read_once();
        state.open.retain(|(_, of, _)| *of != number);
        state.places.retain(|(_, of)| *of != number);
        state.numbers.remove(&number);
        drop(state);
        let pack = self.cached_file(SessionPart::Minutes, number)?;
        let mut state = self.lock_state();
        if let Some(pack) = pack {
            state.add_pack(number, &pack);
        }
        state.listed = Some(changed_at(&self.folder()));
        Ok(())
    }

    fn lock_state(&self) -> MutexGuard<'_, PackState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known, read once.
    fn read_once(&self) -> MutexGuard<'_, PackState> {
        let state = self.lock_state();
        if state.listed.is_some() {
            return state;
        }
        drop(state);
        self.refresh_state()
    }

    fn refresh_state(&self) -> MutexGuard<'_, PackState> {
        let changed = changed_at(&self.folder());
        let state = self.lock_state();
        if state.listed == Some(changed) {
            return state;
        }
        drop(state);
        // Nobody sees it before it is whole.
        let mut new = PackState { listed: Some(changed), ..PackState::default() };
        match self.list_numbers() {
            Ok(numbers) => {
                for number in numbers {
                    match self.open_pack_file(SessionPart::Minutes, number) {
                        Ok(Some(pack)) => {
                            new.numbers.insert(number);
                            new.places.extend(pack.name_hashes().into_iter().map(|hash| (hash, number)));
                        }
                        Ok(None) => {}
                        Err(error) => new.damaged.push((error.path, error.reason)),
                    }
                }
            }
            Err(error) => new.damaged.push((error.path, error.reason)),
        }
        new.places.sort_unstable();
        let mut state = self.lock_state();
        *state = new;
        state
    }

    /// The numbers of the packs that have minutes.
    fn list_numbers(&self) -> Result<Vec<u32>, FileError> {
        let folder = self.folder();
        if let Some(stray) = strays::on_the_way(&self.root, PACKS) {
            return Err(stray.to_file_error(&self.root));
        }
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| file_error(&folder, &error))?,
        };
        let mut numbers = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| file_error(&folder, &error))?;
            numbers.extend(number_of(&entry.file_name().to_string_lossy()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }
}

impl PackState {
    fn add_pack(&mut self, number: u32, pack: &PackFile) {
        self.numbers.insert(number);
        self.places.extend(pack.name_hashes().into_iter().map(|hash| (hash, number)));
        // What was there is sorted, so this is quick.
        self.places.sort();
    }
}

/// When something was put into a folder last, or taken out of it.
fn changed_at(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).and_then(|found| found.modified()).ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::domain::Digest;
    use crate::store::results::ResultsFolder;

    /// Packs a loose session as if its run had completed it.
    pub fn pack(folder: &ResultsFolder, name: &str) {
        let minutes = folder.minutes(name).read_whole().unwrap();
        let run = serde_json::json!({
            "ekklesia": "0", "status": "completed", "started_unix_ms": 0, "wall_ms": 0, "host": "", "plan_digest": "b3:0",
            "minutes_digest": Digest::of(&minutes), "minutes_bytes": minutes.len(), "records": 0, "calls_made": 0, "calls_served": 0,
        });
        folder.write_run_file(name, &serde_json::from_value(run).unwrap()).unwrap();
        pack_sessions(folder, 1, [(name.to_owned(), folder)]).unwrap();
    }

    #[test]
    fn a_reader_finds_what_another_process_packed_and_whatever_was_changed_is_found() {
        let place = tempfile::tempdir().unwrap();
        let writer = ResultsFolder::open_for_writing(place.path()).unwrap();
        let reader = ResultsFolder::open_unchecked(place.path());
        let names = ["talk-r000001", "talk-r000002"];
        for (name, text) in names.into_iter().zip(["one\n", "two\n"]) {
            writer.make_session(name).unwrap();
            fs::write(writer.minutes(name).path(), text).unwrap();
            assert!(reader.minutes(name).exists());
            pack(&writer, name);
            assert_eq!(reader.minutes(name).read_whole().unwrap(), text.as_bytes());
        }
        assert_eq!(reader.session_names().unwrap(), names);
        let path = writer.packs().file_path(SessionPart::Minutes, 1);
        let whole = fs::read(&path).unwrap();
        for byte in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[byte] ^= 0x10;
            fs::write(&path, &bytes).unwrap();
            let changed = ResultsFolder::open_unchecked(place.path());
            let read = |name: &&str| changed.minutes(name).read_whole().is_ok();
            assert!(changed.session_names().is_err() || !names.iter().all(read), "byte {byte}");
        }
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(ResultsFolder::open_unchecked(place.path()).session_names().is_err(), "{length} bytes");
        }
    }
}
