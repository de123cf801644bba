//! Writes packs, and unpacks sessions.
//!
//! Each file of a pack is written under a temporary name, then renamed; the minutes come last. Only then are the loose folders
//! removed. A kill in between leaves duplicates, which [`discard_duplicates`] removes. Folders with equal sessions get packs with
//! equal minutes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::path::Path;

use super::file::{FRAME_BYTES_MAX, PackWriter};
use crate::domain::Digest;
use crate::store::files::{FileError, begin_file, file_error, remove_file, write_whole};
use crate::store::places::{SessionPart, UNFINISHED, is_session_file};
use crate::store::results::{ResultsFolder, RunStatus};
use crate::store::session_file::SessionFile;

/// A session with a larger file stays loose.
const PACKED_BYTES_MAX: u64 = FRAME_BYTES_MAX / 2;
/// The order in which a pack's files are written. With its minutes, a session is packed.
const MINUTES_LAST: [SessionPart; 4] = [SessionPart::Run, SessionPart::Calls, SessionPart::Notes, SessionPart::Minutes];

/// A session's name, and a folder that contains it.
pub type PackedSource<'f> = (String, &'f ResultsFolder);

/// Moves complete sessions into a pack. `sessions` are all of the plan's sessions that belong in it, in plan order. Sessions from
/// another folder are copied.
///
/// # Errors
/// When a file cannot be read, written or removed. No session is lost then.
pub fn pack_sessions<'f>(
    folder: &'f ResultsFolder,
    number: u32,
    sessions: impl IntoIterator<Item = PackedSource<'f>>,
) -> Result<(), FileError> {
    let mut there = packed_names(folder, number)?;
    let (mut all, mut new) = (Vec::new(), Vec::new());
    for (name, from) in sessions {
        if there.remove(&name) {
            all.push((name, folder));
        } else if is_ready(from, &name) {
            new.push(name.clone());
            all.push((name, from));
        }
    }
    if new.is_empty() {
        return Ok(());
    }
    all.extend(there.into_iter().map(|name| (name, folder)));
    write_pack(folder, number, &all)?;
    new.iter()
        .map(|name| folder.session_folder(name))
        .filter(|loose| loose.is_dir())
        .try_for_each(|loose| discard_loose_folder(&loose))
}

