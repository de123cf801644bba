//! Packs: a few files that contain many complete sessions, so that a million sessions do not take millions of files.
//!
//! Each pack holds a fixed range of blocks (see [`Experiment::pack_of`](crate::plan::Experiment::pack_of)), with one file per
//! [`SessionPart`]. A session is packed if the pack's minutes file contains it, because that file is written last. A session
//! that is running is never in a pack. This module reads packs; `writing` writes them.

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

use crate::store::containment;
use crate::store::files::{FileError, file_error, list_folder};
use crate::store::places::{PACKS, SessionPart};

/// The number of pack files kept open, with their indexes.
const OPEN_MAX: usize = 16;
/// The number of decompressed frames kept for the next sessions.
const FRAMES_MAX: usize = 8;

/// Parses the pack number from the name of a minutes file; `None` for other names.
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

/// The index of all packs.
#[derive(Debug, Default)]
struct PackState {
    /// The modification time of the folder when it was listed; `None` before the first listing.
    listed: Option<Option<SystemTime>>,
    /// Hashes of session names with their pack numbers, sorted. A million sessions take a few megabytes.
    places: Vec<(u64, u32)>,
    numbers: BTreeSet<u32>,
    /// Unreadable packs, with the reason.
    damaged: Vec<(PathBuf, String)>,
    /// The files used last, the latest at the end.
    open: VecDeque<(SessionPart, u32, Arc<PackFile>)>,
}

/// A frame of a pack, and its bytes once decompressed.
#[derive(Debug)]
struct Frame {
    pack: Arc<PackFile>,
    number: u32,
    bytes: Mutex<Option<Bytes>>,
}

/// The first 64 bits of the BLAKE3 hash.
fn hash_of(bytes: &[u8]) -> u64 {
    let hash = blake3::hash(bytes);
    let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

impl SessionPacks {
    /// The packs of a results folder. Nothing is read yet.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), state: Mutex::default(), frames: Mutex::default() }
    }

    /// The folder of packs.
    pub fn folder(&self) -> PathBuf {
        self.root.join(PACKS)
    }

    /// The path of a pack's file.
    pub fn file_path(&self, part: SessionPart, number: u32) -> PathBuf {
        self.folder().join(part.pack_name(number))
    }

    /// The pack numbers, sorted.
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
            names.extend(self.names_in(number)?);
        }
        Ok(names)
    }

    /// The names of the sessions in a pack, in their order; none if there is no such pack.
    ///
    /// # Errors
    /// When the pack cannot be read.
    pub fn names_in(&self, number: u32) -> Result<Vec<String>, FileError> {
        let pack = self.cached_file(SessionPart::Minutes, number)?;
        Ok(pack.iter().flat_map(|pack| pack.entries()).map(|entry| entry.name.to_string()).collect())
    }

    /// Finds the pack that contains a session.
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

    /// Lists the packs again if the folder changed.
    pub fn refresh(&self) {
        drop(self.refresh_state());
    }

    /// Opens a pack's file, or returns it from the cache; `None` if it does not exist.
    ///
    /// # Errors
    /// When the file cannot be read.
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

    fn open_pack_file(&self, part: SessionPart, number: u32) -> Result<Option<PackFile>, FileError> {
        let path = self.file_path(part, number);
        if let Some(stray) = containment::on_the_way(&self.root, &format!("{PACKS}/{}", part.pack_name(number))) {
            return Err(stray.to_file_error(&self.root));
        }
        match PackFile::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            file => Ok(Some(file.map_err(|error| file_error(&path, &error))?)),
        }
    }

    /// Reads the data of a session. The frame stays in memory for the next session.
    ///
    /// # Errors
    /// When the data cannot be read, or the pack is damaged.
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

    /// Updates the index after a pack was written or removed.
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
            // The other entries are sorted, so this is fast.
            state.places.sort();
        }
        state.listed = Some(changed_at(&self.folder()));
        Ok(())
    }

    fn lock_state(&self) -> MutexGuard<'_, PackState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The index, listed at least once.
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
        // Publish the new index only when it is complete.
        let mut new = PackState { listed: Some(changed), ..PackState::default() };
        match self.list_numbers() {
            Ok(numbers) => {
                for number in numbers {
                    match self.open_pack_file(SessionPart::Minutes, number) {
                        Ok(Some(pack)) => new.add_pack(number, &pack),
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

    /// The numbers of the packs that have a minutes file.
    fn list_numbers(&self) -> Result<Vec<u32>, FileError> {
        if let Some(stray) = containment::on_the_way(&self.root, PACKS) {
            return Err(stray.to_file_error(&self.root));
        }
        let files = list_folder(&self.folder())?;
        let mut numbers: Vec<u32> = files.iter().filter_map(|path| number_of(path.file_name()?.to_str()?)).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }
}

impl PackState {
    /// Adds a pack. The caller sorts `places`.
    fn add_pack(&mut self, number: u32, pack: &PackFile) {
        self.numbers.insert(number);
        self.places.extend(pack.name_hashes().map(|hash| (hash, number)));
    }
}

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