/// Writes a pack with these sessions, in order. Removes the pack if there are none.
fn write_pack(folder: &ResultsFolder, number: u32, sessions: &[PackedSource<'_>]) -> Result<(), FileError> {
    let place = folder.packs().folder();
    fs::create_dir_all(&place).map_err(|error| file_error(&place, &error))?;
    let is_smaller = packed_names(folder, number)?.len() > sessions.len();
    // When sessions are removed, write the minutes first, so that they stop being packed.
    let parts = MINUTES_LAST.iter().filter(|part| is_smaller == (**part == SessionPart::Minutes));
    let others = MINUTES_LAST.iter().filter(|part| is_smaller != (**part == SessionPart::Minutes));
    for part in parts.chain(others) {
        write_part(folder, number, *part, sessions)?;
    }
    sync_folder(&place)?;
    folder.packs().update_pack(number)
}

/// Writes one file of a pack. Removes it if no session has the part.
fn write_part(
    folder: &ResultsFolder,
    number: u32,
    part: SessionPart,
    sessions: &[PackedSource<'_>],
) -> Result<(), FileError> {
    let path = folder.packs().file_path(part, number);
    let fail = |error: io::Error| file_error(&path, &error);
    let file = begin_file(&folder.packs().folder()).map_err(fail)?;
    let mut growing = PackWriter::begin(BufWriter::new(file)).map_err(fail)?;
    let mut is_empty = true;
    for (name, from) in sessions {
        let file = from.session_file(part, name);
        match file.read_whole() {
            Err(error) if error.kind() == ErrorKind::NotFound && part != SessionPart::Minutes => {}
            bytes => {
                let bytes = bytes.map_err(|error| file_error(file.path(), &error))?;
                growing.add_session(name, &bytes).map_err(fail)?;
                is_empty = false;
            }
        }
    }
    if is_empty {
        return remove_file(&path);
    }
    let mut out = growing.finish().map_err(fail)?;
    out.flush().map_err(fail)?;
    let file = out.into_inner().map_err(|error| fail(error.into_error()))?;
    // The loose files are removed next, so this file must be on disk.
    file.as_file().sync_data().map_err(fail)?;
    file.persist(&path).map(drop).map_err(|error| fail(error.error))
}

/// Restores the loose folders of sessions and removes these from their packs.
///
/// # Errors
/// When a file cannot be read or written.
pub fn unpack_sessions(folder: &ResultsFolder, names: impl IntoIterator<Item = String>) -> Result<(), FileError> {
    let mut by_pack: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for name in names {
        if let Some(number) = folder.packs().find_pack(&name) {
            by_pack.entry(number).or_default().insert(name);
        }
    }
    for (number, names) in by_pack {
        for name in &names {
            let loose = folder.session_folder(name);
            for part in SessionPart::ALL {
                let file = folder.session_file(part, name);
                if file.exists() {
                    let path = loose.join(part.file_name());
                    write_whole(&path, &file.load()?)?;
                    sync_file(&path)?;
                }
            }
            // The pack is rewritten without it, so the folder must be on disk.
            sync_folder(&loose)?;
        }
        sync_folder(&folder.root().join("sessions"))?;
        let there = folder.packs().names_in(number)?;
        let rest = there.into_iter().filter(|name| !names.contains(name)).map(|name| (name, folder));
        write_pack(folder, number, &rest.collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Removes the loose folders of packed sessions, which a kill leaves behind.
///
/// # Errors
/// When loose minutes differ from the packed ones, or something cannot be read or removed.
pub fn discard_duplicates(folder: &ResultsFolder) -> Result<(), FileError> {
    for name in folder.loose_names()? {
        if folder.packs().find_pack(&name).is_none() {
            continue;
        }
        let (loose, packed) = (folder.session_folder(&name), folder.minutes(&name));
        let minutes = SessionFile::from(loose.join(SessionPart::Minutes.file_name()));
        if minutes.exists() && minutes.load()? != packed.load()? {
            let reason = format!("{} holds other minutes of this session; move one of them away", packed.display());
            return Err(FileError { path: minutes.path().to_owned(), reason });
        }
        discard_loose_folder(&loose)?;
    }
    Ok(())
}

/// Whether a session can be packed: it is complete and unchanged, and its loose folder contains no other or too large files.
pub fn is_ready(folder: &ResultsFolder, name: &str) -> bool {
    let loose = folder.session_folder(name);
    let minutes = folder.minutes(name);
    let Some(run) = folder.run_file(name).filter(|run| run.status == RunStatus::Completed) else { return false };
    let is_own = |entry: io::Result<fs::DirEntry>| {
        let Ok(entry) = entry else { return false };
        is_own_file(&entry.file_name().to_string_lossy())
            && entry.metadata().is_ok_and(|found| found.is_file() && found.len() <= PACKED_BYTES_MAX)
    };
    let is_folder = fs::symlink_metadata(&loose).is_ok_and(|found| found.is_dir());
    if minutes.is_loose() && (!is_folder || !fs::read_dir(&loose).is_ok_and(|mut entries| entries.all(is_own))) {
        return false;
    }
    minutes.read_whole().is_ok_and(|bytes| Digest::of(&bytes) == run.minutes_digest)
}

/// Removes a session's files, and its folder if that is empty then.
fn discard_loose_folder(loose: &Path) -> Result<(), FileError> {
    let fail = |error: io::Error| file_error(loose, &error);
    for entry in fs::read_dir(loose).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        if is_own_file(&entry.file_name().to_string_lossy()) {
            remove_file(&entry.path())?;
        }
    }
    match fs::remove_dir(loose) {
        Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty || error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(fail),
    }
}

/// Whether a session's folder holds a file of this name: one of its parts, or an unfinished one.
fn is_own_file(name: &str) -> bool {
    is_session_file(name) || name.starts_with(UNFINISHED)
}

fn packed_names(folder: &ResultsFolder, number: u32) -> Result<BTreeSet<String>, FileError> {
    Ok(folder.packs().names_in(number)?.into_iter().collect())
}

fn sync_file(path: &Path) -> Result<(), FileError> {
    File::open(path).and_then(|file| file.sync_data()).map_err(|error| file_error(path, &error))
}

/// Syncs a folder's entries to disk, if the system can.
fn sync_folder(folder: &Path) -> Result<(), FileError> {
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| file_error(folder, &error))?;
    Ok(())
}
